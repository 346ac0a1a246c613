"""Rules on the command line: presets, files, single fields; and what is installed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fiveup_sim import load_strategies
from fiveup_sim.cli.options import base_rules
from fiveup_sim.rules import Rules, rule_fields
from fiveup_sim.rules.files import format_rules, read_rules, write_rules
from fiveup_sim.rules.presets import PRESETS
from tests.cli.kit import fiveup, refused


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", PRESETS)
def test_a_rule_file_holds_every_rule(name: str, seats: int, tmp_path: Path) -> None:
    rules = Rules.preset(name, seats=seats)
    write_rules(rules, tmp_path / "mine.toml")
    again = read_rules(tmp_path / "mine.toml")
    assert (again, again.name) == (rules, name)


@given(st.sampled_from([rule for rule in rule_fields() if rule.name != "seats"]), st.data())
def test_every_value_of_every_field_can_be_written(rule, data) -> None:
    value = data.draw(st.sampled_from(rule.metadata["allowed"]))
    try:
        rules = Rules.preset("all_fives", seats=4, **{rule.name: value})
    except ValueError:
        return  # not with the other rules of this preset
    fields = tomllib.loads(format_rules(rules))
    assert Rules.preset(fields.pop("preset"), **fields) == rules


def test_a_short_rule_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('preset = "all_fives"\ntarget = 31\n')
    assert read_rules(path) == Rules.preset("all_fives", target=31)
    assert read_rules(path, default_seats=3, draw="one") == Rules.preset("all_fives", seats=3, target=31, draw="one")
    path.write_text("seats = 4")
    assert read_rules(path, default_seats=3) == Rules.preset(seats=4)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("target 3", "is not a TOML file"),
        ("target = 3.0", "target = 3.0: allowed 1 to 100000"),
        ("taget = 3", "taget: no such rule (did you mean target?)"),
        ('preset = "muggin"', "did you mean muggins?"),
        ("preset = 3", "preset = 3: allowed five_up"),
        ("seats = 3\ntiles_each = 14", "tiles_each = 14: allowed 1 to 9 with 3 seats"),
        ("[rules]\ntarget = 3", "rules: no such rule"),
    ],
)
def test_a_wrong_rule_file_is_named_with_field_value_and_what_is_allowed(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ValueError) as caught:
        read_rules(path)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)
    assert said in refused("rules", path)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"mine\.toml is not a TOML file"):
        read_rules(tmp_path / "mine.toml")


def test_options_go_before_the_file_and_the_file_before_the_number_of_strategies(tmp_path: Path) -> None:
    path = str(tmp_path / "mine.toml")
    Path(path).write_text("seats = 3\ntarget = 31")
    assert base_rules(path, 2) == Rules.preset(seats=3, target=31)
    assert base_rules(path, 2, seats=4, target=7) == Rules.preset(seats=4, target=7)
    assert base_rules("draw", 3) == Rules.preset("draw", seats=3)
    assert base_rules("draw", 3, seats=2) == Rules.preset("draw")


def test_the_presets_are_listed_with_a_line_each() -> None:
    lines = fiveup("rules").stdout
    assert all(f"\n{name}  " in lines for name in PRESETS)
    assert ":func:" not in lines


def test_all_rules_of_a_preset() -> None:
    text = fiveup("rules", "all_fives", "--seats", "3").stdout
    assert "* tiles_each = 6\n      tiles dealt to each seat [1 to 14]\n" in text
    assert "  draw = until_playable\n" in text
    assert all(f" {rule.name} = " in text for rule in rule_fields())
    assert max(map(len, text.splitlines())) <= 80


def test_nothing_is_marked_in_five_up() -> None:
    lines = fiveup("rules", "five_up", "--seats", "4").stdout.splitlines()[1:]
    assert not any(line.startswith("*") for line in lines)


def test_a_printed_rule_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(fiveup("rules", "draw", "--seats", "3", "--toml").stdout)
    assert read_rules(path) == Rules.preset("draw", seats=3)
    assert "draw, 3 seats" in fiveup("rules", path).stdout


def test_the_strategies_are_listed() -> None:
    text = fiveup("strategies").stdout
    assert all(f"\n{name}" in text for name in load_strategies())
    assert "\ncareful(pips=0.02)  " in text
    assert max(map(len, text.splitlines())) <= 80
