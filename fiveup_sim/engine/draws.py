"""Random draws for strategies: functions that work in compiled strategies and in plain Python ones.

Each seat has its own stream, set anew by the kernel at the start of every hand from (seed, block, seat, hand), so
that what one strategy draws changes nothing for another. The stream is splitmix64 (Steele, Lea and Flood 2014):
a counter-based Philox draw costs a random strategy a tenth of the speed of the whole kernel.
"""

from __future__ import annotations

from numba.extending import register_jitable

from fiveup_sim.engine.bits import add64, mul64, mulhi64, signed

GAMMA = 0x9E3779B97F4A7C15
_MIX1 = 0xBF58476D1CE4E5B9
_MIX2 = 0x94D049BB133111EB


@register_jitable
def mix64(z: int) -> int:
    """The output function of splitmix64: a bijection of 64-bit words without visible structure."""
    z = mul64(z ^ (z >> 30), _MIX1)
    z = mul64(z ^ (z >> 27), _MIX2)
    return z ^ (z >> 31)


@register_jitable
def next_word(view) -> int:
    """The next 64 random bits of the seat's stream, as an unsigned integer."""
    state = add64(view.rng, GAMMA)
    view.rng = state
    return mix64(state)


@register_jitable
def below(view, n: int) -> int:
    """A uniform random integer from 0 to n - 1.

    Parameters
    ----------
    view
        The view that the strategy was asked with.
    n
        A positive integer; the bias is below n / 2**64.
    """
    return signed(mulhi64(next_word(view), n))


@register_jitable
def uniform(view) -> float:
    """A uniform random float in [0, 1), a multiple of 2**-53."""
    return (next_word(view) >> 11) * 2.0**-53
