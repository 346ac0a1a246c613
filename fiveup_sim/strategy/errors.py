"""What goes wrong with a strategy, said in one or two plain lines."""

from __future__ import annotations

import difflib
import dis
import re
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from fiveup_sim.engine.view import LEGAL_FIELDS, PUBLIC_FIELDS, TURN
from fiveup_sim.strategy.digest import codes_of

_PIPELINE = re.compile(r"^Failed in \w+ mode pipeline.*$|^During: .*$|^Enable logging .*$", re.MULTILINE)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_AT_LINE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')
_RAISED_FROM = re.compile(r"\.*\s*Raised from (?:None|(?P<file>.+) \((?P<line>\d+)\))\s*$")


class StrategyError(Exception):
    """A strategy that cannot be found, compiled, sent to a worker or played; the message is one or two plain lines."""


def nearest(name: str, names: Iterable[str]) -> str:
    """``" (did you mean x?)"`` for the name in `names` most like `name`, or nothing."""
    close = difflib.get_close_matches(name, list(names), n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def where(function: Callable, line: int | None = None) -> str:
    """File and line of `function`, or of `line` in its file: ``file.py:12``."""
    code = function.__code__
    return f"{_short(code.co_filename)}:{line or code.co_firstlineno}"


def raised_text(error: BaseException) -> str:
    """What `error` says and where it was raised: ``ZeroDivisionError: division by zero (file.py:12)``."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not _is_machinery(frame.filename)]
    place = f" ({_short(own[-1].filename)}:{own[-1].lineno})" if own else ""
    return f"{_said(error)}{place}"


def compile_error(name: str, function: Callable, error: Exception, helpers: Iterable[Callable] = ()) -> StrategyError:
    """The plain form of what numba raised when it compiled `function`.

    Parameters
    ----------
    name
        Name of the strategy.
    function
        Its plain function.
    error
        What numba raised.
    helpers
        The functions it calls, to find the line with an unknown field.
    """
    field = _unknown_field(error)
    place = field and _line_with(field, (function, *helpers))
    if place:
        return StrategyError(f"strategy {name!r} cannot be compiled ({place})\n  {_no_field(field)}")
    text = _COLOUR.sub("", str(error))
    raised_from = _RAISED_FROM.search(text)
    place = _place(text, error, raised_from) or where(function)
    said = _plain_lines(_RAISED_FROM.sub("", text)) or type(error).__name__
    hint = "" if "NameError" in said else "; what numba cannot compile still plays with @strategy(jit=False), slower"
    return StrategyError(f"strategy {name!r} cannot be compiled ({place})\n  {said}{hint}")


def return_error(name: str, function: Callable, returned: str) -> StrategyError:
    """The plain form of a return value that is not an index; `returned` says what it is."""
    return StrategyError(
        f"strategy {name!r} ({where(function)}) must return the index of a legal placement (an int), but {returned}"
    )


def _unknown_field(error: Exception) -> str | None:
    """numba reports a field that a record does not have as a bare KeyError."""
    if isinstance(error, KeyError) and error.args and isinstance(error.args[0], str):
        return error.args[0]
    return None


def _no_field(field: str) -> str:
    homes = {"a view": PUBLIC_FIELDS, "a legal placement": LEGAL_FIELDS, "a turn": TURN.names}
    right = [home for home, names in homes.items() if field in names]
    hint = f" there, but in {' and in '.join(right)}" if right else nearest(field, set().union(*homes.values()))
    return f"no field {field!r}{hint}: " + "; ".join(f"{home} has {', '.join(names)}" for home, names in homes.items())


def _line_with(attribute: str, functions: Iterable[Callable]) -> str | None:
    """The first line that reads or sets `attribute` of anything."""
    for function in functions:
        for code in codes_of(function.__code__):
            for instruction in dis.get_instructions(code):
                if instruction.argval == attribute and instruction.opname.endswith(("ATTR", "METHOD")):
                    line = instruction.positions.lineno if instruction.positions else None
                    return where(function, line)
    return None


def _place(text: str, error: Exception, raised_from: re.Match | None) -> str | None:
    loc: Any = getattr(error, "loc", None)
    if loc is not None and loc.line:
        return f"{_short(loc.filename)}:{loc.line}"
    if raised_from is not None and raised_from["file"]:
        return f"{_short(raised_from['file'])}:{raised_from['line']}"
    found = _AT_LINE.search(text)
    return f"{_short(found['file'])}:{found['line']}" if found else None


def _plain_lines(text: str) -> str:
    """The first sentence of numba's message, on one line, with the type of a view called a view."""
    from fiveup_sim.engine.compile import VIEW_TYPE

    for kind, name in (VIEW_TYPE, "view"), (VIEW_TYPE.typeof("legal").dtype, "placement"):
        text = text.replace(str(kind), name).replace(repr(kind), name)
    text = _PIPELINE.sub("", text).strip()
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", text)]
    said = paragraphs[0] if paragraphs else ""
    if said.endswith("found for signature:") and len(paragraphs) > 1:
        said = f"{said.removesuffix(' found for signature:')}: {paragraphs[1].removeprefix('>>> ')}"
    said = re.sub(r"Function\(<built-in function (\w+)>\)", r"\1", said)
    said = re.sub(
        r"Untyped global name '(\w+)': Cannot determine Numba type of <class 'function'>",
        r"'\1' is a plain function: what a strategy calls must be decorated with numba.njit",
        said,
    )
    return said[:300].rstrip(" .;")


def _said(error: BaseException) -> str:
    try:
        text = " ".join(str(error).split())
    except Exception:  # the strategy's own exception may not even print
        text = ""
    return f"{type(error).__name__}: {text[:300]}" if text else type(error).__name__


def _is_machinery(filename: str) -> bool:
    path = Path(filename)
    return filename.startswith("<frozen") or "numba" in path.parts or Path(__file__).parents[1] in path.parents


def _short(filename: str) -> str:
    """A path as short as it stays clear: relative to the working directory where it is below it."""
    path = Path(filename)
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return filename
