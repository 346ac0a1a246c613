"""Whether intervals hold the truth as often as they say, on streams of blocks whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest

from fiveup_sim.analysis.groups import Sums
from fiveup_sim.analysis.intervals import Estimates, Spread, contrast, count, difference, mean, share
from tests.analysis.kit import assert_covers, sums

N_STREAMS = 3000


def hits(estimate: Estimates, truth: float) -> np.ndarray:
    return (estimate.low <= truth) & (truth <= estimate.high)


def paired_games(win_rate: float, n_blocks: int, alike: float = 8.0) -> Sums:
    """Blocks of two games whose chances to win vary together (the smaller `alike`, the more)."""
    rng = np.random.default_rng(n_blocks)
    luck = rng.beta(win_rate * alike, (1 - win_rate) * alike, (N_STREAMS, n_blocks))
    won = rng.binomial(2, luck)
    return sums(won, np.full_like(won, 2))


def single_games(figures: Sums) -> Estimates:
    """The broken way: every game for itself, as if no two were dealt the same tiles."""
    n = figures.den.sum(-1)
    rate = figures.num.sum(-1) / n
    half = 1.96 * np.sqrt(rate * (1 - rate) / n)
    return Estimates(rate - half, rate, rate + half, n)


@pytest.mark.parametrize(("win_rate", "n_blocks"), [(0.5, 128), (0.7, 300), (0.9, 1000), (0.5, 700), (0.97, 2000)])
def test_shares_in_the_interior(win_rate: float, n_blocks: int) -> None:
    assert_covers(hits(share(paired_games(win_rate, n_blocks)), win_rate), 0.94, 0.96)


@pytest.mark.parametrize("win_rate", [0.0005, 0.01, 0.05, 0.5, 0.95, 0.998])
@pytest.mark.parametrize("n_blocks", [1, 2, 3, 5, 12, 40, 128, 400])
def test_shares_at_the_edges(win_rate: float, n_blocks: int) -> None:
    assert_covers(hits(share(paired_games(win_rate, n_blocks)), win_rate), 0.94)


@pytest.mark.parametrize("win_rate", [0.5, 0.9])
def test_a_broken_estimator_fails(win_rate: float) -> None:
    with pytest.raises(AssertionError, match=r"not 0\.94 to 0\.96"):
        assert_covers(hits(single_games(paired_games(win_rate, 300, alike=2.0)), win_rate), 0.94, 0.96)


@pytest.mark.parametrize(
    ("apart", "up"), [(0.0, 0.5), (0.001, 0.5), (0.001, 1.0), (0.01, 0.9), (0.05, 0.5), (0.3, 0.6)]
)
@pytest.mark.parametrize("n_blocks", [3, 20, 128, 1000, 3000])
def test_blocks_that_hardly_ever_differ(apart: float, up: float, n_blocks: int) -> None:
    """Two strategies that are nearly the same: most blocks are level, a few go all one way."""
    rng = np.random.default_rng(n_blocks)
    shape = (600, n_blocks)
    ahead = np.where(rng.random(shape) < apart, np.where(rng.random(shape) < up, 2, -2), 0)
    games, truth = np.full(shape, 2), apart * (2 * up - 1)
    assert_covers(hits(difference(sums(ahead, games)), truth), 0.94)
    assert_covers(hits(share(sums(ahead // 2 + 1, games)), 0.5 + truth / 2), 0.94)
    points = ahead * rng.poisson(10, shape)
    assert_covers(hits(mean(sums(points, 20 * games), size=10.0), truth / 2), 0.94)


@pytest.mark.parametrize("per_game", [0.001, 0.02, 0.3, 14.0])
@pytest.mark.parametrize("n_blocks", [3, 10, 64, 500])
def test_counts(per_game: float, n_blocks: int) -> None:
    rng = np.random.default_rng(n_blocks)
    counted = rng.negative_binomial(5, 5 / (5 + 2 * per_game), (N_STREAMS, n_blocks))
    # three blocks of skewed counts are the worst: t itself is not exact there
    at_least = 0.94 if n_blocks > 10 or per_game < 1 else 0.93
    assert_covers(hits(count(sums(counted, np.full_like(counted, 2))), per_game), at_least)


@pytest.mark.parametrize("n_blocks", [3, 10, 128, 1000])
def test_ratios_of_two_random_sums(n_blocks: int) -> None:
    rng = np.random.default_rng(n_blocks)
    hands = rng.poisson(30, (N_STREAMS, n_blocks)) + 5
    scoring = rng.binomial(13 * hands, 0.23)
    assert_covers(hits(count(sums(scoring, 13 * hands)), 0.23), 0.94, 0.965)
    ahead = np.round(5 * np.sqrt(hands) * rng.standard_t(5, hands.shape) + 0.3 * hands)
    assert_covers(hits(mean(sums(ahead, hands)), 0.3), 0.94, 0.965)


@pytest.mark.parametrize("n_blocks", [10, 128, 1000])
def test_contrasts_of_figures_that_share_deals(n_blocks: int) -> None:
    rng = np.random.default_rng(n_blocks)
    luck = rng.beta(3, 3, (N_STREAMS, n_blocks))
    a, b = rng.binomial(2, luck), rng.binomial(2, luck**2)
    truth = 0.5 - (0.5**2 + 1 / 28)
    apart = contrast(sums(a, np.full_like(a, 2)), sums(b, np.full_like(b, 2)))
    assert_covers(hits(difference(apart), truth), 0.94, 0.985 if n_blocks < 128 else 0.965)


def law_like(n_groups: int, n_streams: int = 20_000) -> Sums:
    """A figure of 1/2 as the law of a game and contrasts give it: one value for each group, over a single unit."""
    rng = np.random.default_rng(n_groups)
    values, is_full = np.zeros((n_streams, 128)), np.zeros((n_streams, 128), np.int64)
    values[:, :n_groups], is_full[:, :n_groups] = rng.normal(0.5, 0.02, (n_streams, n_groups)), 1
    return Sums(values, is_full, np.full(n_streams, 1000))


@pytest.mark.parametrize("n_groups", [5, 10, 32, 128])
def test_one_unit_a_group_takes_the_t_of_its_groups(n_groups: int) -> None:
    """A normal interval would cover 94.1 % with 32 groups, 87.8 % with 5."""
    covered = hits(share(law_like(n_groups)), 0.5).mean()
    assert covered == pytest.approx(0.95, abs=0.004)
    figures = law_like(n_groups)
    moved = Sums(2 * figures.num - figures.den, figures.den, figures.units)
    assert hits(difference(moved), 0.0).mean() == pytest.approx(0.95, abs=0.004)


def test_the_error_of_a_ratio() -> None:
    """The standard error is that of the figure: over many streams its square averages to the variance."""
    figures = paired_games(0.6, 400)
    spread = Spread.of(figures)
    assert np.mean(spread.error**2) == pytest.approx(spread.best.var(), rel=0.05)
