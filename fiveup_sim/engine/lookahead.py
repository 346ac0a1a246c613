"""What a placement would lead to: functions for strategies that look ahead, compiled or plain Python."""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from fiveup_sim.engine.bits import lowest_bit, popcount
from fiveup_sim.rules import tiles
from fiveup_sim.rules.tiles import ARM, END, LEAD, LINE

TILE_LOW = np.array(tiles.LOW, np.int64)
"""Lower pip by tile id."""
TILE_HIGH = np.array(tiles.HIGH, np.int64)
"""Higher pip by tile id."""
TILE_PIPS = np.array(tiles.PIPS, np.int64)
"""Pips by tile id."""


@register_jitable
def n_tiles(tile_set: int) -> int:
    """Number of tiles in a set such as ``view.unseen``."""
    return popcount(tile_set)


@register_jitable
def lowest_tile(tile_set: int) -> int:
    """Lowest tile id in a set, which must not be empty; ``tiles & (tiles - 1)`` is the set without it."""
    return lowest_bit(tile_set)


_TILES_WITH = np.array(
    [
        sum(1 << t for t in range(tiles.N_TILES) if pip_set >> tiles.LOW[t] & 1 or pip_set >> tiles.HIGH[t] & 1)
        for pip_set in range(1 << tiles.N_PIPS)
    ]
)


@register_jitable
def reply_tiles(view, choice: int) -> int:
    """The tiles that fit somewhere after the legal placement `choice`: a set to intersect with ``view.unseen``.

    Parameters
    ----------
    view
        The view that the strategy was asked with.
    choice
        Index into ``view.legal``.
    """
    pips = 0
    for pip in range(tiles.N_PIPS):
        ends, lines, arms = _places_after(view, view.legal[choice], pip)
        pips |= (ends + lines + arms > 0) << pip
    return int(_TILES_WITH[pips])


@register_jitable
def reply_points(view, choice: int, tile: int) -> int:
    """The largest award for laying `tile` next, after the legal placement `choice`.

    Parameters
    ----------
    view
        The view that the strategy was asked with.
    choice
        Index into ``view.legal``.
    tile
        Tile id.

    Returns
    -------
    int
        Points by the award table of the rules; -1 if the tile could not be laid.
    """
    best = _points_at(view, choice, tile, TILE_LOW[tile])
    if TILE_LOW[tile] != TILE_HIGH[tile]:
        best = max(best, _points_at(view, choice, tile, TILE_HIGH[tile]))
    return int(best)


@register_jitable
def _points_at(view, choice, tile, pip):
    """The largest award for laying `tile` by its half `pip`, after `choice`; -1 if there is no place."""
    first = view.legal[choice]
    ends, lines, arms = _places_after(view, first, pip)
    is_double = TILE_LOW[tile] == TILE_HIGH[tile]
    without_end = first.count + (2 * pip if is_double else TILE_PIPS[tile] - pip)
    best = -1
    if ends > 0:
        best = max(best, view.award[without_end - pip])
    if lines > 0:
        best = max(best, view.award[without_end - (2 * pip if lines == 1 else 0)])
    if arms > 0 and (lines == 0 or view.arms_after_line == 0):
        best = max(best, view.award[without_end])
    return int(best)


@register_jitable
def _places_after(view, first, pip):
    """Ends, line sides and arms with `pip` once the placement `first` is laid."""
    ends, lines, arms = int(view.ends[pip]), int(view.lines[pip]), int(view.arms[pip])
    low, high = TILE_LOW[first.tile], TILE_HIGH[first.tile]
    if first.pip == pip:
        ends -= first.kind == END
        lines -= first.kind == LINE
        arms -= first.kind == ARM
    if low == high:
        if low == pip:
            lines += 2 if first.kind == LEAD else 1
            arms += view.double_arms
    else:
        # a lead leaves both halves free, any other single the half that was not matched
        ends += low == pip and first.pip != low
        ends += high == pip and first.pip != high
    return ends, lines, arms
