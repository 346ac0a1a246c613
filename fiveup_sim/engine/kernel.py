"""The kernel: play_hand -> play_game -> play_blocks. It reads like the rules; the tables are in `layout`.

Strategies come in as first-class functions and see one record each. The kernel keeps the truth in its own state,
writes the views and reads nothing back but the index that a strategy returns.
"""

from __future__ import annotations

from functools import lru_cache

from numba import from_dtype, njit, types

from fiveup_sim.engine import counting
from fiveup_sim.engine.bits import index
from fiveup_sim.engine.compile import STRATEGY_TYPE, compile_cached, engine_stamp
from fiveup_sim.engine.layout import (
    HALVES_WITH,
    IS_DOUBLE,
    PASS_WORD,
    TILE_HALVES,
    arms_of,
    ends_of,
    insert_arms,
    lay,
    lead_table,
    lines_of,
    list_leads,
    list_placements,
    pip_set,
)
from fiveup_sim.engine.philox import next_tile
from fiveup_sim.engine.scoring import (
    count_rests,
    first_leader,
    game_winner,
    hand_winner,
    next_leader,
    settle,
    wins_at_once,
)
from fiveup_sim.engine.state import HAND, JOB, STATE, End, Status
from fiveup_sim.engine.tallies import GAME, N_GROUPS, TALLY
from fiveup_sim.engine.telling import announce, begin_game, deal_hand, relative, show_scores
from fiveup_sim.engine.view import VIEW, WORDS
from fiveup_sim.rules.tiles import N_TILES

_DOMINOED, _BLOCKED, _STOPPED, _ILLEGAL = (int(end) for end in End)
_DONE, _ILLEGAL_CHOICE, _CANCELLED = (int(status) for status in Status)
_ALL_TILES = (1 << N_TILES) - 1
_BYTE = 0xFF
_LEADING = 3


@njit
def void_awards(rules, state, shown, side, n_legal):
    """Take the points from placements whose award would be void."""
    legal, seen = state.legal, shown.legal
    least = 0 if state.has_opened[side] else rules.min_first_score
    most = rules.target - state.scores[side] if rules.exact_target else 0xFF
    for i in range(n_legal):
        points = legal[i] >> 24 & _BYTE
        if points < least or points > most:
            legal[i] = seen[i] = legal[i] & ~(_BYTE << 24)


@njit(inline="always")
def play_hand(f0, f1, f2, f3, rules, job, seating, state, views, words, tally):
    """Play the hand that is dealt; returns how it ended (End)."""
    n_seats = rules.seats
    n_dealt = n_seats * rules.tiles_each
    last_drawn = N_TILES - rules.boneyard_reserve if rules.max_draws else n_dealt
    table, count, laid = 0, 0, 0
    ends, sides = 0, 0  # sets of pips with an end; with a line side or an arm
    arms, later_arms = rules.first_arms, rules.later_arms
    n_held, lacks = 0, 0  # a byte a seat
    for seat in range(n_seats):
        n_held |= rules.tiles_each << 8 * seat
    position, passes = 0, 0
    state.n_turns = 0
    seat = index(state.lead)
    while True:
        held, halves = state.held[seat], state.halves[seat]
        shown = words[seat]
        n_drawn = 0
        if position == 0:
            n_legal = list_leads(rules, state, shown)
        else:
            fitting = HALVES_WITH[ends | sides]
            playable = halves & fitting
            while playable == 0 and n_drawn < rules.max_draws and n_dealt < last_drawn:
                tile = next_tile(state, n_dealt)
                n_dealt += 1
                n_drawn += 1
                held |= 1 << tile
                halves |= TILE_HALVES[tile]
                playable = TILE_HALVES[tile] & fitting
            if n_drawn > 0 or playable == 0:
                # whoever draws or passes holds none of the pips that are free now; what was known before still
                # holds unless tiles were drawn and kept
                n_kept = n_drawn - (playable != 0)
                known = 0 if n_kept > 0 else lacks >> 8 * seat & _BYTE
                lacks = lacks & ~(_BYTE << 8 * seat) | (known | ends | sides) << 8 * seat
                n_held += n_drawn << 8 * seat
                tally.draws[seat] += n_drawn
            n_legal = list_placements(rules, state, shown, playable, table, count, ends, sides)
            if not rules.arms_after_line:
                n_legal = insert_arms(rules, state, shown, table, count, n_legal)
        if n_legal == 0:
            state.held[seat], state.halves[seat] = held, halves
            tally.passes[seat] += 1
            passes += 1
            announce(rules, state, words, seat, PASS_WORD | count << 32, n_drawn)
            if passes >= n_seats and n_dealt >= last_drawn:
                state.last_seat = seat
                end = _BLOCKED
                break
        else:
            side = rules.side[seat]
            if rules.has_voids:
                void_awards(rules, state, shown, side, n_legal)
            choice = 0
            if n_legal > 1:
                shown.now = n_legal | state.n_turns << 8 | count << 16 | N_TILES - n_dealt << 24 | arms << 32
                shown.held, shown.laid, shown.unseen = held, laid, _ALL_TILES & ~(held | laid)
                shown.ends, shown.lines, shown.arms = ends_of(table), lines_of(table), arms_of(table)
                shown.seats = relative(n_held, seat, n_seats) | relative(lacks, seat, n_seats) << 32
                show_scores(rules, state, shown, seat)
                job.seat, job.n_legal = seat, n_legal
                # which function is asked is spelled out here: a tuple of functions, or a function of its own for
                # these lines, costs a tenth of the kernel's speed
                who = seating[seat]
                if who == 0:
                    choice = f0(views[seat])
                elif who == 1:
                    choice = f1(views[seat])
                elif who == 2:
                    choice = f2(views[seat])
                else:
                    choice = f3(views[seat])
                if choice < 0 or choice >= n_legal:
                    job.choice = choice
                    end = _ILLEGAL
                    break
            word = state.legal[choice]
            tile, pip, kind = word & _BYTE, word >> 8 & _BYTE, word >> 16 & _BYTE
            points, count = word >> 24 & _BYTE, word >> 32 & _BYTE
            table = lead_table(tile, arms) if kind == _LEADING else lay(table, word >> 40 & _BYTE, pip, kind, arms)
            arms = later_arms if IS_DOUBLE[tile] else arms
            ends, sides = pip_set(ends_of(table)), pip_set(lines_of(table) | arms_of(table))
            held &= ~(1 << tile)
            laid |= 1 << tile
            n_held -= 1 << 8 * seat
            state.held[seat], state.halves[seat] = held, halves & ~TILE_HALVES[tile]
            announce(rules, state, words, seat, word, n_drawn)
            tally.kind_placements[seat, kind] += 1
            tally.kind_points[seat, kind] += points
            tally.tile_placements[seat, tile] += 1
            tally.tile_points[seat, tile] += points
            tally.position_placements[seat, index(position)] += 1
            tally.position_points[seat, index(position)] += points
            tally.awards[seat, rules.award_class[points]] += 1
            position += 1
            passes = 0
            state.scores[side] += points
            if rules.has_voids and points >= rules.min_first_score:
                state.has_opened[side] = 1
            if rules.at_once and points > 0 and wins_at_once(rules, state, side):
                state.last_seat = seat
                end = _STOPPED
                break
            if held == 0:
                state.last_seat = seat
                end = _DOMINOED
                break
        seat = index(seat + 1) if seat + 1 < n_seats else index(0)
    state.n_placements, state.n_dealt = position, n_dealt
    return end


@njit(inline="always")
def play_game(f0, f1, f2, f3, rules, job, state, views, words, tally, law, games, n_games, trace):
    """Play a game: hands until one side has won, or the most hands are played. Returns a Status."""
    seating = job.seatings[job.rotation]
    fresh = 0 if job.is_paired else job.rotation + 1
    begin_game(rules, job, seating, state, views, words, fresh)
    leader = first_leader(rules)
    first_lead, first_tile = 0, 0
    winner = -1
    for hand in range(rules.max_hands):
        job.hand = state.hand = hand
        state.extension_hands += state.in_extension
        deal_hand(rules, job, state, words, fresh, leader)
        for side in range(rules.sides):
            state.before[side] = state.scores[side]
        end = play_hand(f0, f1, f2, f3, rules, job, seating, state, views, words, tally)
        if end == _ILLEGAL:
            return _ILLEGAL_CHOICE
        count_rests(rules, state)
        won_by = hand_winner(rules, state, end)
        settle(rules, state, won_by, end)
        leader = next_leader(rules, state, won_by, end)
        counting.count_hand(rules, state, tally, end, leader, law)
        if hand == 0:
            first_lead, first_tile = state.lead, state.turns[0] & _BYTE
            if games.size:
                for side in range(rules.sides):
                    games[n_games].first_change[side] = state.scores[side] - state.before[side]
        if trace.size:
            counting.trace_hand(rules, state, trace[hand], end)
        winner = game_winner(rules, state, end)
        if winner >= 0:
            break
    counting.count_game(rules, state, tally, winner, first_lead, first_tile)
    if games.size:
        counting.write_game(rules, state, games[n_games], job, winner, first_lead, first_tile)
    return _DONE


def play_blocks(f0, f1, f2, f3, jobs, states, views, words, tallies, laws, games, trace, stop):
    """Play all seatings of a line-up on a run of blocks.

    Parameters
    ----------
    f0, f1, f2, f3
        Strategies by position in the line-up, as first-class functions ``int64(VIEW)``.
    jobs, states
        JOB and STATE, shape (1,): what to play, and the kernel's memory.
    views, words
        VIEW and WORDS, shape (4,): two readings of the same memory.
    tallies
        TALLY, shape (n_rotations, 128): added to.
    laws
        int64, shape (n_rotations, LAW_SLOTS + 1): hash tables of hand outcomes, added to (see `counting`).
    games
        GAME, a row for each game in the order of blocks, then rotations; or empty.
    trace
        HAND, a row for each hand of the (only) game; or empty.
    stop
        int64, shape (1,): set to 1 from another thread, it ends the call before the next game.

    Returns
    -------
    int
        A Status; on ILLEGAL the job says where. An exception raised by a strategy comes out as it is.
    """
    job, state = jobs[0], states[0]
    rules = job.rules
    n_games = 0
    for block in range(job.first_block, job.end_block, job.step):
        for rotation in range(job.first_rotation, job.end_rotation):
            if stop[0]:
                return _CANCELLED
            job.block, job.rotation = block, rotation
            status = play_game(
                f0, f1, f2, f3, rules, job, state, views, words,
                tallies[rotation, block % N_GROUPS], laws[rotation], games, n_games, trace,
            )  # fmt: skip
            if status != _DONE:
                return status
            n_games += 1
    return _DONE


def _rows(dtype, n_dims):
    return types.Array(from_dtype(dtype), n_dims, "C")


@lru_cache(maxsize=1)
def load_kernel():
    """The compiled :func:`play_blocks`: from numba's disk cache, or compiled now (once for all line-ups)."""
    stamp = engine_stamp()

    # a closure variable is part of numba's cache key, and the stamp changes with any file of the package
    def kernel(f0, f1, f2, f3, jobs, states, views, words, tallies, laws, games, trace, stop):
        stamp  # noqa: B018
        return _play_blocks(f0, f1, f2, f3, jobs, states, views, words, tallies, laws, games, trace, stop)

    signature = types.int64(
        STRATEGY_TYPE, STRATEGY_TYPE, STRATEGY_TYPE, STRATEGY_TYPE,
        _rows(JOB, 1), _rows(STATE, 1), _rows(VIEW, 1), _rows(WORDS, 1),
        _rows(TALLY, 2), types.int64[:, ::1], _rows(GAME, 1), _rows(HAND, 1), types.int64[::1],
    )  # fmt: skip
    return compile_cached(signature, kernel)


_play_blocks = njit(play_blocks)
