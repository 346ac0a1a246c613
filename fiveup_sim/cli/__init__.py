"""The command ``fiveup``: each command is a short function in a module that is loaded when it is called for."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import click

import fiveup_sim
from fiveup_sim.cli.errors import plain_errors, plain_output
from fiveup_sim.strategy.errors import nearest


class _Home(NamedTuple):
    """Where a command is, and what it does in a line: known without loading it."""

    function: str
    """``module:function``, the module in this package."""
    does: str


_COMMANDS = {
    "tournament": _Home("runs:tournament", "Play every strategy against every other, and rank them."),
    "match": _Home("runs:match", "Play one line-up of strategies."),
    "summary": _Home("runs:summary", "Say what a saved run found."),
    "show": _Home("records:show", "Play one game, and print what happened."),
    "report": _Home("report:report", "Write a report of a saved run."),
    "study": _Home("report:study", "Play what a study is missing, and write its report."),
    "compare": _Home("compare:compare", "Say which of two strategies is better, with as few games as that takes."),
    "plan": _Home("compare:plan", "Say how many games a question needs."),
    "variants": _Home("variants:variants", "Play the same strategies by different rules."),
    "luck": _Home("variants:luck", "Say how much of the games of two strategies is luck."),
    "record": _Home("records:record", "Write game records to a file."),
    "check": _Home("records:check", "Have the referee look through a file of game records."),
    "strategies": _Home("catalogue:strategies", "List the strategies that are installed."),
    "rules": _Home("catalogue:rules", "List the rule sets, or the rules of one."),
}
"""In the order of the help."""


class _Commands(click.Group):
    """Commands by :data:`_COMMANDS`; what is wrong with the arguments is said in a line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            known = ", ".join(_COMMANDS)
            raise click.UsageError(f"no command {name!r}{nearest(name, _COMMANDS)}; there are {known}", ctx)
        module, _, function = _COMMANDS[name].function.partition(":")
        return getattr(import_module(f"{__name__}.{module}"), function)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, home.does) for name, home in _COMMANDS.items()])

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        with plain_errors():
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        with plain_output(), plain_errors():
            return super().invoke(ctx)


@click.group("fiveup", cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(fiveup_sim.__version__, prog_name="fiveup")
def main() -> None:
    """Tournaments of the domino game Five Up and its family, with honest statistics.

    Start with "fiveup tournament"; "fiveup COMMAND --help" says more.
    """
