"""What a change of the rules does: paired differences of every measure, with intervals for all of them at once.

Runs under different rules that were played with one seed share their lots and deals block by block. Their figures
are set against each other group by group, so that what the deals have in common cancels in the error. Runs on
different deals may be compared too: then nothing cancels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from fiveup_sim.analysis.factorial import INTERACTION, Contrast
from fiveup_sim.analysis.groups import Sums
from fiveup_sim.analysis.intervals import Estimates, Spread, difference, mean
from fiveup_sim.analysis.measures import ALL, Key, Measures
from fiveup_sim.analysis.multiple import holm, p_value, simultaneous

if TYPE_CHECKING:
    from fiveup_sim.rules import Rules

_ROUNDING = 1e-10
"""Differences of figures below this are rounding errors."""

SAME, SWAPPED, UNSURE = "same", "swapped", "not separated"
"""What becomes of the order of two strategies."""


@dataclass(frozen=True, eq=False, repr=False)
class RuleEffects:
    """What changes of the rules do, as :func:`fiveup_sim.compare_rules` gives it."""

    base: Rules
    """The rules that are changed."""
    line_ups: tuple[str, ...]
    """Labels of the line-ups."""
    games: int
    """Games of each rule set, over all line-ups."""
    seed: int
    """The seed of all games."""
    level: float
    """Coverage of all intervals of a table at once."""
    effects: pd.DataFrame
    """Every measure of every comparison: see :func:`rule_effects`."""
    rankings: pd.DataFrame
    """Rule x strategy: see :func:`rule_rankings`."""
    unchanged: tuple[str, ...]
    """Comparisons in which no game differed."""
    seconds: float
    """CPU seconds spent on the games."""

    def __repr__(self) -> str:
        changes = self.effects["variant"].nunique()
        return f"<RuleEffects: {changes} changes of {self.base}, seed {self.seed}, {self.games:,} games each>"

    def to_dict(self) -> dict[str, Any]:
        """Everything in plain types; None stands for what is not known."""
        plain = {name: getattr(self, name) for name in ("games", "seed", "level", "seconds")}
        lists = {name: list(getattr(self, name)) for name in ("line_ups", "unchanged")}
        tables = {name: _plain(getattr(self, name)) for name in ("effects", "rankings")}
        return {"base": self.base.to_dict(), **plain, **lists, **tables}


@dataclass(frozen=True)
class _Differences:
    """Contrasts of figures: one value for each group of blocks."""

    sums: Sums
    """Shape (n_contrasts, n_keys, 128): values over 0 or 1."""
    is_share: np.ndarray
    """bool, shape (n_keys,)."""
    size: np.ndarray
    """float64, shape (n_keys,): what one deal that differs may add."""
    width: np.ndarray
    """float64, shape (n_contrasts,): a contrast of shares lies within plus and minus this."""

    def estimates(self, level: float) -> Estimates:
        """Each with its interval; shape (n_contrasts, n_keys)."""
        narrow = Sums(self.sums.num / self.width[:, None, None], self.sums.den, self.sums.units)
        shares, means = difference(narrow, level), mean(self.sums, level, self.size)
        width = self.width[:, None]
        pairs = [(getattr(shares, end), getattr(means, end)) for end in ("low", "best", "high")]
        return Estimates(*(np.where(self.is_share, width * one, other) for one, other in pairs), means.n)


def rule_effects(runs: Sequence[Measures], contrasts: Sequence[Contrast], level: float = 0.95) -> pd.DataFrame:
    """Every measure of every comparison of runs.

    Parameters
    ----------
    runs
        Of the same line-ups, under one set of rules each; run 0 is the base.
    contrasts
        What to compare: :func:`~fiveup_sim.analysis.factorial.one_at_a_time` or
        :func:`~fiveup_sim.analysis.factorial.full_factorial`.
    level
        Coverage of all intervals of the table at once.

    Returns
    -------
    pandas.DataFrame
        A row for each contrast and measure that all runs have: ``variant`` (label of the contrast), ``kind``,
        ``measure``, ``line_up`` (or ``"all"``), ``strategy`` (or empty), ``base`` (the figure without the change; of a
        main effect the mean over all other changes, of an interaction the base's own), ``low``, ``best``, ``high``
        (what the change adds, in the unit of the measure), ``n`` (games, hands or placements of the run that has
        fewest), ``p`` (two-sided, of no effect, adjusted for all rows by Holm), ``is_separated`` (``p < 1 - level``,
        and the interval leaves out 0).
    """
    keys = [key for key in runs[0].keys if all(key in run.keys for run in runs)]
    runs = [run.chosen(keys) for run in runs]
    apart = _differences(runs, contrasts)
    n_rows = len(contrasts) * len(keys)
    estimates = apart.estimates(simultaneous(level, n_rows))
    p = holm(np.nan_to_num(p_value(apart.sums), nan=1.0).ravel())
    n = np.array([run.sums.den.sum(-1) for run in runs])
    figures = np.array([Spread.of(run.sums).best for run in runs])
    fewest = [n[contrast.weights != 0].min(0) for contrast in contrasts]
    columns = {
        "variant": np.repeat([contrast.label for contrast in contrasts], len(keys)),
        "kind": np.repeat([contrast.kind for contrast in contrasts], len(keys)),
        **{name: [getattr(key, name) for key in keys] * len(contrasts) for name in Key._fields},
        "base": np.concatenate([_before(contrast) @ figures for contrast in contrasts]),
        **{end: getattr(estimates, end).ravel() for end in ("low", "best", "high")},
        "n": np.concatenate(fewest),
        "p": p,
        # Holm's steps may prove a little more than the intervals show: both have to say so
        "is_separated": (p < 1 - level) & ((estimates.low > 0) | (estimates.high < 0)).ravel(),
    }
    return pd.DataFrame(columns)


def _before(contrast: Contrast) -> np.ndarray:
    """Weights of the runs without the change; they add up to 1."""
    if contrast.kind == INTERACTION:
        return np.eye(len(contrast.weights))[0]
    return np.maximum(-contrast.weights, 0)


def rule_rankings(runs: Sequence[Measures], contrasts: Sequence[Contrast], level: float = 0.95) -> pd.DataFrame:
    """Which change of the rules changes who is ahead of whom: rule x strategy.

    Parameters
    ----------
    runs, contrasts
        As for :func:`rule_effects`; only changes against the base and main effects are looked at.
    level
        Coverage of all intervals of the table at once.

    Returns
    -------
    pandas.DataFrame
        A row for each contrast and pair of strategies: ``variant``, ``strategy``, ``opponent``, ``base_ahead`` (win
        rate of the one less that of the other under the base), ``low``, ``best``, ``high`` (what the change adds to
        it), ``p`` (of nothing, adjusted for all rows by Holm), ``variant_ahead`` (``base_ahead + best``), ``order``:
        ``"same"`` or ``"swapped"`` where the leads before and after are both separated from 0 (adjusted likewise),
        else ``"not separated"``.
    """
    contrasts = [contrast for contrast in contrasts if contrast.kind != INTERACTION]
    pairs = list(combinations(runs[0].labels, 2))
    if not pairs or not contrasts:
        return pd.DataFrame(columns=_RANKING_COLUMNS)
    keys = [Key("win_rate", ALL, label) for label in runs[0].labels]
    values, is_full, units = _values([run.chosen(keys) for run in runs])
    first, second = np.array([[runs[0].labels.index(label) for label in pair] for pair in pairs]).T
    ahead, is_full, units = values[:, first] - values[:, second], is_full[:, first], units[:, first]
    weights = np.array([contrast.weights for contrast in contrasts])
    before, after, change = (
        _weighted(ahead, is_full, units, each) for each in (np.maximum(-weights, 0), np.maximum(weights, 0), weights)
    )
    estimates = mean(change, simultaneous(level, len(contrasts) * len(pairs)))
    p = [holm(np.nan_to_num(p_value(sums), nan=1.0).ravel()) for sums in (before, after, change)]
    base_ahead, variant_ahead = (Spread.of(sums).best.ravel() for sums in (before, after))
    is_sure = np.maximum(p[0], p[1]) < 1 - level
    order = np.where(base_ahead * variant_ahead > 0, SAME, SWAPPED)
    columns = {
        "variant": np.repeat([contrast.label for contrast in contrasts], len(pairs)),
        **{name: [pair[i] for pair in pairs] * len(contrasts) for i, name in enumerate(("strategy", "opponent"))},
        "base_ahead": base_ahead,
        **{end: getattr(estimates, end).ravel() for end in ("low", "best", "high")},
        "p": p[2],
        "variant_ahead": variant_ahead,
        "order": np.where(is_sure, order, UNSURE),
    }
    return pd.DataFrame(columns)[_RANKING_COLUMNS]


_RANKING_COLUMNS = [
    "variant", "strategy", "opponent", "base_ahead", "variant_ahead", "low", "best", "high", "p", "order",
]  # fmt: skip


def _differences(runs: Sequence[Measures], contrasts: Sequence[Contrast]) -> _Differences:
    weights = np.array([contrast.weights for contrast in contrasts])
    sums = _weighted(*_values(runs), weights)
    spread, units = Spread.of(runs[0].sums), runs[0].sums.units
    # a deal that differs may differ by as much as two deals do
    size = np.where(spread.error > 0, spread.error * np.sqrt(units), 1.0)
    return _Differences(sums, runs[0].is_share, size, np.abs(weights).sum(1) / 2)


def _values(runs: Sequence[Measures]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A value for each run, key and group: the figure, and what the group's own blocks change about it.

    Also which groups hold anything, and how many deals stand behind each figure. Their mean over the groups is the
    figure, and their spread its error (delta method), as in :func:`~fiveup_sim.analysis.intervals.contrast`.
    """
    den = np.array([run.sums.den for run in runs])
    is_full = den != 0
    spreads = [Spread.of(run.sums) for run in runs]
    n_groups = is_full.any(0).sum(-1)[..., None]
    values = np.array([spread.best[:, None] + n_groups * spread.influence for spread in spreads])
    return np.nan_to_num(values), is_full, np.array([run.sums.units for run in runs])


def _weighted(values: np.ndarray, is_full: np.ndarray, units: np.ndarray, weights: np.ndarray) -> Sums:
    """Sums of runs with weights: shape (n_contrasts, n_keys, 128). Nothing is known where a run saw nothing."""
    parts = weights != 0
    is_known = np.array([is_full[part].any(0) & is_full[part].any(-1).all(0)[:, None] for part in parts])
    num = np.einsum("cr,rkg->ckg", weights, values)
    num = np.where(is_known & (np.abs(num) > _ROUNDING), num, 0.0)
    return Sums(num, is_known.astype(np.int64), np.array([units[part].min(0) for part in parts]))


def _plain(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in row.items()}
        for row in table.to_dict("records")
    ]
