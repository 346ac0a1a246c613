"""Exhaustive counts: all sequences of placements of fixed deals, by depth, in the kernel and by the referee."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fiveup_sim import Rules
from fiveup_sim.engine.blocks import Seats, play_traced
from fiveup_sim.rules.tiles import PASS
from fiveup_sim.strategy.callback import Callback
from tests.engine.naive import sequences

DEALS = [
    pytest.param(Rules.preset(tiles_each=3, max_hands=1), 8, id="five_up"),
    pytest.param(Rules.preset(seats=3, tiles_each=3, max_hands=1), 0, id="three seats"),
    pytest.param(Rules.preset(seats=4, tiles_each=3, max_hands=1), 1, id="partnerships"),
    pytest.param(Rules.preset(tiles_each=3, arms_after_line=False, draw="one", max_hands=1), 3, id="arms at once"),
    pytest.param(Rules.preset(tiles_each=4, spinners="first", draw="none", max_hands=1), 0, id="first spins, no draw"),
]


class Follower:
    """Plays a hand by a list of choices, and from then on always the first placement."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.rules, self.seed = rules, seed
        self.seats = Seats([Callback("follow", self.ask)], np.zeros((1, 16)), np.zeros((1, rules.seats), int))
        self.choices: list[int] = []
        self.asked: list[int] = []

    def ask(self, view: Any) -> int:
        self.asked.append(view.n_legal)
        return self.choices[len(self.asked) - 1] if len(self.asked) <= len(self.choices) else 0

    def play(self, choices: list[int]) -> np.void:
        """The hand that these choices give; ``asked`` is then the number of placements at each question."""
        self.choices, self.asked = choices, []
        return play_traced(self.seats, self.rules, seed=self.seed, block=0, rotation=0)[1][0]


def kernel_sequences(follower: Follower, depth: int) -> list[int]:
    """Sequences of 1, 2, ... placements, from all lines of play."""
    prefixes: list[set[tuple]] = [set() for _ in range(depth)]
    todo: list[list[int]] = [[]]
    while todo:
        choices = todo.pop()
        hand = follower.play(choices)
        asked = follower.asked
        # the line went on with first choices: every later question has other answers to follow
        for i in range(len(choices), len(asked)):
            todo += [[*choices, *[0] * (i - len(choices)), other] for other in range(1, asked[i])]
        words = [int(word) & 0xFFFFFF for word in hand["turns"][: hand["n_turns"]]]
        laid = [word for word in words if word >> 16 != PASS]
        for length in range(1, len(laid) + 1):
            prefixes[length - 1].add(tuple(laid[:length]))
    return [len(each) for each in prefixes]


@pytest.mark.parametrize(("rules", "seed"), DEALS)
def test_as_many_sequences_as_the_referee_finds(rules: Rules, seed: int) -> None:
    follower = Follower(rules, seed)
    hand = follower.play([])
    deck, n = hand["deck"].tolist(), rules.tiles_each
    held = [deck[seat * n : (seat + 1) * n] for seat in range(rules.seats)]
    expected = sequences(rules, held, deck[rules.seats * n :], int(hand["lead"]), depth=28)
    assert sum(expected) > 150
    assert kernel_sequences(follower, 28) == expected
