"""How figures look, and how they become the same bytes every time."""

from __future__ import annotations

import io
import re
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's colours, told apart by the colour-blind; their yellow is left out: it is too faint on white."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "h")
"""A different number than there are colours, so that pairs of both repeat late."""
WIDTH = 4.8
"""Inches: narrow, so that the text stays legible on a telephone; the page sets figures side by side."""

STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"],
    "font.size": 9.0,
    "axes.titlesize": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "errorbar.capsize": 2.0,
    "lines.markersize": 4.5,
    "figure.dpi": 96,
    "savefig.dpi": 150,
    "savefig.facecolor": "white",
    # text stays text, and ids depend on the drawing alone
    "svg.fonttype": "none",
    "svg.hashsalt": "fiveup_sim",
}

_SHORTER = (
    (rb"(\d\.\d\d)\d+", rb"\1"),  # a hundredth of a point is enough
    (rb"<!--[^>]*-->", b""),
    (rb">\s+<", b"><"),
    (rb"\s*\n\s*", b" "),
)
"""What is left out of SVG files: half of their bytes."""


def new_axes(height: float, width: float = WIDTH) -> Axes:
    """The axes of a new figure of its own; sizes in inches."""
    return Figure(figsize=(width, height), layout="constrained").add_subplot()


def of_figure(axes: Axes) -> Figure:
    """The figure that `axes` are the only ones of."""
    figure = axes.get_figure()
    assert isinstance(figure, Figure)
    return figure


def mark(i: int) -> dict[str, Any]:
    """Colour and marker of strategy number `i`: never colour alone."""
    return {"color": COLOURS[i % len(COLOURS)], "marker": MARKERS[i % len(MARKERS)]}


def in_percent(axis: Any, *, is_difference: bool = False) -> None:
    """Write the ticks of an axis of shares in percent, of their differences without the sign."""
    axis.set_major_formatter(PercentFormatter(1.0, symbol="" if is_difference else " %"))


def styled() -> Any:
    """A context in which figures are made and drawn; nothing global is left changed."""
    return matplotlib.rc_context(STYLE)


def to_svg(figure: Figure) -> bytes:
    """The figure as SVG; the same figure gives the same bytes."""
    svg = _draw(figure, "svg", dict.fromkeys(("Date", "Creator", "Format", "Type")))
    for pattern, shorter in _SHORTER:
        svg = re.sub(pattern, shorter, svg)
    return svg


def to_png(figure: Figure) -> bytes:
    """The figure as PNG, likewise."""
    return _draw(figure, "png", {"Software": None})


def settle(figure: Figure) -> None:
    """Work out once where everything in the figure goes, not again for every file."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


def _draw(figure: Figure, form: str, metadata: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format=form, metadata=metadata)
    return file.getvalue()
