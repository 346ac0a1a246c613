"""Plain tables for a terminal or a pipe."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.console import Console
from rich.table import Table

_GAP = 2
_NARROWEST = 12
"""Columns that wrap keep this width, and that of their longest word."""


def print_table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], *, may_wrap: Sequence[str], flush_right: str | None = None
) -> None:
    """Print a table as wide as the terminal, or as 80 columns of a pipe; wider rather than with a word broken.

    Parameters
    ----------
    headings
        One a column.
    rows
        Cells by row.
    may_wrap
        Headings of the columns whose cells may take several lines, where there is no room.
    flush_right
        The heading of a column that is set flush right.
    """
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    needed = 0
    for column, heading in enumerate(headings):
        width = max(map(len, [heading, *(row[column] for row in rows)]))
        is_fixed = heading not in may_wrap
        words = [word for row in rows for word in row[column].split()]
        least = width if is_fixed else max(min(width, _NARROWEST), *map(len, [*heading.split(), *words]))
        table.add_column(
            heading,
            justify="right" if heading == flush_right else "left",
            overflow="fold",
            min_width=least,
            no_wrap=is_fixed,
        )
        needed += least + _GAP
    for row in rows:
        table.add_row(*row)
    console = Console(width=max(Console().width, needed), markup=False, highlight=False, emoji=False)
    with console.capture() as text:
        console.print(table)
    for line in text.get().splitlines():
        click.echo(line.rstrip())
