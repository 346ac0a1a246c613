"""Game records: reading, writing, the schema, and the transcript."""

from __future__ import annotations

import copy
import gzip
import json
import random
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import fiveup_sim.referee.record as record_module
from fiveup_sim.referee.events import Event, format_event, parse_event
from fiveup_sim.referee.record import FORMAT, GameRecord, RecordError, read_records, write_records
from fiveup_sim.referee.referee import check_file, check_record
from fiveup_sim.rules import Rules, rule_fields
from fiveup_sim.rules.tiles import Placement, parse_placement, parse_tile
from tests.engine.naive import play_naive_game, random_rules

SCHEMA = json.loads(Path(record_module.__file__).with_name("game-record.schema.json").read_text())
FIRST_BONEYARD = "3-3 4-3 4-2 0-0 1-0 1-1 2-0 2-2 3-0 3-1 3-2 4-0 4-1 4-4 5-0 5-1 5-2 5-3 6-0 6-1 6-2 6-3 6-4 6-5"
SECOND_BONEYARD = "3-3 4-3 4-2 0-0 1-0 1-1 2-0 2-2 3-0 3-1 3-2 4-0 4-1 4-4 5-0 5-1 5-2 5-3 5-4 5-5 6-1 6-2 6-3 2-1"
SHORT_GAME: dict[str, Any] = {
    "format": FORMAT,
    "rules": Rules(target=1, tiles_each=2, max_hands=2).to_dict(),
    "strategies": ["greedy", None],
    "seed": 7,
    "block": 0,
    "rotation": None,
    "hands": [
        {
            "lead": 1,
            "held": [["6-6", "5-5"], ["2-1", "5-4"]],
            "boneyard": FIRST_BONEYARD.split(),
            "events": ["1:2-1", "0:+3-3", "0:+4-3", "0:+4-2", "0:4-2@2-1", "1:5-4@4-2"],
            "counts": [3, 5, 6],
            "points": [0, 1, 0],
            "end": "dominoed",
            "dominoed": 1,
            "left": [35, 0],
            "change": [-6, 0],
            "scores": [-6, 0],
        },
        {
            "lead": 1,
            "held": [["6-4", "6-5"], ["6-6", "6-0"]],
            "boneyard": SECOND_BONEYARD.split(),
            "events": ["1:6-6", "0:6-4@6-6", "1:6-0@6-6"],
            "counts": [12, 16, 4],
            "points": [0, 0, 0],
            "end": "dominoed",
            "dominoed": 1,
            "left": [11, 0],
            "change": [-2, 0],
            "scores": [-8, 0],
        },
    ],
    "outcome": "unfinished",
    "winner": None,
    "scores": [-8, 0],
    "extension_hands": 0,
}


def games(n_games: int, **changes: Any) -> list[GameRecord]:
    rng = random.Random(3)
    return [play_naive_game(Rules(**({"target": 5} | changes)), rng) for _ in range(n_games)]


def test_the_short_game_is_right() -> None:
    assert check_record(GameRecord(SHORT_GAME)) is None


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_round_trip(tmp_path: Path, name: str) -> None:
    records = games(3)
    records[1].data["note"] = {"kept": ["as", "it", 1.5, None]}
    assert write_records(tmp_path / name, iter(records)) == 3
    assert list(read_records(tmp_path / name)) == records
    assert check_file(str(tmp_path / name)) == (3, None, None)


def test_one_line_a_game() -> None:
    record = games(1)[0]
    assert "\n" not in record.to_json()
    assert GameRecord.from_json(record.to_json()) == record


def test_compressed_files_are_reproducible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_records(tmp_path / "a.jsonl.gz", games(2))
    monkeypatch.setattr(time, "time", lambda: 1e9)
    write_records(tmp_path / "b.jsonl.gz", games(2))
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()


def test_records_are_streamed(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(games(1)[0].to_json() + "\nnonsense\n")
    records = read_records(path)
    assert check_record(next(records)) is None
    with pytest.raises(RecordError, match="line 2"):
        next(records)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not JSON: "),
        (b"[" * 100_000, "not JSON: nested too deep"),
        (b'"text"', "format = None: allowed 'fiveup-game/1'"),
        (b"{}", "format = None"),
        (b'{"format": "fiveup-game/2"}', "format = 'fiveup-game/2'"),
        (b'{"format": "fiveup-game/1", "seed": 1, "seed": 2}', "key 'seed' twice in one object"),
        (b'{"format": "fiveup-game/1", "seed": NaN}', "not JSON: NaN"),
        (b'{"format": "fiveup-game/1", "seed": ' + b"9" * 5000 + b"}", "Exceeds the limit"),
        (b'{"format": "fiveup-game/1", "name": "\xff"}', "not UTF-8: "),
    ],
)
def test_lines_that_are_no_record(tmp_path: Path, line: bytes, reason: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(games(1)[0].to_json().encode() + b"\n\n" + line + b"\n")
    with pytest.raises(RecordError, match="line 3: ") as caught:
        list(read_records(path))
    assert (caught.value.line, reason in caught.value.reason) == (3, True)
    found = check_file(path)
    assert (found.n_games, found.line) == (1, 3)
    assert reason in str(found.fault)


@pytest.mark.parametrize("spoil", [lambda packed: packed[:-20], lambda packed: b"plain" + packed])
def test_files_that_are_no_gzip(tmp_path: Path, spoil: Any) -> None:
    path = tmp_path / "games.jsonl.gz"
    path.write_bytes(spoil(gzip.compress(games(1)[0].to_json().encode())))
    with pytest.raises(RecordError, match="not gzip"):
        list(read_records(path))
    assert check_file(path).fault is not None


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("0:5-4", Event(0, placement=Placement(parse_tile("5-4")))),
        ("1:4-1@5-4", Event(1, placement=parse_placement("4-1@5-4"))),
        ("3:5-4@5-5/arm", Event(3, placement=parse_placement("5-4@5-5/arm"))),
        ("1:+3-1", Event(1, drawn=parse_tile("3-1"))),
        ("2:pass", Event(2)),
    ],
)
def test_events(text: str, event: Event) -> None:
    assert parse_event(text) == event
    assert format_event(event) == text


def test_other_spellings_of_tiles() -> None:
    assert parse_event("0:[4|5]@4|4") == parse_event("0:5-4@4-4")


@pytest.mark.parametrize(
    "text", ["", "5-4", "4:5-4", "0:", "0:+", "0:passes", "0: 5-4", "0:5-4 @4-4", "0:7-4", "²:5-4"]
)
def test_no_events(text: str) -> None:
    with pytest.raises(ValueError, match=r"event|tile|placement"):
        parse_event(text)


def test_records_validate() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    rng = random.Random(4)
    for record in [GameRecord(SHORT_GAME), *(play_naive_game(random_rules(rng), rng) for _ in range(20))]:
        assert [error.message for error in validator.iter_errors(record.data)] == []


@pytest.mark.parametrize("path", [(), ("rules",), ("hands", 0)])
def test_the_schema_wants_what_the_referee_wants(path: tuple[Any, ...]) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for key in list(part_of(SHORT_GAME, path)):
        spoilt = copy.deepcopy(SHORT_GAME)
        del part_of(spoilt, path)[key]
        assert not validator.is_valid(spoilt), key
        assert "missing" in str(check_record(GameRecord(spoilt))), key


def part_of(game: Any, path: tuple[Any, ...]) -> dict[str, Any]:
    for key in path:
        game = game[key]
    return game


def test_the_schema_knows_every_rule() -> None:
    known = SCHEMA["$defs"]["rules"]
    assert known["required"] == list(known["properties"]) == ["preset", *(rule.name for rule in rule_fields())]
    for rule in rule_fields():
        allowed, said = rule.metadata["allowed"], known["properties"][rule.name]
        if isinstance(allowed, range):
            assert (said["minimum"], said["maximum"]) == (allowed.start, allowed.stop - 1)
        elif isinstance(allowed[0], bool):
            assert said == {"type": "boolean"}
        else:
            assert said["enum"] == json.loads(json.dumps(allowed))


def test_transcript_of_a_short_game() -> None:
    assert str(GameRecord(SHORT_GAME)) == (
        "Rules: five_up, 2 seats, tiles_each = 2, target = 1, max_hands = 2; to 1 point\n"
        "Seat 0 greedy\n"
        "Seat 1\n"
        "Seed 7, block 0\n"
        "\n"
        "Hand 1: seat 1 leads\n"
        "  seat 0 greedy  holds 6-6 5-5\n"
        "  seat 1         holds 2-1 5-4\n"
        f"  boneyard {FIRST_BONEYARD}\n"
        "       1  seat 1         2-1           count   3\n"
        "    2..4  seat 0 greedy  draws 3-3 4-3 4-2\n"
        "       5  seat 0 greedy  4-2@2-1       count   5  1 point\n"
        "       6  seat 1         5-4@4-2       count   6\n"
        "  dominoed by seat 1; pips left: seat 0: 35, seat 1: 0\n"
        "  seat 0 greedy: placements +1, settlement -7, change -6, score -6\n"
        "  seat 1: placements +0, settlement +0, change +0, score 0\n"
        "\n"
        "Hand 2: seat 1 leads\n"
        "  seat 0 greedy  holds 6-4 6-5\n"
        "  seat 1         holds 6-6 6-0\n"
        f"  boneyard {SECOND_BONEYARD}\n"
        "       1  seat 1         6-6           count  12\n"
        "       2  seat 0 greedy  6-4@6-6       count  16\n"
        "       3  seat 1         6-0@6-6       count   4\n"
        "  dominoed by seat 1; pips left: seat 0: 11, seat 1: 0\n"
        "  seat 0 greedy: placements +0, settlement -2, change -2, score -8\n"
        "  seat 1: placements +0, settlement +0, change +0, score 0\n"
        "\n"
        "Unfinished after 2 hands; scores: seat 0: -8, seat 1: 0"
    )


def test_transcript_of_a_long_game_stays_readable() -> None:
    record = games(1, target=10_000, max_hands=60)[0]
    text = str(record)
    assert all(f"Hand {number}:" in text for number in range(1, 61))
    assert text.count("\n") < 400
    assert text.count("boneyard") == 8
    assert record.transcript(range(1, 61)).count("boneyard") == 60
    assert record.transcript([30]).count("boneyard") == 1


def test_transcript_tells_extensions_partners_and_changed_rules() -> None:
    rng = random.Random(0)
    rules = Rules(name="mine", seats=4, target=1, settlement="none", max_hands=40)
    while not (record := play_naive_game(rules, rng)).data["extension_hands"]:
        pass
    text = str(record)
    assert "Rules: mine, 4 seats, partnerships, settlement = none, target = 1, max_hands = 40; to 1 point" in text
    assert text.count("(extension)") == record.data["extension_hands"]
    assert "extension hand" in text.splitlines()[-1]
    assert "Won by side" in text
    assert "Seat 3, side 1" in text


def test_a_transcript_needs_a_record() -> None:
    assert str(GameRecord({})).startswith("not a game record: game: format is missing")
