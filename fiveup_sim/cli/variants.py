"""Commands about rules: ``variants``, what changing them does, and ``luck``, how much they leave to chance."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fiveup_sim.cli import options
from fiveup_sim.cli.errors import tell
from fiveup_sim.cli.options import RulesChoice, base_rules
from fiveup_sim.rules import Rules, parse_value

if TYPE_CHECKING:
    from fiveup_sim.analysis.effects import RuleEffects

_STRATEGIES = ("random", "greedy", "careful")
"""Who plays when no line-up is named: all line-ups of these."""


@click.command()
@click.option(
    "--base", "--rules", "base", default="five_up", show_default=True, metavar="NAME|FILE",
    help="The rules that are changed: a rule set or a rule file.",
)  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="FIELD=VALUE", help="Change a rule of the base itself.")
@click.option(
    "--vary", multiple=True, required=True, metavar="FIELD=VALUE,...",
    help='Values to try; the base\'s own may be among them. Between lists of numbers ";": scoring_multiples="5;3,5".',
)  # fmt: skip
@click.option(
    "--seats", multiple=True, type=click.IntRange(2, 4), default=(2,), show_default=True, metavar="2|3|4",
    help="Seats at the table; may be given more than once.",
)  # fmt: skip
@click.option(
    "--line-up", "line_ups", multiple=True, metavar='"STRATEGY ..."',
    help=f"One a seat or one a side; may be given more than once. [default: all line-ups of {', '.join(_STRATEGIES)}]",
)  # fmt: skip
@options.games_option(default=20_000, show_default=True, help="Games of each line-up under each rule set.")
@click.option("--factorial", is_flag=True, help="Play all combinations: main effects and pairwise interactions.")
@options.seed_option
@options.jobs_option
@options.level_option
@options.json_option
@click.option(
    "-o", "--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Write a report there, too."
)
def variants(
    base: str,
    settings: tuple[str, ...],
    vary: tuple[str, ...],
    seats: tuple[int, ...],
    line_ups: tuple[str, ...],
    jobs: int | None,
    as_json: bool,
    out: Path | None,
    **asked: Any,
) -> None:
    """Play the same strategies by a base and by changes of it, on the same deals, and compare every measure.

    For example: fiveup variants --vary target=50,75 --vary spinners=first,none --line-up "greedy careful"
    """
    from fiveup_sim.experiments.variant_plan import plan_variants
    from fiveup_sim.report.effects_words import explain

    changes = {name: _one(name, values) for name, values in _by_field(settings).items()}
    fields = _by_field(vary)
    bases = [base_rules(base, seats=n, **changes) for n in dict.fromkeys(seats)]
    for rules in bases:  # all of them before the first game
        plan_variants(rules, fields, factorial=asked["factorial"])
    found = [_compare(rules, fields, line_ups, n_jobs=jobs or -1, **asked) for rules in bases]
    if as_json:
        click.echo(json.dumps({"by_seats": {each.base.seats: each.to_dict() for each in found}}, indent=1))
    else:
        click.echo("\n\n".join(map(explain, found)))
    if out is not None:
        from fiveup_sim.report.effects import write_effects

        tell(f"report: {write_effects(found, out)}")


@click.command()
@click.argument("first", metavar="STRATEGY")
@click.argument("second", metavar="STRATEGY")
@options.rules_options
@options.games_option(default=20_000, show_default=True, help="Games, over both seatings.")
@options.seed_option
@options.jobs_option
@options.level_option
@options.json_option
def luck(first: str, second: str, chosen: RulesChoice, jobs: int | None, as_json: bool, **asked: Any) -> None:
    """Say how much of the games of two strategies is luck, and how many it takes to see who is better."""
    from fiveup_sim.experiments.luck import luck

    found = luck(first, second, rules=chosen.rules(), n_jobs=jobs or -1, **asked)
    click.echo(json.dumps(found.to_dict(), indent=1) if as_json else str(found))


def _by_field(texts: tuple[str, ...]) -> dict[str, list[Any]]:
    """Values by field; a field comes once."""
    fields: dict[str, list[Any]] = {}
    for name, values in map(_values, texts):
        if name in fields:
            raise click.UsageError(f"{name} is given twice: write all its values together")
        fields[name] = values
    return fields


def _values(text: str) -> tuple[str, list[Any]]:
    """A field and its values, written ``target=50,75``."""
    name, is_given, values = (part.strip() for part in text.partition("="))
    if not is_given:
        raise click.UsageError(f"{text}: write FIELD=VALUE,...")
    is_list = name == "scoring_multiples" or ";" in values
    return name, [parse_value(name, value) for value in values.split(";" if is_list else ",")]


def _one(name: str, values: list[Any]) -> Any:
    if len(values) > 1:
        raise click.UsageError(f"--set {name}: one value; --vary tries several")
    return values[0]


def _compare(rules: Rules, fields: dict[str, list[Any]], line_ups: Sequence[str], **asked: Any) -> RuleEffects:
    from fiveup_sim.experiments.variants import compare_rules
    from fiveup_sim.tournament.lineup import tournament_line_ups

    chosen = [text.split() for text in line_ups]
    if not chosen:
        chosen = [line_up.seat_names(0) for line_up in tournament_line_ups(_STRATEGIES, rules)]
    return compare_rules(rules, fields, chosen, **asked)
