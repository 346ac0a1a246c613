"""Playing two strategies until it is clear which one is better, and no longer."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np

from fiveup_sim.analysis.planning import blocks_for_power, size_of_block
from fiveup_sim.analysis.sequential import (
    Look,
    PointComparison,
    Question,
    Verdict,
    WinComparison,
    block_sums,
    decide,
)
from fiveup_sim.rules import Rules
from fiveup_sim.tournament.faults import play_error
from fiveup_sim.tournament.lineup import make_line_up
from fiveup_sim.tournament.plan import MAX_BLOCK, Plan, StrategyLike, find_entries, make_plan
from fiveup_sim.tournament.progress import Bar, show_progress
from fiveup_sim.tournament.run import prepare
from fiveup_sim.tournament.runner import Runner
from fiveup_sim.tournament.spans import Spans
from fiveup_sim.tournament.workers import count_workers
from fiveup_sim.words import plural, write_estimate

MEASURES = ("wins", "points")
MAX_GAMES = 1_000_000
_MOST_BLOCKS = 1 << 16
"""Blocks between two looks at most: their games are kept until they are added up."""


@dataclass(frozen=True)
class Answer:
    """How a comparison of two strategies ended, as :func:`play_until` gives it."""

    verdict: Verdict
    """One of four."""
    strategies: tuple[str, str]
    """Labels of the two."""
    low: float
    """Lower end of the difference; the interval holds at all looks at once."""
    best: float
    """The difference seen: win rate of the first strategy less 1/2, or its points per hand less the other's."""
    high: float
    """Upper end."""
    n_games: int
    """Games used."""
    n_looks: int
    """How often was looked."""
    fixed_games: int
    """Games that a plan without looking needs to find the difference asked about with a chance of 80 %."""
    is_interrupted: bool
    """Whether Ctrl-C ended it."""
    measure: str
    """``"wins"`` or ``"points"``."""
    difference: float
    """The difference asked about."""
    error: float
    """Chance of a wrong answer."""
    max_games: int
    """The limit."""
    rules: Rules
    """The rules."""
    seed: int
    """The seed; with it the same games are played again."""

    @property
    def better(self) -> str | None:
        """Label of the better strategy; None if the verdict names none."""
        return {Verdict.FIRST: self.strategies[0], Verdict.SECOND: self.strategies[1]}.get(self.verdict)

    @property
    def words(self) -> str:
        """The verdict in words: ``"careful is better"``."""
        if self.better is not None:
            return f"{self.better} is better"
        return "undecided when interrupted" if self.is_interrupted else self.verdict.value

    def __str__(self) -> str:
        played = f"{plural(self.n_games, 'game')}, {plural(self.n_looks, 'look')}"
        return "\n".join(
            [
                self.words,
                self._figure(),
                f"wrong with a chance of at most {100 * self.error:g} %, however often one looks",
                f"{'interrupted after ' if self.is_interrupted else ''}{played}; seed {self.seed}; {self.rules}",
                f"a fixed plan takes {self.fixed_games:,} to find {self._asked()} with a chance of 80 %",
            ]
        )

    def _figure(self) -> str:
        first, second = self.strategies
        if self.measure == "wins":
            rate = write_estimate(0.5 + self.low, 0.5 + self.best, 0.5 + self.high, "share")
            return f"{first} wins {rate} of the games against {second}"
        return f"{first} is ahead of {second} by {write_estimate(self.low, self.best, self.high)} points per hand"

    def _asked(self) -> str:
        if self.measure == "wins":
            return f"a win rate of {100 * (0.5 + self.difference):g} %"
        return f"{self.difference:g} points per hand"

    def to_dict(self) -> dict[str, Any]:
        """Everything in plain types; None stands for an end of the interval that has no bound."""
        ends = {end: float(getattr(self, end)) for end in ("low", "best", "high")}
        return {
            "verdict": self.verdict.name.lower(),
            "words": self.words,
            "better": self.better,
            "strategies": list(self.strategies),
            "measure": self.measure,
            **{end: value if math.isfinite(value) else None for end, value in ends.items()},
            "games": self.n_games,
            "looks": self.n_looks,
            "fixed_games": self.fixed_games,
            "is_interrupted": self.is_interrupted,
            "difference": self.difference,
            "error": self.error,
            "max_games": self.max_games,
            "seed": self.seed,
            "rules": self.rules.to_dict(),
        }


def play_until(
    a: StrategyLike,
    b: StrategyLike,
    *,
    rules: Rules | None = None,
    seed: int | None = None,
    difference: float = 0.01,
    error: float = 0.05,
    max_games: int = MAX_GAMES,
    measure: str = "wins",
    n_jobs: int | None = None,
    progress: bool = True,
) -> Answer:
    """Play two strategies against each other until it is clear which one is better, or that it matters little.

    After a while, and again and again, one looks at what was played. The interval holds at all these looks at once, so
    that stopping at the first one that answers the question does not make wrong answers more frequent.

    Parameters
    ----------
    a, b
        Two different strategies, one a side.
    rules
        Rules with two sides. Default: Five Up for two seats.
    seed, n_jobs, progress
        As for :func:`fiveup_sim.play_match`. The answer depends on the seed, not on the workers.
    difference
        The smallest difference that would matter: in win rate (0.01: 51 % instead of 50 %), or in points per hand.
    error
        Chance of a wrong answer.
    max_games
        When to give up; rounded up to whole blocks.
    measure
        ``"wins"``: games won / games, where an unfinished game is half won, valid from the first game on.
        ``"points"``: points per hand of one side less the other's, valid from 100 blocks on.

    Returns
    -------
    Answer
        After Ctrl-C that of the last look: as a rule undecided.

    Raises
    ------
    StrategyError, PlayError
        As for :func:`fiveup_sim.play_match`.
    ValueError
        If an argument is out of range, there are not two sides, or the strategies are one and the same.
    """
    rules = Rules.preset() if rules is None else rules
    _check(rules, difference, max_games, measure)
    question = Question(difference, error)
    plan = _plan(a, b, rules, seed, max_games)
    line_up = plan.line_ups[0]
    comparison = _Remembering(
        WinComparison(question) if measure == "wins" else PointComparison(question, size_of_block(rules))
    )
    prepare(plan, progress)
    with show_progress(f"{line_up.label}, at most", plan.n_games, progress) as bar:
        look, is_interrupted = _last_look(_Match(plan, measure, n_jobs, bar), comparison, line_up.n_blocks(max_games))
    return Answer(
        verdict=look.verdict or Verdict.UNDECIDED,
        strategies=(line_up.names[0], line_up.names[1]),
        low=look.low,
        best=look.best,
        high=look.high,
        n_games=look.n_blocks * line_up.n_rotations,
        n_looks=comparison.n_looks,
        fixed_games=_fixed_blocks(look, question, measure) * line_up.n_rotations,
        is_interrupted=is_interrupted,
        measure=measure,
        difference=difference,
        error=error,
        max_games=max_games,
        rules=rules,
        seed=plan.seed,
    )


def _check(rules: Rules, difference: float, max_games: int, measure: str) -> None:
    if rules.n_sides != 2:
        raise ValueError(f"{rules}: two sides only can be compared")
    if measure not in MEASURES:
        raise ValueError(f"measure = {measure!r}: allowed {', '.join(MEASURES)}")
    if measure == "wins" and not 0 < difference < 0.5:
        raise ValueError(f"difference = {difference}: allowed between 0 and 0.5, in win rate")
    if not isinstance(max_games, Integral) or not 1 <= max_games <= MAX_BLOCK:
        raise ValueError(f"max_games = {max_games!r}: a whole number from 1 to {MAX_BLOCK} is needed")


def _plan(a: StrategyLike, b: StrategyLike, rules: Rules, seed: int | None, max_games: int) -> Plan:
    """Everything that may be played."""
    entries, labels = find_entries([a, b])
    if len(entries) < 2:
        raise ValueError(f"{labels[0]} against itself: two different strategies are needed")
    line_ups = [make_line_up(labels, rules)]
    return make_plan(
        entries, line_ups, rules, games=max_games, seed=seed, first_block=0, paired=True, keep_games=True, resume=None
    )


class _Match:
    """A match that is played a piece at a time."""

    def __init__(self, plan: Plan, measure: str, n_jobs: int | None, bar: Bar) -> None:
        self._plan, self._measure, self._n_jobs, self._bar = plan, measure, n_jobs, bar

    def play(self, first: int, n_blocks: int) -> tuple[np.ndarray, np.ndarray]:
        """Play all of `n_blocks` blocks from `first` on, or as many of them as fit into memory well.

        Raises
        ------
        KeyboardInterrupt
            After Ctrl-C; how far it came would depend on the workers.
        """
        piece: list[Spans] = [((first, first + min(n_blocks, _MOST_BLOCKS)),)]
        plan = replace(self._plan, planned=piece, todo=piece)
        runner = Runner(plan, count_workers(self._n_jobs), resume=None, save_to=None)
        is_interrupted = runner.play(self._n_jobs, self._bar)
        results = runner.results()
        if runner.failures:
            raise play_error(plan, runner.failures, results)
        if is_interrupted:
            raise KeyboardInterrupt
        return block_sums(results.matches[0], results, self._measure)


class _Remembering:
    """A comparison that keeps its last look, wherever it is interrupted."""

    def __init__(self, comparison: WinComparison | PointComparison) -> None:
        self._comparison, self.question = comparison, comparison.question
        self.n_looks = 0
        self.last: Look | None = None

    def add(self, ahead: np.ndarray, weights: np.ndarray) -> Look:
        """Add blocks and look."""
        self.last = self._comparison.add(ahead, weights)
        self.n_looks += 1
        return self.last


def _last_look(match: _Match, comparison: _Remembering, most_blocks: int) -> tuple[Look, bool]:
    """Play until the question is answered; the last look, and whether Ctrl-C came first."""
    try:
        return decide(match.play, comparison, most_blocks).look, False  # type: ignore[arg-type]
    except KeyboardInterrupt:
        if comparison.last is None:
            raise
        warnings.warn(f"interrupted: {comparison.last.n_blocks:,} blocks were looked at", stacklevel=3)
        return comparison.last, True


def _fixed_blocks(look: Look, question: Question, measure: str) -> int:
    sd = look.sd
    if measure == "wins":
        # as if one block at least had differed: strategies whose games are all level are not known to be equal
        sd = max(sd, 0.5 / math.sqrt(look.n_blocks))
    return blocks_for_power(sd, question.difference, 1 - question.error)
