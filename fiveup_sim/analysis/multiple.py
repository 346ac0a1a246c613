"""Many comparisons at once: p-values from blocks, and how to read a table of them."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr

from fiveup_sim.analysis.groups import Sums
from fiveup_sim.analysis.intervals import Spread

_ROUNDING = 1e-9


def p_value(sums: Sums) -> np.ndarray:
    """Two-sided p-values of "this figure is 0", by a t test between groups.

    Never smaller than the sign test gives when all groups that are not level lie on one side: few blocks that agree
    prove little, however equal they are.

    Parameters
    ----------
    sums
        Differences.

    Returns
    -------
    numpy.ndarray
        float64, shape as ``sums.units``; 1 where nothing differs.
    """
    spread = Spread.of(sums)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(spread.error > 0, np.abs(spread.best) / spread.error, np.inf)
    by_t = 2 * stdtr(np.maximum(spread.df, 1), -t)
    n_apart = np.count_nonzero(np.abs(sums.num) > _ROUNDING, axis=-1)
    return np.where(spread.best == 0, 1.0, np.minimum(1.0, np.maximum(by_t, 2.0 ** (1 - n_apart))))


def holm(p: np.ndarray) -> np.ndarray:
    """P-values adjusted for their number (Holm 1979, Scandinavian Journal of Statistics 6, 65).

    Parameters
    ----------
    p
        float64, shape (n,).

    Returns
    -------
    numpy.ndarray
        float64, shape (n,): the smallest error, over the whole family, at which each is still rejected.
    """
    order = np.argsort(p)
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)) if len(p) else p
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, steps)
    return adjusted


def simultaneous(level: float, n: int) -> float:
    """The level of each of `n` intervals that together cover with at least `level` (Bonferroni)."""
    return 1 - (1 - level) / max(n, 1)
