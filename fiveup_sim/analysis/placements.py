"""Points per placement: by strategy, and by seat, kind, tile, position or award."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from fiveup_sim.analysis import groups
from fiveup_sim.analysis.frames import frame
from fiveup_sim.analysis.groups import Sums
from fiveup_sim.analysis.intervals import count, share
from fiveup_sim.analysis.multiple import simultaneous
from fiveup_sim.engine.rulebook import award_step
from fiveup_sim.rules.tiles import KINDS, LEAD, N_TILES, format_tile

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results

_TALLIES = {None: "kind", "seat": "kind", "kind": "kind", "lead": "kind", "tile": "tile", "position": "position"}


def points_per_placement(results: Results, by: str | None = None, level: float = 0.95) -> pd.DataFrame:
    """Points awarded for placements / placements, by strategy. Settlement is no part of it.

    Parameters
    ----------
    results
        Of a match or a tournament.
    by
        None, or what else to split by: ``"seat"``, ``"kind"`` (of place), ``"lead"`` (or not), ``"tile"``,
        ``"position"`` (1 is the lead), or ``"award"``: then the figures are shares of placements by the points
        awarded.
    level
        Coverage of all intervals of a strategy at once.

    Returns
    -------
    pandas.DataFrame
        ``strategy``, the column called `by`, ``low``, ``best``, ``high`` (points), ``n`` (placements). Classes with
        no placements are left out. ``raw`` is ``best`` in pips counted, where every point stands for as many.

    Raises
    ------
    ValueError
        If `by` is none of these.
    """
    if by not in (*_TALLIES, "award"):
        raise ValueError(f"by = {by!r}: allowed None, {', '.join(filter(None, _TALLIES))}, award")
    deals = groups.n_deals(results.matches, results.paired, "hands")
    if by == "award":
        return _by_award(results, deals, level)
    placements, points = (_split(results, f"{_TALLIES[by]}_{what}", by) for what in ("placements", "points"))
    at_once = simultaneous(level, 1 if by is None else placements.shape[1])
    estimates = count(Sums.of(points, placements, deals), at_once, size=largest_award(results))
    axes: dict[str, Iterable[Any]] = {"strategy": results.labels}
    if by is not None:
        axes[by] = _classes(by, placements.shape[1])
    table = frame(estimates, axes)
    if results.rules.scoring_multiples == (5,):
        table["raw"] = table["best"] * results.rules.point_unit
    return table if by is None else _seen(table)


def largest_award(results: Results) -> int:
    """The most points awarded for one placement so far; 1 if none scored."""
    seen = np.flatnonzero(groups.pooled(results.matches, "awards").any((0, 2)))
    return max(1, int(seen.max(initial=0)) * award_step(results.rules))


def _by_award(results: Results, deals: int, level: float) -> pd.DataFrame:
    awards = groups.by_seat_holder(results, "awards")
    n_classes = int(np.flatnonzero(awards.any((0, 2))).max(initial=0)) + 1
    awards = awards[:, :n_classes]
    sums = Sums.of(awards, awards.sum(1, keepdims=True), deals)
    estimates = share(sums, simultaneous(level, n_classes))
    step = award_step(results.rules)
    return _seen(frame(estimates, {"strategy": results.labels, "award": range(0, n_classes * step, step)}))


def _split(results: Results, name: str, by: str | None) -> np.ndarray:
    """A tally of placements by strategy and class: int64, shape (n_strategies, n_classes, 128); by None (n, 128)."""
    if by == "seat":
        return _by_seat(results, name)
    moved = groups.by_seat_holder(results, name)
    if by is None:
        return moved.sum(1)
    if by == "lead":
        return np.stack([moved[:, LEAD], np.delete(moved, LEAD, axis=1).sum(1)], axis=1)
    return moved


def _by_seat(results: Results, name: str) -> np.ndarray:
    return sum(
        np.einsum("rgsc,rsk->ksg", match.tallies[name][:, :, : results.rules.seats], seats.astype(np.int64))
        for match in results.matches
        for seats in [groups.seats_of(match, results.labels)]
    )


def _classes(by: str, n: int) -> list[Any]:
    names = {
        "kind": [kind.lower() for kind in KINDS[:n]],
        "lead": [True, False],
        "tile": [format_tile(tile) for tile in range(N_TILES)],
        "position": list(range(1, n + 1)),
        "seat": list(range(n)),
    }
    return names[by]


def _seen(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["n"] > 0].reset_index(drop=True)
