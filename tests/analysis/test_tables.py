"""Points per placement, scores, lengths, leads, seats: tables add up to what was counted."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from fiveup_sim.analysis.lengths import by_line_up, extensions, game_lengths, hand_lengths
from fiveup_sim.analysis.metrics import METRICS, metrics
from fiveup_sim.analysis.placements import points_per_placement
from fiveup_sim.analysis.scores import points_per_hand, scores_by_place
from fiveup_sim.analysis.seats import lead_effects, opening_tiles, seat_effects, seat_play
from fiveup_sim.analysis.summary import summary
from fiveup_sim.rules import Rules
from tests.analysis.kit import anything, greedy, last, made_match, made_results, match, plain, tournament

SPLITS = ["seat", "kind", "lead", "tile", "position"]
TABLES = [
    points_per_hand, scores_by_place, game_lengths, hand_lengths, extensions, by_line_up, lead_effects, seat_effects,
    opening_tiles, seat_play, points_per_placement, metrics,
]  # fmt: skip


@pytest.mark.parametrize("table_of", TABLES, ids=lambda table_of: table_of.__name__)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_figure_has_an_interval(table_of, seats: int) -> None:
    table = table_of(tournament(greedy, last, plain, seats=seats))
    assert {"low", "best", "high", "n"} <= set(table.columns)
    seen = table[table["n"] > 0]
    assert (seen["low"] <= seen["best"]).all()
    assert (seen["best"] <= seen["high"]).all()
    assert (seen["low"] < seen["high"]).all()
    assert pd.api.types.is_integer_dtype(table["n"])


@pytest.mark.parametrize("table_of", TABLES, ids=lambda table_of: table_of.__name__)
def test_a_wider_level_is_a_wider_interval(table_of) -> None:
    results = match(greedy, last)
    narrow, wide = table_of(results, level=0.8), table_of(results, level=0.99)
    is_known = np.isfinite(narrow["high"] - narrow["low"])
    assert ((wide["high"] - wide["low"]) > (narrow["high"] - narrow["low"]))[is_known].all()


@pytest.mark.parametrize("table_of", TABLES, ids=lambda table_of: table_of.__name__)
def test_nothing_played_is_a_table_too(table_of) -> None:
    rules = Rules.preset()
    table = table_of(made_results([made_match(["a", "b"], rules)], rules))
    assert (table["n"] == 0).all()


@pytest.mark.parametrize("by", SPLITS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_splits_add_up(by: str, seats: int) -> None:
    results = tournament(greedy, last, plain, seats=seats)
    whole = points_per_placement(results).set_index("strategy")
    parts = points_per_placement(results, by=by)
    points = (parts["best"] * parts["n"]).groupby(parts["strategy"]).sum()
    placements = parts.groupby("strategy")["n"].sum()
    assert (placements == whole["n"]).all()
    np.testing.assert_allclose(points[whole.index], whole["best"] * whole["n"])


def test_awards_add_up() -> None:
    results = match(greedy, last)
    whole = points_per_placement(results).set_index("strategy")
    awards = points_per_placement(results, by="award")
    for strategy, part in awards.groupby("strategy"):
        assert part["best"].sum() == pytest.approx(1)
        assert (part["best"] * part["award"]).sum() == pytest.approx(whole.loc[strategy, "best"])


def test_awards_of_raw_points() -> None:
    results = match(greedy, last, rules=Rules.preset("all_fives"))
    whole = points_per_placement(results).set_index("strategy")
    awards = points_per_placement(results, by="award")
    assert set(awards["award"] % 5) == {0}
    ours = awards[awards["strategy"] == "greedy"]
    assert (ours["best"] * ours["award"]).sum() == pytest.approx(whole.loc["greedy", "best"])
    assert (whole["raw"] == whole["best"]).all()


def test_raw_points() -> None:
    table = points_per_placement(match(greedy, last))
    np.testing.assert_allclose(table["raw"], 5 * table["best"])
    rules = Rules.preset("fives_and_threes")
    assert "raw" not in points_per_placement(match(greedy, last, rules=rules, games=100))


def test_a_split_must_be_known() -> None:
    with pytest.raises(ValueError, match="by = 'suit': allowed None, seat, kind, lead, tile, position, award"):
        points_per_placement(match(greedy, last), by="suit")


def test_metrics_of_random_play() -> None:
    """An independent program's figures for two seats, to the last digit given or so."""
    table = metrics(match(anything, anything, games=6000), level=0.999)
    known = {
        "hands_per_game": 57.4,
        "placements_per_hand": 12.86,
        "draws_per_hand": 5.22,
        "blocked_share": 0.022,
        "points_per_placement": 0.3427,
    }
    for name, value in known.items():
        assert table.loc[name, "low"] - 0.0005 <= value <= table.loc[name, "high"] + 0.0005, name


def test_metrics_are_what_was_counted() -> None:
    results = match(greedy, last)
    tally = results.matches[0].tallies
    table = metrics(results)["best"]
    hands, games, placements = tally["hands"].sum(), tally["games"].sum(), tally["kind_placements"].sum()
    assert table["hands_per_game"] == hands / games
    assert table["placements_per_hand"] == placements / hands
    assert table["scoring_share"] == tally["awards"][..., 1:].sum() / placements
    assert table["settlement_per_hand"] == -tally["settlement"].sum() / hands
    assert table["settlement_per_hand"] > 0
    assert table["leader_domino_share"] == tally["led_dominoed"].sum() / hands
    assert list(metrics(results).index) == list(METRICS)


def test_line_ups_and_the_whole() -> None:
    results = tournament(greedy, last, plain)
    table, whole = by_line_up(results), metrics(results)
    for name, rows in table.groupby("measure"):
        assert np.average(rows["best"], weights=rows["n"]) == pytest.approx(whole.loc[name, "best"])


def test_lengths_add_up() -> None:
    results = match(greedy, last)
    games, hands, table = game_lengths(results), hand_lengths(results), metrics(results)["best"]
    assert games["best"].sum() == pytest.approx(1)
    assert hands["best"].sum() == pytest.approx(1)
    assert (games["hands"] * games["best"]).sum() == pytest.approx(table["hands_per_game"])
    assert (hands["placements"] * hands["best"]).sum() == pytest.approx(table["placements_per_hand"])


def test_scores_by_place_are_final_scores() -> None:
    results = match(greedy, last, keep_games=True)
    table = scores_by_place(results).set_index(["strategy", "place"])
    rows = results.matches[0].games
    winners = np.take_along_axis(rows["scores"], rows["winner"][:, None].astype(int), 1)
    first = table.xs(1.0, level="place")
    assert np.average(first["best"], weights=first["n"]) == pytest.approx(winners.mean())
    assert table["n"].sum() == 2 * results.n_games
    np.testing.assert_allclose(table["share"].groupby("strategy").sum(), 1)


def test_points_per_hand_are_final_scores() -> None:
    results = match(greedy, last, keep_games=True)
    table = points_per_hand(results).set_index(["measure", "strategy"])["best"]
    rows = results.matches[0].games
    assert table["own"].sum() == pytest.approx(rows["scores"].sum() / rows["hands"].sum())
    assert table["ahead"].sum() == pytest.approx(0)
    assert table["ahead", "greedy"] == pytest.approx(table["own", "greedy"] - table["own", "last"])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_leads(seats: int) -> None:
    results = tournament(greedy, last, plain, seats=seats)
    table = lead_effects(results).set_index(["measure", "strategy"])
    led = sum(match.tallies["led"].sum() for match in results.matches)
    assert table.loc["dominoed", "n"].sum() == led
    dominoed = table.loc["dominoed"]
    assert np.average(dominoed["best"], weights=dominoed["n"]) == pytest.approx(
        metrics(results).loc["leader_domino_share", "best"]
    )
    leading, following = table.loc["win_rate_leading"], table.loc["win_rate_following"]
    np.testing.assert_allclose(table.loc["win_rate_gain", "best"], leading["best"] - following["best"])
    assert (leading["n"] + following["n"] == table.loc["win_rate_gain", "n"]).all()


def test_points_ahead_of_the_leader() -> None:
    results = match(last, last)
    tally = results.matches[0].tallies
    change = tally["led_change"].sum((0, 1))
    ahead = change[0, 0] - change[0, 1] + change[1, 1] - change[1, 0]
    table = lead_effects(results).set_index("measure")
    assert table.loc["points_ahead", "best"] == pytest.approx(ahead / tally["hands"].sum())
    assert table.loc["points_ahead", "low"] > 0


def test_seats_are_alike() -> None:
    table = seat_effects(tournament(greedy, last, plain, seats=3))
    assert table["n"].nunique() == 1
    assert (table["p"] > 0.001).all()


def test_opening_tiles_add_up() -> None:
    results = match(greedy, last)
    table = opening_tiles(results)
    assert table.loc[table["measure"] == "led", "best"].sum() == pytest.approx(1)
    for measure, whole in (("dominoed", "leader_domino_share"),):
        rows = table[table["measure"] == measure]
        assert np.average(rows["best"], weights=rows["n"]) == pytest.approx(metrics(results).loc[whole, "best"])
    assert table.loc[table["measure"] == "win_rate", "n"].sum() == results.n_games
    leads = points_per_placement(results, by="lead")
    rows = table[table["measure"] == "lead_points"]
    ours = leads[leads["lead"]]
    assert np.average(rows["best"], weights=rows["n"]) == pytest.approx(np.average(ours["best"], weights=ours["n"]))


def test_seat_play_adds_up() -> None:
    results = match(greedy, last)
    table = seat_play(results).groupby("measure")["best"].sum()
    whole = metrics(results)["best"]
    assert table["placements"] == pytest.approx(whole["placements_per_hand"])
    assert table["draws"] == pytest.approx(whole["draws_per_hand"])
    assert table["passes"] == pytest.approx(whole["passes_per_hand"])
    assert table["dominoed"] == pytest.approx(1 - whole["blocked_share"])
    assert table["led"] == pytest.approx(1)


def test_extensions() -> None:
    results = match(greedy, greedy, games=4000)
    table = extensions(results).set_index("measure")["best"]
    assert table["extension_share"] > 0
    assert table["hands_per_extension"] >= 1
    assert table["extension_hands_per_game"] == pytest.approx(table["extension_share"] * table["hands_per_extension"])


def test_summary() -> None:
    results = match(greedy, last)
    values = summary(results)
    assert list(values) == ["games", "rules", "metrics", "strategies"]
    assert values["games"] == 1000
    assert values["rules"] == results.rules.to_dict()
    assert list(values["metrics"]) == list(METRICS)
    ours = values["strategies"]["greedy"]
    assert set(ours) == {"win_rate", "points_per_placement", "games"}
    assert ours["games"] == 1000
    assert set(ours["win_rate"]) == {"low", "best", "high"}
    assert json.loads(json.dumps(values, allow_nan=False)) == values


def test_summary_of_next_to_nothing() -> None:
    one = summary(match(greedy, last, games=1))
    json.dumps(one, allow_nan=False)
    assert one["games"] == 2
    assert one["metrics"]["hands_per_game"]["high"] is None
    rules = Rules.preset()
    none = summary(made_results([made_match(["a", "b"], rules)], rules))
    json.dumps(none, allow_nan=False)
    assert none["strategies"]["a"]["win_rate"] == {"low": 0.0, "best": None, "high": 1.0}
