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
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
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
    is_covered: bool
    """False when it reaches something that is known by name only, so that equal digests prove nothing."""


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
    return Reading(digest, frozenset(walk.names), tuple(walk.functions), walk.is_covered)


class _Walk:
    """One walk over what a function reads."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.names: set[str] = set()
        self.functions: list[Callable] = []
        self.is_covered = True
        self._order: dict[int, int] = {}

    def hash(self, value: Any) -> bytes:
        """Hash `value`, following functions, helpers, containers and modules of the function's own package."""
        if isinstance(value, str):
            self.names.add(value)
        if isinstance(value, _PLAIN) and not isinstance(value, enum.Enum):
            return _token(type(value).__name__, repr(value))
        if isinstance(value, FunctionType):
            return self._function(value)
        if hasattr(value, "py_func") and hasattr(value, "targetoptions"):
            options = sorted((key, repr(option)) for key, option in value.targetoptions.items() if option is not None)
            return _token("jitted", repr(options), self.hash(value.py_func))
        if isinstance(value, (tuple, list)):
            return _token(type(value).__name__, *map(self.hash, value))
        if isinstance(value, (set, frozenset)):
            return _token("set", *sorted(map(self.hash, value)))
        if isinstance(value, dict):
            return _token("dict", *sorted(self.hash(key) + self.hash(item) for key, item in value.items()))
        if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
            return _token("array", repr(value.dtype), repr(np.shape(value)), value.tobytes())
        if isinstance(value, ModuleType):
            return self._module(value, ())
        return self._other(value)

    def _function(self, function: FunctionType) -> bytes:
        if id(function) in self._order:
            return _token("again", repr(self._order[id(function)]))
        if self._is_foreign(function.__module__):
            return self._by_name(function)
        self._order[id(function)] = len(self._order)
        self.functions.append(function)
        closure = [_cell(cell) for cell in function.__closure__ or ()]
        return _token(
            "function",
            self._code(function.__code__, function),
            *map(self.hash, (function.__defaults__, function.__kwdefaults__, closure)),
        )

    def _code(self, code: CodeType, function: FunctionType) -> bytes:
        constants = code.co_consts
        if code is function.__code__ and constants and constants[0] == function.__doc__:
            constants = constants[1:]
        self.names.update(code.co_names)
        return _token(
            "code",
            code.co_code,
            code.co_exceptiontable,
            repr((code.co_names, code.co_freevars, code.co_cellvars, code.co_argcount, code.co_flags)),
            *(self._code(c, function) if isinstance(c, CodeType) else self.hash(c) for c in constants),
            *(self._global(name, code, function) for name in _global_names(code)),
        )

    def _global(self, name: str, code: CodeType, function: FunctionType) -> bytes:
        if name not in function.__globals__:
            return _token("builtin", name)
        value = function.__globals__[name]
        content = self._module(value, code.co_names) if isinstance(value, ModuleType) else self.hash(value)
        return _token("global", name, content)

    def _module(self, module: ModuleType, names: tuple[str, ...]) -> bytes:
        """A module by its name and version; one of the function's own package also by what `names` reach in it."""
        if self._is_foreign(module.__name__):
            return self._by_name(module)
        reached = [name for name in sorted(names) if name in vars(module)]
        self.is_covered &= bool(reached)
        values = (vars(module)[name] for name in reached)
        return _token(
            "module",
            *reached,
            *(self._module(v, names) if isinstance(v, ModuleType) else self.hash(v) for v in values),
        )

    def _other(self, value: Any) -> bytes:
        kind = value if isinstance(value, type) else type(value)
        if isinstance(value, enum.Enum):
            return _token("enum", kind.__module__, kind.__qualname__, value.name, self.hash(value.value))
        if isinstance(value, np.dtype):
            return _token("dtype", repr(value))
        if isinstance(value, type | BuiltinFunctionType | np.ufunc) or _top(kind.__module__) in _LIBRARIES:
            return self._by_name(value)
        strategy_function = getattr(value, "function", None)
        if isinstance(strategy_function, FunctionType):
            return self.hash(strategy_function)
        self.is_covered = False
        return _token("object", kind.__module__, kind.__qualname__)

    def _by_name(self, value: Any) -> bytes:
        module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None) or "builtins"
        name = getattr(value, "__qualname__", None) or getattr(value, "__name__", type(value).__qualname__)
        version = getattr(sys.modules.get(_top(module)), "__version__", "")
        self.is_covered &= _top(module) in _LIBRARIES
        return _token("library", module, name, repr(version))

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


def _global_names(code: CodeType) -> list[str]:
    return sorted({i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")})


def _cell(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _top(module_name: str) -> str:
    return module_name.partition(".")[0]


def _home(function: Callable) -> str:
    return _top(getattr(function, "__module__", None) or "")
