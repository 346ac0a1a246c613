"""What the seat, the lead and the tile led are worth."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from fiveup_sim.analysis import groups
from fiveup_sim.analysis.frames import COLUMNS, frame
from fiveup_sim.analysis.groups import Sums, pooled
from fiveup_sim.analysis.intervals import Estimates, contrast, count, difference, mean, share
from fiveup_sim.analysis.multiple import holm, p_value, simultaneous
from fiveup_sim.rules.tiles import N_TILES, format_tile

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results

_LEADS = ("hands", "points", "dominoed", "change", "change_others", "games", "wins")


def lead_effects(results: Results, level: float = 0.95) -> pd.DataFrame:
    """What leading is worth to each strategy.

    Parameters
    ----------
    results
        Of a match or a tournament.
    level
        Coverage of each single interval.

    Returns
    -------
    pandas.DataFrame
        ``strategy``, ``measure``, ``low``, ``best``, ``high``, ``n``:

        - ``dominoed``: share of the hands it led that it also dominoed;
        - ``points_ahead``: points of its side less the mean of the others, per hand it led;
        - ``win_rate_leading``, ``win_rate_following``: games won, by whether its side led the first hand;
        - ``win_rate_gain``: their difference.
    """
    hands, games = (groups.n_deals(results.matches, results.paired, name) for name in ("hands", "games"))
    led = groups.by_seat_holder(results, "led")
    dominoed = share(Sums.of(groups.by_seat_holder(results, "led_dominoed"), led, hands), level)
    ahead, n_others = _points_ahead(results), results.rules.n_sides - 1
    points = mean(Sums.of(ahead, led * n_others, hands), level)
    points = replace(points, n=led.sum(-1))
    leading, following = _first_led(results, games)
    gain = difference(contrast(leading, following), level)
    gain = replace(gain, n=leading.den.sum(-1) + following.den.sum(-1))
    rows = {
        "dominoed": dominoed,
        "points_ahead": points,
        "win_rate_leading": share(leading, level),
        "win_rate_following": share(following, level),
        "win_rate_gain": gain,
    }
    return _by_measure(rows, {"strategy": results.labels})


def seat_effects(results: Results, level: float = 0.95) -> pd.DataFrame:
    """Win rate of each strategy by seat.

    Parameters
    ----------
    results
        Of a match or a tournament.
    level
        Coverage of all intervals of a strategy at once.

    Returns
    -------
    pandas.DataFrame
        ``strategy``, ``seat``, ``low``, ``best``, ``high`` (games won by the seat's side / games), ``n`` (games) and
        ``p``: of "as often as from its other seats", adjusted for all rows (Holm).
    """
    seats = results.rules.seats
    wins, games = _by_seat(results)
    deals = groups.n_deals(results.matches, results.paired, "games")
    here = Sums.of(wins, games, deals)
    elsewhere = Sums.of(wins.sum(1, keepdims=True) - wins, games.sum(1, keepdims=True) - games, deals)
    table = frame(share(here, simultaneous(level, seats)), {"strategy": results.labels, "seat": range(seats)})
    return table.assign(p=holm(p_value(contrast(here, elsewhere)).ravel()))


def opening_tiles(results: Results, level: float = 0.95) -> pd.DataFrame:
    """What came of a hand or a game by the tile that led it, whoever led.

    Parameters
    ----------
    results
        Of a match or a tournament.
    level
        Coverage of all intervals of a measure at once.

    Returns
    -------
    pandas.DataFrame
        ``tile``, ``measure``, ``low``, ``best``, ``high``, ``n``:

        - ``led``: share of hands led with the tile;
        - ``lead_points``: points awarded for the lead itself;
        - ``dominoed``: share of these hands that the leader dominoed;
        - ``points_ahead``: points of the leader's side less the mean of the others, per hand;
        - ``win_rate``: games whose first hand was led with it that the leader's side won.

        Tiles are led by choice: a strategy's taste, and what else it held, are part of these figures.
    """
    hands, games = (groups.n_deals(results.matches, results.paired, name) for name in ("hands", "games"))
    tally = {name: pooled(results.matches, f"lead_{name}") for name in _LEADS}
    n_others, at_once = results.rules.n_sides - 1, simultaneous(level, N_TILES)
    led = tally["hands"]
    ahead = n_others * tally["change"] - tally["change_others"]
    points = mean(Sums.of(ahead, n_others * led, hands), at_once)
    rows = {
        "led": share(Sums.of(led, led.sum(0), hands), at_once),
        "lead_points": count(Sums.of(tally["points"], led, hands), at_once),
        "dominoed": share(Sums.of(tally["dominoed"], led, hands), at_once),
        "points_ahead": replace(points, n=led.sum(-1)),
        "win_rate": share(Sums.of(tally["wins"], tally["games"], games), at_once),
    }
    table = _by_measure(rows, {"tile": [format_tile(tile) for tile in range(N_TILES)]})
    return table[table["n"] > 0].reset_index(drop=True)


def seat_play(results: Results, level: float = 0.95) -> pd.DataFrame:
    """What each strategy did in a hand, at each seat it played.

    Parameters
    ----------
    results
        Of a match or a tournament.
    level
        Coverage of each single interval.

    Returns
    -------
    pandas.DataFrame
        ``strategy``, ``measure``, ``low``, ``best``, ``high``, ``n`` (hands, once for each of its seats):
        ``placements``, ``points`` (awarded for placements), ``draws``, ``passes``, ``pips_left`` per hand, and
        ``dominoed``, ``led``: shares of hands.
    """
    deals = groups.n_deals(results.matches, results.paired, "hands")
    hands = _hands_by_seat_holder(results)
    tallies = {"placements": "kind_placements", "points": "kind_points", "draws": "draws", "passes": "passes"}
    rows = {}
    for measure, name in (tallies | {"pips_left": "rests", "dominoed": "dominoed", "led": "led"}).items():
        num = groups.by_seat_holder(results, name)
        interval = share if measure in ("dominoed", "led") else count
        rows[measure] = interval(Sums.of(num.reshape(len(num), -1, num.shape[-1]).sum(1), hands, deals), level)
    return _by_measure(rows, {"strategy": results.labels})


def _points_ahead(results: Results) -> np.ndarray:
    """Points of the leader's side less those of each other, added up over the hands a strategy led: (n, 128)."""
    seats, n_sides = results.rules.seats, results.rules.n_sides
    side_of = [results.rules.side(seat) for seat in range(seats)]
    moved = 0
    for match in results.matches:
        change = match.tallies["led_change"][:, :, :seats, :n_sides]
        own = change[:, :, range(seats), side_of]
        moved += groups.move(n_sides * own - change.sum(-1), groups.seats_of(match, results.labels))
    return moved


def _first_led(results: Results, deals: int) -> tuple[Sums, Sums]:
    """Games won by each strategy / games, where its side led the first hand, and where it did not."""
    seats, n_sides = results.rules.seats, results.rules.n_sides
    leads = np.array([[results.rules.side(seat) == side for side in range(n_sides)] for seat in range(seats)], int)
    wins, games = (np.zeros((2, len(results.labels), groups.N_GROUPS), np.int64) for _ in range(2))
    for match in results.matches:
        sides = groups.sides_of(match, results.labels, results.rules).astype(int)
        for i, is_so in enumerate((leads, 1 - leads)):
            won = match.tallies["first_led_wins"][:, :, :seats, :n_sides]
            wins[i] += np.einsum("rgsj,sj,rjk->kg", won, is_so, sides)
            games[i] += np.einsum("rgs,sj,rjk->kg", match.tallies["first_led"][:, :, :seats], is_so, sides)
    return Sums.of(wins[0], games[0], deals), Sums.of(wins[1], games[1], deals)


def _by_seat(results: Results) -> tuple[np.ndarray, np.ndarray]:
    """Wins of the seat's side, and games, by strategy and seat: int64, shape (n, seats, 128) each."""
    side_of = [results.rules.side(seat) for seat in range(results.rules.seats)]
    wins, games = 0, 0
    for match in results.matches:
        seats = groups.seats_of(match, results.labels).astype(int)
        wins += np.einsum("rgs,rsk->ksg", match.tallies["wins"][:, :, side_of], seats)
        games += np.einsum("rg,rsk->ksg", match.tallies["games"], seats)
    return wins, games


def _hands_by_seat_holder(results: Results) -> np.ndarray:
    """Hands by strategy, once for each seat it held: int64, shape (n, 128)."""
    return sum(
        np.einsum("rg,rk->kg", match.tallies["hands"], groups.seats_of(match, results.labels).sum(1))
        for match in results.matches
    )


def _by_measure(rows: dict[str, Estimates], axis: dict[str, list]) -> pd.DataFrame:
    """A row for each entry of `axis` and each measure."""
    stacked = {name: np.stack([getattr(row, name) for row in rows.values()], axis=1) for name in COLUMNS}
    return frame(Estimates(**stacked), axis | {"measure": list(rows)})
