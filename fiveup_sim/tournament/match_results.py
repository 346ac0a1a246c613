"""What one line-up gave: integers that add."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from fiveup_sim.strategy import Strategy
from fiveup_sim.tournament import spans
from fiveup_sim.tournament.law import add_laws
from fiveup_sim.tournament.lineup import LineUp
from fiveup_sim.tournament.spans import Spans


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


def add_matches(a: MatchResults, b: MatchResults) -> MatchResults:
    """Other blocks of the same line-up together; blocks that are in both are refused with a ValueError."""
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
