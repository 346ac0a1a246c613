"""How much of a game between two strategies is luck.

A single hand between two sides is made by who plays which side (the pairing), who leads, what is dealt, and the rest:
what the strategies do with it differently, and their own chance. All seatings of a block play their first hand with
the same lot on the same deal, which tells these apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import bdtrc

from fiveup_sim.analysis import groups
from fiveup_sim.analysis.frames import COLUMNS
from fiveup_sim.analysis.groups import Sums
from fiveup_sim.analysis.intervals import Estimates, difference, divide, mean, share, t_quantile
from fiveup_sim.analysis.planning import ahead_of_second
from fiveup_sim.analysis.scores import size_of_hand
from fiveup_sim.engine.tallies import N_GROUPS
from fiveup_sim.tournament.match_results import MatchResults
from fiveup_sim.tournament.results import Results

SOURCES = ("pairing", "lead", "deal", "rest")
"""What the result of a hand comes from."""
_MOST_GAMES = 1 << 40
_FEWEST_BLOCKS = 10
"""Fewer first hands say nothing about variances."""


def luck_measures(results: Results, level: float = 0.95) -> pd.DataFrame:
    """What playing better, leading and sitting are worth.

    Parameters
    ----------
    results
        Of a match of two sides.
    level
        Coverage of each single interval.

    Returns
    -------
    pandas.DataFrame
        Indexed by ``measure``: ``low``, ``best``, ``high``, ``n``:

        - ``win_rate``: of the first strategy; unfinished games are won by nobody;
        - ``points_ahead``: points of the first strategy less those of the second, per hand;
        - ``lead_points``: points of the leader's side less the other's, per hand;
        - ``lead_win_rate``: games won by the side that leads the first hand, less games won by the other;
        - ``seat_win_rate``: games won by the side of seat 0, less games won by the other.

    Raises
    ------
    ValueError
        If it is not one match of two strategies.
    """
    match = _check(results)
    tally = {name: groups.pooled([match], name) for name in ("games", "wins", "hands", "led_change", "first_led_wins")}
    n_games, n_hands = (groups.n_deals([match], results.paired, name) for name in ("games", "hands"))
    side_of = [results.rules.side(seat) for seat in range(results.rules.seats)]
    led, first_led = (
        sum(tally[name][seat, side] - tally[name][seat, 1 - side] for seat, side in enumerate(side_of))
        for name in ("led_change", "first_led_wins")
    )
    size = size_of_hand(results)
    rows = {
        "win_rate": share(Sums.of(_wins(results), tally["games"], n_games), level),
        "points_ahead": mean(Sums.of(ahead_of_second(match, results, "change"), tally["hands"], n_hands), level, size),
        "lead_points": mean(Sums.of(led, tally["hands"], n_hands), level, size),
        "lead_win_rate": difference(Sums.of(first_led, tally["games"], n_games), level),
        "seat_win_rate": difference(Sums.of(tally["wins"][0] - tally["wins"][1], tally["games"], n_games), level),
    }
    return _frame(rows, "measure")


def games_to_tell(results: Results, chance: float = 0.95, level: float = 0.95) -> Estimates:
    """Games until the better of two strategies has won more of them, with this chance.

    Single games on deals of their own, as at a real table. What the better one wins is counted without draws: an
    unfinished game is played for nothing.

    Parameters
    ----------
    results
        Of a match of two strategies.
    chance
        How sure it is to be ahead after so many games.
    level
        Coverage.

    Returns
    -------
    Estimates
        Shape (); ``high`` is inf if it is not known which one is better.
    """
    match = _check(results)
    wins, games = _wins(results), groups.pooled([match], "games")
    decided = games - groups.pooled([match], "unfinished")
    n = groups.n_deals([match], results.paired, "games")
    rate = share(Sums.of(wins, decided, n), level)
    low, best, high = _of_better(rate)
    played = divide(games.sum(), decided.sum())
    ends = [math.ceil(_games(p, chance) * played) if p > 0.5 else math.inf for p in (high, best, low)]
    return Estimates(*map(np.asarray, ends), np.asarray(games.sum()))


def hand_shares(results: Results, level: float = 0.95) -> pd.DataFrame:
    """Analysis of variance of first hands: which share of a single hand's result comes from what.

    The result is the points of side 0 less those of side 1. ``pairing``: which of the two strategies plays side 0;
    ``lead``: which side leads; ``deal``: what both seatings of a deal have in common beyond that; ``rest``: the
    strategies' own ways with the deal, and their chance.

    Parameters
    ----------
    results
        Of a match of two strategies, with ``keep_games=True`` and shared deals.
    level
        Coverage of each single interval.

    Returns
    -------
    pandas.DataFrame
        Indexed by ``source`` (:data:`SOURCES`): ``low``, ``best``, ``high`` (shares of the variance; they add up to
        1) and ``n`` (first hands). Intervals by a jackknife over the groups of blocks.

    Raises
    ------
    ValueError
        If it is not one match of two strategies, there are fewer than 20 games, or they were not kept or not on common
        deals.
    """
    sums = _moments(results)
    best, error, n_groups = _jackknife(sums)
    half = t_quantile(n_groups - 1, level) * error
    low, high = np.clip(best - half, 0, 1), np.clip(best + half, 0, 1)
    low[:2], high[:2] = _squared(best[4:], half[4:])
    n_hands = np.asarray(2 * sums.n.sum())
    rows = {
        source: Estimates(np.asarray(low[i]), np.asarray(best[i]), np.asarray(high[i]), n_hands)
        for i, source in enumerate(SOURCES)
    }
    return _frame(rows, "source")


def _jackknife(sums: _Moments) -> tuple[np.ndarray, np.ndarray, int]:
    """What :func:`_shares` gives, its standard errors, and the number of groups."""
    groups_seen = np.flatnonzero(sums.n.sum(0))
    n = len(groups_seen)
    without = np.array([_shares(sums.without(group)) for group in groups_seen])
    error = np.sqrt((n - 1) / n * ((without - without.mean(0)) ** 2).sum(0))
    return _shares(sums.total()), error, n


def _squared(middle: np.ndarray, half: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ends of the square of what lies between ``middle - half`` and ``middle + half``."""
    nearest, farthest = np.maximum(np.abs(middle) - half, 0), np.abs(middle) + half
    return nearest**2, np.minimum(farthest**2, 1)


@dataclass(frozen=True)
class _Moments:
    """Sums over blocks of the results y0, y1 of a first hand in the two seatings, by leading side and group."""

    n: np.ndarray
    """Blocks; shape (2, 128), or (2,) when added up."""
    first: np.ndarray
    """Sums of y0 and y1: shape (2, 2, 128)."""
    second: np.ndarray
    """Sums of their products: shape (2, 2, 2, 128)."""

    def total(self) -> _Moments:
        return _Moments(self.n.sum(-1), self.first.sum(-1), self.second.sum(-1))

    def without(self, group: int) -> _Moments:
        total = self.total()
        parts = ((getattr(total, name), getattr(self, name)[..., group]) for name in ("n", "first", "second"))
        return _Moments(*(whole - part for whole, part in parts))


def _moments(results: Results) -> _Moments:
    match = _check(results)
    if match.games is None or not results.paired:
        raise ValueError("first hands are compared on common deals: play with keep_games=True, paired=True")
    if match.n_blocks < _FEWEST_BLOCKS:
        raise ValueError(f"games = {match.n_games}: at least {2 * _FEWEST_BLOCKS} are needed")
    games = match.games.reshape(-1, 2)
    lead = games["first_lead"][:, 0] % results.rules.n_sides
    group = games["block"][:, 0] % N_GROUPS
    y = (games["first_change"][:, :, 0] - games["first_change"][:, :, 1]).astype(float)
    n, first, second = np.zeros((2, N_GROUPS)), np.zeros((2, N_GROUPS, 2)), np.zeros((2, N_GROUPS, 2, 2))
    np.add.at(n, (lead, group), 1)
    np.add.at(first, (lead, group), y)
    np.add.at(second, (lead, group), y[:, :, None] * y[:, None, :])
    return _Moments(n, np.moveaxis(first, 1, -1), np.moveaxis(second, 1, -1))


def _shares(sums: _Moments) -> np.ndarray:
    """Variance by source / all variance, each freed of what mere chance adds to it, and two signed roots.

    Returns
    -------
    numpy.ndarray
        float64, shape (6,): the shares of :data:`SOURCES`; then the differences between the seatings and between the
        leads, in the same unit before they are squared: their errors stay what they are near 0, those of squares
        do not.
    """
    n, first = sums.n, sums.first
    n_blocks = n.sum()
    means = divide(first, n[:, None])  # by leading side and seating
    means = np.where(n[:, None] > 0, means, means[::-1])  # one side may lead always
    by_seating, by_lead = first.sum(0) / n_blocks, means.mean(1)
    covariance = sums.second - n[:, None, None] * means[:, :, None] * means[:, None, :]
    covariance = covariance.sum(0) / (n_blocks - np.count_nonzero(n))
    of_block = covariance.mean()  # variance of a block's mean
    pairing, lead = (by_seating[0] - by_seating[1]) / 2, np.sqrt(n.prod()) / n_blocks * (by_lead[0] - by_lead[1])
    noise = (np.trace(covariance) / 2 - covariance[0, 1]) / 2 / n_blocks, of_block / n_blocks
    total = np.trace(sums.second.sum(0)) / (2 * n_blocks) - by_seating.mean() ** 2 + noise[1]
    known = np.array([max(pairing**2 - noise[0], 0), max(lead**2 - noise[1], 0), max(covariance[0, 1], 0)]) / total
    return np.array([*known, 1 - known.sum(), *np.array([pairing, lead]) / np.sqrt(total)])


def _wins(results: Results) -> np.ndarray:
    """Games won by the first strategy: int64, shape (128,)."""
    match = results.matches[0]
    ahead = ahead_of_second(match, results, "wins")
    return (ahead + groups.pooled([match], "wins").sum(0)) // 2


def _of_better(rate: Estimates) -> tuple[float, float, float]:
    """A win rate as that of whoever is ahead."""
    low, best, high = float(rate.low), float(rate.best), float(rate.high)
    return (low, best, high) if best >= 0.5 else (1 - high, 1 - best, 1 - low)


def _games(p: float, chance: float) -> int:
    """The smallest odd number of games of which one that wins `p` of them (above 1/2) wins most, with this chance."""
    return 2 * _first(lambda k: bdtrc(k, 2 * k + 1, p) >= chance) + 1


def _first(is_enough: Callable[[int], bool]) -> int:
    """The smallest number from 0 that is enough, as all above it are."""
    low, high = -1, 1
    while not is_enough(high) and high < _MOST_GAMES:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def _check(results: Results) -> MatchResults:
    if len(results.matches) != 1 or results.rules.n_sides != 2 or len(results.matches[0].line_up.names) != 2:
        raise ValueError(f"{results!r}: one match of two strategies, one a side, is needed")
    return results.matches[0]


def _frame(rows: dict[str, Estimates], name: str) -> pd.DataFrame:
    table = {row: [getattr(figure, column)[()] for column in COLUMNS] for row, figure in rows.items()}
    return pd.DataFrame.from_dict(table, orient="index", columns=COLUMNS).rename_axis(name).astype({"n": "int64"})
