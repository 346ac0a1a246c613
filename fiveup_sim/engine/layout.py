"""The table of a hand in one integer: places, legal placements, laying a tile, the count.

A byte for each pip p, at bit 8p, counts the free places with that pip::

    bit   7 6    5 4     3 2 1 0
         arms   lines    ends
         0..2   0..2     0..6

ends: outer halves of singles; lines: free line sides of the double p-p; arms: its side arms that are not started.
A lone led double has two line sides, any other new double one. Laying a tile takes one place away at the pip that is
matched and adds one (a double: its line side and arms) at the other half.

A set of *halves* has bit 2t for the lower half of tile t and bit 2t + 1 for the higher half of a single; this order
is the order of the rules. A placement is a word of 64 bits, the fields of ``view.LEGAL``.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from fiveup_sim.engine.bits import index, lowest_bit, popcount
from fiveup_sim.engine.rulebook import COUNT_OFFSET
from fiveup_sim.rules.tiles import ARM, HIGH, LEAD, LINE, LOW, N_PIPS, N_TILES, PIPS

_ENDS = 0x0F0F0F0F0F0F0F
_SIDES = 0x03030303030303
_BYTES = 0x01010101010101
_GATHER = sum(1 << 7 * i for i in range(N_PIPS))

ONE_END = 0x01
ONE_LINE = 0x10
ONE_ARM = 0x40
_TAKEN = ONE_END | ONE_LINE << 8 | ONE_ARM << 16
"""What laying a tile takes from the byte of the pip it matches: bytes by kind of place (END, LINE, ARM)."""

TILE_HALVES = np.array([1 << 2 * t | (LOW[t] != HIGH[t]) << 2 * t + 1 for t in range(N_TILES)])
"""The halves of a tile, by tile."""
IS_DOUBLE = np.array([int(LOW[t] == HIGH[t]) for t in range(N_TILES)])
LOW_OF = np.array(LOW)
PIPS_OF = np.array(PIPS)

HALF_PIP = np.array([pip for t in range(N_TILES) for pip in (LOW[t], HIGH[t])])
HALVES_WITH = np.array(
    [
        sum(1 << h for h in range(2 * N_TILES) if pip_set >> int(HALF_PIP[h]) & 1)
        for pip_set in range(1 << N_PIPS)
    ]
)  # fmt: skip
"""All halves whose pip is in a set of pips, by set."""
_HALF_GAIN = np.array(
    [PIPS[t] - (0 if LOW[t] == HIGH[t] else pip) for t in range(N_TILES) for pip in (LOW[t], HIGH[t])]
)
"""What laying a tile by a half adds to the count: its other half, or both halves of a double."""

_PIP, _KIND, _PIPS = 8, 16, 40
_HALF_WORD = np.array(
    [t | pip << _PIP | PIPS[t] << _PIPS for t in range(N_TILES) for pip in (LOW[t], HIGH[t])], np.int64
)
"""The fields of a placement that do not depend on the table, by half."""
_LEAD_WORD = np.array([t | 0xFF << _PIP | LEAD << _KIND | PIPS[t] << _PIPS for t in range(N_TILES)], np.int64)
PASS_WORD = 0xFF | 0xFF << _PIP | 4 << _KIND
"""Tile and pip -1, kind PASS."""
_PIPS_BITS = np.array([sum((PIPS[t] >> k & 1) << t for t in range(N_TILES)) for k in range(4)])


@njit
def pips_of(tiles):
    """Sum of the pips of a set of tiles, from the binary digits of their pips."""
    ones, twos = popcount(tiles & _PIPS_BITS[0]), popcount(tiles & _PIPS_BITS[1])
    return ones + 2 * twos + 4 * popcount(tiles & _PIPS_BITS[2]) + 8 * popcount(tiles & _PIPS_BITS[3])


@njit
def ends_of(table):
    """Ends by pip, a byte each."""
    return table & _ENDS


@njit
def lines_of(table):
    """Free line sides by pip, a byte each."""
    return table >> 4 & _SIDES


@njit
def arms_of(table):
    """Side arms not started by pip, a byte each."""
    return table >> 6 & _SIDES


@njit
def pip_set(places):
    """The set of pips whose byte in `places` is not 0 (bytes are at most 15)."""
    some = places + 0x7F * _BYTES >> 7 & _BYTES
    return some * _GATHER >> 42 & 0x7F


@njit
def lead_table(tile, arms):
    """The table after `tile` is led; a double gets `arms` side arms."""
    if IS_DOUBLE[tile]:
        return 2 * ONE_LINE + arms * ONE_ARM << 8 * LOW_OF[tile]
    return (1 << 8 * LOW_OF[tile]) + (1 << 8 * (PIPS_OF[tile] - LOW_OF[tile]))


@njit
def lay(table, pips, pip, kind, arms):
    """The table after a tile of `pips` is laid by its half `pip` on a place of `kind`; a double gets `arms` arms."""
    other = pips - pip
    added = ONE_LINE + arms * ONE_ARM if other == pip else ONE_END
    return table + (added << 8 * other) - ((_TAKEN >> 8 * kind & 0xFF) << 8 * pip)


@njit
def list_leads(rules, state, shown):
    """List every tile that may be led, as :func:`list_placements` does."""
    award, legal, seen = rules.award, state.legal, shown.legal
    tiles = state.lead_tiles
    n = 0
    while tiles:
        tile = lowest_bit(tiles)
        tiles &= tiles - 1
        legal[index(n)] = seen[index(n)] = _LEAD_WORD[tile] | award[index(PIPS_OF[tile] + COUNT_OFFSET)]
        n += 1
    return n


@njit(inline="always")
def list_placements(rules, state, shown, halves, table, count, ends, sides):
    """List the legal placements in the order of the rules.

    Parameters
    ----------
    rules, state, shown
        Records: the award table; the kernel's own list; the words of the asked seat's view, which is written too.
    halves
        Halves held.
    table, count
        The table and its count.
    ends, sides
        Sets of pips with an end; with a line side or, if it has none, an arm.

    Returns
    -------
    int
        Number of placements. Words behind the last one are undefined.

    Notes
    -----
    Every half with a place is written as if it had an end and a line side or arm, and the list grows by those that
    are there: free of branches that the processor would mispredict (a tenth of the kernel's time).
    """
    award, legal, seen = rules.award, state.legal, shown.legal
    on_ends = halves & HALVES_WITH[ends]
    on_sides = halves & HALVES_WITH[sides]
    left = on_ends | on_sides
    n = 0
    while left:
        half = lowest_bit(left)
        left &= left - 1
        pip = HALF_PIP[half]
        word = _HALF_WORD[half]
        grown = count + _HALF_GAIN[half] + COUNT_OFFSET
        legal[index(n)] = seen[index(n)] = word | award[index(grown - pip)]
        n += on_ends >> half & 1
        lines = table >> 8 * pip + 4 & 3
        kind = LINE + (lines == 0)
        dropped = 2 * pip if lines == 1 else 0
        legal[index(n)] = seen[index(n)] = word | kind << _KIND | award[index(grown - dropped)]
        n += on_sides >> half & 1
    return n


@njit
def insert_arms(rules, state, shown, table, count, n_legal):
    """Add the arms that are open beside a line side, each behind the placement on that line side.

    For rules under which arms do not wait for the line: the list of :func:`list_placements` is in `state.legal`.
    Returns the new number of placements.
    """
    legal = state.legal
    n = n_legal
    for i in range(n_legal):
        n += is_beside_arm(legal[i], table)
    left = n
    for i in range(n_legal - 1, -1, -1):  # from behind, so that nothing is overwritten before it is moved
        if is_beside_arm(legal[i], table):
            left -= 1
            # on an arm nothing that counts is covered
            grown = count + (legal[i] >> _PIPS & 0xFF) - (legal[i] >> _PIP & 0xFF)
            bare = legal[i] & (0xFFFF | 0xFF << _PIPS)
            legal[left] = bare | ARM << _KIND | rules.award[grown + COUNT_OFFSET]
        left -= 1
        legal[left] = legal[i]
    for i in range(n):
        shown.legal[i] = legal[i]
    return n


@njit
def is_beside_arm(word, table):
    """Whether a placement is on a line side of a double with an arm to start."""
    is_line = word >> _KIND & 0xFF == LINE
    return int(is_line and table >> 8 * (word >> _PIP & 0xFF) + 6 & 3 > 0)
