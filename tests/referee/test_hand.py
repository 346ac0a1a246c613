"""A hand turn by turn: drawing, passing, blocking, and who may do what."""

from __future__ import annotations

import pytest

from fiveup_sim.referee.events import parse_event
from fiveup_sim.referee.hand import Hand
from fiveup_sim.referee.scoring import settlement
from fiveup_sim.referee.table import RuleError
from fiveup_sim.rules import Rules
from fiveup_sim.rules.tiles import Placement, parse_tile


def tiles(text: str) -> list[int]:
    return [parse_tile(tile) for tile in text.split()]


def played(held: list[str], boneyard: str, events: str, rules: Rules | None = None, forced: str | None = None) -> Hand:
    """A hand after the events written in `events`; who acts first leads."""
    told = [parse_event(text) for text in events.split()]
    rules = rules or Rules(seats=len(held))
    hand = Hand(
        rules,
        [tiles(text) for text in held],
        tiles(boneyard),
        told[0].seat if told else 0,
        None if forced is None else parse_tile(forced),
    )
    for event in told:
        if event.placement is not None:
            hand.lay(event.seat, event.placement)
        elif event.drawn is not None:
            hand.draw(event.seat, event.drawn)
        else:
            hand.pass_turn(event.seat)
    return hand


def test_no_block_while_tiles_can_be_drawn() -> None:
    hand = played(["6-6", "1-1 5-5"], "2-1", "1:1-1")
    assert (hand.end, hand.must) == (None, "draw")
    hand = played(["6-6", "1-1 5-5"], "2-1", "1:1-1 0:+2-1 0:2-1@1-1")
    assert hand.table.count == 4


def test_no_block_while_another_seat_can_play() -> None:
    hand = played(["6-6", "1-1 6-1"], "", "1:1-1 0:pass 1:6-1@1-1")
    assert (hand.end, hand.dominoed, hand.table.count) == ("dominoed", 1, 8)


def test_block() -> None:
    hand = played(["6-6", "1-1 5-5"], "", "1:1-1 0:pass 1:pass")
    result = hand.result()
    assert (result.end, result.dominoed, result.left) == ("blocked", None, (12, 10))
    assert settlement(hand.rules, result) == [-2, -2]


def test_last_tile_against_blank_double() -> None:
    result = played(["0-0", "1-1"], "", "1:1-1").result()
    assert (result.dominoed, result.left) == (1, (0, 0))
    assert settlement(Rules(), result) == [0, 0]


def test_drawing_ends_with_the_boneyard() -> None:
    boneyard = "0-0 1-0 1-1 2-0 2-1 2-2 3-0 3-1 3-2 3-3 4-0 4-1 4-2 4-3"
    hand = played(["6-6 5-5", "5-4 5-3"], boneyard, "0:6-6")
    n_draws = 0
    while hand.must == "draw":
        hand.draw(1, hand.boneyard[0])
        n_draws += 1
    assert (n_draws, hand.must) == (14, "pass")


def test_a_pass_before_the_last_draw_counts() -> None:
    hand = played(["6-6 5-5", "5-4 5-3"], "3-1 2-1", "0:6-6 1:+3-1 1:pass 0:+2-1 0:pass", Rules(draw="one"))
    assert hand.end == "blocked"


def test_one_tile_is_drawn() -> None:
    rules = Rules(draw="one")
    hand = played(["6-6 5-5", "5-4 5-3"], "3-1 6-1 0-0", "0:6-6 1:+3-1", rules)
    assert hand.must == "pass"
    with pytest.raises(RuleError, match="seat 1 draws 6-1 but has drawn a tile in this turn"):
        hand.draw(1, parse_tile("6-1"))
    hand.pass_turn(1)
    hand.draw(0, parse_tile("6-1"))
    assert [option.tile for option in hand.options()] == [parse_tile("6-1")]
    assert hand.must == "lay"


def test_no_tile_is_drawn() -> None:
    rules = Rules(draw="none")
    with pytest.raises(RuleError, match="draws 6-1 but no tile may be drawn: draw = none"):
        played(["6-6 5-5", "5-4 5-3"], "6-1", "0:6-6 1:+6-1", rules)
    assert played(["6-6 5-5", "5-4 5-3"], "6-1", "0:6-6 1:pass 0:pass", rules).end == "blocked"


def test_the_reserve_stays() -> None:
    rules = Rules(boneyard_reserve=2)
    hand = played(["6-6 5-5", "5-4 5-3"], "3-1 6-1 0-0", "0:6-6 1:+3-1", rules)
    assert hand.must == "pass"
    with pytest.raises(RuleError, match="2 in the boneyard, 2 in reserve"):
        hand.draw(1, parse_tile("6-1"))


def test_turns_go_clockwise() -> None:
    hand = played(["3-1", "4-1 1-1", "5-1 0-0", "6-1 2-2"], "", "1:1-1 2:5-1@1-1 3:6-1@1-1 0:3-1@1-1")
    assert (hand.end, hand.dominoed) == ("dominoed", 0)


def test_copy_stands_alone() -> None:
    hand = played(["6-6 5-5", "5-4 5-3"], "3-1 6-1", "0:6-6 1:+3-1", Rules(draw="one"))
    twin = hand.copy()
    twin.pass_turn(1)
    twin.draw(0, parse_tile("6-1"))
    assert (hand.seat, hand.must, len(hand.boneyard), len(hand.held[0])) == (1, "pass", 1, 1)


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ("1:5-4", "seat 1 lays 5-4 but does not hold it"),
        ("0:5-4@4-1", "it is laid against nothing"),
        ("0:+3-1", "seat 0 draws 3-1 but can lead 3-3"),
        ("0:pass", "seat 0 passes but can lead 3-3"),
        ("0:5-4 0:4-1@5-4", "seat 0 lays 4-1@5-4 but it is the turn of seat 1"),
        ("0:5-4 1:5-4", "seat 1 lays 5-4, which lies on the table already"),
        ("0:5-4 1:4-4@4-3", "4-4 is laid against 4-3, which is not on the table"),
        ("0:5-4 1:+3-1", "seat 1 draws 3-1 but can lay 4-4"),
        ("0:5-4 1:pass", "seat 1 passes but can lay 4-4"),
        ("0:4-1 1:4-4@4-1 0:5-4@4-4 1:pass", "seat 1 passes but has to draw: 2 tiles"),
        ("0:4-1 1:4-4@4-1 0:5-4@4-4 1:+2-0", "seat 1 draws 2-0 but 3-1 is next in the boneyard"),
        ("0:4-1 1:4-4@4-1 0:5-4@4-4 1:+3-1 1:+2-0", "seat 1 draws 2-0 but can lay 3-1"),
        ("0:4-1 1:4-4@4-1 0:5-4@4-4 1:+3-1 0:1-1@3-1", "but it is the turn of seat 1"),
        ("0:4-1 1:4-4@4-1 0:5-4@4-4 1:+3-1 1:3-1@4-1 0:3-3@3-1 1:pass", "the hand is over: dominoed"),
    ],
)
def test_refused(events: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        played(["4-1 5-4 3-3", "4-4 6-6 6-2"], "3-1 2-0", events)


def test_forced_lead() -> None:
    hand = played(["4-1 5-4 3-3", "4-4 6-6 6-2"], "3-1 2-0", "", forced="3-3")
    assert [option.tile for option in hand.options()] == [parse_tile("3-3")]
    with pytest.raises(RuleError, match="seat 0 leads 5-4 but has to lead 3-3"):
        hand.lay(0, Placement(parse_tile("5-4")))


def test_no_result_before_the_end() -> None:
    with pytest.raises(RuleError, match="the hand is not over: seat 1 has to lay"):
        played(["4-1 5-4 3-3", "4-4 6-6 6-2"], "3-1 2-0", "0:5-4").result()
