"""One game, played by the kernel and kept as a record that explains itself."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fiveup_sim.referee.events import Event, format_event
from fiveup_sim.referee.record import FORMAT, GameRecord
from fiveup_sim.referee.table import Table
from fiveup_sim.rules import Rules
from fiveup_sim.rules.tiles import LEAD, PASS, Placement, format_tile
from fiveup_sim.tournament.faults import PlayError, spell_game
from fiveup_sim.tournament.lineup import LineUp, make_line_up
from fiveup_sim.tournament.plan import StrategyLike, find_entries
from fiveup_sim.tournament.tasks import describe_fault, take_seats

if TYPE_CHECKING:
    import numpy as np

    from fiveup_sim.engine.blocks import PlayFault

_ENDS = ("dominoed", "blocked", "stopped")


def play_game(
    strategies: Sequence[StrategyLike],
    *,
    rules: Rules | None = None,
    seed: int | None = None,
    block: int = 0,
    rotation: int = 0,
    paired: bool = True,
) -> GameRecord:
    """Play one game and record everything.

    Parameters
    ----------
    strategies
        One a seat, or one a side, as for :func:`fiveup_sim.play_match`.
    rules
        Default: Five Up for so many seats.
    seed, block, rotation, paired
        The address of the game: the same as in a match or tournament gives the same game. The default seed is drawn
        afresh and stands in the record.

    Returns
    -------
    GameRecord
        Printed, a transcript; ``to_json()`` gives a line that :func:`fiveup_sim.referee.referee.check_record` accepts.

    Raises
    ------
    StrategyError
        If a strategy cannot be found or compiled.
    PlayError
        If a strategy raises an exception or returns an illegal index.
    ValueError
        If an argument is out of range.
    """
    games = Games(strategies, rules=rules, seed=secrets.randbits(32) if seed is None else seed, paired=paired)
    return games.record(block, rotation)


class Games:
    """The games of a line-up under one seed, any of which can be recorded.

    Parameters
    ----------
    strategies, rules, seed, paired
        As for :func:`play_game`.
    """

    def __init__(
        self, strategies: Sequence[StrategyLike], *, rules: Rules | None, seed: int, paired: bool = True
    ) -> None:
        self.entries, labels = find_entries(strategies)
        self.rules = Rules.preset(seats=len(labels)) if rules is None else rules
        self.line_up: LineUp = make_line_up(labels, self.rules)
        self.seed = _whole("seed", seed, (1 << 64) - 1)
        self.paired = paired
        players = [self.entries[name].strategy for name in self.line_up.names]
        self._seats = take_seats(players, self.line_up.seating_array)

    def first(self, n_games: int) -> Iterator[GameRecord]:
        """The first `n_games` games: blocks in order, in each its rotations in order."""
        for game in range(n_games):
            yield self.record(*divmod(game, self.line_up.n_rotations))

    def record(self, block: int, rotation: int) -> GameRecord:
        """The game of a block and a rotation."""
        from fiveup_sim.engine.blocks import PlayFault, play_traced

        _whole("block", block, 1 << 62)
        _whole("rotation", rotation, self.line_up.n_rotations - 1)
        try:
            row, hands = play_traced(
                self._seats, self.rules, seed=self.seed, block=block, rotation=rotation, paired=self.paired
            )
        except PlayFault as fault:
            raise self._error(fault) from fault.cause
        return GameRecord(
            {
                "format": FORMAT,
                "rules": self.rules.to_dict(),
                "strategies": list(self.line_up.seat_names(rotation)),
                "seed": self.seed,
                "block": block,
                "rotation": rotation,
                "hands": [_hand(self.rules, hand) for hand in hands],
                "outcome": "unfinished" if row["winner"] < 0 else "won",
                "winner": None if row["winner"] < 0 else int(row["winner"]),
                "scores": row["scores"][: self.rules.n_sides].tolist(),
                "extension_hands": int(row["extension_hands"]),
            }
        )

    def _error(self, fault: PlayFault) -> PlayError:
        seated = [self.entries[name].spelling for name in self.line_up.seat_names(0)]
        address = {"seed": self.seed, "paired": self.paired, "block": fault.block, "rotation": fault.rotation}
        return PlayError(describe_fault(fault), self.line_up, spell_game(seated, self.rules, **address), None)


def _whole(name: str, value: Any, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ValueError(f"{name} = {value!r}: a whole number from 0 to {most} is needed")
    return value


def _hand(rules: Rules, hand: np.void) -> dict[str, Any]:
    """A hand of the trace as the record holds it."""
    deck = [format_tile(tile) for tile in hand["deck"]]
    n_dealt = rules.seats * rules.tiles_each
    turns = [_turn(int(word)) for word in hand["turns"][: hand["n_turns"]]]
    laid = [turn for turn in turns if turn["kind"] != PASS]
    end = _ENDS[hand["end"]]
    last_seat = int(hand["last_seat"])
    is_out = end != "blocked" and _n_held(turns, last_seat, rules) == 0
    return {
        "lead": int(hand["lead"]),
        "held": [deck[seat * rules.tiles_each : (seat + 1) * rules.tiles_each] for seat in range(rules.seats)],
        "boneyard": deck[n_dealt:],
        "events": [format_event(event) for event in _events(rules, hand["deck"][n_dealt:].tolist(), turns)],
        "counts": [turn["count"] for turn in laid],
        "points": [turn["points"] for turn in laid],
        "end": end,
        "dominoed": last_seat if is_out else None,
        "left": hand["rests"][: rules.seats].tolist(),
        "change": hand["change"][: rules.n_sides].tolist(),
        "scores": hand["scores"][: rules.n_sides].tolist(),
    }


def _turn(word: int) -> dict[str, int]:
    """The fields of a turn (``engine.view.TURN``) from its word."""
    names = ("tile", "pip", "kind", "points", "count", "pips", "seat", "n_drawn")
    return dict(zip(names, word.to_bytes(8, "little", signed=True), strict=True))


def _n_held(turns: list[dict[str, int]], seat: int, rules: Rules) -> int:
    """Tiles that a seat holds after these turns."""
    own = [turn for turn in turns if turn["seat"] == seat]
    return rules.tiles_each + sum(turn["n_drawn"] - (turn["kind"] != PASS) for turn in own)


def _events(rules: Rules, boneyard: list[int], turns: list[dict[str, int]]) -> Iterator[Event]:
    """Draws, placements and passes in order; the hosts are named with the referee's table beside."""
    table = Table(rules)
    n_drawn = 0
    for turn in turns:
        for tile in boneyard[n_drawn : n_drawn + turn["n_drawn"]]:
            yield Event(turn["seat"], drawn=tile)
        n_drawn += turn["n_drawn"]
        placement = None
        if turn["kind"] != PASS:
            placement = _placement(table, turn)
            table.lay(placement)
        yield Event(turn["seat"], placement)


def _placement(table: Table, turn: dict[str, int]) -> Placement:
    if turn["kind"] == LEAD:
        return Placement(turn["tile"])
    options = table.options({turn["tile"]})
    return next(each.placement for each in options if (each.pip, each.kind) == (turn["pip"], turn["kind"]))
