"""The referee's table against worked layouts, published ones, and itself."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fiveup_sim.referee.table import PLACE_KINDS, Joint, RuleError, Table
from fiveup_sim.rules import MAX_COUNT, Rules
from fiveup_sim.rules.tiles import (
    ARM,
    END,
    LEAD,
    LINE,
    N_TILES,
    Placement,
    format_placement,
    parse_placement,
    parse_tile,
)
from tests.engine.naive import sequences

DATA = Path(__file__).parents[1] / "data"
SEED_LAYOUTS = json.loads((DATA / "seed_layouts.json").read_text())
PUBLISHED_LAYOUTS = json.loads((DATA / "published_layouts.json").read_text())


def lay_out(text: str, rules: Rules | None = None) -> Table:
    """A table with the placements written in `text`, one after another."""
    table = Table(rules or Rules())
    for placement in text.split():
        table.lay(parse_placement(placement))
    return table


def lay_case(case: dict[str, Any], rules: Rules) -> Table:
    table = Table(rules)
    for step in case["placements"]:
        table.lay(Placement(parse_tile(step["tile"]), None if step["on"] is None else parse_tile(step["on"])))
    return table


def options(table: Table, held: str) -> list[tuple[str, int, int, int, int]]:
    found = table.options(map(parse_tile, held.split()))
    return [(format_placement(o.placement), o.pip, o.kind, o.count, o.points) for o in found]


def free_pips(table: Table) -> list[int]:
    return sorted(place.pip for place in table.free_places())


def test_there_are_cases() -> None:
    assert len(SEED_LAYOUTS) >= 11
    assert len(PUBLISHED_LAYOUTS) >= 35


@pytest.mark.parametrize("case", SEED_LAYOUTS, ids=lambda case: case["name"])
def test_seed_layout(case: dict[str, Any]) -> None:
    table = lay_case(case, Rules())
    counted = [(parse_tile(tile), pips) for tile, pips in case["contributions"]]
    free = [(parse_tile(tile), name, pip) for tile, name, pip in case["free"]]
    assert sorted(table.contributions()) == sorted(counted)
    assert (table.count, table.points) == (case["sum"], case["points"])
    assert sorted(map(tuple, table.free_places())) == sorted(free)
    assert f"Award: {case['raw_points']} raw points" in table.describe()


@pytest.mark.parametrize("case", PUBLISHED_LAYOUTS, ids=lambda case: case["id"])
def test_published_layout(case: dict[str, Any]) -> None:
    settlement = "winner" if case["point_unit"] == 1 else "none"
    rules = Rules(
        spinners=case["spinners"],
        scoring_multiples=tuple(case["scoring_multiples"]),
        point_unit=case["point_unit"],
        settlement=settlement,
    )
    table = lay_case(case, rules)
    assert (table.count, table.points) == (case["count"], case["points"])


@pytest.mark.parametrize(
    ("text", "count", "points", "free"),
    [
        ("5-5", 10, 2, [5, 5]),
        ("6-1 1-1@6-1", 8, 0, [1, 6]),
        ("4-4 4-1@4-4", 9, 0, [1, 4]),
        ("4-4 4-1@4-4 4-2@4-4", 3, 0, [1, 2, 4, 4]),
        ("4-1 1-1@4-1 2-1@1-1", 6, 0, [1, 1, 2, 4]),
        ("5-5 5-2@5-5 5-3@5-5", 5, 1, [2, 3, 5, 5]),
        ("5-5 5-2@5-5 5-3@5-5 5-0@5-5", 5, 1, [0, 2, 3, 5]),
        ("5-5 5-2@5-5 5-3@5-5 5-0@5-5 6-5@5-5", 11, 0, [0, 2, 3, 6]),
        ("1-1 2-1@1-1", 4, 0, [1, 2]),
        ("0-0", 0, 0, [0, 0]),
    ],
)
def test_count_and_free_pips(text: str, count: int, points: int, free: list[int]) -> None:
    table = lay_out(text)
    assert (table.count, table.points, free_pips(table)) == (count, points, free)


def test_used_side_is_not_offered_again() -> None:
    table = lay_out("2-2 2-1@2-2 3-2@2-2 4-2@2-2 5-2@2-2")
    assert table.count == 13
    assert not table.fits(parse_tile("6-2"))
    with pytest.raises(RuleError, match="6-2 is laid against 2-2, which has no free place for it"):
        table.lay(parse_placement("6-2@2-2"))


def test_only_the_first_double_spins() -> None:
    table = lay_out("1-1 3-1@1-1 3-3@3-1 5-3@3-3", Rules(spinners="first"))
    assert (free_pips(table), table.count) == ([1, 5], 7)
    assert [table.spins(tile) for tile in table.tiles] == [True, False, False, False]
    fresh = lay_out("3-3 3-1@3-3 3-2@3-3", Rules(spinners="first"))
    assert free_pips(fresh) == [1, 2, 3, 3]


def test_no_double_spins() -> None:
    table = lay_out("1-1 3-1@1-1 4-1@1-1", Rules(spinners="none"))
    assert free_pips(table) == [3, 4]


def test_place_is_not_pip() -> None:
    table = lay_out("2-1 3-2@2-1 1-1@2-1 3-1@3-2")
    assert options(table, "4-1") == [("4-1@3-1", 1, END, 6, 0), ("4-1@1-1", 1, LINE, 5, 1)]


def test_every_held_tile_may_lead_once() -> None:
    assert options(Table(Rules()), "3-1 1-1 6-2 4-3 4-0") == [
        ("1-1", -1, LEAD, 2, 0),
        ("3-1", -1, LEAD, 4, 0),
        ("4-0", -1, LEAD, 4, 0),
        ("4-3", -1, LEAD, 7, 0),
        ("6-2", -1, LEAD, 8, 0),
    ]


def test_options_are_in_order_and_name_the_host_laid_first() -> None:
    table = lay_out("3-3 3-1@3-3 3-2@3-3 2-1@3-1 2-0@3-2")  # ends 2 and 0, arms of 3-3
    table.lay(parse_placement("5-2@2-1"))
    table.lay(parse_placement("5-0@2-0"))  # two ends 5
    assert options(table, "5-3 0-0 5-5 5-4") == [
        ("5-3@3-3", 3, ARM, 15, 3),
        ("5-3@5-2", 5, END, 8, 0),
        ("5-4@5-2", 5, END, 9, 0),
        ("5-5@5-2", 5, END, 15, 3),
    ]


def test_line_side_and_arm_free_at_once() -> None:
    rules = Rules(spinners="first", arms_after_line=False)
    table = lay_out("5-5", rules)
    assert [place.name for place in table.free_places()] == ["lineA", "lineB", "sideA", "sideB"]
    assert options(table, "5-4") == [("5-4@5-5/line", 5, LINE, 14, 0), ("5-4@5-5/arm", 5, ARM, 14, 0)]
    with pytest.raises(RuleError, match="add /line or /arm"):
        table.lay(parse_placement("5-4@5-5"))
    assert table.lay(parse_placement("5-4@5-5/arm")) == Joint(parse_tile("5-5"), "sideA", parse_tile("5-4"), "high")
    table.lay(parse_placement("5-3@5-5/arm"))
    assert (table.count, free_pips(table)) == (17, [3, 4, 5, 5])
    table.lay(parse_placement("5-2@5-5"))  # no arm is left, so that the kind is not needed
    table.lay(parse_placement("5-1@5-5/line"))  # and allowed all the same
    assert (table.count, free_pips(table)) == (10, [1, 2, 3, 4])


@pytest.mark.parametrize(
    ("placement", "message"),
    [
        ("4-1", "lies on the table already"),
        ("6-4", "names no tile it is laid against"),
        ("5-4@5-5", "which is not on the table"),
        ("4-4@4-1/line", "no place of this kind is free there"),
        ("2-1@1-1/arm", "no place of this kind is free there"),
        ("3-1@4-1", "has no free place for it"),
    ],
)
def test_refused_placements(placement: str, message: str) -> None:
    table = lay_out("4-1 1-1@4-1")
    with pytest.raises(RuleError, match=message):
        table.lay(parse_placement(placement))
    assert len(table.tiles) == 2


def test_tiles_that_share_no_pip_are_refused() -> None:
    with pytest.raises(RuleError, match="has no free place for it"):
        lay_out("4-1").lay(Placement(parse_tile("6-5"), parse_tile("4-1")))


def test_a_lead_has_no_host() -> None:
    with pytest.raises(RuleError, match="it is laid against nothing"):
        Table(Rules()).lay(parse_placement("4-1@4-4"))


def test_described_as_the_sources_do() -> None:
    assert lay_out("4-1 1-1@4-1 4-4@4-1 4-3@4-4 2-1@1-1 5-1@1-1").describe() == (
        "Tiles: 4-1, 1-1, 4-4, 4-3, 2-1, 5-1.\n"
        "Spinners: 1-1, 4-4.\n"
        "Joints: 4-1 (lower half) to 1-1 (line side A); 4-1 (higher half) to 4-4 (line side A); "
        "4-4 (line side B) to 4-3 (higher half); 1-1 (line side B) to 2-1 (lower half); "
        "1-1 (side arm A) to 5-1 (lower half).\n"
        "Free places: 1-1 (side arm B, 1); 4-4 (side arm A, 4); 4-4 (side arm B, 4); "
        "4-3 (lower half, 3); 2-1 (higher half, 2); 5-1 (higher half, 5).\n"
        "Scored contributions: 4-3: 3; 2-1: 2; 5-1: 5.\n"
        "Count: 3 + 2 + 5 = 10.\n"
        "Award: 10 raw points (2 points)."
    )


def test_an_empty_table_is_described() -> None:
    assert "Tiles: none." in Table(Rules()).describe()
    assert lay_out("5-5", Rules(point_unit=1)).describe().endswith("Award: 10 points.")


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    spinners=st.sampled_from(["all", "first", "none"]),
    arms_after_line=st.booleans(),
    favour_doubles=st.booleans(),
)
def test_layouts_hold_together(seed: int, spinners: str, arms_after_line: bool, favour_doubles: bool) -> None:
    rng = random.Random(seed)
    table = Table(Rules(spinners=spinners, arms_after_line=arms_after_line))
    unlaid = set(range(N_TILES))
    while found := table.options(unlaid):
        check_options(table, found, unlaid)
        option = max(found, key=lambda o: o.count) if favour_doubles and rng.random() < 0.8 else rng.choice(found)
        table.lay(option.placement)
        unlaid.remove(option.tile)
        assert table.count == option.count == sum(pips for _, pips in table.contributions()) <= MAX_COUNT
        assert len(table.joints) == len(table.tiles) - 1
    assert not any(table.fits(tile) for tile in unlaid)


def check_options(table: Table, found: list[Any], unlaid: set[int]) -> None:
    """Every free place is reached by exactly the tiles that have its pips, and no option comes twice."""
    keys = [(o.tile, o.pip, o.kind) for o in found]
    assert keys == sorted(set(keys))
    if not table.tiles:
        return
    expected = {
        (tile, place.pip, PLACE_KINDS[place.name])
        for place in table.free_places()
        for tile in unlaid
        if place.pip in (tile_pips(tile))
    }
    assert set(keys) == expected
    laid = {tile: position for position, tile in enumerate(table.tiles)}
    for option in found:
        hosts = [p.tile for p in table.free_places() if p.pip == option.pip and p.kind == option.kind]
        assert option.placement.host == min(hosts, key=laid.__getitem__)


def tile_pips(tile: int) -> tuple[int, int]:
    return next((low, high) for high in range(7) for low in range(high + 1) if high * (high + 1) // 2 + low == tile)


def test_sequences_of_a_tiny_deal() -> None:
    held = [{parse_tile("1-1"), parse_tile("2-1")}, {parse_tile("3-1"), parse_tile("1-0")}]
    # 1-1 led: either tile on a line side, then 2-1 on the other, and seat 0 has dominoed.
    # 2-1 led: either tile on its 1, then 1-1 fits nowhere and the hand is blocked.
    assert sequences(Rules(), held, [], 0, 4) == [2, 4, 2, 0]
    # With 4-2 to draw, the second case goes on: 2-1, 3-1 or 1-0, and seat 0 draws 4-2 and lays it.
    assert sequences(Rules(), held, [parse_tile("4-2")], 0, 3) == [2, 4, 4]
