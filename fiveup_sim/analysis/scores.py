"""Points and scores: per hand, and at the end of a game by finishing place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from fiveup_sim.analysis import groups
from fiveup_sim.analysis.frames import frame
from fiveup_sim.analysis.groups import Sums
from fiveup_sim.analysis.intervals import divide, mean
from fiveup_sim.analysis.multiple import simultaneous

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results


def points_per_hand(results: Results, level: float = 0.95) -> pd.DataFrame:
    """Points that each strategy's side gained per hand, placements and settlement together.

    Parameters
    ----------
    results
        Of a match or a tournament.
    level
        Coverage of each single interval.

    Returns
    -------
    pandas.DataFrame
        Two rows for each strategy: ``strategy``, ``measure`` (``"own"``: points of its side; ``"ahead"``: these less
        the mean of the other sides at the table), ``low``, ``best``, ``high`` (points), ``n`` (hands, once for each
        side played). ``ahead`` separates two strategies in fewer games than wins do.
    """
    n_sides = results.rules.n_sides
    own = groups.by_side_holder(results, "change")
    hands = groups.by_table(results, "hands")
    # own points less the mean of the others, times n_sides - 1 to keep integers
    ahead = n_sides * own - _all_changes(results)
    num = np.stack([own * (n_sides - 1), ahead], axis=1)
    sums = Sums.of(num, (hands * (n_sides - 1))[:, None], groups.n_deals(results.matches, results.paired, "hands"))
    figures = mean(sums, level, size=size_of_hand(results))
    table = frame(figures, {"strategy": results.labels, "measure": ["own", "ahead"]})
    return table.assign(n=table["n"] // (n_sides - 1))


def scores_by_place(results: Results, level: float = 0.95) -> pd.DataFrame:
    """Final scores by finishing place, of finished games.

    Parameters
    ----------
    results
        Of a match or a tournament.
    level
        Coverage of all intervals of a strategy at once.

    Returns
    -------
    pandas.DataFrame
        A row for each strategy and place that it took: ``strategy``, ``place`` (1, 1.5, 2, ...: sides with equal
        scores share the mean of their places), ``low``, ``best``, ``high`` (points), ``n`` (games, once for each
        side), ``sd`` (of single scores), ``share`` (of the strategy's finished games).
    """
    games, score, squares = (groups.by_side_holder(results, f"place_{what}") for what in ("games", "score", "score2"))
    places = np.flatnonzero(games.any((0, 2)))
    games, score, squares = games[:, places], score[:, places], squares[:, places]
    n = games.sum(-1)
    sd = np.sqrt(np.maximum(divide(squares.sum(-1), n) - divide(score.sum(-1), n) ** 2, 0.0))
    sums = Sums.of(score, games, groups.n_deals(results.matches, results.paired, "games"))
    at_once = simultaneous(level, len(places))
    table = frame(mean(sums, at_once, size=np.maximum(sd, 1.0)), {"strategy": results.labels, "place": 1 + places / 2})
    table = table.assign(sd=sd.ravel(), share=divide(n, n.sum(1, keepdims=True)).ravel())
    return table[table["n"] > 0].reset_index(drop=True)


def _all_changes(results: Results) -> np.ndarray:
    """Score changes of all sides at the tables of each strategy, once for each side it plays: shape (n, 128)."""
    return sum(
        np.einsum("rgs,rk->kg", match.tallies["change"], groups.sides_of(match, results.labels, results.rules).sum(1))
        for match in results.matches
    )


def size_of_hand(results: Results) -> float:
    """Points by which a side's hand may well differ from the next: the standard deviation, at least 1."""
    change, squares = (groups.pooled(results.matches, name).sum(-1) for name in ("change", "change2"))
    n = groups.pooled(results.matches, "hands").sum() * results.rules.n_sides
    return float(np.sqrt(max(divide(np.trace(squares), n) - divide(change.sum(), n) ** 2, 1.0)))
