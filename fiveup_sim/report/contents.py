"""Which sections a report has, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from fiveup_sim.experiments.study import SECTIONS
from fiveup_sim.report.law import law_section
from fiveup_sim.report.method import definitions_section, method_section
from fiveup_sim.report.parts import Section
from fiveup_sim.report.playing import lengths_section, placements_section, scores_section
from fiveup_sim.report.seating import lead_section, openings_section
from fiveup_sim.report.standings import head_to_head_section, headline_section, ranking_section

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results

_MAKERS: dict[str, Callable[[Results, float], Section]] = {
    "ranking": ranking_section,
    "head_to_head": head_to_head_section,
    "headline": headline_section,
    "placements": placements_section,
    "scores": scores_section,
    "lengths": lengths_section,
    "lead": lead_section,
    "openings": openings_section,
    "law": law_section,
}


def make_sections(results: Results, level: float, chosen: Sequence[str], command: str | None) -> Iterator[Section]:
    """The sections chosen, in the order of :data:`SECTIONS`, then method and definitions, which are always there."""
    if results.n_games:
        yield from (_MAKERS[name](results, level) for name in SECTIONS if name in chosen)
    yield method_section(results, level, command)
    yield definitions_section()
