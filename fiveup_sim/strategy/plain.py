"""A view for plain Python: the same memory as the compiled one, with fields that are ordinary numbers.

numpy's records would do, but their fields are 8-bit integers that overflow (``record.points * 20``) and cost 1 us
each; a ctypes structure gives Python integers in a tenth of that.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any

import numpy as np

from fiveup_sim.engine.view import VIEW


def plain_view(record: Any) -> Any:
    """The view in `record` for a plain function: fields are Python numbers, changes go to the record.

    Parameters
    ----------
    record
        An element of an array of dtype VIEW, or an array of one element.

    Returns
    -------
    ctypes.Structure
        ``view.legal[0].points`` is an int, ``view.params[0]`` a float.
    """
    array = np.asarray(record)
    if array.dtype != VIEW or array.size != 1:
        raise TypeError(f"a view is one record of dtype VIEW, not {array.size} of {array.dtype}")
    view = view_type().from_address(array.ctypes.data)
    view.owner = record
    return view


@lru_cache
def view_type() -> type[ctypes.Structure]:
    """The ctypes structure laid out as VIEW."""
    return _structure("View", VIEW, ("owner",))


def _structure(name: str, dtype: np.dtype, slots: tuple[str, ...] = ()) -> type[ctypes.Structure]:
    # slots, so that setting a field that is not there is an error and no hidden memory
    fields = [(field, _field_type(field, dtype[field])) for field in dtype.names]
    kind = type(name, (ctypes.Structure,), {"__slots__": slots, "_fields_": fields})
    if ctypes.sizeof(kind) != dtype.itemsize:
        raise RuntimeError(f"{name} takes {ctypes.sizeof(kind)} bytes, not {dtype.itemsize}")
    return kind


def _field_type(name: str, dtype: np.dtype) -> Any:
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return _field_type(name, base) * shape[0]
    return _structure(name.capitalize(), dtype) if dtype.names else np.ctypeslib.as_ctypes_type(dtype)
