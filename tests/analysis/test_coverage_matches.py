"""Whether the intervals of real matches hold what very many games come to: a long match, split into short ones."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pandas as pd
import pytest

from fiveup_sim.analysis.law import game_law
from fiveup_sim.analysis.metrics import metrics
from fiveup_sim.analysis.placements import points_per_placement
from fiveup_sim.analysis.scores import points_per_hand
from fiveup_sim.analysis.seats import lead_effects, seat_play
from fiveup_sim.analysis.winning import head_to_head, win_rates
from fiveup_sim.engine.blocks import Seats, play_blocks
from fiveup_sim.rules import Rules
from fiveup_sim.tournament import MatchResults, Results
from fiveup_sim.tournament.law import add_laws
from fiveup_sim.tournament.lineup import make_line_up
from tests.analysis.kit import assert_covers, greedy, info, last, nearly_greedy, plain

SEED = 7
TABLES = [win_rates, metrics, points_per_placement, points_per_hand, lead_effects, seat_play]
LINE_UPS = {
    "different": ((greedy, last), 2, True),
    "nearly equal": ((greedy, nearly_greedy), 2, True),
    "not paired": ((greedy, last), 2, False),
    "three": ((greedy, last, plain), 3, True),
    "partners": ((greedy, last), 4, True),
}


@lru_cache(maxsize=8)
def split(which: str, n_runs: int, n_blocks: int) -> list[Results]:
    """Results of many short runs, on blocks of their own."""
    strategies, seats, paired = LINE_UPS[which]
    rules = Rules.preset(seats=seats)
    line_up = make_line_up([one.label for one in strategies], rules)
    table = Seats([one.compiled() for one in strategies], np.zeros((len(strategies), 16)), line_up.seating_array)
    runs = []
    for run in range(n_runs):
        first = run * n_blocks
        played = play_blocks(table, rules, seed=SEED, first_block=first, n_blocks=n_blocks, paired=paired)
        blocks = ((first, first + n_blocks),)
        match = MatchResults(line_up, blocks, blocks, played.tallies, played.law, None, 0.0)
        infos = tuple(info(one.label) for one in strategies)
        runs.append(Results(rules, 7, paired, 1, infos, (match,), {"runs": []}))
    return runs


def together(runs: list[Results]) -> Results:
    """All runs as one."""
    matches = [run.matches[0] for run in runs]
    tallies = np.sum([match.tallies.view(np.int64) for match in matches], axis=0).view(matches[0].tallies.dtype)
    law = add_laws([match.law for match in matches])
    return replace(runs[0], matches=(replace(matches[0], tallies=tallies, law=law),))


def coverage(runs: list[Results], table_of, truth: pd.DataFrame) -> np.ndarray:
    """Whether each figure of each run holds the truth: bool, shape (n_runs, n_figures)."""
    tables = [table_of(run) for run in runs]
    return np.array([(one["low"] <= truth["best"]) & (truth["best"] <= one["high"]) for one in tables])


@pytest.mark.parametrize("which", list(LINE_UPS))
@pytest.mark.parametrize("n_blocks", [8, 40])
def test_tables(which: str, n_blocks: int) -> None:
    runs = split(which, 100, n_blocks)
    whole = together(runs)
    by_figure = np.concatenate([coverage(runs, table_of, table_of(whole)) for table_of in TABLES], axis=1)
    for hits in by_figure.T:
        assert_covers(hits, 0.94, sigmas=3.5)
    # some forty figures, not independent: the mean is judged as if a tenth of them were
    assert_covers(by_figure[:, ::10], 0.94)


@pytest.mark.parametrize("which", list(LINE_UPS))
def test_differences(which: str) -> None:
    runs = split(which, 100, 40)
    whole = head_to_head(together(runs))
    tables = [head_to_head(run) for run in runs]
    for figure in ("ahead", "points"):
        hits = np.array(
            [(one[f"{figure}_low"] <= whole[figure]) & (whole[figure] <= one[f"{figure}_high"]) for one in tables]
        )
        assert_covers(hits[:, 0], 0.94, sigmas=3.5)


@pytest.mark.slow
@pytest.mark.parametrize("which", ["different", "nearly equal", "not paired", "partners"])
@pytest.mark.parametrize("target", [15, 61])
def test_the_law(which: str, target: int) -> None:
    def table_of(results: Results) -> pd.DataFrame:
        return game_law(results, target=target)

    runs = split(which, 300, 128)
    hits = coverage(runs, table_of, table_of(together(runs)))
    for by_measure in hits.T:
        assert_covers(by_measure, 0.94)
