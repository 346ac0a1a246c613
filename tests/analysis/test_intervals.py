"""Intervals: at the edges, where much was seen, and against exact ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaincinv
from scipy.stats import binomtest

from fiveup_sim.analysis.groups import Sums
from fiveup_sim.analysis.intervals import contrast, count, difference, mean, share
from fiveup_sim.analysis.multiple import holm, p_value, simultaneous
from tests.analysis.kit import grouped, sums

KINDS = [share, count, mean, difference]


def one(*values: int) -> np.ndarray:
    """128 groups, the first with these values."""
    return np.pad(np.array(values), (0, 128 - len(values)))


def figure(num: np.ndarray, den: np.ndarray, units: int) -> Sums:
    return Sums(num, den, np.array(units))


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_played_is_nothing_known(kind) -> None:
    estimate = kind(figure(one(), one(), 0))
    assert np.isnan(estimate.best)
    assert estimate.n == 0
    assert estimate.low == {share: 0, count: 0, mean: -np.inf, difference: -1}[kind]
    assert estimate.high == {share: 1, count: np.inf, mean: np.inf, difference: 1}[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_one_block_says_little(kind) -> None:
    estimate = kind(figure(one(1), one(2), 1))
    assert estimate.best == 0.5
    assert estimate.low <= 0
    assert estimate.high >= 1


@pytest.mark.parametrize("n_blocks", [1, 3, 50, 128, 5000])
def test_none_of_n_is_the_exact_bound(n_blocks: int) -> None:
    """0 of n, and n of n, independent blocks: Clopper-Pearson."""
    games = grouped(np.full(n_blocks, 2))
    none = share(figure(0 * games, games, n_blocks))
    every = share(figure(games, games, n_blocks))
    exact = binomtest(0, n_blocks).proportion_ci(0.95).high
    assert none.low == 0 == none.best
    assert none.high == pytest.approx(exact)
    assert every.low == pytest.approx(1 - exact)
    assert every.high == 1 == every.best


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_blocks", [2, 3, 100, 1000])
def test_blocks_that_never_differ_leave_a_width(kind, n_blocks: int) -> None:
    games = grouped(np.full(n_blocks, 2))
    estimate = kind(figure(games // 2, games, n_blocks))
    assert estimate.best == 0.5
    # exactly: with more than 1 - 0.025 ** (1 / n) of all blocks unlike these, one would have been seen
    assert estimate.high - estimate.best >= 0.5 * (1 - 0.025 ** (1 / n_blocks)) - 1e-12
    assert estimate.best - estimate.low > (0.2 if kind is not count else 0.05) / n_blocks


def test_games_one_a_block_are_nearly_clopper_pearson() -> None:
    rng = np.random.default_rng(1)
    won = (rng.random((1, 4000)) < 0.3).astype(int)
    estimate = share(sums(won, np.ones_like(won)))
    exact = binomtest(int(won.sum()), 4000).proportion_ci(0.95)
    width = exact.high - exact.low
    assert estimate.low[0] == pytest.approx(exact.low, abs=0.1 * width)
    assert estimate.high[0] == pytest.approx(exact.high, abs=0.1 * width)


def test_rare_events_are_nearly_poisson() -> None:
    events = np.zeros((1, 2000), int)
    events[0, [5, 300, 301, 1500]] = 1
    estimate = count(sums(events, np.ones_like(events)))
    low, high = gammaincinv(4, 0.025) / 2000, gammaincinv(5, 0.975) / 2000
    assert estimate.low[0] == pytest.approx(low, rel=0.05)
    assert estimate.high[0] == pytest.approx(high, rel=0.05)


def test_where_much_was_seen_all_kinds_agree() -> None:
    rng = np.random.default_rng(2)
    won = rng.binomial(2, 0.4, (1, 100_000))
    figures = sums(won, np.full_like(won, 2))
    estimates = [kind(figures) for kind in (share, count, mean)]
    ends = np.array([[estimate.low[0], estimate.high[0]] for estimate in estimates])
    assert np.ptp(ends, axis=0).max() < 0.01 * (ends[0, 1] - ends[0, 0])


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=128),
    st.sampled_from([0.5, 0.95, 0.999]),
)
def test_shares_stay_in_range_and_hold_the_estimate(games: list[tuple[int, int]], level: float) -> None:
    won, lost = np.array(games).T
    figures = figure(one(*won), one(*(won + lost)), int((won + lost > 0).sum()))
    for kind, least in ((share, 0.0), (difference, -1.0)):
        estimate = kind(figures, level)
        assert least <= estimate.low <= estimate.high <= 1
        if estimate.n:
            assert estimate.low <= estimate.best <= estimate.high
            assert estimate.high > estimate.low


def test_a_contrast_of_the_same_is_nothing() -> None:
    rng = np.random.default_rng(3)
    won = rng.binomial(2, 0.4, (3, 500))
    a = sums(won, np.full_like(won, 2))
    apart = difference(contrast(a, a))
    assert (apart.best == 0).all()
    assert (apart.high < 0.02).all()
    assert (p_value(contrast(a, a)) == 1).all()


def test_a_contrast_knows_what_is_shared() -> None:
    """Two figures that move together differ by less than two that do not."""
    rng = np.random.default_rng(4)
    luck = rng.normal(size=(1, 2000))
    den = np.full((1, 2000), 10)
    together, alone = (sums(np.round(10 * luck + rng.normal(size=luck.shape)), den) for _ in range(2))
    other = sums(np.round(10 * rng.normal(size=luck.shape)), den)
    near, far = mean(contrast(together, alone)), mean(contrast(together, other))
    assert (near.high - near.low)[0] < 0.2 * (far.high - far.low)[0]


def test_few_blocks_prove_little() -> None:
    same = one(2, 2, 2)
    assert p_value(figure(same, same, 3)) == pytest.approx(0.25)
    assert p_value(figure(0 * same, same, 3)) == 1
    many = grouped(np.full(1000, 2))
    assert p_value(figure(many, many, 1000)) < 1e-30


def test_holm() -> None:
    p = np.array([0.01, 0.04, 0.03, 0.005, 1.0])
    np.testing.assert_allclose(holm(p), [0.04, 0.09, 0.09, 0.025, 1.0])
    assert holm(np.empty(0)).size == 0
    assert simultaneous(0.95, 5) == pytest.approx(0.99)
    assert simultaneous(0.95, 0) == 0.95
