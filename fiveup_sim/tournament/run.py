"""Playing: strategies in, Results out."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fiveup_sim.rules import Rules
from fiveup_sim.strategy import try_out
from fiveup_sim.tournament.faults import play_error
from fiveup_sim.tournament.lineup import LineUp, make_line_up, tournament_line_ups
from fiveup_sim.tournament.plan import Entry, Plan, StrategyLike, find_entries, make_plan
from fiveup_sim.tournament.progress import show_progress, tell_if_slow
from fiveup_sim.tournament.results import Results
from fiveup_sim.tournament.runner import Runner
from fiveup_sim.tournament.workers import count_workers


def play_match(
    strategies: Sequence[StrategyLike],
    *,
    games: int,
    rules: Rules | None = None,
    seed: int | None = None,
    n_jobs: int | None = None,
    first_block: int = 0,
    paired: bool = True,
    keep_games: bool = False,
    resume: Results | None = None,
    save_to: str | Path | None = None,
    progress: bool = True,
) -> Results:
    """Play games between strategies, in all seatings of one line-up.

    Parameters
    ----------
    strategies
        One a seat, or one a side: names of installed strategies (``"greedy"``, ``"careful(pips=0.05)"``), functions in
        files (``"mine.py:cautious"``), strategies, or plain functions.
    games
        Games to play, over all seatings together; rounded up to whole blocks, each of which is every seating once.
    rules
        Default: Five Up for as many seats as there are strategies.
    seed
        0 to 2**64 - 1. The same seed gives the same games, whatever the workers. Default: a fresh one, in
        ``results.seed``.
    n_jobs
        Tasks at once, -1 for all processors; default 1, or what a ``joblib.parallel_config`` context says. Threads,
        but processes if a strategy is not compiled; the context may name any back end.
    first_block
        Number of the first block: other blocks of the same seed give other games, whose results add.
    paired
        Whether all seatings of a block share its deals.
    keep_games
        Whether to keep a row a game, in ``results.games``: 56 bytes each.
    resume
        Results of the same thing, of an interrupted run or of fewer games: blocks they hold are not played again, and
        they are part of what is returned. Their seed is the default seed.
    save_to
        A directory in which the results are saved every minute and at the end, as by :meth:`Results.save`: an empty or
        new one, or that of `resume`.
    progress
        Whether to show progress on a terminal.

    Returns
    -------
    Results
        After Ctrl-C, with a warning, what was played until then: ``is_complete`` is False.

    Raises
    ------
    StrategyError
        If a strategy cannot be found or compiled.
    PlayError
        If one raises an exception or returns an illegal index in a game: it says where, with the call that plays that
        game again, and holds the results until then.
    ValueError
        If an argument is out of range, or `resume` is something else.
    StoreError
        If `save_to` holds anything that would be lost.
    """
    entries, labels = find_entries(strategies)
    rules = Rules.preset(seats=len(labels)) if rules is None else rules
    return _play(
        entries,
        [make_line_up(labels, rules)],
        rules,
        n_jobs=n_jobs,
        resume=resume,
        save_to=save_to,
        progress=progress,
        games=games,
        seed=seed,
        first_block=first_block,
        paired=paired,
        keep_games=keep_games,
    )


def play_tournament(
    strategies: Sequence[StrategyLike],
    *,
    games: int,
    rules: Rules | None = None,
    seed: int | None = None,
    n_jobs: int | None = None,
    first_block: int = 0,
    paired: bool = True,
    keep_games: bool = False,
    resume: Results | None = None,
    save_to: str | Path | None = None,
    progress: bool = True,
) -> Results:
    """Play all line-ups of some strategies: see :func:`fiveup_sim.tournament.lineup.tournament_line_ups`.

    Parameters
    ----------
    strategies
        At least two different ones.
    games
        Games of each line-up, over all its seatings; rounded up to whole blocks.
    rules
        Default: Five Up for two seats.
    seed, n_jobs, first_block, paired, keep_games, resume, save_to, progress
        As for :func:`play_match`. All line-ups play the same deals.

    Returns
    -------
    Results
        One match a line-up. After Ctrl-C all line-ups have been played about equally far.

    Raises
    ------
    StrategyError, PlayError, ValueError, StoreError
        As for :func:`play_match`.
    """
    entries, labels = find_entries(strategies)
    rules = Rules.preset() if rules is None else rules
    return _play(
        entries,
        tournament_line_ups(labels, rules),
        rules,
        n_jobs=n_jobs,
        resume=resume,
        save_to=save_to,
        progress=progress,
        games=games,
        seed=seed,
        first_block=first_block,
        paired=paired,
        keep_games=keep_games,
    )


def _play(
    entries: dict[str, Entry],
    line_ups: list[LineUp],
    rules: Rules,
    *,
    n_jobs: int | None,
    resume: Results | None,
    save_to: str | Path | None,
    progress: bool,
    **asked: Any,
) -> Results:
    plan = make_plan(entries, line_ups, rules, resume=resume, **asked)
    runner = Runner(plan, count_workers(n_jobs), resume, None if save_to is None else Path(save_to))
    prepare(plan, progress)
    with show_progress(_title(plan), plan.n_games, progress) as bar:
        is_interrupted = runner.play(n_jobs, bar)
    results = runner.results()
    runner.save(results)
    if runner.failures:
        raise play_error(plan, runner.failures, results)
    if is_interrupted:
        warnings.warn(f"interrupted: {results.n_games:,} of {results.n_planned_games:,} games played", stacklevel=3)
    return results


def prepare(plan: Plan, progress: bool) -> None:
    """Compile everything here, once: workers that are other processes find the kernel on disk.

    Strategies that are not installed are tried out in a process of their own: one that never returns is found there.
    """
    from fiveup_sim.engine.kernel import load_kernel

    with tell_if_slow("compiling (the first run of a version takes about 15 seconds longer)", progress):
        load_kernel()
        strategies = [entry.strategy for entry in plan.entries.values()]
        for strategy in strategies:
            strategy.compiled()
        try_out(strategies, plan.rules)


def _title(plan: Plan) -> str:
    return plan.line_ups[0].label if len(plan.line_ups) == 1 else f"{len(plan.line_ups)} line-ups"
