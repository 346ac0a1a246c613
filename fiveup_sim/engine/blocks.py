"""The Python border of the kernel: here arguments become records, and faults become exceptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import config

from fiveup_sim.engine.kernel import load_kernel
from fiveup_sim.engine.rulebook import rules_record
from fiveup_sim.engine.state import HAND, JOB, STATE, Status
from fiveup_sim.engine.tallies import GAME, LAW, LAW_SLOTS, N_GROUPS, N_LAW_GROUPS, TALLY
from fiveup_sim.engine.view import MAX_SEATS, VIEW, WORDS
from fiveup_sim.rules import Rules


@dataclass(frozen=True)
class BlockResult:
    """What a run of blocks gave.

    Attributes
    ----------
    tallies
        TALLY, shape (n_rotations, 128).
    law
        LAW, shape (n_cells,): counts of hand outcomes; empty unless there are two sides.
    games
        GAME, a row a game in the order of blocks, then rotations; None unless asked for.
    """

    tallies: np.ndarray
    law: np.ndarray
    games: np.ndarray | None


class PlayFault(Exception):
    """A strategy failed in a game.

    Attributes
    ----------
    seat, position
        The seat that was asked, and the position of its strategy in the line-up.
    block, rotation, hand
        Where: with rules, line-up and seed this replays the game.
    choice, n_legal
        The index returned, and the number of legal placements.
    cause
        The exception that the strategy raised, or None: the index was illegal.
    """

    def __init__(self, job: np.void, cause: BaseException | None) -> None:
        self.block, self.rotation, self.hand = int(job["block"]), int(job["rotation"]), int(job["hand"])
        self.seat, self.choice, self.n_legal = int(job["seat"]), int(job["choice"]), int(job["n_legal"])
        self.position = int(job["seatings"][self.rotation, self.seat])
        self.cause = cause
        what = f"returned {self.choice}, not 0..{self.n_legal - 1}" if cause is None else f"raised {cause!r}"
        super().__init__(
            f"seat {self.seat} {what} in block {self.block}, rotation {self.rotation}, hand {self.hand + 1}"
        )


class Cancelled(Exception):
    """The stop flag was set before all blocks were played."""


@dataclass(frozen=True)
class Seats:
    """Who plays, and where: the line-up as the kernel takes it.

    Attributes
    ----------
    functions
        Up to four first-class functions by position in the line-up, as ``Strategy.compiled()`` gives them.
    params
        float64, shape (len(functions), 16): their parameters.
    seatings
        int, shape (n_rotations, seats): the position that sits at each seat, by rotation.
    """

    functions: Sequence[Any]
    params: np.ndarray
    seatings: np.ndarray


def play_blocks(
    seats: Seats,
    rules: Rules,
    *,
    seed: int,
    first_block: int,
    n_blocks: int,
    paired: bool = True,
    keep_games: bool = False,
    stop: np.ndarray | None = None,
) -> BlockResult:
    """Play every seating of a line-up on blocks first_block .. first_block + n_blocks - 1.

    Parameters
    ----------
    seats
        The line-up and its seatings.
    rules
        The rules.
    seed
        0 <= seed < 2**64.
    first_block, n_blocks
        Blocks to play, counted from 0.
    paired
        Whether all seatings of a block share its lots and deals.
    keep_games
        Whether to keep a row a game.
    stop
        int64, shape (1,): set to 1 from another thread, it ends the call before the next game.

    Returns
    -------
    BlockResult

    Raises
    ------
    PlayFault
        If a strategy raises, or returns an illegal index.
    Cancelled
        If `stop` was set.
    """
    table = _Table(seats, rules, seed, paired, np.zeros(1, np.int64) if stop is None else stop)
    n_rotations = len(seats.seatings)
    end = first_block + n_blocks
    games = np.zeros(n_blocks * n_rotations, GAME) if keep_games else None
    # one call for all blocks, or one for each group of the law, which is counted in one hash table at a time
    step = N_LAW_GROUPS if rules.n_sides == 2 else 1
    cells = [np.empty(0, LAW)]
    for first in range(first_block, min(end, first_block + step)):
        rows = table.play(range(first, end, step), keep_games)
        if games is not None:
            games.reshape(n_blocks, n_rotations)[first - first_block :: step] = rows.reshape(-1, n_rotations)
        cells += table.take_law(first % N_LAW_GROUPS)
    return BlockResult(table.tallies, np.concatenate(cells), games)


def play_traced(
    seats: Seats, rules: Rules, *, seed: int, block: int, rotation: int, paired: bool = True
) -> tuple[np.void, np.ndarray]:
    """Play one game and keep everything.

    Returns
    -------
    numpy.void
        Its row, of dtype GAME.
    numpy.ndarray
        HAND, shape (n_hands,): decks, turns and scores, hand by hand.

    Raises
    ------
    PlayFault
        If a strategy raises, or returns an illegal index.
    """
    # room for the longest game: memory that is never written is never taken
    trace = np.zeros(rules.max_hands, HAND)
    row = _Table(seats, rules, seed, paired).play(range(block, block + 1), True, rotation, trace)[0]
    return row, trace[: row["hands"]].copy()


class _Table:
    """The arrays that a call of the kernel works on."""

    def __init__(
        self, seats: Seats, rules: Rules, seed: int, paired: bool, stop: np.ndarray | None = None
    ) -> None:
        n_rotations, n_seats = seats.seatings.shape
        self.functions = [seats.functions[min(i, len(seats.functions) - 1)] for i in range(MAX_SEATS)]
        self.job = np.zeros(1, JOB)
        self.job["rules"] = rules_record(rules)
        self.job["seed"] = seed
        self.job["is_paired"] = paired
        self.job["seatings"][0, :n_rotations, :n_seats] = seats.seatings
        self.job["params"][0, : len(seats.params)] = seats.params
        self.views = np.zeros(MAX_SEATS, VIEW)
        self.tallies = np.zeros((n_rotations, N_GROUPS), TALLY)
        self.laws = np.zeros((n_rotations, LAW_SLOTS + 1 if rules.n_sides == 2 else 1), np.int64)
        self.stop = np.zeros(1, np.int64) if stop is None else stop

    def play(
        self, blocks: range, keep_games: bool, rotation: int | None = None, trace: np.ndarray | None = None
    ) -> np.ndarray:
        n_rotations = len(self.tallies)
        first, last = (0, n_rotations) if rotation is None else (rotation, rotation + 1)
        job = self.job
        job["first_block"], job["end_block"], job["step"] = blocks.start, blocks.stop, blocks.step
        job["first_rotation"], job["end_rotation"] = first, last
        games = np.zeros(len(blocks) * (last - first) if keep_games else 0, GAME)
        arrays = [job, np.zeros(1, STATE), self.views, self.views.view(WORDS), self.tallies, self.laws, games]
        arrays += [np.zeros(0, HAND) if trace is None else trace, self.stop]
        if config.DISABLE_JIT:  # plain Python reads the fields of a record as attributes only here
            arrays = [array.view(np.recarray) if array.dtype.names else array for array in arrays]
        self._call(arrays)
        return games

    def _call(self, arrays: list[np.ndarray]) -> None:
        kernel = load_kernel()
        try:
            status = kernel(*self.functions, *arrays)
        except Exception as error:
            raise PlayFault(self.job[0], error) from error
        if status == Status.ILLEGAL:
            asked = self.functions[int(self.job["seatings"][0, int(self.job["rotation"][0]), int(self.job["seat"][0])])]
            error = getattr(asked, "error", None)
            if isinstance(error, KeyboardInterrupt):
                raise error
            raise PlayFault(self.job[0], error)
        if status == Status.CANCELLED:
            raise Cancelled

    def take_law(self, group: int) -> list[np.ndarray]:
        """The cells counted since the last call, by rotation; the hash tables are cleared."""
        cells = []
        for rotation, law in enumerate(self.laws):
            words = law[:-1][law[:-1] != 0]
            cell = np.empty(len(words), LAW)
            cell["rotation"], cell["group"] = rotation, group
            cell["key"], cell["count"] = words >> 32, words & 0xFFFFFFFF
            cells.append(cell)
            law[:] = 0
        return cells
