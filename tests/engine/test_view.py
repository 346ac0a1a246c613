"""What a strategy sees: nothing hidden, everything public, the same memory in both readings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from fiveup_sim import Rules
from fiveup_sim.engine.blocks import Seats, play_blocks, play_traced
from fiveup_sim.engine.rulebook import award_table
from fiveup_sim.engine.view import LEGAL, TURN, VIEW, WORDS
from fiveup_sim.referee.table import Table
from fiveup_sim.rules.tiles import ARM, END, LINE, PASS, Placement
from fiveup_sim.strategy.callback import Callback

ALL_RULES = [
    pytest.param(Rules.preset(seats=2), id="2"),
    pytest.param(Rules.preset(seats=3), id="3"),
    pytest.param(Rules.preset(seats=4), id="4"),
    pytest.param(Rules.preset("all_fives", seats=4), id="all_fives"),
    pytest.param(Rules.preset("muggins", seats=3), id="muggins"),
]


def test_both_readings_are_of_the_same_memory() -> None:
    """The first field of each word of VIEW, by name, starts where the word of WORDS starts."""
    first = {"now": "n_legal", "game": "n_seats", "seats": "n_held"}
    assert VIEW.itemsize == WORDS.itemsize
    for name in WORDS.names:
        assert WORDS.fields[name][1] == VIEW.fields[first.get(name, name)][1], name
    assert LEGAL.itemsize == TURN.itemsize == 8
    shared = [name for name in LEGAL.names if name in TURN.names]
    assert [LEGAL.fields[name][1] for name in shared] == [TURN.fields[name][1] for name in shared]


def seen_in_game(rules: Rules, seed: int) -> list[np.void]:
    """The view of every question of one game between random placements."""
    seen: list[np.void] = []

    def player(seat: int) -> Callable[[Any], int]:
        random = Random(seat)

        def play(view: Any) -> int:
            seen.append(np.frombuffer(bytes(view), VIEW)[0])
            return random.randrange(view.n_legal)

        return play

    players = [Callback(f"seat {seat}", player(seat)) for seat in range(rules.seats)]
    seats = Seats(players, np.zeros((rules.seats, 16)), np.arange(rules.seats)[None])
    play_traced(seats, rules, seed=seed, block=0, rotation=0)
    return seen


@pytest.mark.parametrize("rules", ALL_RULES)
def test_every_field_follows_from_what_the_table_has_seen(rules: Rules) -> None:
    rules = rules.changed(max_hands=8)
    for view in seen_in_game(rules, seed=3):
        turns = [{name: int(turn[name]) for name in TURN.names} for turn in view["turns"][: view["n_turns"]]]
        table, held, lacks = replayed(rules, turns)
        n_drawn = int(view["held"]).bit_count() - held[0]
        if n_drawn:  # the seat has drawn just now; the turn is told when it is over
            note_draws(table, held, lacks, seat=0, n_drawn=n_drawn, laid=True)
            held[0] += 1
        assert table.tiles == [turn["tile"] for turn in turns if turn["kind"] != PASS]
        assert view["laid"] == sum(1 << tile for tile in table.tiles)
        assert view["n_held"][: rules.seats].tolist() == held
        assert view["lacks"][: rules.seats].tolist() == lacks
        assert int(view["held"]).bit_count() == held[0]
        assert view["unseen"] == (1 << 28) - 1 - int(view["laid"]) - int(view["held"])
        assert view["n_boneyard"] == 28 - len(table.tiles) - sum(held)
        assert view["count"] == (table.count if table.tiles else 0)
        places = Counter((place.kind, place.pip) for place in table.free_places())
        assert view["ends"].tolist() == [places[END, pip] for pip in range(7)]
        assert view["lines"].tolist() == [places[LINE, pip] for pip in range(7)]
        is_open = (view["lines"] == 0) | (not rules.arms_after_line)
        assert (view["arms"] * is_open).tolist() == [places[ARM, pip] for pip in range(7)]
        options = table.options({tile for tile in range(28) if int(view["held"]) >> tile & 1})
        names = ("tile", "pip", "kind", "count", "points")
        legal = [tuple(int(each[name]) for name in names) for each in view["legal"]]
        expected = [(o.tile, o.pip, o.kind, o.count, o.points) for o in options]
        assert legal[: view["n_legal"]] == expected
        assert (view["n_seats"], view["n_sides"], view["target"]) == (rules.seats, rules.n_sides, rules.target)
        assert view["arms_after_line"] == rules.arms_after_line
        assert view["award"].tolist() == award_table(rules).tolist()
        if turns:
            assert view["lead"] == turns[0]["seat"]


def replayed(rules: Rules, turns: list[dict[str, int]]) -> tuple[Table, list[int], list[int]]:
    """The table, the tiles held and the pips that each seat lacks after these turns, seats as the view counts them."""
    table, held, lacks = Table(rules), [rules.tiles_each] * rules.seats, [0] * rules.seats
    for turn in turns:
        seat, laid = turn["seat"], turn["kind"] != PASS
        note_draws(table, held, lacks, seat=seat, n_drawn=turn["n_drawn"], laid=laid)
        if laid and not table.tiles:
            table.lay(Placement(turn["tile"]))
        elif laid:
            options = table.options({turn["tile"]})
            table.lay(next(o.placement for o in options if (o.pip, o.kind) == (turn["pip"], turn["kind"])))
    return table, held, lacks


def note_draws(table: Table, held: list[int], lacks: list[int], *, seat: int, n_drawn: int, laid: bool) -> None:
    """Who draws or passes holds none of the free pips; what was known before holds unless it kept a tile it drew."""
    if n_drawn or not laid:
        free = {place.pip for place in table.free_places()}
        lacks[seat] = (0 if n_drawn > laid else lacks[seat]) | sum(1 << pip for pip in free)
    held[seat] += n_drawn - laid


@pytest.mark.parametrize("rules", ALL_RULES)
def test_scores_and_hands_are_told(rules: Rules) -> None:
    """Scores by side as the seat counts them, with the awards of this hand; hands counted from 0."""
    rules = rules.changed(max_hands=8)
    seen: list[np.void] = []

    def first(view: Any) -> int:
        seen.append(np.frombuffer(bytes(view), VIEW)[0])
        return 0

    seats = Seats([Callback("first", first)], np.zeros((1, 16)), np.zeros((1, rules.seats), int))
    _, hands = play_traced(seats, rules, seed=1, block=0, rotation=0)
    for view in seen:
        hand, turns = hands[view["hand"]], view["turns"][: view["n_turns"]]
        lead = int(hand["lead"])
        seat = (lead - int(view["lead"])) % rules.seats
        scores = [0] * 4 if view["hand"] == 0 else hands[view["hand"] - 1]["scores"].tolist()
        for turn in turns:
            scores[rules.side((seat + int(turn["seat"])) % rules.seats)] += int(turn["points"])
        expected = [scores[(seat + step) % rules.n_sides] for step in range(rules.n_sides)]
        assert view["scores"][: rules.n_sides].tolist() == expected


def test_two_deals_that_differ_in_hidden_tiles_look_the_same() -> None:
    """The first question of a hand, asked of the leader, over many deals: equal own tiles give equal bytes."""
    views: dict[tuple, set[bytes]] = {}

    def look(view: Any) -> int:
        copy = np.frombuffer(bytes(view), VIEW).copy()
        copy["rng"] = 0
        known = (int(copy["held"][0]), int(copy["hand"][0]), tuple(copy["scores"][0]), copy["turns"].tobytes())
        views.setdefault(known, set()).add(copy.tobytes())
        return 0

    rules = Rules.preset(tiles_each=2, seats=2, max_hands=1)
    seats = Seats([Callback("look", look)], np.zeros((1, 16)), np.zeros((1, 2), int))
    play_blocks(seats, rules, seed=1, first_block=0, n_blocks=4000)
    assert len(views) > 300
    assert max(map(len, views.values())) == 1
