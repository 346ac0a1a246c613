"""The command itself: what it loads, what it says when something is wrong."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from fiveup_sim.cli import main
from fiveup_sim.cli.errors import plain_errors
from fiveup_sim.rules import Rules
from tests.cli.kit import fiveup, process, refused

HEAVY = {"numba", "pandas", "joblib", "rich", "matplotlib", "scipy", "pyarrow"}


def loaded_by(*words: str) -> set[str]:
    code = (
        "import sys; from fiveup_sim.cli import main\n"
        f"try: main({list(words)!r})\nexcept SystemExit: print('LOADED', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("LOADED")[2].split())


def test_help_loads_no_command_and_nothing_heavy() -> None:
    loaded = loaded_by("--help")
    assert not HEAVY & {name.partition(".")[0] for name in loaded}
    assert "fiveup_sim.cli.runs" not in loaded


@pytest.mark.parametrize("command", ["tournament", "match", "summary", "show", "record", "check"])
def test_the_help_of_a_command_loads_nothing_heavy(command: str) -> None:
    assert not HEAVY & {name.partition(".")[0] for name in loaded_by(command, "--help")}


def test_every_command_is_there_and_has_a_help() -> None:
    commands = main.list_commands(click.Context(main))
    assert {"tournament", "match", "summary", "show", "record", "check", "strategies", "rules"} <= set(commands)
    listed = fiveup("--help").stdout
    for name in commands:
        assert f"\n  {name} " in listed
        text = fiveup(name, "--help").stdout
        assert max(map(len, text.splitlines())) <= 80


def test_version() -> None:
    assert fiveup("--version").stdout.startswith("fiveup, version ")


def test_no_arguments_show_the_help() -> None:
    assert "Commands:" in fiveup().output


def test_the_nearest_name_is_suggested() -> None:
    assert "fiveup: no command 'tornament' (did you mean tournament?)" in refused("tornament")
    assert "did you mean greedy?" in refused("match", "gredy", "random")
    assert "did you mean all_fives?" in refused("rules", "all_five")
    assert "did you mean target?" in refused("match", "first", "heavy", "--set", "taget=3")
    assert "--games" in refused("match", "first", "heavy", "--gmes", "3")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["match", "first"], "strategies first for five_up, 2 seats: 1 given, allowed 2"),
        (["match"], "Missing argument"),
        (["match", "first", "heavy", "--games", "-3"], "--games"),
        (["match", "first", "heavy", "--games", "many"], "'many' is not a valid integer"),
        (["match", "first", "heavy", "--seats", "5"], "--seats"),
        (["match", "first", "heavy", "--seats", "3"], "allowed 3"),
        (["match", "first", "heavy", "--seed", str(2**64)], "--seed"),
        (["match", "first", "heavy", "--jobs", "0"], "--jobs"),
        (["match", "first", "heavy", "--level", "1"], "--level"),
        (["match", "first", "heavy", "--target", "0"], "target = 0: allowed 1 to 100000"),
        (["match", "first", "heavy", "--set", "target"], "write FIELD=VALUE"),
        (["match", "first", "heavy", "--set", "draw=two"], "draw = two: allowed until_playable, one, none"),
        (["match", "first", "heavy", "--target", "31", "--set", "target=32"], "target is given twice"),
        (["match", "first", "heavy", "--rules", "nothing.toml"], "nothing.toml: No such file"),
        (["match", "first", "heavy", "--resume"], "name it with --out"),
        (["match", "first", "heavy", "--resume", "--out", "nowhere"], "no results in nowhere"),
        (["tournament", "first"], "at least 2"),
        (["tournament", "first", "first"], "comes twice"),
        (["summary", "nowhere"], "no results in nowhere"),
        (["check", "nowhere.jsonl"], "nowhere.jsonl: No such file"),
        (["record", "first", "heavy", "-o", "a.jsonl"], "Missing option '--games'"),
        (["record", "first", "heavy", "--games", "1", "-o", "nowhere/a.jsonl"], "nowhere/a.jsonl: No such file"),
        (["show", "first", "heavy", "--rotation", "2"], "rotation = 2"),
        (["rules", "--toml"], "name it"),
    ],
)  # fmt: skip
def test_bad_arguments_take_a_line(words: list[str], said: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    line = refused(*words)
    assert said in line
    assert line.startswith(f"fiveup {words[0]}: ")
    assert not list(tmp_path.glob("runs/*"))


def test_mistakes_are_told_from_bugs() -> None:
    def raise_from_library() -> None:
        int("x")

    with pytest.raises(click.ClickException, match="target = 0"), plain_errors():
        Rules.preset(target=0)
    with pytest.raises(ValueError, match="invalid literal"), plain_errors():
        raise_from_library()
    with pytest.raises(KeyError), plain_errors():
        raise KeyError("bug")


def test_warnings_take_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def warns() -> None:
        warnings.warn("mind the gap", stacklevel=1)

    monkeypatch.setattr(main, "get_command", lambda ctx, name: warns)
    assert CliRunner().invoke(main, ["rules"]).stderr == "warning: mind the gap\n"


def test_a_reader_that_stops_is_no_fault() -> None:
    running = process("rules", "draw")
    running.stdout.close()
    running.stdout = None
    _, stderr = running.communicate(timeout=60)
    assert "Traceback" not in stderr


def test_letters_that_the_terminal_has_not(tmp_path: Path) -> None:
    running = process("rules", "fünf", PYTHONIOENCODING="ascii")
    _, stderr = running.communicate(timeout=60)
    assert running.returncode == 2
    assert stderr.startswith(r"fiveup rules: rules 'f\xfcnf': no such rule set")
