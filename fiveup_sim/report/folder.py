"""A report on disk: one page that needs nothing else, and the same in files to work with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fiveup_sim.files import write_bytes, write_text
from fiveup_sim.report.answer import Answer
from fiveup_sim.report.page import Drawn, render_page, render_text
from fiveup_sim.report.parts import Section
from fiveup_sim.report.style import settle, to_png, to_svg


def draw(parts: Sequence[Section]) -> dict[str, Drawn]:
    """All figures of a report, by name; to be called in :func:`fiveup_sim.report.style.styled`."""
    charts = [chart for part in parts for chart in part.charts]
    for chart in charts:
        settle(chart.figure)
    return {
        chart.name: Drawn(to_svg(chart.figure), to_png(chart.figure), chart.figure.get_figwidth()) for chart in charts
    }


def write_folder(
    directory: Path,
    title: str,
    said: Answer,
    parts: Sequence[Section],
    drawn: Mapping[str, Drawn],
    data: Mapping[str, str],
) -> Path:
    """Write a report; files of an earlier one are replaced, others left alone.

    Parameters
    ----------
    directory
        Made if it is not there. Gets ``index.html``, ``report.md``, ``tables/*.csv``, ``figures/*.svg`` and ``*.png``.
    title, said, parts, drawn
        What the report says, and its figures.
    data
        Texts of other files by name.

    Returns
    -------
    Path
        Of ``index.html``.
    """
    _clear(directory)
    for table in (table for part in parts for table in part.tables):
        text = table.frame.to_csv(index=False, float_format="%.8g", lineterminator="\n")
        write_text(directory / "tables" / f"{table.name}.csv", text)
    for name, figure in drawn.items():
        write_bytes(directory / "figures" / f"{name}.svg", figure.svg)
        write_bytes(directory / "figures" / f"{name}.png", figure.png)
    page = directory / "index.html"
    files = {**data, "report.md": render_text(title, said, parts), page.name: render_page(title, said, parts, drawn)}
    for name, text in files.items():
        write_text(directory / name, text)
    return page


def _clear(directory: Path) -> None:
    """Make the folders, and remove figures and tables of an earlier report that may have had other sections."""
    for folder, patterns in {"tables": ["*.csv"], "figures": ["*.svg", "*.png"]}.items():
        (directory / folder).mkdir(parents=True, exist_ok=True)
        for pattern in patterns:
            for old in (directory / folder).glob(pattern):
                old.unlink()
