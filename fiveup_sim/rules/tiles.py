"""Tiles of the double-six set: ids, pips and the written notation.

A tile is a number 0..27: the tile ``(low, high)`` has id ``high * (high + 1) / 2 + low``, so that the ids
run 0-0, 0-1, 1-1, 0-2, 1-2, 2-2, ... Plain Python, no imports: everything else stands on this.
"""

from __future__ import annotations

import re
from typing import NamedTuple

N_PIPS = 7
"""Pip numbers 0..6."""
N_TILES = 28
"""Tiles of the set."""
ALL_PIPS = 168
"""Pips of the whole set."""

LOW: tuple[int, ...] = tuple(low for high in range(N_PIPS) for low in range(high + 1))
"""Lower pip by tile id."""
HIGH: tuple[int, ...] = tuple(high for high in range(N_PIPS) for low in range(high + 1))
"""Higher pip by tile id."""
PIPS: tuple[int, ...] = tuple(low + high for low, high in zip(LOW, HIGH, strict=True))
"""Sum of both pips by tile id."""

KINDS: tuple[str, ...] = ("END", "LINE", "ARM", "LEAD", "PASS")
"""Names of the kinds of a turn, by code: three kinds of place, the lead, and a pass."""
END, LINE, ARM, LEAD, PASS = range(5)

_TILE = re.compile(r"\[([0-6])\|([0-6])\]|([0-6])[-|]([0-6])")
_PLACEMENT = re.compile(r"(?P<tile>[^@/]+)(?:@(?P<host>[^@/]+)(?:/(?P<kind>line|arm))?)?")


class Placement(NamedTuple):
    """A placement as it is written: a tile, the tile it is laid against, and the kind where it is named.

    ``host`` is None for a lead; ``kind`` is ``LINE``, ``ARM`` or None (follows from the state of the host).
    """

    tile: int
    host: int | None = None
    kind: int | None = None


def tile_id(a: int, b: int) -> int:
    """The id of the tile with pips `a` and `b`, in either order.

    >>> tile_id(6, 4) == tile_id(4, 6) == 25
    True
    """
    low, high = (a, b) if a <= b else (b, a)
    if low < 0 or high >= N_PIPS:
        raise ValueError(f"pips {a} and {b}: a tile has two pip numbers from 0 to 6")
    return high * (high + 1) // 2 + low


def is_double(tile: int) -> bool:
    """Whether both halves of `tile` have the same pips."""
    return LOW[tile] == HIGH[tile]


def format_tile(tile: int) -> str:
    """`tile` as it is written: higher pip first.

    >>> format_tile(25)
    '6-4'
    """
    return f"{HIGH[tile]}-{LOW[tile]}"


def parse_tile(text: str) -> int:
    """The id of the tile written `text`: ``6-4``, ``4-6``, ``[4|6]`` or ``4|6``.

    Raises
    ------
    ValueError
        If `text` is none of these spellings.
    """
    match = _TILE.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None:
        raise ValueError(f"tile {text!r}: write it 6-4, 4-6, [4|6] or 4|6, with pips from 0 to 6")
    a, b = (int(pip) for pip in match.groups() if pip is not None)
    return tile_id(a, b)


def format_placement(placement: Placement) -> str:
    """`placement` as it is written: ``4-1``, ``4-4@4-1`` or ``5-4@5-5/arm``."""
    text = format_tile(placement.tile)
    if placement.host is not None:
        text += f"@{format_tile(placement.host)}"
    if placement.kind is not None:
        text += f"/{KINDS[placement.kind].lower()}"
    return text


def parse_placement(text: str) -> Placement:
    """The placement written `text`: ``4-1``, ``4-4@4-1``, ``5-4@5-5/line`` or ``5-4@5-5/arm``.

    Raises
    ------
    ValueError
        If `text` is not written so, or the host has no pips in common with the tile.
    """
    match = _PLACEMENT.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None:
        raise ValueError(f"placement {text!r}: write it TILE, TILE@HOST, TILE@HOST/line or TILE@HOST/arm")
    tile = parse_tile(match["tile"])
    if match["host"] is None:
        return Placement(tile)
    host = parse_tile(match["host"])
    if tile == host or not {LOW[tile], HIGH[tile]} & {LOW[host], HIGH[host]}:
        raise ValueError(f"placement {text!r}: {format_tile(tile)} and {format_tile(host)} do not share a pip")
    kind = match["kind"]
    return Placement(tile, host, None if kind is None else KINDS.index(kind.upper()))
