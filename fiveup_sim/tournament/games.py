"""Kept games as a table, one row a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fiveup_sim.tiles import format_tile
from fiveup_sim.tournament.results import MatchResults, Results

if TYPE_CHECKING:
    import pandas as pd

    from fiveup_sim.rules import Rules


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
    import pandas as pd

    if any(match.games is None for match in results.matches):
        raise ValueError("the games were not kept: play with keep_games=True")
    frame = pd.concat([_match_frame(match, results.rules) for match in results.matches], ignore_index=True)
    for name in frame.columns[frame.dtypes.map(lambda dtype: not pd.api.types.is_numeric_dtype(dtype))]:
        frame[name] = frame[name].astype("category")
    return frame


def _match_frame(match: MatchResults, rules: Rules) -> pd.DataFrame:
    import numpy as np
    import pandas as pd

    games, sides = match.games, range(rules.n_sides)
    names = np.array([match.line_up.side_names(r, rules) for r in range(match.line_up.n_rotations)], object)
    by_side = names[games["rotation"]]
    won_by = by_side[np.arange(len(games)), games["winner"]]
    won_by[games["winner"] < 0] = None
    tiles = np.array([format_tile(tile) for tile in range(28)], object)
    columns = {
        "line_up": match.line_up.label,
        "block": games["block"],
        "rotation": games["rotation"],
        **{f"strategy_{side}": by_side[:, side] for side in sides},
        "winner": games["winner"],
        "won_by": won_by,
        "hands": games["hands"],
        "extension_hands": games["extension_hands"],
        **{f"score_{side}": games["scores"][:, side] for side in sides},
        "first_lead": games["first_lead"],
        "first_tile": tiles[games["first_tile"]],
        **{f"first_change_{side}": games["first_change"][:, side] for side in sides},
    }
    return pd.DataFrame(columns)
