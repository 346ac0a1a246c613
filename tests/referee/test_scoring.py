"""Awards, rests, settlement, leads and the end of a game, against figures worked out by hand."""

from __future__ import annotations

import random
from typing import Any

import pytest

from fiveup_sim.referee.scoring import (
    HandResult,
    Lead,
    Scoreboard,
    award,
    hand_winner,
    next_lead,
    rest_points,
    settlement,
)
from fiveup_sim.rules import Rules
from fiveup_sim.rules.tiles import parse_tile
from tests.engine.naive import play_naive_game


def ended(left: list[int], dominoed: int | None = None, n_held: list[int] | None = None, leader: int = 0) -> HandResult:
    end = "blocked" if dominoed is None else "dominoed"
    return HandResult(end, leader, dominoed, tuple(left), tuple(n_held or [1] * len(left)))


def winner_rules(**changes: Any) -> Rules:
    given: dict[str, Any] = {"settlement": "winner", "point_unit": 1, "blocked_winner": "fewest_pips"}
    return Rules(**(given | changes))


@pytest.mark.parametrize(
    ("changes", "points"),
    [
        ({}, {0: 0, 3: 0, 5: 1, 10: 2, 12: 0, 15: 3, 115: 23}),
        ({"point_unit": 1}, {0: 0, 5: 5, 12: 0, 15: 15}),
        ({"scoring_multiples": (3, 5)}, {0: 0, 3: 1, 5: 1, 6: 2, 7: 0, 10: 2, 12: 4, 15: 8, 20: 4, 30: 16}),
        ({"scoring_multiples": (3, 5), "point_unit": 1}, {15: 8}),
        ({"scoring_multiples": (), "settlement": "winner"}, {0: 0, 5: 0, 15: 0}),
    ],
)
def test_award(changes: dict[str, Any], points: dict[int, int]) -> None:
    rules = Rules(**changes)
    assert {count: award(rules, count) for count in points} == points


@pytest.mark.parametrize(
    ("changes", "points"),
    [
        ({}, [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3]),
        ({"rounding": "up"}, [0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3]),
        ({"rounding": "down"}, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2]),
        ({"rounding": "none", "point_unit": 1}, list(range(15))),
        ({"rounding": "up", "point_unit": 1}, [0, *[5] * 5, *[10] * 5, *[15] * 4]),
        ({"rounding": "down", "point_unit": 1}, [*[0] * 5, *[5] * 5, *[10] * 5]),
        ({"point_unit": 1}, [0, 0, 0, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 15, 15]),
    ],
)
def test_rest_points(changes: dict[str, Any], points: list[int]) -> None:
    assert [rest_points(Rules(**changes), pips) for pips in range(15)] == points


PARTNERS: dict[str, Any] = {"seats": 4, "partnership": True}


@pytest.mark.parametrize(
    ("rules", "result", "gains"),
    [
        (Rules(), ended([0, 12], 0), [0, -2]),
        (Rules(), ended([13, 12]), [-3, -2]),
        (Rules(blocked_settlement=False), ended([13, 12]), [0, 0]),
        (Rules(seats=3), ended([3, 2, 0], 2), [-1, 0, 0]),
        (Rules(**PARTNERS), ended([3, 0, 3, 9], 1), [-2, -2]),
        (Rules(**PARTNERS, rounding_pooled=True), ended([3, 0, 3, 9], 1), [-1, -2]),
        (Rules(settlement="none"), ended([3, 0], 1), [0, 0]),
        (winner_rules(), ended([0, 13], 0), [15, 0]),
        (winner_rules(seats=3), ended([0, 13, 12], 0), [25, 0, 0]),
        (winner_rules(seats=3), ended([3, 13, 12]), [25, 0, 0]),
        (winner_rules(seats=3, rounding_pooled=True), ended([0, 12, 12], 0), [25, 0, 0]),
        (winner_rules(seats=3, point_unit=5), ended([0, 12, 12], 0), [4, 0, 0]),
        (winner_rules(blocked_winner="none"), ended([3, 13]), [0, 0]),
        (winner_rules(), ended([7, 7]), [0, 0]),
        (winner_rules(blocked_settlement=False), ended([3, 13]), [0, 0]),
        (winner_rules(**PARTNERS), ended([0, 13, 40, 12], 0), [25, 0]),
        (winner_rules(settlement="winner_net"), ended([8, 13]), [5, 0]),
        (winner_rules(settlement="winner_net", rounding="none"), ended([8, 13]), [5, 0]),
        (winner_rules(settlement="winner_net"), ended([7, 8]), [5, 0]),
        (winner_rules(settlement="winner_net", rounding_pooled=True), ended([7, 8]), [0, 0]),
        (winner_rules(settlement="winner_net", **PARTNERS), ended([0, 13, 40, 12], 0), [0, 0]),
        (winner_rules(settlement="winner_net", rounding_pooled=True, **PARTNERS), ended([0, 1, 40, 2], 0), [0, 0]),
        (
            winner_rules(settlement="winner_net", rounding_pooled=True, rounding="up", **PARTNERS),
            ended([0, 1, 40, 2], 0),
            [0, 0],
        ),
        (winner_rules(settlement="winner_net", rounding="none", **PARTNERS), ended([0, 13, 4, 12], 0), [21, 0]),
    ],
)
def test_settlement(rules: Rules, result: HandResult, gains: list[int]) -> None:
    assert settlement(rules, result) == gains


@pytest.mark.parametrize(
    ("rules", "result", "winner"),
    [
        (Rules(), ended([3, 13]), None),
        (Rules(**PARTNERS), ended([3, 13, 1, 0], 3), 1),
        (winner_rules(), ended([3, 13]), 0),
        (winner_rules(), ended([3, 3], n_held=[1, 2]), None),
        (winner_rules(blocked_tie="fewest_tiles"), ended([3, 3], n_held=[2, 1]), 1),
        (winner_rules(blocked_tie="fewest_tiles"), ended([3, 3], n_held=[2, 2]), None),
        (winner_rules(seats=3, blocked_tie="fewest_tiles"), ended([3, 9, 3], n_held=[2, 1, 2]), None),
        (winner_rules(seats=3, blocked_tie="fewest_tiles"), ended([3, 9, 3], n_held=[3, 1, 2]), 2),
        (winner_rules(**PARTNERS), ended([9, 2, 1, 7]), 1),
        (winner_rules(**PARTNERS, blocked_tie="fewest_tiles"), ended([8, 2, 1, 7], n_held=[1, 2, 1, 1]), 0),
    ],
)
def test_hand_winner(rules: Rules, result: HandResult, winner: int | None) -> None:
    assert hand_winner(rules, result) == winner


HELD = [{parse_tile("3-3"), parse_tile("6-5")}, {parse_tile("4-4"), parse_tile("6-4")}]
SINGLES = [{parse_tile("6-4"), parse_tile("1-0")}, {parse_tile("6-5"), parse_tile("5-4")}]


@pytest.mark.parametrize(
    ("rules", "last", "lead"),
    [
        (Rules(), None, Lead(None, None)),
        (Rules(), ended([4, 0], 1), Lead(1, None)),
        (Rules(), ended([4, 3]), Lead(None, None)),
        (Rules(next_lead="rotate"), ended([4, 0], 1, leader=1), Lead(0, None)),
        (Rules(next_lead="lot"), ended([4, 0], 1), Lead(None, None)),
        (Rules(next_lead="highest_double"), ended([4, 0], 1), Lead(1, parse_tile("4-4"))),
        (Rules(next_lead="highest_double"), ended([4, 1]), Lead(None, None)),
        (Rules(first_lead="highest_double"), None, Lead(1, parse_tile("4-4"))),
        (Rules(first_lead="highest_double"), ended([4, 0], 1), Lead(1, None)),
        (Rules(blocked_lead="highest_double"), ended([4, 1]), Lead(1, parse_tile("4-4"))),
        (Rules(blocked_lead="rotate"), ended([4, 1]), Lead(1, None)),
        (Rules(blocked_lead="same"), ended([4, 1]), Lead(0, None)),
        (Rules(blocked_lead="hand_winner"), ended([4, 1]), Lead(None, None)),
        (Rules(seats=3, next_lead="rotate"), ended([4, 0, 4], 1, leader=1), Lead(2, None)),
        (Rules(seats=3, next_lead="rotate"), ended([4, 0, 4], 1, leader=2), Lead(0, None)),
        (Rules(seats=3, blocked_lead="rotate"), ended([4, 1, 4], leader=0), Lead(1, None)),
        (winner_rules(blocked_lead="hand_winner"), ended([4, 1]), Lead(1, None)),
        (winner_rules(blocked_lead="hand_winner"), ended([4, 4]), Lead(None, None)),
    ],
)
def test_next_lead(rules: Rules, last: HandResult | None, lead: Lead) -> None:
    assert next_lead(rules, last, HELD) == lead


def test_without_doubles_the_heaviest_tile_leads() -> None:
    rules = Rules(first_lead="highest_double")
    assert next_lead(rules, None, SINGLES) == Lead(1, parse_tile("6-5"))
    # 6-3 and 5-4 have nine pips both: the higher half decides.
    equal = [{parse_tile("5-4"), parse_tile("1-0")}, {parse_tile("6-3"), parse_tile("2-0")}]
    assert next_lead(rules, None, equal) == Lead(1, parse_tile("6-3"))


@pytest.mark.parametrize(
    ("leader", "left", "seat"),
    [(0, [2, 9, 2, 9], 2), (2, [2, 9, 2, 9], 0), (0, [2, 9, 3, 9], 0), (0, [9, 2, 9, 2], 1), (2, [9, 2, 9, 2], 3)],
)
def test_the_winning_side_leads_with_fewest_pips(leader: int, left: list[int], seat: int) -> None:
    rules = winner_rules(**PARTNERS, blocked_lead="hand_winner")
    assert next_lead(rules, ended(left, leader=leader), HELD) == Lead(seat, None)


def board(scores: list[int], **changes: Any) -> Scoreboard:
    """A game with these scores, in its second hand."""
    rules = Rules(**({"target": 61} | changes))
    found = Scoreboard(rules)
    found.scores = list(scores)
    found.begin_hand()
    return found


def test_small_awards_are_void_until_a_side_is_in() -> None:
    game = board([0, 0], min_first_score=2)
    assert [game.award(0, 1), game.award(0, 2), game.award(0, 1), game.award(1, 1)] == [0, 2, 1, 0]
    assert game.scores == [3, 0]


def test_partners_are_in_together() -> None:
    game = board([0, 0], seats=4, min_first_score=2)
    assert [game.award(0, 2), game.award(2, 1), game.award(1, 1)] == [2, 1, 0]


def test_settlement_needs_no_first_score() -> None:
    game = board([0, 0], min_first_score=2, settlement="winner")
    game.end_hand(ended([0, 5], 0))
    assert game.scores == [1, 0]
    assert game.award(0, 1) == 0


def test_exact_target() -> None:
    game = board([59, 0], exact_target=True)
    assert [game.award(0, 3), game.award(0, 2), game.award(0, 1)] == [0, 2, 0]
    game = board([59, 0], exact_target=True, settlement="winner")
    game.end_hand(ended([0, 15], 0))
    assert (game.scores, game.winner) == ([59, 0], None)
    game.end_hand(ended([0, 10], 0))
    assert (game.scores, game.winner) == ([61, 0], 0)


def test_a_void_award_lets_nobody_in() -> None:
    game = board([60, 0], exact_target=True, min_first_score=2)
    assert [game.award(0, 2), game.award(0, 1)] == [0, 0]


def test_target_after_the_settlement() -> None:
    game = board([60, 0])
    game.award(0, 2)
    assert game.winner is None
    game.end_hand(ended([10, 0], 1))
    assert (game.scores, game.winner) == ([60, 0], None)


def test_target_at_once() -> None:
    game = board([60, 0], target_check="at_once")
    assert (game.award(0, 1), game.winner, game.is_over) == (1, 0, True)
    game = board([60, 61], target_check="at_once")
    assert (game.award(0, 1), game.winner) == (1, None)  # reached, and not alone
    assert (game.award(0, 1), game.winner) == (1, 0)


def test_at_once_is_not_asked_in_an_extension() -> None:
    game = board([61, 61], target_check="at_once", settlement="none")
    game.end_hand(ended([0, 0], 0))
    game.begin_hand()
    game.award(0, 1)
    assert (game.in_extension, game.winner) == (True, None)
    game.end_hand(ended([0, 0], 0))
    assert game.winner == 0
    game = board([61, 61], target_check="at_once", settlement="none", extension_needs_target=True)
    game.end_hand(ended([0, 0], 0))
    game.begin_hand()
    game.award(0, 1)
    assert game.winner == 0


def test_tie_at_the_target_goes_on_until_one_is_alone() -> None:
    game = board([62, 62])
    game.end_hand(ended([5, 5]))
    assert (game.scores, game.in_extension, game.winner) == ([61, 61], True, None)
    game.begin_hand()
    game.end_hand(ended([10, 10]))
    game.begin_hand()
    game.end_hand(ended([0, 10], 0))
    # Below the target by now, and the target is not asked again.
    assert (game.scores, game.winner, game.extension_hands) == ([59, 57], 0, 2)


def test_extension_that_asks_for_the_target() -> None:
    game = board([62, 62], extension_needs_target=True)
    game.end_hand(ended([5, 5]))
    game.begin_hand()
    game.end_hand(ended([5, 10]))
    assert (game.scores, game.winner) == ([60, 59], None)
    game.begin_hand()
    game.award(0, 2)
    game.end_hand(ended([0, 0], 0))
    assert (game.scores, game.winner, game.extension_hands) == ([62, 59], 0, 2)


def test_unfinished() -> None:
    game = board([3, 0], max_hands=1)
    game.end_hand(ended([0, 0], 0))
    assert (game.is_over, game.winner) == (True, None)


def test_a_stopped_hand_is_not_settled() -> None:
    game = board([60, 0], target_check="at_once")
    game.award(0, 1)
    game.end_hand(HandResult("stopped", 0, None, (20, 10), (2, 2)))
    assert game.scores == [61, 0]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_lots_fall_on_every_seat(seats: int) -> None:
    rng = random.Random(seats)
    rules = Rules(seats=seats, next_lead="lot", tiles_each=1, max_hands=600, target=10_000)
    leads = [hand["lead"] for hand in play_naive_game(rules, rng).data["hands"]]
    share = 600 / seats
    assert all(abs(leads.count(seat) - share) < 4 * (share * (1 - 1 / seats)) ** 0.5 for seat in range(seats))
