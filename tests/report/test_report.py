"""Reports: complete, the same every time, and never a crash, whatever was played."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import tests.analysis.kit as kit
from fiveup_sim.experiments.study import SECTIONS
from fiveup_sim.report.answer import answer, top_group
from fiveup_sim.report.glossary import MEASURES
from fiveup_sim.report.reproduce import python_lines, shell_lines
from fiveup_sim.report.write import write_report
from fiveup_sim.rules import Rules
from fiveup_sim.tournament import play_match
from fiveup_sim.words import join_words, write_estimate, write_p, write_share, write_value


def _empty():
    return kit.made_results([kit.made_match(["a", "b"], Rules.preset())], Rules.preset())


def _interrupted():
    whole = kit.match(kit.greedy, kit.plain, games=40)
    return replace(whole, matches=(replace(whole.matches[0], planned=((0, 100),)),))


ODD = {
    "empty": (_empty, "Nothing has been played"),
    "one block": (lambda: kit.match(kit.greedy, kit.plain, games=2), "1 block only"),
    "self-play": (lambda: kit.match(kit.greedy, kit.greedy, games=100), "Only greedy played"),
    "unfinished": (
        lambda: kit.match(kit.greedy, kit.plain, games=50, rules=Rules.preset(max_hands=1)),
        "No game was finished",
    ),
    "interrupted": (_interrupted, "40 of 200 games"),
    "3 seats": (lambda: kit.match(kit.greedy, kit.plain, kit.last, games=60, seats=3), "there are not two sides"),
    "4 seats": (lambda: kit.match(kit.greedy, kit.plain, games=40, seats=4), "partnerships"),
    "partners differ": (
        lambda: kit.match(kit.greedy, kit.plain, kit.last, kit.anything, games=40, seats=4),
        "greedy - plain - last - anything",
    ),
    "fresh deals": (lambda: kit.match(kit.greedy, kit.plain, games=40, paired=False), "paired = False"),
    "block game": (lambda: kit.match(kit.greedy, kit.plain, games=40, rules=Rules.preset("block")), "block, 2 seats"),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The report of a small tournament."""
    results = kit.tournament(kit.greedy, kit.plain, kit.last, games=200)
    directory = tmp_path_factory.mktemp("report")
    write_report(results, directory, question="Who is best & why?")
    return results, directory


@pytest.mark.parametrize("name", ODD)
def test_a_report_of_anything_says_what_it_is(name, tmp_path):
    make, says = ODD[name]
    page = write_report(make(), tmp_path)
    assert says in page.read_text(encoding="utf-8")
    json.loads((tmp_path / "summary.json").read_text(), parse_constant=pytest.fail)


def test_all_files_are_there_and_hold_the_same(written):
    results, directory = written
    page, text = ((directory / name).read_text(encoding="utf-8") for name in ("index.html", "report.md"))
    page = page.replace("\u00a0", " ")
    for name in (*SECTIONS, "method", "definitions"):
        assert f'<section id="{name}">' in page
    charts = sorted(path.stem for path in (directory / "figures").glob("*.svg"))
    assert charts == sorted(path.stem for path in (directory / "figures").glob("*.png"))
    assert all(f"(figures/{name}.svg)" in text for name in charts)
    assert all(f"(tables/{path.name})" in text for path in (directory / "tables").iterdir())
    summary = json.loads((directory / "summary.json").read_text())
    assert summary["games"] == results.n_games == 600
    assert summary["answer"] in page and summary["answer"] in text
    with (directory / "tables" / "ranking.csv").open(newline="") as file:
        assert [row["strategy"] for row in csv.DictReader(file)] == [row["strategy"] for row in summary["ranking"]]


def test_the_win_rate_stands_once_with_one_interval(written):
    _, directory = written
    assert not (directory / "tables" / "win_rates.csv").exists()
    text = (directory / "report.md").read_text(encoding="utf-8")
    shares = [line for line in text.splitlines() if line.startswith("|") and "| greedy |" in line and " % (" in line]
    summary = json.loads((directory / "summary.json").read_text())
    best = summary["ranking"][0]
    shown = write_estimate(best["low"], best["best"], best["high"], "share")
    assert len([line for line in shares if shown in line]) == 1
    assert all("win_rate" not in figures for figures in summary["strategies"].values())


def test_the_page_needs_nothing_else(written):
    page = (written[1] / "index.html").read_text(encoding="utf-8")

    found = []

    class Addresses(HTMLParser):
        def handle_starttag(self, tag, attrs):
            found.extend(value for name, value in attrs if name in ("src", "href", "data", "poster"))

    Addresses().feed(page)
    assert found and all(address.startswith(("data:", "#")) for address in found)
    assert "@import" not in page and "url(http" not in page
    assert "Who is best &amp; why?" in page


def test_figures_are_well_formed_and_labelled(written):
    for path in (written[1] / "figures").glob("*.svg"):
        words = " ".join(ElementTree.fromstring(path.read_bytes()).itertext())
        assert re.search("[a-z]{4}", words), path.name


def test_the_same_results_give_the_same_bytes(written, tmp_path):
    results, directory = written
    write_report(results, tmp_path, question="Who is best & why?")
    for path in (path for path in directory.rglob("*") if path.is_file()):
        assert path.read_bytes() == (tmp_path / path.relative_to(directory)).read_bytes(), path.name


def test_an_earlier_report_is_replaced_and_other_files_stay(tmp_path):
    results = kit.match(kit.greedy, kit.plain, games=20)
    (tmp_path / "study.toml").write_text("")
    write_report(results, tmp_path, sections=["ranking", "lead"])
    write_report(results, tmp_path, sections=["ranking"])
    assert (tmp_path / "study.toml").exists()
    assert {path.stem for path in (tmp_path / "figures").iterdir()} == {"ranking", "ratings"}


@pytest.mark.parametrize(
    ("options", "says"),
    [({"level": 95}, "level = 95: a number between 0 and 1"), ({"sections": ["rankings"]}, "sections = 'rankings'")],
)
def test_wrong_options_are_named(options, says, tmp_path):
    with pytest.raises(ValueError, match=says):
        write_report(_empty(), tmp_path / "new", **options)
    assert not (tmp_path / "new").exists()


def test_matplotlib_is_left_as_it_was(tmp_path):
    import matplotlib

    before = dict(matplotlib.rcParams)
    write_report(kit.match(kit.greedy, kit.plain, games=20), tmp_path, sections=["ranking"])
    assert dict(matplotlib.rcParams) == before


def test_the_answer_names_only_what_is_separated():
    clear = answer(kit.match(kit.greedy, kit.anything, games=1000))
    assert clear.headline.startswith("greedy is the best")
    alike = answer(kit.match(kit.greedy, kit.nearly_greedy, games=40))
    assert "not separated" in alike.headline


def test_a_top_group_ends_at_the_first_separated_neighbours():
    import pandas as pd

    table = pd.DataFrame({"strategy": list("abcd"), "is_separated": [False, True, False, False]})
    assert top_group(table) == ["a", "b"]
    assert top_group(table.assign(is_separated=False)) == list("abcd")


def test_the_python_lines_play_the_same_games():
    results = play_match(["greedy", "random"], games=30, first_block=7, rules=Rules.preset(target=31), seed=3)
    scope: dict = {}
    *head, call = python_lines(results)
    exec("\n".join(head), scope)
    again = eval(call, scope)
    assert again.difference(results) is None and again.matches[0].blocks == results.matches[0].blocks


def test_the_command_lines_name_everything():
    rules = Rules.preset("all_fives", seats=2, scoring_multiples=(3, 5), arms_after_line=True)
    results = play_match(["greedy", "random"], games=4, rules=rules, seed=3)
    assert shell_lines(results, "runs/a") == [
        "fiveup match greedy random --seats 2 --rules all_fives --set arms_after_line=yes --set scoring_multiples=3,5"
        " --games 4 --seed 3 --out runs/a"
    ]
    foreign = shell_lines(kit.match(kit.plain, kit.last, games=2), "RUN")
    assert "FILE.py:plain" in foreign[0]


def test_numbers_are_written_to_the_digits_that_are_known():
    assert write_estimate(0.1, 0.2, 0.3) == "0.20 (0.10 to 0.30)"
    assert write_estimate(0.0, 0.0, 0.0004, "share") == "0.000 % (0.000 to 0.040)"
    assert write_estimate(-0.01, 0.02, 0.05, "difference") == "2.0 (-1.0 to 5.0)"
    assert write_estimate(1.0, 1.5, float("inf")) == "1.500 (1.000 to no bound)"
    assert write_estimate(float("nan"), float("nan"), float("nan")) == "–"
    assert (write_p(0.00004), write_p(0.02), write_p(0.5)) == ("< 0.0001", "0.0200", "0.50")
    assert (write_share(0.5), write_share(0.123), write_share(0.00149)) == ("50 %", "12.3 %", "0.15 %")
    assert (write_value(1234.0), write_value(True), write_value(0.5, "share")) == ("1,234", "yes", "50.00 %")
    assert join_words(["a", "b", "c"]) == "a, b and c"


def test_every_measure_in_a_table_is_defined(written):
    for path in (written[1] / "tables").glob("*.csv"):
        with path.open(newline="") as file:
            assert {row["measure"] for row in csv.DictReader(file) if "measure" in row} <= set(MEASURES), path.name


def test_strategies_that_never_met_are_not_ranked(tmp_path):
    alone = [kit.match(one, one, games=40) for one in (kit.greedy, kit.plain)]
    strategies = tuple(info for one in alone for info in one.strategies)
    both = replace(alone[0], strategies=strategies, matches=tuple(match for one in alone for match in one.matches))
    said = answer(both)
    assert "met itself only" in said.headline and "leading the first hand" in said.sentences[0]
    assert "there is no ranking" in write_report(both, tmp_path, sections=["ranking", "head_to_head"]).read_text()


def test_win_rates_against_different_opponents_come_with_a_warning():
    parts = [kit.match(kit.greedy, kit.plain, games=40), kit.match(kit.greedy, kit.last, games=40)]
    strategies = {info.label: info for part in parts for info in part.strategies}
    both = replace(parts[0], strategies=tuple(strategies.values()), matches=(*parts[0].matches, *parts[1].matches))
    assert any("met the same others" in warning for warning in answer(both).warnings)
