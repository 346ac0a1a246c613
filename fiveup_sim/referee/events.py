"""Events of a hand as records write them: ``0:5-4``, ``1:4-1@5-4``, ``1:+3-1``, ``0:pass``."""

from __future__ import annotations

import re
from typing import NamedTuple

from fiveup_sim.rules.tiles import Placement, format_placement, format_tile, parse_placement, parse_tile

_EVENT = re.compile(r"([0-3]):(?:(pass)|\+(\S+)|(\S+))")


class Event(NamedTuple):
    """One event: a placement, a draw (`drawn`), or, where both are None, a pass."""

    seat: int
    placement: Placement | None = None
    drawn: int | None = None


def format_event(event: Event) -> str:
    """`event` as it is written.

    >>> format_event(Event(1, drawn=4))
    '1:+2-1'
    """
    if event.placement is not None:
        return f"{event.seat}:{format_placement(event.placement)}"
    return f"{event.seat}:pass" if event.drawn is None else f"{event.seat}:+{format_tile(event.drawn)}"


def parse_event(text: str) -> Event:
    """The event written `text`.

    Raises
    ------
    ValueError
        If it is not one.
    """
    match = _EVENT.fullmatch(text)
    if match is None:
        raise ValueError(f"event {text!r}: write it SEAT:TILE, SEAT:TILE@HOST, SEAT:+TILE or SEAT:pass")
    seat, is_pass, drawn, placement = match.groups()
    if is_pass:
        return Event(int(seat))
    if drawn:
        return Event(int(seat), drawn=parse_tile(drawn))
    return Event(int(seat), placement=parse_placement(placement))
