"""The rules as the kernel reads them: one record of numbers and tables."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from fiveup_sim.engine.tallies import N_AWARDS
from fiveup_sim.engine.view import MAX_SEATS
from fiveup_sim.rules import MAX_COUNT, Rules
from fiveup_sim.rules.tiles import ALL_PIPS, N_TILES

COUNT_OFFSET = 8
"""The award table is indexed by count + 8: the kernel also forms the counts of placements that are not there."""
N_COUNTS = COUNT_OFFSET + MAX_COUNT + 12 + 1

LEADS = ("lot", "highest_double", "dominoed", "rotate", "same", "hand_winner")
LOT, HIGHEST_DOUBLE, DOMINOED, ROTATE, SAME, HAND_WINNER = range(6)
SETTLEMENTS = ("own", "winner", "winner_net", "none")
OWN, WINNER, WINNER_NET, NOTHING = range(4)
BLOCKED_WINNERS = ("none", "fewest_pips")
BLOCKED_TIES = ("nobody", "fewest_tiles")

RULES = np.dtype(
    [
        ("seats", "i8"),
        ("sides", "i8"),
        # looked up instead of divided for: divisions cost the kernel 4 %
        ("side", "i8", (4,)),  # by seat
        ("distance", "i8", (4, 4)),  # by seat and viewer: the seat as the viewer counts it
        ("side_seen", "i8", (4, 4)),  # by viewer and side as the viewer counts it: the side
        ("tiles_each", "i8"),
        ("first_lead", "i8"),  # code: index into LEADS
        ("next_lead", "i8"),
        ("blocked_lead", "i8"),
        ("first_arms", "i8"),  # side arms of the first double of a hand
        ("later_arms", "i8"),  # side arms of every later one
        ("arms_after_line", "i8"),  # truth
        ("min_first_score", "i8"),  # points
        ("max_draws", "i8"),  # tiles that may be drawn in one turn
        ("boneyard_reserve", "i8"),
        ("settlement", "i8"),  # code: index into SETTLEMENTS
        ("rounding_pooled", "i8"),  # truth
        ("blocked_winner", "i8"),  # truth: somebody wins a blocked hand
        ("blocked_tie", "i8"),  # truth: the fewest tiles decide a tie
        ("blocked_settlement", "i8"),  # truth
        ("target", "i8"),  # points
        ("at_once", "i8"),  # truth
        ("exact_target", "i8"),  # truth
        ("extension_needs_target", "i8"),  # truth
        ("max_hands", "i8"),
        ("has_voids", "i8"),  # truth: some awards may be void
        ("award", "i8", (N_COUNTS,)),  # by count + COUNT_OFFSET: the points and count fields of a placement's word
        ("points", "i1", (128,)),  # by count: as a view holds them
        ("award_class", "i8", (128,)),  # by points: class of the award in the tallies
        ("rests", "i8", (ALL_PIPS + 1,)),  # points for pips left at the end of a hand
    ]
)


@lru_cache(maxsize=256)
def _points(rules: Rules) -> np.ndarray:
    counts = np.arange(MAX_COUNT + 1)
    points = np.zeros_like(counts)
    for multiple in rules.scoring_multiples:
        unit = multiple if 3 in rules.scoring_multiples else rules.point_unit
        points += np.where(counts % multiple == 0, counts // unit, 0)
    return points


def award_table(rules: Rules) -> np.ndarray:
    """Points for a count under `rules`, by count: int8, shape (128,), as a view holds it."""
    table = np.zeros(128, np.int8)
    table[: MAX_COUNT + 1] = _points(rules)
    return table


def award_step(rules: Rules) -> int:
    """Points between two classes of awards in the tallies: 5 where counts score raw, else 1."""
    return 5 if rules.point_unit == 1 and rules.scoring_multiples == (5,) else 1


def rest_table(rules: Rules) -> np.ndarray:
    """Points for the pips left in a hand, by pips 0..168: int64, shape (169,)."""
    pips = np.arange(ALL_PIPS + 1)
    shift = {"nearest": 2, "up": 4, "down": 0}
    rounded = pips if rules.rounding == "none" else (pips + shift[rules.rounding]) // 5 * 5
    return rounded // rules.point_unit


def rules_record(rules: Rules) -> np.ndarray:
    """`rules` as the kernel reads them.

    Returns
    -------
    numpy.ndarray
        Of dtype RULES, shape (1,).
    """
    record = np.zeros(1, RULES)
    seats = np.arange(MAX_SEATS)
    numbers = {
        "seats": rules.seats,
        "sides": rules.n_sides,
        "side": seats % rules.n_sides,
        "distance": (seats[:, None] - seats) % rules.seats,
        "side_seen": (seats[:, None] + seats) % rules.n_sides,
        "first_lead": LEADS.index(rules.first_lead),
        "next_lead": LEADS.index(rules.next_lead),
        "blocked_lead": LEADS.index(rules.blocked_lead),
        "first_arms": 0 if rules.spinners == "none" else 2,
        "later_arms": 2 if rules.spinners == "all" else 0,
        "max_draws": {"until_playable": N_TILES, "one": 1, "none": 0}[rules.draw],
        "settlement": SETTLEMENTS.index(rules.settlement),
        "blocked_winner": BLOCKED_WINNERS.index(rules.blocked_winner),
        "blocked_tie": BLOCKED_TIES.index(rules.blocked_tie),
        "at_once": rules.target_check == "at_once",
        "has_voids": rules.exact_target or rules.min_first_score > 0,
        "points": award_table(rules),
        "rests": rest_table(rules),
        "award_class": np.minimum(np.arange(128) // award_step(rules), N_AWARDS - 1),
    }
    for name in RULES.names:
        if name != "award":
            record[name] = numbers.get(name, getattr(rules, name, None))
    counts = np.arange(N_COUNTS) - COUNT_OFFSET
    points = award_table(rules).astype(np.int64)[np.clip(counts, 0, 127)]
    record["award"] = np.where(counts >= 0, points << 24 | counts << 32, 0)
    return record
