"""The measures of a whole table: how games and hands went, whoever played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from fiveup_sim.analysis import groups
from fiveup_sim.analysis.frames import COLUMNS
from fiveup_sim.analysis.groups import Sums, pooled
from fiveup_sim.analysis.intervals import Estimates, count, mean, share

if TYPE_CHECKING:
    from fiveup_sim.tournament.match_results import MatchResults
    from fiveup_sim.tournament.results import Results

Counted = Callable[[Sequence["MatchResults"]], np.ndarray]


@dataclass(frozen=True)
class Metric:
    """A measure: what is added up, over what, and which kind of interval it takes."""

    num: Counted
    """The numerator by group: int64, shape (128,)."""
    den: str
    """``"games"``, ``"hands"`` or ``"placements"``."""
    interval: Callable[..., Estimates]
    means: str
    """One line, with the unit."""


def _all(name: str) -> Counted:
    """All classes of a tally together."""
    return lambda matches: pooled(matches, name).reshape(-1, groups.N_GROUPS).sum(0)


def _scoring(matches: Sequence[MatchResults]) -> np.ndarray:
    return pooled(matches, "awards")[:, 1:].sum((0, 1))


def _taken_off(matches: Sequence[MatchResults]) -> np.ndarray:
    return -_all("settlement")(matches)


_DENOMINATORS = {"games": _all("games"), "hands": _all("hands"), "placements": _all("kind_placements")}

METRICS = {
    "hands_per_game": Metric(_all("hands"), "games", count, "hands per game"),
    "placements_per_hand": Metric(_all("kind_placements"), "hands", count, "placements per hand, all seats"),
    "draws_per_hand": Metric(_all("draws"), "hands", count, "tiles drawn per hand, all seats"),
    "passes_per_hand": Metric(_all("passes"), "hands", count, "passes per hand, all seats, closing ones too"),
    "blocked_share": Metric(_all("blocked"), "hands", share, "share of hands that were blocked"),
    "points_per_placement": Metric(_all("kind_points"), "placements", count, "points awarded per placement"),
    "scoring_share": Metric(_scoring, "placements", share, "share of placements that score"),
    "settlement_per_hand": Metric(_taken_off, "hands", mean, "points taken off by settlement per hand, all seats"),
    "extension_share": Metric(_all("extension_games"), "games", share, "share of games that went into extension"),
    "extension_hands_per_game": Metric(_all("extension_hands"), "games", count, "extension hands per game, all games"),
    "unfinished_share": Metric(_all("unfinished"), "games", share, "share of games that stayed unfinished"),
    "leader_domino_share": Metric(_all("led_dominoed"), "hands", share, "share of hands dominoed by their leader"),
}
"""Every measure by name."""


def metrics(results: Results, level: float = 0.95) -> pd.DataFrame:
    """Every measure of :data:`METRICS` over all games.

    Parameters
    ----------
    results
        Of a match or a tournament.
    level
        Coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Indexed by ``metric``: ``low``, ``best``, ``high`` (units as in :data:`METRICS`) and ``n`` (games, hands or
        placements).
    """
    rows = {name: metric_of(results.matches, results.paired, name, level) for name in METRICS}
    table = {name: [getattr(row, column)[()] for column in COLUMNS] for name, row in rows.items()}
    return pd.DataFrame.from_dict(table, orient="index", columns=COLUMNS).rename_axis("metric").astype({"n": "int64"})


def metric_of(matches: Sequence[MatchResults], is_paired: bool, name: str, level: float) -> Estimates:
    """One measure over all games of `matches`, with its interval; shape ()."""
    return METRICS[name].interval(metric_sums(matches, is_paired, name), level)


def metric_sums(matches: Sequence[MatchResults], is_paired: bool, name: str) -> Sums:
    """Numerator and denominator of a measure by group, over all games of `matches`: shape (128,)."""
    metric = METRICS[name]
    deals = groups.n_deals(matches, is_paired, "games" if metric.den == "games" else "hands")
    return Sums.of(metric.num(matches), _DENOMINATORS[metric.den](matches), deals)
