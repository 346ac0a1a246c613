"""The joint law of a hand's outcome, read from the cells that the kernel counts.

All seatings of a line-up with two sides are the same table turned round, and no strategy knows at which seat it
sits. So every cell is turned back to seating 0, and all of them count for one law.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fiveup_sim.engine.tallies import N_LAW_GROUPS, unpack_law

if TYPE_CHECKING:
    from fiveup_sim.rules import Rules
    from fiveup_sim.tournament.match_results import MatchResults

_BY_LOT = 4


@dataclass(frozen=True)
class HandLaw:
    """Outcomes of hands, each once, with how often they were seen.

    Leaders are classes: the side that leads, where partners are alike; the seat, where they differ; one class for
    all where the deal decides who leads every hand.
    """

    n_leads: int
    """Number of classes of leaders."""
    lead: np.ndarray
    """int64, shape (n,): class of the leader."""
    next: np.ndarray
    """int64, shape (n,): class that leads the next hand; ``n_leads`` if a lot decides, evenly."""
    change: np.ndarray
    """int64, shape (n, 2): score changes by side of seating 0, in units of `step`."""
    step: int
    """Points: every score change is a multiple of this."""
    counts: np.ndarray
    """int64, shape (n, 32): hands by group of blocks."""

    def hands(self) -> np.ndarray:
        """Hands by class of the leader and group: int64, shape (n_leads, 32)."""
        hands = np.zeros((self.n_leads, self.counts.shape[1]), np.int64)
        np.add.at(hands, self.lead, self.counts)
        return hands

    def chances(self) -> np.ndarray:
        """Probability of each outcome given its leader: float64, shape (n,)."""
        return self.counts.sum(1) / self.hands().sum(1)[self.lead]


def read_hand_law(match: MatchResults, rules: Rules) -> HandLaw:
    """The law of the hands of one line-up, under rules that let hands be independent given who leads.

    Parameters
    ----------
    match
        A line-up of two sides.
    rules
        The rules it was played under.

    Returns
    -------
    HandLaw
    """
    law = match.law
    parts = unpack_law(law["key"])
    seatings = np.asarray(match.line_up.seatings)
    turns, period = _turns(seatings)
    n_leads = 1 if rules.first_lead == "highest_double" else max(period, 2)
    # a table of one strategy is its own mirror image: each hand counts as seen from both sides
    images = [turns[law["rotation"]] + image for image in range(max(1, 2 // period))]
    columns = [_turned(parts, turn, n_leads) for turn in images]
    rows = np.concatenate([np.stack(column, axis=1) for column in columns])
    keys, at = np.unique(rows, axis=0, return_inverse=True)
    counts = np.zeros((len(keys), N_LAW_GROUPS), np.int64)
    np.add.at(counts, (at.ravel(), np.tile(law["group"], len(images))), np.tile(law["count"], len(images)))
    step = max(1, int(np.gcd.reduce(keys[:, 2:], axis=None)))
    return HandLaw(n_leads, keys[:, 0], keys[:, 1], keys[:, 2:] // step, step, counts)


def _turns(seatings: np.ndarray) -> tuple[np.ndarray, int]:
    """Seats by which each seating is turned against seating 0, shape (n_rotations,); and after how many it repeats."""
    turned = np.array([np.roll(seatings[0], turn) for turn in range(seatings.shape[1])])
    is_same = (seatings[:, None, :] == turned[None]).all(2)
    period = next(turn for turn in (1, 2, 4) if (np.roll(seatings[0], turn) == seatings[0]).all())
    return is_same.argmax(1), period


def _turned(parts: dict[str, np.ndarray], turn: np.ndarray, n_leads: int) -> list[np.ndarray]:
    """Cells as seating 0 would have counted them: leader, next leader, both score changes."""
    is_swapped = turn % 2 == 1
    by_lot = parts["next"] == _BY_LOT
    return [
        (parts["lead"] - turn) % n_leads,
        np.where(by_lot, n_leads, (parts["next"] - turn) % n_leads),
        np.where(is_swapped, parts["change1"], parts["change0"]),
        np.where(is_swapped, parts["change0"], parts["change1"]),
    ]
