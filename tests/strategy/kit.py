"""What the tests of strategies share."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
from numba import njit

from fiveup_sim.engine.blocks import BlockResult, Seats, play_blocks
from fiveup_sim.engine.view import VIEW
from fiveup_sim.rules import Rules
from fiveup_sim.strategy import Strategy, strategy

WEIGHT = 3


@njit
def helper(view):
    return view.n_legal - WEIGHT


@strategy
def weighted(view):
    """Reads a global by way of a helper."""
    return helper(view)


@strategy(params={"a": 1, "b": 0.25})
def tuned(view):
    """Reads its parameters."""
    return int(view.params[0] + 4 * view.params[1])


def a_view(n_legal: int = 5) -> np.ndarray:
    """An array of one view with little in it."""
    views = np.zeros(1, VIEW)
    views["n_legal"] = n_legal
    return views


def in_file(tmp_path: Path, text: str, name: str = "mine.py") -> Path:
    """A new file with this text."""
    path = tmp_path / name
    path.write_text(textwrap.dedent(text))
    return path


def in_new_process(code: str, *args: str, **env: str) -> str:
    """What `code` prints in a process of its own."""
    path = os.pathsep.join([*env.pop("path", "").split(os.pathsep), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *args],
        capture_output=True, text=True, timeout=120, env={**os.environ, "PYTHONPATH": path, **env},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def play(*strategies: Strategy, n_blocks: int = 1) -> BlockResult:
    """A short match of two."""
    params = np.array([one.param_array() for one in strategies])
    seats = Seats([one.compiled() for one in strategies], params, np.array([[0, 1], [1, 0]]))
    return play_blocks(seats, Rules.preset(max_hands=50), seed=1, first_block=0, n_blocks=n_blocks)


SOURCE = """
import numba
from fiveup_sim.strategy import strategy

{weight}

@numba.njit
def helper(view):
    return view.n_legal - WEIGHT

{comment}
@strategy(params={{"a": 1}})
def mine(view):
    '''{doc}'''
    if view.n_legal in {{7, 8, 9}}:
        return {constant}
    return helper(view)
"""


def source(tmp_path: Path, *, weight="WEIGHT = 3", comment="", doc="Mine.", constant=1) -> Path:
    """A file with the strategy `mine`."""
    return in_file(tmp_path, SOURCE.format(weight=weight, comment=comment, doc=doc, constant=constant))
