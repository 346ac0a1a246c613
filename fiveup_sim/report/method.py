"""The last section: how it was done, with what, how to do it again, and what every measure is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fiveup_sim.report.glossary import MEASURES, WORDS
from fiveup_sim.report.parts import Section
from fiveup_sim.report.reproduce import python_lines, shell_lines
from fiveup_sim.tournament import spans
from fiveup_sim.words import plural, write_share

if TYPE_CHECKING:
    from fiveup_sim.tournament.match_results import StrategyInfo
    from fiveup_sim.tournament.results import Results


def method_section(results: Results, level: float, command: str | None) -> Section:
    """How the figures came about.

    Parameters
    ----------
    results
        What the report is about.
    level
        Coverage of its intervals.
    command
        What makes this report again; None: what plays these games.
    """
    text = (
        "Every line-up was played in all its seatings"
        + (" on the same deals" if results.paired else " on deals of their own")
        + ", and all line-ups on the same sequence of deals. Errors come from the spread between blocks, in at most"
        f" 128 groups; intervals use t quantiles and exact bounds near 0 and 1. Level: {write_share(level)}.",
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
    return Section("method", "Method and provenance", text, terms=terms, code=command or _commands(results))


def definitions_section() -> Section:
    """What every word and every measure means."""
    measures = {meaning.title: f"{meaning.definition}." for meaning in MEASURES.values()}
    return Section("definitions", "Definitions", (), terms=WORDS | dict(sorted(measures.items())))


def _commands(results: Results) -> str:
    shell = shell_lines(results, "RUN")
    shell += ["fiveup report RUN"] if len(shell) == 1 else []
    return "\n".join([*shell, "", *python_lines(results)]).strip()


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
