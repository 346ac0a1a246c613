"""The records that cross into the kernel and that it works on."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from fiveup_sim.engine.rulebook import RULES
from fiveup_sim.engine.view import MAX_LEGAL, MAX_SEATS, MAX_TURNS, N_PARAMS
from fiveup_sim.rules.tiles import N_TILES

MAX_ROTATIONS = 6
"""Seatings of a line-up: cyclic rotations, for three sides all permutations."""


class End(IntEnum):
    """How a hand ended, or why it could not."""

    DOMINOED = 0
    """A seat laid its last tile."""
    BLOCKED = 1
    """Nothing can be drawn and no seat can play."""
    STOPPED = 2
    """An award reached the target and the rules end the game at once."""
    ILLEGAL = 3
    """A strategy returned an index outside its list of legal placements."""


class Status(IntEnum):
    """How a call of the kernel ended."""

    DONE = 0
    """Every block was played."""
    ILLEGAL = 1
    """A strategy returned an index outside its list; the job says which."""
    CANCELLED = 2
    """The stop flag was set."""


JOB = np.dtype(
    [
        ("rules", RULES),
        ("seed", "u8"),
        ("first_block", "i8"),
        ("end_block", "i8"),  # first block not to play
        ("step", "i8"),  # blocks first_block, first_block + step, ... are played
        ("first_rotation", "i8"),
        ("end_rotation", "i8"),  # first rotation not to play
        ("is_paired", "i8"),  # truth: all seatings of a block share its deals
        ("seatings", "i8", (MAX_ROTATIONS, MAX_SEATS)),  # position in the line-up, by rotation and seat
        ("params", "f8", (MAX_SEATS, N_PARAMS)),  # parameters, by position in the line-up
        # where the kernel is: says where a strategy failed
        ("block", "i8"),
        ("rotation", "i8"),
        ("hand", "i8"),
        ("seat", "i8"),
        ("choice", "i8"),  # illegal index returned
        ("n_legal", "i8"),
    ]
)
"""What the kernel is asked to play, shape (1,)."""

STATE = np.dtype(
    [
        # of the game
        ("scores", "i8", (MAX_SEATS,)),  # by side
        ("has_opened", "i8", (MAX_SEATS,)),  # truth by side: an award reached min_first_score
        ("streams", "u8", (MAX_SEATS,)),  # random word by seat
        ("in_extension", "i8"),  # truth
        ("extension_hands", "i8"),
        # of the hand
        ("hand", "i8"),
        ("lead", "i8"),  # seat
        ("lead_tiles", "i8"),  # tiles that may be led
        ("deck", "i8", (N_TILES,)),  # tiles in the order in which they are dealt and drawn, as far as they are
        ("n_dealt", "i8"),  # tiles dealt and drawn (set at the end of the hand)
        ("random", "u8", (4,)),  # random bits left for the rest of the deck
        ("held", "i8", (MAX_SEATS,)),  # set of tiles by seat
        ("halves", "i8", (MAX_SEATS,)),  # the same as a set of halves
        ("legal", "i8", (MAX_LEGAL + 2,)),  # the kernel's own list: a strategy may scribble on its view
        ("turns", "i8", (MAX_TURNS,)),  # words of TURN, with seats of the table
        ("n_turns", "i8"),
        ("n_placements", "i8"),
        ("last_seat", "i8"),  # seat of the last turn
        ("rests", "i8", (MAX_SEATS,)),  # pips left by seat
        ("before", "i8", (MAX_SEATS,)),  # scores before the hand, by side
        ("settled", "i8", (MAX_SEATS,)),  # score changes by settlement, by side
    ]
)
"""The kernel's own memory of a game, shape (1,)."""

HAND = np.dtype(
    [
        ("deck", "i1", (N_TILES,)),
        ("lead", "i1"),  # seat
        ("end", "i1"),  # End
        ("last_seat", "i1"),
        ("n_turns", "i1"),
        ("turns", "i8", (MAX_TURNS,)),  # words of TURN, with seats of the table
        ("rests", "i4", (MAX_SEATS,)),  # pips left by seat
        ("change", "i4", (MAX_SEATS,)),  # score changes of the hand by side
        ("scores", "i4", (MAX_SEATS,)),  # scores after it by side
    ]
)
"""One row a hand: the trace of a game, on request."""
