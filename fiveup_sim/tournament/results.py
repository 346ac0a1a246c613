"""What a match or a tournament gave: integers that add, and where they came from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fiveup_sim.rules import Rules, rule_fields
from fiveup_sim.tournament import spans
from fiveup_sim.tournament.law import add_laws
from fiveup_sim.tournament.lineup import LineUp
from fiveup_sim.tournament.spans import Spans

if TYPE_CHECKING:
    from fiveup_sim.strategy import Strategy


@dataclass(frozen=True)
class StrategyInfo:
    """What results keep of a strategy."""

    label: str
    """How line-ups name it: ``"careful(pips=0.05)"``."""
    name: str
    """Its name without parameters."""
    params: dict[str, float]
    """Values of all its parameters."""
    digest: str
    """sha256 over its code and parameters, in hex digits."""
    heeds: frozenset[str] | None
    """Which of ``"score"``, ``"hand"`` and ``"memory"`` its answers depend on; None if not known."""

    @classmethod
    def of(cls, strategy: Strategy) -> StrategyInfo:
        """What is kept of `strategy`."""
        return cls(strategy.label, strategy.name, strategy.params, strategy.digest, strategy.heeds)


@dataclass(frozen=True, eq=False)
class MatchResults:
    """What one line-up gave."""

    line_up: LineUp
    """Who sat where."""
    blocks: Spans
    """Blocks played, as sorted, disjoint, half-open spans: ``((0, 5000),)``."""
    planned: Spans
    """Blocks that were asked for; the same unless the run was interrupted or failed."""
    tallies: np.ndarray
    """TALLY, shape (n_rotations, 128): counts by seating, and by block index modulo 128."""
    law: np.ndarray
    """LAW, sorted by rotation, group and key, no cell twice; empty unless there are two sides."""
    games: np.ndarray | None
    """GAME, a row a game in the order of blocks, then rotations; None if games were not kept."""
    seconds: float
    """CPU seconds spent on it."""

    @property
    def n_blocks(self) -> int:
        """Blocks played."""
        return spans.n_blocks(self.blocks)

    @property
    def n_games(self) -> int:
        """Games played, over all seatings."""
        return self.n_blocks * self.line_up.n_rotations


@dataclass(frozen=True, eq=False)
class Results:
    """What :func:`play_match` and :func:`play_tournament` give.

    Results of other blocks of the same thing add: ``first_half + second_half``. The same thing means equal rules, seed,
    pairing, random streams, line-ups, and strategies down to the digest of their code; anything else, and blocks that
    are in both, is refused with a ValueError that names the first difference.
    """

    rules: Rules
    """The rules."""
    seed: int
    """The seed; with it, rules and strategies the same games are played again."""
    paired: bool
    """Whether all seatings of a block shared its deals."""
    stream_version: int
    """Version of the random streams: other versions deal other tiles for the same seed."""
    strategies: tuple[StrategyInfo, ...]
    """The strategies, in the order in which they were given."""
    matches: tuple[MatchResults, ...]
    """One for each line-up."""
    provenance: dict[str, Any]
    """``"runs"``: for each run that was added up its time, duration, workers, machine and versions, in plain types."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the strategies."""
        return tuple(strategy.label for strategy in self.strategies)

    @property
    def n_games(self) -> int:
        """Games played, in all line-ups together."""
        return sum(match.n_games for match in self.matches)

    @property
    def n_planned_games(self) -> int:
        """Games that were asked for, in all line-ups together."""
        return sum(spans.n_blocks(match.planned) * match.line_up.n_rotations for match in self.matches)

    @property
    def is_complete(self) -> bool:
        """Whether all blocks that were asked for were played: False after an interruption or a strategy's fault."""
        return all(not spans.without(match.planned, match.blocks) for match in self.matches)

    @property
    def seconds(self) -> float:
        """CPU seconds spent on all line-ups."""
        return sum(match.seconds for match in self.matches)

    @property
    def games_per_second(self) -> float:
        """Games played in a second of the clock, over all runs; 0 if none took any time."""
        wall = sum(run["wall_seconds"] for run in self.provenance["runs"])
        return self.n_games / wall if wall else 0.0

    def match(self, *labels: str) -> MatchResults:
        """The results of the line-up of these strategies, in any order.

        Parameters
        ----------
        *labels
            Labels by side or by seat: ``results.match("greedy", "random")``.

        Raises
        ------
        ValueError
            If there is none.
        """
        for match in self.matches:
            line_up = match.line_up
            if sorted(labels) in (sorted(line_up.short_names), sorted(line_up.seat_names(0))):
                return match
        there = ", ".join(match.line_up.label for match in self.matches)
        raise ValueError(f"no line-up of {' - '.join(labels) or 'nobody'}; there: {there}")

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write these results to the directory `path`, to be read again by :meth:`load`.

        Parameters
        ----------
        path
            Made if it is not there. Results that are in there already are replaced if these ones hold all their blocks.
        overwrite
            Replace other results too.

        Raises
        ------
        StoreError
            If `path` holds other results, or anything else.
        """
        from fiveup_sim.tournament.store import save_results

        save_results(self, Path(path), overwrite=overwrite)

    @staticmethod
    def load(path: str | Path) -> Results:
        """The results that :meth:`save` wrote.

        Raises
        ------
        StoreError
            If there are none, they are damaged, or they were written by a newer version.
        """
        from fiveup_sim.tournament.store import load_results

        return load_results(Path(path))

    def as_played(self) -> Results:
        """The same results as if no more had been asked for than was played."""
        return replace(self, matches=tuple(replace(match, planned=match.blocks) for match in self.matches))

    def difference(self, other: Results) -> str | None:
        """The first thing, in words, that keeps `other` from being other blocks of the same; None if nothing does."""
        return next(_differences(self, other), None)

    def __add__(self, other: Results) -> Results:
        if not isinstance(other, Results):
            return NotImplemented
        difference = self.difference(other)
        if difference is not None:
            raise ValueError(f"cannot add: {difference}")
        return Results(
            rules=self.rules,
            seed=self.seed,
            paired=self.paired,
            stream_version=self.stream_version,
            strategies=self.strategies,
            matches=tuple(_add_matches(*both) for both in zip(self.matches, other.matches, strict=True)),
            provenance={"runs": [*self.provenance["runs"], *other.provenance["runs"]]},
        )

    def __repr__(self) -> str:
        what = self.matches[0].line_up.label if len(self.matches) == 1 else f"{len(self.matches)} line-ups"
        state = "" if self.is_complete else ", incomplete"
        return f"<Results: {what}, {self.rules}, seed {self.seed}, {self.n_games:,} games{state}>"


def _add_matches(a: MatchResults, b: MatchResults) -> MatchResults:
    twice = spans.overlap(a.blocks, b.blocks)
    if twice:
        raise ValueError(f"cannot add: blocks {spans.describe(twice)} of {a.line_up.label} are in both")
    return MatchResults(
        line_up=a.line_up,
        blocks=spans.union(a.blocks + b.blocks),
        planned=spans.union(a.planned + b.planned),
        tallies=add_tallies(a.tallies, b.tallies),
        law=add_laws([a.law, b.law]),
        games=None if a.games is None or b.games is None else join_games([a.games, b.games]),
        seconds=a.seconds + b.seconds,
    )


def add_tallies(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Field by field sum of two arrays of dtype TALLY and equal shape."""
    return (a.view(np.int64) + b.view(np.int64)).view(a.dtype)


def join_games(games: Iterable[np.ndarray]) -> np.ndarray:
    """All rows of arrays of dtype GAME, in the order of blocks, then rotations."""
    rows = np.concatenate(list(games))
    return rows[np.lexsort((rows["rotation"], rows["block"]))]


def _differences(a: Results, b: Results) -> Iterator[str]:
    for rule in rule_fields():
        mine, theirs = getattr(a.rules, rule.name), getattr(b.rules, rule.name)
        if mine != theirs:
            yield f"the rules differ in {rule.name} ({mine} and {theirs})"
    if a.seed != b.seed:
        yield f"the seeds differ ({a.seed} and {b.seed})"
    if a.paired != b.paired:
        yield f"paired differs ({a.paired} and {b.paired})"
    if a.stream_version != b.stream_version:
        yield f"the versions of the random streams differ ({a.stream_version} and {b.stream_version})"
    for mine, theirs in zip(a.matches, b.matches, strict=False):
        if mine.line_up != theirs.line_up:
            yield f"the line-ups differ ({mine.line_up.label} and {theirs.line_up.label})"
        if (mine.games is None) != (theirs.games is None):
            yield "one kept its games, the other did not"
    if len(a.matches) != len(b.matches):
        yield f"the numbers of line-ups differ ({len(a.matches)} and {len(b.matches)})"
    digests = {strategy.label: strategy.digest for strategy in b.strategies}
    for strategy in a.strategies:
        if digests.get(strategy.label) != strategy.digest:
            yield f"strategy {strategy.label!r} is not the same in both (its code or parameters differ)"
