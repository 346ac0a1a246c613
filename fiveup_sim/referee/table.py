"""The layout of a hand as tiles and joints: where tiles may be laid, what counts, and the table in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from fiveup_sim.referee.scoring import award
from fiveup_sim.rules import Rules
from fiveup_sim.rules.tiles import ARM, END, HIGH, LEAD, LINE, LOW, Placement, format_placement, format_tile, is_double

PLACE_KINDS: dict[str, int] = {"low": END, "high": END, "lineA": LINE, "lineB": LINE, "sideA": ARM, "sideB": ARM}
"""Kind of every place a tile can have, by the name of the place."""

_IN_WORDS = {
    "low": "lower half", "high": "higher half", "lineA": "line side A", "lineB": "line side B",
    "sideA": "side arm A", "sideB": "side arm B",
}  # fmt: skip


class RuleError(ValueError):
    """What the rules do not allow, in words."""


class Place(NamedTuple):
    """A place of a tile on the table where another may be laid."""

    tile: int
    name: str
    """One of :data:`PLACE_KINDS`."""
    pip: int

    @property
    def kind(self) -> int:
        """END, LINE or ARM."""
        return PLACE_KINDS[self.name]


class Joint(NamedTuple):
    """Two tiles laid against each other: the later one, and its host."""

    host: int
    host_place: str
    tile: int
    tile_place: str


@dataclass(frozen=True)
class Option:
    """A legal placement and what it does."""

    placement: Placement
    """As it is written: the host laid first of several equal ones, the kind only where it has to be named."""
    pip: int
    """Pip matched; -1 for a lead."""
    kind: int
    """END, LINE, ARM or LEAD."""
    count: int
    """Count of the table after it."""
    points: int
    """What that count is worth."""

    @property
    def tile(self) -> int:
        """The tile laid."""
        return self.placement.tile


class Table:
    """The tiles laid in one hand, in order, and how they lie against each other.

    Parameters
    ----------
    rules
        Rules of the game: which doubles spin, when arms open, what a count is worth.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.tiles: list[int] = []
        """Tiles on the table, in the order they were laid."""
        self.joints: list[Joint] = []
        """How they lie against each other, in the same order; the lead has none."""
        self._used: set[tuple[int, str]] = set()

    def copy(self) -> Table:
        """A table that lies the same."""
        twin = Table(self.rules)
        twin.tiles, twin.joints, twin._used = list(self.tiles), list(self.joints), set(self._used)
        return twin

    def lay(self, placement: Placement) -> Joint | None:
        """Lay a tile, and return how it lies (None: the lead).

        Raises
        ------
        RuleError
            If the tile lies there already, the host does not or has no free place of those pips, or the kind is
            wrong or missing where a line side and an arm are free at once.
        """
        tile, host, kind = placement
        if tile in self.tiles:
            raise RuleError(f"{format_tile(tile)} lies on the table already")
        if not self.tiles:
            if host is not None or kind is not None:
                raise RuleError(f"{format_tile(tile)} is the lead: it is laid against nothing")
            self.tiles.append(tile)
            return None
        place = self._place(placement)
        joint = Joint(place.tile, place.name, tile, _matched_place(tile, place.pip))
        self.tiles.append(tile)
        self.joints.append(joint)
        self._used |= {(joint.host, joint.host_place), (joint.tile, joint.tile_place)}
        return joint

    def spins(self, tile: int) -> bool:
        """Whether `tile`, on the table, is a spinner: a double that may open side arms, now or later."""
        doubles = [laid for laid in self.tiles if is_double(laid)]
        if self.rules.spinners == "first":
            return doubles[:1] == [tile]
        return tile in doubles and self.rules.spinners == "all"

    def free_places(self) -> list[Place]:
        """Where a tile may be laid, in the order the hosts were laid; of a tile: halves or line sides, then arms."""
        return [place for tile in self.tiles for place in self._free_of(tile)]

    def contributions(self) -> list[tuple[int, int]]:
        """The scored ends as (tile, pips counted), in the order the tiles were laid."""
        counted = []
        for tile in self.tiles:
            free = self._free_of(tile)
            if is_double(tile):
                # Both halves, once, however many of its line sides are free.
                counted += [(tile, 2 * HIGH[tile])] if any(place.kind == LINE for place in free) else []
            else:
                counted += [(tile, place.pip) for place in free]
        return counted

    @property
    def count(self) -> int:
        """Sum of the scored ends."""
        return sum(pips for _, pips in self.contributions())

    @property
    def points(self) -> int:
        """What the count is worth."""
        return award(self.rules, self.count)

    def fits(self, tile: int) -> bool:
        """Whether `tile`, not on the table, can be laid."""
        return not self.tiles or any(place.pip in (LOW[tile], HIGH[tile]) for place in self.free_places())

    def options(self, held: Iterable[int]) -> list[Option]:
        """The legal placements of the tiles `held`: by tile id, the lower pip first, then END, LINE, ARM.

        Free places of the same pip and kind are one choice.
        """
        if not self.tiles:
            return [self._option(Placement(tile), -1, LEAD) for tile in sorted(held)]
        hosts: dict[tuple[int, int], int] = {}
        for place in self.free_places():
            hosts.setdefault((place.pip, place.kind), place.tile)
        return [
            self._option(self._written(tile, hosts[pip, kind], kind), pip, kind)
            for tile in sorted(held)
            for pip in sorted({LOW[tile], HIGH[tile]})
            for kind in (END, LINE, ARM)
            if (pip, kind) in hosts
        ]

    def describe(self) -> str:
        """The table in words: tiles, spinners, joints, free places, contributions, count and award."""
        spinners = [format_tile(tile) for tile in self.tiles if self.spins(tile)]
        joints = [
            f"{format_tile(joint.host)} ({_IN_WORDS[joint.host_place]})"
            f" to {format_tile(joint.tile)} ({_IN_WORDS[joint.tile_place]})"
            for joint in self.joints
        ]
        places = [f"{format_tile(tile)} ({_IN_WORDS[name]}, {pip})" for tile, name, pip in self.free_places()]
        counted = [f"{format_tile(tile)}: {pips}" for tile, pips in self.contributions()]
        total = " + ".join(str(pips) for _, pips in self.contributions()) or "0"
        return "\n".join(
            (
                f"Tiles: {', '.join(map(format_tile, self.tiles)) or 'none'}.",
                f"Spinners: {', '.join(spinners) or 'none'}.",
                f"Joints: {'; '.join(joints) or 'none'}.",
                f"Free places: {'; '.join(places) or 'none'}.",
                f"Scored contributions: {'; '.join(counted) or 'none'}.",
                f"Count: {total} = {self.count}.",
                f"Award: {self._award_in_words()}.",
            )
        )

    def _award_in_words(self) -> str:
        in_points = f"{self.points} point{'' if self.points == 1 else 's'}"
        if self.rules.scoring_multiples == (5,) and self.rules.point_unit == 5:
            return f"{self.points * 5} raw points ({in_points})"
        return in_points

    def _free_of(self, tile: int) -> list[Place]:
        names = ["low", "high"]
        if is_double(tile):
            names = ["lineA", "lineB"] + (["sideA", "sideB"] if self._arms_open(tile) else [])
        return [
            Place(tile, name, LOW[tile] if name == "low" else HIGH[tile])
            for name in names
            if (tile, name) not in self._used
        ]

    def _arms_open(self, tile: int) -> bool:
        line_is_used = {(tile, "lineA"), (tile, "lineB")} <= self._used
        return self.spins(tile) and (line_is_used or not self.rules.arms_after_line)

    def _place(self, placement: Placement) -> Place:
        """The free place that `placement` means."""
        tile, host, kind = placement
        text = format_tile(tile)
        if host is None:
            raise RuleError(f"{text} names no tile it is laid against")
        if host not in self.tiles:
            raise RuleError(f"{text} is laid against {format_tile(host)}, which is not on the table")
        places = [place for place in self._free_of(host) if place.pip in (LOW[tile], HIGH[tile])]
        if not places:
            raise RuleError(f"{text} is laid against {format_tile(host)}, which has no free place for it")
        if kind is None and self._needs_kind(host):
            raise RuleError(f"{text}@{format_tile(host)}: a line side and an arm are free, add /line or /arm")
        places = [place for place in places if kind in (None, place.kind)]
        if not places:
            raise RuleError(f"{format_placement(placement)}: no place of this kind is free there")
        return places[0]

    def _needs_kind(self, host: int) -> bool:
        return {LINE, ARM} <= {place.kind for place in self._free_of(host)}

    def _written(self, tile: int, host: int, kind: int) -> Placement:
        return Placement(tile, host, kind if self._needs_kind(host) else None)

    def _option(self, placement: Placement, pip: int, kind: int) -> Option:
        after = self.copy()
        after.lay(placement)
        return Option(placement, pip, kind, after.count, after.points)


def _matched_place(tile: int, pip: int) -> str:
    if is_double(tile):
        return "lineA"
    return "low" if pip == LOW[tile] else "high"
