"""Where a run is saved."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path

RUNS = Path("runs")
"""Where runs are saved unless the user says otherwise, below the working directory."""


@contextmanager
def run_directory(out: Path | None, labels: Sequence[str]) -> Iterator[Path]:
    """A directory that can be written to, before anything is played; removed again if nothing was saved.

    Parameters
    ----------
    out
        The directory, made if it is not there; None: a new one in :data:`RUNS`.
    labels
        Strategies, which the name of a new one holds.

    Raises
    ------
    OSError
        If it cannot be made or written to.
    """
    if out is None:
        path = _new(_name(labels))
    else:
        path = out
        path.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryFile(dir=path):
            pass
        yield path
    finally:
        with suppress(OSError):  # as a rule it is not empty
            path.rmdir()


def _name(labels: Sequence[str]) -> str:
    """``2026-03-01-1405-greedy-random``."""
    words = [re.sub("[^a-zA-Z0-9_.=-]+", "-", label).strip("-") for label in labels]
    who = "-".join(words) if len(words) <= 4 else f"{len(words)}-strategies"
    return f"{datetime.now():%Y-%m-%d-%H%M}-{who[:60]}"


def _new(name: str) -> Path:
    """A new directory of this name, or with a number after it; nobody else can be given the same one."""
    RUNS.mkdir(exist_ok=True)
    for number in count(1):
        path = RUNS / (name if number == 1 else f"{name}-{number}")
        with suppress(FileExistsError):
            path.mkdir()
            return path
    raise AssertionError("count() has no end")
