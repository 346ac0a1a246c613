"""A hand turn by turn: who has to do what, and every step that the rules forbid refused."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from fiveup_sim.referee.scoring import HandResult
from fiveup_sim.referee.table import Option, RuleError, Table
from fiveup_sim.rules import Rules
from fiveup_sim.rules.tiles import PIPS, Placement, format_placement, format_tile


class Hand:
    """One deal being played out.

    Parameters
    ----------
    rules
        Rules of the game.
    held
        Tiles dealt, by seat.
    boneyard
        The other tiles, in the order they are drawn.
    leader
        Seat that leads.
    forced
        Tile it has to lead; None: any.
    """

    def __init__(
        self,
        rules: Rules,
        held: Sequence[Collection[int]],
        boneyard: Iterable[int],
        leader: int,
        forced: int | None = None,
    ) -> None:
        self.rules = rules
        self.table = Table(rules)
        self.held = [set(tiles) for tiles in held]
        self.boneyard = list(boneyard)
        """Tiles not drawn yet, the next first."""
        self.leader = leader
        self.forced = forced
        self.seat = leader
        """Seat whose turn it is."""
        self.end: str | None = None
        """``dominoed``, ``blocked`` or ``stopped``; None while the hand goes on."""
        self._n_passes = 0  # since the last placement; draws do not break the row
        self._n_drawn = 0  # in this turn

    def copy(self) -> Hand:
        """A hand that stands the same."""
        twin = Hand(self.rules, self.held, self.boneyard, self.leader, self.forced)
        twin.table, twin.seat, twin.end = self.table.copy(), self.seat, self.end
        twin._n_passes, twin._n_drawn = self._n_passes, self._n_drawn
        return twin

    @property
    def dominoed(self) -> int | None:
        """Seat that has laid its last tile."""
        return next((seat for seat, tiles in enumerate(self.held) if not tiles), None)

    @property
    def must(self) -> str:
        """What the seat whose turn it is has to do: ``lay``, ``draw`` or ``pass``."""
        if self._playable():
            return "lay"
        return "draw" if self._may_draw_more() else "pass"

    def options(self) -> list[Option]:
        """The legal placements of the seat whose turn it is.

        After a draw they are those of the drawn tile: nothing else could be laid before it.
        """
        return self.table.options(self._playable())

    def lay(self, seat: int, placement: Placement) -> None:
        """Lay a tile; the turn, and with a last tile the hand, ends.

        Raises
        ------
        RuleError
            If the rules do not allow it.
        """
        text = format_placement(placement)
        self._check_turn(seat, f"lays {text}")
        if not self.table.tiles and self.forced is not None and placement.tile != self.forced:
            raise RuleError(f"seat {seat} leads {text} but has to lead {format_tile(self.forced)}")
        if placement.tile in self.table.tiles:
            raise RuleError(f"seat {seat} lays {text}, which lies on the table already")
        if placement.tile not in self.held[seat]:
            raise RuleError(f"seat {seat} lays {text} but does not hold it")
        self.table.lay(placement)
        self.held[seat].remove(placement.tile)
        self._n_passes = 0
        if self.held[seat]:
            self._end_turn()
        else:
            self.end = "dominoed"

    def draw(self, seat: int, tile: int) -> None:
        """Draw the next tile of the boneyard, which is `tile`.

        Raises
        ------
        RuleError
            If the seat can lay a tile, no tile may be drawn, or another one is next.
        """
        act = f"draws {format_tile(tile)}"
        self._check_turn(seat, act)
        self._check_unplayable(seat, act)
        if not self._is_drawable():
            raise RuleError(f"seat {seat} {act} but no tile may be drawn: {self._why_not_drawable()}")
        if not self._may_draw_more():
            raise RuleError(f"seat {seat} {act} but has drawn a tile in this turn: draw = {self.rules.draw}")
        if tile != self.boneyard[0]:
            raise RuleError(f"seat {seat} {act} but {format_tile(self.boneyard[0])} is next in the boneyard")
        self.held[seat].add(self.boneyard.pop(0))
        self._n_drawn += 1

    def pass_turn(self, seat: int) -> None:
        """Pass; after a pass of every seat in a row the hand is blocked, unless a tile can be drawn.

        Raises
        ------
        RuleError
            If the seat can lay a tile or has to draw.
        """
        self._check_turn(seat, "passes")
        self._check_unplayable(seat, "passes")
        if self._may_draw_more():
            raise RuleError(f"seat {seat} passes but has to draw: {len(self.boneyard)} tiles are in the boneyard")
        self._n_passes += 1
        if self._n_passes >= self.rules.seats and not self._is_drawable():
            self.end = "blocked"
        else:
            self._end_turn()

    def stop(self) -> None:
        """End the hand where it stands: an award has ended the game."""
        self.end = "stopped"

    def result(self) -> HandResult:
        """How the hand ended."""
        if self.end is None:
            raise RuleError(f"the hand is not over: seat {self.seat} has to {self.must}")
        left = tuple(sum(PIPS[tile] for tile in tiles) for tiles in self.held)
        return HandResult(self.end, self.leader, self.dominoed, left, tuple(map(len, self.held)))

    def _playable(self) -> list[int]:
        held = sorted(self.held[self.seat])
        if not self.table.tiles:
            return held if self.forced is None else [self.forced]
        return [tile for tile in held if self.table.fits(tile)]

    def _is_drawable(self) -> bool:
        return self.rules.draw != "none" and len(self.boneyard) > self.rules.boneyard_reserve

    def _may_draw_more(self) -> bool:
        return self._is_drawable() and (self.rules.draw == "until_playable" or self._n_drawn == 0)

    def _why_not_drawable(self) -> str:
        if self.rules.draw == "none":
            return "draw = none"
        return f"{len(self.boneyard)} in the boneyard, {self.rules.boneyard_reserve} in reserve"

    def _check_turn(self, seat: int, act: str) -> None:
        if self.end is not None:
            raise RuleError(f"seat {seat} {act} but the hand is over: {self.end}")
        if seat != self.seat:
            raise RuleError(f"seat {seat} {act} but it is the turn of seat {self.seat}")

    def _check_unplayable(self, seat: int, act: str) -> None:
        playable = self._playable()
        if playable:
            verb = "lay" if self.table.tiles else "lead"
            raise RuleError(f"seat {seat} {act} but can {verb} {format_tile(playable[0])}")

    def _end_turn(self) -> None:
        self.seat = (self.seat + 1) % self.rules.seats
        self._n_drawn = 0
