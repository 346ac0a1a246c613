"""The commands ``fiveup report`` and ``fiveup study``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fiveup_sim.cli import main
from fiveup_sim.tournament import play_match


@pytest.fixture
def fiveup(tmp_path, monkeypatch):
    """Runs a command in an empty directory."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, words)


def _save(path, **options):
    play_match(["greedy", "random"], progress=False, **options).save(path)


def test_a_run_gets_a_report_under_its_name(fiveup):
    _save("runs/a", games=20, seed=1)
    done = fiveup("report", "runs/a", "--level", "0.9")
    assert (done.exit_code, done.output) == (0, "report of 20 games: reports/a/index.html\n")
    page = Path("reports/a/index.html").read_text()
    assert "fiveup match greedy random --seats 2 --games 20 --seed 1 --out runs/a" in page
    assert "fiveup report runs/a -o reports/a --level 0.9" in page


def test_runs_of_the_same_thing_are_added(fiveup):
    _save("runs/a", games=20, seed=1)
    _save("runs/b", games=30, seed=1, first_block=10)
    assert fiveup("report", "runs/a", "runs/b", "-o", "both").exit_code == 0
    assert json.loads(Path("both/summary.json").read_text())["games"] == 50


def test_runs_of_different_things_are_refused(fiveup):
    _save("runs/a", games=20, seed=1)
    _save("runs/b", games=20, seed=2)
    done = fiveup("report", "runs/a", "runs/b")
    assert done.exit_code == 2 and "the seeds differ (1 and 2)" in done.output
    assert not Path("reports").exists()


def test_a_missing_run_is_named(fiveup):
    done = fiveup("report", "runs/none")
    assert done.exit_code == 2 and "no results in runs/none" in done.output


def test_a_study_is_played_and_a_faulty_one_named(fiveup):
    file = Path("reports/who/study.toml")
    file.parent.mkdir(parents=True)
    file.write_text('question = "Who?"\nstrategies = ["greedy", "random"]\ngames = 10\nseed = 1\n')
    done = fiveup("study", "reports/who", "--games", "20", "--jobs", "1")
    assert (done.exit_code, done.output) == (0, "report: reports/who/index.html\n")
    assert "fiveup study reports/who --games 20" in Path("reports/who/index.html").read_text()
    file.write_text(file.read_text().replace("games", "gmaes"))
    done = fiveup("study", "reports/who")
    assert done.exit_code == 2 and "study.toml, line 3: gmaes: no such key (did you mean games?)" in done.output
    assert fiveup("study", "reports/nobody").exit_code == 2
