"""``show``, ``record`` and ``check``."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from fiveup_sim import check_file, play_game, read_records
from tests.cli.kit import fiveup, refused


def test_show_prints_the_game() -> None:
    game = play_game(["greedy", "random"], seed=3, block=2, rotation=1)
    shown = fiveup("show", "greedy", "random", "--seed", 3, "--block", 2, "--rotation", 1)
    assert shown.stdout == f"{game}\n"


def test_show_takes_rules() -> None:
    text = fiveup("show", "first", "heavy", "--seats", 4, "--target", 9, "--seed", 1).stdout
    assert text.startswith("Rules: five_up, 4 seats, partnerships, target = 9")


@pytest.mark.parametrize(
    "words", [["random", "random"], ["greedy", "random", "random"], ["greedy", "first", "--seats", 4]]
)
def test_what_is_recorded_passes_the_referee(words: list, tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl.gz"
    done = fiveup("record", *words, "--games", 7, "--seed", 5, "-o", path)
    assert (done.stdout, done.stderr) == ("", "7 games recorded, seed 5\n")
    checked = fiveup("check", path)
    assert (checked.exit_code, checked.stdout) == (0, f"{path}: 7 games, no fault\n")
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_games_come_by_blocks_and_rotations_exactly_as_many_as_asked(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    fiveup("record", "greedy", "first", "--games", 3, "--seed", 5, "-o", path)
    games = [record.data for record in read_records(path)]
    assert [(game["block"], game["rotation"]) for game in games] == [(0, 0), (0, 1), (1, 0)]
    assert games[2] == play_game(["greedy", "first"], seed=5, block=1).data


def test_the_same_games_on_stdout_in_a_file_and_packed(tmp_path: Path) -> None:
    words = ["record", "greedy", "first", "--games", 3, "--seed", 5, "-o"]
    fiveup(*words, tmp_path / "g.jsonl")
    fiveup(*words, tmp_path / "g.jsonl.gz")
    text = (tmp_path / "g.jsonl").read_text()
    assert fiveup(*words, "-").stdout == text
    assert gzip.decompress((tmp_path / "g.jsonl.gz").read_bytes()).decode() == text


def test_a_file_is_replaced_only_when_all_games_are_recorded(tmp_path: Path) -> None:
    path, strategy = tmp_path / "g.jsonl", tmp_path / "mine.py"
    path.write_text("before")
    strategy.write_text("def mine(view):\n    return 99 if view.hand > 1 else 0\n")
    refusal = fiveup("record", f"{strategy}:mine", "first", "--games", 4, "--seed", 1, "-o", path)
    assert refusal.exit_code == 2
    assert "returned 99, not the index of a legal placement" in refusal.stderr
    assert path.read_text() == "before"
    assert sorted(each.name for each in tmp_path.iterdir() if each.is_file()) == ["g.jsonl", "mine.py"]


def test_a_changed_figure_is_found_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    fiveup("record", "random", "random", "--games", 4, "--seed", 5, "-o", path)
    lines = path.read_text().splitlines()
    game = json.loads(lines[2])
    game["hands"][1]["counts"][3] += 1
    path.write_text("\n".join([*lines[:2], json.dumps(game), lines[3]]))
    found = fiveup("check", path)
    assert found.exit_code == 1
    assert found.stdout.startswith(f"{path}: line 3: hand 2, event ")
    assert "count = " in found.stdout
    assert found.stdout == f"{path}: {check_file(path)}\n"


def test_a_file_with_no_game_is_not_right(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    path.write_text("\n")
    found = fiveup("check", path)
    assert (found.exit_code, found.stdout) == (1, f"{path}: no game in it\n")


def test_what_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    path.write_text("{}\n")
    assert "line 1: game: format = None" in fiveup("check", path).stdout
    path.write_bytes(b"\xff\n")
    assert fiveup("check", path).exit_code == 1
    assert "g.jsonl" in refused("check", path / "more")
