"""What every measure is: one place for its name on the page, its unit and its definition."""

from __future__ import annotations

from dataclasses import dataclass

from fiveup_sim.analysis.intervals import share
from fiveup_sim.analysis.metrics import METRICS


@dataclass(frozen=True)
class Meaning:
    """A measure in words."""

    title: str
    unit: str
    """``"share"`` (in percent), ``"difference"`` (of shares, in percentage points), or what it is counted in."""
    definition: str


_TITLES = {
    "hands_per_game": "hands per game",
    "placements_per_hand": "placements per hand",
    "draws_per_hand": "draws per hand",
    "passes_per_hand": "passes per hand",
    "blocked_share": "blocked hands",
    "points_per_placement": "points per placement",
    "scoring_share": "placements that score",
    "settlement_per_hand": "settlement per hand",
    "extension_share": "extension frequency",
    "extension_hands_per_game": "extension hands per game",
    "unfinished_share": "unfinished games",
    "leader_domino_share": "hands dominoed by their leader",
}
_OF_TABLES = {
    name: Meaning(_TITLES[name], "share" if metric.interval is share else metric.means.split(" per ")[0], metric.means)
    for name, metric in METRICS.items()
}
_OTHERS = {
    "win_rate": Meaning(
        "win rate",
        "share",
        "games won / games; unfinished games, which nobody won, count as games. Where a strategy plays several sides of"
        " a game, games won / sides played",
    ),
    "rating": Meaning(
        "rating",
        "log odds",
        "strength in a model of who wins: with two sides the odds to win are exp(difference of the strengths); with"
        " more, each side's chance is in proportion to exp(strength). The mean is 0. Times 173.7 it is in Elo points",
    ),
    "hands_per_extension": Meaning("hands per extension", "hands", "extension hands / games that went into extension"),
    "dominoed": Meaning("dominoed", "share", "share of hands (of those it led, under lead) that the strategy dominoed"),
    "led": Meaning("led", "share", "share of hands that it led, or that were led with the tile"),
    "points_ahead": Meaning(
        "points ahead",
        "points",
        "points that the leader's side gained in the hand, settlement included, less the mean of the other sides",
    ),
    "own": Meaning("points per hand", "points", "points that the side gained per hand, settlement included"),
    "ahead": Meaning("points ahead per hand", "points", "points per hand less the mean of the other sides"),
    "win_rate_leading": Meaning("win rate, leading", "share", "win rate where its side led the first hand"),
    "win_rate_following": Meaning("win rate, following", "share", "win rate where another side led the first hand"),
    "win_rate_gain": Meaning(
        "gain by leading", "difference", "win rate leading less win rate following, in percentage points"
    ),
    "lead_points": Meaning("points of the lead", "points", "points awarded for the lead itself"),
    "placements": Meaning("placements per hand", "placements", "placements of one seat per hand"),
    "points": Meaning("points for placements", "points", "points awarded to one seat for placements, per hand"),
    "draws": Meaning("draws", "tiles", "tiles drawn by one seat per hand"),
    "passes": Meaning("passes", "passes", "passes of one seat per hand"),
    "pips_left": Meaning("pips left", "pips", "pips that one seat held at the end of a hand"),
}
MEASURES: dict[str, Meaning] = _OTHERS | _OF_TABLES
"""Every measure by its name in the tables."""

WORDS = {
    "point, pip": "In Five Up one point stands for five pips of the count. All points here are what is scored.",
    "hand, game": "A game is as many hands as it takes until, after a hand, one side alone is highest at the target.",
    "extension": "The hands after the highest score at or above the target was first shared. The extension frequency"
    " is the share of games that had any.",
    "finishing place": "1st, 2nd, ... by final score; sides with equal scores share the mean of their places.",
    "block": "All seatings of a line-up, played on the same deals. Every error here is the spread between blocks"
    " (added up in at most 128 groups), never between single games.",
    "interval": "Low to high holds the true value with the stated level; where it says so, all rows of"
    " a table at once. A bar that is narrower than its mark cannot be seen: see the table.",
    "p": "The chance of a difference at least as large if there were none, adjusted for the number of comparisons"
    " (Holm).",
    "separated": "The difference is proven at the stated level, all pairs taken together.",
}
"""Words that the page uses."""


def title_of(measure: str) -> str:
    """The name of a measure on the page."""
    return MEASURES[measure].title if measure in MEASURES else measure


def unit_of(measure: str) -> str:
    """The unit of a measure: see :class:`Meaning`."""
    return MEASURES[measure].unit
