"""Who sits where: line-ups, their seatings, and all line-ups of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations

import numpy as np

from fiveup_sim.rules import Rules


@dataclass(frozen=True)
class LineUp:
    """Strategies by seat, and all the ways in which they are seated.

    Made by :func:`make_line_up`. Plain data: two line-ups are equal when names and seatings are.
    """

    names: tuple[str, ...]
    """Labels of the strategies by position, each once: ``("greedy", "random")``; one in self-play."""
    seatings: tuple[tuple[int, ...], ...]
    """The position that sits at each seat, by rotation; all different. Rotation 0 is the line-up as it was given."""

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.seatings[0])

    @property
    def n_rotations(self) -> int:
        """Number of seatings: the games of a block."""
        return len(self.seatings)

    @property
    def short_names(self) -> tuple[str, ...]:
        """Labels by seat of rotation 0; where seats 2 and 3 repeat 0 and 1, as partners do, those two only."""
        names = self.seat_names(0)
        return names[:2] if len(names) == 4 and names[:2] == names[2:] else names

    @property
    def label(self) -> str:
        """How it is called: ``"greedy - random"``."""
        return " - ".join(self.short_names)

    @property
    def seating_array(self) -> np.ndarray:
        """The seatings as the engine takes them: int64, shape (n_rotations, seats)."""
        return np.array(self.seatings, np.int64)

    def seat_names(self, rotation: int) -> tuple[str, ...]:
        """Label of the strategy at each seat of a rotation."""
        return tuple(self.names[position] for position in self.seatings[rotation])

    def side_names(self, rotation: int, rules: Rules) -> tuple[str, ...]:
        """Label of each side of a rotation; partners that differ are written ``"greedy + random"``."""
        by_seat = self.seat_names(rotation)
        sides = (by_seat[side :: rules.n_sides] for side in range(rules.n_sides))
        return tuple(" + ".join(dict.fromkeys(names)) for names in sides)

    def n_blocks(self, games: int) -> int:
        """Whole blocks that hold at least so many games."""
        return -(-games // self.n_rotations)


def make_line_up(names: Sequence[str], rules: Rules) -> LineUp:
    """The line-up with these strategies, and its seatings.

    Parameters
    ----------
    names
        Labels by seat, or by side: two names at four seats with partnerships sit as A B A B.
    rules
        The rules.

    Returns
    -------
    LineUp
        Seatings are all distinct permutations with three sides, else all distinct cyclic rotations, in which
        everybody moves one seat on at each step.

    Raises
    ------
    ValueError
        If the number of names is neither that of the seats nor that of the sides.
    """
    allowed = sorted({rules.n_sides, rules.seats})
    if len(names) not in allowed:
        raise ValueError(
            f"strategies {', '.join(names) or '(none)'} for {rules}: {len(names)} given, "
            f"allowed {' or '.join(map(str, allowed))}, one a {'seat' if len(allowed) == 1 else 'side or one a seat'}"
        )
    by_seat = [names[rules.side(seat)] for seat in range(rules.seats)] if len(names) < rules.seats else list(names)
    distinct = list(dict.fromkeys(by_seat))
    given = tuple(distinct.index(name) for name in by_seat)
    turned = permutations(given) if rules.n_sides == 3 else (given[-r:] + given[:-r] for r in range(rules.seats))
    return LineUp(tuple(distinct), tuple(dict.fromkeys(turned)))


def tournament_line_ups(names: Sequence[str], rules: Rules) -> list[LineUp]:
    """All line-ups of a tournament between these strategies.

    Two sides: every pair. Three: every three different ones, and every two against one, both ways round.
    Four: every four different ones; of two or three strategies all line-ups in which each of them sits.

    Parameters
    ----------
    names
        Labels of the strategies, all different.
    rules
        The rules.

    Raises
    ------
    ValueError
        If there are fewer than two names, or one comes twice.
    """
    if len(names) < 2:
        raise ValueError(f"a tournament between {', '.join(names) or 'no strategies'}: at least 2 are needed")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"strategy {twice!r} comes twice: name each strategy of a tournament once")
    chosen: list[tuple[str, ...]]
    if rules.n_sides == 2:
        chosen = list(combinations(names, 2))
    elif rules.n_sides == 3:
        chosen = [three for three in combinations_with_replacement(names, 3) if len(set(three)) > 1]
    elif len(names) < 4:
        chosen = [four for four in combinations_with_replacement(names, 4) if len(set(four)) == len(names)]
    else:
        chosen = list(combinations(names, 4))
    return [make_line_up(by_side, rules) for by_side in chosen]
