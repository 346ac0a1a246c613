"""Playing a study and writing its report."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

from fiveup_sim.experiments.study import play_games
from fiveup_sim.experiments.study_file import read_study
from fiveup_sim.report.write import check_choice, write_report


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
