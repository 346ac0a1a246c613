"""Types and cache stamp shared by everything that is compiled."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from numba import from_dtype, types

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
