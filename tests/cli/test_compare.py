"""``compare`` and ``plan``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fiveup_sim import Rules, games_needed, play_match, play_until
from tests.cli.kit import fiveup, refused
from tests.kit import ctrl_c

MINE = """
from fiveup_sim import below

def same(view):
    best, most = 0, -1
    for i in range(view.n_legal):
        value = 16 * view.legal[i].points + view.legal[i].pips
        if value > most:
            best, most = i, value
    return best

def other(view):
    return view.n_legal - 1 - below(view, view.n_legal)

def beyond(view):
    return 99
"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test works in a directory of its own, with a file of strategies."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MINE)


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (["greedy", "random"], "greedy is better"),
        (["random", "greedy", "--measure", "points"], "greedy is better"),
        (["greedy", "mine.py:same"], "no difference larger than the one asked about"),
        (["heavy", "random", "--max-games", 1], "undecided at the limit"),
    ],
)
def test_the_four_verdicts(words: list, verdict: str) -> None:
    done = fiveup("compare", *words, "--seed", 1)
    assert done.exit_code == 0
    said, figure, error, played, plan = done.stdout.splitlines()
    assert said == verdict
    assert f"{words[0]} " in figure and " to " in figure and words[1].removeprefix("mine.py:") in figure
    assert error == "wrong with a chance of at most 5 %, however often one looks"
    assert "games, " in played and played.endswith("seed 1; five_up, 2 seats")
    assert plan.startswith("a fixed plan takes ")
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert not Path("runs").exists()


def test_json_is_the_answer() -> None:
    done = fiveup("compare", "heavy", "first", "--seats", 4, "--seed", 2, "--error", 0.1, "--jobs", 2, "--json")
    values = json.loads(done.stdout)
    assert done.exit_code == 0
    assert (values["verdict"], values["better"], values["words"]) == ("first", "heavy", "heavy is better")
    assert (values["error"], values["difference"], values["rules"]["seats"]) == (0.1, 0.01, 4)
    rules = Rules.preset(seats=4)
    assert values == play_until("heavy", "first", rules=rules, seed=2, error=0.1, progress=False).to_dict()


def test_ends_without_a_bound_are_null() -> None:
    values = json.loads(fiveup("compare", "heavy", "first", "--measure", "points", "--max-games", 20, "--json").stdout)
    assert (values["low"], values["high"], values["verdict"]) == (None, None, "undecided")
    assert (
        "(no bound to no bound)" in fiveup("compare", "heavy", "first", "--measure", "points", "--max-games", 20).stdout
    )


def test_ctrl_c_says_what_is_known() -> None:
    words = ["compare", "random", "mine.py:other", "--difference", 1e-6, "--max-games"]
    fiveup(*words, 2)  # compiled from here on
    with ctrl_c(after=2.0):
        done = fiveup(*words, 1_000_000_000)
    assert done.exit_code == 1
    assert done.stdout.startswith("undecided when interrupted\n")
    assert "\ninterrupted after " in done.stdout
    assert done.stderr.startswith("warning: interrupted: ")


@pytest.mark.parametrize(
    ("words", "asked", "goal"),
    [
        (["--half-width", 0.005], {"half_width": 0.005}, "Games for an interval of ± 0.005, 95 % sure"),
        (
            ["--difference", 0.02, "--power", 0.9],
            {"difference": 0.02, "power": 0.9},
            "Games for a difference of 0.02, found with a chance of 90 %",
        ),
    ],
)
def test_a_plan_from_a_pilot(words: list, asked: dict, goal: str) -> None:
    pilot = play_match(["greedy", "careful"], games=400, seed=1)
    table = games_needed(pilot, **asked).set_index("measure")
    done = fiveup("plan", "greedy", "careful", *words, "--games", 400, "--seed", 1)
    assert done.exit_code == 0
    first, _, wins, points, origin = done.stdout.splitlines()
    assert first == goal
    assert wins.startswith("win rate ") and f"{table.loc['win_rate', 'best']:,} (" in wins
    assert points.startswith("points ahead per hand ")
    assert origin == "from a pilot: greedy - careful, five_up, 2 seats, 400 games, seed 1"
    values = json.loads(fiveup("plan", "greedy", "careful", *words, "--games", 400, "--seed", 1, "--json").stdout)
    assert values["games"]["win_rate"] == table.loc["win_rate", ["sd", "low", "best", "high"]].to_dict()
    assert values["pilot_games"] == 400
    assert {name: values[name] for name in asked} == asked


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compare", "greedy"], "Missing argument"),
        (["compare", "greedy", "greedy"], "greedy against itself: two different strategies are needed"),
        (["compare", "gredy", "random"], "did you mean greedy?"),
        (["compare", "greedy", "random", "--seats", "3"], "two sides only"),
        (["compare", "greedy", "random", "--difference", "0"], "--difference"),
        (["compare", "greedy", "random", "--difference", "0.7"], "difference = 0.7: allowed between 0 and 0.5"),
        (["compare", "greedy", "random", "--error", "1"], "--error"),
        (["compare", "greedy", "random", "--max-games", "0"], "--max-games"),
        (["compare", "greedy", "random", "--max-games", str(1 << 80)], "max_games = "),
        (["compare", "greedy", "random", "--measure", "hands"], "--measure"),
        (["plan", "greedy", "random"], "--half-width or --difference"),
        (["plan", "greedy", "random", "--half-width", "1", "--difference", "1"], "--half-width or --difference"),
        (["plan", "greedy", "random", "--half-width", "0"], "--half-width"),
        (["plan", "greedy", "random", "--half-width", "0.1", "--seats", "3"], "two sides only"),
        (["plan", "greedy", "random", "--half-width", "0.1", "--games", "1"], "a pilot of at least 2 blocks"),
    ],
)
def test_bad_arguments_take_a_line(words: list[str], said: str) -> None:
    line = refused(*words)
    assert said in line
    assert line.startswith(f"fiveup {words[0]}: ")


def test_a_fault_of_a_strategy_says_how_to_see_it() -> None:
    done = fiveup("compare", "greedy", "mine.py:beyond", "--seed", 1)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "play_game(['greedy', 'mine.py:beyond'], seed=1" in done.stderr
