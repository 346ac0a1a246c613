"""How to play the same games again, as a command line and in Python."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from fiveup_sim.rules import Rules, write_value
from fiveup_sim.strategy import StrategyError, find_strategy
from fiveup_sim.tournament.lineup import tournament_line_ups

if TYPE_CHECKING:
    from fiveup_sim.tournament.match_results import MatchResults, StrategyInfo
    from fiveup_sim.tournament.results import Results


def shell_lines(results: Results, run: str) -> list[str]:
    """Commands that play the same games and save them in the directory `run`.

    Strategies that are not installed are written ``FILE.py:name``: where their code lies is not known. None of it for
    what commands cannot do: fresh deals for every game.
    """
    if not results.paired:
        return []
    lines = []
    for names, match, is_tournament in _calls(results):
        for first, end in match.blocks:
            words = ["fiveup", "tournament" if is_tournament else "match", *names, *_rule_words(results.rules)]
            words += ["--games", str((end - first) * match.line_up.n_rotations), "--seed", str(results.seed)]
            words += ["--first-block", str(first)] if first else []
            lines.append(shlex.join([*words, "--out", run if not lines else f"{run}-{len(lines) + 1}"]))
    return lines


def python_lines(results: Results) -> list[str]:
    """Python that plays the same games; strategies are written as in :func:`shell_lines`."""
    calls = []
    for names, match, is_tournament in _calls(results):
        for first, end in match.blocks:
            more = f", first_block={first}" if first else ""
            more += "" if results.paired else ", paired=False"
            calls.append(
                f"play_{'tournament' if is_tournament else 'match'}({names!r},"
                f" games={(end - first) * match.line_up.n_rotations}, rules={results.rules.spelling()},"
                f" seed={results.seed}{more})"
            )
    used = dict.fromkeys(call.partition("(")[0] for call in calls)
    return [f"from fiveup_sim import {', '.join(['Rules', *used])}", *calls]


def _calls(results: Results) -> list[tuple[list[str], MatchResults, bool]]:
    """Strategies of each call, a match that says which blocks, and whether it is a tournament."""
    line_ups = [match.line_up for match in results.matches]
    spelled = {info.label: _spell(info) for info in results.strategies}
    if len(line_ups) > 1 and line_ups == tournament_line_ups(results.labels, results.rules):
        return [(list(spelled.values()), results.matches[0], True)]
    return [([spelled[name] for name in match.line_up.short_names], match, False) for match in results.matches]


def _spell(info: StrategyInfo) -> str:
    try:
        is_same = find_strategy(info.label).digest == info.digest
    except StrategyError:
        is_same = False
    return info.label if is_same else f"FILE.py:{info.label}"


def _rule_words(rules: Rules) -> list[str]:
    name, changes = rules.changes()
    words = ["--seats", str(rules.seats)] + (["--rules", name] if name != "five_up" else [])
    return words + [word for field, value in changes.items() for word in ("--set", f"{field}={write_value(value)}")]
