"""Results on disk: they come back as they were, and nothing is lost, half written or executed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fiveup_sim.analysis.games import games_frame
from fiveup_sim.rules import Rules
from fiveup_sim.strategy import strategy
from fiveup_sim.tournament import Results, StoreError, play_match, play_tournament, store
from tests.cli.kit import refused


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


def edit(path: Path, change: Callable[[dict], None]) -> None:
    """Change run.json as somebody would who also mends its checksum."""
    head = head_of(path)
    del head["checksum"]
    change(head)
    (path / "run.json").write_text(json.dumps(head | {"checksum": store._checksum(head)}))


def at(*keys: str | int, value: object) -> Callable[[dict], None]:
    """A change of one value in run.json."""

    def change(head: dict) -> None:
        for key in keys[:-1]:
            head = head[key]
        head[keys[-1]] = value

    return change


EDITS = {
    "newer": (at("format", value=store.FORMAT + 1), r"written by a newer version of fiveup_sim \(format 3"),
    "older": (at("format", value=1), r"written by an older version of fiveup_sim \(format 1, this one reads 2\)"),
    "no format": (at("format", value="2"), "damaged: it names no format"),
    "rules": (at("rules", value={"preset": "five_up"}), "damaged: rules: missing seats"),
    "a rule": (at("rules", "target", value=0), "damaged: target = 0: allowed 1 to 100000"),
    "seed": (at("seed", value=-1), "damaged: seed = -1: allowed"),
    "seed is no number": (at("seed", value=True), "damaged: seed = True: allowed"),
    "paired": (at("paired", value="yes"), "damaged: paired = 'yes'"),
    "no matches": (at("matches", value=[]), r"damaged: matches = \[\]"),
    "matches are none": (at("matches", value=None), "damaged: matches = None"),
    "no strategies": (at("strategies", value=[]), r"damaged: strategies = \[\]"),
    "digest": (at("strategies", 0, "digest", value="0"), "damaged: digest = '0': allowed 64 hex digits"),
    "parameter": (at("strategies", 1, "params", "least", value=float("nan")), "damaged: params = .*nan"),
    "parameter in the label": (at("strategies", 1, "params", "least", value=3.0), "damaged: label = 'scoring"),
    "heeds": (at("strategies", 0, "heeds", value=["luck"]), "damaged: heeds = .*allowed null or a list of hand"),
    "label": (at("strategies", 0, "label", value="other"), "damaged: label = 'other': allowed 'first'"),
    "name": (at("strategies", 0, "name", value="other"), "damaged: label = 'first': allowed 'other'"),
    "names": (at("matches", 0, "names", value=["first", "other"]), "damaged: names = .*allowed known labels"),
    "one name": (at("matches", 0, "names", value=["first"]), "damaged: seatings = "),
    "seatings": (at("matches", 0, "seatings", value=[[0, 5], [1, 0]]), "damaged: seatings = "),
    "half the seatings": (at("matches", 0, "seatings", value=[[0, 1]]), "damaged: seatings = .*allowed all seat"),
    "seconds": (at("matches", 0, "seconds", value="x"), "damaged: seconds = 'x'"),
    "negative seconds": (at("matches", 0, "seconds", value=-1), "damaged: seconds = -1"),
    "fewer blocks": (at("matches", 0, "blocks", value=[[0, 99]]), "damaged: the tallies .* are not of the blocks"),
    "other blocks": (at("matches", 0, "blocks", value=[[100, 200]]), "damaged: blocks = .100 to 199.: allowed"),
    "overlapping": (at("matches", 0, "blocks", value=[[0, 60], [50, 100]]), "damaged: blocks = .*none in two"),
    "provenance": (at("provenance", value=[]), r"damaged: provenance = \[\]: allowed a table"),
    "provenance is text": (at("provenance", value="x"), "damaged: provenance = 'x'"),
    "a run": (at("provenance", "runs", 0, "wall_seconds", value="x"), "damaged: wall_seconds = 'x'"),
    "workers": (at("provenance", "runs", 0, "n_workers", value=0), "damaged: n_workers = 0"),
    "no file": (at("files", "tallies", "name", value="tallies-0.npz"), r"damaged: tallies-0\.npz is missing"),
    "outside": (at("files", "tallies", "name", value="../run/run.json"), "damaged: .* is missing"),
    "files": (at("files", value=7), "damaged: files = 7"),
    "games": (at("files", "games", value=[{"name": "run.json", "sha256": ""}]), "damaged: games = .*else null"),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edited_head_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "run"
    play().save(path)
    change, message = EDITS[name]
    edit(path, change)
    with pytest.raises(StoreError, match=message) as error:
        Results.load(path)
    assert "\n" not in str(error.value)
    for command in ("summary", "report"):
        assert "run" in refused(command, path)


@pytest.mark.parametrize("change", [at("seed", value=2), at("strategies", 0, "digest", value="0" * 64)])
def test_whoever_does_not_mend_the_checksum_is_found_out(tmp_path: Path, change: Callable[[dict], None]) -> None:
    play().save(tmp_path)
    head = head_of(tmp_path)
    change(head)
    (tmp_path / "run.json").write_text(json.dumps(head))
    with pytest.raises(StoreError, match=r"run\.json has changed since it was written"):
        Results.load(tmp_path)


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
