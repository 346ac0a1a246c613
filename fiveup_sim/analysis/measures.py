"""All measures of a run in one stack: what runs under different rules are compared by.

A :class:`Measures` is small whatever was played, so that hundreds of rule sets can be kept side by side.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fiveup_sim.analysis import groups
from fiveup_sim.analysis.groups import Sums
from fiveup_sim.analysis.intervals import share
from fiveup_sim.analysis.metrics import METRICS, metric_sums

if TYPE_CHECKING:
    from fiveup_sim.rules import Rules
    from fiveup_sim.tournament.match_results import MatchResults
    from fiveup_sim.tournament.results import Results

ALL = "all"
"""Stands for all line-ups together."""

_PLACES = ("first", "second", "third", "fourth")

MEANINGS = {
    **{name: metric.means for name, metric in METRICS.items()},
    **{f"{place}_score": f"final score of the {place} side, finished games" for place in _PLACES},
    "lead_points_ahead": "points of the leader's side less the mean of the others, per hand",
    "first_lead_win_rate": "share of games won by the side that led the first hand",
    "first_seat_win_rate": "share of games won by the side of seat 0",
    "win_rate": "games won / games, by strategy",
    "points_per_hand": "points of the own side per hand, settlement included, by strategy",
}
"""Every measure, with what it is in one line."""


class Key(NamedTuple):
    """Which figure it is."""

    measure: str
    """One of :data:`MEANINGS`."""
    line_up: str
    """Label of a line-up, or :data:`ALL`."""
    strategy: str
    """Label of a strategy; empty: whoever played."""


@dataclass(frozen=True)
class Measures:
    """Figures of one run, each a ratio of sums by group of blocks."""

    labels: tuple[str, ...]
    """The strategies."""
    keys: tuple[Key, ...]
    """Which figure each row is."""
    is_share: np.ndarray
    """bool, shape (n_keys,): figures between 0 and 1."""
    sums: Sums
    """Their sums, shape (n_keys, 128)."""
    digest: str
    """Equal digests: no game differed, as far as the counts of every group of blocks can tell."""

    @classmethod
    def of(cls, results: Results) -> Measures:
        """The measures of a match or of several line-ups."""
        rows = [*_rows(results)]
        num, den, units = (np.array([getattr(sums, name) for _, sums, _ in rows]) for name in ("num", "den", "units"))
        keys = tuple(key for key, _, _ in rows)
        is_share = np.array([is_share for _, _, is_share in rows])
        return cls(results.labels, keys, is_share, Sums(num, den, units), _digest(results.matches))

    def chosen(self, keys: Sequence[Key]) -> Measures:
        """The rows of these keys, in this order."""
        at = [self.keys.index(key) for key in keys]
        sums = Sums(self.sums.num[at], self.sums.den[at], self.sums.units[at])
        return Measures(self.labels, tuple(keys), self.is_share[at], sums, self.digest)


def _rows(results: Results) -> Iterator[tuple[Key, Sums, bool]]:
    scopes = {ALL: results.matches}
    if len(results.matches) > 1:
        scopes |= {match.line_up.label: (match,) for match in results.matches}
    for line_up, matches in scopes.items():
        for name, metric in METRICS.items():
            yield Key(name, line_up, ""), metric_sums(matches, results.paired, name), metric.interval is share
        yield from _rows_of_sides(matches, results, line_up)
    yield from _rows_of_strategies(results)


def _rows_of_sides(matches: Sequence[MatchResults], results: Results, line_up: str) -> Iterator[tuple[Key, Sums, bool]]:
    rules, pooled = results.rules, groups.pooled
    n_sides, seats = rules.n_sides, range(rules.seats)
    n_games, n_hands = (groups.n_deals(matches, results.paired, name) for name in ("games", "hands"))
    place_games, scores = pooled(matches, "place_games").sum(0), pooled(matches, "place_score").sum(0)
    for place, name in enumerate(_PLACES[:n_sides]):
        sums = Sums.of(scores[2 * place], place_games[2 * place], n_games)
        yield Key(f"{name}_score", line_up, ""), sums, False
    ahead, hands = _lead_ahead(pooled(matches, "led_change"), rules), pooled(matches, "hands")
    yield Key("lead_points_ahead", line_up, ""), Sums.of(ahead, hands * (n_sides - 1), n_hands), False
    games, wins = pooled(matches, "games"), pooled(matches, "wins")
    first_led_wins = pooled(matches, "first_led_wins")
    led_wins = sum(first_led_wins[seat, rules.side(seat)] for seat in seats)
    yield Key("first_lead_win_rate", line_up, ""), Sums.of(led_wins, games, n_games), True
    yield Key("first_seat_win_rate", line_up, ""), Sums.of(wins[0], games, n_games), True


def _lead_ahead(led_change: np.ndarray, rules: Rules) -> np.ndarray:
    """Points of the leader's side less those of each other, added up over all hands: shape (128,)."""
    own = sum(led_change[seat, rules.side(seat)] for seat in range(rules.seats))
    return rules.n_sides * own - led_change.sum((0, 1))


def _rows_of_strategies(results: Results) -> Iterator[tuple[Key, Sums, bool]]:
    n_games, n_hands = (groups.n_deals(results.matches, results.paired, name) for name in ("games", "hands"))
    by_side, by_seat, by_table = groups.by_side_holder, groups.by_seat_holder, groups.by_table
    points, placements = (by_seat(results, f"kind_{what}").sum(1) for what in ("points", "placements"))
    figures = {
        "win_rate": (Sums.of(by_side(results, "wins"), by_table(results, "games"), n_games), True),
        "points_per_placement": (Sums.of(points, placements, n_hands), False),
        "points_per_hand": (Sums.of(by_side(results, "change"), by_table(results, "hands"), n_hands), False),
    }
    for measure, (sums, is_share) in figures.items():
        for i, label in enumerate(results.labels):
            yield Key(measure, ALL, label), Sums(sums.num[i], sums.den[i], sums.units[i]), is_share


def _digest(matches: Sequence[MatchResults]) -> str:
    hashed = hashlib.sha256()
    for match in matches:
        hashed.update(match.tallies.tobytes())
        hashed.update(match.law.tobytes())
    return hashed.hexdigest()
