"""What a person at a terminal sees while games are played: nothing anywhere else."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

_SLOW_SECONDS = 1.5
"""Loading a compiled kernel takes 0.4 s; what takes longer is a compilation, on a machine that is not busy."""


class Bar(Protocol):
    """What shows progress."""

    def advance(self, games: int) -> None:
        """Count so many games more."""


class _Silent:
    def advance(self, games: int) -> None:
        pass


class _RichBar:
    def __init__(self, progress: Any, task: Any) -> None:
        self._progress, self._task = progress, task

    def advance(self, games: int) -> None:
        self._progress.advance(self._task, games)


@contextmanager
def show_progress(text: str, games: int, is_wanted: bool) -> Iterator[Bar]:
    """Show games done, games a second and the time left, if stderr is a terminal.

    Parameters
    ----------
    text
        What is played.
    games
        How many games there are to play.
    is_wanted
        False: show nothing.
    """
    if not _is_shown(is_wanted):
        yield _Silent()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class GamesColumn(ProgressColumn):
        def render(self, task: Task) -> Text:
            speed = f"{task.speed:,.0f}" if task.speed else "-"
            return Text(f"{task.completed:,.0f}/{task.total:,.0f} games, {speed} games/s")

    bar = BarColumn(bar_width=16)
    columns = (TextColumn("{task.description}"), bar, GamesColumn(), TimeRemainingColumn(), TextColumn("left"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield _RichBar(progress, progress.add_task(text, total=games))


@contextmanager
def tell_if_slow(text: str, is_wanted: bool) -> Iterator[None]:
    """Print `text` to stderr, if it is a terminal, when the block takes longer than a moment."""
    if not _is_shown(is_wanted):
        yield
        return
    timer = threading.Timer(_SLOW_SECONDS, print, (text,), {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _is_shown(is_wanted: bool) -> bool:
    return is_wanted and sys.stderr is not None and sys.stderr.isatty()
