"""Counter-based random streams: lots, deals and the seats' streams, each at its own address.

Philox4x64-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011) turns a key of two words and a
counter of four into four random words. The key is (seed, purpose), the counter (hand, block, fresh, 0). Rules and
line-ups are no part of it, so that all rule sets, line-ups and seatings of a block share lots and deals.
A change of anything here is a change of :data:`STREAM_VERSION`.
"""

from __future__ import annotations

from numba import njit

from fiveup_sim.engine.bits import add64, mul64, mulhi64, word64
from fiveup_sim.engine.draws import GAMMA, mix64
from fiveup_sim.tiles import N_TILES

STREAM_VERSION = 1
"""Changes whenever a seed gives other games than before."""

DEAL = 0
"""Purpose of the words that shuffle the tiles and draw the lots."""
SEATS = 1
"""Purpose of the words that start the seats' own streams."""

_M0 = 0xD2E7470EE14C6C93
_M1 = 0xCA5A826395121157
_W0 = 0x9E3779B97F4A7C15
_W1 = 0xBB67AE8584CAA73B
_PER_WORD = 7


@njit
def philox(c0, c1, c2, c3, k0, k1):
    """Four random words at the counter (c0, c1, c2, c3) under the key (k0, k1); all unsigned 64-bit."""
    c0, c1, c2, c3 = word64(c0), word64(c1), word64(c2), word64(c3)
    k0, k1 = word64(k0), word64(k1)
    for _ in range(10):
        high0, low0 = mulhi64(_M0, c0), mul64(_M0, c0)
        high1, low1 = mulhi64(_M1, c2), mul64(_M1, c2)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0, k1 = add64(k0, _W0), add64(k1, _W1)
    return c0, c1, c2, c3


@njit
def deal(deck, n_seats, seed, block, fresh, hand):
    """Shuffle `deck` for one hand and draw a lot.

    Parameters
    ----------
    deck
        Integers of shape (28,), filled with the tile ids in the order in which they are dealt and drawn.
    n_seats
        The lot is one of so many.
    seed, block, fresh, hand
        The address; unsigned. `fresh` is 0 where the seatings of a block share the deals.

    Returns
    -------
    int
        The lot: a uniform seat, independent of the deck.

    Notes
    -----
    A word gives seven indices: the high half of ``word * n`` is an index below n, the low half goes on. No index is
    biased by more than 28 * 27 * ... * 22 / 2**64 < 2**-31.
    """
    words = philox(hand, block, fresh, 0, seed, DEAL)
    for tile in range(N_TILES):
        deck[tile] = tile
    bits = words[0]
    for i in range(0, _PER_WORD):
        bits = _swap(deck, i, bits)
    bits = words[1]
    for i in range(_PER_WORD, 2 * _PER_WORD):
        bits = _swap(deck, i, bits)
    bits = words[2]
    for i in range(2 * _PER_WORD, 3 * _PER_WORD):
        bits = _swap(deck, i, bits)
    bits = words[3]
    for i in range(3 * _PER_WORD, N_TILES - 1):
        bits = _swap(deck, i, bits)
    return int(mulhi64(bits, n_seats))


@njit
def _swap(deck, i, bits):
    """Swap tile i of the deck with a random later one (or itself); what is left of the random bits."""
    j = i + int(mulhi64(bits, N_TILES - i))
    deck[i], deck[j] = deck[j], deck[i]
    return mul64(bits, N_TILES - i)


@njit
def seat_streams(streams, seed, block, fresh):
    """Fill `streams` (unsigned, shape (4,)) with a random word for each seat, for one game."""
    words = philox(0, block, fresh, 0, seed, SEATS)
    streams[0], streams[1], streams[2], streams[3] = words


@njit
def hand_stream(stream, hand):
    """The state in which the random stream of a seat starts a hand, from its word for the game."""
    return mix64(add64(stream, mul64(hand, GAMMA)))
