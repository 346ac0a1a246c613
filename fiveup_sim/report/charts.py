"""Kinds of figures: estimates as dots with intervals, as lines, as bars, and tables of numbers as colours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from fiveup_sim.report.style import COLOURS, WIDTH, in_percent, mark, new_axes, of_figure

_ROW = 0.27
"""Inches a row."""
_MARGIN = 0.75
_BAND = 0.7
"""How much of a row the dots of several strategies take up."""


def dots(
    frame: pd.DataFrame, row: str, label: str, *, is_share: bool = False, reference: float | None = None
) -> Figure:
    """One estimate a row, in the order of `frame`, first on top.

    Parameters
    ----------
    frame
        With the column `row`, and ``low``, ``best``, ``high``.
    row
        Column with the names of the rows.
    label
        Of the axis: what it is and its unit.
    is_share
        Whether the axis is in percent.
    reference
        Where a line marks what no difference would be.
    """
    axes = new_axes(_MARGIN + _ROW * max(len(frame), 2))
    at = np.arange(len(frame))
    _errorbar(axes, frame, at, {"color": COLOURS[0], "marker": "o"})
    _finish_rows(axes, [str(name) for name in frame[row]], label, is_share, reference)
    return of_figure(axes)


def grouped_dots(
    frame: pd.DataFrame,
    row: str,
    by: str,
    order: Sequence[str],
    label: str,
    *,
    is_share: bool = False,
    reference: float | None = None,
) -> Figure:
    """Estimates of several groups side by side in each row.

    Parameters
    ----------
    frame
        With the columns `row` and `by`, and ``low``, ``best``, ``high``.
    row, label, is_share, reference
        As for :func:`dots`.
    by
        Column with the names of the groups.
    order
        All groups; their colours and markers follow it.
    """
    rows = list(dict.fromkeys(frame[row]))
    height = _MARGIN + 0.3 + len(rows) * max(_ROW, 0.11 * len(order) + 0.12)
    axes = new_axes(height)
    for i, name in enumerate(order):
        part = frame[frame[by] == name]
        shift = _BAND * ((i + 0.5) / len(order) - 0.5)
        at = np.array([rows.index(value) for value in part[row]]) + shift
        _errorbar(axes, part, at, mark(i), name)
    _finish_rows(axes, [str(value) for value in rows], label, is_share, reference)
    _legend(axes, len(order))
    return of_figure(axes)


def lines(
    frame: pd.DataFrame, x: str, by: str, order: Sequence[str], labels: tuple[str, str], *, is_share: bool = False
) -> Figure:
    """Estimates along a number, a line for each group, with error bars.

    Parameters
    ----------
    frame, by, order, is_share
        As for :func:`grouped_dots`.
    x
        Column with the number.
    labels
        Of both axes.
    """
    axes = new_axes(2.9)
    for i, name in enumerate(order):
        part = frame[frame[by] == name].sort_values(x)
        look = {"linewidth": 1.0, "elinewidth": 0.8, "capsize": 0.0, "markersize": 3.5}
        axes.errorbar(part[x], part["best"], yerr=_errors(part), label=name, **look, **mark(i))
    _label_numbers(axes, labels)
    if is_share:
        in_percent(axes.yaxis)
    _legend(axes, len(order))
    return of_figure(axes)


def bars(frame: pd.DataFrame, x: str, labels: tuple[str, str]) -> Figure:
    """Shares by a number, as bars from 0 with error bars.

    Parameters
    ----------
    frame
        With the column `x`, and ``low``, ``best``, ``high``.
    x
        Column with the number.
    labels
        Of both axes.
    """
    axes = new_axes(2.6)
    classes = np.arange(int(frame[x].min()), int(frame[x].max()) + 1)
    shares = frame.set_index(x)["best"].reindex(classes, fill_value=0.0)
    axes.stairs(shares, np.append(classes, classes[-1] + 1) - 0.5, fill=True, color="#56B4E9")
    axes.errorbar(frame[x], frame["best"], yerr=_errors(frame), linestyle="none", color="#333333", elinewidth=0.8,
                  capsize=0)  # fmt: skip
    _label_numbers(axes, labels)
    axes.set_ylim(bottom=0)
    axes.grid(axis="x", visible=False)
    in_percent(axes.yaxis)
    return of_figure(axes)


def heat(values: np.ndarray, texts: np.ndarray, names: Sequence[str], labels: tuple[str, str], middle: float) -> Figure:
    """A square of numbers, coloured by how far they are from `middle`; orange below, purple above.

    Parameters
    ----------
    values
        float64, shape (n, n); NaN where there is none.
    texts
        What is written in each square, shape (n, n).
    names
        Of rows and columns.
    labels
        Of the vertical and the horizontal axis.
    middle
        Value of no difference.
    """
    n = len(names)
    side = max(WIDTH, 1.4 + 0.62 * n)
    axes = new_axes(0.85 * side, side)
    reach = max(float(np.nanmax(np.abs(values - middle), initial=0.0)), 1e-9)
    edges = np.arange(n + 1) - 0.5
    axes.pcolormesh(edges, edges, values, cmap="PuOr", vmin=middle - reach, vmax=middle + reach)
    axes.invert_yaxis()
    for i, j in np.argwhere(np.isfinite(values)):
        is_dark = abs(values[i, j] - middle) > 0.6 * reach
        axes.text(j, i, texts[i, j], ha="center", va="center", size=8, color="white" if is_dark else "black")
    axes.set_xticks(range(n), names, rotation=30 if n > 3 else 0, ha="right" if n > 3 else "center")
    axes.set_yticks(range(n), names)
    axes.set_ylabel(labels[0])
    axes.set_xlabel(labels[1])
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    return of_figure(axes)


def _errors(frame: pd.DataFrame) -> np.ndarray:
    """Lengths of the error bars; an end without a bound is drawn as far as the other one."""
    below, above = (frame["best"] - frame["low"]).to_numpy(), (frame["high"] - frame["best"]).to_numpy()
    below, above = np.where(np.isfinite(below), below, above), np.where(np.isfinite(above), above, below)
    return np.maximum(np.nan_to_num(np.stack([below, above]), nan=0.0, posinf=0.0), 0.0)


def _errorbar(axes: Axes, frame: pd.DataFrame, at: np.ndarray, look: dict, name: str | None = None) -> None:
    axes.errorbar(frame["best"], at, xerr=_errors(frame), linestyle="none", elinewidth=1.1, label=name, **look)


def _finish_rows(axes: Axes, names: list[str], label: str, is_share: bool, reference: float | None) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel(label)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    if reference is not None:
        axes.axvline(reference, color="#666666", linewidth=0.9, linestyle="--", zorder=0)
    if is_share:
        in_percent(axes.xaxis, is_difference=reference is not None)


def _label_numbers(axes: Axes, labels: tuple[str, str]) -> None:
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _legend(axes: Axes, n: int) -> None:
    if n > 1:
        handles, names = axes.get_legend_handles_labels()
        handles = [handle[0] for handle in handles]  # without error bars
        look = {"borderaxespad": 0.2, "handletextpad": 0.4, "ncols": min(n, 3 if n > 4 else 2)}
        axes.legend(handles, names, loc="lower left", bbox_to_anchor=(0, 1.0), **look)
