"""Studies: one file, errors that name the line, and a report that can be made again."""

from __future__ import annotations

import json
import re

import pytest

from fiveup_sim.experiments.study import Study, play_games
from fiveup_sim.experiments.study_file import StudyError, format_study, read_study, save_study
from fiveup_sim.report.study import play_study
from fiveup_sim.rules import Rules

_GOOD = """# a comment
question = "Who?"
strategies = ["greedy", "random"]
games = 20
seed = 5

[rules]
preset = "five_up"
target = 31
"""


def _write(tmp_path, text=_GOOD, name="who"):
    folder = tmp_path / name
    folder.mkdir(exist_ok=True)
    (folder / "study.toml").write_text(text)
    return folder


def test_a_study_is_read(tmp_path):
    study = read_study(_write(tmp_path))
    assert study == Study("Who?", Rules.preset(target=31), 20, 5, strategies=("greedy", "random"))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("games = 20", "gmaes = 20", "line 4: gmaes: no such key (did you mean games?)"),
        ("games = 20", "games = 0", "line 4: games = 0: allowed a whole number from 1"),
        ("games = 20", 'games = "many"', 'line 4: games = "many": allowed'),
        ("games = 20", "games = 20.5", "line 4: games = 20.5: allowed"),
        ("games = 20", "games = true", "line 4: games = true: allowed"),
        ("seed = 5", "seed = -1", "line 5: seed = -1"),
        ("seed = 5", "seed = 2026-01-01", "line 5: seed = datetime"),
        ("seed = 5", "seed = ", "(at line 5, column 8)"),
        ("seed = 5", "", "missing seed"),
        ("seed = 5", "seed = 5\nlevel = 95.0", "line 6: level = 95.0: allowed a number between 0 and 1"),
        ("seed = 5", "seed = 5\nsections = ['leads']", "line 6: sections = [\"leads\"]: 'leads' is none (did you mean"),
        ("target = 31", "tarket = 31", "line 9: tarket: no such rule (did you mean target?)"),
        ("target = 31", "target = 0", "line 9: target = 0: allowed 1 to 100000"),
        ("target = 31", "tiles_each = 14\nboneyard_reserve = 2", "line 10: boneyard_reserve = 2: allowed"),
        ("target = 31", "seats = 3", "line 9: seats: no such rule"),
        ('preset = "five_up"', 'preset = "five_up1"', "line 8: rules 'five_up1': no such rule set"),
        ('preset = "five_up"', "preset = 5", "line 8: "),
        ('"greedy", "random"', '"gredy", "random"', "line 3: "),
        ('"greedy", "random"', '"random", "random"', "line 3: strategy 'random' comes twice"),
        ('"greedy", "random"', '"random", 3', 'line 3: strategies = ["random", 3]: allowed a list of names'),
        ("strategies", "# strategies", "either strategies (a tournament) or line_ups"),
        ('strategies = ["greedy", "random"]', 'line_ups = [["greedy"]]', "line 3: strategies"),
        ('strategies = ["greedy", "random"]', 'line_ups = [["greedy", "random"], ["greedy", "random"]]', "comes twice"),
        ("[rules]\npreset", "rules.preset", "line 8: target: no such key"),
    ],
)
def test_mistakes_are_named_with_their_line(old, new, says, tmp_path):
    assert old in _GOOD
    with pytest.raises(StudyError, match=re.escape(says)) as error:
        read_study(_write(tmp_path, _GOOD.replace(old, new)))
    assert "\n" not in str(error.value) and str(error.value).startswith(str(tmp_path))


def test_dotted_keys_and_tables_in_a_line_are_found(tmp_path):
    head = _GOOD.partition("\n[rules]")[0]
    with pytest.raises(StudyError, match="line 6: target = 0"):
        read_study(_write(tmp_path, head + "rules.target = 0\n"))
    with pytest.raises(StudyError, match="line 6: target = 0"):
        read_study(_write(tmp_path, head + "rules = { target = 0 }\n"))


@pytest.mark.parametrize(
    "study",
    [
        Study("Who?", Rules.preset(), 10, 1, strategies=("greedy", "random")),
        Study(
            'A "quoted" one: é\\',
            Rules.preset("all_fives", seats=3, scoring_multiples=(3, 5), arms_after_line=True),
            7,
            2**64 - 1,
            line_ups=(("greedy", "greedy", "greedy"), ("greedy", "random", "first")),
            level=0.9,
            sections=("lead", "ranking"),
        ),
    ],
)
def test_what_is_written_is_read_again(study, tmp_path):
    path = save_study(study, tmp_path / "new")
    assert read_study(path.parent) == study
    assert save_study(study, path.parent) == path
    with pytest.raises(ValueError, match="is another study"):
        save_study(Study("Else?", study.rules, 1, 1, strategies=("greedy", "random")), path.parent)
    assert path.read_text() == format_study(study)


def test_a_study_is_played_once_and_made_again(tmp_path):
    folder = _write(tmp_path, _GOOD.replace("seed = 5", 'seed = 5\nsections = ["ranking"]'))
    page = play_study(folder, runs=tmp_path / "runs")
    first = page.read_bytes()
    assert b"Who?" in first and b"fiveup study" in first
    stored = {path: path.read_bytes() for path in (tmp_path / "runs" / "who").rglob("run.json")}
    assert len(stored) == 1
    assert play_study(folder, runs=tmp_path / "runs").read_bytes() == first
    assert all(path.read_bytes() == content for path, content in stored.items())


def test_flags_go_before_the_file_and_are_said(tmp_path):
    folder = _write(tmp_path, _GOOD.replace("seed = 5", 'seed = 5\nsections = ["ranking"]'))
    page = play_study(folder, games=40, seed=6, level=0.9, runs=tmp_path / "runs")
    summary = json.loads((folder / "summary.json").read_text())
    assert (summary["games"], summary["seed"], summary["level"]) == (40, 6, 0.9)
    assert "--games 40 --seed 6 --level 0.9" in page.read_text()


def test_more_games_are_added_to_those_that_are_there(tmp_path):
    study = Study("Who?", Rules.preset(), 20, 5, strategies=("greedy", "random"))
    few = play_games(study, tmp_path)
    more = play_games(Study("Who?", Rules.preset(), 40, 5, strategies=("greedy", "random")), tmp_path)
    assert (few.n_games, more.n_games, len(more.provenance["runs"])) == (20, 40, 2)


def test_line_ups_are_played_as_matches_and_put_together(tmp_path):
    study = Study("?", Rules.preset(), 10, 5, line_ups=(("greedy", "greedy"), ("greedy", "random")))
    results = play_games(study, tmp_path)
    assert [match.line_up.label for match in results.matches] == ["greedy - greedy", "greedy - random"]
    assert results.labels == ("greedy", "random") and results.n_games == 20
