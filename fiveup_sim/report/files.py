"""A report on disk: one page that needs nothing else, and the same in files to work with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from fiveup_sim.report.answer import Answer
from fiveup_sim.report.page import Drawn, render_page, render_text
from fiveup_sim.report.parts import Section
from fiveup_sim.report.style import settle, styled, to_png, to_svg


def write_files(
    directory: Path, title: str, said: Answer, make: Callable[[], Iterable[Section]], values: tuple[str, Any]
) -> Path:
    """Write a report: the page, the text, the tables, the figures and the values.

    Parameters
    ----------
    directory
        Made if it is not there. Figures and tables of an earlier report are removed, other files left alone.
    title
        Of the page.
    said
        The answer, which stands first.
    make
        Makes the sections; it is called where the style of the figures holds.
    values
        The name of a JSON file, and what it holds, in plain types.

    Returns
    -------
    pathlib.Path
        Of ``index.html``, which holds everything; beside it ``tables/*.csv``, ``figures/*.svg`` and ``*.png``,
        ``report.md`` and the values.
    """
    with styled():
        parts = list(make())
        for chart in (chart for part in parts for chart in part.charts):
            settle(chart.figure)
        drawn = {
            chart.name: Drawn(to_svg(chart.figure), to_png(chart.figure), chart.figure.get_figwidth())
            for part in parts
            for chart in part.charts
        }
    _clear(directory)
    for table in (table for part in parts for table in part.tables):
        text = table.frame.to_csv(index=False, float_format="%.8g", lineterminator="\n")
        _write(directory / "tables" / f"{table.name}.csv", text)
    for name, figure in drawn.items():
        (directory / "figures" / f"{name}.svg").write_bytes(figure.svg)
        (directory / "figures" / f"{name}.png").write_bytes(figure.png)
    _write(directory / values[0], json.dumps(values[1], indent=1) + "\n")
    _write(directory / "report.md", render_text(title, said, parts))
    page = directory / "index.html"
    _write(page, render_page(title, said, parts, drawn))
    return page


def _clear(directory: Path) -> None:
    """Make the folders, and remove figures and tables of an earlier report that may have had other sections."""
    for folder, patterns in {"tables": ["*.csv"], "figures": ["*.svg", "*.png"]}.items():
        (directory / folder).mkdir(parents=True, exist_ok=True)
        for pattern in patterns:
            for old in (directory / folder).glob(pattern):
                old.unlink()


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
