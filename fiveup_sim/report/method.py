"""The last section: how it was done, with what, how to do it again, and what every measure is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fiveup_sim.presets import PRESETS
from fiveup_sim.report.glossary import MEASURES, WORDS
from fiveup_sim.report.parts import Section
from fiveup_sim.report.wording import plural
from fiveup_sim.rules import Rules, rule_fields
from fiveup_sim.strategy import StrategyError, find_strategy
from fiveup_sim.tournament import spans
from fiveup_sim.tournament.lineup import tournament_line_ups

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results, StrategyInfo


def method_section(results: Results, level: float, command: str | None) -> Section:
    """How the figures came about.

    Parameters
    ----------
    results
        What the report is about.
    level
        Coverage of its intervals.
    command
        What makes this report again; None: the calls that play these games.
    """
    text = (
        "Every line-up was played in all its seatings"
        + (" on the same deals" if results.paired else " on deals of their own")
        + ", and all line-ups on the same sequence of deals. Errors come from the spread between blocks, in at most"
        f" 128 groups; intervals use t quantiles and exact bounds near 0 and 1. Level: {level:.0%}.",
    )
    terms = {
        "rules": str(results.rules),
        "strategies": "; ".join(_describe(info) for info in results.strategies),
        "line-ups": "; ".join(
            f"{match.line_up.label} ({plural(match.line_up.n_rotations, 'seating')})" for match in results.matches
        ),
        "games": f"{results.n_games:,}; blocks of each line-up: {_blocks(results)}",
        "seed": f"{results.seed} (random streams, version {results.stream_version})",
        **_about_runs(results),
    }
    return Section("method", "Method and provenance", text, terms=terms, code=command or python_calls(results))


def definitions_section() -> Section:
    """What every word and every measure means."""
    measures = {meaning.title: f"{meaning.definition}." for meaning in MEASURES.values()}
    return Section("definitions", "Definitions", (), terms=WORDS | dict(sorted(measures.items())))


def python_calls(results: Results) -> str:
    """Python that plays the same games again.

    Strategies that are not installed are written ``FILE.py:name``: where their code lies is not known.
    """
    rules = _spell_rules(results.rules)
    line_ups = [match.line_up for match in results.matches]
    calls = []
    if len(results.labels) > 1 and line_ups == tournament_line_ups(results.labels, results.rules):
        names = [_spell(info) for info in results.strategies]
        calls += _calls("play_tournament", names, results, results.matches[0], rules)
    else:
        spelled = {info.label: _spell(info) for info in results.strategies}
        for match in results.matches:
            names = [spelled[name] for name in match.line_up.short_names]
            calls += _calls("play_match", names, results, match, rules)
    used = dict.fromkeys(call.split("(")[0] for call in calls)
    lines = [f"from fiveup_sim import Rules, {', '.join(used)}", "", *calls]
    return "\n".join(lines)


def _calls(function: str, names: list[str], results: Results, match: Any, rules: str) -> list[str]:
    paired = "" if results.paired else ", paired=False"
    return [
        f"{function}({names!r}, games={(end - first) * match.line_up.n_rotations}, rules={rules}, seed={results.seed}"
        f"{f', first_block={first}' if first else ''}{paired})"
        for first, end in match.blocks
    ]


def rule_changes(rules: Rules) -> tuple[str, dict[str, Any]]:
    """The preset that `rules` started from, and the fields that differ from it."""
    name = rules.name if rules.name in PRESETS else "five_up"
    base = Rules.preset(name, seats=rules.seats)
    fields = [rule.name for rule in rule_fields()]
    return name, {field: getattr(rules, field) for field in fields if getattr(rules, field) != getattr(base, field)}


def _spell_rules(rules: Rules) -> str:
    name, changes = rule_changes(rules)
    return f"Rules.preset({name!r}, seats={rules.seats}{''.join(f', {k}={v!r}' for k, v in changes.items())})"


def _spell(info: StrategyInfo) -> str:
    try:
        is_same = find_strategy(info.label).digest == info.digest
    except StrategyError:
        is_same = False
    return info.label if is_same else f"FILE.py:{info.label}"


def _describe(info: StrategyInfo) -> str:
    params = ", ".join(f"{name} = {value:g}" for name, value in info.params.items())
    return f"{info.label}{f' [{params}]' if params else ''} (code {info.digest[:12]})"


def _blocks(results: Results) -> str:
    described = list(dict.fromkeys(spans.describe(match.blocks) for match in results.matches))
    return described[0] if len(described) == 1 else "; ".join(
        f"{match.line_up.label}: {spans.describe(match.blocks)}" for match in results.matches
    )  # fmt: skip


def _about_runs(results: Results) -> dict[str, str]:
    """Time, machine and versions, of all runs that were added up."""
    runs = results.provenance["runs"]
    if not runs:
        return {"time": f"{results.seconds:.1f} CPU seconds"}
    wall = sum(run["wall_seconds"] for run in runs)
    started = f"{plural(len(runs), 'run')}, the first at {min(run['started'] for run in runs)}"
    return {
        "time": f"{results.seconds:.1f} CPU seconds, {wall:.1f} seconds of the clock in {started}",
        "speed": f"{results.games_per_second:,.0f} games per second",
        "machine": "; ".join(dict.fromkeys(f"{run['machine']}, {plural(run['n_workers'], 'worker')}" for run in runs)),
        "versions": "; ".join(dict.fromkeys(_versions(run) for run in runs)),
    }


def _versions(run: dict[str, Any]) -> str:
    return ", ".join(f"{name} {version}" for name, version in run["versions"].items()) + f", source {run['source']}"
