"""Which blocks are handed out next, and how many at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fiveup_sim.tournament import spans
from fiveup_sim.tournament.spans import Spans

TASK_SECONDS = 0.75
"""A task should last so long: its fixed cost is about 15 ms, and nobody waits longer for Ctrl-C."""
SHORT_SECONDS = 0.15
"""Towards the end tasks get shorter, down to this, so that all workers end together."""
GROWTH = 64
"""A task is at most so many times as long as the longest one of its line-up that was timed."""


@dataclass
class _Queue:
    """What is left of a line-up."""

    left: list[tuple[int, int]]
    n_blocks: int
    n_left: int
    longest: int = 0
    """Blocks of the longest task that was timed."""
    timed_blocks: float = 0.0
    timed_seconds: float = 0.0

    @property
    def seconds_a_block(self) -> float:
        """What a block took lately; 0 if none was timed."""
        return self.timed_seconds / self.timed_blocks if self.timed_blocks else 0.0

    def note(self, n_blocks: int, seconds: float) -> None:
        """Learn from a task; what was learnt before counts half as much."""
        self.longest = max(self.longest, n_blocks)
        self.timed_blocks = self.timed_blocks / 2 + n_blocks
        self.timed_seconds = self.timed_seconds / 2 + seconds

    def take(self, n_blocks: int) -> tuple[int, int]:
        """The next blocks, at most so many: (first_block, n_blocks)."""
        first, end = self.left[0]
        n_blocks = min(n_blocks, end - first)
        self.left[0] = (first + n_blocks, end)
        if first + n_blocks == end:
            del self.left[0]
        self.n_left -= n_blocks
        return first, n_blocks


class Schedule:
    """An iterator over (line_up, first_block, n_blocks) that learns how long blocks take.

    The line-up of which the smallest share has been handed out is next, so that an interrupted run is balanced. In a
    line-up blocks go out in their order. What is played does not depend on any of this.

    Parameters
    ----------
    todo
        Blocks to play, by line-up.
    n_workers
        How many tasks are played at once.
    """

    def __init__(self, todo: Sequence[Spans], n_workers: int) -> None:
        self._queues = [_Queue(list(blocks), spans.n_blocks(blocks), spans.n_blocks(blocks)) for blocks in todo]
        self._n_workers = n_workers
        self._is_closed = False

    def close(self) -> None:
        """Hand out nothing more."""
        self._is_closed = True

    def note(self, line_up: int, n_blocks: int, seconds: float) -> None:
        """Learn that so many blocks of a line-up took so long."""
        self._queues[line_up].note(n_blocks, seconds)

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        while not self._is_closed:
            waiting = [i for i, queue in enumerate(self._queues) if queue.left]
            if not waiting:
                return
            line_up = max(waiting, key=lambda i: self._queues[i].n_left / self._queues[i].n_blocks)
            yield line_up, *self._queues[line_up].take(self._task_size(self._queues[line_up]))

    def _task_size(self, queue: _Queue) -> int:
        if queue.longest == 0:
            return 1
        seconds = TASK_SECONDS
        if self._n_workers > 1:
            seconds = min(seconds, max(SHORT_SECONDS, self._seconds_left() / self._n_workers))
        return max(1, min(GROWTH * queue.longest, int(seconds / max(queue.seconds_a_block, 1e-9))))

    def _seconds_left(self) -> float:
        """An estimate; line-ups that were not timed yet count as the mean of those that were."""
        timed = [queue.seconds_a_block for queue in self._queues if queue.longest]
        mean = sum(timed) / len(timed)
        return sum(queue.n_left * (queue.seconds_a_block if queue.longest else mean) for queue in self._queues)
