"""Ratings: against `choix`, against known strengths, and where wins do not bound them."""

from __future__ import annotations

import choix
import numpy as np
import pandas as pd
import pytest

from fiveup_sim.analysis.choice import reaches
from fiveup_sim.analysis.ratings import Ratings, ratings
from fiveup_sim.rules import Rules
from fiveup_sim.tournament import Results
from fiveup_sim.tournament.lineup import make_line_up, tournament_line_ups
from tests.analysis.kit import (
    assert_covers,
    greedy,
    last,
    made_match,
    made_results,
    match,
    plain,
    tournament,
    with_wins,
)

NAMES = ["a", "b", "c", "d"]


def played(strengths: dict[str, float], seats: int, n_games: int, rng, lead: float = 0.0, luck: float = 0.0) -> Results:
    """Every line-up of different strategies; `luck` is the sd of what a group's deals give the first of a line-up."""
    rules = Rules.preset(seats=seats, partnership=False)
    matches = []
    for line_up in tournament_line_ups(list(strengths), rules):
        if len(line_up.names) < rules.n_sides:
            continue
        base = np.array([[strengths[name] for name in line_up.seat_names(r)] for r in range(line_up.n_rotations)])
        logits = base[:, None, None, :] + lead * np.eye(rules.n_sides)
        is_first = np.array([[name == line_up.names[0] for name in line_up.seat_names(r)] for r in range(len(base))])
        logits = logits + rng.normal(0, luck, (1, 128, 1, 1)) * is_first[:, None, None, :]
        chances = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
        wins = rng.multinomial(n_games, np.broadcast_to(chances, (len(base), 128, *chances.shape[2:])))
        matches.append(made_match(line_up.names, rules, with_wins(line_up, rules, wins)))
    return made_results(matches, rules)


def evened(results: Results) -> Results:
    """Few wins by strategy, the same in every seating and whoever led: seat and lead can have no effect."""
    matches = []
    for one in results.matches:
        line_up, n = one.line_up, results.rules.n_sides
        totals = dict.fromkeys(line_up.names, 0)
        for rotation in range(line_up.n_rotations):
            for side, name in enumerate(line_up.seat_names(rotation)):
                totals[name] += int(one.tallies["wins"][rotation, :, side].sum()) // 40
        wins = np.zeros((line_up.n_rotations, 128, n, n), int)
        for rotation in range(line_up.n_rotations):
            wins[rotation, :8] = [totals[name] for name in line_up.seat_names(rotation)]
        matches.append(made_match(line_up.names, results.rules, with_wins(line_up, results.rules, wins)))
    return made_results(matches, results.rules)


def strengths_of(found: Ratings) -> pd.Series:
    return found.strategies.set_index("strategy")["best"]


def test_two_sides_are_what_choix_finds() -> None:
    results = evened(played(dict(zip(NAMES, [1.0, 0.3, 0.0, -0.8], strict=True)), 2, 3, np.random.default_rng(1)))
    pairs = []
    for one in results.matches:
        wins = one.tallies["wins"][0].sum(0)
        i, j = (NAMES.index(name) for name in one.line_up.seat_names(0))
        pairs += [(i, j)] * int(wins[0]) + [(j, i)] * int(wins[1])
    theirs = choix.opt_pairwise(4, pairs)
    np.testing.assert_allclose(strengths_of(ratings(results))[NAMES], theirs - theirs.mean(), atol=1e-4)


def test_three_sides_are_what_choix_finds() -> None:
    results = evened(played(dict(zip(NAMES, [0.8, 0.2, 0.0, -0.7], strict=True)), 3, 1, np.random.default_rng(2)))
    tops = []
    for one in results.matches:
        ids = [NAMES.index(name) for name in one.line_up.seat_names(0)]
        for side, n in enumerate(one.tallies["wins"][0].sum(0)[:3]):
            tops += [(ids[side], [other for other in ids if other != ids[side]])] * int(n)
    theirs = choix.opt_top1(4, tops)
    np.testing.assert_allclose(strengths_of(ratings(results))[NAMES], theirs - theirs.mean(), atol=1e-4)


@pytest.mark.parametrize("seats", [2, 3])
def test_strengths_and_the_lead_are_found(seats: int) -> None:
    truth = dict(zip(NAMES, [1.0, 0.25, -0.25, -1.0], strict=True))
    found = ratings(played(truth, seats, 20, np.random.default_rng(3), lead=0.3))
    table = found.strategies.set_index("strategy")
    for name, value in truth.items():
        assert table.loc[name, "low"] < value < table.loc[name, "high"]
    effects = found.effects.set_index("effect")
    assert effects.loc["lead", "low"] < 0.3 < effects.loc["lead", "high"]
    assert (effects.loc[[f"seat {seat}" for seat in range(seats)], "low"] < 0).all()
    assert list(found.strategies["strategy"]) == NAMES
    assert found.p > 0.001
    assert not found.is_separated


def test_errors_come_from_groups() -> None:
    """With luck that all seatings of a block share, intervals are wider, and hold what fits come to on average."""
    rng = np.random.default_rng(4)
    truth = dict(zip(NAMES, [0.6, 0.2, -0.2, -0.6], strict=True))
    lucky, fair = (
        [ratings(played(truth, 2, 3, rng, luck=luck), level=0.9).strategies.set_index("strategy") for _ in range(n)]
        for luck, n in ((1.5, 200), (0.0, 20))
    )
    widths = [np.mean([(one["high"] - one["low"]).mean() for one in many]) for many in (lucky, fair)]
    assert widths[0] > 1.3 * widths[1]
    middle = sum(one["best"][NAMES] for one in lucky) / len(lucky)
    hits = [((one["low"][NAMES] < middle) & (middle < one["high"][NAMES])).all() for one in lucky]
    assert_covers(np.array(hits), 0.9)


def test_coverage_of_strengths() -> None:
    rng = np.random.default_rng(5)
    truth = dict(zip(NAMES, [0.6, 0.2, -0.2, -0.6], strict=True))
    hits = []
    for _ in range(300):
        table = ratings(played(truth, 2, 1, rng)).strategies.set_index("strategy")
        hits.append(all(table.loc[name, "low"] < value < table.loc[name, "high"] for name, value in truth.items()))
    assert_covers(np.array(hits), 0.94)


def test_misfit_of_a_cycle() -> None:
    rng = np.random.default_rng(6)
    fits = [ratings(played(dict.fromkeys(NAMES, 0.0), 2, 2, rng)).p for _ in range(200)]
    assert_covers(np.array(fits) > 0.1, 0.9, 0.9)
    rules = Rules.preset()
    matches = []
    for pair in (("a", "b"), ("b", "c"), ("c", "a")):
        line_up = make_line_up(pair, rules)
        wins = np.array([[line_up.seat_names(r).index(pair[0]) == side for side in range(2)] for r in range(2)])
        wins = np.broadcast_to(1 + 2 * wins[:, None, None, :].astype(int), (2, 128, 2, 2))
        matches.append(made_match(pair, rules, with_wins(line_up, rules, wins + rng.integers(0, 2, wins.shape))))
    found = ratings(made_results(matches, rules))
    assert found.p < 1e-6
    assert found.df == pytest.approx(1, abs=0.3)


def test_a_strategy_that_wins_everything() -> None:
    rules = Rules.preset()
    matches = []
    rng = np.random.default_rng(7)
    for pair in (("king", "b"), ("king", "c"), ("b", "c")):
        line_up = make_line_up(pair, rules)
        wins = rng.integers(1, 3, (2, 128, 2, 2))
        for rotation in range(2):
            if "king" in pair:
                wins[rotation, :, :, 1 - line_up.seat_names(rotation).index("king")] = 0
        matches.append(made_match(pair, rules, with_wins(line_up, rules, wins)))
    found = ratings(made_results(matches, rules))
    table = found.strategies.set_index("strategy")
    assert found.is_separated
    assert found.strategies["strategy"][0] == "king"
    assert table.loc["king", "high"] == np.inf
    assert table.loc["king", "low"] > 1
    assert (table.loc[["b", "c"], "low"] == -np.inf).all()
    assert table.loc["king", "note"] == "won every game from some"
    assert table.loc["b", "note"] == "lost every game to some"
    assert np.isfinite(table["best"]).all()


def test_reaching() -> None:
    won = np.zeros((4, 4), bool)
    won[0, 1] = won[1, 2] = won[2, 0] = True
    assert reaches(won)[:3, :3].all()
    assert not reaches(won)[3, :3].any()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_played_tournaments(seats: int) -> None:
    results = tournament(greedy, last, plain, seats=seats)
    found = ratings(results)
    assert found.strategies["strategy"][0] == "greedy"
    assert found.strategies["best"].sum() == pytest.approx(0)
    np.testing.assert_allclose(found.covariance.sum(), 0, atol=1e-9)
    assert (found.strategies["low"] < found.strategies["high"]).all()
    sides = [f"seat {seat}" for seat in range(seats)] if seats < 4 else ["side 0", "side 1"]
    assert found.effects["effect"].tolist() == [*sides, "lead"]


def test_tournaments_that_say_little() -> None:
    unfinished = ratings(match(last, plain, games=40, rules=Rules.preset(max_hands=1)))
    assert (unfinished.strategies["n"] == 0).all()
    assert unfinished.is_separated
    alone = ratings(match(last, last, games=100))
    assert alone.strategies["best"].item() == 0
    assert alone.p == 1
    partners = ratings(match(greedy, last, plain, last, seats=4)).strategies.set_index("strategy")
    assert partners.loc["greedy", "best"] == pytest.approx(partners.loc["plain", "best"])
