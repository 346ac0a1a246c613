"""A run in progress: what goes out to workers, what has come back, and what is on disk."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from fiveup_sim.strategy import to_spec
from fiveup_sim.tournament.plan import Plan
from fiveup_sim.tournament.progress import Bar
from fiveup_sim.tournament.provenance import describe_run
from fiveup_sim.tournament.results import Results
from fiveup_sim.tournament.schedule import Schedule
from fiveup_sim.tournament.store import StoreError
from fiveup_sim.tournament.tasks import Failure, Outcome, Task, play_task
from fiveup_sim.tournament.workers import run_calls

SAVE_SECONDS = 60.0
"""How often results are saved in a long run: whoever pulls the plug loses no more."""


class Runner:
    """A run of a plan.

    Parameters
    ----------
    plan
        What to play.
    n_workers
        How many tasks are played at once.
    resume
        Results that are part of this run's.
    save_to
        Where results are saved, now and then and at the end; None: nowhere.

    Raises
    ------
    StoreError
        If `save_to` holds anything that would be lost.
    """

    def __init__(self, plan: Plan, n_workers: int, resume: Results | None, save_to: Path | None) -> None:
        self._plan = plan
        self._n_workers = n_workers
        self._resume = resume
        self._save_to = save_to
        self._specs = {label: to_spec(entry.strategy) for label, entry in plan.entries.items()}
        self._schedule = Schedule(plan.todo, n_workers)
        self._sums = plan.sums()
        self._start_clock()
        self._stop = np.zeros(1, np.int64)
        self._lock = threading.Lock()
        self._is_closed = False
        self.failures: list[Failure] = []
        """From tasks in which a strategy failed."""
        if save_to is not None:
            self.results().check_place(save_to)

    def play(self, n_jobs: int | None, bar: Bar) -> bool:
        """Play everything, and tell `bar` of games played; whether it was interrupted."""
        self._start_clock()
        prefer = "threads" if self._plan.is_compiled else "processes"
        take = partial(self._take, bar)
        is_interrupted = run_calls(self._calls(), take, n_jobs=n_jobs, prefer=prefer, stop=self._stop)
        with self._lock:
            self._is_closed = True  # a task that was given up may still end
        return is_interrupted

    def results(self) -> Results:
        """What has come back so far, with what there was before."""
        cpu_seconds = sum(match.seconds for match in self._sums)
        run = describe_run(self._started, time.perf_counter() - self._clock, cpu_seconds, self._n_workers)
        new = self._plan.results(self._sums, [run])
        return new if self._resume is None else self._resume.as_played() + new

    def save(self, results: Results) -> None:
        """Save `results`, if they are to be saved and there are any; a disk that is full spoils no run."""
        if self._save_to is None or not results.n_games:
            return
        clock = time.perf_counter()
        try:
            results.save(self._save_to)
        except (OSError, StoreError) as error:
            warnings.warn(f"the results could not be saved: {error}", stacklevel=2)
        now = time.perf_counter()
        self._next_save = now + max(SAVE_SECONDS, 20 * (now - clock))

    def _calls(self) -> Iterator[tuple]:
        """The calls for joblib, made when a worker is free."""
        from joblib import delayed

        for task in self._schedule:
            if self._stop[0]:
                return
            yield delayed(play_task)(self._task(*task), self._stop)

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

    def _start_clock(self) -> None:
        self._started, self._clock = time.time(), time.perf_counter()
        self._next_save = self._clock + SAVE_SECONDS

    def _take(self, bar: Bar, outcome: Outcome | Failure | None) -> None:
        """Add up what a task gave. After a fault no more tasks go out, but those that are out are waited for."""
        with self._lock:
            if self._is_closed or outcome is None:
                return
            if isinstance(outcome, Failure):
                self._schedule.close()
                self.failures.append(outcome)
                return
            self._sums[outcome.line_up].add(outcome)
            self._schedule.note(outcome.line_up, outcome.n_blocks, outcome.wall_seconds)
            bar.advance(outcome.n_blocks * self._plan.line_ups[outcome.line_up].n_rotations)
            if self._save_to is not None and time.perf_counter() > self._next_save:
                self.save(self.results())
