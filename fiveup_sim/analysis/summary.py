"""The short answer: the named measures and the strategies, as plain types."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pandas as pd

from fiveup_sim.analysis.groups import games_by_strategy
from fiveup_sim.analysis.metrics import metrics
from fiveup_sim.analysis.placements import points_per_placement
from fiveup_sim.analysis.winning import win_rates

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results


def summary(results: Results, level: float = 0.95) -> dict[str, Any]:
    """The measures and the strategies of `results` in plain types, as ``--json`` prints them.

    Parameters
    ----------
    results
        Of a match or a tournament.
    level
        Coverage of each interval.

    Returns
    -------
    dict
        ``games``; ``rules`` (every field); ``metrics``: by name ``{"low", "best", "high"}``; ``strategies``: by
        label ``win_rate`` and ``points_per_placement`` (likewise) and ``games``. None stands for what is not known.
    """
    rates = win_rates(results, level).set_index("strategy")
    points = points_per_placement(results, level=level).set_index("strategy")
    games = games_by_strategy(results)
    return {
        "games": results.n_games,
        "rules": results.rules.to_dict(),
        "metrics": {name: _plain(row) for name, row in metrics(results, level).iterrows()},
        "strategies": {
            label: {
                "win_rate": _plain(rates.loc[label]),
                "points_per_placement": _plain(points.loc[label]),
                "games": int(games[i]),
            }
            for i, label in enumerate(results.labels)
        },
    }


def _plain(row: pd.Series) -> dict[str, float | None]:
    return {end: float(row[end]) if math.isfinite(row[end]) else None for end in ("low", "best", "high")}
