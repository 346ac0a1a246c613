"""The named rule sets: what each changes against Five Up, and where every value comes from.

Each function takes the number of seats and gives the fields in which its game differs from the defaults of
:class:`fiveup_sim.rules.Rules`, which are Five Up. Values that no source gives are marked as assumptions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Changes = dict[str, Any]


def five_up(seats: int) -> Changes:
    """Five Up, the main form.

    Source: pagat.com's description, in two language editions.

    ``tiles_each`` 5 for any number of seats, partnerships with 4 seats; the first leader and the leader after a
    blocked hand by lot, else who dominoed leads; every double is a spinner, arms only after both line sides;
    positive multiples of five score a fifth; one draws until a tile can be laid, the whole boneyard;
    each seat's rest is rounded to the nearest five and taken off its own side, after blocked hands too;
    61 points, asked after the settlement of a whole hand; ties at the top play on, one whole hand after another.
    Assumptions: ``extension_needs_target`` False (the source says "until one is alone at the top" and does not
    ask for the target again) and ``max_hands``, which no table needs and a simulation does.
    """
    return {}


def all_fives(seats: int) -> Changes:
    """All Fives as the site dominos.cc plays it.

    Source: its rules page in German.

    ``tiles_each`` 7, 6, 5 for 2, 3, 4 seats; who holds the highest double leads every hand with it, nobody
    has one: the heaviest tile; only the first double of a hand spins, above and below as soon as it lies there
    (the text puts no condition, hence ``arms_after_line`` False); counts score raw; draw until a tile fits;
    the winner of a hand gains each opponent's pips, each rounded to the nearest five; a blocked hand is won by
    the fewest pips, then the fewest tiles; to 150. Assumptions: no partnerships with 4 seats, the target is
    asked after the settlement, ties at the top play on as in Five Up.
    """
    return {
        "tiles_each": {2: 7, 3: 6, 4: 5}[seats],
        "partnership": False,
        "first_lead": "highest_double",
        "next_lead": "highest_double",
        "blocked_lead": "highest_double",
        "spinners": "first",
        "arms_after_line": False,
        "point_unit": 1,
        "settlement": "winner",
        "blocked_winner": "fewest_pips",
        "blocked_tie": "fewest_tiles",
        "target": 150,
    }


def muggins(seats: int) -> Changes:
    """Muggins: All Fives without a spinner.

    Sources: older books (R. F. Foster, Britannica).

    From the sources: doubles open no arms and count both halves at an end, counts score raw, multiples of five.
    Assumptions, taken from :func:`all_fives`: everything else.
    """
    return {**all_fives(seats), "spinners": "none", "arms_after_line": True}


def all_fives_pagat(seats: int) -> Changes:
    """All Fives as pagat.com describes it.

    ``tiles_each`` 9, 7, 5 for 2, 3, 4 seats, partnerships with 4; the first double spins, arms after both line
    sides; first lead by lot, then the winner of the hand leads; the winner gains the pips of all opponents
    together, rounded once; to 61 in units of five. Assumptions: a blocked hand is won by the fewest pips
    (nobody in a tie, and then the lot decides the lead).
    """
    return {
        "tiles_each": {2: 9, 3: 7, 4: 5}[seats],
        "spinners": "first",
        "blocked_lead": "hand_winner",
        "settlement": "winner",
        "rounding_pooled": True,
        "blocked_winner": "fewest_pips",
    }


def fives_and_threes(seats: int) -> Changes:
    """Fives and Threes: a point for every three and every five in a count.

    Multiples of 3 score a third, of 5 a fifth, of 15 both; 7 tiles each with 2 seats, 6 with 3, 5 with 4;
    no spinner; to 61 exactly. Assumptions: rests do not count (``settlement`` none), who dominoed leads, blocked
    hands are led by lot, the target ends the game at once, as pubs play it.
    """
    return {
        "tiles_each": {2: 7, 3: 6, 4: 5}[seats],
        "spinners": "none",
        "scoring_multiples": (3, 5),
        "settlement": "none",
        "target_check": "at_once",
        "exact_target": True,
    }


def draw(seats: int) -> Changes:
    """The Draw game: only the winner of a hand scores, the pips of the others.

    The source (the site of :func:`all_fives`) says no more than the name and the target of 100. Assumptions, the
    common form: 7, 6, 5 tiles, no spinner, draw until a tile fits, the winner gains the unrounded pips of all
    opponents, the fewest pips win a blocked hand, leads as in :func:`all_fives`.
    """
    return {
        **all_fives(seats),
        "spinners": "none",
        "arms_after_line": True,
        "scoring_multiples": (),
        "rounding": "none",
        "target": 100,
    }


def block(seats: int) -> Changes:
    """The Block game: the Draw game without drawing.

    The same source and the same assumptions as for :func:`draw`.
    """
    return {**draw(seats), "draw": "none"}


PRESETS: dict[str, Callable[[int], Changes]] = {
    preset.__name__: preset
    for preset in (five_up, all_fives, muggins, all_fives_pagat, fives_and_threes, draw, block)
}
"""The presets by name."""
