"""The order of the strategies, and how sure it is."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from fiveup_sim.analysis import groups
from fiveup_sim.analysis.frames import COLUMNS
from fiveup_sim.analysis.groups import Sums
from fiveup_sim.analysis.intervals import Estimates, contrast, difference
from fiveup_sim.analysis.multiple import holm, p_value, simultaneous
from fiveup_sim.analysis.winning import rates_of

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results


def ranking(results: Results, level: float = 0.95) -> pd.DataFrame:
    """Strategies by win rate, best first, with what separates each from the next.

    Parameters
    ----------
    results
        Of a match or a tournament.
    level
        Coverage of all intervals at once, and of all differences at once.

    Returns
    -------
    pandas.DataFrame
        ``rank`` (text: ``"2"``, ``"1="`` shared by equal rates, ``"1-3"`` where the places are not separated),
        ``strategy``, ``low``, ``best``, ``high``, ``n`` as of
        :func:`~fiveup_sim.analysis.winning.win_rates`; then, against the next row, ``ahead_low``, ``ahead``,
        ``ahead_high`` (difference of the win rates), ``p`` (adjusted for all pairs, since the order itself is read
        off the same games: Holm) and ``is_separated`` (p < 1 - level). In the last row they are NaN and False.
        ``rank_low`` and ``rank_high`` last: the best and the worst place that the simultaneous intervals of all
        differences leave open.
    """
    deals = groups.n_deals(results.matches, results.paired, "games")
    wins, games = groups.by_side_holder(results, "wins"), groups.by_table(results, "games")
    n = len(results.labels)
    rates = rates_of(results, simultaneous(level, n))
    order = np.argsort(-np.nan_to_num(rates.best, nan=-1.0), kind="stable")
    wins, games = wins[order], games[order]
    pairs = np.array(list(combinations(range(n), 2)), int).reshape(-1, 2)
    first, second = (Sums.of(wins[at], games[at], deals) for at in pairs.T)
    apart = contrast(first, second)
    ahead, p = difference(apart, simultaneous(level, len(pairs))), holm(p_value(apart))
    next_to = np.flatnonzero(pairs[:, 1] == pairs[:, 0] + 1)
    table = pd.DataFrame({column: getattr(rates, column)[order] for column in COLUMNS})
    best, worst = _places(n, pairs, ahead)
    tied = _tied(n, pairs, ahead)
    table.insert(0, "rank", [_write_rank(*place) for place in zip(best, worst, tied, strict=True)])
    table.insert(1, "strategy", [results.labels[i] for i in order])
    figures = {"ahead_low": ahead.low, "ahead": ahead.best, "ahead_high": ahead.high, "p": p}
    last = {name: np.append(values[next_to], np.nan) for name, values in figures.items()}
    return table.assign(**last, is_separated=np.append(p[next_to] < 1 - level, False), rank_low=best, rank_high=worst)


def _places(n: int, pairs: np.ndarray, ahead: Estimates) -> tuple[np.ndarray, np.ndarray]:
    """The best and the worst place of each of `n` strategies, int64, that the differences of all pairs leave open."""
    above, below = np.zeros(n, int), np.zeros(n, int)
    for (first, second), low, high in zip(pairs, ahead.low, ahead.high, strict=True):
        if low > 0 or high < 0:
            winner, loser = (first, second) if low > 0 else (second, first)
            above[loser] += 1
            below[winner] += 1
    return 1 + above, n - below


def _tied(n: int, pairs: np.ndarray, ahead: Estimates) -> np.ndarray:
    """How many others have the same win rate to the last game, for each of `n` strategies."""
    return np.bincount(pairs[ahead.best == 0].ravel(), minlength=n)


def _write_rank(best: int, worst: int, tied: int) -> str:
    if best == worst:
        return str(best)
    return f"{best}=" if worst - best == tied else f"{best}-{worst}"
