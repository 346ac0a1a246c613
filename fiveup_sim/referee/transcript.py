"""A game record as a text to read: who sits where, every hand turn by turn, the result."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import groupby
from typing import Any

from fiveup_sim.referee.events import Event, parse_event
from fiveup_sim.referee.form import FaultError, check_form
from fiveup_sim.rules import Rules
from fiveup_sim.rules.tiles import format_placement, format_tile

LONG_GAME = 12
"""A game of more hands is shortened."""
IN_FULL = 4
"""So many of its first hands and of its last hands are given in full."""


def transcript(game: Any, hands: Collection[int] | None = None) -> str:
    """The text of `game`, the JSON object of a record; it says only what the record says, and judges nothing.

    Parameters
    ----------
    game
        The record; one of the wrong form gives a text that says so.
    hands
        Numbers of the hands to give in full, from 1; the others take a line each. None: all hands of a short
        game, the first and the last :data:`IN_FULL` of a game of more than :data:`LONG_GAME` hands.
    """
    try:
        return "\n".join(_Transcript(check_form(game), game).lines(hands))
    except FaultError as error:
        return f"not a game record: {error}"


class _Transcript:
    def __init__(self, rules: Rules, game: dict[str, Any]) -> None:
        self.rules = rules
        self.game = game
        self.seats = [f"seat {seat} {name or ''}".rstrip() for seat, name in enumerate(game["strategies"])]
        self.columns = [name.ljust(max(map(len, self.seats))) for name in self.seats]
        self.last_ordinary = self._last_ordinary()

    def lines(self, shown: Collection[int] | None) -> Iterator[str]:
        n_hands = len(self.game["hands"])
        if shown is None:
            is_long = n_hands > LONG_GAME
            shown = [n for n in range(1, n_hands + 1) if not is_long or n <= IN_FULL or n > n_hands - IN_FULL]
        yield from self._head()
        for is_shown, numbers in groupby(range(1, n_hands + 1), key=lambda number: number in shown):
            yield ""
            for position, number in enumerate(numbers):
                if is_shown:
                    yield from [""] * (position > 0)
                    yield from self._hand(number)
                else:
                    yield self._short_hand(number)
        yield ""
        yield self._end()

    def _head(self) -> Iterator[str]:
        yield f"Rules: {self.rules}; to {_n(self.rules.target, 'point')}"
        for seat, name in enumerate(self.seats):
            yield f"S{name[1:]}" + (f", side {self.rules.side(seat)}" if self.rules.partnership else "")
        origin = [f"{key} {self.game[key]}" for key in ("seed", "block", "rotation") if self.game[key] is not None]
        if origin:
            yield ", ".join(origin).capitalize()

    def _hand(self, number: int) -> Iterator[str]:
        hand = self.game["hands"][number - 1]
        yield f"{self._title(number)}: {self.seats[hand['lead']]} leads"
        for seat, tiles in enumerate(hand["held"]):
            yield f"  {self.columns[seat]}  holds {' '.join(tiles)}"
        yield f"  boneyard {' '.join(hand['boneyard']) or 'empty'}"
        yield from self._turns(hand)
        yield f"  {self._how_it_ended(hand)}; pips left: {_by_number('seat', hand['left'])}"
        points = _points_by_side(self.rules, hand)
        for side, (change, score) in enumerate(zip(hand["change"], hand["scores"], strict=True)):
            yield (
                f"  {self._side(side)}: placements {points[side]:+}, settlement {change - points[side]:+},"
                f" change {change:+}, score {score}"
            )

    def _turns(self, hand: dict[str, Any]) -> Iterator[str]:
        events = list(enumerate(map(parse_event, hand["events"]), 1))
        figures = iter(list(zip(hand["counts"], hand["points"], strict=False)))
        # the tiles drawn in one turn share a line; everything else has its own
        for _, run in groupby(events, key=lambda item: (item[1].seat, item[0] if item[1].drawn is None else 0)):
            numbers, turn = zip(*run, strict=True)
            label = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}..{numbers[-1]}"
            figure = next(figures, None) if turn[0].placement is not None else None
            yield f"  {label:>6}  {self.columns[turn[0].seat]}  {_in_words(turn, figure)}"

    def _short_hand(self, number: int) -> str:
        hand = self.game["hands"][number - 1]
        events = [parse_event(text) for text in hand["events"]]
        n_laid = sum(event.placement is not None for event in events)
        n_drawn = sum(event.drawn is not None for event in events)
        scores = " ".join(f"{score} ({change:+})" for score, change in zip(hand["scores"], hand["change"], strict=True))
        return (
            f"{self._title(number)}: seat {hand['lead']} leads, {_n(n_laid, 'placement')}, {_n(n_drawn, 'draw')},"
            f" {_n(len(events) - n_laid - n_drawn, 'pass', 'passes')}, {self._how_it_ended(hand)}; scores {scores}"
        )

    def _end(self) -> str:
        game = self.game
        scores = _by_number("side" if self.rules.partnership else "seat", game["scores"])
        said = "Unfinished" if game["winner"] is None else f"Won by {self._side(game['winner'])}"
        extension = f", {_n(game['extension_hands'], 'extension hand')}" if game["extension_hands"] else ""
        return f"{said} after {_n(len(game['hands']), 'hand')}{extension}; scores: {scores}"

    def _title(self, number: int) -> str:
        return f"Hand {number}" + (" (extension)" if number > self.last_ordinary else "")

    def _last_ordinary(self) -> int:
        """Number of the hand after which the top was first shared at the target, or of the last hand."""
        for number, hand in enumerate(self.game["hands"], 1):
            best = max(hand["scores"])
            if best >= self.rules.target and hand["scores"].count(best) > 1:
                return number
        return len(self.game["hands"])

    def _how_it_ended(self, hand: dict[str, Any]) -> str:
        if hand["end"] == "dominoed" and hand["dominoed"] is not None:
            return f"dominoed by seat {hand['dominoed']}"
        return "stopped at the target" if hand["end"] == "stopped" else str(hand["end"])

    def _side(self, side: int) -> str:
        if not self.rules.partnership:
            return self.seats[side]
        return f"side {side} ({' and '.join(self.seats[side::2])})"


def _in_words(turn: tuple[Event, ...], figure: tuple[int, int] | None) -> str:
    if turn[0].placement is not None:
        text = format_placement(turn[0].placement)
        if figure is None:
            return text
        count, points = figure
        return f"{text:12}  count {count:3}" + (f"  {_n(points, 'point')}" if points else "")
    drawn = [format_tile(event.drawn) for event in turn if event.drawn is not None]
    return f"draws {' '.join(drawn)}" if drawn else "passes"


def _points_by_side(rules: Rules, hand: dict[str, Any]) -> list[int]:
    seats = [event.seat for event in map(parse_event, hand["events"]) if event.placement is not None]
    points = [0] * rules.n_sides
    for seat, earned in zip(seats, hand["points"], strict=False):
        points[rules.side(seat)] += earned
    return points


def _by_number(word: str, values: list[int]) -> str:
    return ", ".join(f"{word} {number}: {value}" for number, value in enumerate(values))


def _n(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
