"""Kernel against referee over the whole family of rules: records, and the choice at every question."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fiveup_sim.engine.draws import below
from fiveup_sim.games.play import Games
from fiveup_sim.referee.events import parse_event
from fiveup_sim.referee.hand import Hand
from fiveup_sim.referee.record import GameRecord
from fiveup_sim.referee.referee import check_record
from fiveup_sim.referee.scoring import HandResult, Scoreboard, next_lead
from fiveup_sim.rules import Rules
from fiveup_sim.rules.presets import PRESETS
from fiveup_sim.rules.tiles import parse_tile
from fiveup_sim.strategy import strategy
from tests.engine.naive import random_rules

pytestmark = pytest.mark.filterwarnings("ignore:.*is not compiled")

Choice = tuple[int, int, int, int, int]
"""A legal placement: tile, pip, kind, count, points."""


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("preset", PRESETS)
def test_presets_pass_the_referee(preset: str, seats: int) -> None:
    rules = Rules.preset(preset, seats=seats).changed(max_hands=60)
    for record in Games(_line_up(rules), rules=rules, seed=11).first(12):
        assert_right(record)


def test_random_rules_pass_the_referee() -> None:
    rng = random.Random(20)
    for _ in range(120):
        play_by(random_rules(rng), seed=rng.getrandbits(32))


@pytest.mark.slow
def test_many_random_rules_pass_the_referee() -> None:
    rng = random.Random(21)
    n_hands = 0
    while n_hands < 100_000:
        n_hands += play_by(random_rules(rng), seed=rng.getrandbits(32))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("preset", PRESETS)
def test_presets_ask_for_the_placements_that_the_referee_allows(preset: str, seats: int) -> None:
    rules = Rules.preset(preset, seats=seats).changed(max_hands=10)
    assert compare_questions(rules, seed=5, n_games=2) > 0


def test_arms_beside_free_line_sides_are_asked_for() -> None:
    rules = Rules.preset(tiles_each=9, spinners="all", arms_after_line=False, max_hands=10)
    assert compare_questions(rules, seed=6, n_games=10) > 200


def test_random_rules_ask_for_the_placements_that_the_referee_allows() -> None:
    rng = random.Random(22)
    assert sum(compare_questions(random_rules(rng), seed=rng.getrandbits(32)) for _ in range(100)) > 1000


@pytest.mark.slow
def test_many_random_rules_ask_for_the_placements_that_the_referee_allows() -> None:
    rng = random.Random(23)
    assert sum(compare_questions(random_rules(rng), seed=rng.getrandbits(32)) for _ in range(5000)) > 100_000


def play_by(rules: Rules, seed: int) -> int:
    """Play a block under `rules`, check every game, and return the number of hands."""
    games = Games(_line_up(rules), rules=rules, seed=seed)
    n_hands = 0
    for record in games.first(games.line_up.n_rotations):
        assert_right(record)
        n_hands += len(record.data["hands"])
    return n_hands


def assert_right(record: GameRecord) -> None:
    """Fail with the fault and the rules if the referee finds one."""
    fault = check_record(record)
    assert fault is None, f"{fault}\n{record.data['rules']}\n{record.to_json()}"


def compare_questions(rules: Rules, seed: int, n_games: int = 1) -> int:
    """Play games by chance and compare each list of legal placements; returns the number of questions.

    The kernel asks where there are two placements or more, and nowhere else.
    """
    n_questions = 0
    for game in range(n_games):
        asked: list[list[Choice]] = []
        player = strategy(_recorder(asked), name="recorder", jit=False)
        record = Games([player] * rules.seats, rules=rules, seed=seed).record(game, 0)
        assert_right(record)
        expected = [choices for choices in allowed(record) if len(choices) > 1]
        # a game is played twice to be recorded; the second time is the one that is kept
        assert asked[len(asked) - len(expected) :] == expected, f"{rules}\n{record.to_json()}"
        n_questions += len(expected)
    return n_questions


def allowed(record: GameRecord) -> Iterator[list[Choice]]:
    """The placements that the referee allows before each placement of a record, in the order of the rules."""
    rules = Rules.from_dict(record.data["rules"])
    board, last = Scoreboard(rules), None
    for hand in record.data["hands"]:
        held = [{parse_tile(text) for text in tiles} for tiles in hand["held"]]
        boneyard = [parse_tile(text) for text in hand["boneyard"]]
        board.begin_hand()
        play = Hand(rules, held, boneyard, hand["lead"], next_lead(rules, last, held).tile)
        yield from _replay(play, board, hand["events"])
        last = _finish(play, board)


def _replay(play: Hand, board: Scoreboard, events: list[str]) -> Iterator[list[Choice]]:
    for text in events:
        event = parse_event(text)
        if event.placement is not None:
            yield [
                (each.tile, each.pip, each.kind, each.count, _worth(board, event.seat, each.points))
                for each in play.options()
            ]
            play.lay(event.seat, event.placement)
            board.award(event.seat, play.table.points)
            if board.winner is not None:
                play.stop()
        elif event.drawn is not None:
            play.draw(event.seat, event.drawn)
        else:
            play.pass_turn(event.seat)


def _finish(play: Hand, board: Scoreboard) -> HandResult:
    result = play.result()
    board.end_hand(result)
    return result


def _worth(board: Scoreboard, seat: int, points: int) -> int:
    """What an award would really give now."""
    return copy.deepcopy(board).award(seat, points)


def _recorder(asked: list[list[Choice]]) -> Callable[[Any], int]:
    def recorder(view: Any) -> int:
        legal = [view.legal[i] for i in range(view.n_legal)]
        asked.append([(each.tile, each.pip, each.kind, each.count, each.points) for each in legal])
        return below(view, view.n_legal)

    return recorder


def _line_up(rules: Rules) -> list[str]:
    return ["random", "greedy", "first", "heavy"][: rules.seats]
