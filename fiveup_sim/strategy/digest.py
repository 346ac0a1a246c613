"""What a function reads, as one hash: its code, and everything its code can reach.

numba freezes globals and helper functions into compiled code, but keys its own disk cache by the text of one file
only. Here a function is known by its byte code, constants, defaults and closure, and by the values of the globals it
names, functions among them followed in the same way. Names of files, line numbers and comments do not count. The
digest is the same in every process, in a notebook, and after a journey to a worker.
"""

from __future__ import annotations

import dis
import enum
import sys
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(...))
_LIBRARIES = {"numpy", "numba", "llvmlite", *sys.stdlib_module_names}
"""Top-level modules that are known by name and version: their content is not followed."""
_INSTALLED = tuple({Path(sysconfig.get_paths()[key]) for key in ("purelib", "platlib")})


@dataclass(frozen=True)
class Reading:
    """What a function reads."""

    digest: str
    """sha256, in hex digits."""
    names: frozenset[str]
    """Names of attributes, and strings, anywhere in its code or in a function it reaches."""
    functions: tuple[Callable, ...]
    """The function, and those it reaches."""
    opaque: tuple[Any, ...]
    """What it reaches and the digest knows by name only: classes, functions of other installed packages, ..."""


def read(function: Callable) -> Reading:
    """Follow everything that `function` reads.

    Parameters
    ----------
    function
        A plain Python function.

    Returns
    -------
    Reading
        As of now: a global that is changed later gives another digest.
    """
    walk = _Walk(_home(function))
    digest = walk.hash(function).hex()
    return Reading(digest, frozenset(walk.names), tuple(walk.functions), tuple(walk.opaque))


def codes_of(code: CodeType) -> Iterator[CodeType]:
    """A code object and those of the functions and comprehensions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_of(constant)


class _Walk:
    """One walk over what a function reads."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.names: set[str] = set()
        self.functions: list[Callable] = []
        self.opaque: list[Any] = []
        self._order: dict[int, int] = {}

    def hash(self, value: Any) -> bytes:
        """Hash `value`, following functions, helpers, containers and modules of the function's own package."""
        if isinstance(value, str):
            self.names.add(value)
        if type(value) in _PLAIN:
            return _token(type(value).__name__, repr(value))
        if isinstance(value, FunctionType):
            return self._function(value)
        if hasattr(value, "py_func") and hasattr(value, "targetoptions"):
            return self._jitted(value)
        if isinstance(value, tuple | list):
            return _token(type(value).__name__, repr(getattr(value, "_fields", "")), *map(self.hash, value))
        if isinstance(value, set | frozenset):
            return _token("set", *sorted(map(self.hash, value)))
        if isinstance(value, dict):
            return _token("dict", *sorted(self.hash(key) + self.hash(item) for key, item in value.items()))
        if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
            return _token("array", repr(value.dtype), repr(np.shape(value)), value.tobytes())
        if isinstance(value, enum.Enum):
            return _token("enum", type(value).__qualname__, value.name, self.hash(value.value))
        if isinstance(value, ModuleType):
            return self._module(value, set())
        if isinstance(getattr(value, "function", None), FunctionType):  # another strategy
            return self.hash(value.function)
        return self._by_name(value)

    def _jitted(self, dispatcher: Any) -> bytes:
        options = {key: repr(option) for key, option in dispatcher.targetoptions.items() if option is not None}
        signatures = [] if dispatcher._can_compile else dispatcher.nopython_signatures
        return _token("jitted", repr(sorted(options.items())), repr(signatures), self.hash(dispatcher.py_func))

    def _function(self, function: FunctionType) -> bytes:
        if id(function) in self._order:
            return _token("again", repr(self._order[id(function)]))
        if self._is_foreign(function.__module__):
            return self._by_name(function)
        self._order[id(function)] = len(self._order)
        self.functions.append(function)
        codes = list(codes_of(function.__code__))
        names = {name for code in codes for name in code.co_names}
        self.names |= names
        reached = {name for code in codes for name in _global_names(code)}
        values = {name: function.__globals__[name] for name in sorted(reached & function.__globals__.keys())}
        return _token(
            "function",
            *map(self.hash, (function.__defaults__, function.__kwdefaults__)),
            *(self._code(code, function.__doc__ if code is function.__code__ else None) for code in codes),
            *(self._value(_cell(cell), names) for cell in function.__closure__ or ()),
            *(_token(name, self._value(value, names)) for name, value in values.items()),
        )

    def _code(self, code: CodeType, doc: str | None) -> bytes:
        """One code object by itself; `doc` is no part of it."""
        constants = code.co_consts[1:] if code.co_consts and code.co_consts[0] == doc else code.co_consts
        return _token(
            "code",
            code.co_code,
            code.co_exceptiontable,
            repr((code.co_names, code.co_freevars, code.co_cellvars, code.co_argcount, code.co_flags)),
            *(_token("code") if isinstance(constant, CodeType) else self.hash(constant) for constant in constants),
        )

    def _value(self, value: Any, names: set[str]) -> bytes:
        """A value that a function with these names reads."""
        return self._module(value, names) if isinstance(value, ModuleType) else self.hash(value)

    def _module(self, module: ModuleType, names: set[str]) -> bytes:
        """A library by its name and version; any other module by what `names` reach in it."""
        if self._is_foreign(module.__name__):
            return self._by_name(module)
        reached = {name: vars(module)[name] for name in sorted(names & vars(module).keys())}
        if not reached:
            self.opaque.append(module)
        return _token("module", *(_token(name, self._value(value, names)) for name, value in reached.items()))

    def _by_name(self, value: Any) -> bytes:
        """What is not followed: enough for a library's own functions and types, which come with its version."""
        kind = type(value)
        module, name = _address(value) or (kind.__module__, kind.__qualname__)
        if _top(module) not in _LIBRARIES or not _is_there(value, module, name):
            self.opaque.append(value)
        version = getattr(sys.modules.get(_top(module)), "__version__", "")
        return _token("by name", module, name, repr(version))

    def _is_foreign(self, module_name: str | None) -> bool:
        """Whether a module is an installed library, other than this package and the function's own."""
        top = _top(module_name or "")
        if top in (self.home, "fiveup_sim", "__main__", ""):
            return False
        file = getattr(sys.modules.get(top), "__file__", None)
        return top in _LIBRARIES or any(path in Path(file or "").parents for path in _INSTALLED)


def _token(*parts: str | bytes) -> bytes:
    """A hash of `parts` that no other list of parts has."""
    digest = sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.digest()


def _global_names(code: CodeType) -> set[str]:
    return {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}


def _address(value: Any) -> tuple[str, str] | None:
    """Module and name under which `value` says it can be found."""
    if isinstance(value, ModuleType):
        return value.__name__, ""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if isinstance(value, np.ufunc):
        module, name = "numpy", value.__name__
    return (module, name) if isinstance(module, str) and isinstance(name, str) else None


def _is_there(value: Any, module: str, name: str) -> bool:
    found: Any = sys.modules.get(module)
    for part in filter(None, name.split(".")):
        found = getattr(found, part, None)
    return found is value


def _cell(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _top(module_name: str) -> str:
    return module_name.partition(".")[0]


def _home(function: Callable) -> str:
    return _top(getattr(function, "__module__", None) or "")
