"""Who wins: win rates of strategies, and of each against each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from fiveup_sim.analysis import groups
from fiveup_sim.analysis.frames import frame
from fiveup_sim.analysis.groups import Sums
from fiveup_sim.analysis.intervals import difference, share
from fiveup_sim.analysis.multiple import holm, p_value

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import MatchResults, Results


def win_rates(results: Results, level: float = 0.95) -> pd.DataFrame:
    """Games won by each strategy / games, over all its seatings and opponents.

    Unfinished games have no winner and count as games. In self-play a game counts once for each side that the
    strategy plays, so that with two sides its rate is 1/2.

    Parameters
    ----------
    results
        Of a match or a tournament.
    level
        Coverage of the intervals.

    Returns
    -------
    pandas.DataFrame
        A row for each strategy, in the order of ``results.labels``: ``strategy``, ``low``, ``best``, ``high``
        (shares of games), ``n`` (games, once for each side played).
    """
    deals = groups.n_deals(results.matches, results.paired, "games")
    sums = Sums.of(groups.by_side_holder(results, "wins"), groups.games_by_side_holder(results), deals)
    return frame(share(sums, level), {"strategy": results.labels})


def head_to_head(results: Results, level: float = 0.95) -> pd.DataFrame:
    """Each strategy in the games that each other one played too.

    Parameters
    ----------
    results
        Of a match or a tournament.
    level
        Coverage of each single interval.

    Returns
    -------
    pandas.DataFrame
        A row for each ordered pair of strategies that met: ``strategy``, ``opponent``; ``low``, ``best``, ``high``,
        ``n``: games won by the strategy / games, counted for each pair of their sides; ``ahead_low``, ``ahead``,
        ``ahead_high``: that rate minus the opponent's; ``p``: two-sided p-value of no difference, adjusted for the
        number of pairs (Holm). With two sides ``best`` is the win rate against this opponent; with more, third
        sides win too.
    """
    wins, games = _meetings(results)
    pairs = [(i, j) for i, j in np.argwhere(games.any(-1)) if i != j]
    at = tuple(np.array(pairs, int).reshape(-1, 2).T)
    deals = groups.n_deals(results.matches, results.paired, "games")
    rates = frame(share(Sums.of(wins[at], games[at], deals), level), {"pair": range(len(pairs))})
    apart = Sums.of(wins[at] - wins[at[::-1]], games[at], deals)
    ahead = difference(apart, level)
    rates.insert(0, "strategy", [results.labels[i] for i, _ in pairs])
    rates.insert(1, "opponent", [results.labels[j] for _, j in pairs])
    # (i, j) and (j, i) are one comparison
    is_first = np.array([i < j for i, j in pairs], bool)
    adjusted = dict(zip([pairs[k] for k in np.flatnonzero(is_first)], holm(p_value(apart)[is_first]), strict=True))
    p = [adjusted[min(i, j), max(i, j)] for i, j in pairs]
    return rates.drop(columns="pair").assign(ahead_low=ahead.low, ahead=ahead.best, ahead_high=ahead.high, p=p)


def _meetings(results: Results) -> tuple[np.ndarray, np.ndarray]:
    """Wins of i, and games, for each pair of sides played by i and j: int64, shape (n, n, 128) each."""
    n = len(results.labels)
    wins, games = np.zeros((2, n, n, groups.N_GROUPS), np.int64)
    for match in results.matches:
        one = _side_pairs(match, results)
        wins += np.einsum("rgs,rsij->ijg", match.tallies["wins"][:, :, : one.shape[1]], one)
        games += np.einsum("rg,rsij->ijg", match.tallies["games"], one)
    return wins, games


def _side_pairs(match: MatchResults, results: Results) -> np.ndarray:
    """Number of other sides played by j where i plays a side: int64, shape (n_rotations, n_sides, n, n)."""
    sides = groups.sides_of(match, results.labels, results.rules).astype(np.int64)
    others = sides.sum(1, keepdims=True) - sides
    return sides[:, :, :, None] * others[:, :, None, :]
