"""What run.json says of results: to plain types, and back with every field checked, whoever wrote it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from fiveup_sim.rules import Rules
from fiveup_sim.tournament import spans
from fiveup_sim.tournament.lineup import LineUp, make_line_up
from fiveup_sim.tournament.match_results import MatchResults, StrategyInfo
from fiveup_sim.tournament.spans import Spans

if TYPE_CHECKING:
    from collections.abc import Sequence

HEEDED = ("hand", "memory", "score")
_NOTHING = np.empty(0, np.int64)
_LABEL = re.compile(r"(?P<name>[^()]+)(?:\((?P<params>[^()]*)\))?")
_Check = Callable[[Any], bool]


class Described(Protocol):
    """The fields of results."""

    @property
    def rules(self) -> Rules: ...
    @property
    def seed(self) -> int: ...
    @property
    def paired(self) -> bool: ...
    @property
    def stream_version(self) -> int: ...
    @property
    def strategies(self) -> Sequence[StrategyInfo]: ...
    @property
    def matches(self) -> Sequence[MatchResults]: ...
    @property
    def provenance(self) -> dict[str, Any]: ...


def describe(results: Described) -> dict[str, Any]:
    """All of `results` but their arrays, in plain types."""
    return {
        "rules": results.rules.to_dict(),
        "seed": results.seed,
        "paired": results.paired,
        "stream_version": results.stream_version,
        "strategies": [
            {
                "label": strategy.label,
                "name": strategy.name,
                "params": strategy.params,
                "digest": strategy.digest,
                "heeds": None if strategy.heeds is None else sorted(strategy.heeds),
            }
            for strategy in results.strategies
        ],
        "matches": [
            {
                "names": match.line_up.names,
                "seatings": match.line_up.seatings,
                "blocks": match.blocks,
                "planned": match.planned,
                "keeps_games": match.games is not None,
                "seconds": match.seconds,
            }
            for match in results.matches
        ],
        "provenance": results.provenance,
    }


def parse(head: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the results that :func:`describe` described, their arrays empty.

    Raises
    ------
    ValueError
        Naming the first field that is missing, is not what it should be, or does not go with the others.
    """
    rules = Rules.from_dict(_field(head, "rules", _is_table, "a table"))
    strategies = [_strategy(kept) for kept in _field(head, "strategies", _is_filled, "a list that is not empty")]
    labels = [strategy.label for strategy in strategies]
    matches = [_match(kept, rules, labels) for kept in _field(head, "matches", _is_filled, "a list that is not empty")]
    _need(len(set(labels)) == len(labels), "strategies", labels, "each label once")
    idle = set(labels).difference(*(match.line_up.names for match in matches))
    _need(not idle, "strategies", sorted(idle), "strategies that sit in a line-up")
    return {
        "rules": rules,
        "seed": _field(head, "seed", _is_whole(0, (1 << 64) - 1), "a whole number from 0 to 2**64 - 1"),
        "paired": _field(head, "paired", lambda value: isinstance(value, bool), "true or false"),
        "stream_version": _field(head, "stream_version", _is_whole(1), "a whole number from 1"),
        "strategies": tuple(strategies),
        "matches": tuple(matches),
        "provenance": _provenance(_field(head, "provenance", _is_table, "a table")),
    }


def _strategy(kept: Any) -> StrategyInfo:
    _need(_is_table(kept), "strategies", kept, "tables")
    name, label = (_field(kept, key, _is_text, "a text") for key in ("name", "label"))
    params = _field(kept, "params", _is_numbers, "finite numbers by name")
    heeds = _field(kept, "heeds", _is_heeded, f"null or a list of {', '.join(HEEDED)}")
    digest = _field(kept, "digest", _is_digest, "64 hex digits")
    _need(_is_label(label, name, params), "label", label, f"{name!r}, with values of its parameters")
    return StrategyInfo(label, name, params, digest, None if heeds is None else frozenset(heeds))


def _is_label(label: str, name: str, params: dict[str, float]) -> bool:
    """Whether `label` is the name, and what it says of parameters is so: ``careful(pips=0.05)``."""
    match = _LABEL.fullmatch(label)
    if match is None or match["name"] != name:
        return False
    pairs = [part.partition("=") for part in (match["params"] or "").split(", ") if part]
    return all(key in params and repr(params[key]).removesuffix(".0") == value for key, _, value in pairs)


def _match(kept: Any, rules: Rules, labels: list[str]) -> MatchResults:
    _need(_is_table(kept), "matches", kept, "tables")
    names = tuple(_field(kept, "names", lambda value: _is_list(value) and set(value) <= set(labels), "known labels"))
    planned, blocks = (_spans(kept, key) for key in ("planned", "blocks"))
    left = spans.without(blocks, planned)
    _need(not left, "blocks", spans.describe(left), "blocks that were planned")
    keeps_games = _field(kept, "keeps_games", lambda value: isinstance(value, bool), "true or false")
    return MatchResults(
        line_up=_line_up(names, kept, rules),
        blocks=blocks,
        planned=planned,
        tallies=_NOTHING,
        law=_NOTHING,
        games=_NOTHING if keeps_games else None,
        seconds=_field(kept, "seconds", _is_duration, "seconds"),
    )


def _line_up(names: tuple[str, ...], kept: Mapping[str, Any], rules: Rules) -> LineUp:
    """The line-up, if its seatings are those that its names have."""

    def is_seating(value: Any) -> bool:
        return _is_list(value) and len(value) == rules.seats and all(map(_is_whole(0, len(names) - 1), value))

    seatings = _field(kept, "seatings", lambda value: _is_filled(value) and all(map(is_seating, value)), "seatings")
    line_up = LineUp(names, tuple(map(tuple, seatings)))
    right = make_line_up(line_up.seat_names(0), rules)
    _need(line_up == right, "seatings", seatings, f"all seatings of {' - '.join(right.seat_names(0))}")
    return line_up


def _spans(kept: Mapping[str, Any], key: str) -> Spans:
    def is_span(value: Any) -> bool:
        return _is_list(value) and len(value) == 2 and all(map(_is_whole(0, 1 << 62), value)) and value[0] < value[1]

    found = _field(kept, key, lambda value: _is_list(value) and all(map(is_span, value)), "pairs of block numbers")
    chosen = tuple(map(tuple, found))
    _need(chosen == spans.union(chosen), key, found, "in their order, none in two of them")
    return chosen


def _provenance(kept: Mapping[str, Any]) -> dict[str, Any]:
    runs = _field(kept, "runs", lambda value: _is_list(value) and all(map(_is_table, value)), "a list of tables")
    for run in runs:
        for key in ("started", "source", "machine"):
            _field(run, key, _is_text, "a text")
        for key in ("wall_seconds", "cpu_seconds"):
            _field(run, key, _is_duration, "seconds")
        _field(run, "n_workers", _is_whole(1), "a whole number from 1")
        _field(run, "versions", lambda value: _is_table(value) and all(map(_is_text, value.values())), "texts by name")
    return dict(kept)


def _field(kept: Mapping[str, Any], key: str, is_one: _Check, allowed: str) -> Any:
    """The value of a field that must be there, if it is one that is allowed."""
    if key not in kept:
        raise ValueError(f"{key} is missing")
    _need(is_one(kept[key]), key, kept[key], allowed)
    return kept[key]


def _need(is_so: bool, key: str, value: Any, allowed: str) -> None:
    if not is_so:
        raise ValueError(f"{key} = {value!r:.80}: allowed {allowed}")


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(key, str) for key in value)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str | int | float | list | dict) for item in value)


def _is_filled(value: Any) -> bool:
    return _is_list(value) and bool(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_whole(low: int, high: float = math.inf) -> _Check:
    return lambda value: type(value) is int and low <= value <= high


def _is_duration(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and value >= 0


def _is_numbers(value: Any) -> bool:
    return _is_table(value) and all(type(number) in (int, float) and math.isfinite(number) for number in value.values())


def _is_heeded(value: Any) -> bool:
    return value is None or (_is_list(value) and all(item in HEEDED for item in value))


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None
