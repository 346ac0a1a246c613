"""The referee: replays a record by the rules and names the first thing wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from fiveup_sim.referee.events import Event, parse_event
from fiveup_sim.referee.form import Fault, FaultError, check_form, shown
from fiveup_sim.referee.hand import Hand
from fiveup_sim.referee.record import GameRecord, RecordError, number_records
from fiveup_sim.referee.scoring import HandResult, Scoreboard, next_lead
from fiveup_sim.referee.table import RuleError
from fiveup_sim.rules import Rules
from fiveup_sim.rules.tiles import format_tile, parse_tile

__all__ = ["Fault", "FileCheck", "check_file", "check_record"]


class FileCheck(NamedTuple):
    """What :func:`check_file` found."""

    n_games: int
    """Games found right, up to the first fault."""
    line: int | None
    """Line of the first fault, from 1; None if there is none."""
    fault: Fault | None
    """The first fault; None if there is none."""

    def __str__(self) -> str:
        games = f"{self.n_games} game{'' if self.n_games == 1 else 's'}"
        return f"{games}, no fault" if self.fault is None else f"line {self.line}: {self.fault}"


def check_record(record: GameRecord) -> Fault | None:
    """The first thing wrong with `record`; None if it is a game as the rules have it.

    The form of the whole record is looked at first, then the game from its start. Where a hand is led by lot
    any leader is accepted, and where several hosts of a placement are equal, any of them.
    """
    try:
        rules = check_form(record.data)
        _replay(rules, record.data)
    except FaultError as error:
        return error.fault
    return None


def check_file(path: str | Path) -> FileCheck:
    """Check the records of a ``.jsonl`` or ``.jsonl.gz`` file up to the first fault."""
    n_games = 0
    try:
        for line, record in number_records(path):
            fault = check_record(record)
            if fault is not None:
                return FileCheck(n_games, line, fault)
            n_games += 1
    except RecordError as error:
        return FileCheck(n_games, error.line, Fault(error.reason))
    return FileCheck(n_games, None, None)


def _replay(rules: Rules, game: dict[str, Any]) -> None:
    board = Scoreboard(rules)
    last = None
    for number, hand in enumerate(game["hands"], 1):
        with _place(number):
            if board.is_over:
                raise RuleError(f"the game was over after hand {number - 1}")
            last = _replay_hand(rules, board, last, hand, number)
    with _place():
        if not board.is_over:
            raise RuleError(f"it is not over after hand {board.n_hands}: scores {board.scores}")
        _compare("outcome", game["outcome"], "unfinished" if board.winner is None else "won")
        _compare("winner", game["winner"], board.winner)
        _compare("scores", game["scores"], board.scores)
        _compare("extension_hands", game["extension_hands"], board.extension_hands)


def _replay_hand(
    rules: Rules, board: Scoreboard, last: HandResult | None, hand: dict[str, Any], number: int
) -> HandResult:
    held, boneyard = _read_deal(hand)
    lead = next_lead(rules, last, held)
    if lead.seat is not None:
        _compare("lead", hand["lead"], lead.seat)
    before = list(board.scores)
    board.begin_hand()
    play = Hand(rules, held, boneyard, hand["lead"], lead.tile)
    _replay_events(play, board, hand, number)
    result = play.result()
    board.end_hand(result)
    _compare("end", hand["end"], result.end)
    _compare("dominoed", hand["dominoed"], result.dominoed)
    _compare("left", hand["left"], list(result.left))
    _compare("change", hand["change"], [score - old for score, old in zip(board.scores, before, strict=True)])
    _compare("scores", hand["scores"], board.scores)
    return result


def _read_deal(hand: dict[str, Any]) -> tuple[list[set[int]], list[int]]:
    held = [[parse_tile(text) for text in tiles] for tiles in hand["held"]]
    boneyard = [parse_tile(text) for text in hand["boneyard"]]
    dealt = [tile for tiles in (*held, boneyard) for tile in tiles]
    for position, tile in enumerate(dealt):
        # As many tiles as the set has, and none twice: the whole set.
        if tile in dealt[:position]:
            raise RuleError(f"{format_tile(tile)} is there twice in held and boneyard")
    return [set(tiles) for tiles in held], boneyard


def _replay_events(play: Hand, board: Scoreboard, hand: dict[str, Any], number: int) -> None:
    n_laid = 0
    for index, text in enumerate(hand["events"], 1):
        with _place(number, index):
            event = parse_event(text)
            _replay_event(play, event)
            if event.placement is not None:
                points = board.award(event.seat, play.table.points)
                _compare("count", _figure(hand, "counts", n_laid), play.table.count)
                _compare("points", _figure(hand, "points", n_laid), points)
                n_laid += 1
            if board.winner is not None:
                play.stop()
    for name in ("counts", "points"):
        _compare(f"length of {name}", len(hand[name]), n_laid)


def _replay_event(play: Hand, event: Event) -> None:
    if event.placement is not None:
        play.lay(event.seat, event.placement)
    elif event.drawn is not None:
        play.draw(event.seat, event.drawn)
    else:
        play.pass_turn(event.seat)


def _figure(hand: dict[str, Any], name: str, position: int) -> int:
    if position >= len(hand[name]):
        raise RuleError(f"{name} has {len(hand[name])} figures, and this is placement {position + 1}")
    return int(hand[name][position])


def _compare(name: str, written: object, right: object) -> None:
    if written != right:
        raise RuleError(f"{name} = {shown(written)}, right is {shown(right)}")


@contextmanager
def _place(hand: int | None = None, event: int | None = None) -> Iterator[None]:
    """Give what goes wrong inside its place in the record."""
    try:
        yield
    except RuleError as error:
        raise FaultError(Fault(str(error), hand, event)) from None
