"""Adding up what tasks gave."""

from __future__ import annotations

import numpy as np

from fiveup_sim.engine.tallies import GAME, N_GROUPS, TALLY
from fiveup_sim.tournament import spans
from fiveup_sim.tournament.law import LawSum
from fiveup_sim.tournament.lineup import LineUp
from fiveup_sim.tournament.match_results import MatchResults, add_tallies, join_games
from fiveup_sim.tournament.spans import Spans
from fiveup_sim.tournament.tasks import Outcome


class MatchSum:
    """A running sum of the outcomes of one line-up. Its memory does not grow with the blocks, but for kept games.

    Parameters
    ----------
    line_up
        Who sits where.
    planned
        Blocks that are to be played.
    keep_games
        Whether outcomes bring their games.
    """

    def __init__(self, line_up: LineUp, planned: Spans, keep_games: bool) -> None:
        self._line_up = line_up
        self._planned = planned
        self._blocks: Spans = ()
        self._tallies = np.zeros((line_up.n_rotations, N_GROUPS), TALLY)
        self._law = LawSum()
        self._games = [np.empty(0, GAME)] if keep_games else None
        self.seconds = 0.0
        """CPU seconds of the tasks added."""

    def add(self, outcome: Outcome) -> None:
        """Add what a task gave."""
        self._blocks = spans.union([*self._blocks, (outcome.first_block, outcome.first_block + outcome.n_blocks)])
        self._tallies = add_tallies(self._tallies, outcome.tallies)
        self._law.add(outcome.law)
        if self._games is not None and outcome.games is not None:
            self._games.append(outcome.games)
        self.seconds += outcome.cpu_seconds

    def results(self) -> MatchResults:
        """The sum so far."""
        return MatchResults(
            line_up=self._line_up,
            blocks=self._blocks,
            planned=self._planned,
            tallies=self._tallies,
            law=self._law.total(),
            games=None if self._games is None else join_games(self._games),
            seconds=self.seconds,
        )
