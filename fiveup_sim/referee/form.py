"""The form of a game record: which fields it has and of what type. What they say is the referee's matter."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from fiveup_sim.referee.events import parse_event
from fiveup_sim.rules import Rules
from fiveup_sim.rules.tiles import N_TILES, parse_tile

FORMAT = "fiveup-game/1"
"""The value of a record's ``format``."""

LARGEST = 2**63 - 1
"""No whole number of a record is larger, either way."""


@dataclass(frozen=True)
class Fault:
    """Something wrong with a record, and where."""

    message: str
    hand: int | None = None
    """Number of the hand, from 1; None: the game as a whole."""
    event: int | None = None
    """Number of the event in the hand, from 1; None: the hand as a whole."""

    def __str__(self) -> str:
        if self.hand is None:
            return f"game: {self.message}"
        place = f"hand {self.hand}" + (f", event {self.event}" if self.event is not None else "")
        return f"{place}: {self.message}"


class FaultError(Exception):
    """Carries a :class:`Fault` out of the checks."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class Need(NamedTuple):
    """What a field has to be: a test, and the same in words."""

    is_met: Callable[[Any], bool]
    allowed: str


def check_form(game: Any) -> Rules:
    """Check the form of `game`, the JSON object of a record, and return its rules.

    Raises
    ------
    FaultError
        At the first field that is missing or not of its type.
    """
    if not isinstance(game, dict):
        raise FaultError(Fault(f"{shown(game)}: allowed a JSON object"))
    _check(game, {"format": Need(lambda value: value == FORMAT, repr(FORMAT)), "rules": _OBJECT})
    rules = _read_rules(game["rules"])
    _check(game, _game_needs(rules))
    for number, hand in enumerate(game["hands"], 1):
        if not isinstance(hand, dict):
            raise FaultError(Fault(f"{shown(hand)}: allowed a JSON object", number))
        _check(hand, _hand_needs(rules), number)
        for index, event in enumerate(hand["events"], 1):
            _check_event(rules, event, number, index)
    return rules


def shown(value: Any) -> str:
    """`value` as a fault shows it: cut where it is long."""
    return json.dumps(value) if value is None or isinstance(value, bool) else reprlib.repr(value)


def _whole(low: int, high: int, allowed: str) -> Need:
    # bool is an int to Python, and not to JSON
    return Need(lambda value: type(value) is int and low <= value <= high, allowed)


def _or_null(need: Need) -> Need:
    return Need(lambda value: value is None or need.is_met(value), f"{need.allowed}, or null")


def _list(need: Need, length: int | None = None) -> Need:
    def is_met(value: Any) -> bool:
        return isinstance(value, list) and length in (None, len(value)) and all(map(need.is_met, value))

    return Need(is_met, f"a list of {'' if length is None else f'{length} times '}{need.allowed}")


def _one_of(*values: str) -> Need:
    return Need(lambda value: isinstance(value, str) and value in values, ", ".join(map(repr, values)))


def _is_tile(value: Any) -> bool:
    try:
        parse_tile(value)
    except ValueError:
        return False
    return bool(value == value.strip())


_OBJECT = Need(lambda value: isinstance(value, dict), "a JSON object")
_ANY_LIST = Need(lambda value: isinstance(value, list), "a list")
_TEXT = Need(lambda value: isinstance(value, str), "a text")
_TILE = Need(_is_tile, "a tile")
_WHOLE = _whole(-LARGEST, LARGEST, "a whole number")
_NATURAL = _whole(0, LARGEST, "a whole number from 0")


def _game_needs(rules: Rules) -> dict[str, Need]:
    return {
        "strategies": _list(_or_null(_TEXT), rules.seats),
        "seed": _or_null(_NATURAL),
        "block": _or_null(_NATURAL),
        "rotation": _or_null(_NATURAL),
        "hands": Need(lambda value: isinstance(value, list) and len(value) > 0, "a list of hands, one at least"),
        "outcome": _one_of("won", "unfinished"),
        "winner": _or_null(_whole(0, rules.n_sides - 1, f"a side from 0 to {rules.n_sides - 1}")),
        "scores": _list(_WHOLE, rules.n_sides),
        "extension_hands": _NATURAL,
    }


def _hand_needs(rules: Rules) -> dict[str, Need]:
    seat = _whole(0, rules.seats - 1, f"a seat from 0 to {rules.seats - 1}")
    return {
        "lead": seat,
        "held": _list(_list(_TILE, rules.tiles_each), rules.seats),
        "boneyard": _list(_TILE, N_TILES - rules.seats * rules.tiles_each),
        "events": _ANY_LIST,
        "counts": _list(_WHOLE),
        "points": _list(_WHOLE),
        "end": _one_of("dominoed", "blocked", "stopped"),
        "dominoed": _or_null(seat),
        "left": _list(_WHOLE, rules.seats),
        "change": _list(_WHOLE, rules.n_sides),
        "scores": _list(_WHOLE, rules.n_sides),
    }


def _check(values: dict[str, Any], needs: dict[str, Need], hand: int | None = None) -> None:
    for name, need in needs.items():
        if name not in values:
            raise FaultError(Fault(f"{name} is missing: {need.allowed}", hand))
        if not need.is_met(values[name]):
            raise FaultError(Fault(f"{name} = {shown(values[name])}: allowed {need.allowed}", hand))


def _check_event(rules: Rules, text: Any, hand: int, event: int) -> None:
    if not isinstance(text, str):
        raise FaultError(Fault(f"event {shown(text)}: allowed a text", hand, event))
    try:
        seat = parse_event(text).seat
    except ValueError as error:
        raise FaultError(Fault(str(error), hand, event)) from None
    if seat >= rules.seats:
        raise FaultError(Fault(f"event {text!r}: allowed seats 0 to {rules.seats - 1}", hand, event))


def _read_rules(values: dict[str, Any]) -> Rules:
    try:
        return Rules.from_dict(values)
    except ValueError as error:
        raise FaultError(Fault(str(error))) from None
