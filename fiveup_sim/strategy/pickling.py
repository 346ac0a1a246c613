"""Functions as bytes, with the helpers and globals that they read.

Helpers compiled by numba travel as plain functions too and are compiled anew, because numba hands out its own old copy
of a helper that it has seen before, whatever its globals have become.
"""

from __future__ import annotations

import contextlib
import io
import marshal
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import CodeType, ModuleType
from typing import Any

import cloudpickle

_lock = threading.RLock()


def dumps(function: Callable) -> bytes:
    """`function` as bytes: its code and what it reads by value, installed libraries by name."""
    with io.BytesIO() as file, _lock, _own_modules_by_value(function):
        _Pickler(file).dump(function)
        return file.getvalue()


@lru_cache(maxsize=256)
def loads(blob: bytes) -> Callable:
    """The function that :func:`dumps` wrote; one copy a process for equal bytes."""
    return pickle.loads(blob)


def snapshot(function: Callable) -> Callable:
    """A copy of `function` that reads its globals as they are now, with helpers that are not compiled yet.

    What cannot be pickled (a helper made with ctypes, say) is used as it is.
    """
    try:
        return pickle.loads(dumps(function))
    except (pickle.PicklingError, TypeError, ValueError):
        return function


class _Pickler(cloudpickle.Pickler):
    """cloudpickle, except for functions that numba has compiled, and that code keeps the name of its file."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, CodeType):
            return marshal.loads, (marshal.dumps(obj),)
        if "numba" in sys.modules and isinstance(obj, _dispatcher_type()):
            signatures = [] if obj._can_compile else list(obj.nopython_signatures)
            return _jitted, (obj.py_func, obj.targetoptions, signatures)
        return super().reducer_override(obj)


def _jitted(function: Callable, options: dict[str, Any], signatures: list[Any]) -> Any:
    from numba import jit

    # numba links a function that calls itself by the name of its module, which must be known here too
    sys.modules.setdefault(function.__module__, ModuleType(function.__module__))
    return jit(signatures or None, **options)(function)


@lru_cache(maxsize=1)
def _dispatcher_type() -> type:
    from numba.core.registry import CPUDispatcher

    return CPUDispatcher


@contextlib.contextmanager
def _own_modules_by_value(function: Callable) -> Iterator[None]:
    """Let cloudpickle send the function's own package by value: a worker may not have it, or have an older one."""
    top = (getattr(function, "__module__", None) or "").partition(".")[0]
    module = sys.modules.get(top)
    if top in ("", "__main__", "fiveup_sim") or module is None or top in cloudpickle.list_registry_pickle_by_value():
        yield
        return
    cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        cloudpickle.unregister_pickle_by_value(module)
