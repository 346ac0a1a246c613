"""Who wins: win rates of strategies, and of each against each."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from fiveup_sim.analysis import groups
from fiveup_sim.analysis.frames import COLUMNS, frame
from fiveup_sim.analysis.groups import Sums
from fiveup_sim.analysis.intervals import Estimates, difference, mean, share
from fiveup_sim.analysis.multiple import holm, p_value
from fiveup_sim.analysis.scores import size_of_hand

if TYPE_CHECKING:
    from fiveup_sim.tournament.match_results import MatchResults
    from fiveup_sim.tournament.results import Results


def win_rates(results: Results, level: float = 0.95) -> pd.DataFrame:
    """Games won by each strategy / games, over all its seatings and opponents.

    Unfinished games have no winner and count as games. In self-play a game counts once for each side that the
    strategy plays, so that with two sides its rate is 1/2: that is known, and its interval is that number.

    Parameters
    ----------
    results
        Of a match or a tournament.
    level
        Coverage of the intervals.

    Returns
    -------
    pandas.DataFrame
        A row for each strategy, in the order of ``results.labels``: ``strategy``, ``low``, ``best``, ``high``
        (shares of games), ``n`` (games, once for each side played).
    """
    return frame(rates_of(results, level), {"strategy": results.labels})


def rates_of(results: Results, level: float) -> Estimates:
    """The estimates of :func:`win_rates`, shape (n_strategies,)."""
    deals = groups.n_deals(results.matches, results.paired, "games")
    sums = Sums.of(groups.by_side_holder(results, "wins"), groups.by_table(results, "games"), deals)
    rates = share(sums, level)
    if not is_by_symmetry(results):
        return rates
    return Estimates(rates.best, rates.best, rates.best, rates.n)


def counted_in(results: Results) -> str:
    """What rates by strategy count: ``"games"``; or ``"sides played"``, where some strategy plays several of a game."""
    sides = [groups.sides_of(match, results.labels, results.rules) for match in results.matches]
    return "sides played" if any((held.sum(1) > 1).any() for held in sides) else "games"


def is_by_symmetry(results: Results) -> bool:
    """Whether the win rate is known before the first game: one strategy plays all sides, and every game was won."""
    unfinished = groups.pooled(results.matches, "unfinished").sum()
    return len(results.labels) == 1 and results.n_games > 0 and unfinished == 0


def head_to_head(results: Results, level: float = 0.95) -> pd.DataFrame:
    """Each strategy in the games that each other one played too.

    Parameters
    ----------
    results
        Of a match or a tournament.
    level
        Coverage of each single interval.

    Returns
    -------
    pandas.DataFrame
        A row for each ordered pair of strategies that met, sums over each pair of their sides:

        - ``strategy``, ``opponent``;
        - ``low``, ``best``, ``high``, ``n``: games won by the strategy / games. With two sides this is its win rate
          against this opponent; with more, third sides win too;
        - ``ahead_low``, ``ahead``, ``ahead_high``: that rate less the opponent's; ``p``: of no difference;
        - ``points_low``, ``points``, ``points_high``: its side's points less the opponent's, per hand; ``points_p``.

        P-values are two-sided and adjusted for the number of pairs (Holm).
    """
    wins, games = _meetings(results, "wins", "games")
    points, hands = _meetings(results, "change", "hands")
    pairs = [(i, j) for i, j in np.argwhere(games.any(-1)) if i != j]
    at = tuple(np.array(pairs, int).reshape(-1, 2).T)
    n_games, n_hands = (groups.n_deals(results.matches, results.paired, name) for name in ("games", "hands"))
    rate = share(Sums.of(wins[at], games[at], n_games), level)
    more_wins = Sums.of(wins[at] - wins[at[::-1]], games[at], n_games)
    more_points = Sums.of(points[at] - points[at[::-1]], hands[at], n_hands)
    ahead, by_points = difference(more_wins, level), mean(more_points, level, size_of_hand(results))
    table = pd.DataFrame({name: [results.labels[i] for i in ids] for name, ids in zip(_PAIR, at, strict=True)})
    return table.assign(
        **{column: getattr(rate, column) for column in COLUMNS},
        ahead_low=ahead.low, ahead=ahead.best, ahead_high=ahead.high, p=_p_of_pairs(more_wins, pairs),
        points_low=by_points.low, points=by_points.best, points_high=by_points.high,
        points_p=_p_of_pairs(more_points, pairs),
    )  # fmt: skip


_PAIR = ("strategy", "opponent")


def _p_of_pairs(apart: Sums, pairs: list[tuple[int, int]]) -> list[float]:
    """Adjusted p-values; (i, j) and (j, i) are one comparison."""
    once = [k for k, (i, j) in enumerate(pairs) if i < j]
    adjusted = dict(zip([pairs[k] for k in once], holm(p_value(apart)[once]), strict=True))
    return [adjusted[min(pair), max(pair)] for pair in pairs]


def cycles(results: Results) -> pd.DataFrame:
    """Strategies that beat each other in a ring, which no ranking can show.

    Parameters
    ----------
    results
        Of a tournament.

    Returns
    -------
    pandas.DataFrame
        A row for each ring seen: ``first`` was ahead of ``second``, that of ``third``, that of ``first``; ``p``:
        of "one of the three is not so" (the largest of the three p-values), adjusted for all possible rings (Holm).
        Best proven first.
    """
    wins, games = _meetings(results, "wins", "games")
    n = len(results.labels)
    ways = np.array([(i, *pair) for i in range(n) for pair in permutations(range(i + 1, n), 2)], int).reshape(-1, 3)
    winner, loser = ways, np.roll(ways, -1, axis=1)
    apart = Sums.of(
        wins[winner, loser] - wins[loser, winner],
        games[winner, loser],
        groups.n_deals(results.matches, results.paired, "games"),
    )
    ahead, two_sided = apart.num.sum(-1), p_value(apart)
    p = holm(np.where(ahead > 0, two_sided / 2, 1 - two_sided / 2).max(1))
    columns = {name: np.array(results.labels)[ways[:, i]] for i, name in enumerate(("first", "second", "third"))}
    table = pd.DataFrame(columns | {"p": p})[(ahead > 0).all(1)]
    return table.sort_values("p", kind="stable", ignore_index=True)


def _meetings(results: Results, name: str, whole: str) -> tuple[np.ndarray, np.ndarray]:
    """A tally by side of i, and games or hands, once for each pair of sides of i and j: int64, shape (n, n, 128)."""
    n = len(results.labels)
    counts, wholes = np.zeros((2, n, n, groups.N_GROUPS), np.int64)
    for match in results.matches:
        pairs = _side_pairs(match, results)
        counts += np.einsum("rgs,rsij->ijg", match.tallies[name][:, :, : pairs.shape[1]], pairs)
        wholes += np.einsum("rg,rsij->ijg", match.tallies[whole], pairs)
    return counts, wholes


def _side_pairs(match: MatchResults, results: Results) -> np.ndarray:
    """Number of other sides played by j where i plays a side: int64, shape (n_rotations, n_sides, n, n)."""
    sides = groups.sides_of(match, results.labels, results.rules).astype(np.int64)
    others = sides.sum(1, keepdims=True) - sides
    return sides[:, :, :, None] * others[:, :, None, :]
