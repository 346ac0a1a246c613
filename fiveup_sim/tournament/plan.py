"""What is to be played, checked and in one place."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fiveup_sim.rules import Rules
from fiveup_sim.strategy import Strategy, StrategyError, find_strategy
from fiveup_sim.tournament import spans
from fiveup_sim.tournament.lineup import LineUp
from fiveup_sim.tournament.match_results import StrategyInfo
from fiveup_sim.tournament.results import Results
from fiveup_sim.tournament.spans import Spans
from fiveup_sim.tournament.sums import MatchSum

StrategyLike = str | Strategy | Callable[[Any], int]
"""What :func:`fiveup_sim.find_strategy` takes."""

MAX_BLOCK = 1 << 62
"""Blocks are counted up to this."""


@dataclass(frozen=True)
class Entry:
    """A strategy that takes part."""

    strategy: Strategy
    spelling: str
    """How it is written in a call."""


@dataclass(frozen=True)
class Plan:
    """A run before it is played."""

    entries: dict[str, Entry]
    """The strategies by label."""
    line_ups: list[LineUp]
    planned: list[Spans]
    """Blocks asked for, by line-up."""
    todo: list[Spans]
    """Those that have not been played before."""
    rules: Rules
    seed: int
    paired: bool
    keep_games: bool

    @property
    def n_games(self) -> int:
        """Games to play."""
        return sum(spans.n_blocks(todo) * up.n_rotations for todo, up in zip(self.todo, self.line_ups, strict=True))

    @property
    def is_compiled(self) -> bool:
        """Whether no strategy needs the Python interpreter."""
        return all(entry.strategy.jit for entry in self.entries.values())

    def without(self, done: Results) -> Plan:
        """The same, less the blocks that `done` holds.

        Raises
        ------
        ValueError
            If `done` is something else.
        """
        difference = self.results(self.sums(), []).difference(done)
        if difference is not None:
            raise ValueError(f"cannot resume: {difference}")
        played = [match.blocks for match in done.matches]
        return replace(self, todo=[spans.without(*each) for each in zip(self.planned, played, strict=True)])

    def sums(self) -> list[MatchSum]:
        """Where the outcomes of each line-up are added up."""
        each = zip(self.line_ups, self.planned, strict=True)
        return [MatchSum(line_up, planned, self.keep_games) for line_up, planned in each]

    def results(self, sums: Sequence[MatchSum], runs: Sequence[dict[str, Any]]) -> Results:
        """Results from the sum of each line-up, and a description of each run."""
        from fiveup_sim.engine.philox import STREAM_VERSION

        return Results(
            rules=self.rules,
            seed=self.seed,
            paired=self.paired,
            stream_version=STREAM_VERSION,
            strategies=tuple(StrategyInfo.of(entry.strategy) for entry in self.entries.values()),
            matches=tuple(match.results() for match in sums),
            provenance={"runs": list(runs)},
        )


def find_entries(strategies: Sequence[StrategyLike]) -> tuple[dict[str, Entry], list[str]]:
    """The strategies by label, and the labels in the order given.

    Raises
    ------
    StrategyError
        If one cannot be found, or two that differ have the same label.
    """
    if isinstance(strategies, str) or not isinstance(strategies, Sequence):
        raise TypeError(f"strategies = {strategies!r}: a list is needed")
    entries: dict[str, Entry] = {}
    labels = []
    for what in strategies:
        strategy = find_strategy(what)
        labels.append(strategy.label)
        known = entries.setdefault(strategy.label, Entry(strategy, _spell(what, strategy)))
        if known.strategy.digest != strategy.digest:
            raise StrategyError(f"two different strategies are called {strategy.label!r}: give one another name")
    return entries, labels


def _spell(what: StrategyLike, strategy: Strategy) -> str:
    """As it was given if that was text, else by name, quoted if installed."""
    if isinstance(what, str):
        return repr(what)
    if strategy.package is not None:
        return repr(strategy.label)
    changed = strategy.label.removeprefix(strategy.name)
    return strategy.function.__name__ + (f".with_params{changed}" if changed else "")


def make_plan(
    entries: dict[str, Entry],
    line_ups: list[LineUp],
    rules: Rules,
    *,
    games: int,
    seed: int | None,
    first_block: int,
    paired: bool,
    keep_games: bool,
    resume: Results | None,
) -> Plan:
    """Check what is asked for, and say which blocks that is; the arguments are those of ``play_match``.

    Raises
    ------
    ValueError
        Naming the argument, its value and what is allowed.
    """
    games = _whole("games", games, 1, MAX_BLOCK)
    first_block = _whole("first_block", first_block, 0, MAX_BLOCK - games)
    if seed is None:
        seed = secrets.randbits(32) if resume is None else resume.seed
    seed = _whole("seed", seed, 0, (1 << 64) - 1)
    planned: list[Spans] = [((first_block, first_block + line_up.n_blocks(games)),) for line_up in line_ups]
    plan = Plan(entries, line_ups, planned, planned, rules, seed, bool(paired), bool(keep_games))
    return plan if resume is None else plan.without(resume)


def _whole(name: str, value: Any, low: int, high: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = low - 1
    if not low <= number <= high:
        raise ValueError(f"{name} = {value!r}: a whole number from {low} to {high} is needed")
    return number
