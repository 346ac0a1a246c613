"""The referee finds what is wrong with a record, and where; and nothing in records that are right."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fiveup_sim.referee.events import parse_event
from fiveup_sim.referee.record import FORMAT, GameRecord, write_records
from fiveup_sim.referee.referee import Fault, check_file, check_record
from fiveup_sim.rules import Rules, rule_fields
from fiveup_sim.rules.presets import PRESETS
from tests.engine.naive import choose_any, choose_most, play_naive_game, random_rules

Path = tuple[Any, ...]

BONEYARD = "0-0 1-0 2-0 2-2 3-0 3-3 4-0 4-1 4-3 4-4 5-0 5-1 5-2 5-3 5-4 5-5 6-0 6-1 6-2 6-3 6-4 6-5"
EQUAL_HOSTS = GameRecord(
    {
        "format": FORMAT,
        "rules": Rules(tiles_each=3, max_hands=1).to_dict(),
        "strategies": ["one", "two"],
        "seed": None,
        "block": None,
        "rotation": None,
        "hands": [
            {
                "lead": 0,
                "held": [["1-1", "3-1", "4-2"], ["2-1", "3-2", "6-6"]],
                "boneyard": BONEYARD.split(),
                "events": ["0:1-1", "1:2-1@1-1", "0:3-1@1-1", "1:3-2@3-1", "0:4-2@2-1"],
                "counts": [2, 4, 5, 4, 6],
                "points": [0, 0, 1, 0, 0],
                "end": "dominoed",
                "dominoed": 0,
                "left": [0, 12],
                "change": [1, -2],
                "scores": [1, -2],
            }
        ],
        "outcome": "unfinished",
        "winner": None,
        "scores": [1, -2],
        "extension_hands": 0,
    }
)
"""At the end 2-1 and 3-2 both have a free 2, and 4-2 may be said to lie against either."""

GAMES = [
    EQUAL_HOSTS,
    *(
        play_naive_game(Rules.preset(name, **changes), random.Random(seed))
        for name, seed, changes in [
            ("five_up", 5, {"target": 4, "max_hands": 4}),
            ("five_up", 2, {"seats": 4, "target": 6, "max_hands": 2}),
            ("all_fives", 3, {"seats": 3, "target": 30, "max_hands": 2}),
            ("fives_and_threes", 4, {"target": 12, "max_hands": 2}),
            ("block", 5, {"target": 20, "max_hands": 3}),
        ]
    ),
]
"""Short games that are right, of different rules, with every way a hand and a game can end among them."""


FIVE_UP = GAMES[1]


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every number, text and null of a JSON value, and the way to it."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from leaves(part, (*path, index))
    else:
        yield path, value


def changed(record: GameRecord, path: Path, value: Any) -> GameRecord:
    """`record` with one value changed; the record itself stays."""
    data = dict(record.data)
    at: Any = data
    for key in path[:-1]:
        at[key] = copy.copy(at[key])
        at = at[key]
    at[path[-1]] = value
    return GameRecord(data)


def mutations(value: Any) -> Iterator[Any]:
    """Values a little different from `value`, and some quite different."""
    if isinstance(value, str):
        yield from ("", value + "0", value.replace("-", ""), 0, None)
        for position, letter in enumerate(value):
            if letter.isdigit():
                yield f"{value[:position]}{(int(letter) + 1) % 7}{value[position + 1 :]}"
    elif value is None:
        yield from (0, 1, "", [])
    else:
        yield from (value + 1, value - 1, value + 5, None, str(value), float(value), [value])


def is_judged(path: Path) -> bool:
    """Whether the rest of the record says what this value has to be."""
    return path[0] not in ("rules", "strategies", "seed", "block", "rotation")


def test_the_games_are_right() -> None:
    assert [check_record(record) for record in GAMES] == [None] * len(GAMES)
    ends = {hand["end"] for record in GAMES for hand in record.data["hands"]}
    assert ends == {"dominoed", "blocked", "stopped"}
    assert {record.data["outcome"] for record in GAMES} == {"won", "unfinished"}


@pytest.mark.parametrize("record", GAMES, ids=lambda record: record.data["rules"]["preset"])
def test_any_change_is_found_at_its_place(record: GameRecord) -> None:
    for path, value in leaves(record.data):
        for other in mutations(value) if is_judged(path) else ():
            if other != value or type(other) is not type(value):
                check_found(record, changed(record, path, other), path, other)


def check_found(record: GameRecord, spoilt: GameRecord, path: Path, other: Any) -> None:
    fault = check_record(spoilt)
    if fault is None and path[2:3] == ("events",):
        # The one thing that may be said in two ways: which of several equal hosts.
        event, was = parse_event(other), parse_event(record.data["hands"][path[1]]["events"][path[3]])
        assert event.placement is not None
        assert was.placement is not None
        assert (event.seat, event.placement.tile) == (was.seat, was.placement.tile)
        return
    assert fault is not None, (path, other)
    if path[0] != "hands":
        assert fault.hand is None, (path, other, fault)
        return
    assert fault.hand == path[1] + 1, (path, other, fault)
    if path[2] == "events":
        # A forged event may pass for another one, until what follows does not fit.
        assert fault.event is None or fault.event >= path[3] + 1, (path, other, fault)
    elif path[2] in ("counts", "points") and type(other) is int:
        texts = record.data["hands"][path[1]]["events"]
        laid = [index for index, text in enumerate(texts, 1) if parse_event(text).placement is not None]
        assert fault.event == laid[path[3]], (path, other, fault)


@pytest.mark.parametrize("record", GAMES, ids=lambda record: record.data["rules"]["preset"])
def test_anything_left_out_is_found(record: GameRecord) -> None:
    for path, _ in list(leaves(record.data)):
        for depth in range(1, len(path) + 1):
            data = copy.deepcopy(record.data)
            at: Any = data
            for key in path[: depth - 1]:
                at = at[key]
            del at[path[depth - 1]]
            assert check_record(GameRecord(data)) is not None, path[:depth]
        if path[0] == "hands" and path[1] == 1:
            break  # one hand is like another


@pytest.mark.parametrize("rule", ["preset", *(rule.name for rule in rule_fields())])
def test_rules_that_are_none(rule: str) -> None:
    right = GAMES[0].data["rules"][rule]
    wrong: tuple[Any, ...] = (None, "nonsense", -1, 1.0, [], {}, [[5]], [5.0], 10**30, True)
    for value in wrong:
        is_allowed = (value is True and type(right) is bool) or (rule == "preset" and value == "nonsense")
        if not is_allowed:
            assert isinstance(check_record(changed(GAMES[0], ("rules", rule), value)), Fault), value


def test_an_unknown_rule_is_refused_and_other_keys_are_not() -> None:
    assert "no such rule" in str(check_record(changed(GAMES[0], ("rules", "passing"), 1)))
    assert check_record(changed(GAMES[0], ("note",), [1])) is None
    assert check_record(changed(GAMES[0], ("hands", 0, "note"), [1])) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["0:pass", "6-6"]),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=4), part, max_size=3),
    max_leaves=4,
)


@settings(max_examples=120, deadline=None)
@given(value=JSON, which=st.integers(0, len(GAMES) - 1), choice=st.integers(0, 10_000), cut=st.integers(0, 3))
def test_nothing_makes_the_referee_stumble(value: Any, which: int, choice: int, cut: int) -> None:
    paths = [path for path, _ in leaves(GAMES[which].data)]
    path = paths[choice % len(paths)]
    spoilt = changed(GAMES[which], path[: max(1, len(path) - cut)], value)
    assert isinstance(str(check_record(spoilt)), str)
    assert isinstance(str(spoilt), str)


@pytest.mark.parametrize("value", [None, 1, "x", [], {}, {"format": "fiveup-game/1"}])
def test_what_is_no_record(value: Any) -> None:
    assert check_record(GameRecord(value)) is not None


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("seed",), 2**63, "game: seed = 9223372036854775808: allowed a whole number from 0, or null"),
        (("seed",), -1, "game: seed = -1: allowed a whole number from 0, or null"),
        (("block",), 1.5, "game: block = 1.5: allowed a whole number from 0, or null"),
        (("strategies",), ["a"], "game: strategies = ['a']: allowed a list of 2 times a text, or null"),
        (("hands",), [], "game: hands = []: allowed a list of hands, one at least"),
        (("hands",), {"0": 1}, "game: hands = {'0': 1}: allowed a list of hands, one at least"),
        (("hands", 0), 3, "hand 1: 3: allowed a JSON object"),
        (("winner",), 2, "game: winner = 2: allowed a side from 0 to 1, or null"),
        (("outcome",), "tied", "game: outcome = 'tied': allowed 'won', 'unfinished'"),
        (("hands", 0, "end"), 0, "hand 1: end = 0: allowed 'dominoed', 'blocked', 'stopped'"),
        (("hands", 0, "lead"), 2, "hand 1: lead = 2: allowed a seat from 0 to 1"),
        (("hands", 0, "lead"), True, "hand 1: lead = true: allowed a seat from 0 to 1"),
        (("hands", 0, "left"), [0], "hand 1: left = [0]: allowed a list of 2 times a whole number"),
        (("hands", 0, "counts"), 1, "hand 1: counts = 1: allowed a list of a whole number"),
        (("hands", 0, "events", 2), 7, "hand 1, event 3: event 7: allowed a text"),
        (("hands", 0, "events", 2), "2:pass", "hand 1, event 3: event '2:pass': allowed seats 0 to 1"),
        (("hands", 0, "counts"), [2, 4], "hand 1, event 3: counts has 2 figures, and this is placement 3"),
        (("hands", 0, "points"), [0, 0, 1, 0, 0, 0], "hand 1: length of points = 6, right is 5"),
        (("hands", 0, "end"), "blocked", "hand 1: end = 'blocked', right is 'dominoed'"),
        (("hands", 0, "dominoed"), None, "hand 1: dominoed = null, right is 0"),
        (("rules", "seats"), 5, "game: seats = 5: allowed 2 to 4"),
        (("rules", "partnership"), None, "game: partnership = None: allowed no, yes"),
    ],
)
def test_faults_say_the_field_the_value_and_what_is_allowed(path: Path, value: Any, message: str) -> None:
    assert str(check_record(changed(EQUAL_HOSTS, path, value))) == message


def edited(edit: Any, which: int = 1) -> Fault | None:
    data = copy.deepcopy(GAMES[which].data)
    edit(data)
    return check_record(GameRecord(data))


def lay_index(events: list[str]) -> int:
    """Position of the first placement after the lead."""
    return next(i for i, text in enumerate(events[1:], 1) if "@" in text)


def draw_index(events: list[str]) -> int:
    return next(i for i, text in enumerate(events) if "+" in text)


def test_a_pass_or_draw_of_a_seat_that_can_lay() -> None:
    events = FIVE_UP.data["hands"][0]["events"]
    index = lay_index(events)
    seat = events[index][0]
    fault = edited(lambda data: data["hands"][0]["events"].insert(index, f"{seat}:pass"))
    assert str(fault).startswith(f"hand 1, event {index + 1}: seat {seat} passes but can lay ")
    drawn = FIVE_UP.data["hands"][0]["boneyard"][0]
    fault = edited(lambda data: data["hands"][0]["events"].insert(index, f"{seat}:+{drawn}"))
    assert str(fault).startswith(f"hand 1, event {index + 1}: seat {seat} draws {drawn} but can lay ")


def test_a_pass_while_tiles_must_be_drawn() -> None:
    hand = next(i for i, hand in enumerate(FIVE_UP.data["hands"]) if any("+" in text for text in hand["events"]))
    index = draw_index(FIVE_UP.data["hands"][hand]["events"])

    def edit(data: dict[str, Any]) -> None:
        data["hands"][hand]["events"][index] = data["hands"][hand]["events"][index][:2] + "pass"

    fault = edited(edit)
    assert fault is not None
    assert (fault.hand, fault.event) == (hand + 1, index + 1)
    assert "passes but has to draw" in fault.message


def test_stopping_before_the_end() -> None:
    fault = edited(lambda data: data["hands"][0]["events"].pop())
    assert fault == Fault(fault.message if fault else "", 1)
    assert "length of counts" in str(fault) or "the hand is not over" in str(fault)
    # A game without its last hands.
    which = next(i for i, record in enumerate(GAMES) if len(record.data["hands"]) > 1)
    fault = edited(lambda data: data["hands"].pop(), which)
    assert fault is not None
    assert "it is not over after hand" in fault.message


def test_going_on_after_the_end() -> None:
    last = len(FIVE_UP.data["hands"][0]["events"])
    fault = edited(lambda data: data["hands"][0]["events"].append("0:pass"))
    assert str(fault).startswith(f"hand 1, event {last + 1}: seat 0 passes but the hand is over")
    n_hands = len(FIVE_UP.data["hands"])
    fault = edited(lambda data: data["hands"].append(data["hands"][0]))
    assert str(fault) == f"hand {n_hands + 1}: the game was over after hand {n_hands}"


def test_a_tile_dealt_twice() -> None:
    def edit(data: dict[str, Any]) -> None:
        data["hands"][0]["boneyard"][0] = data["hands"][0]["held"][0][0]

    assert "is there twice in held and boneyard" in str(edited(edit))


def test_the_wrong_leader() -> None:
    which, number = next(
        (which, number)
        for which, record in enumerate(GAMES)
        for number, hand in enumerate(record.data["hands"])
        if number and record.data["hands"][number - 1]["end"] == "dominoed"
    )
    right = GAMES[which].data["hands"][number]["lead"]
    spoilt = changed(GAMES[which], ("hands", number, "lead"), 1 - right)
    assert check_record(spoilt) == Fault(f"lead = {1 - right}, right is {right}", number + 1)


def test_places_are_named_in_files(tmp_path: Any) -> None:
    spoilt = changed(GAMES[1], ("hands", 0, "counts", 0), 99)
    write_records(tmp_path / "games.jsonl", [FIVE_UP, spoilt, GAMES[2]])
    found = check_file(tmp_path / "games.jsonl")
    assert (found.n_games, found.line) == (1, 2)
    assert str(found).startswith("line 2: hand 1, event 1: count = 99, right is ")
    write_records(tmp_path / "right.jsonl", GAMES)
    assert str(check_file(tmp_path / "right.jsonl")) == f"{len(GAMES)} games, no fault"


def test_equal_hosts_are_all_accepted() -> None:
    last = ("hands", 0, "events", 4)
    assert check_record(changed(EQUAL_HOSTS, last, "0:4-2@3-2")) is None
    assert check_record(changed(EQUAL_HOSTS, last, "0:[2|4]@[2|3]")) is None
    fault = check_record(changed(EQUAL_HOSTS, last, "0:4-2@6-2"))
    assert str(fault) == "hand 1, event 5: 4-2 is laid against 6-2, which is not on the table"


def test_games_do_not_lean_on_each_other() -> None:
    spoilt = changed(GAMES[2], ("hands", 0, "counts", 0), 99)
    alone = [str(check_record(record)) for record in (GAMES[1], spoilt, GAMES[4])]
    assert [str(check_record(record)) for record in (GAMES[1], spoilt, GAMES[4])] == alone


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", PRESETS)
def test_naive_games_of_every_preset_are_right(name: str, seats: int) -> None:
    rng = random.Random(f"{name} {seats}")
    record = play_naive_game(Rules.preset(name, seats=seats, max_hands=25), rng, rng.choice([choose_any, choose_most]))
    assert check_record(record) is None


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_naive_games_of_any_rules_are_right(seed: int) -> None:
    rng = random.Random(seed)
    record = play_naive_game(random_rules(rng), rng, rng.choice([choose_any, choose_most]))
    assert check_record(record) is None
    assert check_record(GameRecord.from_json(record.to_json())) is None
    assert json.loads(record.to_json()) == record.data
