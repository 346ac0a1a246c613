"""Playing two strategies to see how much of their games is luck."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fiveup_sim.analysis.intervals import Estimates
from fiveup_sim.analysis.luck import games_to_tell, hand_shares, luck_measures
from fiveup_sim.rules import Rules
from fiveup_sim.tournament.plan import StrategyLike
from fiveup_sim.tournament.run import play_match
from fiveup_sim.words import write_estimate

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Luck:
    """How much luck is in the games of two strategies, as :func:`luck` gives it."""

    rules: Rules
    """The rules."""
    strategies: tuple[str, str]
    """Labels of the two."""
    n_games: int
    """Games played."""
    seed: int
    """Their seed."""
    level: float
    """Coverage of each interval."""
    games_to_tell: Estimates
    """Games until the better one has won more of them with a chance of 95 %."""
    measures: pd.DataFrame
    """See :func:`fiveup_sim.analysis.luck.luck_measures`."""
    shares: pd.DataFrame
    """See :func:`fiveup_sim.analysis.luck.hand_shares`."""

    def __str__(self) -> str:
        first, second = self.strategies
        lines = [
            f"{self.rules}: {first} against {second}, {self.n_games:,} games, seed {self.seed};"
            f" each interval covers {self.level:.0%}",
            f"games until the better one is ahead with a chance of 95 %: {self._games()}",
            f"{first} wins {self._share('win_rate')} of the games",
            f"points it is ahead of {second} per hand: {self._points('points_ahead')}",
            f"the lead is worth {self._points('lead_points')} points per hand",
            f"who leads first wins more of the games by {self._share('lead_win_rate')}",
            f"who sits at seat 0 wins more of the games by {self._share('seat_win_rate')}",
            "the result of a single hand comes from:",
            *(
                f"  {source:8} {write_estimate(row['low'], row['best'], row['high'], 'share')}"
                for source, row in self.shares.iterrows()
            ),
        ]
        return "\n".join(lines)

    def _share(self, measure: str) -> str:
        return write_estimate(*self.measures.loc[measure, ["low", "best", "high"]], "share")

    def _points(self, measure: str) -> str:
        return write_estimate(*self.measures.loc[measure, ["low", "best", "high"]])

    def _games(self) -> str:
        ends = [float(getattr(self.games_to_tell, end)) for end in ("best", "low", "high")]
        best, low, high = (f"{end:,.0f}" if math.isfinite(end) else "no bound" for end in ends)
        if not math.isfinite(ends[-1]):
            return f"at least {low}; which one is better is not certain"
        return f"{best} ({low} to {high})"

    def to_dict(self) -> dict[str, Any]:
        """Everything in plain types; None stands for a number of games that is never reached."""
        ends = {end: float(getattr(self.games_to_tell, end)) for end in ("low", "best", "high")}
        return {
            "rules": self.rules.to_dict(),
            "strategies": list(self.strategies),
            "games": self.n_games,
            "seed": self.seed,
            "level": self.level,
            "games_to_tell": {end: None if games == float("inf") else int(games) for end, games in ends.items()},
            "measures": self.measures.to_dict("index"),
            "shares": self.shares.to_dict("index"),
        }


def luck(
    first: StrategyLike,
    second: StrategyLike,
    *,
    games: int,
    rules: Rules | None = None,
    seed: int | None = None,
    n_jobs: int | None = None,
    level: float = 0.95,
    progress: bool = True,
) -> Luck:
    """Play two strategies against each other and say how much of it is luck.

    Parameters
    ----------
    first, second
        Two different strategies, one a side.
    games
        Games, over both seatings.
    rules
        Rules with two sides. Default: Five Up for two seats.
    seed, n_jobs, progress
        As for :func:`fiveup_sim.play_match`.
    level
        Coverage of each interval.

    Raises
    ------
    ValueError
        If there are not two sides, or the strategies are one and the same.
    """
    rules = Rules.preset() if rules is None else rules
    if rules.n_sides != 2:
        raise ValueError(f"{rules}: luck is told between two sides only")
    results = play_match(
        [first, second], rules=rules, games=games, seed=seed, n_jobs=n_jobs, keep_games=True, progress=progress
    )
    if len(results.labels) != 2:
        raise ValueError(f"{first} against itself: two different strategies are needed")
    return Luck(
        rules=rules,
        strategies=results.labels,
        n_games=results.n_games,
        seed=results.seed,
        level=level,
        games_to_tell=games_to_tell(results, level=level),
        measures=luck_measures(results, level),
        shares=hand_shares(results, level),
    )
