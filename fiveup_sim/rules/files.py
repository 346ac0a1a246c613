"""Rule sets in TOML files: a preset, and the fields that are different.

A file of one's own needs no more than::

    preset = "five_up"
    seats = 3
    target = 31
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from fiveup_sim.files import write_text
from fiveup_sim.rules.presets import PRESETS
from fiveup_sim.rules.ruleset import Rules, describe_allowed, rule_fields


def read_rules(path: str | Path, *, default_seats: int = 2, **changes: Any) -> Rules:
    """The rules in a file.

    Parameters
    ----------
    path
        A TOML file: ``preset`` (default ``five_up``), and any fields of :class:`~fiveup_sim.rules.Rules`.
    default_seats
        Seats, if the file does not say.
    **changes
        Fields by name that go before those of the file.

    Raises
    ------
    ValueError
        Naming the file, the field, its value and what is allowed.
    OSError
        If the file cannot be read.
    """
    try:
        values = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not a TOML file: {error}") from None
    values = {"preset": "five_up", "seats": default_seats, **values, **changes}
    name = values.pop("preset")
    try:
        if not isinstance(name, str):
            raise ValueError(f"preset = {name!r}: allowed {', '.join(PRESETS)}")
        return Rules.preset(name, **values)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def write_rules(rules: Rules, path: str | Path) -> None:
    """Write `rules` to a file that :func:`read_rules` reads.

    Parameters
    ----------
    rules
        The rules. A name that is no preset's is not kept.
    path
        The file; replaced if it is there.
    """
    write_text(path, format_rules(rules))


def format_rules(rules: Rules) -> str:
    """The text of a rule file: every field, with what it means and what is allowed."""
    lines = [f'preset = "{rules.name if rules.name in PRESETS else "five_up"}"']
    for rule in rule_fields():
        lines += ["", f"# {rule.metadata['means']}", f"# allowed: {_allowed(rule)}"]
        lines += [f"{rule.name} = {_toml(getattr(rules, rule.name))}"]
    return "\n".join(lines) + "\n"


def _allowed(rule: Any) -> str:
    allowed = rule.metadata["allowed"]
    return describe_allowed(rule) if isinstance(allowed, range) else ", ".join(map(_toml, allowed))


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return str(list(value))
    return f'"{value}"' if isinstance(value, str) else str(value)
