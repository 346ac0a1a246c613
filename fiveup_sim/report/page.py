"""Sections as a web page, and as a text with links."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup

from fiveup_sim.pictures.table import draw_tile
from fiveup_sim.report.answer import Answer
from fiveup_sim.report.glossary import title_of, unit_of
from fiveup_sim.report.parts import ESTIMATE, Column, Section, Table
from fiveup_sim.rules.tiles import parse_tile
from fiveup_sim.words import write_estimate, write_value

LONG = 12
"""A table of more rows is folded up on the page."""
_SAFE = " !$&()*+,-./:;=?@[]_~^|{}"  # what an address in quotes may hold as it is
_PIXELS = 96
"""Pixels of a page in an inch of a figure."""


@dataclass(frozen=True)
class Drawn:
    """A figure as files."""

    svg: bytes
    png: bytes
    width: float
    """Inches."""

    @property
    def pixels(self) -> int:
        """Width on the page."""
        return round(_PIXELS * self.width)

    @property
    def address(self) -> str:
        """The picture itself as an address, so that the page needs no other file."""
        return "data:image/svg+xml," + quote(self.svg, safe=_SAFE)


@dataclass(frozen=True)
class Cell:
    """What stands in a table."""

    text: str | Markup
    order: str = ""
    """The number by which the table is sorted; none: by the text."""


def render_page(title: str, said: Answer, sections: Sequence[Section], drawn: Mapping[str, Drawn]) -> str:
    """The page, which needs neither a network nor other files."""
    return _templates().get_template("page.html.jinja").render(title=title, said=said, sections=sections, drawn=drawn)


def render_text(title: str, said: Answer, sections: Sequence[Section]) -> str:
    """The report in Markdown: short tables in full, figures and long tables as links."""
    return _templates().get_template("report.md.jinja").render(title=title, said=said, sections=sections)


def cells(table: Table) -> list[list[Cell]]:
    """The rows of a table as they are read."""
    return [[_cell(column, row) for column in table.columns] for row in table.frame.to_dict("records")]


def _cell(column: Column, row: Mapping[str, Any]) -> Cell:
    unit = unit_of(row["measure"]) if column.unit == "measure" else column.unit
    if len(column.of) == len(ESTIMATE):
        low, best, high = (float(row[name]) for name in column.of)
        return Cell(write_estimate(low, best, high, unit), f"{best:.6g}")
    value = row[column.of[0]]
    if unit == "tile":
        picture = Markup(draw_tile(parse_tile(value)))
        return Cell(Markup('<span class="tile">%s %s</span>') % (picture, value))
    if isinstance(value, str):
        text = title_of(value) if column.of == ("measure",) else value
        return Cell(text)
    return Cell(write_value(value, unit), f"{float(value):.12g}")


def _bound(text: str) -> str:
    """Numbers and their signs on one line."""
    return re.sub(r"(?<=\d) (?=%)|(?<=\bp) (?=[<=])|(?<=[<=]) (?=\d)", "\u00a0", text)


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("fiveup_sim.report"),
        autoescape=jinja2.select_autoescape(["html.jinja"]),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals |= {"cells": cells, "LONG": LONG}
    environment.filters["bound"] = _bound
    return environment
