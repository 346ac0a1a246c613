"""Results for the tests of the analysis: played ones, and ones made of integers whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from fiveup_sim.analysis.groups import Sums
from fiveup_sim.engine.draws import below
from fiveup_sim.engine.tallies import LAW, N_GROUPS, TALLY
from fiveup_sim.rules import Rules
from fiveup_sim.strategy import strategy
from fiveup_sim.tournament import MatchResults, Results, play_match, play_tournament
from fiveup_sim.tournament.lineup import LineUp, make_line_up
from fiveup_sim.tournament.match_results import StrategyInfo


@strategy
def plain(view):
    """The first legal placement."""
    return 0


@strategy
def last(view):
    """The last legal placement."""
    return view.n_legal - 1


@strategy
def anything(view):
    """Any legal placement."""
    return below(view, view.n_legal)


@strategy
def greedy(view):
    """Most points now; ties to the heavier tile."""
    best = 0
    for i in range(1, view.n_legal):
        a, b = view.legal[i], view.legal[best]
        if a.points > b.points or (a.points == b.points and a.pips > b.pips):
            best = i
    return best


@strategy
def nearly_greedy(view):
    """As greedy, but for the lead: the first legal one if the hand starts with five points to be had."""
    best = 0
    for i in range(1, view.n_legal):
        a, b = view.legal[i], view.legal[best]
        if a.points > b.points or (a.points == b.points and a.pips > b.pips):
            best = i
    if view.n_turns == 0 and view.legal[best].points == 2:
        return 0
    return best


@lru_cache(maxsize=32)
def match(*strategies, games: int = 1000, seats: int = 2, seed: int = 1, **options) -> Results:
    """A played match; the same call gives the same object."""
    rules = options.pop("rules", None) or Rules.preset(seats=seats)
    return play_match(strategies, games=games, rules=rules, seed=seed, progress=False, **options)


@lru_cache(maxsize=8)
def tournament(*strategies, games: int = 400, seats: int = 2, seed: int = 1) -> Results:
    """A played tournament; the same call gives the same object."""
    return play_tournament(strategies, games=games, rules=Rules.preset(seats=seats), seed=seed, progress=False)


def grouped(x: np.ndarray, n_groups: int = N_GROUPS) -> np.ndarray:
    """Values by block, shape (..., n_blocks), added up by group: (..., n_groups)."""
    padded = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, -x.shape[-1] % n_groups)])
    return padded.reshape(*x.shape[:-1], -1, n_groups).sum(-2)


def sums(num: np.ndarray, den: np.ndarray) -> Sums:
    """Figures of streams of blocks: both int64, shape (n_streams, n_blocks)."""
    return Sums(grouped(num), grouped(den), np.minimum(den.sum(-1), num.shape[-1]))


def info(label: str, heeds: frozenset[str] | None = frozenset()) -> StrategyInfo:
    """What results keep of a strategy that was never written."""
    return StrategyInfo(label, label, {}, "0" * 64, heeds)


def made_match(names: Sequence[str], rules: Rules, tallies: np.ndarray | None = None) -> MatchResults:
    """A match of these tallies (default: none counted yet); they may be filled afterwards."""
    line_up = make_line_up(names, rules)
    if tallies is None:
        tallies = np.zeros((line_up.n_rotations, N_GROUPS), TALLY)
    n_blocks = int(tallies["games"][0].sum())
    blocks = ((0, n_blocks),) if n_blocks else ()
    return MatchResults(line_up, blocks, blocks, tallies, np.empty(0, LAW), None, 0.0)


def made_results(matches: Sequence[MatchResults], rules: Rules, heeds: frozenset[str] | None = frozenset()) -> Results:
    """Results of these matches."""
    labels = dict.fromkeys(name for match in matches for name in match.line_up.names)
    strategies = tuple(info(label, heeds) for label in labels)
    return Results(rules, 1, True, 1, strategies, tuple(matches), {"runs": []})


def with_wins(line_up: LineUp, rules: Rules, wins: np.ndarray) -> np.ndarray:
    """Tallies of finished games: `wins` has shape (n_rotations, 128, leading side, winning side)."""
    tallies = np.zeros((line_up.n_rotations, N_GROUPS), TALLY)
    n = rules.n_sides
    tallies["first_led_wins"][:, :, :n, :n] = wins
    tallies["first_led"][:, :, :n] = wins.sum(3)
    tallies["wins"][:, :, :n] = wins.sum(2)
    tallies["games"] = wins.sum((2, 3))
    tallies["hands"] = tallies["games"]
    return tallies


def heeding(results: Results, heeds: frozenset[str] | None) -> Results:
    """The same results, with another finding about what the strategies heed."""
    return replace(results, strategies=tuple(replace(info, heeds=heeds) for info in results.strategies))


def assert_covers(hits: np.ndarray, at_least: float, at_most: float = 1.0, sigmas: float = 3.0) -> None:
    """Fail unless the share of hits is between the two, as far as so many trials can tell.

    Parameters
    ----------
    hits
        bool: whether each interval held the truth.
    at_least, at_most
        What the share should be.
    sigmas
        Binomial standard errors that it may be off.
    """
    share, n = float(np.mean(hits)), np.size(hits)
    slack = [sigmas * np.sqrt(limit * (1 - limit) / n) for limit in (at_least, at_most)]
    assert at_least - slack[0] <= share <= at_most + slack[1], f"{share:.4f} of {n}, not {at_least} to {at_most}"
