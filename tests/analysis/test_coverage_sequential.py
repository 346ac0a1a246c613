"""Whether the confidence sequences hold at every look at once, and how often a comparison answers wrongly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from fiveup_sim.analysis.sequential import Look, PointComparison, Question, Verdict, WinComparison, decide
from tests.analysis.kit import assert_covers

Source = Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]
LOOKS = np.unique(np.geomspace(20, 4000, 40).astype(int))


def wins_of(rate: float) -> Source:
    """Two independent games a block."""
    return lambda rng, n: (2 * rng.binomial(2, rate, n) - 2, np.full(n, 2))


def nearly_level(apart: float, up: float = 0.5) -> Source:
    return lambda rng, n: (
        np.where(rng.random(n) < apart, np.where(rng.random(n) < up, 2, -2), 0),
        np.full(n, 2),
    )


def points(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    hands = rng.poisson(40, n) + 8
    return np.round(5 * np.sqrt(hands) * rng.standard_t(5, n)).astype(int), hands


def rare_points(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    hands = rng.poisson(40, n) + 8
    return np.where(rng.random(n) < 0.02, rng.integers(-60, 61, n), 0), hands


@dataclass
class NormalLooks:
    """The broken way: a plain 95 % interval at every look."""

    ahead: np.ndarray

    def add(self, ahead: np.ndarray, games: np.ndarray) -> Look:
        self.ahead = np.concatenate([self.ahead, ahead / (2 * games)])
        half = 1.96 * self.ahead.std(ddof=1) / np.sqrt(len(self.ahead))
        best = self.ahead.mean()
        return Look(len(self.ahead), best - half, best, best + half, 0.0, None)


def holds_throughout(comparison, source: Source, truth: float, rng: np.random.Generator, looks=LOOKS) -> bool:
    """Whether the truth is inside at every look."""
    return all(
        look.low <= truth <= look.high
        for n in np.diff(looks, prepend=0)
        for look in [comparison.add(*source(rng, int(n)))]
    )


@pytest.mark.parametrize(
    ("source", "truth"),
    [
        (wins_of(0.5), 0.0),
        (wins_of(0.52), 0.02),
        (wins_of(0.97), 0.47),
        (nearly_level(0.01), 0.0),
        (nearly_level(0.003, 1.0), 0.0015),
    ],
    ids=["equal", "better", "far better", "nearly level", "all one way"],
)
def test_wins_at_every_look(source: Source, truth: float) -> None:
    rng = np.random.default_rng(1)
    hits = [holds_throughout(WinComparison(Question(0.02)), source, truth, rng, LOOKS[::6]) for _ in range(200)]
    assert_covers(np.array(hits), 0.95)


@pytest.mark.parametrize("source", [points, rare_points])
def test_points_at_every_look(source: Source) -> None:
    rng = np.random.default_rng(2)
    hits = [holds_throughout(PointComparison(Question(0.1), 30.0), source, 0.0, rng) for _ in range(1000)]
    assert_covers(np.array(hits), 0.95)


def test_plain_intervals_at_every_look_fail() -> None:
    rng = np.random.default_rng(3)
    hits = [holds_throughout(NormalLooks(np.empty(0)), wins_of(0.5), 0.0, rng) for _ in range(300)]
    with pytest.raises(AssertionError, match=r"not 0\.95 to 1"):
        assert_covers(np.array(hits), 0.95)
    assert np.mean(hits) < 0.85


def verdicts(source: Source, difference: float, n_runs: int, most_blocks: int) -> tuple[Counter, float, float]:
    """Verdicts of many comparisons, and the mean of blocks used and of blocks a fixed plan needs."""
    rng = np.random.default_rng(4)
    comparisons = [WinComparison(Question(difference)) for _ in range(n_runs)]
    decisions = [decide(lambda _, n: source(rng, n), comparison, most_blocks) for comparison in comparisons]
    used = np.mean([decision.look.n_blocks for decision in decisions])
    return Counter(one.verdict for one in decisions), float(used), float(np.mean([d.fixed_blocks for d in decisions]))


def check_false_decisions(n_runs: int) -> None:
    found, _, _ = verdicts(wins_of(0.5), 0.05, n_runs, 20_000)
    assert found[Verdict.UNDECIDED] == 0
    assert_covers(np.arange(n_runs) < found[Verdict.NO_DIFFERENCE], 0.95)


def test_false_decisions() -> None:
    check_false_decisions(150)


@pytest.mark.slow
def test_false_decisions_over_thousands() -> None:
    check_false_decisions(3000)


def test_it_is_quicker_than_a_fixed_plan_where_more_is_there_than_asked() -> None:
    found, used, fixed = verdicts(wins_of(0.6), 0.05, 60, 20_000)
    assert found == {Verdict.FIRST: 60}
    assert used < 0.6 * fixed
