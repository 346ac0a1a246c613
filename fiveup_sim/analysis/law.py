"""The exact law of a game from the outcomes of its hands.

Where strategies heed neither the score nor what was before, hands are independent given who leads. The chance to
win, the share of extensions, the length of games and the winning chances at every score then follow exactly from the
joint law of a hand's score changes and next leader, which is seen once a hand instead of once a game. The same
hands answer for every target.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from fiveup_sim.analysis import groups
from fiveup_sim.analysis.frames import COLUMNS, frame
from fiveup_sim.analysis.groups import Sums
from fiveup_sim.analysis.hand_law import HandLaw, read_hand_law
from fiveup_sim.analysis.intervals import Estimates, mean, share, t_quantile
from fiveup_sim.analysis.metrics import METRICS, metric_of
from fiveup_sim.analysis.recursion import EXTENSION, HANDS, WIN, FloorTooHighError, Forward, NoLawError, Walk
from fiveup_sim.engine.tallies import N_LAW_GROUPS

if TYPE_CHECKING:
    from fiveup_sim.rules import Rules
    from fiveup_sim.tournament.match_results import MatchResults
    from fiveup_sim.tournament.results import Results

MEASURES = {"win_rate": (WIN, share), "extension_share": (EXTENSION, share), "hands_per_game": (HANDS, mean)}
_MOST_HANDS = 3000
_FIRST_FLOOR, _FLOOR_STEP = 48, 32
_NEAR_END = 1e-5
"""Share of games still on at which looking back begins: what it leaves out of a chance to win."""
_N_PARTS = 8
_ROUNDING = 1e-5  # of what is worked out in single precision


def game_law(results: Results, target: int | Iterable[int] | None = None, level: float = 0.95) -> pd.DataFrame:
    """What a game comes to, from the outcomes of hands, for every line-up of two sides and every target.

    Parameters
    ----------
    results
        Of a match or a tournament.
    target
        Points, or several; None: the target that was played.
    level
        Coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Rows for each line-up, target and measure: ``line_up``, ``strategy`` (whose win rate it is: the first side's),
        ``target``, ``measure`` (``win_rate``, ``extension_share``, ``hands_per_game``), ``low``, ``best``, ``high``,
        ``n`` (hands, or games where they were counted), ``source`` (``"law"`` or ``"counted"``) and ``why`` it was
        counted. Counts answer only for the target that was played; for others they are NaN.

    Notes
    -----
    Errors come from the spread between 32 groups of blocks by linearisation: each outcome's weight is the expected
    number of visits of every score times what the outcome is worth there.
    """
    targets = [results.rules.target] if target is None else np.atleast_1d(np.asarray(target, int)).tolist()
    rows = [row for match in results.matches for points in targets for row in _rows(match, results, points, level)]
    return pd.DataFrame(rows)


def winning_chances(results: Results, target: int | None = None, level: float = 0.95) -> pd.DataFrame:
    """The chance to win from every score, for every line-up of two sides.

    Parameters
    ----------
    results
        Of a match or a tournament.
    target
        Points; None: the target that was played.
    level
        Coverage of each single interval.

    Returns
    -------
    pandas.DataFrame
        A row for each line-up, leader and pair of scores from 0 to below the target: ``line_up``, ``strategy``,
        ``lead`` (who leads the next hand), ``own`` and ``other`` (scores of the strategy's side and the other),
        ``low``, ``best``, ``high``, ``n`` (hands). Line-ups that have no law are left out (see :func:`game_law`).

    Notes
    -----
    Errors by a jackknife over 8 parts of the blocks.
    """
    points = results.rules.target if target is None else target
    tables = []
    for match in results.matches:
        if why_not(match, results) is None:
            with suppress(NoLawError):
                tables.append(_chances(match, results, points, level))
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def why_not(match: MatchResults, results: Results) -> str | None:
    """Why the games of this line-up do not follow from the law of their hands; None if they do."""
    rules = results.rules
    leads = {rules.first_lead, rules.next_lead, rules.blocked_lead}
    reasons = {
        "there are not two sides": rules.n_sides != 2,
        "a game can end within a hand (target_check)": rules.target_check != "after_hand",
        "awards depend on the score (exact_target)": rules.exact_target,
        "awards depend on the score (min_first_score)": rules.min_first_score > 0,
        "only some hands are led with the highest double": "highest_double" in leads and len(leads) > 1,
        "hands had too many different outcomes": bool(match.tallies["law_lost"].any()),
    }
    for info in results.strategies:
        if info.label in match.line_up.names:
            heeds = " and ".join(sorted(info.heeds or ()))
            reasons[f"whether {info.label} heeds score, hand or memory was not checked"] = info.heeds is None
            reasons[f"{info.label} heeds {heeds}"] = bool(heeds)
    return next((reason for reason, applies in reasons.items() if applies), None)


def _rows(match: MatchResults, results: Results, target: int, level: float) -> Iterator[dict[str, Any]]:
    why = why_not(match, results)
    by_law = None
    if why is None:
        try:
            by_law = _by_law(match, results, target, level)
        except NoLawError as reason:
            why = str(reason)
    estimates = by_law or _counted(match, results, target, level)
    for measure, figure in estimates.items():
        yield {
            "line_up": match.line_up.label,
            "strategy": match.line_up.side_names(0, results.rules)[0],
            "target": target,
            "measure": measure,
            **{column: getattr(figure, column)[()] for column in COLUMNS},
            "source": "counted" if why else "law",
            "why": why or "",
        }


def _by_law(match: MatchResults, results: Results, target: int, level: float) -> dict[str, Estimates]:
    law = read_hand_law(match, results.rules)
    values, slopes = _figures_and_slopes(law, results.rules, target)
    hands = law.hands()
    apart = law.counts - law.chances()[:, None] * hands[law.lead]
    influence = slopes / hands.sum(1)[law.lead] @ apart
    is_full = law.counts.any(0).astype(np.int64)
    units = groups.n_deals([match], results.paired, "games")
    estimates = {}
    for measure, (figure, interval) in MEASURES.items():
        # a value for each group: the figure, and what the group's own hands change about it
        apart = influence[figure] * is_full.sum()
        num = (values[figure] + np.where(np.abs(apart) > _ROUNDING, apart, 0.0)) * is_full
        estimate = interval(Sums(num, is_full, np.asarray(units)), level)
        estimates[measure] = replace(estimate, n=match.tallies["hands"].sum())
    return estimates


def _figures_and_slopes(law: HandLaw, rules: Rules, target: int) -> tuple[np.ndarray, np.ndarray]:
    """The figures, shape (3,), and how fast each grows with the chance of each outcome, shape (3, n_outcomes)."""
    walk, there = _forward(law, rules, target)
    to_tie = walk.forward(_MOST_HANDS, to_first_tie=True) if rules.extension_needs_target else there
    again, _ = walk.extension()
    in_extension = there.ties.sum(0) @ np.linalg.inv(np.eye(law.n_leads) - again)
    win, hands = walk.extension_values()
    back = walk.backward(_hands_until(there, _NEAR_END))
    slopes = walk.extension_slopes(in_extension, win, hands)
    for figure, visits in ((WIN, there.visits), (EXTENSION, to_tie.visits), (HANDS, there.visits)):
        slopes[figure] += walk.slopes(visits, back[figure])
    figures = np.zeros(3)
    figures[WIN] = there.wins[:, 0].sum() + there.ties.sum(0) @ win
    figures[EXTENSION] = to_tie.ties.sum()
    figures[HANDS] = there.visits.sum() + in_extension.sum()
    return figures, slopes


def _forward(law: HandLaw, rules: Rules, target: int) -> tuple[Walk, Forward]:
    """The walk on a grid that reaches down as far as games do."""
    floor = _FIRST_FLOOR
    while True:
        walk = Walk(law, -(-target // law.step), floor, rules.extension_needs_target)
        try:
            return walk, walk.forward(min(rules.max_hands, _MOST_HANDS))
        except FloorTooHighError:
            floor += _FLOOR_STEP


def _hands_until(there: Forward, rest: float) -> int:
    """Hands after which no more than `rest` of all games are on."""
    still_on = 1 - np.cumsum(there.wins.sum(1) + there.ties.sum(1))
    return int(np.count_nonzero(still_on > rest)) + 1


def _counted(match: MatchResults, results: Results, target: int, level: float) -> dict[str, Estimates]:
    if target != results.rules.target:
        nothing = Estimates(*np.full(3, np.nan), np.int64(0))
        return dict.fromkeys(MEASURES, nothing)
    sides = groups.sides_of(match, results.labels, results.rules)
    is_first = (sides == sides[0, 0]).all(2)
    wins = np.einsum("rgs,rs->g", match.tallies["wins"][:, :, : is_first.shape[1]], is_first)
    games = match.tallies["games"].T @ is_first.sum(1)
    units = groups.n_deals([match], results.paired, "games")
    by_metric = {name: metric_of([match], results.paired, name, level) for name in MEASURES if name in METRICS}
    return {"win_rate": share(Sums.of(wins, games, units), level), **by_metric}


def _chances(match: MatchResults, results: Results, target: int, level: float) -> pd.DataFrame:
    law, rules = read_hand_law(match, results.rules), results.rules
    best = _chances_of(law, rules, target)
    half = _half_widths(law, rules, target, level)
    n = np.full(best.shape, match.tallies["hands"].sum())
    estimates = Estimates(np.maximum(best - half, 0.0), best, np.minimum(best + half, 1.0), n)
    scores = range(0, target, law.step)
    table = frame(estimates, {"lead": _lead_names(match, rules, law.n_leads), "own": scores, "other": scores})
    table.insert(0, "line_up", match.line_up.label)
    table.insert(1, "strategy", match.line_up.side_names(0, rules)[0])
    return table


def _half_widths(law: HandLaw, rules: Rules, target: int, level: float) -> np.ndarray:
    """Half the width of the interval of each chance."""
    parts = np.arange(N_LAW_GROUPS) % _N_PARTS
    seen = np.unique(parts[law.counts.any(0)])
    if len(seen) < 2:
        return np.asarray(np.inf)
    others = [replace(law, counts=law.counts[:, parts != part]) for part in seen]
    without = np.array([_chances_of(other, rules, target) for other in others])
    return _NEAR_END + t_quantile(len(seen) - 1, level) * np.sqrt(without.var(0) * (len(seen) - 1))


def _chances_of(law: HandLaw, rules: Rules, target: int) -> np.ndarray:
    """Side 0's chance to win: float64, shape (n_leads, n_scores, n_scores)."""
    walk, there = _forward(law, rules, target)
    return walk.from_zero(walk.backward(_hands_until(there, _NEAR_END), (WIN,))[0]).astype(float)


def _lead_names(match: MatchResults, rules: Rules, n_leads: int) -> list[str]:
    """Names of the classes of leaders: strategies by side, or by seat where partners differ."""
    if n_leads == 1:
        return ["by tile"]
    names = match.line_up.side_names(0, rules) if n_leads == 2 else match.line_up.seat_names(0)
    return list(names) if len(set(names)) == n_leads else [f"{name} ({i})" for i, name in enumerate(names)]
