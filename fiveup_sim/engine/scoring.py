"""The end of a hand: rests, who won it, settlement, who leads next; and the end of a game."""

from __future__ import annotations

from numba import njit

from fiveup_sim.engine.bits import popcount
from fiveup_sim.engine.layout import LOW_OF, PIPS_OF, pips_of
from fiveup_sim.engine.rulebook import DOMINOED, HAND_WINNER, HIGHEST_DOUBLE, LOT, NOTHING, OWN, ROTATE, SAME, WINNER
from fiveup_sim.engine.state import End
from fiveup_sim.rules.tiles import N_TILES

_DOMINOED, _BLOCKED, _STOPPED = int(End.DOMINOED), int(End.BLOCKED), int(End.STOPPED)
BY_LOT = 4
"""Next leader in the law of hand outcomes: not decided by this hand."""


@njit
def hand_winner(rules, state, end):
    """The side that won the hand, or -1."""
    if end == _DOMINOED:
        return rules.side[state.last_seat]
    if end == _BLOCKED and rules.blocked_winner:
        return _fewest_pips(rules, state)
    return -1


@njit
def _fewest_pips(rules, state):
    """The side with the fewest pips left; in a tie nobody (-1), or the one with the fewest tiles if it is alone."""
    best, best_key, is_tied = -1, 0, False
    for side in range(rules.sides):
        pips, tiles = 0, 0
        for seat in range(side, rules.seats, rules.sides):
            pips += state.rests[seat]
            tiles += popcount(state.held[seat])
        key = pips * 32 + (tiles if rules.blocked_tie else 0)
        if best < 0 or key < best_key:
            best, best_key, is_tied = side, key, False
        elif key == best_key:
            is_tied = True
    return -1 if is_tied else best


@njit(inline="always")
def settle(rules, state, winner, end):
    """Count the rests, and add to the scores what they bring or take (``state.settled``, by side)."""
    for seat in range(rules.seats):
        state.settled[seat] = 0
    if end == _STOPPED or (end == _BLOCKED and not rules.blocked_settlement):
        return
    if rules.settlement == OWN:
        _lose_own(rules, state)
    elif rules.settlement != NOTHING and winner >= 0:
        gain = _collected(rules, state, winner)
        if not (rules.exact_target and state.scores[winner] + gain > rules.target):
            state.settled[winner] = gain
    for side in range(rules.sides):
        state.scores[side] += state.settled[side]


@njit
def _lose_own(rules, state):
    if rules.rounding_pooled:
        for side in range(rules.sides):
            pips = 0
            for seat in range(side, rules.seats, rules.sides):
                pips += state.rests[seat]
            state.settled[side] = -rules.rests[pips]
    else:
        for seat in range(rules.seats):
            state.settled[rules.side[seat]] -= rules.rests[state.rests[seat]]


@njit
def _collected(rules, state, winner):
    """Points that the winner of a hand gains from the rests."""
    own_pips, own_points, others_pips, others_points = 0, 0, 0, 0
    for seat in range(rules.seats):
        pips = state.rests[seat]
        if rules.side[seat] == winner:
            own_pips += pips
            own_points += rules.rests[pips]
        else:
            others_pips += pips
            others_points += rules.rests[pips]
    if rules.settlement == WINNER:
        own_pips, own_points = 0, 0
    if rules.rounding_pooled:
        return rules.rests[max(0, others_pips - own_pips)]
    return max(0, others_points - own_points)


@njit
def next_leader(rules, state, winner, end):
    """The seat that leads the next hand, or BY_LOT, or BY_LOT + 1: who holds the highest double then."""
    how = rules.next_lead if end == _DOMINOED else rules.blocked_lead
    if how == DOMINOED:
        return state.last_seat
    if how == ROTATE:
        return (state.lead + 1) % rules.seats
    if how == SAME:
        return state.lead
    if how == HAND_WINNER and winner >= 0:
        return _lightest_seat(rules, state, winner)
    return BY_LOT + (how == HIGHEST_DOUBLE)


@njit
def _lightest_seat(rules, state, side):
    """The seat of `side` with the fewest pips left, in a tie the first clockwise after the leader."""
    best = -1
    for step in range(1, rules.seats + 1):
        seat = (state.lead + step) % rules.seats
        if rules.side[seat] == side and (best < 0 or state.rests[seat] < state.rests[best]):
            best = seat
    return best


@njit
def set_leader(rules, state, leader):
    """Make `leader`, or who holds the highest double, the leader of the hand just dealt."""
    if leader < BY_LOT:
        state.lead = leader
        state.lead_tiles = state.held[leader]
    else:
        _lead_highest(rules, state)


@njit
def first_leader(rules):
    """The leader of a game's first hand, as :func:`set_leader` takes it."""
    return BY_LOT + (rules.first_lead != LOT)


@njit
def _lead_highest(rules, state):
    """The highest double must be led; if nobody has one the heaviest tile, of these the one with the higher half."""
    best = -1
    for seat in range(rules.seats):
        for tile in range(N_TILES):
            if state.held[seat] >> tile & 1:
                high = PIPS_OF[tile] - LOW_OF[tile]
                is_double = high == LOW_OF[tile]
                rank = (1000 if is_double else 0) + PIPS_OF[tile] * 10 + high
                if rank > best:
                    best = rank
                    state.lead = seat
                    state.lead_tiles = 1 << tile


@njit
def count_rests(rules, state):
    """Fill in the pips left by seat."""
    for seat in range(rules.seats):
        state.rests[seat] = pips_of(state.held[seat])


@njit
def leading_side(rules, state):
    """The side that alone has the highest score, or -1 if it is shared; and that score."""
    best, highest, is_shared = 0, state.scores[0], False
    for side in range(1, rules.sides):
        score = state.scores[side]
        if score > highest:
            best, highest, is_shared = side, score, False
        elif score == highest:
            is_shared = True
    return (-1 if is_shared else best), highest


@njit
def wins_at_once(rules, state, side):
    """Whether an award just made wins the game for `side` (rules with the target asked at once)."""
    alone, highest = leading_side(rules, state)
    may_end = rules.extension_needs_target or not state.in_extension
    return may_end and alone == side and highest >= rules.target


@njit
def game_winner(rules, state, end):
    """The side that has won the game now that the hand is settled, or -1; a tie at the top begins the extension."""
    alone, highest = leading_side(rules, state)
    if end == _STOPPED:
        return alone
    if state.in_extension:
        return -1 if rules.extension_needs_target and highest < rules.target else alone
    if highest >= rules.target:
        state.in_extension = alone < 0
        return alone
    return -1
