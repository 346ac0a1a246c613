"""The built-in strategies of fiveup_sim, found by name like those of any other package."""

from fiveup_strategies.points import careful, greedy
from fiveup_strategies.simple import first, heavy, random

ALL = (random, first, heavy, greedy, careful)
"""All of them, for the entry point."""
