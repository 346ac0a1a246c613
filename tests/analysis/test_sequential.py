"""Deciding early: the verdicts, that it always ends, and what it adds up."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from fiveup_sim.analysis.planning import size_of_block
from fiveup_sim.analysis.sequential import (
    Decision,
    PointComparison,
    Question,
    Verdict,
    WinComparison,
    block_sums,
    decide,
)
from fiveup_sim.analysis.winning import head_to_head, win_rates
from fiveup_sim.rules import Rules
from fiveup_sim.tournament import Results
from tests.analysis.kit import greedy, last, match, nearly_greedy, plain

Blocks = Callable[[int, int], tuple[np.ndarray, np.ndarray]]


def blocks_of(results: Results, measure: str) -> Blocks:
    ahead, weights = block_sums(results.matches[0], results, measure)
    return lambda first, n: (ahead[first : first + n], weights[first : first + n])


def always(ahead: int, weight: int = 2) -> Blocks:
    return lambda _, n: (np.full(n, ahead), np.full(n, weight))


def ask(play: Blocks, difference: float = 0.02, most_blocks: int = 20_000, **options) -> Decision:
    return decide(play, WinComparison(Question(difference)), most_blocks, **options)


def test_the_first_is_better() -> None:
    decision = ask(blocks_of(match(greedy, last, games=1000, keep_games=True), "wins"), most_blocks=500)
    assert decision.verdict is Verdict.FIRST
    assert 0 < decision.look.low < decision.look.best < decision.look.high <= 0.5
    assert decision.look.n_blocks < 500
    assert decision.n_looks == 1


def test_the_second_is_better() -> None:
    results = match(last, greedy, games=1000, keep_games=True)
    assert ask(blocks_of(results, "wins"), most_blocks=500).verdict is Verdict.SECOND
    comparison = PointComparison(Question(0.2), size_of_block(results.rules))
    decision = decide(blocks_of(results, "points"), comparison, 500)
    assert decision.verdict is Verdict.SECOND
    assert decision.look.high < 0


@pytest.mark.parametrize(
    ("play", "verdict"),
    [
        (always(0), Verdict.NO_DIFFERENCE),
        (always(2), Verdict.FIRST),
        (always(-2), Verdict.SECOND),
    ],
)
def test_blocks_that_are_all_alike(play: Blocks, verdict: Verdict) -> None:
    """All ties, all wins; unfinished games are ties."""
    decision = ask(play)
    assert decision.verdict is verdict
    assert decision.look.n_blocks < 1000
    assert decision.look.low < decision.look.high


@pytest.mark.parametrize("ahead", [0, 50, -50])
def test_points_that_are_all_alike(ahead: int) -> None:
    decision = decide(always(ahead, 40), PointComparison(Question(0.05), 30.0), 100_000)
    assert decision.verdict is {0: Verdict.NO_DIFFERENCE, 50: Verdict.FIRST, -50: Verdict.SECOND}[ahead]


def test_undecided_at_the_limit() -> None:
    rng = np.random.default_rng(1)
    decision = ask(lambda _, n: (2 * rng.integers(-1, 2, n), np.full(n, 2)), difference=0.001, most_blocks=300)
    assert decision.verdict is Verdict.UNDECIDED
    assert decision.look.n_blocks == 300
    assert decision.look.low < 0 < decision.look.high
    assert decision.fixed_blocks > 10_000


def test_one_block_is_a_limit_too() -> None:
    decision = ask(always(2), most_blocks=1)
    assert decision.verdict is Verdict.UNDECIDED
    assert decision.look.n_blocks == decision.n_looks == 1


def test_looks_add_up() -> None:
    """One look at all blocks is the last of many."""
    rng = np.random.default_rng(2)
    ahead, hands = rng.integers(-40, 41, 3000), rng.integers(20, 60, 3000)
    question = Question(0.001)
    for comparison_of, ends in (
        (lambda: WinComparison(question), np.sign(ahead) * 2),
        (lambda: PointComparison(question, 30.0), ahead),
    ):
        weights = hands if ends is ahead else np.full(3000, 2)
        whole, parts = comparison_of(), comparison_of()
        look = whole.add(ends, weights)
        for first in range(0, 3000, 300):
            last_look = parts.add(ends[first : first + 300], weights[first : first + 300])
        assert last_look.best == pytest.approx(look.best)
        assert last_look.n_blocks == 3000
        if ends is not ahead:
            assert (last_look.low, last_look.high) == pytest.approx((look.low, look.high), abs=1e-6)


def test_block_sums_are_the_results() -> None:
    results = match(greedy, nearly_greedy, games=1000, keep_games=True)
    wins, games = block_sums(results.matches[0], results, "wins")
    points, hands = block_sums(results.matches[0], results, "points")
    table = head_to_head(results)
    assert 0.5 + wins.sum() / (2 * games.sum()) == pytest.approx(win_rates(results)["best"][0])
    assert points.sum() / hands.sum() == pytest.approx(table["points"][0])
    assert len(wins) == 500
    partners = match(greedy, last, plain, last, seats=4, keep_games=True)
    assert block_sums(partners.matches[0], partners, "wins")[0].mean() > 1


def test_unfinished_games_are_half_won() -> None:
    results = match(plain, last, games=100, keep_games=True, rules=Rules.preset(max_hands=1))
    assert not block_sums(results.matches[0], results, "wins")[0].any()


@pytest.mark.parametrize(
    ("difference", "error", "message"),
    [(0.0, 0.05, "difference = 0.0: allowed more than 0"), (0.1, 0.0, "error = 0.0"), (0.1, 1.0, "error = 1.0")],
)
def test_questions_are_checked(difference: float, error: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Question(difference, error)


@pytest.mark.parametrize("difference", [1e-6, 0.6, 100.0])
def test_odd_questions_end_too(difference: float) -> None:
    rng = np.random.default_rng(3)
    decision = ask(lambda _, n: (2 * rng.integers(-1, 2, n), np.full(n, 2)), difference=difference, most_blocks=1000)
    assert decision.verdict in (Verdict.UNDECIDED, Verdict.NO_DIFFERENCE)
