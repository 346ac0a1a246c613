"""The sections about who sits where and leads, and which tile is led."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from fiveup_sim.analysis.seats import lead_effects, opening_tiles, seat_effects, seat_play
from fiveup_sim.report.charts import dots, grouped_dots
from fiveup_sim.report.glossary import title_of, unit_of
from fiveup_sim.report.parts import ESTIMATE, Chart, Column, Section, Table, estimate, plain
from fiveup_sim.report.shown import STRATEGY, about_shown, say_bars, say_intervals, shown_strategies

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results

_OPENING_MEASURES = ("led", "dominoed", "points_ahead", "win_rate", "lead_points")
"""The last, which the tile alone decides, is only in the file."""


def lead_section(results: Results, level: float) -> Section:
    """What the lead and the seat are worth."""
    shown = shown_strategies(results)
    leads, seats = lead_effects(results, level), seat_effects(results, level)
    single = say_bars(level)
    gain, ahead = (leads[leads["measure"] == name] for name in ("win_rate_gain", "points_ahead"))
    charts = (
        Chart("lead_gain", "What the first lead is worth",
              f"Win rate where its side led the first hand, less win rate where it did not. {single}",
              dots(gain, "strategy", "gain in win rate, percentage points", is_share=True, reference=0)),
        Chart("lead_points", "Points ahead in hands it led",
              f"Points of the side, settlement included, less the mean of the other sides. {single}",
              dots(ahead, "strategy", "points ahead per hand led", reference=0)),
        Chart("seat_effects", "Win rate by seat",
              f"Games won by the seat's side / games, in percent. {say_bars(level, 'all seats of a strategy')}",
              grouped_dots(seats.assign(seat="seat " + seats["seat"].astype(str)), "seat", "strategy", shown,
                           "win rate", is_share=True)),
    )  # fmt: skip
    measure = plain("measure", "measure")
    tables = (
        Table("lead_effects", "Lead", say_intervals(level), leads,
              (STRATEGY, measure, estimate("value", "measure"), plain("of", "n"))),
        Table("seat_effects", "Seat", "p: of winning as often as from its other seats, adjusted for all rows (Holm).",
              seats, (STRATEGY, plain("seat", "seat"), estimate("win rate", "share"), plain("p", "p", "p"),
                      plain("games", "n"))),
        Table("seat_play", "What a seat does in a hand", say_intervals(level), seat_play(results, level),
              (STRATEGY, measure, estimate("value", "measure"), plain("of", "n"))),
    )  # fmt: skip
    text = ("Seatings are balanced: what is left by seat is what the order of seats does.",)
    return Section("lead", "Lead and seat", (*text, *about_shown(results)), charts, tables)


def openings_section(results: Results, level: float) -> Section:
    """What came of hands and games by the tile led."""
    table = _by_tile(opening_tiles(results, level))
    columns = [plain("tile", "tile", "tile")]
    for name in _OPENING_MEASURES[:-1]:
        columns.append(Column(title_of(name), tuple(f"{name}_{end}" for end in ESTIMATE), unit_of(name)))
    columns.append(plain("hands", "hands"))
    said = say_intervals(level, "all tiles")
    tables = (Table("opening_tiles", "By tile led", said, table, tuple(columns), is_open=True),)
    caption = "Points of the leader's side less the mean of the others, per hand."
    best = table.assign(**{end: table[f"points_ahead_{end}"] for end in ESTIMATE})
    best = best.sort_values("best", ascending=False, kind="stable")
    figure = dots(best, "tile", "points ahead", reference=0)
    chart = Chart("opening_tiles", "Points ahead by tile led", f"{caption} {say_bars(level, 'all tiles')}", figure)
    text = (
        "Tiles are led by choice: a strategy's taste, how strong it is, and what else it held are part of these"
        " figures. They do not say what would happen if another tile were led.",
    )
    return Section("openings", "Opening tiles", text, (chart,), tables)


def _by_tile(table: pd.DataFrame) -> pd.DataFrame:
    """A row for each tile, most often led first, with the estimates of all measures side by side."""
    rows = []
    for tile, part in table.groupby("tile", sort=False):
        # a tile may have led no game, or no hand at all
        by_measure = part.set_index("measure").reindex(_OPENING_MEASURES)
        figures = {f"{name}_{end}": by_measure.loc[name, end] for name in _OPENING_MEASURES for end in ESTIMATE}
        rows.append({"tile": tile, **figures, "hands": int(by_measure["n"].fillna(0)["dominoed"])})
    return pd.DataFrame(rows).sort_values("hands", ascending=False, kind="stable", ignore_index=True)
