"""Views as they come up in games, to ask strategies about."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from fiveup_sim.engine.blocks import Seats, play_blocks
from fiveup_sim.engine.view import N_PARAMS, VIEW
from fiveup_sim.rules import Rules
from fiveup_sim.strategy.callback import Callback

MAX_HANDS = 20
"""Games are cut here: weak strategies would play for thousands of hands."""


def record_views(
    ask: Callable[[Any], int], rules: Rules, *, seed: int, n_games: int, params: np.ndarray | None = None
) -> list[np.ndarray]:
    """Play games and keep what the seats saw.

    Parameters
    ----------
    ask
        Plays; takes a plain view (:func:`fiveup_sim.strategy.plain.plain_view`).
    rules
        The rules; games end after 20 hands at the latest.
    seed, n_games
        Which games. `ask` plays all seats of every other game, seat 0 of the rest, against random placements.
    params
        float64, shape (16,): parameters of `ask`.

    Returns
    -------
    list of numpy.ndarray
        An array of dtype VIEW for each game and each seat that `ask` played, in the order of its questions.

    Raises
    ------
    PlayFault
        If `ask` raises, or returns an illegal index.
    """
    rules = rules.changed(max_hands=min(MAX_HANDS, rules.max_hands))
    at_all = np.tile(np.zeros(N_PARAMS) if params is None else params, (rules.seats, 1))
    recorded = []
    for game in range(n_games):
        seen: list[list[bytes]] = [[] for _ in range(rules.seats if game % 2 == 0 else 1)]
        players = [_recorder(ask, kept) for kept in seen]
        players += [_random_player(Random(seed + game))] * (rules.seats - len(players))
        seats = Seats([Callback("recorder", player) for player in players], at_all, np.arange(rules.seats)[None])
        play_blocks(seats, rules, seed=seed, first_block=game, n_blocks=1)
        recorded += [np.frombuffer(bytearray().join(kept), VIEW) for kept in seen if kept]
    return recorded


def random_views(rules: Rules, *, seed: int, n_games: int) -> np.ndarray:
    """Views of games between random placements: an array of dtype VIEW."""
    recorded = record_views(_random_player(Random(seed)), rules, seed=seed, n_games=n_games)
    return np.concatenate([np.empty(0, VIEW), *recorded])


def _recorder(ask: Callable[[Any], int], kept: list[bytes]) -> Callable[[Any], int]:
    def play(view):
        kept.append(bytes(view))
        return ask(view)

    return play


def _random_player(random: Random) -> Callable[[Any], int]:
    return lambda view: random.randrange(view.n_legal)
