"""A strategy's fault in a run: who, where, and the call that plays that game again."""

from __future__ import annotations

from collections.abc import Sequence

from fiveup_sim.presets import PRESETS
from fiveup_sim.rules import Rules, rule_fields
from fiveup_sim.strategy import StrategyError
from fiveup_sim.tournament.lineup import LineUp
from fiveup_sim.tournament.plan import Plan
from fiveup_sim.tournament.results import Results
from fiveup_sim.tournament.tasks import Outcome


class PlayError(StrategyError):
    """A strategy raised an exception or returned an illegal index in the middle of a run."""

    label: str
    """The strategy."""
    seat: int
    """The seat that was asked."""
    block: int
    rotation: int
    hand: int
    """Hand of the game, from 0."""
    replay: str
    """The call that plays that game again: ``play_game(["greedy", "mine.py:f"], seed=7, block=12, rotation=1)``."""
    results: Results
    """What had been played until then."""


def play_error(plan: Plan, outcomes: Sequence[Outcome], results: Results) -> StrategyError:
    """The exception for the first fault in the order of line-ups and blocks.

    In a line-up blocks go out in their order, and after a fault all tasks that are out are waited for: for a match it
    is the same fault at every run.

    Parameters
    ----------
    plan
        What was being played.
    outcomes
        Those with a fault.
    results
        What had been played.
    """
    outcome = min(outcomes, key=lambda outcome: (outcome.line_up, outcome.fault.block))
    fault, line_up = outcome.fault, plan.line_ups[outcome.line_up]
    if fault.block < 0:
        return StrategyError(fault.what)
    label, seated = line_up.names[fault.position], " - ".join(line_up.seat_names(fault.rotation))
    where = f"seat {fault.seat} of {seated}, block {fault.block}, rotation {fault.rotation}, hand {fault.hand + 1}"
    replay = spell_game(plan, line_up, fault.block, fault.rotation)
    error = PlayError(f"strategy {label!r} {fault.what}\n  in {where}\n  to see that game: {replay}")
    error.label, error.replay, error.results = label, replay, results
    error.seat, error.block, error.rotation, error.hand = fault.seat, fault.block, fault.rotation, fault.hand
    return error


def spell_game(plan: Plan, line_up: LineUp, block: int, rotation: int) -> str:
    """The call that plays one game of a plan again."""
    seated = ", ".join(plan.entries[label].spelling for label in line_up.seat_names(0))
    options = {} if plan.rules == Rules.preset() else {"rules": spell_rules(plan.rules)}
    options |= {"seed": plan.seed, "block": block, "rotation": rotation}
    if not plan.paired:
        options["paired"] = False
    return f"play_game([{seated}], {', '.join(f'{name}={value}' for name, value in options.items())})"


def spell_rules(rules: Rules) -> str:
    """The call that gives `rules`: ``Rules.preset("five_up", seats=3, target=31)``."""
    name = rules.name if rules.name in PRESETS else "five_up"
    base = Rules.preset(name, seats=rules.seats)
    changes = {rule.name: getattr(rules, rule.name) for rule in rule_fields()}
    changes = {field: value for field, value in changes.items() if value != getattr(base, field)}
    options = ({} if rules.seats == 2 else {"seats": rules.seats}) | changes
    return f"Rules.preset({', '.join([repr(name), *(f'{field}={value!r}' for field, value in options.items())])})"
