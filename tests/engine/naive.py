"""Slow, obvious twins of the engine for tests: a player of whole games and a counter of placement sequences."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from fiveup_sim.referee.events import Event, format_event
from fiveup_sim.referee.hand import Hand
from fiveup_sim.referee.record import FORMAT, GameRecord
from fiveup_sim.referee.scoring import HandResult, Scoreboard, next_lead
from fiveup_sim.referee.table import Option
from fiveup_sim.rules import Rules, rule_fields
from fiveup_sim.rules.tiles import N_TILES, format_tile

Choose = Callable[[Sequence[Option], random.Random], Option]


def choose_any(options: Sequence[Option], rng: random.Random) -> Option:
    """Any legal placement, all equally likely."""
    return rng.choice(options)


def choose_most(options: Sequence[Option], rng: random.Random) -> Option:
    """Most points now, the first of equal ones."""
    return max(options, key=lambda option: option.points)


def play_naive_game(rules: Rules, rng: random.Random, choose: Choose = choose_any) -> GameRecord:
    """Play one game, every seat choosing with `choose`, and record it."""
    board = Scoreboard(rules)
    hands: list[dict[str, Any]] = []
    last: HandResult | None = None
    while not board.is_over:
        held, boneyard = deal(rules, rng)
        lead = next_lead(rules, last, held)
        leader = rng.randrange(rules.seats) if lead.seat is None else lead.seat
        hand = Hand(rules, held, boneyard, leader, lead.tile)
        before = list(board.scores)
        board.begin_hand()
        told = play_naive_hand(hand, board, rng, choose)
        last = hand.result()
        board.end_hand(last)
        hands.append(
            {
                "lead": leader,
                "held": [_write(sorted(tiles)) for tiles in held],
                "boneyard": _write(boneyard),
                **told,
                "end": last.end,
                "dominoed": last.dominoed,
                "left": list(last.left),
                "change": [score - old for score, old in zip(board.scores, before, strict=True)],
                "scores": list(board.scores),
            }
        )
    return GameRecord(
        {
            "format": FORMAT,
            "rules": rules.to_dict(),
            "strategies": [None] * rules.seats,
            "seed": None,
            "block": None,
            "rotation": None,
            "hands": hands,
            "outcome": "unfinished" if board.winner is None else "won",
            "winner": board.winner,
            "scores": board.scores,
            "extension_hands": board.extension_hands,
        }
    )


def play_naive_hand(hand: Hand, board: Scoreboard, rng: random.Random, choose: Choose) -> dict[str, list[Any]]:
    """Play `hand` to its end on `board`; returns events, counts and points as records have them."""
    told: dict[str, list[Any]] = {"events": [], "counts": [], "points": []}
    while hand.end is None:
        seat, must = hand.seat, hand.must
        if must == "lay":
            placement = choose(hand.options(), rng).placement
            event = Event(seat, placement=placement)
            hand.lay(seat, placement)
            told["counts"].append(hand.table.count)
            told["points"].append(board.award(seat, hand.table.points))
            if board.winner is not None:
                hand.stop()
        elif must == "draw":
            event = Event(seat, drawn=hand.boneyard[0])
            hand.draw(seat, hand.boneyard[0])
        else:
            event = Event(seat)
            hand.pass_turn(seat)
        told["events"].append(format_event(event))
    return told


def deal(rules: Rules, rng: random.Random) -> tuple[list[set[int]], list[int]]:
    """The tiles of every seat, and the boneyard in the order it is drawn."""
    tiles = list(range(N_TILES))
    rng.shuffle(tiles)
    each = rules.tiles_each
    held = [set(tiles[seat * each : (seat + 1) * each]) for seat in range(rules.seats)]
    return held, tiles[rules.seats * each :]


def sequences(
    rules: Rules, held_by_seat: Sequence[Collection[int]], boneyard: Iterable[int], lead: int, depth: int
) -> list[int]:
    """How many sequences of placements a fixed deal allows (perft).

    A placement is (tile, pip, kind): equal hosts are one. Draws and passes happen as they must, and take no depth;
    a hand that has ended goes on nowhere. Seat `lead` may lead any tile, and scores stop nothing.

    Returns
    -------
    list of int
        Sequences of 1, 2, ... `depth` placements.
    """
    numbers = [0] * depth
    _count(Hand(rules, held_by_seat, boneyard, lead), numbers, 0)
    return numbers


def _count(hand: Hand, numbers: list[int], n_laid: int) -> None:
    if n_laid == len(numbers):
        return
    while hand.end is None and hand.must != "lay":
        if hand.must == "draw":
            hand.draw(hand.seat, hand.boneyard[0])
        else:
            hand.pass_turn(hand.seat)
    if hand.end is not None:
        return
    for option in hand.options():
        numbers[n_laid] += 1
        after = hand.copy()
        after.lay(after.seat, option.placement)
        _count(after, numbers, n_laid + 1)


def random_rules(rng: random.Random, **fixed: Any) -> Rules:
    """Any rules that are allowed: every field by chance, but `fixed` ones and small numbers that keep games short."""
    while True:
        values = {rule.name: rng.choice(rule.metadata["allowed"]) for rule in rule_fields()}
        values |= {
            "min_first_score": rng.choice([0, 0, 1, 2, 3, 10]),
            "target": rng.choice([1, 3, 8, 15, 30]),
            "max_hands": rng.choice([1, 4, 12]),
        }
        try:
            return Rules(name="custom", **(values | fixed))
        except ValueError:
            continue


def _write(tiles: Iterable[int]) -> list[str]:
    return [format_tile(tile) for tile in tiles]
