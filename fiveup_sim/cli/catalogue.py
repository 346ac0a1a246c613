"""Commands that list what there is: ``strategies`` and ``rules``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from fiveup_sim.cli.options import base_rules
from fiveup_sim.cli.tables import print_table
from fiveup_sim.rules import Rules, describe_allowed, rule_fields, write_value
from fiveup_sim.rules.files import format_rules
from fiveup_sim.rules.presets import PRESETS

if TYPE_CHECKING:
    from fiveup_sim.strategy import Strategy


@click.command()
def strategies() -> None:
    """List the strategies of all installed packages, with the defaults of their parameters."""
    from fiveup_sim import load_strategies

    rows = [[_call(each), _first_line(each.doc), _package(each)] for each in load_strategies().values()]
    print_table(["strategy", "what it lays", "package"], rows, may_wrap=["what it lays"])


@click.command()
@click.argument("name", required=False, metavar="[NAME|FILE]")
@click.option("--seats", type=click.IntRange(2, 4), metavar="2|3|4", help="Seats at the table.")
@click.option("--toml", "as_toml", is_flag=True, help="Print a rule file, to be changed and read with --rules.")
def rules(name: str | None, seats: int | None, as_toml: bool) -> None:
    """List the rule sets, or all rules of the one called NAME, or of a rule file."""
    if name is None and as_toml:
        raise click.UsageError("--toml prints one rule set: name it")
    if name is None:
        rows = [[preset, _first_line(function.__doc__)] for preset, function in PRESETS.items()]
        print_table(["rules", "in a line"], rows, may_wrap=["in a line"])
        return
    chosen = base_rules(name, **({} if seats is None else {"seats": seats}))
    if as_toml:
        click.echo(format_rules(chosen), nl=False)
    else:
        _print_rules(chosen)


def _print_rules(chosen: Rules) -> None:
    """A line and its allowed values for each field; those that are not Five Up's are marked."""
    base = Rules.preset(seats=chosen.seats)
    click.echo(f"{chosen}; * not as in Five Up for {chosen.seats} seats\n")
    for rule in rule_fields():
        value = getattr(chosen, rule.name)
        mark = " " if value == getattr(base, rule.name) else "*"
        click.echo(f"{mark} {rule.name} = {write_value(value)}")
        click.echo(click.wrap_text(f"{rule.metadata['means']} [{describe_allowed(rule)}]", 80, " " * 6, " " * 6))


def _call(strategy: Strategy) -> str:
    """How it is written with the defaults of its parameters: ``careful(pips=0.02)``."""
    params = ", ".join(f"{name}={value:g}" for name, value in strategy.defaults)
    return f"{strategy.name}({params})" if params else strategy.name


def _package(strategy: Strategy) -> str:
    return (strategy.package or "").partition(":")[0]


def _first_line(doc: str | None) -> str:
    """The first line of a docstring, without the markup of references."""
    return re.sub(r":\w+:`([^`]*)`", r"\1", (doc or "").strip().partition("\n")[0])
