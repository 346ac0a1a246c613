"""Commands that look at what was played: ``summary`` and ``show``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fiveup_sim.cli import options
from fiveup_sim.cli.play import rules_for

if TYPE_CHECKING:
    from fiveup_sim.cli.options import RulesChoice


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@options.level_option
@options.json_option
def summary(run: Path, level: float, as_json: bool) -> None:
    """Say what the run saved in the directory RUN found, with all measures."""
    from fiveup_sim import Results
    from fiveup_sim.analysis.metrics import METRICS
    from fiveup_sim.cli.tables import print_json, print_results

    results = Results.load(run)
    if as_json:
        print_json(results, level, run)
    else:
        print_results(results, level, run, measures=tuple(METRICS))


@click.command()
@options.strategies_argument
@options.rules_options
@options.seed_option
@click.option("--block", type=click.IntRange(0), default=0, show_default=True, metavar="B", help="Number of its deals.")
@click.option(
    "--rotation", type=click.IntRange(0), default=0, show_default=True, metavar="R", help="Number of the seating."
)
def show(strategies: tuple[str, ...], chosen: RulesChoice, seed: int | None, block: int, rotation: int) -> None:
    """Play one game, and print what happened.

    With the seed, block and rotation of a match or a tournament it is the game that was played there.
    """
    from fiveup_sim import play_game
    from fiveup_sim.cli.records import load_kernel

    rules = rules_for(strategies, chosen)
    load_kernel()
    click.echo(play_game(strategies, rules=rules, seed=seed, block=block, rotation=rotation))
