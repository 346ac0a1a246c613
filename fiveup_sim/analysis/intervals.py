"""Intervals for ratios of sums, from their spread between groups of blocks.

Three kinds of figures: shares of [0, 1] (:func:`share`), means of what cannot be negative (:func:`count`), and means
of what can (:func:`mean`). All three agree where much was seen; they differ at the edges, where a plain t interval
would leave the range, or shrink to a point because nothing was seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv, gammaincinv, ndtri, stdtrit

from fiveup_sim.analysis.groups import Sums

_ROUNDING = 1e-12


@dataclass(frozen=True)
class Estimates:
    """Figures with their intervals; every field has the same shape."""

    low: np.ndarray
    """float64: lower end; -inf (0 where nothing can be below) if nothing is known."""
    best: np.ndarray
    """float64: the estimate; NaN if nothing was seen."""
    high: np.ndarray
    """float64: upper end; inf (1 for a share) if nothing is known."""
    n: np.ndarray
    """int64: games, hands or placements behind the estimate."""


def share(sums: Sums, level: float = 0.95) -> Estimates:
    """Shares: figures between 0 and 1.

    A Clopper-Pearson interval on effective counts (Korn and Graubard 1998, Survey Methodology 24, 193), these made
    smaller by the squared ratio of normal to t quantiles with the groups' degrees of freedom, and the interval wider
    where most groups agree to the last digit (see :func:`_around_mode`).

    Parameters
    ----------
    sums
        Numerators between 0 and their denominators.
    level
        Coverage.

    Returns
    -------
    Estimates
        Shape as ``sums.units``; ends within [0, 1].
    """

    def part(away: Sums, whole: np.ndarray) -> Estimates:
        full = np.where(whole > 0, whole, 1.0)  # nothing lies above 1 or below 0
        rate = _korn_graubard(Sums(away.num / full[..., None], away.den, away.units), level)
        return Estimates(rate.low * whole, rate.best * whole, rate.high * whole, rate.n)

    wide = _around_mode(_korn_graubard(sums, level), sums, part)
    return _known(wide, 0.0, 1.0)


def count(sums: Sums, level: float = 0.95, size: float = 1.0) -> Estimates:
    """Means of what cannot be negative: hands, draws, points awarded.

    The gamma interval for weighted sums of counts (Fay and Feuer 1997, Statistics in Medicine 16, 791), its variance
    from the groups and made larger by the ratio of t to normal quantiles.

    Parameters
    ----------
    sums
        Numerators not below 0.
    level
        Coverage.
    size
        What one event adds to the numerator: the upper end allows for one that was not seen.

    Returns
    -------
    Estimates
        Shape as ``sums.units``.
    """
    # without spread nothing says how events come together: then a whole unit is one
    n = np.where(Spread.of(sums).error > 0, sums.den.sum(-1), sums.units)
    return _gamma(sums, level, size / np.maximum(n, 1))


def mean(sums: Sums, level: float = 0.95, size: float = 1.0) -> Estimates:
    """Means of anything: settlements, differences of points.

    A t interval, made wider where most groups agree to the last digit (see :func:`_around_mode`).

    Parameters
    ----------
    sums
        Any numerators.
    level
        Coverage.
    size
        What one observation that differs from all others adds to the numerator.

    Returns
    -------
    Estimates
        Shape as ``sums.units``.
    """
    spread = Spread.of(sums)
    half = np.where(spread.df > 0, t_quantile(spread.df, level) * spread.error, np.inf)
    base = Estimates(spread.best - half, spread.best, spread.best + half, sums.den.sum(-1))

    def part(away: Sums, whole: np.ndarray) -> Estimates:
        largest = divide(away.num.max(-1), away.den.sum(-1))
        return _gamma(away, level, np.where(largest > 0, largest, size / np.maximum(away.units, 1)))

    return _around_mode(_known(base, -np.inf, np.inf), sums, part)


def difference(sums: Sums, level: float = 0.95) -> Estimates:
    """Differences of two shares of the same games: figures between -1 and 1, with intervals as of :func:`share`."""
    halved = share(Sums(sums.num + sums.den, 2 * sums.den, sums.units), level)
    n = sums.den.sum(-1)
    return Estimates(2 * halved.low - 1, divide(sums.num.sum(-1), n), 2 * halved.high - 1, n)


def contrast(a: Sums, b: Sums) -> Sums:
    """The figures of `a` minus those of `b`, which need not have the same denominators.

    Returns
    -------
    Sums
        One value for each group, float64 over 0 or 1: the difference, and what the group's own blocks change about
        it (delta method), so that blocks which both sides share cancel in the error. Take it to :func:`mean`, or to
        :func:`difference` where both are shares.
    """
    first, second = Spread.of(a), Spread.of(b)
    is_full = ((a.den != 0) | (b.den != 0)).astype(np.int64)
    n_groups = is_full.sum(-1)[..., None]
    apart = n_groups * (first.influence - second.influence)
    value = (first.best - second.best)[..., None] + np.where(np.abs(apart) > _ROUNDING, apart, 0.0)
    return Sums(value * is_full, is_full, np.minimum(a.units, b.units))


@dataclass(frozen=True)
class Spread:
    """A ratio and its standard error from the spread between groups (delta method)."""

    best: np.ndarray
    error: np.ndarray
    """0 where there are not two groups to compare."""
    df: np.ndarray
    """Groups that are not empty, less one."""
    influence: np.ndarray
    """What each group changes about the ratio, by a last axis of groups."""

    @classmethod
    def of(cls, sums: Sums) -> Spread:
        all_den = sums.den.sum(-1)
        best = divide(sums.num.sum(-1), all_den)
        rest = _apart(divide(sums.num, sums.den), best) * sums.den
        influence = divide(rest, all_den[..., None])
        n_groups = np.count_nonzero(sums.den, axis=-1)
        error = np.sqrt(divide(n_groups, n_groups - 1) * (influence * influence).sum(-1))
        return cls(best, np.nan_to_num(error), n_groups - 1, influence)


def divide(num: np.ndarray, den: np.ndarray) -> np.ndarray:
    """Ratios as float64; NaN where the denominator is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(den != 0, num / den, np.nan)


def _apart(values: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """How far the values of the groups lie from `middle`: exactly 0 for empty groups and for rounding errors."""
    apart = values - middle[..., None]
    return np.where(np.abs(apart) > _ROUNDING, apart, 0.0)


def t_quantile(df: np.ndarray, level: float) -> np.ndarray:
    """Half the width of an interval in standard errors; with `df` below 1 that of 1."""
    return stdtrit(np.maximum(df, 1), (1 + level) / 2)


def _known(base: Estimates, least: float, most: float) -> Estimates:
    """`base`, with the whole range where nothing was seen."""
    is_known = base.n > 0
    return Estimates(
        np.where(is_known, np.maximum(base.low, least), least),
        base.best,
        np.where(is_known, np.minimum(base.high, most), most),
        base.n,
    )


def _korn_graubard(sums: Sums, level: float) -> Estimates:
    spread, n = Spread.of(sums), sums.den.sum(-1)
    p, tail = spread.best, (1 - level) / 2
    is_edge, is_level = (p == 0) | (p == 1), spread.error == 0
    # sizes of groups say nothing here: the sums of a contrast or a law have a single unit in each
    by_df = ndtri(1 - tail) / t_quantile(spread.df, level)
    n_eff = np.where(is_edge, sums.units, divide(p * (1 - p), spread.error**2) * by_df**2)
    n_eff = np.where(np.isfinite(n_eff), n_eff, 1.0)
    x = n_eff * np.nan_to_num(p)
    low = np.where(x > 0, betaincinv(np.maximum(x, 1e-300), n_eff - x + 1, tail), 0.0)
    high = np.where(x < n_eff, betaincinv(x + 1, np.maximum(n_eff - x, 1e-300), 1 - tail), 1.0)
    low, high = np.where(is_level & ~is_edge, p, low), np.where(is_level & ~is_edge, p, high)
    is_alone = (spread.df < 1) & ~is_edge
    return _known(Estimates(np.where(is_alone, 0.0, low), p, np.where(is_alone, 1.0, high), n), 0.0, 1.0)


def _gamma(sums: Sums, level: float, event: np.ndarray) -> Estimates:
    """A gamma interval; `event` is what one more event would add to the figure."""
    spread, n = Spread.of(sums), sums.den.sum(-1)
    y, tail = spread.best, (1 - level) / 2
    by_df = t_quantile(spread.df, level) / ndtri(1 - tail)
    variance = np.where(spread.error > 0, (spread.error * by_df) ** 2, event**2)
    low = _gamma_quantile(y, variance, tail)
    high = _gamma_quantile(y + event, np.where(y > 0, variance, 0.0) + event**2, 1 - tail)
    is_alone = (spread.df < 1) & (y != 0)
    return _known(Estimates(np.where(is_alone, 0.0, low), y, np.where(is_alone, np.inf, high), n), 0.0, np.inf)


def _gamma_quantile(mean: np.ndarray, variance: np.ndarray, q: float) -> np.ndarray:
    scale = divide(variance, mean)
    return np.where(mean > 0, scale * gammaincinv(np.nan_to_num(divide(mean, scale), nan=1.0), q), 0.0)


def _around_mode(base: Estimates, sums: Sums, part: Callable[[Sums, np.ndarray], Estimates]) -> Estimates:
    """`base`, made wider where more than half of the groups give one and the same value.

    Seats and deals are shared so well that strategies which hardly differ have blocks that do not differ at all.
    The few that do are rare events, and no t interval covers their mean. Here the way up and the way down from the
    common value are two means of rare events, each with an interval of its own (`part`), put together by recovering
    their variances (Zou and Donner 2008, Statistics in Medicine 27, 1693).
    """
    values = divide(sums.num, sums.den)
    n_groups = np.count_nonzero(sums.den, axis=-1)
    common = np.nanmedian(np.where(n_groups[..., None] > 0, values, 0.0), axis=-1)
    away = _apart(values, common) * sums.den
    is_common = np.count_nonzero(away, axis=-1) * 2 < n_groups
    if not is_common.any():
        return base
    up = part(Sums(np.maximum(away, 0.0), sums.den, sums.units), 1 - common)
    down = part(Sums(np.maximum(-away, 0.0), sums.den, sums.units), common)
    low = base.best - np.hypot(up.best - up.low, down.high - down.best)
    high = base.best + np.hypot(up.high - up.best, down.best - down.low)
    return Estimates(
        np.where(is_common, np.minimum(base.low, low), base.low),
        base.best,
        np.where(is_common, np.maximum(base.high, high), base.high),
        base.n,
    )
