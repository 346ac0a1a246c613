"""Options that commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from fiveup_sim.rules import Rules, parse_value
from fiveup_sim.rules.files import read_rules
from fiveup_sim.rules.presets import PRESETS

strategies_argument = click.argument("strategies", nargs=-1, required=True, metavar="STRATEGY...")
"""Names of strategies; no line of help of its own, which click has none for."""

seed_option = click.option(
    "--seed",
    type=click.IntRange(0, 2**64 - 1),
    metavar="K",
    help="The same seed gives the same games. [default: a fresh one, which is printed]",
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    metavar="J",
    help="Workers. The results do not depend on them. [default: all cores]",
)
class Share(click.FloatRange):
    """A number in a range, and a number: ``nan`` is in every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value} is not a number.", param, ctx)
        return number


level_option = click.option(
    "--level",
    type=Share(0.5, 0.9999),
    default=0.95,
    show_default=True,
    metavar="SHARE",
    help="Coverage of the intervals.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
save_option = click.option("--no-save", "is_saved", flag_value=False, default=True, help="Print only, save nothing.")
out_option = click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where to save the run. [default: a new directory in runs/]",
)


def games_option(**settings: Any) -> Callable:
    """``--games``, with a default or required."""
    text = settings.pop("help", "Games of a line-up, over all its seatings.")
    return click.option("--games", type=click.IntRange(1), metavar="N", help=text, **settings)


@dataclass(frozen=True)
class RulesChoice:
    """The rules that the options name."""

    base: str
    """A preset, or the path of a rule file."""
    changes: dict[str, Any]
    """Values of single fields."""

    def rules(self, default_seats: int = 2) -> Rules:
        """The rules; for `default_seats` seats unless file or options say something else.

        Raises
        ------
        ValueError
            Naming the file, the field, its value and what is allowed.
        """
        return base_rules(self.base, default_seats, **self.changes)

    def rules_for(self, strategies: Sequence[str]) -> Rules:
        """The rules; for a seat each of `strategies` unless file or options say something else."""
        return self.rules(min(max(len(strategies), 2), 4))


def base_rules(base: str, default_seats: int = 2, **changes: Any) -> Rules:
    """The rules of the preset or the rule file called `base`, with changes to single fields."""
    is_file = base not in PRESETS and (base.endswith(".toml") or Path(base).is_file())
    if is_file:
        return read_rules(base, default_seats=default_seats, **changes)
    return Rules.preset(base, **{"seats": default_seats, **changes})


def rules_options(command: Callable) -> Callable:
    """``--rules``, ``--seats``, ``--target`` and ``--set``: a command gets them together as ``chosen``."""

    @click.option(
        "--rules", "base", default="five_up", show_default=True, metavar="NAME|FILE", help="A rule set or a rule file."
    )
    @click.option("--seats", type=click.IntRange(2, 4), metavar="2|3|4", help="Seats at the table.")
    @click.option("--target", type=int, metavar="POINTS", help="Points that end the game.")
    @click.option(
        "--set", "settings", multiple=True, metavar="FIELD=VALUE", help='Change a rule; "fiveup rules NAME" lists them.'
    )
    @wraps(command)
    def with_rules(base: str, seats: int | None, target: int | None, settings: tuple[str, ...], **others: Any) -> Any:
        given = [(name, value) for name, value in (("seats", seats), ("target", target)) if value is not None]
        return command(chosen=RulesChoice(base, _changes(given + [_setting(text) for text in settings])), **others)

    return with_rules


def _setting(text: str) -> tuple[str, Any]:
    name, is_given, value = (part.strip() for part in text.partition("="))
    if not is_given:
        raise click.UsageError(f"--set {text}: write FIELD=VALUE")
    return name, parse_value(name, value)


def _changes(given: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in given]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise click.UsageError(f"{twice} is given twice")
    return dict(given)
