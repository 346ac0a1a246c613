"""One instruction when compiled, plain integers in Python: both must agree."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from fiveup_sim.engine import bits

WORDS = st.integers(0, 2**64 - 1)
SETS = st.integers(1, 2**62 - 1)


@njit
def compiled_counts(tiles):
    return bits.popcount(tiles), bits.lowest_bit(tiles)


@njit
def compiled_words(a, b):
    return bits.add64(a, b), bits.mul64(a, b), bits.mulhi64(a, b)


@given(SETS)
def test_counts_of_bits(tiles: int) -> None:
    expected = (bin(tiles).count("1"), len(bin(tiles)) - len(bin(tiles).rstrip("0")))
    assert compiled_counts(tiles) == (bits.popcount(tiles), bits.lowest_bit(tiles)) == expected


@given(WORDS, WORDS)
def test_words(a: int, b: int) -> None:
    expected = ((a + b) % 2**64, a * b % 2**64, a * b // 2**64)
    assert (bits.add64(a, b), bits.mul64(a, b), bits.mulhi64(a, b)) == expected
    assert tuple(map(int, compiled_words(np.uint64(a), np.uint64(b)))) == expected
