"""Types and cache stamp shared by everything that is compiled."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba import from_dtype, njit, types

from fiveup_sim.engine.view import VIEW

VIEW_TYPE = from_dtype(VIEW)
SIGNATURE = types.int64(VIEW_TYPE)
"""Every strategy is compiled to this."""
STRATEGY_TYPE = types.FunctionType(SIGNATURE)
"""How the kernel takes a strategy: any compiled function of that signature, called through its address."""


@lru_cache
def engine_stamp() -> int:
    """A number that changes with any source file that compiled functions are made from.

    numba's disk cache looks at the text of a function's own file only. A compiled function that holds this number
    in its closure is never taken from the cache after a change in any other file it calls or freezes.
    """
    engine = Path(__file__).parent
    digest = sha256()
    for path in [*sorted(engine.glob("*.py")), *sorted(engine.with_name("rules").glob("*.py"))]:
        digest.update(path.read_bytes())
    return int.from_bytes(digest.digest()[:6], "little")


def compile_cached(signature: Any, function: Callable) -> Any:
    """`function` compiled to `signature`: from numba's disk cache, or compiled now and left there.

    numba keeps it beside the package, in the user's cache directory or in NUMBA_CACHE_DIR. Where it can write to none
    of them (a RuntimeError), or no longer (an OSError: a full disk), the function is compiled without a cache, and a
    warning says so once a process.

    Parameters
    ----------
    signature
        The one signature it has.
    function
        A function in whose closure a stamp stands for all that it is made from: see :func:`engine_stamp`.

    Returns
    -------
    Dispatcher
        The compiled function; errors of the compilation come out as they are.
    """
    try:
        return njit(signature, nogil=True, cache=True)(function)
    except (RuntimeError, OSError):
        compiled = njit(signature, nogil=True)(function)
    _warn_of_no_cache()
    return compiled


@lru_cache(maxsize=1)
def _warn_of_no_cache() -> None:
    warnings.warn(
        "no place to keep compiled code: it is compiled anew by each process;"
        " set NUMBA_CACHE_DIR to a directory that can be written to",
        stacklevel=4,
    )
