"""What tests of several rooms share."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def ctrl_c(after: float) -> Iterator[None]:
    """Ctrl-C in this process `after` seconds from now, if the block still runs by then: never behind its end.

    A signal that came late would end the worker of the test suite instead of the run under test.
    """
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals reach the main thread only")
    is_inside = True

    def interrupt(*_: object) -> None:
        if is_inside:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        is_inside = False
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, before)
