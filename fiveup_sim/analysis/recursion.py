"""From the law of a hand to the law of a game: forwards to where games are, backwards to what they are worth there.

A game with two sides is a walk of two scores and a leader. Forwards, one hand at a time, go the chances of every
score while the game is on; their sum over hands is how often each score is visited. Backwards goes the value of
every score: the chance to win from there, the chance of an extension, the hands still to come. Each hand is a
convolution with the law, by FFT.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.fft import irfft2, next_fast_len, rfft2

from fiveup_sim.analysis.hand_law import HandLaw

WIN, EXTENSION, HANDS = range(3)
"""What is valued: side 0 wins; the game goes into extension; hands still to come."""
REST = 1e-7
"""Share of games still on when the walk stops."""
BELOW_FLOOR = 1e-4
"""Share of games that may fall below the floor; so far behind, a point more or less changes next to nothing."""
_ALL_TIES = 1 - 1e-9


class NoLawError(Exception):
    """The law of a game does not follow from these hands; the message says why."""


@dataclass(frozen=True)
class Forward:
    """Where games go."""

    visits: np.ndarray
    """float64, shape (n_leads, n, n): expected hands played from each score, by leader."""
    wins: np.ndarray
    """float64, shape (n_hands, 2): chance that a side wins in the target phase with this hand."""
    ties: np.ndarray
    """float64, shape (n_hands, n_leads): chance that this hand begins an extension that class leads."""


class Walk:
    """The scores of a game as a grid, for one law, one target and one floor.

    Rows of the grid are scores of side 0, columns those of side 1. A box of it are the scores at which the game is
    on; around it lie the scores that one more hand can lead to.

    Parameters
    ----------
    law
        The law of a hand.
    target
        Points, in units of ``law.step``.
    floor
        Lower scores than ``-floor`` are taken for it.
    keeps_target
        Whether after a tie at the top the target is asked again.

    Raises
    ------
    NoLawError
        If a class of leaders has led no hand, or no hand breaks a tie.
    """

    def __init__(self, law: HandLaw, target: int, floor: int, keeps_target: bool) -> None:
        if not law.hands().sum(1).all():
            raise NoLawError("too few hands: somebody has never led")
        self.law, self.chances = law, law.chances()
        fall, rise = max(0, -int(law.change.min())), max(0, int(law.change.max()))
        self._first, self._zero, self._end = fall, fall + floor, fall + floor + target
        # where the target is asked again, a tie is an ordinary score if one hand can take both sides below the target
        self._ties_from = self._end + (fall if keeps_target else 0)
        self._near_ties = np.arange(self._end, self._ties_from)
        self._box = (slice(None), slice(fall, self._end), slice(fall, self._end))
        self._n = next_fast_len(self._ties_from + rise, real=True)
        score = np.arange(self._n)
        is_over = np.maximum.outer(score, score) >= self._end
        won = (is_over & np.greater.outer(score, score)).astype(float)
        self._won = np.stack([won, won.T])
        self._kernels = rfft2(self._kernel_table())

    def _kernel_table(self) -> np.ndarray:
        """Chances by leader, next leader and score changes, which are counted from the far end where negative."""
        law, n = self.law, self.law.n_leads
        table = np.zeros((n, n + 1, self._n, self._n))
        np.add.at(table, (law.lead, law.next, law.change[:, 0], law.change[:, 1]), self.chances)
        return table[:, :n] + table[:, n:] / n

    def forward(self, most_hands: int, to_first_tie: bool = False) -> Forward:
        """Follow all games from 0 to 0, the first leader drawn by lot, until they are won or go into extension.

        Parameters
        ----------
        most_hands
            Hands to follow them for.
        to_first_tie
            Whether every tie at the top ends the walk, even where the target is asked again.

        Raises
        ------
        NoLawError
            If more than `REST` of them are on after `most_hands` hands.
        FloorTooHighError
            If more than `BELOW_FLOOR` of them fall below the floor.
        """
        near_ties = self._near_ties[:0] if to_first_tie else self._near_ties
        ties_from = self._end if to_first_tie else self._ties_from
        now = np.zeros((self.law.n_leads, self._n, self._n))
        now[:, self._zero, self._zero] = 1 / len(now)
        visits, wins, ties, on, below = np.zeros_like(now), [], [], 1.0, 0.0
        while on > REST:
            if len(wins) == most_hands:
                raise NoLawError("games are too long")
            visits += now
            after = irfft2(np.einsum("lxy,lmxy->mxy", rfft2(now), self._kernels), s=now.shape[1:])
            below += self._raise_to_floor(after)
            if below > BELOW_FLOOR:
                raise FloorTooHighError
            wins.append(self._won.reshape(2, -1) @ after.sum(0).ravel())
            ties.append(after.diagonal(0, 1, 2)[:, ties_from:].sum(1))
            on -= wins[-1].sum() + ties[-1].sum()
            now[self._box] = after[self._box]
            now[:, near_ties, near_ties] = after[:, near_ties, near_ties]
        return Forward(visits, np.array(wins), np.array(ties))

    def _raise_to_floor(self, after: np.ndarray) -> float:
        """Take scores below the floor for it; returns the share of games that this moves."""
        first = self._first
        below = after[:, :first].sum() + after[:, first:, :first].sum()
        after[:, first] += after[:, :first].sum(1)
        after[:, :first] = 0.0
        after[:, :, first] += after[:, :, :first].sum(2)
        after[:, :, :first] = 0.0
        return float(below)

    def backward(self, n_hands: int, figures: Sequence[int] = (WIN, EXTENSION, HANDS)) -> np.ndarray:
        """What every score is worth to side 0, seen `n_hands` ahead.

        Parameters
        ----------
        n_hands
            Hands to look ahead.
        figures
            What to value.

        Returns
        -------
        numpy.ndarray
            float32, shape (len(figures), n_leads, n, n): by figure and next leader.
        """
        # single precision halves the time and is a thousandfold finer than any error from the games
        values, kernels = self._ends(figures).astype(np.float32), self._kernels.conj().astype(np.complex64)
        first, box, near = self._first, (slice(None), *self._box), self._near_ties
        cost = np.array([figure == HANDS for figure in figures], np.float32)[:, None, None, None]
        through_ties = [k for k, figure in enumerate(figures) if figure != EXTENSION]
        for _ in range(n_hands):
            before = irfft2(np.einsum("fmxy,lmxy->flxy", rfft2(values), kernels), s=values.shape[2:])
            before += cost
            values[box] = before[box]
            for k in through_ties:
                values[k, :, near, near] = before[k, :, near, near]
            # below the floor a score is worth what the floor is
            values[:, :, :first] = values[:, :, first, None]
            values[:, :, :, :first] = values[:, :, :, first, None]
        return values

    def _ends(self, figures: Sequence[int]) -> np.ndarray:
        """Values of the scores at which the game is over or in extension; 0 for all others."""
        win, hands = self.extension_values()
        values = np.zeros((3, self.law.n_leads, self._n, self._n))
        values[WIN] = self._won[0]
        ties = np.arange(self._ties_from, self._n)
        values[WIN, :, ties, ties] = win
        values[HANDS, :, ties, ties] = hands
        values[EXTENSION, :, self._near_ties, self._near_ties] = values[EXTENSION, :, ties, ties] = 1.0
        return values[list(figures)]

    def from_zero(self, values: np.ndarray) -> np.ndarray:
        """Those of `values` at scores from 0 to below the target: shape (..., n_scores, n_scores)."""
        return values[..., self._zero : self._end, self._zero : self._end]

    def extension(self) -> tuple[np.ndarray, np.ndarray]:
        """A hand of an extension.

        Returns
        -------
        numpy.ndarray
            float64, shape (n_leads, n_leads): by leader, the chance of another tie that a class leads then.
        numpy.ndarray
            float64, shape (n_leads,): by leader, the chance that side 0 wins.
        """
        law, n = self.law, self.law.n_leads
        a, b = law.change.T
        again = np.zeros((n, n + 1))
        np.add.at(again, (law.lead, law.next), np.where(a == b, self.chances, 0.0))
        win = np.bincount(law.lead, np.where(a > b, self.chances, 0.0), minlength=n)
        return again[:, :n] + again[:, n:] / n, win

    def extension_values(self) -> tuple[np.ndarray, np.ndarray]:
        """From a tie at the top: side 0's chance to win, and hands to come; float64, shape (n_leads,) by leader."""
        again, win = self.extension()
        if again.sum(1).max() > _ALL_TIES:
            raise NoLawError("no hand breaks a tie")
        both = np.linalg.solve(np.eye(len(win)) - again, np.stack([win, np.ones_like(win)], axis=1))
        return both[:, 0], both[:, 1]

    def slopes(self, visits: np.ndarray, values: np.ndarray) -> np.ndarray:
        """How fast a figure grows with the chance of each outcome: expected visits times what it leads to.

        Parameters
        ----------
        visits
            float64, shape (n_leads, n, n), of :meth:`forward`.
        values
            float32, shape (n_leads, n, n): one figure of :meth:`backward`.

        Returns
        -------
        numpy.ndarray
            float64, shape (n_outcomes,).
        """
        table = irfft2(rfft2(visits).conj()[:, None] * rfft2(values)[None], s=visits.shape[1:])
        return self._by_outcome(table, self.law.change[:, 0], self.law.change[:, 1])

    def _by_outcome(self, table: np.ndarray, *at: np.ndarray) -> np.ndarray:
        """Entries of a table by leader and next leader; a next leader by lot is worth the mean of all."""
        with_lot = np.concatenate([table, table.mean(1, keepdims=True)], axis=1)
        return with_lot[self.law.lead, self.law.next, *at]

    def extension_slopes(self, visits: np.ndarray, win: np.ndarray, hands: np.ndarray) -> np.ndarray:
        """As :meth:`slopes`, for the hands of extensions.

        Parameters
        ----------
        visits
            float64, shape (n_leads,): expected extension hands by leader.
        win, hands
            As of :meth:`extension_values`.

        Returns
        -------
        numpy.ndarray
            float64, shape (3, n_outcomes): by what is valued.
        """
        law = self.law
        a, b = law.change.T
        n_visits = visits[law.lead]
        tie = (a == b) * n_visits
        slopes = np.zeros((3, len(a)))
        slopes[WIN] = (a > b) * n_visits + tie * self._by_outcome(np.tile(win, (len(win), 1)))
        slopes[HANDS] = tie * self._by_outcome(np.tile(hands, (len(hands), 1)))
        return slopes


class FloorTooHighError(Exception):
    """Scores fall below the floor too often."""
