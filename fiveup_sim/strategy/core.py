"""What a strategy is: a plain function, a name, and values for its parameters."""

from __future__ import annotations

import inspect
import keyword
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, overload

import numpy as np

from fiveup_sim.engine.view import N_PARAMS
from fiveup_sim.strategy.digest import Reading, read
from fiveup_sim.strategy.errors import StrategyError, nearest, where
from fiveup_sim.strategy.plain import plain_view

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
_FIELDS_HEEDED = {"score": "scores", "hand": "hand", "memory": "scratch"}
_frozen_readings: dict[Callable, Reading] = {}
_findings: dict[str, frozenset[str]] = {}


@dataclass(frozen=True, repr=False)
class Strategy:
    """A decision function with its name and parameters; made by :func:`strategy`.

    Calling it calls the plain function, with a record of dtype VIEW or a plain view.
    """

    name: str
    """How it is called in lists, results and on the command line."""
    function: Callable[[Any], int]
    """The plain Python function."""
    defaults: tuple[tuple[str, float], ...] = ()
    """Its parameters in the order of ``view.params``, with their default values."""
    values: tuple[float, ...] = ()
    """Their values here."""
    jit: bool = True
    """Whether it is compiled; else it is played by the Python interpreter."""
    package: str | None = field(default=None, compare=False)
    """The installed package it was found in; None for one from a file, a notebook or a script."""
    is_copy: bool = field(default=False, compare=False)
    """Whether it was rebuilt in a worker."""

    def __call__(self, view: Any) -> int:
        return self.function(plain_view(view) if isinstance(view, np.void | np.ndarray) else view)

    def __repr__(self) -> str:
        return f"<strategy {self.label}>"

    @property
    def params(self) -> dict[str, float]:
        """Values of the parameters by name, in the order of ``view.params``."""
        return {name: value for (name, _), value in zip(self.defaults, self.values, strict=True)}

    @property
    def label(self) -> str:
        """The name, with the parameters that are not at their defaults: ``careful(pips=0.05)``."""
        pairs = zip(self.defaults, self.values, strict=True)
        changed = [f"{name}={_number(value)}" for (name, default), value in pairs if repr(value) != repr(default)]
        return f"{self.name}({', '.join(changed)})" if changed else self.name

    @property
    def doc(self) -> str:
        """The docstring of the function."""
        return inspect.getdoc(self.function) or ""

    @property
    def reading(self) -> Reading:
        """What the function reads: now if it is compiled, at the first question if it is not.

        A function that is not compiled may keep things between its decisions; they are not part of what it is.
        """
        if self.jit:
            return read(self.function)
        if self.function not in _frozen_readings:
            _frozen_readings[self.function] = read(self.function)
        return _frozen_readings[self.function]

    @property
    def digest(self) -> str:
        """sha256 over all that the function reads, the parameters, and ``jit``; the same in every process."""
        return sha256(repr((self.reading.digest, self.defaults, self.values, self.jit)).encode()).hexdigest()

    @property
    def heeds(self) -> frozenset[str] | None:
        """Which of ``"score"``, ``"hand"`` and ``"memory"`` (of earlier hands) its answers depend on.

        The empty set when its code names none of those fields; else what
        :func:`fiveup_sim.testing.check_strategy` has found in this process; None if that was not asked.
        """
        reading = self.reading
        is_closed = self.jit and not reading.opaque and "objmode" not in reading.names
        if is_closed and reading.names.isdisjoint(_FIELDS_HEEDED.values()):
            return frozenset()
        return _findings.get(self.digest)

    def with_params(self, **changes: float) -> Strategy:
        """The same strategy with other values of some parameters; nothing is compiled anew.

        Raises
        ------
        StrategyError
            If there is no such parameter, or the value is not a number.
        """
        params = self.params
        for name, value in changes.items():
            if name not in params:
                has = f"it has {', '.join(params)}" if params else "it has none"
                raise StrategyError(f"strategy {self.name!r} has no parameter {name!r}{nearest(name, params)}; {has}")
            params[name] = _as_float(self.name, name, value)
        return replace(self, values=tuple(params.values()))

    def param_array(self) -> np.ndarray:
        """The parameters as the kernel takes them: float64, shape (16,), zeros behind the last one."""
        array = np.zeros(N_PARAMS)
        array[: len(self.values)] = self.values
        return array

    def compiled(self) -> Any:
        """What the kernel calls: compiled once for all parameters, or a callback if ``jit`` is False.

        Raises
        ------
        StrategyError
            If it cannot be compiled, or does not return an int.
        """
        from fiveup_sim.strategy.compiling import compile_strategy

        return compile_strategy(self)

    @property
    def _numba_type_(self) -> Any:
        """How numba sees it, so that a compiled strategy may call another one."""
        from fiveup_sim.strategy.compiling import helper_type

        return helper_type(self)


def note_finding(strategy: Strategy, heeds: frozenset[str]) -> None:
    """Remember what :func:`fiveup_sim.testing.check_strategy` found that `strategy` heeds."""
    _findings[strategy.digest] = heeds


@overload
def strategy(function: Callable[[Any], int]) -> Strategy: ...
@overload
def strategy(
    *, name: str | None = None, params: Mapping[str, float] | None = None, jit: bool = True
) -> Callable[[Callable[[Any], int]], Strategy]: ...
def strategy(function=None, *, name=None, params=None, jit=True):
    """Make a plain function a strategy.

    Parameters
    ----------
    function
        Takes a view, the record of what a player at the table knows (``strategies/README.md`` explains every
        field), and returns the index of one of ``view.legal[:view.n_legal]``.
    name
        How it is called; the name of the function if not given.
    params
        Parameters by name with their default values, at most 16; the function reads them as ``view.params[0]``,
        ``view.params[1]``, ... in this order.
    jit
        Compile it with numba, at its first use. False for a function that numba cannot compile.

    Returns
    -------
    Strategy

    Raises
    ------
    StrategyError
        If the function does not take one argument, or a name or value is not one.

    Examples
    --------
    >>> @strategy(params={"weight": 0.1})
    ... def last(view):
    ...     return view.n_legal - 1
    >>> last.with_params(weight=0.5)
    <strategy last(weight=0.5)>
    """
    if function is None:
        return lambda function: _make(function, name, params, jit)
    return _make(function, name, params, jit)


def _make(function: Any, name: str | None, params: Mapping[str, float] | None, jit: bool) -> Strategy:
    function = getattr(function, "py_func", function)
    if not inspect.isfunction(function):
        raise StrategyError(f"@strategy needs a function, not {function!r}")
    name = function.__name__ if name is None else name
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise StrategyError(f"a strategy cannot be called {name!r}: letters, digits, _ - . only; give it a name=")
    if len(inspect.signature(function).parameters) != 1 or function.__code__.co_flags & inspect.CO_VARARGS:
        raise StrategyError(f"strategy {name!r} ({where(function)}) must take one argument, the view")
    defaults = tuple((key, _as_float(name, key, value)) for key, value in dict(params or {}).items())
    _check_params(name, [key for key, _ in defaults])
    return Strategy(name, function, defaults, tuple(value for _, value in defaults), bool(jit))


def _check_params(name: str, keys: list[Any]) -> None:
    if len(keys) > N_PARAMS:
        raise StrategyError(f"strategy {name!r} has {len(keys)} parameters: at most {N_PARAMS}")
    for key in keys:
        if not isinstance(key, str) or not key.isidentifier() or keyword.iskeyword(key):
            raise StrategyError(f"strategy {name!r} has a parameter {key!r}: a name is needed")


def _as_float(name: str, key: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise StrategyError(f"strategy {name!r}: parameter {key} = {value!r} is not a finite number")
    return number


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")
