"""Which runs are set against which: one change at a time, or a full factorial of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

CHANGE, MAIN, INTERACTION = "change", "main effect", "interaction"
"""The kinds of comparisons."""


@dataclass(frozen=True)
class Contrast:
    """A comparison of runs: a sum of their figures with weights that add up to 0."""

    label: str
    """What is changed: ``"spinners = first"``, ``"spinners = first x target = 50"``."""
    kind: str
    """A change against the base; a main effect: the mean of that change over all other changes; or an interaction:
    by how much one change alters the effect of another, likewise."""
    weights: np.ndarray
    """float64, shape (n_runs,)."""


def one_at_a_time(labels: Sequence[str]) -> list[Contrast]:
    """Each variant against the base, which is run 0.

    Parameters
    ----------
    labels
        The variants, runs 1, 2, ...
    """
    n_runs = len(labels) + 1
    contrasts = []
    for run, label in enumerate(labels, 1):
        weights = np.zeros(n_runs)
        weights[[0, run]] = -1, 1
        contrasts.append(Contrast(label, CHANGE, weights))
    return contrasts


def full_factorial(levels: Sequence[Sequence[str]]) -> list[Contrast]:
    """Main effects and pairwise interactions of a full factorial plan.

    Parameters
    ----------
    levels
        The levels of each factor, the base's first. Runs are all their combinations, the last factor varying fastest
        (``itertools.product``), so that run 0 is the base.
    """
    shape = tuple(map(len, levels))
    changes = [(factor, level) for factor, names in enumerate(levels) for level in range(1, len(names))]
    contrasts = [Contrast(levels[f][v], MAIN, _weights(shape, {f: v})) for f, v in changes]
    for (f, v), (g, w) in combinations(changes, 2):
        if f != g:
            label = f"{levels[f][v]} x {levels[g][w]}"
            contrasts.append(Contrast(label, INTERACTION, _weights(shape, {f: v, g: w})))
    return contrasts


def _weights(shape: tuple[int, ...], changed: dict[int, int]) -> np.ndarray:
    """Each changed factor: its level less the base's; every other: the mean over its levels."""
    weights = np.ones(())
    for factor, n_levels in enumerate(shape):
        each = np.full(n_levels, 1 / n_levels)
        if factor in changed:
            each[:] = 0
            each[[0, changed[factor]]] = -1, 1
        weights = np.multiply.outer(weights, each)
    return weights.ravel()
