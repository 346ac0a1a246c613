"""Strategies that go for points."""

import numba
import numpy as np

from fiveup_sim import lowest_tile, n_tiles, reply_points, reply_tiles, strategy

_SAME = 1e-9
"""Values that differ by less are equal: rounding must not break a tie."""


@strategy
def greedy(view):
    """The most points; ties: the heaviest tile; ties: the first placement."""
    best, most = 0, -1
    for i in range(view.n_legal):
        # points first, then pips, which are at most 12, in one number: fewer branches to mispredict
        value = 16 * view.legal[i].points + view.legal[i].pips
        if value > most:
            best, most = i, value
    return best


@strategy(params={"pips": 0.02})
def careful(view):
    """The largest value; ties: the first placement.

    The value of a placement is its points, minus the expected best award of the next seat's reply, plus `pips` for
    each pip of the tile. Each unseen tile is taken to be held by the next seat with chance n_held / n_unseen,
    independently of the others. The last tile of the hand has no reply.
    """
    tiles_by_award = np.zeros(128, np.int64)
    best, best_value = 0, -np.inf
    for i in range(view.n_legal):
        value = view.legal[i].points - _expected_reply(view, i, tiles_by_award) + view.params[0] * view.legal[i].pips
        if value > best_value + _SAME:
            best, best_value = i, value
    return best


@numba.njit
def _expected_reply(view, choice, tiles_by_award):
    """Expected best award of the next seat's reply to the legal placement `choice`.

    `tiles_by_award` is room to work in: all zero before and after.
    """
    if view.n_held[0] == 1 or view.n_held[1] == 0:
        return 0.0
    fitting, largest = view.unseen & reply_tiles(view, choice), 0
    while fitting:
        award = reply_points(view, choice, lowest_tile(fitting))
        fitting &= fitting - 1
        if award > 0:
            tiles_by_award[award] += 1
            largest = max(largest, award)
    not_held = 1 - view.n_held[1] / n_tiles(view.unseen)
    expected, none_so_far = 0.0, 1.0
    for award in range(largest, 0, -1):
        none_now = none_so_far
        for _ in range(tiles_by_award[award]):
            none_now *= not_held
        expected += award * (none_so_far - none_now)
        none_so_far = none_now
        tiles_by_award[award] = 0
    return expected
