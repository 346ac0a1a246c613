"""How many games a question needs, from games that were played."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.special import chdtri, ndtri

from fiveup_sim.analysis import groups
from fiveup_sim.analysis.groups import Sums
from fiveup_sim.analysis.intervals import Spread

if TYPE_CHECKING:
    from fiveup_sim.rules import Rules
    from fiveup_sim.tournament.match_results import MatchResults
    from fiveup_sim.tournament.results import Results


def games_needed(
    results: Results,
    *,
    half_width: float | None = None,
    difference: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
) -> pd.DataFrame:
    """Games of each line-up of two sides for an interval so narrow, or a difference so small.

    Parameters
    ----------
    results
        A pilot of some hundred games or more.
    half_width
        Half the width that an interval should have.
    difference
        The smallest difference that should be found, with the chance `power`, by a test at ``1 - level``.
    power
        See `difference`.
    level
        Coverage of the interval.

    Returns
    -------
    pandas.DataFrame
        Two rows for each line-up: ``line_up``, ``measure`` (``win_rate``: of the first side, differences from 1/2;
        ``points_per_hand``: first side less second), ``sd`` (of a block), ``low``, ``best``, ``high`` (games; the
        ends allow for the error of the sd), ``n`` (games of the pilot).

    Raises
    ------
    ValueError
        If not one of `half_width` and `difference` is given, or it is not above 0, there are not two sides, or a
        strategy plays both of them.
    """
    goal = half_width if difference is None else difference
    if (half_width is None) == (difference is None) or not goal > 0:
        raise ValueError(f"half_width = {half_width}, difference = {difference}: one of them, above 0, is needed")
    if results.rules.n_sides != 2:
        raise ValueError(f"{results.rules}: games are planned for two sides only")
    alone = next((match.line_up.names[0] for match in results.matches if len(match.line_up.names) == 1), None)
    if alone is not None:
        raise ValueError(f"{alone} against itself: both sides are equal by symmetry, no games are needed to know it")
    rows = []
    for match in results.matches:
        for measure, sd in _sds_of_block(match, results).items():
            if difference is None:
                games = [blocks_for_width(end, goal, level) * match.line_up.n_rotations for end in sd]
            else:
                games = [blocks_for_power(end, goal, level, power) * match.line_up.n_rotations for end in sd]
            rows.append([match.line_up.label, measure, sd[1], *games, match.tallies["games"].sum()])
    return pd.DataFrame(rows, columns=["line_up", "measure", "sd", "low", "best", "high", "n"])


def _sds_of_block(match: MatchResults, results: Results) -> dict[str, np.ndarray]:
    """Standard deviation of a block's value, with the ends of its 95 % interval: shape (3,), by measure."""
    n_blocks, n_hands = match.tallies["games"][0].sum(), match.tallies["hands"].sum()
    figures = {
        "win_rate": (ahead_of_second(match, results, "wins"), 2 * match.tallies["games"].sum(0), 0.5),
        "points_per_hand": (
            ahead_of_second(match, results, "change"),
            match.tallies["hands"].sum(0),
            size_of_block(results.rules) * n_blocks / max(n_hands, 1),
        ),
    }
    sds = {}
    for measure, (num, den, size) in figures.items():
        spread = Spread.of(Sums.of(num, den, n_blocks))
        if spread.df < 1:
            raise ValueError(f"{match.line_up.label}: a pilot of at least 2 blocks is needed")
        # as if one block at least had differed from the others
        sd = max(float(spread.error) * np.sqrt(n_blocks), size / np.sqrt(n_blocks))
        sds[measure] = sd * np.sqrt([spread.df / chdtri(spread.df, 0.025), 1.0, spread.df / chdtri(spread.df, 0.975)])
    return sds


def ahead_of_second(match: MatchResults, results: Results, name: str) -> np.ndarray:
    """A tally by side of the first side (that of seating 0) less that of the other: int64, shape (128,)."""
    by_side = match.tallies[name]
    ahead = by_side[:, :, 0] - by_side[:, :, 1]
    return np.einsum("rg,r->g", ahead, signs(match, results))


def signs(match: MatchResults, results: Results) -> np.ndarray:
    """1 where side 0 is who it is in seating 0, else -1: int64, shape (n_rotations,)."""
    sides = groups.sides_of(match, results.labels, results.rules)
    return np.where((sides[:, 0] == sides[0, 0]).all(1), 1, -1)


def size_of_block(rules: Rules) -> float:
    """Points by which two sides may well differ in a block that is not level: half of the target."""
    return rules.target / 2


def blocks_for_width(sd: float, half_width: float, level: float = 0.95) -> int:
    """Blocks for an interval of `half_width`, when a block's value has the standard deviation `sd`."""
    return _whole((ndtri((1 + level) / 2) * sd / half_width) ** 2)


def blocks_for_power(sd: float, difference: float, level: float = 0.95, power: float = 0.8) -> int:
    """Blocks to find `difference` with the chance `power` by a two-sided test at ``1 - level``."""
    return _whole(((ndtri((1 + level) / 2) + ndtri(power)) * sd / difference) ** 2)


def _whole(blocks: float) -> int:
    return max(1, math.ceil(blocks))
