"""Line-ups, matches and tournaments: blocks played by workers, added up to results."""

from fiveup_sim.tournament.faults import PlayError
from fiveup_sim.tournament.lineup import LineUp
from fiveup_sim.tournament.match_results import MatchResults, StrategyInfo
from fiveup_sim.tournament.results import Results
from fiveup_sim.tournament.run import play_match, play_tournament
from fiveup_sim.tournament.store import StoreError

__all__ = [
    "LineUp",
    "MatchResults",
    "PlayError",
    "Results",
    "StoreError",
    "StrategyInfo",
    "play_match",
    "play_tournament",
]
