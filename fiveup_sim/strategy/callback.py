"""Strategies that numba cannot compile, played by the same compiled kernel.

The kernel calls a strategy by its address. A ctypes callback has one too: it takes the interpreter's lock, wraps the
address of the view and calls the Python function. About 1 us a question, against 0.05 for a compiled strategy.
"""

from __future__ import annotations

import ctypes
import operator
import threading
from collections.abc import Callable
from typing import Any

from numba import types

from fiveup_sim.engine.compile import SIGNATURE
from fiveup_sim.strategy.errors import return_error
from fiveup_sim.strategy.plain import view_type

_LARGEST = 1 << 62


class Callback(types.WrapperAddressProtocol):
    """The function of a strategy, to be called by the kernel.

    Parameters
    ----------
    name
        Name of the strategy, for messages.
    function
        Takes a view (:func:`fiveup_sim.strategy.plain.plain_view`), returns an index.

    Notes
    -----
    ctypes would swallow an exception; it is kept in :attr:`error` and -1 returned, an illegal index at which the
    kernel stops.
    """

    def __init__(self, name: str, function: Callable[[Any], int]) -> None:
        self._name = name
        self._function = function
        self._view_type = view_type()
        self._views: dict[int, Any] = {}
        self._raised: dict[int, BaseException] = {}
        self._entry = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(self._ask)

    @property
    def error(self) -> BaseException | None:
        """What the function raised at the last illegal answer in this thread; None if it returned that answer."""
        return self._raised.get(threading.get_ident())

    def signature(self) -> Any:
        """The signature by which numba knows it."""
        return SIGNATURE

    def __wrapper_address__(self) -> int:
        return ctypes.cast(self._entry, ctypes.c_void_p).value

    def _ask(self, address: int) -> int:
        try:
            view = self._views.get(address)
            if view is None:
                view = self._views[address] = self._view_type.from_address(address)
            answer = self._index(self._function(view))
            if not 0 <= answer < view.n_legal:
                self._raised.pop(threading.get_ident(), None)
            return answer
        except BaseException as error:
            self._raised[threading.get_ident()] = error
            return -1

    def _index(self, answer: Any) -> int:
        try:
            index = operator.index(answer)
        except TypeError:
            raise return_error(self._name, self._function, f"it returned {answer!r}") from None
        return index if -_LARGEST < index < _LARGEST else -1
