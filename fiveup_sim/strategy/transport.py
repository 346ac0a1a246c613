"""How a strategy travels to a worker: as a plain tuple that is opened only inside the task.

Strategies of installed packages travel by name. All others travel as the pickled plain function, by value, with the
helpers it calls. Back ends unpickle what they are sent outside the task, where an error would break a pool or hang it,
hence the tuple.
"""

from __future__ import annotations

import copyreg
import threading
import weakref
from collections.abc import Callable
from dataclasses import replace

from fiveup_sim.strategy.core import Strategy
from fiveup_sim.strategy.errors import StrategyError, raised_text
from fiveup_sim.strategy.find import load_strategies

_lock = threading.RLock()
_live: weakref.WeakValueDictionary[bytes, Callable] = weakref.WeakValueDictionary()
"""Functions of this process that are not compiled, by what they were sent as: threads play them, not copies, so that
what they keep between decisions can be seen."""

_being_sent: list[Callable] = []
"""Functions that are being pickled: one that comes up again below itself would never end."""


def to_spec(strategy: Strategy) -> tuple:
    """`strategy` as a plain tuple, to be sent to a worker and opened there with :func:`from_spec`."""
    if strategy.package is not None:
        return ("installed", strategy.name, strategy.values, strategy.reading.digest)
    with _lock:
        blob = _dump(strategy)
    if not strategy.jit:
        _live[blob] = strategy.function
    kept = (strategy.name, strategy.defaults, strategy.values, strategy.jit)
    return ("function", blob, kept, strategy.reading.digest)


def _dump(strategy: Strategy) -> bytes:
    from fiveup_sim.strategy.pickling import dumps

    if strategy.function in _being_sent:
        raise StrategyError(f"strategy {strategy.name!r} calls itself: let it call a function that does")
    _being_sent.append(strategy.function)
    try:
        return dumps(strategy.function)
    except StrategyError:
        raise
    except Exception as error:
        raise StrategyError(f"strategy {strategy.name!r} cannot be sent to workers: {raised_text(error)}") from error
    finally:
        _being_sent.pop()


def from_spec(spec: tuple) -> Strategy:
    """The strategy that :func:`to_spec` described; to be called inside the task.

    Raises
    ------
    StrategyError
        If it cannot be rebuilt here, or reads other things here than where it came from.
    """
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
    from fiveup_sim.strategy.pickling import loads

    try:
        with _lock:
            return _live.get(blob) or loads(blob)
    except Exception as error:
        raise StrategyError(f"strategy {name!r} cannot be rebuilt in the worker: {raised_text(error)}") from error


def _reduce(strategy: Strategy) -> tuple:
    return from_spec, (to_spec(strategy),)


copyreg.pickle(Strategy, _reduce)
