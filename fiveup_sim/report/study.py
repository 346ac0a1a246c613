"""Studies: everything that a report came from, in one file beside it, and how to make the report again."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fiveup_sim.report.sections import SECTIONS
from fiveup_sim.rules import Rules

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results


@dataclass(frozen=True)
class Study:
    """What a report came from; either `strategies` or `line_ups` is given."""

    question: str
    """What the report answers, in words."""
    rules: Rules
    games: int
    """Of each line-up, over all its seatings; rounded up to whole blocks."""
    seed: int
    strategies: tuple[str, ...] = ()
    """A tournament between these, written as for :func:`fiveup_sim.find_strategy`."""
    line_ups: tuple[tuple[str, ...], ...] = ()
    """Or these matches, one strategy a seat or one a side."""
    level: float = 0.95
    """Coverage of the intervals."""
    sections: tuple[str, ...] = SECTIONS
    """What the report holds."""


def play_study(
    directory: str | Path,
    *,
    games: int | None = None,
    seed: int | None = None,
    level: float | None = None,
    n_jobs: int | None = None,
    runs: str | Path = "runs",
) -> Path:
    """Play what is missing of a study, and write its report.

    Parameters
    ----------
    directory
        The folder that holds ``study.toml``; the report is written into it.
    games, seed, level
        Instead of what the study says.
    n_jobs
        Tasks at once, as for :func:`fiveup_sim.play_match`.
    runs
        Where games are kept: a folder for each study, and in it one for each seed, rules, line-ups and strategies.
        More games than are asked for are used if they are there.

    Returns
    -------
    Path
        Of the page.

    Raises
    ------
    ValueError
        If the study is faulty, with its file and line.
    StrategyError, PlayError, StoreError, OSError
        As for :func:`fiveup_sim.play_tournament`.
    """
    from fiveup_sim.report.study_file import read_study
    from fiveup_sim.report.write import check_choice, write_report

    directory = Path(directory)
    given = {name: value for name, value in (("games", games), ("seed", seed), ("level", level)) if value is not None}
    study = replace(read_study(directory), **given)
    check_choice(study.level, study.sections)
    results = play_games(study, Path(runs) / directory.resolve().name, n_jobs=n_jobs)
    words = [word for name, value in given.items() for word in (f"--{name}", str(value))]
    return write_report(
        results,
        directory,
        level=study.level,
        question=study.question,
        sections=study.sections,
        command=shlex.join(["fiveup", "study", directory.as_posix(), *words]),
    )


def save_study(study: Study, directory: str | Path) -> Path:
    """Write ``study.toml``, for :func:`play_study` to play.

    Parameters
    ----------
    study
        The study.
    directory
        Made if it is not there.

    Returns
    -------
    Path
        Of the file.

    Raises
    ------
    ValueError
        If another study is there already.
    """
    from fiveup_sim.report.study_file import FILE_NAME, format_study

    path, text = Path(directory) / FILE_NAME, format_study(study)
    if path.exists() and path.read_text(encoding="utf-8") != text:
        raise ValueError(f"{path} is another study: it is left alone")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def play_games(study: Study, folder: Path, *, n_jobs: int | None = None) -> Results:
    """The results of a study; what `folder` holds of them is not played again."""
    from fiveup_sim.tournament import play_match, play_tournament
    from fiveup_sim.tournament.plan import find_entries

    if study.strategies:
        return _play(play_tournament, study.strategies, study, folder, n_jobs)
    find_entries([name for names in study.line_ups for name in names])  # refuses two of one name
    return _joined([_play(play_match, names, study, folder, n_jobs) for names in study.line_ups])


def _play(play: Any, names: Sequence[str], study: Study, folder: Path, n_jobs: int | None) -> Results:
    from fiveup_sim.tournament import Results, spans

    path = folder / _address(names, study)
    done = Results.load(path) if path.exists() else None
    if done is not None and not any(
        spans.without(((0, match.line_up.n_blocks(study.games)),), match.blocks) for match in done.matches
    ):
        return done
    asked = {"games": study.games, "rules": study.rules, "seed": study.seed}
    return play(list(names), **asked, n_jobs=n_jobs, resume=done, save_to=path)


def _address(names: Sequence[str], study: Study) -> str:
    """A name for the games of some strategies: another one whenever anything differs that other games come of."""
    from fiveup_sim.engine.philox import STREAM_VERSION
    from fiveup_sim.strategy import find_strategy

    found = [find_strategy(name) for name in names]
    rules = {name: value for name, value in study.rules.to_dict().items() if name != "preset"}
    what = [rules, study.seed, STREAM_VERSION, [[one.label, one.digest] for one in found], bool(study.strategies)]
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:16]


def _joined(parts: list[Results]) -> Results:
    """The matches of several results of the same rules and seed, as if they had been played in one run."""
    strategies = {info.label: info for part in parts for info in part.strategies}
    return replace(
        parts[0],
        strategies=tuple(strategies.values()),
        matches=tuple(match for part in parts for match in part.matches),
        provenance={"runs": [run for part in parts for run in part.provenance["runs"]]},
    )
