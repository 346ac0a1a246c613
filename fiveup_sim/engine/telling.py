"""Telling the seats: views at the start of a game and of a hand, turns as they are played, scores."""

from __future__ import annotations

from numba import njit

from fiveup_sim.engine.bits import index
from fiveup_sim.engine.layout import TILE_HALVES
from fiveup_sim.engine.philox import hand_stream, lot, next_tile, seat_streams, shuffle
from fiveup_sim.engine.scoring import BY_LOT, set_leader
from fiveup_sim.engine.view import MAX_SEATS


@njit
def relative(by_seat, seat, n_seats):
    """Rotate bytes by seat of the table into bytes by seat as `seat` counts them."""
    turned = by_seat >> 8 * seat | by_seat << 8 * (n_seats - seat)
    return turned & (1 << 8 * n_seats) - 1


@njit
def begin_game(rules, job, seating, state, views, words, fresh):
    """Scores to 0, and views as if nothing had been played before, whatever a strategy has written to them."""
    state.in_extension, state.extension_hands = 0, 0
    seat_streams(state.streams, job.seed, job.block, fresh)
    for seat in range(rules.seats):
        state.scores[seat], state.has_opened[seat] = 0, 0
        view = views[seat]
        for i in range(words[seat].legal.size):
            words[seat].legal[i] = 0
        for i in range(words[seat].turns.size):
            words[seat].turns[i] = 0
        words[seat].scores[1] = 0
        for i in range(view.award.size):
            view.award[i] = rules.points[i]
        for i in range(view.scratch.size):
            view.scratch[i] = 0
        for i in range(view.params.size):
            view.params[i] = job.params[seating[seat], i]


@njit(inline="always")
def deal_hand(rules, job, state, words, fresh, leader):
    """Deal the next hand, name its leader and tell every seat what it starts with."""
    shuffle(state, job.seed, job.block, fresh, state.hand)
    n_dealt = 0
    for seat in range(rules.seats):
        held, halves = 0, 0
        for _ in range(rules.tiles_each):
            tile = next_tile(state, n_dealt)
            n_dealt += 1
            held |= 1 << tile
            halves |= TILE_HALVES[tile]
        state.held[seat], state.halves[seat] = held, halves
    if leader == BY_LOT:
        leader = lot(rules.seats, job.seed, job.block, fresh, state.hand)
    set_leader(rules, state, leader)
    for seat in range(rules.seats):
        lead = rules.distance[state.lead, seat]
        words[seat].game = rules.seats | rules.sides << 8 | lead << 16 | rules.arms_after_line << 24
        words[seat].hand = state.hand | rules.target << 32
        words[seat].rng = hand_stream(state.streams[seat], state.hand)


@njit
def announce(rules, state, words, seat, word, n_drawn):
    """Write a turn into the history that every seat sees."""
    turn = index(state.n_turns)
    word |= n_drawn << 56
    state.turns[turn] = word | seat << 48
    for viewer in range(MAX_SEATS):
        words[viewer].turns[turn] = word | rules.distance[seat, viewer] << 48
    state.n_turns += 1


@njit(inline="always")
def show_scores(rules, state, shown, seat):
    """Show a seat the scores, its own side's first, two to a word."""
    sides = rules.side_seen[seat]
    shown.scores[0] = state.scores[sides[0]] & 0xFFFFFFFF | state.scores[sides[1]] << 32
    if rules.sides > 2:
        third, fourth = state.scores[sides[2]], state.scores[sides[3]] if rules.sides > 3 else 0
        shown.scores[1] = third & 0xFFFFFFFF | fourth << 32
