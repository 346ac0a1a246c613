"""Results as tables for a terminal or a pipe, 80 columns wide, and as JSON."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import pandas as pd
from rich.console import Console
from rich.table import Table

from fiveup_sim.analysis.metrics import METRICS
from fiveup_sim.analysis.ranking import ranking
from fiveup_sim.analysis.summary import summary
from fiveup_sim.analysis.winning import head_to_head
from fiveup_sim.tournament.results import Results

HEADLINES = ("points_per_placement", "extension_share")
"""The measures of a whole table that stand first; the win rates are in the ranking."""


def print_json(results: Results, level: float, path: Path) -> None:
    """Print :func:`fiveup_sim.analysis.summary.summary` as one JSON object, with where the games came from.

    Parameters
    ----------
    results
        What to print.
    level
        Coverage of the intervals.
    path
        Where they are saved.
    """
    values = summary(results, level)
    hands = values["metrics"]["hands_per_game"]["best"] or 0.0
    origin = {
        "level": level,
        "seed": results.seed,
        "blocks": {match.line_up.label: match.blocks for match in results.matches},
        "is_complete": results.is_complete,
        "games_per_second": results.games_per_second,
        "hands_per_second": results.games_per_second * hands,
        "run": str(path),
    }
    click.echo(json.dumps(values | origin, indent=1))


def print_results(results: Results, level: float, path: Path, *, measures: tuple[str, ...] = HEADLINES) -> None:
    """Print who is better, by how much and how surely, the measures, and where the games came from.

    Parameters
    ----------
    results, level, path
        As for :func:`print_json`.
    measures
        Names in :data:`fiveup_sim.analysis.metrics.METRICS`.
    """
    values = summary(results, level)
    ranks = ranking(results, level)
    click.echo(f"{results.rules}, to {results.rules.target} points; intervals cover {level * 100:g} %\n")
    _print_ranking(ranks, values["strategies"])
    if len(results.labels) > 1:
        click.echo()
        _print_pairs(head_to_head(results, level), list(ranks["strategy"]), results.rules.n_sides, level)
    click.echo()
    _print_measures({name: values["metrics"][name] for name in measures})
    click.echo()
    _print_origin(results, values["metrics"]["hands_per_game"]["best"], path)


def print_table(headings: list[str], rows: list[list[str]], numbers: str = "") -> None:
    """Print a plain table.

    Parameters
    ----------
    headings
        One a column.
    rows
        Cells by row.
    numbers
        The columns to set flush right, by letter: ``"..r"`` for the third of three.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading, side in zip(headings, numbers.ljust(len(headings), "."), strict=True):
        table.add_column(heading, justify="right" if side == "r" else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    Console(markup=False, highlight=False, emoji=False).print(table)


def _print_ranking(ranks: pd.DataFrame, strategies: dict[str, Any]) -> None:
    rows = [
        [
            str(row.rank),
            row.strategy,
            _interval(row.low, row.best, row.high),
            _interval(*strategies[row.strategy]["points_per_placement"].values()),
            f"{row.n:,}",
        ]
        for row in ranks.itertuples()
    ]
    print_table(["", "strategy", "win rate", "points per placement", "games"], rows, "r...r")
    for row, after in pairwise(ranks.itertuples()):
        if not row.is_separated:
            click.echo(f"{row.strategy} and {after.strategy} are not separated (p = {row.p:.2g}): it may be chance.")


def _print_pairs(pairs: pd.DataFrame, order: list[str], n_sides: int, level: float) -> None:
    """Each pair once, the better one first."""
    rows = []
    for row in pairs.itertuples():
        if order.index(row.strategy) > order.index(row.opponent):
            continue
        won = (row.low, row.best, row.high) if n_sides == 2 else (row.ahead_low, row.ahead, row.ahead_high)
        points = _interval(row.points_low, row.points, row.points_high, 3)
        rows.append([row.strategy, row.opponent, _interval(*won), points, "" if row.p < 1 - level else "not separated"])
    won = "games won" if n_sides == 2 else "games won, less theirs"
    print_table(["strategy", "against", won, "points ahead per hand", ""], rows)


def _print_measures(measures: dict[str, dict[str, float | None]]) -> None:
    rows = [[METRICS[name].means, _interval(*values.values())] for name, values in measures.items()]
    print_table(["measure", "all games"], rows)


def _print_origin(results: Results, hands_per_game: float | None, path: Path) -> None:
    speed = results.games_per_second
    seconds = sum(run["wall_seconds"] for run in results.provenance["runs"])
    click.echo(
        f"{results.n_games:,} games in {seconds:.1f} s: {speed:,.0f} games/s, {speed * (hands_per_game or 0):,.0f} hands/s"
    )
    click.echo(f"seed {results.seed}; saved in {path}")


def _interval(low: float | None, best: float | None, high: float | None, digits: int = 4) -> str:
    low, best, high = (
        "?" if value is None or math.isnan(value) else f"{value:.{digits}f}" for value in (low, best, high)
    )
    return f"{best} ({low} to {high})"
