"""What a match or a tournament gave: integers that add, and where they came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fiveup_sim.rules import Rules, rule_fields
from fiveup_sim.tournament import spans, store
from fiveup_sim.tournament.head import describe, parse
from fiveup_sim.tournament.match_results import MatchResults, StrategyInfo, add_matches


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
        path = Path(path)
        self.check_place(path, overwrite=overwrite)
        store.write_run(path, describe(self), self.matches)

    def check_place(self, path: Path, *, overwrite: bool = False) -> None:
        """Whether these results may be saved in `path`.

        Raises
        ------
        StoreError
            If that would destroy anything but results; or results that these do not contain, unless `overwrite`.
        """
        if not store.holds_results(path) or overwrite:
            return
        there = Results(**store.read_head(path, parse))
        difference = self.difference(there)
        if difference is None:
            pairs = zip(there.matches, self.matches, strict=True)
            lost = next((left for old, new in pairs if (left := spans.without(old.blocks, new.blocks))), ())
            difference = f"blocks {spans.describe(lost)} are only in them" if lost else None
        if difference is not None:
            raise store.StoreError(f"{path} holds other results, which would be lost: {difference}")

    @staticmethod
    def load(path: str | Path) -> Results:
        """The results that :meth:`save` wrote.

        Raises
        ------
        StoreError
            If there are none, they are damaged, or they were written by a newer version.
        """
        return Results(**store.read_run(Path(path), parse))

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
            matches=tuple(add_matches(*both) for both in zip(self.matches, other.matches, strict=True)),
            provenance={"runs": [*self.provenance["runs"], *other.provenance["runs"]]},
        )

    def __repr__(self) -> str:
        what = self.matches[0].line_up.label if len(self.matches) == 1 else f"{len(self.matches)} line-ups"
        state = "" if self.is_complete else ", incomplete"
        return f"<Results: {what}, {self.rules}, seed {self.seed}, {self.n_games:,} games{state}>"


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
