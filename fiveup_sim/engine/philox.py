"""Counter-based random streams: lots, deals and the seats' streams, each at its own address.

Philox4x64-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011) turns a key of two words and a
counter of four into four random words. The key is (seed, purpose), the counter (hand, block, fresh, 0). Rules and
line-ups are no part of it, so that all rule sets, line-ups and seatings of a block share lots and deals.
A change of anything here is a change of :data:`STREAM_VERSION`.
"""

from __future__ import annotations

from numba import njit

from fiveup_sim.engine.bits import add64, index, mul64, mulhi64, signed, word64
from fiveup_sim.engine.draws import GAMMA, mix64
from fiveup_sim.rules.tiles import N_TILES

STREAM_VERSION = 1
"""Changes whenever a seed gives other games than before."""

DEAL = 0
"""Purpose of the words that shuffle the tiles."""
LOT = 1
"""Purpose of the words that draw the lots."""
SEATS = 2
"""Purpose of the words that start the seats' own streams."""

_M0 = 0xD2E7470EE14C6C93
_M1 = 0xCA5A826395121157
_W0 = 0x9E3779B97F4A7C15
_W1 = 0xBB67AE8584CAA73B
_WORD_PLACES = 3  # a random word serves 2**3 places of the deck


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


@njit(inline="always")
def shuffle(state, seed, block, fresh, hand):
    """Make the deck of `state` ready for :func:`next_tile` at the address (seed, block, fresh, hand).

    `fresh` is 0 where the seatings of a block share the deals.
    """
    for tile in range(N_TILES):
        state.deck[tile] = tile
    state.random[0], state.random[1], state.random[2], state.random[3] = philox(hand, block, fresh, 0, seed, DEAL)


@njit(inline="always")
def next_tile(state, i):
    """The tile at place `i` of the deck, to be asked for in order: the shuffle goes only as far as tiles are drawn.

    Notes
    -----
    A random word serves eight places: the high half of ``word * n`` is an index below n, the low half goes on. No
    index is biased by more than 28 * 27 * ... * 21 / 2**64 < 2**-27, far below what any number of games could show.
    """
    word, n = i >> _WORD_PLACES, N_TILES - i
    bits = state.random[index(word)]
    state.random[index(word)] = mul64(bits, n)
    j = add64(i, mulhi64(bits, n))
    tile = state.deck[j]
    state.deck[j] = state.deck[index(i)]
    state.deck[index(i)] = tile
    return tile


@njit
def lot(n_seats, seed, block, fresh, hand):
    """A uniform seat, drawn at the address (seed, block, fresh, hand)."""
    return signed(mulhi64(philox(hand, block, fresh, 0, seed, LOT)[0], n_seats))


@njit
def seat_streams(streams, seed, block, fresh):
    """Fill `streams` (unsigned, shape (4,)) with a random word for each seat, for one game."""
    words = philox(0, block, fresh, 0, seed, SEATS)
    streams[0], streams[1], streams[2], streams[3] = words


@njit
def hand_stream(stream, hand):
    """The state in which the random stream of a seat starts a hand, from its word for the game."""
    return mix64(add64(stream, mul64(hand, GAMMA)))
