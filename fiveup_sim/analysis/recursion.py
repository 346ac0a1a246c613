"""From the law of a hand to the law of a game: forwards to where games are, backwards to what they are worth there.

A game with two sides is a walk of two scores and a leader. Forwards, one hand at a time, go the chances of every
score while the game is on; their sum over hands is how often each score is visited. Backwards goes the value of
every score: the chance to win from there, the chance of an extension, the hands still to come. Each hand is a
convolution with the law, by FFT.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.fft import irfft2, next_fast_len, rfft2

from fiveup_sim.analysis.hand_law import HandLaw

WIN, EXTENSION, HANDS = range(3)
"""What is valued: side 0 wins; the game goes into extension; hands still to come."""
REST = 1e-9
"""Games still on when the recursion stops: the share that is left out."""
MOST_HANDS = 3000
"""Hands after which the recursion gives up."""
_BELOW_FLOOR = 1e-6
_FIRST_FLOOR = 64


class TooLong(Exception):
    """Too many games are still on after the most hands."""


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

    Parameters
    ----------
    law
        The law of a hand.
    chances
        float64, shape (n,): probability of each outcome given its leader.
    target
        Points, in units of ``law.step``.
    floor
        Lower scores than ``-floor`` are taken for it.
    keeps_target
        Whether after a tie at the top the target is asked again.
    """

    def __init__(self, law: HandLaw, chances: np.ndarray, target: int, floor: int, keeps_target: bool) -> None:
        self.law, self.floor, self.target = law, floor, target
        fall, rise = max(0, -int(law.change.min())), max(0, int(law.change.max()))
        # a tie from which one hand could fall below the target is an ordinary score where the target is asked again
        top = target + (fall if keeps_target else 0)
        self.origin, self.first = fall + floor, fall
        size = fall + floor + top + rise
        self._n = next_fast_len(size, real=True)
        score = np.arange(self._n) - self.origin
        a, b = score[:, None], score[None, :]
        self.is_before = (a < target) & (b < target) & (np.arange(self._n) < size)[:, None]
        is_near_tie = keeps_target & (a == b) & (a >= target) & (a < top)
        self.is_on = self.is_before | is_near_tie
        self.is_win = ~self.is_before & (a > b)
        self.is_loss = ~self.is_before & (a < b)
        self.is_tie = ~self.is_before & (a == b)
        self._kernels = rfft2(self._kernel_table(chances))
        self._chances = chances

    def _kernel_table(self, chances: np.ndarray) -> np.ndarray:
        law, n = self.law, self.law.n_leads
        table = np.zeros((n, n + 1, self._n, self._n))
        np.add.at(table, (law.lead, law.next, law.change[:, 0], law.change[:, 1]), chances)
        return table[:, :n] + table[:, n:] / n

    def forward(self, is_on: np.ndarray, most_hands: int) -> Forward:
        """Follow all games from 0 to 0, first leader by lot, as long as the score is in `is_on`.

        Raises
        ------
        TooLong
            If more than `REST` of them are on after `most_hands` hands.
        FloorTooHigh
            If the floor matters.
        """
        n_leads = self.law.n_leads
        now = np.zeros((n_leads, self._n, self._n))
        now[:, self.origin, self.origin] = 1 / n_leads
        visits, wins, ties, below = np.zeros_like(now), [], [], 0.0
        while now.sum() > REST:
            if len(wins) == most_hands:
                raise TooLong
            visits += now
            after = irfft2(np.einsum("lxy,lmxy->mxy", rfft2(now), self._kernels), s=now.shape[1:])
            below += self._raise_to_floor(after)
            if below > _BELOW_FLOOR:
                raise _FloorTooHigh
            wins.append((after[:, self.is_win].sum(), after[:, self.is_loss].sum()))
            ties.append(after[:, self.is_tie & ~is_on].sum(1))
            now = np.where(is_on, after, 0.0)
        return Forward(visits, np.array(wins), np.array(ties))

    def _raise_to_floor(self, after: np.ndarray) -> float:
        first = self.first
        below = after[:, :first].sum() + after[:, :, :first].sum()
        after[:, first] += after[:, :first].sum(1)
        after[:, :, first] += after[:, :, :first].sum(2)
        after[:, :first] = 0.0
        after[:, :, :first] = 0.0
        return float(below)

    def backward(self, n_hands: int) -> np.ndarray:
        """The value of every score and next leader: float64, shape (3, n_leads, n, n), by what is valued."""
        values, is_open = self._ends()
        cost = np.zeros((3, 1, 1, 1))
        cost[HANDS] = 1.0
        kernels = self._kernels.conj()
        for _ in range(n_hands):
            before = irfft2(np.einsum("fmxy,lmxy->flxy", rfft2(values), kernels), s=values.shape[2:])
            values = np.where(is_open, before + cost, values)
            # below the floor a score is worth what the floor is
            values[:, :, : self.first] = values[:, :, self.first, None]
            values[:, :, :, : self.first] = values[:, :, :, self.first, None]
        return values

    def _ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Values where the game is over or in extension, 0 elsewhere; and where they are not known yet."""
        win, hands = self.extension_values()
        values = np.zeros((3, self.law.n_leads, self._n, self._n))
        values[WIN] = np.where(self.is_tie, win[:, None, None], self.is_win)
        values[HANDS] = np.where(self.is_tie, hands[:, None, None], 0.0)
        values[EXTENSION] = self.is_tie
        is_open = np.stack([self.is_on, self.is_before, self.is_on])[:, None]
        return np.where(is_open, 0.0, values), is_open

    def extension(self) -> tuple[np.ndarray, np.ndarray]:
        """A hand of an extension, by leader: chance to tie again and who leads then, shape (n_leads, n_leads); of side 0 to win, (n_leads,)."""
        law, n = self.law, self.law.n_leads
        a, b = law.change.T
        again = np.zeros((n, n + 1))
        np.add.at(again, (law.lead, law.next), np.where(a == b, self._chances, 0.0))
        win = np.bincount(law.lead, np.where(a > b, self._chances, 0.0), minlength=n)
        return again[:, :n] + again[:, n:] / n, win

    def extension_values(self) -> tuple[np.ndarray, np.ndarray]:
        """From a tie at the top: chance of side 0 to win, and expected hands to come, by leader: shape (n_leads,)."""
        again, win = self.extension()
        return tuple(np.linalg.solve(np.eye(len(win)) - again, np.stack([win, np.ones(len(win))], axis=1)).T)

    def slopes(self, visits: np.ndarray, values: np.ndarray) -> np.ndarray:
        """How fast a figure grows with the chance of each outcome: expected visits times what it leads to.

        Parameters
        ----------
        visits
            float64, shape (n_leads, n, n).
        values
            float64, shape (n_leads, n, n).

        Returns
        -------
        numpy.ndarray
            float64, shape (n,).
        """
        law = self.law
        table = irfft2(
            rfft2(visits).conj()[:, None] * rfft2(values)[None], s=visits.shape[1:]
        )  # by leader, next leader and score changes
        table = np.concatenate([table, table.mean(1, keepdims=True)], axis=1)
        return table[law.lead, law.next, law.change[:, 0], law.change[:, 1]]


class _FloorTooHigh(Exception):
    """Scores fall below the floor too often."""
