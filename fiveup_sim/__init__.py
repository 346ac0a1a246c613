"""fiveup_sim: tournaments of the domino game Five Up and its family, and honest statistics about them.

The public names below load on first use, so that ``import fiveup_sim`` is quick and compiles nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fiveup_sim.rules import Rules

# not lazy: as an attribute of the package the decorator goes before the module of the same name
from fiveup_sim.strategy import Strategy, StrategyError, find_strategy, load_strategies, strategy

if TYPE_CHECKING:
    from fiveup_sim.analysis.law import game_law, winning_chances
    from fiveup_sim.analysis.lengths import extensions, game_lengths, hand_lengths
    from fiveup_sim.analysis.metrics import metrics
    from fiveup_sim.analysis.placements import points_per_placement
    from fiveup_sim.analysis.planning import games_needed
    from fiveup_sim.analysis.ranking import ranking
    from fiveup_sim.analysis.ratings import ratings
    from fiveup_sim.analysis.scores import points_per_hand, scores_by_place
    from fiveup_sim.analysis.seats import lead_effects, opening_tiles, seat_effects
    from fiveup_sim.analysis.winning import cycles, head_to_head, win_rates
    from fiveup_sim.deciding import play_until
    from fiveup_sim.engine.draws import below, uniform
    from fiveup_sim.engine.lookahead import (
        TILE_HIGH,
        TILE_LOW,
        TILE_PIPS,
        lowest_tile,
        n_tiles,
        reply_points,
        reply_tiles,
    )
    from fiveup_sim.game import play_game
    from fiveup_sim.referee.record import GameRecord, read_records, write_records
    from fiveup_sim.referee.referee import check_file, check_record
    from fiveup_sim.report.picture import draw_table
    from fiveup_sim.report.write import write_report
    from fiveup_sim.rules_file import read_rules, write_rules
    from fiveup_sim.testing import check_strategy
    from fiveup_sim.tournament import LineUp, PlayError, Results, StoreError, play_match, play_tournament
    from fiveup_sim.variants import compare_rules, luck

__version__ = "0.1.0"

_MODULES = {
    "analysis.law": ["game_law", "winning_chances"],
    "analysis.lengths": ["extensions", "game_lengths", "hand_lengths"],
    "analysis.metrics": ["metrics"],
    "analysis.placements": ["points_per_placement"],
    "analysis.planning": ["games_needed"],
    "analysis.ranking": ["ranking"],
    "analysis.ratings": ["ratings"],
    "analysis.scores": ["points_per_hand", "scores_by_place"],
    "analysis.seats": ["lead_effects", "opening_tiles", "seat_effects"],
    "analysis.winning": ["cycles", "head_to_head", "win_rates"],
    "deciding": ["play_until"],
    "engine.draws": ["below", "uniform"],
    "engine.lookahead": ["TILE_HIGH", "TILE_LOW", "TILE_PIPS", "lowest_tile", "n_tiles", "reply_points", "reply_tiles"],
    "game": ["play_game"],
    "referee.record": ["GameRecord", "read_records", "write_records"],
    "referee.referee": ["check_file", "check_record"],
    "report.picture": ["draw_table"],
    "report.write": ["write_report"],
    "rules_file": ["read_rules", "write_rules"],
    "testing": ["check_strategy"],
    "tournament": ["LineUp", "PlayError", "Results", "StoreError", "play_match", "play_tournament"],
    "variants": ["compare_rules", "luck"],
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Rules",
    "Strategy",
    "StrategyError",
    "__version__",
    "find_strategy",
    "load_strategies",
    "strategy",
    *sorted(_HOME),
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'fiveup_sim' has no attribute {name!r}")
    value = getattr(import_module(f"fiveup_sim.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
