"""Estimates as data frames: every figure with low, best, high and n."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from fiveup_sim.analysis.intervals import Estimates

COLUMNS = ["low", "best", "high", "n"]


def frame(estimates: Estimates, axes: dict[str, Iterable[Any]]) -> pd.DataFrame:
    """A row for each figure, in the order of `axes`.

    Parameters
    ----------
    estimates
        Figures of shape ``(len(axes[0]), len(axes[1]), ...)``.
    axes
        Names of columns, and the values along each axis.

    Returns
    -------
    pandas.DataFrame
        The columns of `axes`, then ``low``, ``best``, ``high`` (float64) and ``n`` (int64).
    """
    axes = {name: list(values) for name, values in axes.items()}
    shape = tuple(len(values) for values in axes.values())
    at = np.indices(shape).reshape(len(shape), -1)
    columns = {name: [values[i] for i in at[axis]] for axis, (name, values) in enumerate(axes.items())}
    figures = {name: np.broadcast_to(getattr(estimates, name), shape).ravel() for name in COLUMNS}
    return pd.DataFrame(columns | figures)
