"""Line-ups: who sits where, and which line-ups make a tournament."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from fiveup_sim.rules import Rules
from fiveup_sim.tournament.lineup import LineUp, make_line_up, tournament_line_ups

TWO, THREE, PARTNERS = (Rules.preset(seats=seats) for seats in (2, 3, 4))
FOUR = Rules.preset("all_fives", seats=4)


@pytest.mark.parametrize(
    ("names", "rules", "distinct", "seatings"),
    [
        ("ab", TWO, "ab", ["01", "10"]),
        ("aa", TWO, "a", ["00"]),
        ("abc", THREE, "abc", ["012", "021", "102", "120", "201", "210"]),
        ("aab", THREE, "ab", ["001", "010", "100"]),
        ("aaa", THREE, "a", ["000"]),
        ("ab", PARTNERS, "ab", ["0101", "1010"]),
        ("abab", PARTNERS, "ab", ["0101", "1010"]),
        ("aa", PARTNERS, "a", ["0000"]),
        ("abcd", PARTNERS, "abcd", ["0123", "3012", "2301", "1230"]),
        ("aabb", FOUR, "ab", ["0011", "1001", "1100", "0110"]),
        ("abcd", FOUR, "abcd", ["0123", "3012", "2301", "1230"]),
    ],
)
def test_seatings(names: str, rules: Rules, distinct: str, seatings: list[str]) -> None:
    line_up = make_line_up(list(names), rules)
    assert line_up == LineUp(tuple(distinct), tuple(tuple(map(int, seating)) for seating in seatings))
    assert line_up.seat_names(0)[: len(names)] == tuple(names)
    assert line_up.seating_array.shape == (line_up.n_rotations, line_up.seats) == (len(seatings), rules.seats)


@pytest.mark.parametrize("rules", [TWO, THREE, PARTNERS, FOUR], ids=str)
def test_everybody_sits_everywhere_equally_often(rules: Rules) -> None:
    for names in product("abcd", repeat=rules.seats):
        line_up = make_line_up(names, rules)
        for position, name in enumerate(line_up.names):
            here = (line_up.seating_array == position).sum(axis=0)
            assert (here == here[0]).all()
            assert here[0] * rules.seats == names.count(name) * line_up.n_rotations
        assert len(np.unique(line_up.seating_array, axis=0)) == line_up.n_rotations


@pytest.mark.parametrize(("names", "rules"), [("a", TWO), ("abc", TWO), ("ab", THREE), ("abc", PARTNERS), ("ab", FOUR)])
def test_wrong_number_of_strategies(names: str, rules: Rules) -> None:
    with pytest.raises(ValueError, match=rf"^strategies {', '.join(names)} for .*: {len(names)} given, allowed "):
        make_line_up(names, rules)


def test_labels_and_sides() -> None:
    assert make_line_up(["a", "b"], TWO).label == make_line_up(["a", "b"], PARTNERS).label == "a - b"
    assert make_line_up(["a", "a"], TWO).label == "a - a"
    assert make_line_up(["a", "b", "b"], THREE).label == "a - b - b"
    mixed = make_line_up(["a", "b", "c", "b"], PARTNERS)
    assert mixed.label == "a - b - c - b"
    assert mixed.side_names(0, PARTNERS) == ("a + c", "b")
    assert mixed.side_names(1, PARTNERS) == ("b", "a + c")
    assert make_line_up(["a", "b"], TWO).side_names(1, TWO) == ("b", "a")


def test_games_are_rounded_up_to_blocks() -> None:
    line_up = make_line_up("abc", THREE)
    assert [line_up.n_blocks(games) for games in (1, 6, 7, 1_000_000)] == [1, 1, 2, 166_667]


@pytest.mark.parametrize(
    ("names", "rules", "labels"),
    [
        ("ab", TWO, ["a - b"]),
        ("abcd", PARTNERS, ["a - b", "a - c", "a - d", "b - c", "b - d", "c - d"]),
        ("ab", THREE, ["a - a - b", "a - b - b"]),
        (
            "abc",
            THREE,
            ["a - a - b", "a - a - c", "a - b - b", "a - b - c", "a - c - c", "b - b - c", "b - c - c"],
        ),
        ("ab", FOUR, ["a - a - a - b", "a - a - b - b", "a - b - b - b"]),
        ("abc", FOUR, ["a - a - b - c", "a - b - b - c", "a - b - c - c"]),
        ("abcde", FOUR, ["a - b - c - d", "a - b - c - e", "a - b - d - e", "a - c - d - e", "b - c - d - e"]),
    ],
)
def test_tournaments(names: str, rules: Rules, labels: list[str]) -> None:
    assert [line_up.label for line_up in tournament_line_ups(names, rules)] == labels


@pytest.mark.parametrize(("names", "message"), [("a", "at least 2"), ("", "at least 2"), ("aba", "'a' comes twice")])
def test_tournaments_need_different_strategies(names: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tournament_line_ups(names, TWO)
