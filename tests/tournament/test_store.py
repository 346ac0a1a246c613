"""Results on disk: they come back as they were, and nothing is lost, half written or executed."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fiveup_sim.analysis.games import games_frame
from fiveup_sim.rules import Rules
from fiveup_sim.strategy import strategy
from fiveup_sim.tournament import Results, StoreError, play_match, play_tournament, store


@strategy
def first(view):
    return 0


@strategy(params={"least": 1.0})
def scoring(view):
    for i in range(view.n_legal):
        if view.legal[i].points >= view.params[0]:
            return i
    return 0


def play(games: int = 200, **options) -> Results:
    return play_match([first, scoring.with_params(least=2)], **{"games": games, "seed": 1} | options)


def assert_equal(a: Results, b: Results) -> None:
    for name in ("rules", "seed", "paired", "stream_version", "strategies", "provenance", "n_games", "is_complete"):
        assert getattr(a, name) == getattr(b, name)
    assert a.rules.name == b.rules.name
    for mine, theirs in zip(a.matches, b.matches, strict=True):
        for name in ("line_up", "blocks", "planned", "seconds"):
            assert getattr(mine, name) == getattr(theirs, name)
        assert mine.tallies.dtype == theirs.tallies.dtype
        np.testing.assert_array_equal(mine.tallies, theirs.tallies)
        np.testing.assert_array_equal(mine.law, theirs.law)
        assert (mine.games is None) == (theirs.games is None)
        if mine.games is not None:
            assert mine.games.dtype == theirs.games.dtype
            np.testing.assert_array_equal(mine.games, theirs.games)


@pytest.mark.parametrize("keep_games", [False, True])
@pytest.mark.parametrize("rules", [Rules.preset(), Rules.preset("fives_and_threes", seats=3, target=31)], ids=str)
def test_what_is_saved_comes_back(tmp_path: Path, rules: Rules, keep_games: bool) -> None:
    results = play_tournament([first, scoring], games=60, seed=2**64 - 1, rules=rules, keep_games=keep_games)
    results.save(tmp_path / "new" / "run")
    back = Results.load(str(tmp_path / "new" / "run"))
    assert_equal(back, results)
    if keep_games:
        assert games_frame(back).equals(games_frame(results))


def test_partial_results_come_back_and_go_on(tmp_path: Path) -> None:
    done = play(100)
    partial = replace(done, matches=(replace(done.matches[0], planned=((0, 100),)),))
    partial.save(tmp_path)
    back = Results.load(tmp_path)
    assert not back.is_complete
    whole = play(200, resume=back)
    whole.save(tmp_path)  # holds all that was there
    assert_equal(Results.load(tmp_path), whole)
    np.testing.assert_array_equal(whole.matches[0].tallies, play(200).matches[0].tallies)


def test_the_directory_holds_one_run(tmp_path: Path) -> None:
    play(100, keep_games=True).save(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "tallies.77.part").write_text("left by a killed process")
    play(300, keep_games=True).save(tmp_path)
    assert sorted(file.name.partition("-")[0] for file in tmp_path.iterdir()) == [
        "games",
        "notes.txt",
        "run.json",
        "tallies",
    ]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"seed": 2}, r"the seeds differ \(2 and 1\)"),
        ({"games": 100}, "blocks 50 to 99 are only in them"),
        ({"first_block": 50}, "blocks 0 to 49 are only in them"),
        ({"keep_games": True}, "one kept its games"),
    ],
)
def test_other_results_are_not_replaced(tmp_path: Path, options: dict, reason: str) -> None:
    old, new = play(), play(**options)
    old.save(tmp_path)
    with pytest.raises(StoreError, match=f"holds other results, which would be lost: {reason}"):
        new.save(tmp_path)
    assert_equal(Results.load(tmp_path), old)
    new.save(tmp_path, overwrite=True)
    assert_equal(Results.load(tmp_path), new)


@pytest.mark.parametrize("overwrite", [False, True])
def test_anything_else_is_left_alone(tmp_path: Path, overwrite: bool) -> None:
    (tmp_path / "thesis.txt").write_text("long")
    for path in (tmp_path, tmp_path / "thesis.txt"):
        with pytest.raises(StoreError, match="is not results: it is left alone"):
            play().save(path, overwrite=overwrite)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


def test_nothing_there(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(StoreError, match=r"^no results in .*: there is no run\.json$"):
            Results.load(path)


def head_of(path: Path) -> dict:
    return json.loads((path / "run.json").read_text())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": store.FORMAT + 1}, r"written by a newer version of fiveup_sim \(format 2, this one reads 1\)"),
        ({"rules": {"preset": "five_up"}}, "damaged: .*rules: missing seats"),
        ({"matches": None}, "damaged"),
        ({"matches": []}, "damaged"),
        ({"tallies": {"name": "tallies-0.npz", "sha256": ""}}, r"damaged: tallies-0\.npz is missing"),
        ({"tallies": {"name": "../run/run.json", "sha256": ""}}, "damaged: .* is missing"),
    ],
)
def test_damaged_heads(tmp_path: Path, change: dict, message: str) -> None:
    path = tmp_path / "run"
    play().save(path)
    (path / "run.json").write_text(json.dumps(head_of(path) | change))
    with pytest.raises(StoreError, match=message):
        Results.load(path)


def test_damaged_files(tmp_path: Path) -> None:
    results = play(keep_games=True)
    for pattern in ("tallies-*", "games-*"):
        results.save(tmp_path, overwrite=True)
        (file,) = tmp_path.glob(pattern)
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
        with pytest.raises(StoreError, match=rf"damaged: {file.name} has changed since it was written"):
            Results.load(tmp_path)
        file.write_bytes(content[:10])
        with pytest.raises(StoreError, match="has changed"):
            Results.load(tmp_path)
    (tmp_path / "run.json").write_text('{"format": 1,')
    with pytest.raises(StoreError, match=r"run\.json is damaged"):
        Results.load(tmp_path)


def test_counts_that_do_not_fit(tmp_path: Path) -> None:
    play().save(tmp_path)
    head = head_of(tmp_path)
    head["matches"][0]["blocks"] = [[0, 99]]
    (tmp_path / "run.json").write_text(json.dumps(head))
    with pytest.raises(StoreError, match=r"the tallies of .* are not those"):
        Results.load(tmp_path)


@pytest.mark.parametrize("step", range(6))
def test_a_killed_save_leaves_the_old_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    """Every step that changes the directory is made to fail in turn."""
    old, new = play(100, keep_games=True), play(200, keep_games=True)
    old.save(tmp_path)
    left = [step]

    def failing(function):
        def call(*arguments):
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            return function(*arguments)

        return call

    monkeypatch.setattr(os, "replace", failing(os.replace))
    monkeypatch.setattr(os, "fsync", failing(os.fsync))
    with pytest.raises(KeyboardInterrupt):
        new.save(tmp_path)
    monkeypatch.undo()
    assert_equal(Results.load(tmp_path), old)
    new.save(tmp_path)
    assert_equal(Results.load(tmp_path), new)
    assert len(list(tmp_path.iterdir())) == 3


def test_nothing_is_executed(tmp_path: Path) -> None:
    play(keep_games=True).save(tmp_path)
    with np.load(next(tmp_path.glob("tallies-*")), allow_pickle=False) as arrays:
        assert sorted(arrays) == ["0.law_counts", "0.law_steps", "0.tallies"]
