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

COMPILE_WITHOUT_A_PLACE = """
import warnings
from pathlib import Path
from numba.core import caching
from fiveup_sim import find_strategy
from fiveup_sim.engine.kernel import load_kernel
from fiveup_sim.testing import _ask_each

for locator in vars(caching).values():  # those beside a file, whoever may write there: the process may be root's
    if isinstance(locator, type) and "InTree" in locator.__name__:
        locator.ensure_cache_path = lambda self: (_ for _ in ()).throw(OSError("read-only"))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    compiled = [find_strategy("first").compiled(), find_strategy("greedy").compiled(), load_kernel(), _ask_each()]
print(len([one for one in compiled if one.signatures]))
print(*[one.message for one in caught], sep="\\n")
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


@pytest.mark.parametrize("missing", ["no home", "a file in its place"])
def test_no_place_for_the_cache(tmp_path: Path, missing: str) -> None:
    (tmp_path / "file").touch()
    nowhere = "/proc/nowhere" if missing == "no home" else str(tmp_path / "file" / "cache")
    places = {"NUMBA_CACHE_DIR": "", "HOME": nowhere, "XDG_CACHE_HOME": nowhere}
    n_compiled, *warned = in_new_process(COMPILE_WITHOUT_A_PLACE, **places).splitlines()
    assert n_compiled == "4"
    assert len(warned) == 1
    assert "NUMBA_CACHE_DIR" in warned[0]
