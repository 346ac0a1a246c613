"""Writes presets.md, the page beside it: what random and greedy placements come to under every preset.

    python docs/presets.py

The same version writes the same page.
"""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd

from fiveup_sim import Results, Rules, play_tournament, points_per_placement, win_rates
from fiveup_sim.analysis.metrics import metrics
from fiveup_sim.rules.presets import PRESETS
from fiveup_sim.words import write_estimate

GAMES = 8_000
SEED = 1
PAGE = Path(__file__).with_suffix(".md")
_SHARES = ("blocked_share", "extension_share", "unfinished_share")

HEAD = """\
# The presets, and what `random` and `greedy` do under them

`random` lays any legal placement, `greedy` the one that scores most, or else the heaviest tile. For every preset and
number of seats all line-ups of the two are played, in all seatings: {games:,} games of each line-up, seed {seed}. Every
figure has its 95 % interval, each by itself. A win rate is that of a side of `greedy`: by chance alone it would be 50 %
with two sides, 33 % with three, 25 % with four. Points are those of each preset, in the unit of its target.

Made by `python docs/presets.py`.
"""


def main() -> None:
    """Play everything and write the page."""
    lines = [HEAD.format(games=GAMES, seed=SEED), "## The rule sets", ""]
    lines += [f"- `{name}`: {_first_line(function.__doc__ or '')}" for name, function in PRESETS.items()]
    lines += ["", "`fiveup rules NAME` lists every field. Which values no source gives stands in the docstrings of"]
    lines += ["`fiveup_sim.rules.presets`, marked as assumptions."]
    for seats in (2, 3, 4):
        lines += ["", f"## {seats} seats", "", *_table(seats)]
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _table(seats: int) -> list[str]:
    columns = (
        "rules", "sides", "target", "`greedy` wins", "points per placement, `random`", "`greedy`", "hands per game",
        "placements per hand", "blocked hands", "extension", "unfinished",
    )  # fmt: skip
    rows = [_row(Rules.preset(name, seats=seats)) for name in PRESETS]
    return [f"| {' | '.join(cells)} |" for cells in (columns, ["---"] * len(columns), *rows)]


def _row(rules: Rules) -> list[str]:
    results = play_tournament(["random", "greedy"], rules=rules, games=GAMES, seed=SEED, n_jobs=-1, progress=False)
    return [f"`{rules.name}`", str(rules.n_sides), str(rules.target), *_figures(results)]


def _figures(results: Results) -> list[str]:
    measures = metrics(results)
    rates, points = win_rates(results), points_per_placement(results)
    figures = [_write(rates.loc[1], "share")]
    has_points = bool(results.rules.scoring_multiples)
    figures += [_write(points.loc[i]) if has_points else "none" for i in range(2)]
    figures += [_write(measures.loc[name]) for name in ("hands_per_game", "placements_per_hand")]
    return figures + [_write(measures.loc[name], "share") for name in _SHARES]


def _write(row: pd.Series, unit: str = "") -> str:
    return write_estimate(row["low"], row["best"], row["high"], unit)


def _first_line(text: str) -> str:
    """The first line of a docstring, without the markup of references."""
    return re.sub(r":\w+:`([^`]*)`", r"`\1`", text.strip().partition("\n")[0])


if __name__ == "__main__":
    main()
