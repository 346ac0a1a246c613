"""The table of a hand as a picture: tiles as dominoes along their joints, doubles crosswise.

Lines grow away from the lead; where the arms of two spinners would meet, the line between them is stretched, so that
no two tiles ever lie on each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from fiveup_sim.referee.events import parse_event
from fiveup_sim.referee.record import GameRecord
from fiveup_sim.referee.table import Joint, Table
from fiveup_sim.rules import Rules
from fiveup_sim.rules.tiles import HIGH, LOW, format_tile, is_double

_PIXELS, _SMALL_PIXELS = 26, 18
"""Side of half a tile, on a table and alone."""
_SPACE = 0.12
"""Between tiles, in sides of half a tile."""
_PLAIN = 'fill="#ffffff" stroke="#222222" stroke-width="0.05"'
_DOTS_OF = {1: "c", 2: "ae", 3: "ace", 4: "abde", 5: "abcde", 6: "abdefg", 0: ""}
_DOTS = {
    "a": (-0.25, -0.25), "b": (0.25, -0.25), "c": (0.0, 0.0), "d": (-0.25, 0.25), "e": (0.25, 0.25),
    "f": (-0.25, 0.0), "g": (0.25, 0.0),
}  # fmt: skip
_BACK = {"low": "high", "high": "low", "lineA": "lineB", "lineB": "lineA"}
"""The place at the other end of a tile."""

Point = tuple[float, float]


@dataclass(frozen=True)
class _Half:
    """Half a tile: where its middle lies, and its pips."""

    x: float
    y: float
    pip: int

    def turned(self, quarter: int, x: float, y: float) -> _Half:
        """Turned by quarters about the origin, then moved."""
        u, v = self.x, self.y
        for _ in range(quarter % 4):
            u, v = -v, u
        return _Half(u + x, v + y, self.pip)


_Tiles = list[tuple[int, _Half, _Half]]
_LINK = -1
"""Stands for a tile where a line is stretched: its "halves" are the ends of the gap."""


def draw_table(what: Table | GameRecord, *, hand: int = 1, event: int | None = None) -> str:
    """Draw the layout of a hand.

    Parameters
    ----------
    what
        A table of the referee, or a game record.
    hand
        Of a record: number of the hand, from 1.
    event
        Of a record: number of the last event (draw, placement or pass) that has happened, from 1; None: all.

    Returns
    -------
    str
        SVG, with the table in words as its description. The last tile laid is outlined; tiles whose pips count are
        shaded.

    Raises
    ------
    ValueError
        If the record has no such hand or event.

    Examples
    --------
    In a notebook: ``IPython.display.SVG(draw_table(play_game(["greedy", "random"], seed=1)))``.
    """
    table = what if isinstance(what, Table) else _table_of(what, hand, event)
    tiles = list(_Layout(table).tiles())
    xs = [half.x for _, *halves in tiles for half in halves] or [0.0]
    ys = [half.y for _, *halves in tiles for half in halves] or [0.0]
    counted = {tile for tile, _ in table.contributions()}
    body = [_draw_link(a, b) for tile, a, b in tiles if tile == _LINK]
    body += [_draw_tile(tile, a, b, _look(tile, table, counted)) for tile, a, b in tiles if tile != _LINK]
    left, top = min(xs) - 0.8, min(ys) - 0.8
    width, height = max(xs) - left + 0.8, max(ys) - top + 1.6
    words = _in_words(table)
    body.append(f'<text x="{left + 0.3:.2f}" y="{top + height - 0.3:.2f}" font-size="0.55">{escape(words)}</text>')
    width = max(width, 0.3 * len(words) + 0.6)
    size = _size(width, height, _PIXELS) + ' style="max-width:100%;height:auto"'
    return _svg(body, (left, top, width, height), words, table.describe(), size)


def draw_tile(tile: int) -> str:
    """A single tile as SVG, higher pip first."""
    halves = _Half(0.0, 0.0, HIGH[tile]), _Half(1.0, 0.0, LOW[tile])
    name = format_tile(tile)
    return _svg([_draw_tile(tile, *halves, _PLAIN)], (-0.6, -0.6, 2.2, 1.2), name, "", _size(2.2, 1.2, _SMALL_PIXELS))


class _Layout:
    """Where each tile of a table lies; lengths in sides of half a tile."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._joints: dict[tuple[int, str], Joint] = {(joint.host, joint.host_place): joint for joint in table.joints}

    def tiles(self) -> Iterator[tuple[int, _Half, _Half]]:
        """Every tile with its halves; the lead in the middle, its line from left to right."""
        if not self._table.tiles:
            return
        lead = self._table.tiles[0]
        back, front = ("lineA", "lineB") if is_double(lead) else ("low", "high")
        arms = self._arms(lead)
        half_length = 0.5 if is_double(lead) else 1.0
        yield (lead, *_halves(lead, back, 0.0))
        for side, (arm, _) in arms.items():
            yield from _moved(arm, side, 0.0, side)
        # the lead's own arms push apart what hangs on both sides of it; the left line is the right one turned round
        right = {side: width[1] for side, (_, width) in arms.items()}
        left = {-side: width[0] for side, (_, width) in arms.items()}
        for quarter, place, edges in ((0, front, right), (2, back, left)):
            line, _ = self._line(lead, place, half_length, edges)
            yield from ((tile, a.turned(quarter, 0, 0), b.turned(quarter, 0, 0)) for tile, a, b in line)

    def _line(self, host: int, place: str, start: float, edges: dict[int, float]) -> tuple[_Tiles, Point]:
        """What is laid against a place of `host`, growing to the right from `start` along y = 0.

        Returns the tiles, and how far they reach below and above y = 0. `edges`: how far to the right anything hangs
        on either side (-1, 1) of the line already.
        """
        tiles: _Tiles = []
        reach = {-1: 0.5, 1: 0.5}
        at = start
        while joint := self._joints.get((host, place)):
            host, entry = joint.tile, joint.tile_place
            length = 1.0 if is_double(host) else 2.0
            arms = self._arms(host)
            middle = at + _SPACE + length / 2
            for side, (_, width) in arms.items():
                middle = max(middle, edges.get(side, 0.0) + _SPACE + width[0])
            if middle - length / 2 > at + 2 * _SPACE:
                tiles.append((_LINK, _Half(at, 0.0, 0), _Half(middle - length / 2, 0.0, 0)))
            tiles.append((host, *_halves(host, entry, middle)))
            if is_double(host):
                reach = {side: max(far, 1.0) for side, far in reach.items()}
            for side, (arm, width) in arms.items():
                laid = _moved(arm, side, middle, side)
                tiles += laid
                edges[side] = middle + width[1]
                reach[side] = max(reach[side], *(side * half.y + 0.5 for _, *halves in laid for half in halves))
            at = middle + length / 2
            place = _BACK[entry]
        return tiles, (reach[-1], reach[1])

    def _arms(self, tile: int) -> dict[int, tuple[_Tiles, Point]]:
        """The arms of a spinner by side (-1, 1): tiles as if they grew to the right, and how far they reach along
        the spinner's line, backwards and forwards."""
        arms = {}
        for side, place in ((-1, "sideA"), (1, "sideB")):
            if (tile, place) in self._joints:
                line, (below, above) = self._line(tile, place, 0.0, {-1: 0.0, 1: 0.0})
                # turned upwards what lay below comes to lie in front, turned downwards behind
                arms[side] = line, (above, below) if side == 1 else (below, above)
        return arms


def _halves(tile: int, entry: str, middle: float) -> tuple[_Half, _Half]:
    """A tile in a line that grows to the right: doubles crosswise, others with the half matched to the left."""
    if is_double(tile):
        return _Half(middle, -0.5, LOW[tile]), _Half(middle, 0.5, LOW[tile])
    near, far = (LOW[tile], HIGH[tile]) if entry == "low" else (HIGH[tile], LOW[tile])
    return _Half(middle - 0.5, 0.0, near), _Half(middle + 0.5, 0.0, far)


def _moved(arm: _Tiles, side: int, x: float, y: float) -> _Tiles:
    """An arm turned to grow away from a spinner at `x`."""
    quarter = 1 if side == 1 else 3
    return [(tile, a.turned(quarter, x, y), b.turned(quarter, x, y)) for tile, a, b in arm]


def _table_of(record: GameRecord, number: int, event: int | None) -> Table:
    hands = record.data["hands"]
    if not 1 <= number <= len(hands):
        raise ValueError(f"hand = {number}: allowed 1 to {len(hands)}")
    events = hands[number - 1]["events"]
    if event is not None and not 0 <= event <= len(events):
        raise ValueError(f"event = {event}: allowed 0 to {len(events)}")
    table = Table(Rules.from_dict(record.data["rules"]))
    for text in events[:event]:
        placement = parse_event(text).placement
        if placement is not None:
            table.lay(placement)
    return table


def _look(tile: int, table: Table, counted: set[int]) -> str:
    fill = "#fdf0d0" if tile in counted else "#ffffff"
    stroke, thick = ("#D55E00", 0.1) if tile == table.tiles[-1] else ("#222222", 0.05)
    return f'fill="{fill}" stroke="{stroke}" stroke-width="{thick}"'


def _in_words(table: Table) -> str:
    if not table.tiles:
        return "nothing laid yet"
    return f"count {table.count}: {table.points} point{'' if table.points == 1 else 's'}"


def _draw_tile(tile: int, a: _Half, b: _Half, look: str) -> str:
    left, top = min(a.x, b.x) - 0.5, min(a.y, b.y) - 0.5
    width, height = abs(a.x - b.x) + 1, abs(a.y - b.y) + 1
    x, y = (a.x + b.x) / 2, (a.y + b.y) / 2
    dx, dy = (0.0, 0.4) if a.y == b.y else (0.4, 0.0)
    dots = "".join(
        f'<circle cx="{half.x + u:.2f}" cy="{half.y + v:.2f}" r="0.1"/>'
        for half in (a, b)
        for u, v in (_turn_dot(_DOTS[dot], a.y == b.y) for dot in _DOTS_OF[half.pip])
    )
    return (
        f"<g><title>{format_tile(tile)}</title>"
        f'<rect class="tile" x="{left:.2f}" y="{top:.2f}" width="{width:.2f}" height="{height:.2f}" rx="0.12" {look}/>'
        f'<path d="M{x - dx:.2f} {y - dy:.2f}L{x + dx:.2f} {y + dy:.2f}" stroke="#777" stroke-width="0.04"/>{dots}</g>'
    )


def _draw_link(a: _Half, b: _Half) -> str:
    return f'<path d="M{a.x:.2f} {a.y:.2f}L{b.x:.2f} {b.y:.2f}" stroke="#999999" stroke-width="0.12"/>'


def _turn_dot(dot: Point, is_lying: bool) -> Point:
    """The pips of a tile that lies turn with it."""
    return (dot[1], dot[0]) if is_lying else dot


def _size(width: float, height: float, pixels: int) -> str:
    return f'width="{pixels * width:.0f}" height="{pixels * height:.0f}"'


def _svg(body: list[str], box: tuple[float, ...], title: str, words: str, size: str) -> str:
    left, top, width, height = box
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.2f} {top:.2f} {width:.2f} {height:.2f}"'
        f' {size} role="img"'
        f' font-family="sans-serif" fill="#222222"><title>{escape(title)}</title><desc>{escape(words)}</desc>'
        f"{''.join(body)}</svg>"
    )
