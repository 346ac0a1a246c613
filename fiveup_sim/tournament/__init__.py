"""Line-ups, matches and tournaments: blocks played by workers, added up to results."""

from fiveup_sim.tournament.lineup import LineUp
from fiveup_sim.tournament.results import MatchResults, Results, StrategyInfo

__all__ = ["LineUp", "MatchResults", "Results", "StrategyInfo"]
