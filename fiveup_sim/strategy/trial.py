"""A trial run in another process: a strategy that never returns, or brings the process down, is found out there.

Compiled code cannot be interrupted from outside: an endless loop in this process would end only with the process.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable
from typing import Any, BinaryIO

import numpy as np

from fiveup_sim.engine.view import VIEW
from fiveup_sim.rules import Rules
from fiveup_sim.strategy.core import Strategy
from fiveup_sim.strategy.errors import StrategyError
from fiveup_sim.strategy.plain import plain_view
from fiveup_sim.strategy.transport import from_spec, to_spec

_START_LIMIT = 120.0
"""Seconds for the process to start, import and compile."""
_CALLER = 7
"""Frames from here up to who plays."""
_BUDGET = 0.5
"""Seconds after which a strategy is asked no more questions."""
_WINDOWS_FAULTS = 0xC0000000
"""Windows ends a process that crashed with a status from here on."""
_tried: set[str] = set()


def try_out(strategies: Iterable[Strategy], rules: Rules, *, seconds: float = 10.0) -> None:
    """Ask strategies that are not from installed packages some questions in another process, with a time limit.

    Each version of a strategy is tried once a process; about a second for all of them together, half of it while
    they are compiled here. Illegal answers and exceptions pass: play says better where they happened.

    Parameters
    ----------
    strategies
        Whom to ask; installed ones are passed over.
    rules
        Rules of the game that the questions are taken from.
    seconds
        Time limit for one answer.

    Raises
    ------
    StrategyError
        If one of them does not compile, does not answer in time, or crashes.
    """
    new = {one.digest: one for one in strategies if one.package is None}
    new = {digest: one for digest, one in new.items() if digest not in _tried}
    if new and sys.executable:
        _run_trial(list(new.values()), rules, seconds)
    _tried.update(new)


def _run_trial(strategies: list[Strategy], rules: Rules, seconds: float) -> None:
    from fiveup_sim.strategy.samples import random_views

    strategies = [one for one in strategies if _can_travel(one)]
    views = random_views(rules, seed=0, n_games=1)
    process = subprocess.Popen(
        [sys.executable, "-c", "from fiveup_sim.strategy.trial import main; main()"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
    )  # fmt: skip
    try:
        with contextlib.suppress(BrokenPipeError), process.stdin:
            pickle.dump(([to_spec(one) for one in strategies], views.tobytes()), process.stdin)
        for one in strategies:
            one.compiled()
        _watch(process, strategies, seconds)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _can_travel(strategy: Strategy) -> bool:
    try:
        to_spec(strategy)
    except StrategyError:
        return False
    return True


def _watch(process: subprocess.Popen, strategies: list[Strategy], seconds: float) -> None:
    """Follow the signs of life, a byte each: ready, an answer, done; or an error, and its text."""
    signs: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_pass_on, args=(process.stdout, signs), daemon=True).start()
    for one in strategies:
        limit = _START_LIMIT
        while (sign := _next_sign(signs, limit)) != b"d":
            if sign is None:
                raise StrategyError(
                    f"strategy {one.name!r} did not answer within {limit:g} seconds in a trial run:"
                    " is there a loop that never ends?"
                )
            if sign == b"w":
                warnings.warn(
                    f"strategy {one.name!r} gave other answers when it was asked the same again: does it draw random"
                    " numbers of its own, or keep things between games? Its games cannot be played again",
                    stacklevel=_CALLER,
                )
                continue
            if sign == b"e":
                raise StrategyError(b"".join(iter(signs.get, b"")).decode())
            if sign == b"":
                raise StrategyError(f"strategy {one.name!r} {_how_it_ended(process.wait())}")
            limit = seconds


def _how_it_ended(code: int) -> str:
    """What happened to the process of a trial run that ended too early, with a guess only where a signal says so."""
    if code >= 0 and (os.name != "nt" or code < _WINDOWS_FAULTS):
        return f"ended the process of its trial run (exit code {code}): a strategy must return, and nothing else"
    if os.name == "nt":
        return f"crashed the process of its trial run (status {code:#x}): does it call itself without end?"
    name = signal.Signals(-code).name if -code in signal.valid_signals() else f"signal {-code}"
    guesses = {"SIGSEGV": ": does it call itself without end?", "SIGKILL": ": did it take too much memory?"}
    return f"crashed the process of its trial run ({name}){guesses.get(name, '')}"


def _next_sign(signs: queue.SimpleQueue, limit: float) -> bytes | None:
    try:
        return signs.get(timeout=limit)
    except queue.Empty:
        return None


def _pass_on(pipe: BinaryIO, signs: queue.SimpleQueue) -> None:
    while sign := pipe.read(1):
        signs.put(sign)
    signs.put(b"")


def main() -> None:
    """What the other process runs: strategies and views come by standard input, signs of life go out."""
    signs = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a strategy prints is no sign
    specs, views = pickle.load(sys.stdin.buffer)
    try:
        for spec in specs:
            _answer(from_spec(spec), np.frombuffer(bytearray(views), VIEW), signs)
            signs.write(b"d")
    except StrategyError as error:
        signs.write(b"e" + str(error).encode())


def _answer(strategy: Strategy, views: np.ndarray, signs: BinaryIO) -> None:
    ask: Any = strategy.compiled() if strategy.jit else lambda view: strategy.function(plain_view(view))
    views["params"] = strategy.param_array()
    signs.write(b"r")
    end = time.monotonic() + _BUDGET
    first = []
    for view in views:
        first.append(_one_answer(ask, view))
        signs.write(b"a")
        if time.monotonic() > end:
            break
    again = [_one_answer(ask, view) for view in views[: len(first)]]
    if again != first:
        signs.write(b"w")


def _one_answer(ask: Callable[[Any], Any], view: np.void) -> str:
    """The answer to a copy of `view`: its random stream and scratch are those of the game."""
    try:
        return repr(ask(view.copy()))
    except Exception:  # play says better where
        return ""
