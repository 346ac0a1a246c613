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
    """A directory that can be written to, before anything is played; what was made and stayed empty is removed again.

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
    wanted = RUNS / _name(labels) if out is None else out
    made = [place for place in (wanted, *wanted.parents) if not place.exists()]
    path = _new(wanted) if out is None else out
    path.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryFile(dir=path):
            pass
        yield path
    finally:
        with suppress(OSError):  # as a rule the first one is not empty
            for place in dict.fromkeys([path, *made]) if out is None else made:
                place.rmdir()


def _name(labels: Sequence[str]) -> str:
    """``2026-03-01-1405-greedy-random``."""
    words = [re.sub("[^a-zA-Z0-9_.=-]+", "-", label).strip("-") for label in labels]
    who = "-".join(words) if len(words) <= 4 else f"{len(words)}-strategies"
    return f"{datetime.now():%Y-%m-%d-%H%M}-{who[:60]}"


def _new(wanted: Path) -> Path:
    """A new directory of this name, or with a number after it; nobody else can be given the same one."""
    wanted.parent.mkdir(parents=True, exist_ok=True)
    for number in count(1):
        path = wanted if number == 1 else wanted.with_name(f"{wanted.name}-{number}")
        with suppress(FileExistsError):
            path.mkdir()
            return path
    raise AssertionError("count() has no end")
