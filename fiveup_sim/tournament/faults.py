"""A strategy's fault in a run: who, where, and the call that plays that game again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fiveup_sim.presets import PRESETS
from fiveup_sim.rules import Rules, rule_fields
from fiveup_sim.strategy.core import Strategy
from fiveup_sim.strategy.errors import StrategyError
from fiveup_sim.tournament.lineup import LineUp
from fiveup_sim.tournament.tasks import Fault

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results


class PlayError(StrategyError):
    """A strategy raised an exception or returned an illegal index in the middle of a run.

    Attributes
    ----------
    label
        The strategy.
    seat, block, rotation, hand
        Where: the seat that was asked, the block and the rotation of the line-up, and the hand of the game, from 0.
    replay
        The call that plays the game again: ``play_game(["greedy", "mine.py:f"], seed=7, block=12, rotation=1)``.
    results
        What had been played before the fault: Results, not complete.
    """

    def __init__(self, fault: Fault, line_up: LineUp, replay: str, results: Results) -> None:
        self.label = line_up.names[fault.position]
        self.seat, self.block, self.rotation, self.hand = fault.seat, fault.block, fault.rotation, fault.hand
        self.replay = replay
        self.results = results
        seated = " - ".join(line_up.seat_names(fault.rotation))
        where = f"seat {fault.seat} of {seated}, block {fault.block}, rotation {fault.rotation}, hand {fault.hand + 1}"
        super().__init__(f"strategy {self.label!r} {fault.what}\n  in {where}\n  to see that game: {replay}")


def spell_strategy(what: object, strategy: Strategy) -> str:
    """How `strategy` is written in a call: as it was given if that was text, else its name, quoted if installed."""
    if isinstance(what, str):
        return repr(what)
    if strategy.package is not None:
        return repr(strategy.label)
    changed = strategy.label.removeprefix(strategy.name)
    return strategy.function.__name__ + (f".with_params{changed}" if changed else "")


def spell_game(seated: list[str], rules: Rules, *, seed: int, paired: bool, block: int, rotation: int) -> str:
    """The call that plays one game again.

    Parameters
    ----------
    seated
        Strategies by seat of rotation 0, as they are written in a call.
    rules, seed, paired, block, rotation
        The address of the game.
    """
    options = {} if rules == Rules.preset() else {"rules": spell_rules(rules)}
    options |= {"seed": seed, "block": block, "rotation": rotation}
    if not paired:
        options["paired"] = False
    return f"play_game([{', '.join(seated)}], {', '.join(f'{name}={value}' for name, value in options.items())})"


def spell_rules(rules: Rules) -> str:
    """The call that gives `rules`: ``Rules.preset("five_up", seats=3, target=31)``."""
    name = rules.name if rules.name in PRESETS else "five_up"
    base = Rules.preset(name, seats=rules.seats)
    changes = {rule.name: getattr(rules, rule.name) for rule in rule_fields()}
    changes = {field: value for field, value in changes.items() if value != getattr(base, field)}
    options = ({} if rules.seats == 2 else {"seats": rules.seats}) | changes
    return f"Rules.preset({', '.join([repr(name), *(f'{field}={value!r}' for field, value in options.items())])})"
