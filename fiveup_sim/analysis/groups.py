"""From tallies to sums by group, for the whole table or by strategy: what every figure and its error are made of.

A figure is a ratio of two sums. Both are kept by group of blocks (128), pooled over seatings and line-ups. Line-ups
share their deals block by block, so that the same group of two line-ups holds the same deals, and pooling group by
group keeps their covariance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fiveup_sim.engine.tallies import N_GROUPS

if TYPE_CHECKING:
    from fiveup_sim.rules import Rules
    from fiveup_sim.tournament.match_results import MatchResults
    from fiveup_sim.tournament.results import Results


@dataclass(frozen=True)
class Sums:
    """Numerators and denominators of figures, by group."""

    num: np.ndarray
    """int64, shape (..., 128)."""
    den: np.ndarray
    """int64, shape (..., 128): games, hands or placements."""
    units: np.ndarray
    """int64, shape (...): how many independent observations stand behind each denominator when no spread is seen."""

    @classmethod
    def of(cls, num: np.ndarray, den: np.ndarray, n_deals: int) -> Sums:
        """Figures ``sum(num) / sum(den)`` from `n_deals` independent deals; the shapes are broadcast."""
        num, den = np.broadcast_arrays(num, den)
        return cls(num, den, np.minimum(den.sum(-1), n_deals))


def pooled(matches: Iterable[MatchResults], name: str) -> np.ndarray:
    """The sums of a tally by group, over all seatings of all line-ups.

    Parameters
    ----------
    matches
        Line-ups of one set of results.
    name
        A field of TALLY.

    Returns
    -------
    numpy.ndarray
        int64, shape (..., 128): the field's own axes, then groups.
    """
    return sum(np.moveaxis(match.tallies[name].sum(0), 0, -1) for match in matches)


def seats_of(match: MatchResults, labels: tuple[str, ...]) -> np.ndarray:
    """Which strategy sits at which seat: bool, shape (n_rotations, seats, n_strategies)."""
    positions = np.asarray(match.line_up.seatings)
    strategies = np.array([labels.index(name) for name in match.line_up.names])
    return strategies[positions][:, :, None] == np.arange(len(labels))


def sides_of(match: MatchResults, labels: tuple[str, ...], rules: Rules) -> np.ndarray:
    """Which strategy plays for which side: bool, shape (n_rotations, n_sides, n_strategies).

    Where partners differ, both play for their side.
    """
    seats = seats_of(match, labels)
    return np.stack([seats[:, side :: rules.n_sides].any(1) for side in range(rules.n_sides)], axis=1)


def by_seat_holder(results: Results, name: str) -> np.ndarray:
    """The sums of a tally kept by seat, moved to the strategies that sat there.

    Parameters
    ----------
    results
        Results of a match or tournament.
    name
        A field of TALLY whose first axis is the seat.

    Returns
    -------
    numpy.ndarray
        int64, shape (n_strategies, ..., 128): the field's axes but the seat, then groups.
    """
    return sum(_moved(match, name, seats_of(match, results.labels)) for match in results.matches)


def by_side_holder(results: Results, name: str) -> np.ndarray:
    """The sums of a tally kept by side, moved to the strategies that played for it; shapes as `by_seat_holder`."""
    return sum(_moved(match, name, sides_of(match, results.labels, results.rules)) for match in results.matches)


def by_table(results: Results, name: str) -> np.ndarray:
    """A tally of whole tables, ``"games"`` or ``"hands"``, once for each side a strategy played: shape (n, 128)."""
    return sum(
        np.einsum("rg,rk->kg", match.tallies[name], sides_of(match, results.labels, results.rules).sum(1))
        for match in results.matches
    )


def games_by_strategy(results: Results) -> np.ndarray:
    """Games in which each strategy sat at the table: int64, shape (n_strategies,)."""
    return sum(
        np.einsum("rg,rk->k", match.tallies["games"], seats_of(match, results.labels).any(1))
        for match in results.matches
    )


def n_deals(matches: Sequence[MatchResults], is_paired: bool, name: str) -> int:
    """How many independent ``"games"`` or ``"hands"`` were dealt: what seatings and line-ups share counts once."""
    by_match = [match.tallies[name] for match in matches]
    if is_paired:
        return int(np.max([tally.max(0) for tally in by_match], axis=0).sum())
    most = np.zeros((max(map(len, by_match)), N_GROUPS), np.int64)
    for tally in by_match:
        most[: len(tally)] = np.maximum(most[: len(tally)], tally)
    return int(most.sum())


def _moved(match: MatchResults, name: str, holders: np.ndarray) -> np.ndarray:
    return move(match.tallies[name][:, :, : holders.shape[1]], holders)


def move(tally: np.ndarray, holders: np.ndarray) -> np.ndarray:
    """Move counts from seats or sides to strategies.

    Parameters
    ----------
    tally
        int64, shape (n_rotations, 128, n, ...), n seats or sides.
    holders
        bool, shape (n_rotations, n, n_strategies): see `seats_of` and `sides_of`.

    Returns
    -------
    numpy.ndarray
        int64, shape (n_strategies, ..., 128).
    """
    return np.einsum("rgs...,rsk->k...g", tally, holders.astype(np.int64))
