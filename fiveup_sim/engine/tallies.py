"""What the kernel counts: integers only, so that totals do not depend on order, workers or blocks in flight.

One :data:`TALLY` is kept for each seating of a line-up and each group of blocks. Sums by group are all that errors
and covariances between blocks are formed from; memory does not grow with the number of games.
"""

from __future__ import annotations

import numpy as np

N_GROUPS = 128
"""Blocks with equal index modulo this are one group."""
N_LAW_GROUPS = 32
"""The joint law of hand outcomes is kept by block index modulo this."""
LAW_SLOTS = 1 << 16
"""Slots of the table of hand outcomes of one law group; at most 7/8 are used."""
N_AWARDS = 64
"""Classes of awards: points / award_step of the rules, at most 62."""
N_GAME_HANDS = 128
"""Classes of game lengths: hands, the last for all longer games."""

TALLY = np.dtype(
    [
        # games
        ("games", "i8"),
        ("wins", "i8", (4,)),  # by side
        ("unfinished", "i8"),
        ("extension_games", "i8"),  # games with at least one tie at the top
        ("extension_hands", "i8"),
        ("game_hands", "i8", (N_GAME_HANDS,)),  # games by number of hands; the last class holds all longer ones
        ("place_games", "i8", (4, 7)),  # finished games by side and place; class i is place 1 + i / 2
        ("place_score", "i8", (4, 7)),  # final scores, likewise
        ("place_score2", "i8", (4, 7)),  # their squares
        ("first_led", "i8", (4,)),  # games by the seat that leads their first hand
        ("first_led_wins", "i8", (4, 4)),  # of those, won: by leading seat and winning side
        # hands
        ("hands", "i8"),
        ("blocked", "i8"),
        ("stopped", "i8"),  # ended by an award that reached the target
        ("dominoed", "i8", (4,)),  # by seat
        ("led", "i8", (4,)),  # by the seat that leads
        ("led_dominoed", "i8", (4,)),  # of those, dominoed by their leader
        ("led_change", "i8", (4, 4)),  # score changes of whole hands, by leading seat and side
        ("change", "i8", (4,)),  # score changes of whole hands, by side
        ("change2", "i8", (4, 4)),  # their squares and cross products, by pairs of sides
        ("settlement", "i8", (4,)),  # score changes by settlement, by side
        ("rests", "i8", (4,)),  # pips left at the end of a hand, by seat
        ("draws", "i8", (4,)),  # tiles drawn, by seat
        ("passes", "i8", (4,)),  # by seat
        ("hand_placements", "i8", (29,)),  # hands by number of placements
        # placements, and points awarded for them
        ("kind_placements", "i8", (4, 4)),  # by seat and kind (END, LINE, ARM, LEAD)
        ("kind_points", "i8", (4, 4)),
        ("tile_placements", "i8", (4, 28)),  # by seat and tile
        ("tile_points", "i8", (4, 28)),
        ("position_placements", "i8", (4, 28)),  # by seat and position in the hand (class 0 is the lead)
        ("position_points", "i8", (4, 28)),
        ("awards", "i8", (4, N_AWARDS)),  # placements by seat and award; class i is i * award_step points
        # leads by tile
        ("lead_hands", "i8", (28,)),  # hands led with the tile
        ("lead_points", "i8", (28,)),  # points awarded for the lead
        ("lead_dominoed", "i8", (28,)),  # dominoed by their leader
        ("lead_change", "i8", (28,)),  # score change of the leader's side in these hands
        ("lead_change_others", "i8", (28,)),  # score changes of all other sides together
        ("lead_games", "i8", (28,)),  # games whose first hand was led with the tile
        ("lead_wins", "i8", (28,)),  # of those, won by the leader's side
        ("law_lost", "i8"),  # hand outcomes that found no slot (the law is unusable if this is not 0)
    ]
)
"""Counts of one seating of a line-up over one group of blocks. Seats and sides are those of the table."""

GAME = np.dtype(
    [
        ("block", "i8"),
        ("rotation", "i4"),  # which seating of the line-up
        ("hands", "i4"),
        ("extension_hands", "i4"),
        ("winner", "i1"),  # side; -1 if unfinished
        ("first_lead", "i1"),  # seat
        ("first_tile", "i1"),  # tile led in the first hand
        ("_", "i1"),
        ("scores", "i4", (4,)),  # final scores, by side
        ("first_change", "i4", (4,)),  # score changes of the first hand, by side
    ]
)
"""One row a game, on request."""

LAW = np.dtype(
    [
        ("rotation", "i4"),
        ("group", "i4"),  # block index modulo 32
        ("key", "i8"),  # hand outcome: see `unpack_law`
        ("count", "i8"),  # hands
    ]
)
"""A cell of the joint law of hand outcomes (two sides)."""

LAW_OFFSET = 4096
"""Score changes of a hand are within +-(28 awards of at most 118, and 168 pips): +-3472."""


def unpack_law(keys: np.ndarray) -> dict[str, np.ndarray]:
    """Split the keys of hand outcomes into their parts.

    Parameters
    ----------
    keys
        int64, shape (n,); ``((lead * 5 + next) * 8192 + change0 + 4096) * 8192 + change1 + 4096``.

    Returns
    -------
    dict
        ``lead`` (seat), ``next`` (seat that leads the next hand, or 4: decided by lot), ``change0`` and
        ``change1`` (score changes of both sides), each int64 of shape (n,).
    """
    leads, changes = keys >> 26, keys & ((1 << 26) - 1)
    return {
        "lead": leads // 5,
        "next": leads % 5,
        "change0": (changes >> 13) - LAW_OFFSET,
        "change1": (changes & 8191) - LAW_OFFSET,
    }
