"""What a worker does: a run of blocks of one line-up, from plain data to integers."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fiveup_sim.rules import Rules
from fiveup_sim.strategy.core import Strategy
from fiveup_sim.strategy.errors import StrategyError, raised_text
from fiveup_sim.tournament.law import pack_law

if TYPE_CHECKING:
    from fiveup_sim.engine.blocks import BlockResult, PlayFault


class Task(NamedTuple):
    """Blocks first_block .. first_block + n_blocks - 1 of a line-up, as plain data that any back end can send."""

    line_up: int
    """Number of the line-up in its tournament."""
    first_block: int
    n_blocks: int
    specs: tuple[tuple, ...]
    """Strategies by position: what ``Strategy.to_spec`` gave."""
    seatings: tuple[tuple[int, ...], ...]
    rules: dict[str, Any]
    """What ``Rules.to_dict`` gave."""
    seed: int
    paired: bool
    keep_games: bool


class Fault(NamedTuple):
    """A strategy's fault, as plain data."""

    what: str
    """What it did: ``"raised ZeroDivisionError: division by zero (mine.py:7)"``; the whole message if `block` is -1."""
    position: int = -1
    """Position of the strategy in the line-up."""
    seat: int = -1
    block: int = -1
    """-1: it could not even be rebuilt in the worker."""
    rotation: int = -1
    hand: int = -1


class Outcome(NamedTuple):
    """What a task gave."""

    line_up: int
    first_block: int
    n_blocks: int
    tallies: np.ndarray | None
    """TALLY, shape (n_rotations, 128); None after a fault."""
    law: np.ndarray | None
    """int64, see :func:`fiveup_sim.tournament.law.pack_law`."""
    games: np.ndarray | None
    """GAME, if asked for."""
    wall_seconds: float
    cpu_seconds: float
    fault: Fault | None


def play_task(task: Task, stop: np.ndarray) -> Outcome | None:
    """Play a task.

    Parameters
    ----------
    task
        What to play.
    stop
        int64, shape (1,): set to 1 in this process, it ends the task before its next game.

    Returns
    -------
    Outcome or None
        None if it was stopped.
    """
    from fiveup_sim.engine.blocks import Cancelled, PlayFault

    wall, cpu = time.perf_counter(), time.thread_time()
    result, law, fault = None, None, None
    try:
        with _deaf_worker():
            play = _player(task, stop)
            result = play(task.first_block, task.n_blocks)
            law = pack_law(result.law)
    except Cancelled:
        return None
    except PlayFault as error:
        fault = describe_fault(_earliest(error, task.first_block, play))
    except StrategyError as error:
        fault = Fault(str(error))
    return Outcome(
        task.line_up,
        task.first_block,
        task.n_blocks,
        None if result is None else result.tallies,
        law,
        None if result is None else result.games,
        time.perf_counter() - wall,
        time.thread_time() - cpu,
        fault,
    )


def _player(task: Task, stop: np.ndarray) -> Callable[[int, int], BlockResult]:
    """A function of (first_block, n_blocks) that plays blocks of the task's line-up."""
    from fiveup_sim.engine.blocks import Seats, play_blocks

    strategies = [Strategy.from_spec(spec) for spec in task.specs]
    params = np.array([strategy.param_array() for strategy in strategies])
    seats = Seats([strategy.compiled() for strategy in strategies], params, np.array(task.seatings))
    rules = Rules.from_dict(task.rules)

    def play(first_block: int, n_blocks: int) -> BlockResult:
        return play_blocks(
            seats,
            rules,
            seed=task.seed,
            first_block=first_block,
            n_blocks=n_blocks,
            paired=task.paired,
            keep_games=task.keep_games,
            stop=stop,
        )

    return play


def _earliest(fault: PlayFault, first_block: int, play: Callable[[int, int], BlockResult]) -> PlayFault:
    """The fault of the lowest block: the engine does not play blocks in their order."""
    from fiveup_sim.engine.blocks import Cancelled, PlayFault

    with suppress(Cancelled):
        while fault.block > first_block:
            try:
                play(first_block, fault.block - first_block)
            except PlayFault as earlier:
                fault = earlier
            else:
                break
    return fault


def describe_fault(fault: PlayFault) -> Fault:
    """The fault of a strategy, as plain data."""
    if fault.cause is None:
        what = f"returned {fault.choice}, not the index of a legal placement: 0 to {fault.n_legal - 1}"
    elif isinstance(fault.cause, StrategyError):
        what = f"failed: {fault.cause}"
    else:
        what = f"raised {raised_text(fault.cause)}"
    return Fault(what, fault.position, fault.seat, fault.block, fault.rotation, fault.hand)


@contextmanager
def _deaf_worker() -> Iterator[None]:
    """Let a worker process finish its task when Ctrl-C reaches all processes of a terminal: the parent decides.

    Tasks run in the main thread only where the process is a worker.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
