"""Strategies that different processes left in numba's disk cache do not run as one another."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.strategy.kit import in_new_process

NAMES = ["first", "heavy", "greedy"]

COMPILE_ONE = """
import sys
from fiveup_sim import find_strategy
find_strategy(sys.argv[1]).compiled()
"""

ASK_ALL = """
import sys
import numpy as np
from numba import njit, types
from fiveup_sim import find_strategy
from fiveup_sim.engine.compile import STRATEGY_TYPE, VIEW_TYPE
from fiveup_sim.engine.view import VIEW

@njit(types.int64(STRATEGY_TYPE, VIEW_TYPE))
def ask(strategy, view):
    return strategy(view)

views = np.zeros(1, VIEW)
views["n_legal"] = 3
views["legal"]["points"][0, :3] = [0, 0, 2]
views["legal"]["pips"][0, :3] = [1, 5, 2]
strategies = [find_strategy(name).compiled() for name in sys.argv[1:]]
print(*[ask(strategy, views[0]) for strategy in strategies])
"""


@pytest.mark.parametrize("order", [NAMES, NAMES[::-1]], ids=" ".join)
def test_a_cache_filled_by_several_processes(tmp_path: Path, order: list[str]) -> None:
    for name in order:
        in_new_process(COMPILE_ONE, name, NUMBA_CACHE_DIR=str(tmp_path))
    assert any(tmp_path.rglob("*.nbc"))
    # the first, the heaviest, the one with most points
    assert in_new_process(ASK_ALL, *NAMES, NUMBA_CACHE_DIR=str(tmp_path)).split() == ["0", "1", "2"]
