"""The public names: each is where ``__init__.pyi`` says, explains itself, and can be asked for help."""

from __future__ import annotations

import ast
import pydoc
from pathlib import Path

import pytest

import fiveup_sim

STUB = Path(fiveup_sim.__file__).with_suffix(".pyi")
NAMES = [
    alias.asname or alias.name
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body
    if isinstance(node, ast.ImportFrom)
    for alias in node.names
]
CONSTANTS = {"TILE_HIGH", "TILE_LOW", "TILE_PIPS"}
"""Arrays: they have no docstring of their own."""


def test_the_stub_names_them_all_once() -> None:
    assert len(NAMES) > 40
    assert sorted(NAMES) == sorted(set(NAMES))
    assert set(NAMES) <= set(dir(fiveup_sim))
    assert set(NAMES) == set(fiveup_sim.__all__)


@pytest.mark.parametrize("name", NAMES)
def test_help(name: str) -> None:
    thing = getattr(fiveup_sim, name)
    shown = pydoc.render_doc(thing, renderer=pydoc.plaintext)
    if name not in CONSTANTS:
        documented = thing.__doc__ or ""
        assert documented.strip(), f"{name} has no docstring"
        assert documented.strip().splitlines()[0].strip() in shown
