"""All that is points: awards, rests, settlement, who leads next, and when a game is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fiveup_sim.rules import Rules
from fiveup_sim.rules.tiles import HIGH, PIPS, is_double


class HandResult(NamedTuple):
    """How a hand ended, as far as settlement and the next lead need it."""

    end: str
    """``dominoed``, ``blocked``, or ``stopped`` where an award ended the game."""
    leader: int
    """Seat that led the hand."""
    dominoed: int | None
    """Seat that laid its last tile; None if nobody did."""
    left: tuple[int, ...]
    """Pips held at the end, by seat."""
    n_held: tuple[int, ...]
    """Tiles held at the end, by seat."""


class Lead(NamedTuple):
    """Who has to lead a hand, and with what."""

    seat: int | None
    """None: drawn by lot."""
    tile: int | None
    """None: any tile held."""


def award(rules: Rules, count: int) -> int:
    """Points that `count` is worth after a placement, before any rule makes an award void.

    With multiples 3 and 5 a count scores a point for every three and every five in it, whatever the unit.
    """
    if rules.scoring_multiples == (3, 5):
        return sum(count // multiple for multiple in (3, 5) if count % multiple == 0)
    if rules.scoring_multiples == (5,) and count % 5 == 0:
        return count // rules.point_unit
    return 0


def rest_points(rules: Rules, pips: int) -> int:
    """Points that a rest of `pips` (not negative) is worth: rounded to a multiple of five, in the rules' unit."""
    rounded = {
        "nearest": (pips + 2) // 5 * 5,
        "up": (pips + 4) // 5 * 5,
        "down": pips // 5 * 5,
        "none": pips,
    }[rules.rounding]
    return rounded // rules.point_unit


def hand_winner(rules: Rules, result: HandResult) -> int | None:
    """The side that won the hand; None if nobody did."""
    if result.dominoed is not None:
        return rules.side(result.dominoed)
    if rules.blocked_winner == "none":
        return None
    pips = _by_side(rules, result.left)
    fewest = [side for side in range(rules.n_sides) if pips[side] == min(pips)]
    if rules.blocked_tie == "fewest_tiles":
        n_held = _by_side(rules, result.n_held)
        fewest_tiles = min(n_held[side] for side in fewest)
        fewest = [side for side in fewest if n_held[side] == fewest_tiles]
    return fewest[0] if len(fewest) == 1 else None


def settlement(rules: Rules, result: HandResult) -> list[int]:
    """What the hand's rests change, by side, before any rule makes a gain void."""
    if result.end == "stopped" or (result.end == "blocked" and not rules.blocked_settlement):
        return [0] * rules.n_sides
    if rules.settlement == "own":
        return [-_rests(rules, _of_side(rules, result.left, side)) for side in range(rules.n_sides)]
    winner = hand_winner(rules, result)
    gains = [0] * rules.n_sides
    if winner is not None and rules.settlement != "none":
        own = _of_side(rules, result.left, winner)
        others = [pips for seat, pips in enumerate(result.left) if rules.side(seat) != winner]
        gains[winner] = _rests(rules, others) if rules.settlement == "winner" else _net(rules, others, own)
    return gains


def next_lead(rules: Rules, last: HandResult | None, held: Sequence[set[int]]) -> Lead:
    """Who has to lead a hand dealt as `held`, by seat, after the hand `last` (None: the first hand of a game)."""
    rule = rules.first_lead
    if last is not None:
        rule = rules.next_lead if last.end == "dominoed" else rules.blocked_lead
    if rule == "highest_double":
        return _highest_double(held)
    if last is None or rule == "lot":
        return Lead(None, None)
    seats = {"dominoed": last.dominoed, "rotate": (last.leader + 1) % rules.seats, "same": last.leader}
    return Lead(seats[rule] if rule in seats else _winning_seat(rules, last), None)


class Scoreboard:
    """The scores of a game in progress, and whether it is over.

    Parameters
    ----------
    rules
        Rules of the game.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.scores = [0] * rules.n_sides
        self.n_hands = 0
        self.extension_hands = 0
        self.in_extension = False
        """Whether the top was shared, at the target or above, after some hand."""
        self.winner: int | None = None
        """Side that won the game; None while it goes on, and if it ends unfinished."""
        self._opened = [False] * rules.n_sides

    @property
    def is_over(self) -> bool:
        """Whether somebody won, or all hands a game may have are played."""
        return self.winner is not None or self.n_hands >= self.rules.max_hands

    def begin_hand(self) -> None:
        """Count one more hand."""
        self.n_hands += 1
        self.extension_hands += self.in_extension

    def award(self, seat: int, points: int) -> int:
        """Give the side of `seat` the `points` of a placement; returns what it really gets, 0 if they are void.

        Where the target is asked at once, this may end the game.
        """
        side = self.rules.side(seat)
        too_small = not self._opened[side] and points < self.rules.min_first_score
        if points == 0 or too_small or self._overshoots(side, points):
            return 0
        self._opened[side] = True
        self.scores[side] += points
        if self.rules.target_check == "at_once" and (not self.in_extension or self.rules.extension_needs_target):
            reached = self.scores[side] >= self.rules.target
            self.winner = side if reached and self._alone_highest() == side else None
        return points

    def end_hand(self, result: HandResult) -> None:
        """Settle the hand and ask whether the game is over; a stopped hand has ended it already."""
        if result.end == "stopped":
            return
        for side, gain in enumerate(settlement(self.rules, result)):
            if not self._overshoots(side, gain):
                self.scores[side] += gain
        alone = self._alone_highest()
        reached = max(self.scores) >= self.rules.target
        if reached or (self.in_extension and not self.rules.extension_needs_target):
            self.winner = alone
        self.in_extension = self.in_extension or (reached and alone is None)

    def _alone_highest(self) -> int | None:
        best = max(self.scores)
        return self.scores.index(best) if self.scores.count(best) == 1 else None

    def _overshoots(self, side: int, gain: int) -> bool:
        return self.rules.exact_target and gain > 0 and self.scores[side] + gain > self.rules.target


def _by_side(rules: Rules, by_seat: Sequence[int]) -> list[int]:
    return [sum(_of_side(rules, by_seat, side)) for side in range(rules.n_sides)]


def _of_side(rules: Rules, by_seat: Sequence[int], side: int) -> list[int]:
    return [value for seat, value in enumerate(by_seat) if rules.side(seat) == side]


def _rests(rules: Rules, rests: list[int]) -> int:
    if rules.rounding_pooled:
        return rest_points(rules, sum(rests))
    return sum(rest_points(rules, pips) for pips in rests)


def _net(rules: Rules, others: list[int], own: list[int]) -> int:
    if rules.rounding_pooled:
        return rest_points(rules, max(0, sum(others) - sum(own)))
    return max(0, _rests(rules, others) - _rests(rules, own))


def _highest_double(held: Sequence[set[int]]) -> Lead:
    dealt = set().union(*held)
    doubles = [tile for tile in dealt if is_double(tile)]
    tile = max(doubles) if doubles else max(dealt, key=lambda tile: (PIPS[tile], HIGH[tile]))
    return Lead(next(seat for seat, tiles in enumerate(held) if tile in tiles), tile)


def _winning_seat(rules: Rules, last: HandResult) -> int | None:
    """The seat that leads for the side that won a blocked hand; None: nobody won, the lot decides."""
    winner = hand_winner(rules, last)
    if winner is None:
        return None
    clockwise = [(last.leader + step) % rules.seats for step in range(1, rules.seats + 1)]
    return min((seat for seat in clockwise if rules.side(seat) == winner), key=lambda seat: last.left[seat])
