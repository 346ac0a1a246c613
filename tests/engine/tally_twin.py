"""The tallies of games once more, slowly, from their records."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from fiveup_sim.engine.rulebook import award_step
from fiveup_sim.engine.tallies import N_GAME_HANDS, N_GROUPS, TALLY
from fiveup_sim.referee.events import Event, parse_event
from fiveup_sim.referee.table import Table
from fiveup_sim.rules import Rules
from fiveup_sim.rules.tiles import Placement


def tallies_of(records: list[dict[str, Any]], rules: Rules, n_rotations: int) -> np.ndarray:
    """TALLY, shape (n_rotations, 128), from the records of games (``GameRecord.data``)."""
    tallies = np.zeros((n_rotations, N_GROUPS), TALLY)
    for game in records:
        tally = tallies[game["rotation"], game["block"] % N_GROUPS]
        for hand in game["hands"]:
            _add_hand(tally, hand, rules)
        _add_game(tally, game, rules)
    return tallies


def law_of(records: list[dict[str, Any]], rules: Rules) -> Counter:
    """Hands by (rotation, block % 32, lead, next lead or 4, change of side 0, of side 1), for two sides."""
    law: Counter = Counter()
    for game in records:
        for hand in game["hands"]:
            key = (hand["lead"], _next_lead(hand, rules), *hand["change"])
            law[game["rotation"], game["block"] % 32, *key] += 1
    return law


def _next_lead(hand: dict[str, Any], rules: Rules) -> int:
    """For Five Up only: who dominoed, else the lot."""
    assert (rules.next_lead, rules.blocked_lead) == ("dominoed", "lot")
    return hand["dominoed"] if hand["end"] == "dominoed" else 4


def _add_hand(tally: np.void, hand: dict[str, Any], rules: Rules) -> None:
    lead, sides = hand["lead"], range(rules.n_sides)
    side = rules.side(lead)
    led_out = hand["end"] == "dominoed" and hand["dominoed"] == lead
    tally["hands"] += 1
    tally["blocked"] += hand["end"] == "blocked"
    tally["stopped"] += hand["end"] == "stopped"
    if hand["end"] == "dominoed":
        tally["dominoed"][hand["dominoed"]] += 1
    tally["led"][lead] += 1
    tally["led_dominoed"][lead] += led_out
    tally["rests"][: rules.seats] += hand["left"]
    tally["change"][: rules.n_sides] += hand["change"]
    tally["led_change"][lead, : rules.n_sides] += hand["change"]
    for a in sides:
        for b in range(a, rules.n_sides):
            tally["change2"][a, b] += hand["change"][a] * hand["change"][b]
    events = [parse_event(text) for text in hand["events"]]
    awarded = _add_placements(tally, events, hand["points"], rules)
    tally["settlement"][: rules.n_sides] += np.array(hand["change"]) - awarded
    tile = events[0].placement.tile
    tally["lead_hands"][tile] += 1
    tally["lead_points"][tile] += hand["points"][0]
    tally["lead_dominoed"][tile] += led_out
    tally["lead_change"][tile] += hand["change"][side]
    tally["lead_change_others"][tile] += sum(hand["change"]) - hand["change"][side]


def _add_placements(tally: np.void, events: list[Event], points: list[int], rules: Rules) -> np.ndarray:
    """Returns the points awarded, by side."""
    awarded, position, table = np.zeros(rules.n_sides, int), 0, Table(rules)
    for seat, placement, drawn in events:
        if drawn is not None:
            tally["draws"][seat] += 1
        elif placement is None:
            tally["passes"][seat] += 1
        else:
            kind = 3 if position == 0 else _kind(table, placement)
            table.lay(placement)
            award = points[position]
            awarded[rules.side(seat)] += award
            for name, index in (("kind", kind), ("tile", placement.tile), ("position", position)):
                tally[f"{name}_placements"][seat, index] += 1
                tally[f"{name}_points"][seat, index] += award
            tally["awards"][seat, award // award_step(rules)] += 1
            position += 1
    tally["hand_placements"][position] += 1
    return awarded


def _kind(table: Table, placement: Placement) -> int:
    """END, LINE or ARM; of several equal hosts a record names the one laid first, as the table does."""
    options = table.options({placement.tile})
    return next(option.kind for option in options if option.placement == placement)


def _add_game(tally: np.void, game: dict[str, Any], rules: Rules) -> None:
    first, winner = game["hands"][0], game["winner"]
    tile = parse_event(first["events"][0]).placement.tile
    tally["games"] += 1
    tally["game_hands"][min(len(game["hands"]), N_GAME_HANDS) - 1] += 1
    tally["extension_games"] += _was_tied(game, rules)
    tally["extension_hands"] += game["extension_hands"]
    tally["first_led"][first["lead"]] += 1
    tally["lead_games"][tile] += 1
    if winner is None:
        tally["unfinished"] += 1
        return
    tally["wins"][winner] += 1
    tally["first_led_wins"][first["lead"], winner] += 1
    tally["lead_wins"][tile] += winner == rules.side(first["lead"])
    for side, score in enumerate(game["scores"]):
        above = sum(other > score for other in game["scores"])
        equal = game["scores"].count(score)
        place = round(2 * (above + (equal + 1) / 2)) - 2  # mean place of the equal ones, in half places from first
        tally["place_games"][side, place] += 1
        tally["place_score"][side, place] += score
        tally["place_score2"][side, place] += score**2


def _was_tied(game: dict[str, Any], rules: Rules) -> bool:
    """Whether the highest score, at or above the target, was shared after some hand."""
    tops = [sorted(hand["scores"])[-2:] for hand in game["hands"]]
    return any(low == high >= rules.target for low, high in tops)
