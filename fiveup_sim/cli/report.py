"""Commands that make reports."""

from __future__ import annotations

import shlex
from functools import reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fiveup_sim.cli import options

if TYPE_CHECKING:
    from fiveup_sim import Results

REPORTS = Path("reports")
"""Where reports are written unless the user says otherwise, below the working directory."""


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@click.option(
    "-o", "--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="Where to write the report. [default: reports/ and the name of the first run]",
)  # fmt: skip
@options.level_option
def report(runs: tuple[Path, ...], out: Path | None, level: float) -> None:
    """Write a report of the runs saved in the directories RUN.

    Several runs must be other blocks of the same thing: they are added up.
    """
    from fiveup_sim import Results
    from fiveup_sim.report.write import write_report

    results = reduce(add, [Results.load(run) for run in runs])
    out = out or REPORTS / runs[0].resolve().name
    page = write_report(results, out, level=level, command=_command(results, runs, out, level))
    click.echo(f"report of {results.n_games:,} games: {page}")


@click.command()
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@options.games_option(help="Games of a line-up, instead of what the study says.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), metavar="K", help="Likewise.")
@click.option(
    "--level", type=options.Share(0.5, 0.9999), metavar="SHARE",
    help="Coverage of the intervals, instead of what the study says.",
)  # fmt: skip
@options.jobs_option
def study(directory: Path, games: int | None, seed: int | None, level: float | None, jobs: int | None) -> None:
    """Play what is missing of the study in DIR/study.toml, and write its report into DIR.

    Games are kept in runs/, below the working directory.
    """
    from fiveup_sim.report.study import play_study

    page = play_study(directory, games=games, seed=seed, level=level, n_jobs=jobs or -1)
    click.echo(f"report: {page}")


def _command(results: Results, runs: tuple[Path, ...], out: Path, level: float) -> str:
    """The lines that make the report again."""
    from fiveup_sim.report.reproduce import python_lines, shell_lines

    run = runs[0].as_posix()
    lines = shell_lines(results, run) or [f"# in Python, results.save({run!r}):", *python_lines(results)]
    again = ["fiveup", "report", *(path.as_posix() for path in runs), "-o", out.as_posix()]
    return "\n".join([*lines, shlex.join(again + (["--level", str(level)] if level != 0.95 else []))])
