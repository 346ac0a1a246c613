"""What a worker does: a run of blocks of one line-up, from plain data to integers."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fiveup_sim.rules import Rules
from fiveup_sim.strategy.core import Strategy
from fiveup_sim.strategy.errors import StrategyError, raised_text
from fiveup_sim.strategy.transport import from_spec
from fiveup_sim.tournament.law import pack_law

if TYPE_CHECKING:
    from fiveup_sim.engine.blocks import BlockResult, PlayFault, Seats


class Task(NamedTuple):
    """Blocks first_block .. first_block + n_blocks - 1 of a line-up, as plain data that any back end can send."""

    line_up: int
    """Number of the line-up in its tournament."""
    first_block: int
    n_blocks: int
    specs: tuple[tuple, ...]
    """Strategies by position: what ``strategy.to_spec`` gave."""
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
    tallies: np.ndarray
    """TALLY, shape (n_rotations, 128)."""
    law: np.ndarray
    """int64, see :func:`fiveup_sim.tournament.law.pack_law`."""
    games: np.ndarray | None
    """GAME, if asked for."""
    wall_seconds: float
    cpu_seconds: float


class Failure(NamedTuple):
    """What a task gave in which a strategy failed."""

    line_up: int
    fault: Fault


def play_task(task: Task, stop: np.ndarray) -> Outcome | Failure | None:
    """Play a task.

    Parameters
    ----------
    task
        What to play.
    stop
        int64, shape (1,): set to 1 in this process, it ends the task before its next game.

    Returns
    -------
    Outcome, Failure or None
        None if it was stopped.
    """
    from fiveup_sim.engine.blocks import Cancelled, PlayFault

    with _deaf_worker():
        try:
            play = _player(task, stop)
            try:
                return _play(task, play)
            except PlayFault as fault:
                return Failure(task.line_up, describe_fault(_earliest(fault, task.first_block, play)))
        except StrategyError as error:
            return Failure(task.line_up, Fault(str(error)))
        except Cancelled:
            return None


def _play(task: Task, play: Callable[[int, int], BlockResult]) -> Outcome:
    wall, cpu = time.perf_counter(), time.thread_time()
    result = play(task.first_block, task.n_blocks)
    law = pack_law(result.law)
    return Outcome(
        line_up=task.line_up,
        first_block=task.first_block,
        n_blocks=task.n_blocks,
        tallies=result.tallies,
        law=law,
        games=result.games,
        wall_seconds=time.perf_counter() - wall,
        cpu_seconds=time.thread_time() - cpu,
    )


def take_seats(strategies: Sequence[Strategy], seatings: Sequence[Sequence[int]]) -> Seats:
    """Strategies by position, compiled, and their seatings, as the engine takes them."""
    from fiveup_sim.engine.blocks import Seats

    params = np.array([strategy.param_array() for strategy in strategies])
    return Seats([strategy.compiled() for strategy in strategies], params, np.array(seatings))


def _player(task: Task, stop: np.ndarray) -> Callable[[int, int], BlockResult]:
    """A function of (first_block, n_blocks) that plays blocks of the task's line-up."""
    from fiveup_sim.engine.blocks import play_blocks

    seats = take_seats([from_spec(spec) for spec in task.specs], task.seatings)
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
    from fiveup_sim.engine.blocks import PlayFault

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
