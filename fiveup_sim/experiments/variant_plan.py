"""Which rule sets are played and set against each other, checked before the first game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from fiveup_sim.analysis.factorial import Contrast, full_factorial, one_at_a_time
from fiveup_sim.rules import Rules, rule_fields, write_value

Vary = Mapping[str, Sequence[Any]]
"""Values by field."""


@dataclass(frozen=True)
class VariantPlan:
    """Rule sets to play, and how they are compared."""

    rules: tuple[Rules, ...]
    """The base, then the variants; with a factorial plan all combinations."""
    contrasts: tuple[Contrast, ...]
    """The comparisons, with a weight for each of `rules`."""


def plan_variants(base: Rules, variants: Vary | Sequence[Rules], *, factorial: bool = False) -> VariantPlan:
    """The plan of a comparison.

    Parameters
    ----------
    base
        What is changed.
    variants
        Values by field, ``{"target": [50, 75], "spinners": ["first", "none"]}``: the base's own value may be among
        them. Or whole rule sets for as many seats.
    factorial
        False: each value alone is changed in the base. True: all combinations of all fields are played.

    Raises
    ------
    ValueError
        If a field or value is none, a combination makes no sense (it is named), or nothing is varied.
    """
    if not isinstance(variants, Mapping):
        if factorial:
            raise ValueError("a factorial plan needs values by field, not whole rule sets")
        return _plan_of_rules(base, variants)
    levels = [_levels(base, name, values) for name, values in variants.items()]
    if not any(len(values) > 1 for values in levels):
        raise ValueError("nothing is varied: name a field and values that differ from the base's")
    if factorial:
        changes = [dict(zip(variants, values, strict=True)) for values in product(*levels)]
        names = [[label_of({name: value}) for value in values] for name, values in zip(variants, levels, strict=True)]
        contrasts = full_factorial(names)
    else:
        alone = [{name: value} for name, values in zip(variants, levels, strict=True) for value in values[1:]]
        changes, contrasts = [{}, *alone], one_at_a_time([label_of(change) for change in alone])
    return VariantPlan(tuple(_changed(base, change) for change in changes), tuple(contrasts))


def _levels(base: Rules, name: str, values: Sequence[Any]) -> list[Any]:
    """The base's value, then the others, each once."""
    if name == "seats":
        raise ValueError("seats: line-ups differ with the seats; compare rules at each number of seats by itself")
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise ValueError(f"{name} = {values!r}: a list of values is needed")
    base.changed(**{name: getattr(base, name, None)})  # says so if there is no such field
    plain = [tuple(value) if isinstance(value, list) else value for value in values]
    return list(dict.fromkeys([getattr(base, name), *plain]))


def _changed(base: Rules, changes: dict[str, Any]) -> Rules:
    """The base with these changes; what is said of a combination names it."""
    try:
        return base.changed(**changes)
    except ValueError as error:
        combination = f" (in {label_of(changes)})" if len(changes) > 1 else ""
        raise ValueError(f"{error}{combination}") from None


def label_of(changes: Mapping[str, Any]) -> str:
    """Changes of fields as they are written: ``"spinners = first, arms_after_line = no"``."""
    return ", ".join(f"{name} = {write_value(value)}" for name, value in changes.items())


def _plan_of_rules(base: Rules, variants: Sequence[Rules]) -> VariantPlan:
    labels = []
    for rules in variants:
        if rules.seats != base.seats:
            raise ValueError(f"seats = {rules.seats}: the base has {base.seats}")
        changed = [rule.name for rule in rule_fields() if getattr(rules, rule.name) != getattr(base, rule.name)]
        labels.append(rules.name if rules.name != base.name else label_of({n: getattr(rules, n) for n in changed}))
    if not variants or len(set(labels)) < len(labels):
        raise ValueError(f"variants = {', '.join(labels) or 'none'}: at least one is needed, each of another name")
    return VariantPlan((base, *variants), tuple(one_at_a_time(labels)))
