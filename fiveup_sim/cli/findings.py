"""What a run found, to be read or as JSON."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import pandas as pd

from fiveup_sim.analysis.intervals import share
from fiveup_sim.analysis.metrics import METRICS
from fiveup_sim.analysis.ranking import ranking
from fiveup_sim.analysis.summary import summary
from fiveup_sim.analysis.winning import counted_in, head_to_head, is_by_symmetry
from fiveup_sim.cli.tables import print_table
from fiveup_sim.tournament.results import Results
from fiveup_sim.words import write_estimate, write_p, write_share

HEADLINES = ("points_per_placement", "extension_share")
"""The measures of all games that stand first; the win rates are in the ranking."""


def print_json(results: Results, level: float, path: Path | None) -> None:
    """Print :func:`fiveup_sim.analysis.summary.summary` as one JSON object, with where the games came from.

    Parameters
    ----------
    results
        What to print.
    level
        Coverage of the intervals.
    path
        Where they are saved; None: nowhere.
    """
    values = summary(results, level)
    hands_per_game = values["metrics"]["hands_per_game"]["best"] or 0.0
    origin = {
        "level": level,
        "seed": results.seed,
        "blocks": {match.line_up.label: match.blocks for match in results.matches},
        "is_complete": results.is_complete,
        "games_per_second": results.games_per_second,
        "hands_per_second": results.games_per_second * hands_per_game,
        "run": None if path is None else str(path),
    }
    click.echo(json.dumps(values | origin, indent=1))


def print_results(results: Results, level: float, path: Path | None, *, measures: tuple[str, ...] = HEADLINES) -> None:
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
    click.echo(f"Rules: {results.rules}; to {results.rules.target} points")
    click.echo(f"\nRanking ({level * 100:g} % intervals, for the win rates all at once)")
    _print_ranking(ranks, values["strategies"], counted_in(results), is_by_symmetry(results))
    if is_by_symmetry(results):
        click.echo(f"{results.labels[0]} plays all sides: its win rate is known by symmetry")
    if len(results.labels) > 1:
        click.echo(f"\nHead to head ({level * 100:g} % intervals, each alone)")
        _print_pairs(head_to_head(results, level), list(ranks["strategy"]), results.rules.n_sides, level)
    click.echo()
    if values["metrics"]["unfinished_share"]["best"] and "unfinished_share" not in measures:
        measures = (*measures, "unfinished_share")  # rare, and never passed over in silence
    _print_measures({name: values["metrics"][name] for name in measures})
    click.echo()
    _print_origin(results, values["metrics"]["hands_per_game"]["best"] or 0.0, path)


def _print_ranking(ranks: pd.DataFrame, strategies: dict[str, Any], counted: str, is_known: bool) -> None:
    rows = [
        [
            f"{row.rank}",
            row.strategy,
            write_share(row.best) if is_known else write_estimate(row.low, row.best, row.high, "share"),
            _write_plain(strategies[row.strategy]["points_per_placement"]),
            f"{row.n:,}",
        ]
        for row in ranks.itertuples()
    ]
    headings = ["", "strategy", "games won", "points per placement", counted]
    print_table(headings, rows, may_wrap=["strategy"], flush_right=counted)
    for row, after in pairwise(ranks.itertuples()):
        if not row.is_separated:
            click.echo(f"{row.strategy} and {after.strategy} are not separated (p = {write_p(row.p)})")


def _print_pairs(pairs: pd.DataFrame, order: list[str], n_sides: int, level: float) -> None:
    """Each pair once, the better one first."""
    rank = {label: i for i, label in enumerate(order)}
    once = [row for row in pairs.itertuples() if rank[row.strategy] < rank[row.opponent]]
    rows = [
        [
            row.strategy,
            row.opponent,
            write_estimate(row.low, row.best, row.high, "share")
            if n_sides == 2
            else write_estimate(row.ahead_low, row.ahead, row.ahead_high, "difference"),
            write_estimate(row.points_low, row.points, row.points_high),
            "" if row.p < 1 - level else "open",
        ]
        for row in sorted(once, key=lambda row: (rank[row.strategy], rank[row.opponent]))
    ]
    won = "games won" if n_sides == 2 else "% won, less theirs"
    print_table(["strategy", "against", won, "points ahead a hand", ""], rows, may_wrap=["strategy", "against"])
    if any(row[-1] for row in rows):
        click.echo("open: the games do not say who wins more")


def _print_measures(measures: dict[str, dict[str, float | None]]) -> None:
    rows = [
        [METRICS[name].means, _write_plain(row, "share" if METRICS[name].interval is share else "")]
        for name, row in measures.items()
    ]
    print_table(["measure of all games", ""], rows, may_wrap=["measure of all games"])


def _print_origin(results: Results, hands_per_game: float, path: Path | None) -> None:
    games = results.games_per_second
    seconds = sum(run["wall_seconds"] for run in results.provenance["runs"])
    planned = "" if results.is_complete else f" of {results.n_planned_games:,}"
    click.echo(f"{results.n_games:,}{planned} games in {seconds:.1f} s: {games:,.0f} games/s, ", nl=False)
    click.echo(f"{games * hands_per_game:,.0f} hands/s")
    click.echo(f"seed {results.seed}; {f'saved in {path}' if path else 'not saved'}")


def _write_plain(row: dict[str, float | None], unit: str = "") -> str:
    ends = {end: math.nan if value is None else value for end, value in row.items()}
    return write_estimate(**ends, unit=unit)
