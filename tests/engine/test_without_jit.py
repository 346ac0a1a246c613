"""The kernel as plain Python gives the same integers as the compiled one."""

from __future__ import annotations

import os
import subprocess
import sys

CODE = """
import hashlib
import numpy as np
from numba import njit
from fiveup_sim import Rules, below
from fiveup_sim.engine.blocks import Seats, play_blocks
from fiveup_sim.engine.compile import SIGNATURE

@njit(SIGNATURE)
def anything(view):
    return below(view, view.n_legal)

@njit(SIGNATURE)
def heaviest(view):
    best = 0
    for i in range(1, view.n_legal):
        if view.legal[i].pips > view.legal[best].pips:
            best = i
    return best

for name, seats in (("five_up", 2), ("all_fives", 3), ("fives_and_threes", 4)):
    rules = Rules.preset(name, seats=seats, max_hands=3)
    seating = np.array([[0, 1, 0, 1][:seats], [1, 0, 1, 0][:seats]])
    players = Seats([anything, heaviest], np.zeros((2, 16)), seating)
    result = play_blocks(players, rules, seed=2**63 + 5, first_block=3, n_blocks=4, keep_games=True)
    law = np.sort(result.law, order=["rotation", "group", "key"])
    print(hashlib.sha256(result.tallies.tobytes() + law.tobytes() + result.games.tobytes()).hexdigest())
"""


def run(**env: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, env={**os.environ, **env}
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_plain_and_compiled_kernel_agree() -> None:
    plain = run(NUMBA_DISABLE_JIT="1")
    assert len(plain.split()) == 3
    assert plain == run(NUMBA_DISABLE_JIT="0")
