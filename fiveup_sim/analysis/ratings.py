"""Ratings: how strong each strategy is, whoever it happened to meet, with what its seat and the lead add."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.linalg import block_diag, helmert

from fiveup_sim.analysis import groups
from fiveup_sim.analysis.choice import Fit, Games, fit, misfit, reaches
from fiveup_sim.analysis.intervals import t_quantile
from fiveup_sim.analysis.multiple import simultaneous

if TYPE_CHECKING:
    from fiveup_sim.tournament.match_results import MatchResults
    from fiveup_sim.tournament.results import Results


@dataclass(frozen=True, eq=False)
class Ratings:
    """What :func:`ratings` gives. Strengths are natural logarithms of odds; times 173.7 they are Elo points."""

    strategies: pd.DataFrame
    """``strategy``, ``low``, ``best``, ``high`` (strength, 0 is the mean of all), ``n`` (finished games), ``note``
    (where wins do not bound it), best first."""
    effects: pd.DataFrame
    """``effect``, ``low``, ``best``, ``high``, ``n``: what each seat (0 is their mean) and the first lead add."""
    covariance: pd.DataFrame
    """Of the strengths, by strategy and strategy: line-ups share their deals."""
    chi2: float
    """Misfit of the wins in each line-up, scaled to a chi square."""
    df: float
    """Its degrees of freedom; 0 if there is nothing to compare."""
    p: float
    """Its p-value: small if single strengths do not explain who beats whom."""
    is_separated: bool
    """Whether some strategies won every game from others: then half a win was lent to everybody, and the ends of
    intervals that no win bounds are infinite."""


def ratings(results: Results, level: float = 0.95) -> Ratings:
    """Rate the strategies by who won, with two sides or more (see :mod:`fiveup_sim.analysis.choice`).

    Unfinished games say nothing here. Where partners differ, a side is as strong as the mean of both; two that
    always play together are given the same strength.

    Parameters
    ----------
    results
        Of a tournament.
    level
        Coverage of all strengths at once, and of all effects at once.

    Returns
    -------
    Ratings
    """
    labels, rules = results.labels, results.rules
    games, totals = _games(results)
    reach = reaches(_won_from(results))
    is_separated = not reach.all()
    if is_separated:
        games = _with_lent_wins(games)
    fitted = fit(games)
    contrasts = block_diag(_contrasts(len(labels)), _contrasts(rules.n_sides), np.eye(1))
    values, covariance = contrasts @ fitted.params, contrasts @ fitted.covariance() @ contrasts.T
    chi2, df, p = misfit(games, fitted, totals)
    n = len(labels)
    strategies = _frame("strategy", labels, values[:n], covariance[:n, :n], fitted, level)
    strategies = _bounded(strategies.assign(n=_finished(results)), reach)
    names = [f"seat {side}" if rules.n_sides == rules.seats else f"side {side}" for side in range(rules.n_sides)]
    effects = _frame("effect", [*names, "lead"], values[n:], covariance[n:, n:], fitted, level)
    return Ratings(
        strategies.sort_values("best", ascending=False, kind="stable", ignore_index=True),
        effects.assign(n=int(games.wins.sum())),
        pd.DataFrame(covariance[:n, :n], index=labels, columns=labels),
        chi2,
        df,
        p,
        is_separated,
    )


def _contrasts(n: int) -> np.ndarray:
    """An orthonormal basis of what adds up to 0: float64, shape (n, n - 1)."""
    return helmert(n).T if n > 1 else np.zeros((1, 0))


def _games(results: Results) -> tuple[Games, np.ndarray]:
    """The finished games in cells, and which of their wins belong to each line-up and strategy."""
    cells = [_cells(match, results) for match in results.matches]
    features, wins, held = (np.concatenate(parts) for parts in zip(*cells, strict=True))
    match_of = np.repeat(np.arange(len(cells)), [len(parts[1]) for parts in cells])
    totals = [
        (match_of == k)[:, None] * (held[:, :, results.labels.index(name)] > 0)
        for k, match in enumerate(results.matches)
        for name in match.line_up.names
    ]
    return Games(features, wins), np.array(totals, float)


def _cells(match: MatchResults, results: Results) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each seating and side that leads the first hand: features, wins, and shares of sides by strategy."""
    n, n_sides = len(results.labels), results.rules.n_sides
    held = np.repeat(_shares_of_sides(match, results), n_sides, axis=0)
    side, lead = (np.tile(table, (match.line_up.n_rotations, 1, 1)) for table in _seat_features(n_sides))
    features = np.concatenate([held @ _contrasts(n), side, lead], axis=2)
    by_seat = match.tallies["first_led_wins"][:, :, : results.rules.seats, :n_sides]
    by_side = np.stack([by_seat[:, :, side::n_sides].sum(2) for side in range(n_sides)], axis=1)
    return features, np.moveaxis(by_side, 2, 3).reshape(-1, n_sides, groups.N_GROUPS).astype(float), held


def _seat_features(n_sides: int) -> tuple[np.ndarray, np.ndarray]:
    """What seat and lead bring to each side, by the side that leads: shapes (n_sides, n_sides, ...)."""
    return np.tile(_contrasts(n_sides), (n_sides, 1, 1)), np.eye(n_sides)[:, :, None]


def _shares_of_sides(match: MatchResults, results: Results) -> np.ndarray:
    """How much of each side is which strategy: float64, shape (n_rotations, n_sides, n_strategies)."""
    seats, n_sides = groups.seats_of(match, results.labels), results.rules.n_sides
    return np.stack([seats[:, side::n_sides].mean(1) for side in range(n_sides)], axis=1)


def _won_from(results: Results) -> np.ndarray:
    """Whether i won a game in which j played another side: bool, shape (n, n)."""
    n = len(results.labels)
    won = np.zeros((n, n), bool)
    for match in results.matches:
        sides = groups.sides_of(match, results.labels, results.rules).astype(np.int64)
        others = sides.sum(1, keepdims=True) - sides
        wins = match.tallies["wins"][:, :, : sides.shape[1]].sum(1)
        won |= np.einsum("rs,rsi,rsj->ij", wins, sides, others) > 0
    return won


def _with_lent_wins(games: Games) -> Games:
    """The games and half a win more for every side of every cell, spread over all groups."""
    n_groups = max(1, np.count_nonzero(games.wins.any((0, 1))))
    lent = 0.5 / n_groups * games.wins.any((0, 1))
    return Games(games.features, games.wins + lent)


def _finished(results: Results) -> np.ndarray:
    games = groups.games_by_strategy(results)
    unfinished = sum(
        np.einsum("rg,rk->k", match.tallies["unfinished"], groups.seats_of(match, results.labels).any(1))
        for match in results.matches
    )
    return games - unfinished


def _frame(
    column: str, names: list[str], values: np.ndarray, covariance: np.ndarray, fitted: Fit, level: float
) -> pd.DataFrame:
    half = t_quantile(fitted.df, simultaneous(level, len(names))) * np.sqrt(np.diag(covariance))
    if fitted.df < 1:
        half = np.full(len(names), np.inf)
    return pd.DataFrame({column: list(names), "low": values - half, "best": values, "high": values + half})


def _bounded(table: pd.DataFrame, reach: np.ndarray) -> pd.DataFrame:
    """Infinite ends, and a note, where a strategy won every game from others, or lost every one."""
    never_beaten = (~reach.T & reach).any(1) & ~(reach.T & ~reach).any(1)
    never_won = (reach.T & ~reach).any(1) & ~(~reach.T & reach).any(1)
    notes = np.select([never_beaten, never_won], ["won every game from some", "lost every game to some"], "")
    return table.assign(
        low=np.where(never_won, -np.inf, table["low"]), high=np.where(never_beaten, np.inf, table["high"]), note=notes
    )
