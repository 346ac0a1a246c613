"""The kernel against slow twins, against an independent program's figures, and against itself in other orders."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import numpy as np
import pytest

from fiveup_sim import Rules, find_strategy, play_match
from fiveup_sim.analysis.summary import summary
from fiveup_sim.engine.blocks import Seats, play_blocks, play_traced
from fiveup_sim.engine.tallies import N_GROUPS, TALLY, unpack_law
from fiveup_sim.games.play import Games
from fiveup_sim.strategy.callback import Callback
from fiveup_sim.tournament.lineup import make_line_up
from fiveup_sim.tournament.tasks import take_seats
from tests.engine.tally_twin import law_of, tallies_of


def seats_of(names: list[str], rules: Rules) -> Seats:
    line_up = make_line_up(names, rules)
    return take_seats([find_strategy(name) for name in line_up.names], line_up.seating_array)


RULE_SETS = [
    pytest.param(["greedy", "random"], Rules.preset(), id="2"),
    pytest.param(["greedy", "random", "heavy"], Rules.preset(seats=3), id="3"),
    pytest.param(["greedy", "random"], Rules.preset(seats=4), id="4 in partnerships"),
    pytest.param(["greedy", "random", "first", "heavy"], Rules.preset(seats=4, partnership=False), id="4 alone"),
    pytest.param(["random", "random"], Rules.preset(target=20, max_hands=12), id="unfinished"),
    pytest.param(["random", "heavy"], Rules.preset(target=2, extension_needs_target=True), id="extensions"),
    pytest.param(["greedy", "random"], Rules.preset("all_fives"), id="all_fives"),
    pytest.param(["greedy", "random", "heavy"], Rules.preset("fives_and_threes", seats=3), id="fives_and_threes"),
    pytest.param(["heavy", "random"], Rules.preset("block"), id="block"),
]


@pytest.mark.parametrize(("names", "rules"), RULE_SETS)
def test_tallies_are_those_of_the_recorded_games(names: list[str], rules: Rules) -> None:
    games, n_blocks = Games(names, rules=rules, seed=5), 3
    n_rotations = games.line_up.n_rotations
    records = [record.data for record in games.first(n_blocks * n_rotations)]
    result = play_blocks(seats_of(names, rules), rules, seed=5, first_block=0, n_blocks=n_blocks, keep_games=True)
    expected = tallies_of(records, rules, n_rotations)
    for name in TALLY.names:
        assert np.array_equal(result.tallies[name], expected[name]), name
    for row, record in zip(result.games, records, strict=True):
        assert (row["block"], row["rotation"]) == (record["block"], record["rotation"])
        assert row["hands"] == len(record["hands"])
        assert row["scores"][: rules.n_sides].tolist() == record["scores"]
        assert row["first_change"][: rules.n_sides].tolist() == record["hands"][0]["change"]
        assert row["winner"] == (-1 if record["winner"] is None else record["winner"])
        assert row["extension_hands"] == record["extension_hands"]
        assert row["first_lead"] == record["hands"][0]["lead"]


def test_the_law_counts_every_hand() -> None:
    rules = Rules.preset(target=30)
    games = Games(["greedy", "heavy"], rules=rules, seed=2)
    records = [record.data for record in games.first(20)]
    result = play_blocks(seats_of(["greedy", "heavy"], rules), rules, seed=2, first_block=0, n_blocks=10)
    law = result.law
    parts = unpack_law(law["key"])
    columns = [law["rotation"], law["group"], parts["lead"], parts["next"], parts["change0"], parts["change1"]]
    keys = zip(*(column.tolist() for column in columns), strict=True)
    assert Counter(dict(zip(keys, law["count"].tolist(), strict=True))) == law_of(records, rules)


def test_blocks_in_any_order_and_portion_give_the_same_integers() -> None:
    rules = Rules.preset(seats=3)
    seats = seats_of(["greedy", "random", "heavy"], rules)
    whole = play_blocks(seats, rules, seed=9, first_block=4, n_blocks=150).tallies
    pieces = [(100, 54), (4, 1), (5, 95)]
    parts = [play_blocks(seats, rules, seed=9, first_block=first, n_blocks=n).tallies for first, n in pieces]
    for name in TALLY.names:
        assert np.array_equal(whole[name], sum(part[name] for part in parts)), name
    assert whole["games"].sum() == 150 * 6
    assert whole["games"][0].tolist() == [1 + (4 <= group < 26) for group in range(N_GROUPS)]


def test_a_game_does_not_depend_on_what_was_played_before() -> None:
    rules = Rules.preset("all_fives", seats=4)
    seats = seats_of(["greedy", "random", "heavy", "first"], rules)
    alone, hands = play_traced(seats, rules, seed=3, block=17, rotation=2)
    among = play_blocks(seats, rules, seed=3, first_block=10, n_blocks=10, keep_games=True).games
    assert among[7 * 4 + 2] == alone
    again, same = play_traced(seats, rules, seed=3, block=17, rotation=2)
    assert again == alone and hands.tobytes() == same.tobytes()


def test_seatings_of_a_block_share_deals_and_lots_unless_they_are_fresh() -> None:
    rules = Rules.preset()
    seats = seats_of(["greedy", "random"], rules)

    def opening(rotation: int, paired: bool, rules: Rules = rules) -> tuple:
        _, hands = play_traced(seats, rules, seed=1, block=0, rotation=rotation, paired=paired)
        return hands[0]["lead"], hands[0]["deck"].tobytes(), hands[1]["deck"].tobytes()

    assert opening(0, True) == opening(1, True) == opening(1, True, Rules.preset(spinners="first", target=100))
    assert len({opening(rotation, False)[1:] for rotation in (0, 1)} | {opening(0, True)[1:]}) == 3


# figures of an independent program, and by how much their last digit may be off
INDEPENDENT = {
    ("random", "random"): {
        "hands_per_game": (57.4, 0.1),
        "placements_per_hand": (12.86, 0.01),
        "draws_per_hand": (5.22, 0.01),
        "blocked_share": (0.022, 0.0006),
        "points_per_placement": (0.3427, 0.0003),
    },
    ("random", "random", "random"): {"hands_per_game": (130.2, 0.3)},
    ("random", "random", "random", "random"): {"hands_per_game": (72.5, 0.1)},
}


@pytest.mark.parametrize("names", INDEPENDENT, ids=len)
def test_measures_of_random_play_are_those_of_an_independent_program(names: tuple[str, ...]) -> None:
    results = play_match(list(names), games=15_000, seed=1, progress=False)
    measures = summary(results)["metrics"]
    for name, (expected, last_digit) in INDEPENDENT[names].items():
        measure = measures[name]
        # three times the half width of a 95 % interval, and the rounding of the figure
        slack = 1.5 * (measure["high"] - measure["low"]) + last_digit
        assert abs(measure["best"] - expected) < slack, (name, measure)


@pytest.mark.parametrize(
    ("names", "seats", "expected"),
    [
        (["greedy", "random"], 2, 0.972),
        (["greedy", "random"], 4, 0.998),
        (["careful", "greedy"], 2, 0.705),
        (["careful", "greedy"], 4, 0.747),
    ],
)
def test_win_rates_are_those_of_an_independent_program(names: list[str], seats: int, expected: float) -> None:
    n_games = 20_000
    results = play_match(names, rules=Rules.preset(seats=seats), games=n_games, seed=4, progress=False)
    rate = summary(results)["strategies"][names[0]]["win_rate"]["best"]
    assert abs(rate - expected) < 4 * sqrt(expected * (1 - expected) / n_games) + 0.0006


def test_a_strategy_that_scribbles_on_its_view_remembers_nothing() -> None:
    """Every byte of a view that a strategy can reach is set anew before the next game."""
    seen: list[np.ndarray] = []

    def scribble(view) -> int:
        whole = np.frombuffer(view, np.uint8)
        seen.append(whole.copy())
        n_legal = view.n_legal
        whole[:] = 0x5A
        return n_legal - 1

    rules = Rules.preset(seats=3, max_hands=1)  # with three sides blocks are played in their order
    seats = Seats([Callback("scribble", scribble)], np.zeros((1, 16)), np.zeros((1, 3), int))
    play_blocks(seats, rules, seed=1, first_block=40, n_blocks=1)
    alone, seen[:] = np.array(seen), []
    play_blocks(seats, rules, seed=1, first_block=38, n_blocks=3)
    assert len(alone) > 3 and np.array_equal(alone, np.array(seen)[-len(alone) :])
