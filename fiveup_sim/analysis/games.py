"""Kept games as a table, one row a game."""

from __future__ import annotations

import numpy as np
import pandas as pd

from fiveup_sim.rules.tiles import N_TILES, format_tile
from fiveup_sim.tournament.match_results import MatchResults
from fiveup_sim.tournament.results import Results


def games_frame(results: Results) -> pd.DataFrame:
    """The kept games of all line-ups.

    Parameters
    ----------
    results
        Of a run with ``keep_games=True``.

    Returns
    -------
    pandas.DataFrame
        In the order of line-ups, blocks, rotations. ``line_up``; ``block``, ``rotation``: which game;
        ``strategy_0`` ...: label by side; ``winner``: side, -1 if unfinished; ``won_by``: its label, or missing;
        ``hands``, ``extension_hands``; ``score_0`` ...: final score by side; ``first_lead``: seat;
        ``first_tile``: tile led in the first hand, as written; ``first_change_0`` ...: score change of the first
        hand by side. Labels and tiles are categories.

    Raises
    ------
    ValueError
        If games were not kept.
    """
    line_ups = [match.line_up for match in results.matches]
    sides = {name: None for up in line_ups for r in range(up.n_rotations) for name in up.side_names(r, results.rules)}
    frames = [_match_frame(index, match, results, list(sides)) for index, match in enumerate(results.matches)]
    return pd.concat(frames, ignore_index=True)


def _match_frame(index: int, match: MatchResults, results: Results, side_names: list[str]) -> pd.DataFrame:
    games, sides = match.games, range(results.rules.n_sides)
    if games is None:
        raise ValueError("the games were not kept: play with keep_games=True")
    labels = [played.line_up.label for played in results.matches]
    by_rotation = [match.line_up.side_names(r, results.rules) for r in range(match.line_up.n_rotations)]
    by_side = np.array([[side_names.index(name) for name in names] for names in by_rotation])[games["rotation"]]
    won_by = np.where(games["winner"] < 0, -1, by_side[np.arange(len(games)), games["winner"]])
    tiles = [format_tile(tile) for tile in range(N_TILES)]
    columns = {
        "line_up": pd.Categorical.from_codes(np.full(len(games), index), labels),
        "block": games["block"],
        "rotation": games["rotation"],
        **{f"strategy_{side}": pd.Categorical.from_codes(by_side[:, side], side_names) for side in sides},
        "winner": games["winner"],
        "won_by": pd.Categorical.from_codes(won_by, side_names),
        "hands": games["hands"],
        "extension_hands": games["extension_hands"],
        **{f"score_{side}": games["scores"][:, side] for side in sides},
        "first_lead": games["first_lead"],
        "first_tile": pd.Categorical.from_codes(games["first_tile"], tiles),
        **{f"first_change_{side}": games["first_change"][:, side] for side in sides},
    }
    return pd.DataFrame(columns)
