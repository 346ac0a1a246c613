"""Strategies: make them, find them, compile them, send them to workers. Nothing here imports numba before a use."""

from fiveup_sim.strategy.core import Strategy, strategy
from fiveup_sim.strategy.errors import StrategyError
from fiveup_sim.strategy.find import find_strategy, load_strategies
from fiveup_sim.strategy.transport import from_spec, to_spec
from fiveup_sim.strategy.trial import try_out

__all__ = [
    "Strategy",
    "StrategyError",
    "find_strategy",
    "from_spec",
    "load_strategies",
    "strategy",
    "to_spec",
    "try_out",
]
