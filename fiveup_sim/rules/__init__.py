"""What is played: tiles and their notation, rule sets as data, presets, rule files. Plain Python, imports nothing."""

from fiveup_sim.rules.ruleset import MAX_COUNT, Rules, describe_allowed, parse_value, rule_fields, write_value

__all__ = ["MAX_COUNT", "Rules", "describe_allowed", "parse_value", "rule_fields", "write_value"]
