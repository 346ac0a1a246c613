"""How fast it plays: ``python -m pytest tests/benchmarks --benchmark-only -n 0``.

Not part of the suite: a machine's speed decides nothing about the code. For a figure that travels between machines
see ``against_yardstick.py`` beside this file.
"""

from __future__ import annotations

import pytest

from fiveup_sim import Rules, find_strategy, play_match
from fiveup_sim.engine.blocks import Seats, play_blocks
from fiveup_sim.tournament.lineup import make_line_up
from fiveup_sim.tournament.tasks import take_seats


def seats_of(names: list[str], rules: Rules) -> Seats:
    line_up = make_line_up(names, rules)
    return take_seats([find_strategy(name) for name in line_up.names], line_up.seating_array)


@pytest.mark.parametrize("preset", ["five_up", "all_fives", "fives_and_threes", "block"])
@pytest.mark.parametrize(
    ("name", "n_seats"), [("random", 2), ("greedy", 2), ("greedy", 4), ("careful", 2)], ids=lambda value: str(value)
)
def test_hands(benchmark, name: str, n_seats: int, preset: str) -> None:
    """One thread, all tallies on; ``hands_per_second`` is in the extra columns."""
    rules = Rules.preset(preset, seats=n_seats)
    seats = seats_of([name] * n_seats, rules)
    play_blocks(seats, rules, seed=1, first_block=0, n_blocks=1)
    result = benchmark(play_blocks, seats, rules, seed=1, first_block=0, n_blocks=2000)
    benchmark.extra_info["hands_per_second"] = round(result.tallies["hands"].sum() / benchmark.stats["median"])


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_threads(benchmark, n_jobs: int) -> None:
    """A whole match, through the workers."""
    options = {"games": 100_000, "seed": 1, "n_jobs": n_jobs, "progress": False}
    play_match(["greedy", "random"], **(options | {"games": 100}))
    benchmark.pedantic(play_match, args=(["greedy", "random"],), kwargs=options, rounds=3)
