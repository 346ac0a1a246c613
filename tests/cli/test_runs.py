"""``tournament``, ``match`` and ``summary``."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import numpy as np
import pytest
from joblib import parallel_config

from fiveup_sim import Results, play_match
from fiveup_sim.analysis.summary import summary
from fiveup_sim.experiments.study_file import read_study
from tests.cli.kit import fiveup, process, refused

MATCH = ["match", "greedy", "random", "--seed", 3]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test works in a directory of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def counts(path: str) -> bytes:
    return b"".join(match.tallies.tobytes() + match.law.tobytes() for match in Results.load(path).matches)


def test_a_tournament_says_who_is_better_how_surely_and_saves_it() -> None:
    done = fiveup("tournament", "--games", 2000, "--seed", 7, "--jobs", 2)
    assert done.exit_code == 0
    ranking, pairs, measures, origin = done.stdout.split("\n\n")[1:]
    assert [line.split()[1] for line in ranking.splitlines()[2:6]] == ["greedy", "heavy", "random", "first"]
    assert ranking.splitlines()[2].count(" to ") == 2
    assert len(pairs.splitlines()) == 2 + 6
    assert "points awarded per placement" in measures
    assert "went into extension" in measures
    (path,) = Path("runs").iterdir()
    assert "12,000 games in" in origin
    assert "hands/s" in origin
    assert f"seed 7; saved in {path}" in origin
    assert Results.load(path).n_games == 12_000
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_neighbours_that_are_not_separated_are_said() -> None:
    text = fiveup("match", "careful", "careful(pips=0.021)", "--games", 40, "--seed", 1).stdout
    assert "are not separated (p = " in text
    assert "open: the games do not say who wins more" in text


def test_json_is_the_summary_and_where_it_comes_from() -> None:
    done = fiveup(*MATCH, "--games", 2001, "--json", "--out", "run", "--level", 0.9)
    assert done.stderr == "greedy - random: 2,001 games rounded up to 2,002, whole blocks of 2\n"
    values = json.loads(done.stdout)
    assert values | json.loads(json.dumps(summary(Results.load("run"), 0.9))) == values
    assert (values["seed"], values["level"], values["run"]) == (3, 0.9, "run")
    assert values["blocks"] == {"greedy - random": [[0, 1001]]}
    assert values["games_per_second"] > 0
    assert values["hands_per_second"] > values["games_per_second"]
    assert json.loads(fiveup("summary", "run", "--json", "--level", 0.9).stdout) == values


def test_the_summary_shows_all_measures() -> None:
    fiveup(*MATCH, "--games", 200, "--out", "run")
    text = fiveup("summary", "run").stdout
    assert "hands dominoed by their leader" in text
    assert "saved in run" in text
    assert max(map(len, text.splitlines())) <= 80


def test_workers_back_ends_and_halves_give_the_same_integers() -> None:
    fiveup(*MATCH, "--games", 4000, "--out", "one", "--jobs", 1)
    fiveup(*MATCH, "--games", 4000, "--out", "two", "--jobs", 2)
    with parallel_config(backend="loky"):
        fiveup(*MATCH, "--games", 4000, "--out", "loky", "--jobs", 2)
    fiveup(*MATCH, "--games", 2000, "--out", "lower")
    fiveup(*MATCH, "--games", 2000, "--first-block", 1000, "--out", "upper")
    (Results.load("lower") + Results.load("upper")).save("halves")
    assert counts("one") == counts("two") == counts("loky") == counts("halves")


def test_two_names_at_four_seats_are_sides() -> None:
    fiveup("match", "greedy", "first", "--seats", 4, "--games", 8, "--seed", 1, "--target", 21, "--out", "run")
    assert Results.load("run").matches[0].line_up.seat_names(0) == ("greedy", "first", "greedy", "first")
    assert Results.load("run").rules.target == 21


def test_three_seats() -> None:
    done = fiveup("tournament", "greedy", "first", "--seats", 3, "--games", 12, "--seed", 1)
    assert "% won, less theirs" in done.stdout


def test_self_play() -> None:
    done = fiveup("match", "first", "first", "--games", 200, "--seed", 1)
    assert "50 %" in done.stdout and "(50" not in done.stdout
    assert "first plays all sides: its win rate is known by symmetry" in done.stdout
    assert "sides played" in done.stdout and "400" in done.stdout


def test_a_strategy_of_ones_own() -> None:
    Path("mine.py").write_text("def mine(view):\n    return view.n_legal - 1\n")
    assert "mine" in fiveup("match", "mine.py:mine", "first", "--games", 20, "--seed", 1).stdout


def test_runs_of_the_same_minute_have_names_of_their_own() -> None:
    for _ in range(3):
        fiveup(*MATCH, "--games", 2)
    assert len(list(Path("runs").iterdir())) == 3


def test_a_run_that_exists_is_kept() -> None:
    fiveup(*MATCH, "--games", 20, "--out", "run")
    before = counts("run")
    assert "holds other results" in refused("match", "greedy", "random", "--seed", 4, "--games", 20, "--out", "run")
    assert counts("run") == before


def test_a_directory_that_cannot_be_written_is_said_before_anything_is_played() -> None:
    Path("file").write_text("")
    assert "file" in refused(*MATCH, "--out", "file")
    assert "file/run: Not a directory" in refused(*MATCH, "--out", "file/run")


def test_resume_plays_what_is_missing() -> None:
    fiveup(*MATCH, "--games", 2000, "--out", "run")
    fiveup("match", "greedy", "random", "--games", 4000, "--out", "run", "--resume")
    whole = play_match(["greedy", "random"], games=4000, seed=3)
    assert np.array_equal(Results.load("run").matches[0].tallies, whole.matches[0].tallies)


def test_a_fault_of_a_strategy_says_where_and_what_is_kept() -> None:
    Path("mine.py").write_text("def mine(view):\n    return 99 if view.scores[0] > 70 else 0\n")
    done = fiveup("match", "mine.py:mine", "first", "--games", 2000, "--seed", 1, "--out", "run")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "games were played until then: run" in done.stderr
    assert "returned 99" in done.stderr
    assert "play_game(['mine.py:mine', 'first'], seed=1" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [[], ["--out", "deep/down/run"]], ids=["runs", "out"])
def test_a_fault_at_once_leaves_nothing(words: list[str]) -> None:
    Path("mine.py").write_text("def mine(view):\n    return 99\n")
    assert "returned 99" in refused_at_last("match", "mine.py:mine", "first", "--games", 2000, "--seed", 1, *words)
    assert [path.name for path in Path().iterdir()] == ["mine.py"]


def refused_at_last(*words: object) -> str:
    done = fiveup(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    return done.stderr


def test_nothing_is_saved_if_so_wished() -> None:
    done = fiveup(*MATCH, "--games", 20, "--no-save")
    assert done.exit_code == 0 and "seed 3; not saved" in done.stdout
    assert not list(Path().iterdir())
    assert "--no-save and --out: one of them" in refused(*MATCH, "--no-save", "--out", "run")


def test_ctrl_c_keeps_what_was_played_and_says_how_to_go_on() -> None:
    start = time.monotonic()
    process("match", "greedy", "first", "--games", "2").communicate(timeout=120)  # compiled from here on
    process("match", "greedy", "first", "--games", "2").communicate(timeout=120)
    took = time.monotonic() - start
    running = process("match", "greedy", "first", "--games", "20000000", "--seed", "5", "--out", "run")
    deadline = time.monotonic() + 60
    while not Path("run").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(3 + took)  # now it plays
    running.send_signal(signal.SIGINT)
    stdout, stderr = running.communicate(timeout=60)
    assert running.returncode == 1, stderr
    assert " of 20,000,000 games in " in stdout
    assert "warning: interrupted: " in stderr
    assert "to go on: the same command with --out run --resume\n" in stderr
    assert not Results.load("run").is_complete


def test_a_tournament_can_leave_a_study() -> None:
    done = fiveup("tournament", "greedy", "random", "--games", 40, "--seed", 3, "--save-study", "reports/mine")
    assert f"the study is in {Path('reports/mine/study.toml')}" in done.stderr
    study = read_study("reports/mine")
    assert (study.strategies, study.games, study.seed) == (("greedy", "random"), 40, 3)
    assert fiveup("study", "reports/mine").exit_code == 0
    assert Path("reports/mine/index.html").exists()
    other = fiveup("tournament", "greedy", "first", "--games", 40, "--seed", 3, "--save-study", "reports/mine")
    assert other.exit_code == 2
