"""Planning: how many games a question needs."""

from __future__ import annotations

import numpy as np
import pytest

from fiveup_sim.analysis.planning import blocks_for_power, blocks_for_width, games_needed, signs
from fiveup_sim.analysis.scores import points_per_hand
from fiveup_sim.analysis.winning import win_rates
from fiveup_sim.rules import Rules
from fiveup_sim.strategy import strategy
from tests.analysis.kit import greedy, last, made_match, made_results, match, nearly_greedy, plain


def test_a_plan_is_kept() -> None:
    pilot = match(greedy, nearly_greedy, games=1000)
    plan = games_needed(pilot, half_width=0.02).set_index("measure")
    games = int(plan.loc["win_rate", "best"])
    table = win_rates(match(greedy, nearly_greedy, games=games, seed=2))
    assert (table["high"] - table["low"])[0] / 2 == pytest.approx(0.02, rel=0.15)
    assert (plan["low"] < plan["best"]).all()
    assert (plan["best"] < plan["high"]).all()
    assert (plan["n"] == 1000).all()


def test_a_plan_for_points_is_kept() -> None:
    pilot = match(greedy, nearly_greedy, games=1000)
    games = int(games_needed(pilot, half_width=0.1).set_index("measure").loc["points_per_hand", "best"])
    table = points_per_hand(match(greedy, nearly_greedy, games=games, seed=2)).set_index(["measure", "strategy"])
    row = table.loc[("ahead", "greedy")]
    assert (row["high"] - row["low"]) / 2 == pytest.approx(0.1, rel=0.15)


def test_power_of_a_fixed_plan() -> None:
    rng = np.random.default_rng(1)
    n = blocks_for_power(0.35, 0.02)
    means = 0.02 + 0.35 / np.sqrt(n) * rng.normal(size=20_000)
    assert np.mean(np.abs(means) > 1.96 * 0.35 / np.sqrt(n)) == pytest.approx(0.8, abs=0.01)
    assert blocks_for_width(0.35, 0.01) == 4706
    assert blocks_for_width(0.0, 0.01) == 1


def test_a_level_pilot_still_needs_games() -> None:
    plan = games_needed(match(last, strategy(name="twin")(last.function), games=100), half_width=0.01)
    assert (plan["best"] > 10).all()


def test_the_first_side_is_followed_round_the_table() -> None:
    results = match(greedy, last, plain, last, seats=4)
    assert signs(results.matches[0], results).tolist() == [1, -1, 1, -1]
    assert signs(match(last, last).matches[0], match(last, last)).tolist() == [1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "one of them, above 0, is needed"),
        ({"half_width": 0.1, "difference": 0.1}, "one of them, above 0, is needed"),
        ({"half_width": 0.0}, "one of them, above 0, is needed"),
    ],
)
def test_what_is_asked_must_be_clear(options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        games_needed(match(greedy, last), **options)


def test_plans_need_two_sides_and_two_blocks() -> None:
    with pytest.raises(ValueError, match="for two sides only"):
        games_needed(match(greedy, last, plain, seats=3, games=120), half_width=0.1)
    rules = Rules.preset()
    with pytest.raises(ValueError, match="a pilot of at least 2 blocks"):
        games_needed(made_results([made_match(["a", "b"], rules)], rules), half_width=0.1)
