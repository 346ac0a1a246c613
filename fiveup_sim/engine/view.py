"""What a strategy may see: the records LEGAL, TURN and VIEW.

A view holds what a player at the table knows and nothing hidden. Seats are relative: 0 is the seat that is asked,
1 the next one clockwise, and so on (with partnerships the partner is 2); sides likewise, 0 is the own side.

The kernel sees the same memory as 64-bit words, so that one store writes eight small fields: every row of the
tables below is such a word. Fields are signed bytes, which take part in integer arithmetic without surprises.
"""

from __future__ import annotations

import numpy as np

MAX_SEATS = 4
MAX_LEGAL = 126
"""Legal placements at once: a half can be laid on an END, a LINE and an ARM; there are 42 halves of singles, and a
pip with lines or arms has its double on the table, so that a held double never adds to all three."""
MAX_TURNS = 120
"""Turns of a hand, the longest with 4 seats and 2 tiles each: 25 placements (the other seats keep a tile), up to 20
turns that draw and pass, and up to 3 passes between two placements once nothing can be drawn: 117."""
N_PARAMS = 16
N_SCRATCH = 64

LEGAL = np.dtype(
    [
        ("tile", "i1"),  # tile id
        ("pip", "i1"),  # pip matched; -1 for a lead
        ("kind", "i1"),  # END, LINE, ARM or LEAD
        ("points", "i1"),  # points it is awarded
        ("count", "i1"),  # count of the table after it
        ("pips", "i1"),  # pips of the tile
        ("_", "i1", (2,)),
    ]
)
"""A legal placement."""

TURN = np.dtype(
    [
        ("tile", "i1"),  # tile laid; -1 for a pass
        ("pip", "i1"),  # pip matched; -1 for a lead or a pass
        ("kind", "i1"),  # END, LINE, ARM, LEAD or PASS
        ("points", "i1"),  # points awarded
        ("count", "i1"),  # count of the table after the turn
        ("pips", "i1"),  # pips of the tile; 0 for a pass
        ("seat", "i1"),  # seat whose turn it was (relative)
        ("n_drawn", "i1"),  # tiles it drew first
    ]
)
"""A turn of the hand: tiles drawn, then a placement or a pass."""

_FIELDS = [
    # one word, written at each question
    ("n_legal", "i1"),  # legal placements, at least 2: without a choice nobody is asked
    ("n_turns", "i1"),  # turns played in this hand
    ("count", "i1"),  # count of the table
    ("n_boneyard", "i1"),  # tiles in the boneyard
    ("double_arms", "i1"),  # side arms that a double laid now would have: 2 or 0
    ("_0", "i1", (3,)),
    # one word, written once a hand
    ("n_seats", "i1"),
    ("n_sides", "i1"),
    ("lead", "i1"),  # seat that leads this hand
    ("arms_after_line", "i1"),  # 1: arms open once both line sides are used; 0: at once
    ("_1", "i1", (4,)),
    # one word, written once a hand
    ("hand", "i4"),  # number of this hand in the game, from 0
    ("target", "i4"),  # points that end the game
    # sets of tiles: bit t is set when tile t is in it
    ("held", "i8"),  # own tiles
    ("laid", "i8"),  # tiles on the table
    ("unseen", "i8"),  # all others: held by other seats, or in the boneyard
    # free places of the table by pip
    ("ends", "i1", (7,)),  # outer halves of singles
    ("_2", "i1"),
    ("lines", "i1", (7,)),  # free line sides of the double
    ("_3", "i1"),
    ("arms", "i1", (7,)),  # side arms of the double not yet started (open or not: see arms_after_line)
    ("_4", "i1"),
    # what is known of each seat
    ("n_held", "i1", (4,)),  # tiles held
    # set of pips: bit p is set when the seat has shown, by drawing or passing, that it holds no tile with pip p (a
    # playable tile that it draws is laid at once, and does not count)
    ("lacks", "i1", (4,)),
    ("scores", "i4", (4,)),  # scores by side, this hand's awards included
    ("rng", "u8"),  # state of this seat's random stream: see `below`, `uniform`
    # lists
    ("legal", LEGAL, (MAX_LEGAL + 2,)),  # legal placements, [0, n_legal), in the order of the rules
    ("turns", TURN, (MAX_TURNS,)),  # turns of this hand, [0, n_turns), oldest first
    ("award", "i1", (128,)),  # points for a count under these rules, by count
    ("params", "f8", (N_PARAMS,)),  # the strategy's parameters, in the order it names them
    ("scratch", "i8", (N_SCRATCH,)),  # the strategy's own memory, zero at the start of each game
]

VIEW = np.dtype(_FIELDS)
"""What a strategy sees when it is asked for a placement."""

WORDS = np.dtype(
    [
        ("now", "i8"),
        ("game", "i8"),
        ("hand", "i8"),
        ("held", "i8"),
        ("laid", "i8"),
        ("unseen", "i8"),
        ("ends", "i8"),
        ("lines", "i8"),
        ("arms", "i8"),
        ("seats", "i8"),
        ("scores", "i8", (2,)),
        ("rng", "u8"),
        ("legal", "i8", (MAX_LEGAL + 2,)),
        ("turns", "i8", (MAX_TURNS,)),
        ("award", "i1", (128,)),
        ("params", "f8", (N_PARAMS,)),
        ("scratch", "i8", (N_SCRATCH,)),
    ]
)
"""The same memory as the kernel writes it."""

PUBLIC_FIELDS = tuple(name for name in VIEW.names if not name.startswith("_"))
"""Names of the fields of a view."""
LEGAL_FIELDS = tuple(name for name in LEGAL.names if not name.startswith("_"))
"""Names of the fields of a legal placement."""
