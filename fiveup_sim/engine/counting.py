"""Adding hands and games to the tallies."""

from __future__ import annotations

from numba import njit

from fiveup_sim.engine.philox import next_tile
from fiveup_sim.engine.scoring import BY_LOT
from fiveup_sim.engine.state import End
from fiveup_sim.engine.tallies import LAW_OFFSET, LAW_SLOTS, N_GAME_HANDS

_DOMINOED, _BLOCKED = int(End.DOMINOED), int(End.BLOCKED)
_MOST_CELLS = LAW_SLOTS // 8 * 7
_COUNT_BITS = 32
_HASH = 2654435769  # 2**32 / golden ratio (Knuth, The Art of Computer Programming 3, 6.4)


@njit(inline="always")
def count_hand(rules, state, tally, end, leader, law):
    """Add a finished hand; `leader` leads the next one."""
    lead, last, sides = state.lead, state.last_seat, rules.sides
    is_led_out = end == _DOMINOED and last == lead
    tally.hands += 1
    tally.blocked += end == _BLOCKED
    tally.stopped += end > _BLOCKED
    if end == _DOMINOED:
        tally.dominoed[last] += 1
    tally.led[lead] += 1
    tally.led_dominoed[lead] += is_led_out
    tally.hand_placements[state.n_placements] += 1
    for seat in range(rules.seats):
        tally.rests[seat] += state.rests[seat]
    all_changes = 0
    for side in range(sides):
        change = state.scores[side] - state.before[side]
        all_changes += change
        tally.change[side] += change
        tally.led_change[lead, side] += change
        tally.settlement[side] += state.settled[side]
        for other in range(side, sides):
            product = change * (state.scores[other] - state.before[other])
            tally.change2[side, other] += product
    _count_lead(state, tally, is_led_out, all_changes, rules.side[lead])
    if sides == 2:
        _count_outcome(state, tally, leader, law)


@njit
def _count_lead(state, tally, is_led_out, all_changes, side):
    first = state.turns[0]
    tile = first & 0xFF
    change = state.scores[side] - state.before[side]
    tally.lead_hands[tile] += 1
    tally.lead_points[tile] += first >> 24 & 0xFF
    tally.lead_dominoed[tile] += is_led_out
    tally.lead_change[tile] += change
    tally.lead_change_others[tile] += all_changes - change


@njit
def _count_outcome(state, tally, leader, law):
    """Add a hand's outcome to the joint law: a hash table of words ``key << 32 | count``, searched by steps of one."""
    change0 = state.scores[0] - state.before[0] + LAW_OFFSET
    change1 = state.scores[1] - state.before[1] + LAW_OFFSET
    key = ((state.lead * 5 + min(leader, BY_LOT)) * 2 * LAW_OFFSET + change0) * 2 * LAW_OFFSET + change1
    slot = key * _HASH >> 16 & LAW_SLOTS - 1
    while law[slot] != 0 and law[slot] >> _COUNT_BITS != key:
        slot = slot + 1 & LAW_SLOTS - 1
    if law[slot] == 0:
        if law[LAW_SLOTS] == _MOST_CELLS:
            tally.law_lost += 1
            return
        law[LAW_SLOTS] += 1
        law[slot] = key << _COUNT_BITS
    law[slot] += 1


@njit
def count_game(rules, state, tally, winner, first_lead, first_tile):
    """Add a finished game; `winner` is -1 if it is unfinished."""
    n_hands = state.hand + 1
    tally.games += 1
    tally.game_hands[min(n_hands, N_GAME_HANDS) - 1] += 1
    tally.extension_games += state.in_extension
    tally.extension_hands += state.extension_hands
    tally.first_led[first_lead] += 1
    tally.lead_games[first_tile] += 1
    if winner < 0:
        tally.unfinished += 1
        return
    tally.wins[winner] += 1
    tally.first_led_wins[first_lead, winner] += 1
    tally.lead_wins[first_tile] += winner == rules.side[first_lead]
    for side in range(rules.sides):
        _count_place(rules, state, tally, side)


@njit
def _count_place(rules, state, tally, side):
    """Sides with equal scores share the mean of their places."""
    score, n_above, n_equal = state.scores[side], 0, 0
    for other in range(rules.sides):
        n_above += state.scores[other] > score
        n_equal += state.scores[other] == score
    place = 2 * n_above + n_equal - 1
    tally.place_games[side, place] += 1
    tally.place_score[side, place] += score
    tally.place_score2[side, place] += score * score


@njit
def write_game(rules, state, row, job, winner, first_lead, first_tile):
    """Fill in a game's row, but for the changes of its first hand."""
    row.block, row.rotation = job.block, job.rotation
    row.hands = state.hand + 1
    row.extension_hands = state.extension_hands
    row.winner, row.first_lead, row.first_tile = winner, first_lead, first_tile
    for side in range(rules.sides):
        row.scores[side] = state.scores[side]


@njit
def trace_hand(rules, state, row, end):
    """Fill in a hand's row of the trace."""
    for i in range(state.deck.size):
        row.deck[i] = state.deck[i] if i < state.n_dealt else next_tile(state, i)
    for i in range(state.n_turns):
        row.turns[i] = state.turns[i]
    row.lead, row.end = state.lead, end
    row.last_seat, row.n_turns = state.last_seat, state.n_turns
    for seat in range(rules.seats):
        row.rests[seat] = state.rests[seat]
    for side in range(rules.sides):
        row.change[side] = state.scores[side] - state.before[side]
        row.scores[side] = state.scores[side]
