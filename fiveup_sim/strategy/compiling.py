"""Strategies compiled to what the kernel calls, once each.

The memo is keyed by the digest of everything a function reads, and by the very objects that the digest knows by name
only, so that a global that is changed in a notebook gives a new compilation and never a stale one. Strategies of
installed packages are kept on numba's disk cache under the same digest, if it covers all they read: the five built-in
ones take 1.4 s to compile, 0.1 s to load.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from hashlib import sha256
from types import CellType, FunctionType
from typing import Any, Protocol

import numba
from numba import njit, types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from fiveup_sim.engine.compile import SIGNATURE, VIEW_TYPE, compile_cached, engine_stamp
from fiveup_sim.strategy.callback import Callback
from fiveup_sim.strategy.digest import Reading, read
from fiveup_sim.strategy.errors import StrategyError, compile_error, return_error
from fiveup_sim.strategy.pickling import snapshot

_OPTIONS = {"nogil": True, "boundscheck": True}
_compiled: dict[tuple, tuple[Any, tuple]] = {}
_callbacks: dict[Callable, Callback] = {}
_warned: set[str] = set()
_lock = threading.RLock()


class Compilable(Protocol):
    """What is compiled here: the fields of a :class:`fiveup_sim.strategy.core.Strategy` that matter to it."""

    @property
    def name(self) -> str: ...
    @property
    def function(self) -> Callable[[Any], int]: ...
    @property
    def jit(self) -> bool: ...
    @property
    def package(self) -> str | None: ...
    @property
    def is_copy(self) -> bool: ...


def compile_strategy(strategy: Compilable) -> Any:
    """What the kernel calls for `strategy`: a compiled function, or a callback if it is not to be compiled.

    Raises
    ------
    StrategyError
        If it cannot be compiled, or does not return an int.
    """
    with _lock:
        if not strategy.jit:
            return _callback(strategy)
        reading = read(strategy.function)
        key = (reading.digest, *map(id, reading.opaque))
        if key not in _compiled:
            _compiled[key] = _compile(strategy, reading), reading.opaque  # kept, so that an id stays theirs
        return _compiled[key][0]


def helper_type(strategy: Compilable) -> Any:
    """The numba type of `strategy` where another strategy calls it."""
    if not strategy.jit:
        raise StrategyError(f"strategy {strategy.name!r} is not compiled: only a strategy with jit=False can call it")
    return types.Dispatcher(compile_strategy(strategy))


def _callback(strategy: Compilable) -> Callback:
    if strategy.function not in _callbacks:
        _callbacks[strategy.function] = Callback(strategy.name, strategy.function)
        if strategy.name not in _warned and not strategy.is_copy:
            _warned.add(strategy.name)
            warnings.warn(
                f"strategy {strategy.name!r} is not compiled (jit=False): each of its decisions takes microseconds",
                stacklevel=4,
            )
    return _callbacks[strategy.function]


def _compile(strategy: Compilable, reading: Reading) -> Any:
    if strategy.package is not None and not reading.opaque:
        return _load_or_compile(strategy, reading)
    return _checked(strategy, njit(**_OPTIONS)(snapshot(strategy.function)), reading)


def _checked(strategy: Compilable, dispatcher: Any, reading: Reading) -> Any:
    """Compile `dispatcher` to the one signature, after a look at what it returns if left to itself.

    numba would turn a float into an integer without a word.
    """
    try:
        dispatcher.compile((VIEW_TYPE,))
    except Exception as error:
        raise compile_error(strategy.name, strategy.function, error, reading.functions) from None
    (signature,) = dispatcher.nopython_signatures
    returned = signature.return_type
    if not isinstance(returned, types.Integer | types.Boolean):
        raise return_error(strategy.name, strategy.function, _in_words(returned))
    if types.unliteral(returned) == SIGNATURE.return_type:
        return dispatcher
    return njit(SIGNATURE, **_OPTIONS)(dispatcher.py_func)


def _in_words(returned: Any) -> str:
    if isinstance(returned, types.NoneType):
        return "it returns nothing"
    if isinstance(returned, types.Optional):
        return "some path through it returns nothing"
    if isinstance(returned, types.Generator):
        return "it yields"
    return f"it returns {types.unliteral(returned)}"


def _load_or_compile(strategy: Compilable, reading: Reading) -> Any:
    """From numba's disk cache, or compile and leave it there.

    What is cached is a small function around the strategy. Its closure holds the digest, which makes it part of
    numba's key; the strategy is one of its globals, which numba does not look at. The strategy is a snapshot, whose
    helpers come from no cache, whatever their own decorators say.

    Machine code that different processes left in the cache is linked by the names of its functions: each name holds
    the digest, or one strategy would run as another.
    """
    stamp = f"{reading.digest} {engine_stamp()} {numba.__version__}"
    mark = f"_{sha256(stamp.encode()).hexdigest()[:16]}"
    copy = snapshot(strategy.function)
    if copy is strategy.function:
        return _checked(strategy, njit(**_OPTIONS)(copy), reading)
    _mark_names(copy, mark, set())
    inner = njit(**_OPTIONS)(copy)
    names = {"__name__": __name__, "inner": inner, "as_index": _as_index}
    entry = FunctionType(_entry.__code__, names, f"entry{mark}", closure=(CellType(stamp),))
    entry.__qualname__ = entry.__name__
    try:
        return compile_cached(SIGNATURE, entry)
    except Exception:
        return _checked(strategy, inner, reading)


def _mark_names(function: Any, mark: str, marked: set[int]) -> None:
    """Add `mark` to the name of a copied function, and of the copied helpers of its own package that it calls."""
    plain = getattr(function, "py_func", function)
    marked.add(id(plain))
    plain.__qualname__ += mark
    top = plain.__module__.partition(".")[0]
    cells = [cell.cell_contents for cell in plain.__closure__ or ()]
    for value in [*plain.__globals__.values(), *cells]:
        helper = getattr(value, "py_func", value)
        is_own = isinstance(helper, FunctionType) and helper.__module__.partition(".")[0] == top
        if is_own and id(helper) not in marked:
            _mark_names(helper, mark, marked)


def _make_entry(stamp: str) -> Callable:
    def entry(view):
        stamp  # noqa: B018  part of numba's key
        return as_index(inner(view))  # noqa: F821  globals of each copy

    return entry


_entry = _make_entry("")


@intrinsic
def _as_index(typing_context, value):
    """The integer `value`; any other type fails to compile, so that it never enters the cache."""
    if not isinstance(value, types.Integer | types.Boolean):
        raise TypingError(f"it returns {value}")

    def generate(context, builder, signature, args):
        return context.cast(builder, args[0], signature.args[0], signature.return_type)

    return types.int64(types.unliteral(value)), generate
