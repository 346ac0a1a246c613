"""``compare``, which of two strategies is better, and ``plan``, how many games a question needs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from fiveup_sim.cli import options
from fiveup_sim.cli.options import RulesChoice

if TYPE_CHECKING:
    import pandas as pd

    from fiveup_sim import Results

_MEANS = {"win_rate": "win rate", "points_per_hand": "points ahead per hand"}

_above_zero = options.Share(0, min_open=True)
_between = options.Share(0, 1, min_open=True, max_open=True)


@click.command()
@click.argument("first", metavar="STRATEGY")
@click.argument("second", metavar="STRATEGY")
@options.rules_options
@click.option(
    "--difference", type=_above_zero, default=0.01, show_default=True, metavar="D",
    help="The smallest that would matter: of the win rate from 1/2, or points ahead per hand.",
)  # fmt: skip
@click.option(
    "--error", type=_between, default=0.05, show_default=True, metavar="SHARE", help="Chance of a wrong answer."
)
@click.option(
    "--max-games", type=click.IntRange(1), default=1_000_000, show_default=True, metavar="N", help="When to give up."
)
@click.option(
    "--measure", type=click.Choice(["wins", "points"]), default="wins", show_default=True,
    help="What is compared: games won, or points per hand.",
)  # fmt: skip
@options.seed_option
@options.jobs_option
@options.json_option
def compare(first: str, second: str, chosen: RulesChoice, jobs: int | None, as_json: bool, **asked: Any) -> None:
    """Play two strategies until it is clear which is better, or that it matters little.

    The interval holds however often one looks. Ctrl-C ends the games, and what they said until then is printed.
    """
    from fiveup_sim import play_until

    answer = play_until(first, second, rules=chosen.rules(), n_jobs=jobs or -1, **asked)
    click.echo(json.dumps(answer.to_dict(), indent=1) if as_json else str(answer))
    if answer.is_interrupted:
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("first", metavar="STRATEGY")
@click.argument("second", metavar="STRATEGY")
@options.rules_options
@click.option("--half-width", type=_above_zero, metavar="W", help="Half the width that an interval should have.")
@click.option("--difference", type=_above_zero, metavar="D", help="The smallest difference that should be found.")
@click.option(
    "--power", type=_between, default=0.8, show_default=True, metavar="SHARE", help="Chance to find --difference."
)
@options.games_option(default=2_000, show_default=True, help="Games of the pilot, over both seatings.")
@options.seed_option
@options.jobs_option
@options.level_option
@options.json_option
def plan(
    first: str,
    second: str,
    chosen: RulesChoice,
    half_width: float | None,
    difference: float | None,
    power: float,
    games: int,
    seed: int | None,
    jobs: int | None,
    level: float,
    as_json: bool,
) -> None:
    """Play a pilot of two strategies, and say how many games a question needs.

    Ask with --half-width or with --difference: of the win rate (0.01: one game in a hundred), and of the points ahead
    per hand.
    """
    from fiveup_sim import games_needed, play_match

    if (half_width is None) == (difference is None):
        raise click.UsageError("say what is asked: --half-width or --difference")
    rules = chosen.rules()
    if rules.n_sides != 2:
        raise click.UsageError(f"{rules}: games are planned for two sides only")
    pilot = play_match([first, second], rules=rules, games=games, seed=seed, n_jobs=jobs or -1)
    table = games_needed(pilot, half_width=half_width, difference=difference, power=power, level=level)
    if as_json:
        asked = (
            {"half_width": half_width, "level": level}
            if difference is None
            else {"difference": difference, "power": power, "level": level}
        )
        click.echo(json.dumps(_to_dict(table, pilot) | asked, indent=1))
    else:
        goal = f"an interval of ± {half_width:g}" if difference is None else f"a difference of {difference:g}"
        by = f"{100 * level:g} % sure" if difference is None else f"found with a chance of {100 * power:g} %"
        _print_plan(table, pilot, f"{goal}, {by}")


def _to_dict(table: pd.DataFrame, pilot: Results) -> dict[str, Any]:
    columns = ["sd", "low", "best", "high"]
    return {
        "strategies": list(pilot.labels),
        "games": {row["measure"]: {name: row[name] for name in columns} for row in table.to_dict("records")},
        "pilot_games": pilot.n_games,
        "seed": pilot.seed,
        "rules": pilot.rules.to_dict(),
    }


def _print_plan(table: pd.DataFrame, pilot: Results, goal: str) -> None:
    from fiveup_sim.cli.tables import print_table

    rows = [
        [_MEANS[row.measure], f"{row.sd:.3g}", f"{row.best:,} ({row.low:,} to {row.high:,})"]
        for row in table.itertuples()
    ]
    click.echo(f"Games for {goal}")
    print_table(["measure", "sd of a block", "games"], rows, may_wrap=["measure"])
    click.echo(f"from a pilot: {pilot.matches[0].line_up.label}, {pilot.rules}, ", nl=False)
    click.echo(f"{pilot.n_games:,} games, seed {pilot.seed}")
