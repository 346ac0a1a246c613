"""Playing: strategies in, blocks to workers, Results out."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from fiveup_sim.rules import Rules
from fiveup_sim.strategy import StrategyError
from fiveup_sim.tournament.faults import PlayError, spell_game
from fiveup_sim.tournament.lineup import LineUp, make_line_up, tournament_line_ups
from fiveup_sim.tournament.plan import Entry, Plan, StrategyLike, find_entries, make_plan
from fiveup_sim.tournament.progress import Bar, show_progress, tell_if_slow
from fiveup_sim.tournament.provenance import describe_run
from fiveup_sim.tournament.results import Results
from fiveup_sim.tournament.schedule import Schedule
from fiveup_sim.tournament.tasks import Outcome, Task, play_task
from fiveup_sim.tournament.workers import count_workers, run_calls


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
    """
    entries, labels = find_entries(strategies)
    rules = Rules.preset(seats=len(labels)) if rules is None else rules
    return _play(
        entries,
        [make_line_up(labels, rules)],
        rules,
        n_jobs=n_jobs,
        resume=resume,
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
    seed, n_jobs, first_block, paired, keep_games, resume, progress
        As for :func:`play_match`. All line-ups play the same deals.

    Returns
    -------
    Results
        One match a line-up. After Ctrl-C all line-ups have been played about equally far.

    Raises
    ------
    StrategyError, PlayError, ValueError
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
    progress: bool,
    **asked: Any,
) -> Results:
    plan = make_plan(entries, line_ups, rules, resume=resume, **asked)
    if resume is not None and plan.n_games == 0:
        return resume.as_played()
    _prepare(plan, progress)
    n_workers = count_workers(n_jobs)
    prefer = "threads" if plan.is_compiled else "processes"
    started, clock = time.time(), time.perf_counter()
    with show_progress(_title(plan), plan.n_games, progress) as bar:
        run = _Run(plan, n_workers, bar)
        is_interrupted = run_calls(run.calls(), run.take, n_jobs=n_jobs, prefer=prefer, stop=run.stop)
    run.close()
    results = plan.results(run.sums, [describe_run(started, time.perf_counter() - clock, run.seconds, n_workers)])
    results = results if resume is None else resume.as_played() + results
    _raise_fault(plan, run.faults, results)
    if is_interrupted:
        warnings.warn(f"interrupted: {results.n_games:,} of {results.n_planned_games:,} games played", stacklevel=3)
    return results


def _prepare(plan: Plan, progress: bool) -> None:
    """Compile everything here, once: workers that are other processes find the kernel on disk."""
    from fiveup_sim.engine.kernel import load_kernel

    with tell_if_slow("compiling (the first run of a version takes about 15 seconds longer)", progress):
        load_kernel()
        for entry in plan.entries.values():
            entry.strategy.compiled()


def _title(plan: Plan) -> str:
    return plan.line_ups[0].label if len(plan.line_ups) == 1 else f"{len(plan.line_ups)} line-ups"


class _Run:
    """What goes out to workers, and what has come back."""

    def __init__(self, plan: Plan, n_workers: int, bar: Bar) -> None:
        self._plan = plan
        self._bar = bar
        self._specs = {label: entry.strategy.to_spec() for label, entry in plan.entries.items()}
        self._schedule = Schedule(plan.todo, n_workers)
        self._lock = threading.Lock()
        self._is_closed = False
        self.stop = np.zeros(1, np.int64)
        self.sums = plan.sums()
        self.faults: list[Outcome] = []

    @property
    def seconds(self) -> float:
        """CPU seconds of all tasks."""
        return sum(match.seconds for match in self.sums)

    def calls(self) -> Iterator[tuple]:
        """The calls for joblib, made when a worker is free."""
        from joblib import delayed

        for task in self._schedule:
            if self.stop[0]:
                return
            yield delayed(play_task)(self._task(*task), self.stop)

    def _task(self, line_up: int, first_block: int, n_blocks: int) -> Task:
        plan = self._plan
        return Task(
            line_up=line_up,
            first_block=first_block,
            n_blocks=n_blocks,
            specs=tuple(self._specs[label] for label in plan.line_ups[line_up].names),
            seatings=plan.line_ups[line_up].seatings,
            rules=plan.rules.to_dict(),
            seed=plan.seed,
            paired=plan.paired,
            keep_games=plan.keep_games,
        )

    def take(self, outcome: Outcome | None) -> None:
        """Add up what a task gave. After a fault no more tasks go out, but those that are out are waited for."""
        with self._lock:
            if self._is_closed or outcome is None:
                return
            if outcome.fault is not None:
                self._schedule.close()
                self.faults.append(outcome)
                return
            self.sums[outcome.line_up].add(outcome)
            self._schedule.note(outcome.line_up, outcome.n_blocks, outcome.wall_seconds)
            self._bar.advance(outcome.n_blocks * self._plan.line_ups[outcome.line_up].n_rotations)

    def close(self) -> None:
        """Take nothing more: a task that was given up may still end."""
        with self._lock:
            self._is_closed = True


def _raise_fault(plan: Plan, outcomes: list[Outcome], results: Results) -> None:
    """Raise the first fault in the order of line-ups and blocks, if there is one.

    In a line-up blocks go out in their order, and every task that was out has ended: it is the same fault at every run.
    """
    if not outcomes:
        return
    outcome = min(outcomes, key=lambda outcome: (outcome.line_up, outcome.fault.block))
    fault, line_up = outcome.fault, plan.line_ups[outcome.line_up]
    if fault.block < 0:
        raise StrategyError(fault.what)
    seated = [plan.entries[label].spelling for label in line_up.seat_names(0)]
    address = {"seed": plan.seed, "paired": plan.paired, "block": fault.block, "rotation": fault.rotation}
    raise PlayError(fault, line_up, spell_game(seated, plan.rules, **address), results)
