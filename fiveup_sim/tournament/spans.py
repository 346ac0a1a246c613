"""Sets of block numbers as spans: sorted, disjoint, half-open, so that a million blocks are two numbers."""

from __future__ import annotations

from collections.abc import Iterable

Spans = tuple[tuple[int, int], ...]
"""``((0, 100), (150, 200))``: blocks 0 to 99 and 150 to 199."""


def n_blocks(spans: Spans) -> int:
    """Number of blocks in `spans`."""
    return sum(end - first for first, end in spans)


def union(spans: Iterable[tuple[int, int]]) -> Spans:
    """All blocks of `spans`, which may touch and overlap in any order."""
    joined: list[tuple[int, int]] = []
    for first, end in sorted(spans):
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif first < end:
            joined.append((first, end))
    return tuple(joined)


def overlap(a: Spans, b: Spans) -> Spans:
    """The blocks in both."""
    return union((max(first, start), min(end, stop)) for first, end in a for start, stop in b)


def without(a: Spans, b: Spans) -> Spans:
    """The blocks in `a` and not in `b`."""
    left = list(a)
    for start, stop in b:
        left = [part for first, end in left for part in ((first, min(end, start)), (max(first, stop), end))]
        left = [(first, end) for first, end in left if first < end]
    return tuple(left)


def by_remainder(spans: Spans, n: int) -> list[int]:
    """Number of blocks in `spans` whose number leaves the remainder 0, 1, ... n - 1 when divided by `n`."""
    return [sum((end - 1 - i) // n - (first - 1 - i) // n for first, end in spans) for i in range(n)]


def describe(spans: Spans) -> str:
    """`spans` in words: ``"0 to 99, 150 to 199"``; blocks are named by their first and last number."""
    return ", ".join(f"{first} to {end - 1}" if end - first > 1 else str(first) for first, end in spans) or "none"
