"""The built-in strategies against slow twins that are written from their descriptions and the referee's table."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from fiveup_strategies import ALL, careful, first, greedy, heavy, random

from fiveup_sim.referee.table import Option, Table
from fiveup_sim.rules import Rules
from fiveup_sim.rules.tiles import PASS, PIPS
from fiveup_sim.strategy import load_strategies
from fiveup_sim.strategy.plain import plain_view
from fiveup_sim.strategy.samples import random_views

RULES = {
    "five_up": Rules.preset(seats=2),
    "five_up_3": Rules.preset(seats=3),
    "five_up_4": Rules.preset(seats=4),
    "all_fives": Rules.preset("all_fives", seats=3),
    "all_fives_pagat": Rules.preset("all_fives_pagat", seats=2),
    "fives_and_threes": Rules.preset("fives_and_threes", seats=2),
    "block": Rules.preset("block", seats=4),
}


@pytest.fixture(scope="module", params=RULES)
def table(request):
    """Rules, and some hundred views of games between random placements under them."""
    rules = RULES[request.param]
    return rules, random_views(rules, seed=5, n_games=4)[:300]


def answers(strategy, views, **params):
    ask = strategy.compiled()
    views = views.copy()
    views["params"] = strategy.with_params(**params).param_array()
    return [ask(view) for view in views]


def tiles_in(tile_set: int) -> list[int]:
    return [tile for tile in range(28) if tile_set >> tile & 1]


def replayed(rules: Rules, view) -> Table:
    """The table of a view, laid again turn by turn."""
    table = Table(rules)
    for turn in view.turns[: view.n_turns]:
        if turn.kind != PASS:
            table.lay(option(table, turn).placement)
    return table


def option(table: Table, legal) -> Option:
    """What the referee calls a legal placement."""
    (found,) = [one for one in table.options([legal.tile]) if (one.pip, one.kind) == (legal.pip, legal.kind)]
    return found


def best_awards(table: Table, tiles: list[int]) -> list[int]:
    """The best award of each tile that can be laid and scores."""
    best: dict[int, int] = {}
    for one in table.options(tiles):
        best[one.tile] = max(one.points, best.get(one.tile, 0))
    return [award for award in best.values() if award > 0]


def expected_best(awards: list[int], chance: Fraction) -> Fraction:
    """Expected largest of awards that are there with `chance` each: a smaller one counts if no larger one is there."""
    ordered = sorted(awards, reverse=True)
    return sum((award * chance * (1 - chance) ** larger for larger, award in enumerate(ordered)), Fraction(0))


def slow_careful(rules: Rules, view, pips: Fraction) -> int:
    table = replayed(rules, view)
    unseen = tiles_in(view.unseen)
    values = []
    for legal in view.legal[: view.n_legal]:
        reply = Fraction(0)
        if view.n_held[0] > 1:
            after = table.copy()
            after.lay(option(table, legal).placement)
            reply = expected_best(best_awards(after, unseen), Fraction(view.n_held[1], len(unseen)))
        values.append(legal.points - reply + pips * PIPS[legal.tile])
    return values.index(max(values))


class TestTwins:
    def test_first(self, table):
        assert set(answers(first, table[1])) == {0}

    def test_heavy(self, table):
        for view, answer in zip(map(plain_view, table[1]), answers(heavy, table[1]), strict=True):
            weights = [PIPS[legal.tile] for legal in view.legal[: view.n_legal]]
            assert answer == weights.index(max(weights))

    def test_greedy(self, table):
        for view, answer in zip(map(plain_view, table[1]), answers(greedy, table[1]), strict=True):
            ranks = [(legal.points, PIPS[legal.tile]) for legal in view.legal[: view.n_legal]]
            assert answer == ranks.index(max(ranks))

    @pytest.mark.parametrize("pips", [None, Fraction(0), Fraction(3, 10)])
    def test_careful(self, table, pips):
        rules, views = table
        params = {} if pips is None else {"pips": float(pips)}
        for view, answer in zip(map(plain_view, views), answers(careful, views, **params), strict=True):
            assert answer == slow_careful(rules, view, Fraction(2, 100) if pips is None else pips)

    def test_plain_python_agrees(self, table):
        for strategy in ALL:
            ask = strategy.compiled()
            for one in table[1][::10]:
                view = one.copy()
                view["params"] = strategy.param_array()
                again = view.copy()
                assert ask(view) == strategy(again)
                assert view["rng"] == again["rng"]


def test_expected_best_is_what_enumeration_gives():
    awards, chance = [4, 1, 4, 2, 3], Fraction(2, 7)
    expected = Fraction(0)
    for held in product([False, True], repeat=len(awards)):
        probability = np.prod([chance if there else 1 - chance for there in held])
        expected += probability * max((award for award, there in zip(awards, held, strict=True) if there), default=0)
    assert expected_best(awards, chance) == expected


def test_random_is_uniform_over_the_placements():
    views = np.repeat(random_views(RULES["five_up"], seed=1, n_games=1)[:1], 6000)
    views["n_legal"] = 6
    views["rng"] = np.arange(6000)
    counts = np.bincount(answers(random, views), minlength=6)
    assert len(counts) == 6 and np.sum((counts - 1000.0) ** 2 / 1000) < 20.5  # 99.9 % of chi square with 5 degrees


def test_they_are_installed_under_their_names():
    names = ["random", "first", "heavy", "greedy", "careful"]
    assert [one.name for one in ALL] == names
    installed = load_strategies()
    assert all(installed[one.name].function is one.function and one.doc for one in ALL)
    assert [one.heeds for one in ALL] == [frozenset()] * 5
