"""Deciding early, without being fooled by looking often.

A confidence sequence is an interval for every look that holds at all looks at once: stopping because the interval
now looks good enough does no harm. Both kinds here are mixtures of likelihood ratios, which exceed ``1 / error`` at
any time with no more than the chance `error` (Ville 1939; Robbins 1970, Annals of Mathematical Statistics 41, 1397).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq
from scipy.special import logsumexp

from fiveup_sim.analysis.planning import blocks_for_power, signs

if TYPE_CHECKING:
    from fiveup_sim.tournament.match_results import MatchResults
    from fiveup_sim.tournament.results import Results

_LARGEST_BET = 0.99
_BET_RATIO = 1.3
_FEW_BLOCKS = 100
"""Blocks before a normal interval says anything."""


class Verdict(Enum):
    """What a comparison came to."""

    FIRST = "the first is better"
    SECOND = "the second is better"
    NO_DIFFERENCE = "no difference larger than the one asked about"
    UNDECIDED = "undecided at the limit"


@dataclass(frozen=True)
class Question:
    """What is asked about two strategies before the first game."""

    difference: float
    """The smallest difference that would matter, in the unit of the figure."""
    error: float = 0.05
    """Chance to answer wrongly, however often one looks."""

    def __post_init__(self) -> None:
        if not self.difference > 0:
            raise ValueError(f"difference = {self.difference}: allowed more than 0")
        if not 0 < self.error < 1:
            raise ValueError(f"error = {self.error}: allowed between 0 and 1")

    def answer(self, low: float, high: float) -> Verdict | None:
        """The verdict on an interval for the difference; None: play on."""
        if low > 0:
            return Verdict.FIRST
        if high < 0:
            return Verdict.SECOND
        if -self.difference <= low and high <= self.difference:
            return Verdict.NO_DIFFERENCE
        return None


@dataclass(frozen=True)
class Look:
    """What is known after so many blocks."""

    n_blocks: int
    """Blocks so far."""
    low: float
    """Lower end of the difference; it holds at all looks at once."""
    best: float
    """The difference so far."""
    high: float
    """Upper end."""
    sd: float
    """Standard deviation of a block's difference."""
    verdict: Verdict | None
    """The answer, or None: play on."""


class WinComparison:
    """Games won by the first strategy / games, less 1/2, over blocks of two sides; an unfinished game is half won.

    The interval is valid at every look for any distribution: a mixture of bets on each candidate mean (Waudby-Smith
    and Ramdas 2024, Journal of the Royal Statistical Society B 86, 1), most of them on differences of the size asked
    about and somewhat larger.

    Parameters
    ----------
    question
        Its difference and the interval are in win rate: 0.01 asks for 51 % against 49 %.
    """

    def __init__(self, question: Question) -> None:
        self.question = question
        self._blocks: dict[float, int] = {}
        # shares of the stake; one of 2 x difference suits games that are won by halves, larger ones suit blocks that
        # differ less
        n_bets = max(1, int(np.log(_LARGEST_BET / (2 * question.difference)) / np.log(_BET_RATIO)) + 1)
        self._bets = np.minimum(2 * question.difference * _BET_RATIO ** np.arange(n_bets), _LARGEST_BET)

    def add(self, ahead: np.ndarray, games: np.ndarray) -> Look:
        """Add blocks and look.

        Parameters
        ----------
        ahead
            int64, shape (n_blocks,): games that the first won less games that the second won, by block.
        games
            int64, shape (n_blocks,): games by block.
        """
        for value, n in zip(*np.unique(ahead / (2 * games), return_counts=True), strict=True):
            self._blocks[float(value)] = self._blocks.get(float(value), 0) + int(n)
        values, counts = np.array(list(self._blocks)), np.array(list(self._blocks.values()))
        n = counts.sum()
        best = float(values @ counts / n)
        low, high = self._end(values, counts, best, -0.5), self._end(values, counts, best, 0.5)
        sd = float(np.sqrt(counts @ (values - best) ** 2 / max(n - 1, 1)))
        return Look(int(n), low, best, high, sd, self.question.answer(low, high))

    def _end(self, values: np.ndarray, counts: np.ndarray, best: float, edge: float) -> float:
        """The candidate mean between `best` and `edge` from which on all are ruled out."""
        goal = np.log(1 / self.question.error)

        def excess(mean: float) -> float:
            return self._log_wealth(values, counts, mean) - goal

        inside = abs(edge) - 1e-9
        start, end = float(np.clip(best, -inside, inside)), np.copysign(inside, edge)
        if start == end or excess(end) <= 0:
            return edge
        return float(brentq(excess, start, end, xtol=1e-7))

    def _log_wealth(self, values: np.ndarray, counts: np.ndarray, mean: float) -> float:
        """Logarithm of what bets against `mean` have made of 1.

        Half of them are on higher means, half on lower ones. Each bets a share of what it could lose at most, so that
        wealth never falls as `mean` moves away from what was seen.
        """
        shares = np.concatenate([self._bets / (0.5 + mean), -self._bets / (0.5 - mean)])
        growth = np.log1p(shares[:, None] * (values - mean)) @ counts
        return float(logsumexp(growth) - np.log(len(shares)))


class PointComparison:
    """Points per hand of the first strategy's side less those of the other, over blocks.

    The interval is valid at every look once there are many blocks: a normal mixture (Robbins 1970; Waudby-Smith,
    Arbour, Sinha, Kennedy and Ramdas 2024, Annals of Statistics 52, 2613), narrowest when the question is answered.

    Parameters
    ----------
    question
        Its difference and the interval are in points per hand.
    size
        Points by which a block that is not level may well differ: seen once more than it was.
    """

    def __init__(self, question: Question, size: float) -> None:
        self.question, self._size = question, size
        self._sums = np.zeros(6)
        self._tuned_to: float | None = None

    def add(self, ahead: np.ndarray, hands: np.ndarray) -> Look:
        """Add blocks and look.

        Parameters
        ----------
        ahead
            int64, shape (n_blocks,): points of the first less points of the second, by block.
        hands
            int64, shape (n_blocks,): hands by block.
        """
        x, h = ahead.astype(float), hands.astype(float)
        self._sums += [len(x), x.sum(), h.sum(), x @ x, x @ h, h @ h]
        n, all_x, all_h, xx, xh, hh = self._sums
        best = all_x / all_h
        squares = max(0.0, xx - 2 * best * xh + best * best * hh) + self._size**2
        sd = np.sqrt(squares / max(n - 1, 1)) / (all_h / n)
        half = np.inf if n < _FEW_BLOCKS else sd / np.sqrt(n) * self._quantile(n, sd)
        low, high = float(best - half), float(best + half)
        return Look(int(n), low, float(best), high, float(sd), self.question.answer(low, high))

    def _quantile(self, n: float, sd: float) -> float:
        """Half the width in standard errors."""
        twice_log = -2 * np.log(self.question.error)
        if self._tuned_to is None:
            # fixed at the first look: where the interval should be as wide as the difference asked about
            self._tuned_to = 9 * (sd / self.question.difference) ** 2
        weight = n * (twice_log + np.log(twice_log + 1)) / self._tuned_to
        return float(np.sqrt((1 + 1 / weight) * (twice_log + np.log1p(weight))))


@dataclass(frozen=True)
class Decision:
    """How a comparison ended."""

    verdict: Verdict
    """One of four."""
    look: Look
    """The last look."""
    n_looks: int
    """How often was looked."""
    fixed_blocks: int
    """Blocks that a plan without looking would have needed to find the difference asked about with 80 % power."""


def decide(
    play: Callable[[int, int], tuple[np.ndarray, np.ndarray]],
    comparison: WinComparison | PointComparison,
    most_blocks: int,
    first_blocks: int = 128,
) -> Decision:
    """Play until the question is answered, or the limit is reached.

    Parameters
    ----------
    play
        Plays blocks ``first .. first + n - 1`` and gives what :meth:`WinComparison.add` takes; looks are taken on the
        blocks from 0 on, in their order, so that the answer does not depend on who played them when.
    comparison
        What is compared: a new one.
    most_blocks
        The limit, at least 1.
    first_blocks
        Blocks before the first look; every later look comes after a quarter more.

    Returns
    -------
    Decision
    """
    n_looks, n_blocks, question = 0, 0, comparison.question
    while True:
        step = min(most_blocks - n_blocks, max(first_blocks, n_blocks // 4))
        look = comparison.add(*play(n_blocks, step))
        n_looks, n_blocks = n_looks + 1, look.n_blocks
        if look.verdict is not None or n_blocks >= most_blocks:
            fixed = blocks_for_power(look.sd, question.difference, 1 - question.error)
            return Decision(look.verdict or Verdict.UNDECIDED, look, n_looks, fixed)


def block_sums(match: MatchResults, results: Results, measure: str) -> tuple[np.ndarray, np.ndarray]:
    """What a comparison adds up, from the games of a match of two sides that kept its games.

    Parameters
    ----------
    match
        Whole blocks, in order.
    results
        What it is part of.
    measure
        ``"wins"`` or ``"points"``.

    Returns
    -------
    ahead, weights
        int64, shape (n_blocks,): wins or points of the first side (that of seating 0) less those of the other, and
        games or hands, by block.
    """
    games = match.games.reshape(-1, match.line_up.n_rotations)
    if measure == "wins":
        ahead, weights = (games["winner"] == 0).astype(np.int64) - (games["winner"] == 1), np.ones_like(games["hands"])
    else:
        ahead, weights = games["scores"][:, :, 0].astype(np.int64) - games["scores"][:, :, 1], games["hands"]
    return ahead @ signs(match, results), weights.sum(1, dtype=np.int64)
