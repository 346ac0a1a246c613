"""What figures show: not more strategies than can be told apart, and what their error bars are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fiveup_sim.analysis.ranking import ranking
from fiveup_sim.report.parts import plain
from fiveup_sim.words import write_share

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results

MOST_LINES = 7
"""Strategies in one figure."""
STRATEGY = plain("strategy", "strategy")


def by_rank(results: Results) -> list[str]:
    """All strategies, best first."""
    return list(ranking(results)["strategy"])


def shown_strategies(results: Results) -> list[str]:
    """The strategies in figures that would hold too many: the first ones of the ranking."""
    return by_rank(results)[:MOST_LINES]


def about_shown(results: Results) -> tuple[str, ...]:
    """A sentence if figures leave strategies out."""
    if len(results.labels) <= MOST_LINES:
        return ()
    return (f"Figures show the first {MOST_LINES} of {len(results.labels)} strategies; tables hold all.",)


def say_bars(level: float, at_once: str = "") -> str:
    """What the error bars are; `at_once`: what they cover together."""
    return f"Bars: {write_share(level)} intervals from blocks{f', {at_once} at once' if at_once else ''}."


def say_intervals(level: float, at_once: str = "") -> str:
    """What the intervals of a table are."""
    text = f"{write_share(level)} intervals"
    return f"{text} for {at_once} at once." if at_once else f"Single {text}."
