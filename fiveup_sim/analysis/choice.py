"""Who wins a game as a choice among its sides: the model behind the ratings, its fit and its errors.

Each side has a strength, a sum of what it brings: its strategy, its seat, the lead. It wins with the chance
``exp(strength) / sum(exp(strengths of all sides))``: Bradley and Terry (1952, Biometrika 39, 324) for two sides, the
first choice of Plackett and Luce for more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, log_softmax, softmax

_STEPS = 100
_SMALL = 1e-10


@dataclass(frozen=True)
class Games:
    """Finished games in cells: the same sides at the same seats, the same side leading."""

    features: np.ndarray
    """float64, shape (n_cells, n_sides, n_params): what each side brings."""
    wins: np.ndarray
    """float64, shape (n_cells, n_sides, n_groups): games won by side and group of blocks."""

    def by_group(self) -> np.ndarray:
        """Games by cell and group: float64, shape (n_cells, n_groups)."""
        return self.wins.sum(1)


@dataclass(frozen=True)
class Fit:
    """The most likely parameters, and their errors from the spread between groups of blocks."""

    params: np.ndarray
    """float64, shape (n_params,)."""
    influence: np.ndarray
    """float64, shape (n_params, n_groups): what each group's own games change about them."""
    chances: np.ndarray
    """float64, shape (n_cells, n_sides): chance of each side to win."""
    df: int
    """Groups that are not empty, less one."""

    def covariance(self) -> np.ndarray:
        """float64, shape (n_params, n_params): between groups of blocks (sandwich)."""
        return (self.df + 1) / max(self.df, 1) * self.influence @ self.influence.T


def fit(games: Games) -> Fit:
    """Maximum likelihood by Newton's method; the order of games plays no part.

    Parameters
    ----------
    games
        With some win for and against every set of strategies: see :func:`reaches`.

    Returns
    -------
    Fit
    """
    x, wins, n = games.features, games.wins.sum(2), games.by_group().sum(1)
    params = np.zeros(x.shape[2])
    for _ in range(_STEPS):
        chances = softmax(x @ params, axis=1)
        score = np.einsum("csp,cs->p", x, wins - n[:, None] * chances)
        step = np.linalg.lstsq(_information(x, chances, n), score, rcond=None)[0]
        params = params + _damped(step, params, x, wins)
        if np.abs(step).max(initial=0.0) < _SMALL:
            break
    chances = softmax(x @ params, axis=1)
    scores = np.einsum("csp,csg->pg", x, games.wins - games.by_group()[:, None, :] * chances[:, :, None])
    influence = np.linalg.pinv(_information(x, chances, n)) @ scores
    n_groups = int(np.count_nonzero(games.by_group().sum(0)))
    return Fit(params, influence, chances, n_groups - 1)


def _information(x: np.ndarray, chances: np.ndarray, n: np.ndarray) -> np.ndarray:
    middle = np.einsum("csp,cs->cp", x, chances)
    apart = x - middle[:, None, :]
    return np.einsum("csp,csq,cs,c->pq", apart, apart, chances, n)


def _damped(step: np.ndarray, params: np.ndarray, x: np.ndarray, wins: np.ndarray) -> np.ndarray:
    """`step`, halved until it does not make the games less likely."""

    def likelihood(at: np.ndarray) -> float:
        return float((wins * log_softmax(x @ at, axis=1)).sum())

    now = likelihood(params)
    for _ in range(30):
        if likelihood(params + step) >= now - _SMALL * abs(now):
            break
        step = step / 2
    return step


def reaches(won_from: np.ndarray) -> np.ndarray:
    """Which strategies are linked to which by a chain of wins.

    Unless every one reaches every other, some strengths are infinitely far apart (Ford 1957, American Mathematical
    Monthly 64, 28).

    Parameters
    ----------
    won_from
        bool, shape (n, n): whether i won a game in which j played another side.

    Returns
    -------
    numpy.ndarray
        bool, shape (n, n): whether i won from j, or from one that won from j, and so on.
    """
    reach = won_from | np.eye(len(won_from), dtype=bool)
    for _ in range(len(won_from).bit_length()):
        reach = (reach.astype(np.int64) @ reach.astype(np.int64)) > 0
    return reach


def misfit(games: Games, fitted: Fit, totals: np.ndarray) -> tuple[float, float, float]:
    """How far the games are from the fit.

    Pearson's statistic of `totals`, against the distribution that the spread between groups gives it: a multiple of
    chi square with the same mean and variance (Satterthwaite; Rao and Scott 1984, Annals of Statistics 12, 46).

    Parameters
    ----------
    games, fitted
        The games and their fit.
    totals
        float64, shape (n_totals, n_cells, n_sides): which wins are added up to the totals that are compared.

    Returns
    -------
    chi2, df, p
        The statistic scaled to a chi square, its degrees of freedom (0 if nothing is left to compare), the p-value.
    """
    x, chances, n = games.features, fitted.chances, games.by_group()
    apart = games.wins - n[:, None, :] * chances[:, :, None]
    middle = np.einsum("csp,cs->cp", x, chances)
    slopes = np.einsum("tcs,c,cs,csp->tp", totals, n.sum(1), chances, x - middle[:, None, :])
    by_group = np.einsum("tcs,csg->tg", totals, apart) - slopes @ fitted.influence
    expected = np.einsum("tcs,c,cs->t", totals, n.sum(1), chances)
    weighted = by_group / np.sqrt(np.maximum(expected, _SMALL))[:, None]
    spread = (fitted.df + 1) / max(fitted.df, 1) * weighted @ weighted.T
    mean, square = np.trace(spread), (spread * spread).sum()
    if square < _SMALL:
        return 0.0, 0.0, 1.0
    chi2, df = (weighted.sum(1) ** 2).sum() * mean / square, mean**2 / square
    return float(chi2), float(df), float(chdtrc(df, chi2))
