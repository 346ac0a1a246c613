"""The kernel against a yardstick program, in turns in one run: only the ratio of hands per second means anything.

    python tests/benchmarks/against_yardstick.py ./yardstick [ROUNDS]

The yardstick is any program ``yardstick SEATS GAMES SEED STRATEGY ...`` (0 random, 1 greedy) that plays Five Up and
prints ``hands/game NUMBER``. Medians of the ratios, with their quartiles.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

import numpy as np
from test_speed import seats_of

from fiveup_sim import Rules
from fiveup_sim.engine.blocks import play_blocks

CASES = [("random", "0", 2, 20_000), ("greedy", "1", 2, 60_000), ("greedy", "1", 4, 60_000)]


def ours(name: str, n_seats: int, n_games: int) -> float:
    """Hands per second of processor time, all tallies on, through the plug-in interface."""
    rules = Rules.preset(seats=n_seats)
    seats = seats_of([name] * n_seats, rules)
    start = time.process_time()
    tallies = play_blocks(seats, rules, seed=1, first_block=0, n_blocks=n_games).tallies
    return float(tallies["hands"].sum() / (time.process_time() - start))


def theirs(program: str, code: str, n_seats: int, n_games: int) -> float:
    """Hands per second of processor time."""
    before = children_seconds()
    done = subprocess.run([program, str(n_seats), str(n_games), "1", code], capture_output=True, text=True, check=True)
    words = done.stdout.split()
    return n_games * float(words[words.index("hands/game") + 1]) / (children_seconds() - before)


def children_seconds() -> float:
    """Processor time of the programs run so far."""
    used = os.times()
    return used.children_user + used.children_system


def main(program: str, rounds: int = 15) -> None:
    """Print the ratios."""
    for name, code, n_seats, n_games in CASES:
        ours(name, n_seats, 10)
        pairs = [(ours(name, n_seats, n_games), theirs(program, code, n_seats, n_games)) for _ in range(rounds)]
        ratios = np.array([mine / other for mine, other in pairs])
        low, best, high = np.quantile(ratios, [0.25, 0.5, 0.75])
        print(f"{name} x{n_seats}: {best:.3f} of the yardstick ({low:.3f} to {high:.3f}), {pairs[-1][0]:,.0f} hands/s")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
