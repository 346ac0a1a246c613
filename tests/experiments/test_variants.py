"""A base and its variants: the plan, the play, the words and the command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from fiveup_sim import Rules
from fiveup_sim.analysis.effects import RuleEffects
from fiveup_sim.cli.variants import luck, variants
from fiveup_sim.experiments.variant_plan import plan_variants
from fiveup_sim.experiments.variants import compare_rules
from fiveup_sim.report.effects import write_effects
from fiveup_sim.report.effects_words import explain

BASE = Rules.preset()
VARY = {"target": [50, 61], "spinners": ["none"], "max_hands": [9999]}


@pytest.fixture(scope="module")
def effects() -> RuleEffects:
    return compare_rules(BASE, VARY, [["random", "greedy"], ["greedy", "heavy"]], games=300, seed=1, progress=False)


@pytest.fixture(scope="module")
def factorial() -> RuleEffects:
    vary = {"target": [31], "spinners": ["none"]}
    return compare_rules(BASE, vary, [["random", "greedy"]], games=300, seed=1, factorial=True, progress=False)


def test_one_at_a_time_leaves_the_base_out() -> None:
    plan = plan_variants(BASE, VARY)
    assert [contrast.label for contrast in plan.contrasts] == ["target = 50", "spinners = none", "max_hands = 9999"]
    assert plan.rules == (BASE, *(BASE.changed(**change) for change in ({"target": 50}, {"spinners": "none"},
                                                                         {"max_hands": 9999})))  # fmt: skip


def test_a_factorial_plays_all_combinations() -> None:
    plan = plan_variants(BASE, {"target": [50, 75], "exact_target": [True]}, factorial=True)
    assert len(plan.rules) == 6 and plan.rules[0] == BASE
    assert plan.rules[-1] == BASE.changed(target=75, exact_target=True)
    labels = [contrast.label for contrast in plan.contrasts]
    assert labels[:3] == ["target = 50", "target = 75", "exact_target = yes"]
    assert labels[3:] == ["target = 50 x exact_target = yes", "target = 75 x exact_target = yes"]


def test_whole_rule_sets_are_named_by_what_they_are() -> None:
    plan = plan_variants(BASE, [Rules.preset("all_fives"), BASE.changed(target=75, draw="one")])
    assert [contrast.label for contrast in plan.contrasts] == ["all_fives", "draw = one, target = 75"]


@pytest.mark.parametrize(
    ("vary", "is_factorial", "says"),
    [
        ({"spinner": ["all"]}, False, r"spinner: no such rule \(did you mean spinners"),
        ({"spinners": ["some"]}, False, "spinners = 'some': allowed all, first, none"),
        ({"rounding": ["none"]}, False, "rounding = none: allowed nearest, up, down"),
        ({"tiles_each": [12], "boneyard_reserve": [5]}, False, "boneyard_reserve = 5"),
        (
            {"tiles_each": [13], "boneyard_reserve": [2], "seats": [3]},
            False,
            "seats: line-ups differ",
        ),
        (
            {"scoring_multiples": [()], "target": [50]},
            True,
            r"scoring_multiples = \(\): allowed 5 or 3,5 .* \(in scoring_multiples = \(\), target = 61\)",
        ),
        ({"target": [61]}, False, "nothing is varied"),
        ({"spinners": "none"}, False, "a list of values is needed"),
    ],
)
def test_nonsense_is_named_before_anything_is_played(vary: dict, is_factorial: bool, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        compare_rules(BASE, vary, [["greedy", "random"]], games=10**9, factorial=is_factorial)


def test_line_ups_are_checked_before_anything_is_played() -> None:
    with pytest.raises(ValueError, match="greedy, random, heavy"):
        compare_rules(BASE, VARY, [["greedy", "random", "heavy"]], games=10**9)
    with pytest.raises(ValueError, match="line_ups: none"):
        compare_rules(BASE, VARY, [], games=10**9)
    with pytest.raises(ValueError, match="greedy - random comes twice"):
        compare_rules(BASE, VARY, [["greedy", "random"], ["greedy", "random"]], games=10**9)


def test_effects_are_those_of_the_rules(effects: RuleEffects) -> None:
    table = effects.effects.query("line_up == 'all'").set_index(["variant", "measure", "strategy"]).sort_index()
    score, hands = (table.loc[("target = 50", name, "")] for name in ("first_score", "hands_per_game"))
    assert score["is_separated"] and -12 < score["best"] < -10
    assert hands["is_separated"] and hands["high"] < 0
    assert table.loc[("spinners = none", "blocked_share", ""), "low"] > 0
    assert not table.loc[("target = 50", "draws_per_hand", ""), "is_separated"]
    assert effects.unchanged == ("max_hands = 9999",)
    assert (table.xs("max_hands = 9999")["best"] == 0).all()
    assert set(effects.effects["line_up"]) == {"all", "random - greedy", "greedy - heavy"}


def test_effects_do_not_depend_on_workers(effects: RuleEffects) -> None:
    again = compare_rules(
        BASE, VARY, [["random", "greedy"], ["greedy", "heavy"]], games=300, seed=1, n_jobs=2, progress=False
    )
    assert again.effects.equals(effects.effects) and again.rankings.equals(effects.rankings)


def test_partnerships_may_be_a_variant() -> None:
    rules = Rules.preset(seats=4, max_hands=30)
    found = compare_rules(
        rules, {"partnership": [False]}, [["greedy", "random"]], games=200, seed=1, progress=False
    ).effects
    assert found.set_index(["measure", "strategy"]).loc[("win_rate", "greedy"), "best"] < 0


def test_one_strategy_and_three_seats(tmp_path: Path) -> None:
    found = compare_rules(
        Rules.preset(seats=3), {"target": [20]}, [["greedy"] * 3], games=100, seed=1, progress=False
    )  # fmt: skip
    assert len(found.rankings) == 0 and "third score: " in explain(found)
    write_effects([found], tmp_path)


def test_words(effects: RuleEffects, factorial: RuleEffects) -> None:
    text = explain(effects)
    assert "max_hands = 9999\n  no game differed: every measure is exactly the same" in text
    assert "hands per game: " in text and "% less; -" in text and "not separated from no change: " in text
    assert "target = 31 x spinners = none: beyond what each does alone" in explain(factorial)
    assert "\ntarget = 31: averaged over all settings of the other changes\n" in explain(factorial)
    assert "averaged" not in explain(effects)


def test_report(effects: RuleEffects, factorial: RuleEffects, tmp_path: Path) -> None:
    page = write_effects([effects], tmp_path / "report").read_text()
    assert "No game differed" in page and "data:image/svg+xml" in page
    assert not re.search(r"(src|href)=\"(?!data:|#)", page)
    values = json.loads((tmp_path / "report" / "effects.json").read_text())
    assert values[0]["unchanged"] == ["max_hands = 9999"]
    assert (tmp_path / "report" / "figures" / "2-seats-hands_per_game.svg").exists()
    assert (tmp_path / "report" / "tables" / "2-seats-means.csv").read_text().startswith("variant,kind,measure")
    text = (tmp_path / "report" / "report.md").read_text()
    assert "max_hands = 9999" in text and "(tables/2-seats-means.csv)" in text
    write_effects([factorial], tmp_path / "report")
    assert "beyond what each does alone" in (tmp_path / "report" / "report.md").read_text()


def test_command(tmp_path: Path) -> None:
    asked = ["--vary", "target=20,30", "--set", "max_hands=50", "--games", "40", "--seed", "1", "--jobs", "1"]
    done = CliRunner().invoke(variants, [*asked, "--line-up", "greedy random", "--seats", "2", "--seats", "4",
                                         "--json", "-o", str(tmp_path)])  # fmt: skip
    assert done.exit_code == 0, done.output
    values = json.loads(done.stdout)["by_seats"]
    assert list(values) == ["2", "4"] and values["4"]["base"]["max_hands"] == 50
    assert (tmp_path / "index.html").exists()


def test_command_of_luck() -> None:
    done = CliRunner().invoke(luck, ["random", "greedy", "--games", "100", "--seed", "1", "--jobs", "1"])
    assert done.exit_code == 0 and "games until the better one" in done.stdout


@pytest.mark.parametrize("vary", [["target=50", "target=60"], ["target"], ["target=fifty"]])
def test_command_says_what_is_wrong(vary: list[str]) -> None:
    done = CliRunner().invoke(variants, [part for each in vary for part in ("--vary", each)])
    assert done.exit_code != 0 and "target" in str(done.output) + str(done.exception)
