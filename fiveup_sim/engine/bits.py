"""Bit counts and exact 64-bit products: one instruction when compiled, plain integers in Python.

Sets are int64 (28 tiles or 56 half tiles fit, and signed integers stay integers in numba); random words are uint64.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

MASK64 = (1 << 64) - 1


def popcount(bits: int) -> int:
    """Number of bits set in the non-negative `bits`."""
    return int(bits).bit_count()


def lowest_bit(bits: int) -> int:
    """Index of the lowest bit set in `bits`, which must not be 0."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1


def index(i: int) -> int:
    """`i`, not negative, as an index: numba then leaves out the wrap of negative ones, 2 % of the kernel."""
    return i


def word64(a: int) -> int:
    """``a mod 2**64``: an integer as an unsigned word."""
    return int(a) & MASK64


def signed(a: int) -> int:
    """A word below 2**63 as an ordinary (signed) integer: numba makes floats of sums of both kinds."""
    return int(a)


def add64(a: int, b: int) -> int:
    """``(a + b) mod 2**64``."""
    return (int(a) + int(b)) & MASK64


def mul64(a: int, b: int) -> int:
    """``(a * b) mod 2**64``."""
    return (int(a) * int(b)) & MASK64


def mulhi64(a: int, b: int) -> int:
    """``(a * b) >> 64``, of unsigned 64-bit factors."""
    return (int(a) * int(b)) >> 64


@intrinsic
def _ctpop(typing_context, bits):
    def generate(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def _cttz(typing_context, bits):
    def generate(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def _mulhi(typing_context, a, b):
    def generate(context, builder, signature, args):
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


@overload(popcount)
def _popcount(bits):
    return lambda bits: _ctpop(bits)


@overload(lowest_bit)
def _lowest_bit(bits):
    return lambda bits: _cttz(bits)


@overload(index)
def _index(i):
    return lambda i: types.uint64(i)


@overload(word64)
def _word64(a):
    return lambda a: types.uint64(a)


@overload(signed)
def _signed(a):
    return lambda a: types.int64(a)


@overload(add64)
def _add64(a, b):
    return lambda a, b: types.uint64(a) + types.uint64(b)


@overload(mul64)
def _mul64(a, b):
    return lambda a, b: types.uint64(a) * types.uint64(b)


@overload(mulhi64)
def _mulhi64(a, b):
    return lambda a, b: _mulhi(types.uint64(a), types.uint64(b))
