"""joblib: calls go to workers, what they return comes back one by one, and Ctrl-C is heard at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from itertools import islice
from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from joblib import Parallel

GRACE_SECONDS = 0.9
"""How long Ctrl-C waits for tasks that are being played."""
_ROUND = 8
"""Tasks a worker between two looks at what came back, for back ends that return all at once."""


def count_workers(n_jobs: int | None) -> int:
    """How many tasks joblib would run at once here: by `n_jobs`, or the context's (1 without one)."""
    from joblib import effective_n_jobs

    return effective_n_jobs(n_jobs)


def run_calls(
    calls: Iterable[tuple], take: Callable[[Any], None], *, n_jobs: int | None, prefer: str, stop: np.ndarray
) -> bool:
    """Run calls on workers and pass on what they return, in the order in which they end.

    Everything happens in a thread of its own, with one worker too, and the main thread only waits: it can be
    interrupted at any time, and nothing else ever is.

    Parameters
    ----------
    calls
        What ``joblib.delayed`` gives; drawn one by one as workers get free.
    take
        Called with each return value, never in two threads at once.
    n_jobs, prefer
        As for ``joblib.Parallel``; a ``joblib.parallel_config`` context prevails over `prefer`.
    stop
        int64, shape (1,): set to 1 on Ctrl-C. Calls should heed it, and `calls` end.

    Returns
    -------
    bool
        Whether it was interrupted.
    """
    done: Future[None] = Future()
    is_interrupted = False
    with _parallel(n_jobs, prefer) as parallel:  # leaving it ends what still runs, as far as the back end can
        outputs = _outputs(parallel, calls, count_workers(n_jobs))
        Thread(target=_consume, args=(outputs, take, done), daemon=True).start()
        try:
            _wait(done)
        except KeyboardInterrupt:
            is_interrupted = True
            stop[0] = 1
            _wait(done, GRACE_SECONDS)
    if not is_interrupted:
        done.result()
    return is_interrupted


def _parallel(n_jobs: int | None, prefer: str) -> Parallel:
    from joblib import Parallel

    options = {"n_jobs": n_jobs, "prefer": prefer, "pre_dispatch": "n_jobs", "batch_size": 1}
    try:
        return Parallel(**options, return_as="generator_unordered")
    except ValueError:  # multiprocessing and ray cannot
        return Parallel(**options)


def _consume(outputs: Iterator[Any], take: Callable[[Any], None], done: Future[None]) -> None:
    try:
        for output in outputs:
            take(output)
    except BaseException as error:
        done.set_exception(error)
    else:
        done.set_result(None)


def _outputs(parallel: Parallel, calls: Iterable[tuple], n_workers: int) -> Iterator[Any]:
    if parallel.return_as != "list":
        yield from parallel(calls)
        return
    calls = iter(calls)
    while some := list(islice(calls, _ROUND * n_workers)):
        yield from parallel(some)


def _wait(done: Future[None], seconds: float = float("inf")) -> None:
    """Wait until `done` is, in short sleeps: Windows hears Ctrl-C only between them."""
    while seconds > 0 and not done.done():
        nap = min(seconds, 0.2)
        seconds -= nap
        try:
            done.exception(timeout=nap)
        except TimeoutError:
            continue
