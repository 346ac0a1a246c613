"""How long games and hands are, how games go into extension, and every measure by line-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from fiveup_sim.analysis import groups
from fiveup_sim.analysis.frames import COLUMNS, frame
from fiveup_sim.analysis.groups import Sums, pooled
from fiveup_sim.analysis.intervals import Estimates, count, share
from fiveup_sim.analysis.metrics import METRICS, metric_of
from fiveup_sim.analysis.multiple import simultaneous
from fiveup_sim.engine.tallies import N_GAME_HANDS

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results


def game_lengths(results: Results, level: float = 0.95) -> pd.DataFrame:
    """Games by number of hands.

    Parameters
    ----------
    results
        Of a match or a tournament.
    level
        Coverage of all intervals at once.

    Returns
    -------
    pandas.DataFrame
        ``hands`` (128 stands for all longer games too), ``low``, ``best``, ``high`` (shares of games), ``n`` (games).
    """
    return _histogram(results, "game_hands", np.arange(1, N_GAME_HANDS + 1), "hands", "games", level)


def hand_lengths(results: Results, level: float = 0.95) -> pd.DataFrame:
    """Hands by number of placements; as :func:`game_lengths`, with a column ``placements``."""
    return _histogram(results, "hand_placements", np.arange(29), "placements", "hands", level)


def extensions(results: Results, level: float = 0.95) -> pd.DataFrame:
    """How often games go into extension and how long they stay, by line-up.

    Parameters
    ----------
    results
        Of a match or a tournament.
    level
        Coverage of all intervals of a measure at once.

    Returns
    -------
    pandas.DataFrame
        ``line_up``, ``measure``, ``low``, ``best``, ``high``, ``n``: ``extension_share`` (of games),
        ``extension_hands_per_game`` (all games), ``hands_per_extension`` (games that went into one).
    """
    table = _by_line_up(results, ["extension_share", "extension_hands_per_game"], level)
    at_once = simultaneous(level, len(results.matches))
    lengths = []
    for match in results.matches:
        hands, games = (pooled([match], name) for name in ("extension_hands", "extension_games"))
        lengths.append(count(Sums.of(hands, games, groups.n_deals([match], results.paired, "games")), at_once))
    columns = {name: np.array([getattr(one, name) for one in lengths]) for name in COLUMNS}
    labels = {"line_up": [match.line_up.label for match in results.matches], "measure": ["hands_per_extension"]}
    per_extension = frame(Estimates(**{name: values[:, None] for name, values in columns.items()}), labels)
    return pd.concat([table, per_extension], ignore_index=True)


def by_line_up(results: Results, level: float = 0.95) -> pd.DataFrame:
    """Every measure of :data:`~fiveup_sim.analysis.metrics.METRICS` for each line-up.

    Parameters
    ----------
    results
        Of a match or a tournament.
    level
        Coverage of all intervals of a measure at once.

    Returns
    -------
    pandas.DataFrame
        ``line_up``, ``measure``, ``low``, ``best``, ``high``, ``n``.
    """
    return _by_line_up(results, list(METRICS), level)


def _by_line_up(results: Results, names: list[str], level: float) -> pd.DataFrame:
    at_once = simultaneous(level, len(results.matches))
    rows = []
    for match in results.matches:
        for name in names:
            figure = metric_of([match], results.paired, name, at_once)
            rows.append([match.line_up.label, name, *(getattr(figure, column)[()] for column in COLUMNS)])
    return pd.DataFrame(rows, columns=["line_up", "measure", *COLUMNS])


def _histogram(results: Results, name: str, classes: np.ndarray, column: str, whole: str, level: float) -> pd.DataFrame:
    counts = pooled(results.matches, name)
    seen = np.flatnonzero(counts.any(1))
    deals = groups.n_deals(results.matches, results.paired, whole)
    sums = Sums.of(counts[seen], pooled(results.matches, whole), deals)
    return frame(share(sums, simultaneous(level, len(seen))), {column: classes[seen]})
