"""Commands for single games: ``show``, ``record`` and ``check``."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from fiveup_sim.cli import options
from fiveup_sim.cli.errors import tell
from fiveup_sim.cli.options import RulesChoice

_STDOUT = Path("-")


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

    rules = chosen.rules_for(strategies)
    _load_kernel()
    click.echo(play_game(strategies, rules=rules, seed=seed, block=block, rotation=rotation))


@click.command()
@options.strategies_argument
@options.rules_options
@options.games_option(required=True, help="Games to record, exactly so many.")
@options.seed_option
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="A .jsonl or .jsonl.gz file, replaced when all games are recorded; - for stdout.",
)
def record(strategies: tuple[str, ...], chosen: RulesChoice, games: int, seed: int | None, out: Path) -> None:
    """Play games and write down every tile: block after block, in each its rotations in order."""
    from fiveup_sim import write_records
    from fiveup_sim.files import in_one_step
    from fiveup_sim.games.play import Games
    from fiveup_sim.words import plural

    rules = chosen.rules_for(strategies)
    _load_kernel()
    seed = secrets.randbits(32) if seed is None else seed
    recorded = Games(strategies, rules=rules, seed=seed).first(games)
    if out == _STDOUT:
        for game in recorded:
            click.echo(game.to_json())
    else:
        with in_one_step(out) as path:
            write_records(path, recorded)
    tell(f"{plural(games, 'game')} recorded, seed {seed}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Have the referee replay every game in FILE, and name the first fault: line, hand and event."""
    from fiveup_sim import check_file

    found = check_file(file)
    if found.fault is None and found.n_games == 0:
        click.echo(f"{file}: no game in it")
        raise click.exceptions.Exit(1)
    click.echo(f"{file}: {found}")
    if found.fault is not None:
        raise click.exceptions.Exit(1)


def _load_kernel() -> None:
    """Load or compile the kernel, and say so if it takes long."""
    from fiveup_sim.engine import kernel
    from fiveup_sim.tournament.progress import tell_if_slow

    with tell_if_slow("compiling (the first run of a version takes about 15 seconds longer)", True):
        kernel.load_kernel()
