"""How a strategy travels to a worker: as a plain tuple that is opened only inside the task.

Strategies of installed packages travel by name. All others travel as the pickled plain function, by value, with the
helpers it calls; helpers compiled by numba travel as plain functions too and are compiled anew, because numba hands
out its own old copy of a helper that it has seen before, whatever its globals have become. Back ends unpickle what
they are sent outside the task, where an error would break a pool or hang it, hence the tuple.
"""

from __future__ import annotations

import contextlib
import io
import marshal
import pickle
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from types import CodeType
from typing import TYPE_CHECKING, Any

import cloudpickle

from fiveup_sim.strategy.errors import StrategyError, raised_text

if TYPE_CHECKING:
    from fiveup_sim.strategy.core import Strategy

_lock = threading.RLock()
_live: weakref.WeakValueDictionary[bytes, Callable] = weakref.WeakValueDictionary()
"""Functions of this process that are not compiled, by what they were sent as: threads play them, not copies, so that
what they keep between decisions can be seen."""


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


def to_spec(strategy: Strategy) -> tuple:
    """`strategy` as a plain tuple; see :meth:`Strategy.to_spec`."""
    if strategy.package is not None:
        return ("installed", strategy.name, strategy.values, strategy.reading.digest)
    try:
        blob = dumps(strategy.function)
    except Exception as error:
        raise StrategyError(f"strategy {strategy.name!r} cannot be sent to workers: {raised_text(error)}") from error
    if not strategy.jit:
        _live[blob] = strategy.function
    kept = (strategy.name, strategy.defaults, strategy.values, strategy.jit)
    return ("function", blob, kept, strategy.reading.digest)


def from_spec(spec: tuple) -> Strategy:
    """The strategy of a tuple; see :meth:`Strategy.from_spec`."""
    from fiveup_sim.strategy.core import Strategy
    from fiveup_sim.strategy.find import load_strategies

    kind, what, kept, digest = spec
    if kind == "installed":
        name, found = what, load_strategies().get(what)
        if found is None:
            raise StrategyError(f"strategy {name!r} is not installed in the worker")
        found = replace(found, values=kept, is_copy=True)
    else:
        name, defaults, values, jit = kept
        found = Strategy(name, _load(name, what), defaults, values, jit, is_copy=True)
    if found.jit and found.reading.digest != digest:
        raise StrategyError(
            f"strategy {name!r} is not the same in the worker: a module it imports has changed or is another version"
        )
    return found


def _load(name: str, blob: bytes) -> Callable:
    try:
        with _lock:
            return _live.get(blob) or loads(blob)
    except Exception as error:
        raise StrategyError(f"strategy {name!r} cannot be rebuilt in the worker: {raised_text(error)}") from error
