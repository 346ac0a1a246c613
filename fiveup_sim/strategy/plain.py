"""A view for plain Python: the same memory as the compiled one, with fields that are ordinary numbers.

numpy's records would do, but their fields are 8-bit integers that overflow (``record.points * 20``) and cost 1 us
each; a ctypes structure gives Python integers in a tenth of that. Helpers that numba has compiled take it too.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

import numpy as np

from fiveup_sim.engine.view import VIEW


class Record(ctypes.Structure):
    """A record of plain numbers; fields that it does not have cannot be set."""

    __slots__ = ()

    @property
    def data(self) -> memoryview:
        """Its memory: where numba looks when it is passed to a compiled helper."""
        return memoryview(self)


def plain_view(record: Any) -> Any:
    """The view in `record` for a plain function: fields are Python numbers, changes go to the record.

    Parameters
    ----------
    record
        An element of an array of dtype VIEW, or an array of one element.

    Returns
    -------
    Record
        ``view.legal[0].points`` is an int, ``view.params[0]`` a float. It keeps `record` alive.
    """
    if getattr(record, "dtype", None) != VIEW or record.size != 1:
        raise TypeError(f"a view is one record of dtype VIEW, not {record!r:.80}")
    address = record.ctypes.data if isinstance(record, np.ndarray) else record.__array_interface__["data"][0]
    view = view_type().from_address(address)
    view.owner = record
    return view


def view_type() -> type[Record]:
    """The structure laid out as VIEW, known to numba once numba is there."""
    if "numba" in sys.modules:
        _introduce_to_numba()
    return _structure("View", VIEW)


@cache
def _structure(name: str, dtype: np.dtype) -> type[Record]:
    # slots, so that setting a field that is not there is an error and no hidden memory
    body = {
        "__slots__": ("owner",) if dtype == VIEW else (),
        "_fields_": [(field, _field_type(field, dtype[field])) for field in dtype.names],
        "dtype": dtype,
    }
    kind = type(name, (Record,), body)
    if ctypes.sizeof(kind) != dtype.itemsize:
        raise RuntimeError(f"{name} takes {ctypes.sizeof(kind)} bytes, not {dtype.itemsize}")
    return kind


def _field_type(name: str, dtype: np.dtype) -> Any:
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return _field_type(name, base) * shape[0]
    return _structure(name.capitalize(), dtype) if dtype.names else np.ctypeslib.as_ctypes_type(dtype)


@cache
def _introduce_to_numba() -> None:
    from numba import from_dtype
    from numba.extending import typeof_impl

    numba_type = cache(from_dtype)

    @typeof_impl.register(Record)
    def _typeof_record(record: Record, context: Any) -> Any:
        return numba_type(record.dtype)
