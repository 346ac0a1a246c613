"""The report of a match or a tournament."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fiveup_sim.analysis.ranking import ranking
from fiveup_sim.analysis.summary import summary
from fiveup_sim.experiments.study import SECTIONS
from fiveup_sim.report.answer import Answer, answer
from fiveup_sim.report.contents import make_sections
from fiveup_sim.report.folder import draw, write_folder
from fiveup_sim.report.style import styled

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results


def write_report(
    results: Results,
    directory: str | Path,
    *,
    level: float = 0.95,
    question: str | None = None,
    sections: Sequence[str] = SECTIONS,
    command: str | None = None,
) -> Path:
    """Write a report about `results`.

    The same results give the same bytes.

    Parameters
    ----------
    results
        Of a match or a tournament; few games, or none, give a report that says so.
    directory
        Made if it is not there. Files of an earlier report are replaced, others left alone.
    level
        Coverage of the intervals, between 0 and 1.
    question
        What the report answers: its title. Default: who played.
    sections
        Some of :data:`fiveup_sim.experiments.study.SECTIONS`.
    command
        What makes this report again, to be printed in it. Default: the calls that play its games.

    Returns
    -------
    Path
        Of ``index.html``, which holds everything; beside it ``tables/*.csv``, ``figures/*.svg`` and ``*.png``,
        ``summary.json`` and ``report.md``.

    Raises
    ------
    ValueError
        If `level` or a section is not one.
    """
    check_choice(level, sections)
    directory = Path(directory)
    title = question or _title(results)
    said = answer(results, level)
    with styled():
        parts = list(make_sections(results, level, sections, command))
        drawn = draw(parts)
    values = json.dumps(_summary(results, level, title, said), indent=1) + "\n"
    return write_folder(directory, title, said, parts, drawn, {"summary.json": values})


def check_choice(level: float, sections: Sequence[str]) -> None:
    """Raise ValueError unless `level` and `sections` can make a report."""
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise ValueError(f"level = {level!r}: a number between 0 and 1 is needed")
    unknown = [name for name in sections if name not in SECTIONS]
    if unknown:
        raise ValueError(f"sections = {unknown[0]!r}: allowed {', '.join(SECTIONS)}")


def _title(results: Results) -> str:
    if len(results.matches) == 1:
        return f"{results.matches[0].line_up.label}: {results.rules}"
    return f"Tournament of {len(results.labels)} strategies: {results.rules}"


def _summary(results: Results, level: float, title: str, said: Answer) -> dict[str, Any]:
    """The main figures in plain types; None stands for what is not known."""
    order = ranking(results, level)
    values = summary(results, level)
    for figures in values["strategies"].values():
        del figures["win_rate"]  # it is in the ranking, with the interval that the page has
    return {
        "question": title,
        "answer": said.headline,
        "details": list(said.sentences),
        "warnings": list(said.warnings),
        "level": level,
        "seed": results.seed,
        "paired": results.paired,
        "stream_version": results.stream_version,
        "is_complete": results.is_complete,
        "cpu_seconds": round(results.seconds, 3),
        "line_ups": {match.line_up.label: match.n_games for match in results.matches},
        "ranking": json.loads(order.to_json(orient="records", double_precision=8)),
        "digests": {info.label: info.digest for info in results.strategies},
        **values,
        "runs": results.provenance["runs"],
    }
