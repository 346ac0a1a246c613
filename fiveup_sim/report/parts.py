"""What a report is made of: sections of sentences, charts and tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ESTIMATE = ("low", "best", "high")


@dataclass(frozen=True)
class Column:
    """A column as it is read; it may stand for three columns of the frame."""

    title: str
    of: tuple[str, ...]
    """One column of the frame, or three: low, best, high."""
    unit: str = ""
    """``"share"``: written in percent; ``"difference"``: in percentage points; ``"p"``: a p-value; ``"tile"``: drawn;
    ``"measure"``: as the measure named in that row is."""


@dataclass(frozen=True, eq=False)
class Table:
    """A table, all of whose figures are in its CSV file and some of them on the page."""

    name: str
    """Stem of the file."""
    title: str
    caption: str
    frame: pd.DataFrame
    columns: tuple[Column, ...]
    is_open: bool = False
    """Whether it is unfolded on the page however long it is."""


@dataclass(frozen=True, eq=False)
class Chart:
    """A figure, and what has to be said beside it."""

    name: str
    """Stem of the files."""
    title: str
    caption: str
    """What is shown, in which unit, and what the error bars are."""
    figure: Figure


@dataclass(frozen=True, eq=False)
class Section:
    """A part of a report."""

    name: str
    title: str
    text: tuple[str, ...]
    """Paragraphs."""
    charts: tuple[Chart, ...] = ()
    tables: tuple[Table, ...] = ()
    terms: Mapping[str, str] = field(default_factory=dict)
    """Things and what they are: a list of definitions."""
    code: str = ""
    """Lines to run."""


def estimate(title: str, unit: str = "") -> Column:
    """The column of a frame's main figure with its interval."""
    return Column(title, ESTIMATE, unit)


def plain(title: str, name: str, unit: str = "") -> Column:
    """A column that is written as it is."""
    return Column(title, (name,), unit)
