"""Find strategies: installed ones by name, others by the path of their file."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from fiveup_sim.strategy.core import Strategy, strategy
from fiveup_sim.strategy.errors import StrategyError, nearest, raised_text

GROUP = "fiveup_sim.strategies"
"""Entry-point group in which packages name a strategy, or an iterable of strategies."""

_CALL = re.compile(r"(?P<where>[^()]+?)\s*(?:\((?P<params>[^()]*)\))?")
_modules: dict[Path, tuple[bytes, ModuleType]] = {}


def load_strategies() -> dict[str, Strategy]:
    """The strategies of all installed packages, by name.

    A package that cannot be loaded is left out with a warning. Loaded once a process.

    Raises
    ------
    StrategyError
        If two strategies have the same name.
    """
    return dict(_installed())


def find_strategy(what: str | Strategy | Callable[[Any], int]) -> Strategy:
    """The strategy that `what` stands for.

    Parameters
    ----------
    what
        The name of an installed strategy (``"greedy"``), a function in a file (``"path/to/file.py:function"``),
        either with parameters (``"careful(pips=0.05)"``), a strategy, or a plain function.

    Raises
    ------
    StrategyError
        If there is none, with the nearest name.
    """
    if isinstance(what, Strategy):
        return what
    if callable(what):
        return strategy(what)
    match = _CALL.fullmatch(what.strip()) if isinstance(what, str) else None
    if match is None:
        raise StrategyError(f"strategy {what!r}: write it name, name(parameter=0.5) or path/to/file.py:function")
    place, colon, name = match["where"].rpartition(":")
    found = _in_file(Path(place), name.strip()) if colon else _by_name(match["where"])
    return found.with_params(**_parse_params(what, match["params"] or ""))


def _by_name(name: str) -> Strategy:
    installed = _installed()
    if name not in installed:
        if name.endswith(".py") or Path(name).is_file():
            _name_those_in(Path(name))
        known = ", ".join(installed) or "none"
        raise StrategyError(
            f"no strategy {name!r}{nearest(name, installed)}; installed: {known}; others: path/to/file.py:function"
        )
    return installed[name]


def _name_those_in(path: Path) -> NoReturn:
    """Say how the strategies in a file are written, of which only the file was named."""
    written = [f"{path}:{name}" for name in _strategies_in(_load_file(path))]
    if not written:
        raise StrategyError(f"no strategy in {path}: a function in it plays as {path}:FUNCTION")
    raise StrategyError(f"strategy {str(path)!r} is a file: write {' or '.join(written)}")


def _strategies_in(module: ModuleType) -> list[str]:
    return [key for key, value in vars(module).items() if isinstance(value, Strategy)]


def _parse_params(what: str, text: str) -> dict[str, float]:
    params = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if name in params:
            raise StrategyError(f"strategy {what!r}: parameter {name} is given twice")
        try:
            params[name] = float(value)
        except ValueError:
            raise StrategyError(f"strategy {what!r}: {part!r} is not parameter=number") from None
    return params


@cache
def _installed() -> dict[str, Strategy]:
    found: dict[str, Strategy] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        for one in _load_entry(entry):
            if one.name in found:
                raise StrategyError(
                    f"two installed strategies are called {one.name!r}: in {found[one.name].package} and {entry.value}"
                )
            found[one.name] = replace(one, package=entry.value)
    return found


def _load_entry(entry: EntryPoint) -> Iterator[Strategy]:
    try:
        value = entry.load()
        found = [value] if isinstance(value, Strategy) else list(value)
    except Exception as error:
        warnings.warn(f"the strategies of {entry.value} cannot be loaded: {raised_text(error)}", stacklevel=5)
        return
    for one in found:
        if isinstance(one, Strategy):
            yield one
        else:
            warnings.warn(f"{entry.value} lists {one!r}, which is no strategy: left out", stacklevel=5)


def _in_file(path: Path, name: str) -> Strategy:
    module = _load_file(path)
    found = getattr(module, name, None)
    if isinstance(found, Strategy):
        return found
    if callable(found):
        return strategy(found)
    there = _strategies_in(module)
    raise StrategyError(f"no strategy {name!r} in {path}{nearest(name, there)}; there: {', '.join(there) or 'none'}")


def _load_file(path: Path) -> ModuleType:
    """The file as a module; run again when its text has changed."""
    path = path.expanduser().resolve()
    try:
        text = path.read_bytes()
    except OSError as error:
        raise StrategyError(f"{path}: {error.strerror or error}") from None
    if path not in _modules or _modules[path][0] != text:
        _modules[path] = text, _run_file(path, text)
    return _modules[path][1]


def _run_file(path: Path, text: bytes) -> ModuleType:
    name = f"fiveup_file_{sha256(bytes(path)).hexdigest()[:12]}"
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    try:
        exec(compile(text, str(path), "exec"), vars(module))  # not from a .pyc, which may be older than the text
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise StrategyError(f"{path} cannot be loaded: {raised_text(error)}") from error
    return module
