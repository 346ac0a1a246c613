"""A strategy's fault in a run: who, where, and the call that plays that game again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fiveup_sim.rules import Rules
from fiveup_sim.strategy import StrategyError
from fiveup_sim.tournament.lineup import LineUp
from fiveup_sim.tournament.plan import Plan
from fiveup_sim.tournament.results import Results
from fiveup_sim.tournament.tasks import Failure, Fault


class PlayError(StrategyError):
    """A strategy raised an exception or returned an illegal index in a game.

    Attributes
    ----------
    label
        The strategy.
    seat, block, rotation, hand
        Where: the seat that was asked, the block and the rotation of the line-up, and the hand of the game, from 0.
    replay
        The call that plays that game again: ``play_game(["greedy", "mine.py:f"], seed=7, block=12, rotation=1)``.
    results
        What a match or a tournament had played until then: Results, not complete; None for a single game.
    """

    def __init__(self, fault: Fault, line_up: LineUp, replay: str, results: Results | None = None) -> None:
        self.label = line_up.names[fault.position]
        self.seat, self.block, self.rotation, self.hand = fault.seat, fault.block, fault.rotation, fault.hand
        self.replay = replay
        self.results = results
        self._made_of = fault, line_up, replay, results
        seated = " - ".join(line_up.seat_names(fault.rotation))
        where = f"seat {fault.seat} of {seated}, block {fault.block}, rotation {fault.rotation}, hand {fault.hand + 1}"
        what = fault.what.replace(f"({Path.cwd()}{os.sep}", "(")  # a worker may have another working directory
        super().__init__(f"strategy {self.label!r} {what}\n  in {where}\n  to see that game: {replay}")

    def __reduce__(self) -> tuple:
        return PlayError, self._made_of


def play_error(plan: Plan, failures: Sequence[Failure], results: Results) -> StrategyError:
    """The exception for the first fault in the order of line-ups and blocks.

    In a line-up blocks go out in their order, and after a fault all tasks that are out are waited for: for a match it
    is the same fault at every run.

    Parameters
    ----------
    plan
        What was being played.
    failures
        What came back from tasks in which a strategy failed.
    results
        What had been played.
    """
    number, fault = min(failures, key=lambda failure: (failure.line_up, failure.fault.block))
    line_up = plan.line_ups[number]
    if fault.block < 0:
        return StrategyError(fault.what)
    seated = [plan.entries[label].spelling for label in line_up.seat_names(0)]
    address: dict[str, Any] = {
        "seed": plan.seed,
        "paired": plan.paired,
        "block": fault.block,
        "rotation": fault.rotation,
    }
    return PlayError(fault, line_up, spell_game(seated, plan.rules, **address), results)


def spell_game(seated: Sequence[str], rules: Rules, *, seed: int, paired: bool, block: int, rotation: int) -> str:
    """The call that plays one game again.

    Parameters
    ----------
    seated
        Strategies by seat of rotation 0, as they are written in a call.
    rules, seed, paired, block, rotation
        The address of the game.
    """
    options: dict[str, Any] = {} if rules == Rules.preset() else {"rules": rules.spelling()}
    options |= {"seed": seed, "block": block, "rotation": rotation}
    if not paired:
        options["paired"] = False
    return f"play_game([{', '.join(seated)}], {', '.join(f'{name}={value}' for name, value in options.items())})"
