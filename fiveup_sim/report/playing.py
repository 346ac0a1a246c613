"""The sections that say how games went: points per placement, final scores, lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from fiveup_sim.analysis.lengths import by_line_up, extensions, game_lengths, hand_lengths
from fiveup_sim.analysis.metrics import metrics
from fiveup_sim.analysis.placements import points_per_placement
from fiveup_sim.analysis.scores import scores_by_place
from fiveup_sim.analysis.winning import counted_in
from fiveup_sim.report.answer import n_finished
from fiveup_sim.report.charts import bars, grouped_dots, lines
from fiveup_sim.report.parts import Chart, Section, Table, estimate, plain
from fiveup_sim.report.shown import STRATEGY, about_shown, say_bars, say_intervals, shown_strategies

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results

_SPLITS = {
    "lead": ("leading or not", "lead of a hand"),
    "kind": ("kind of place", "kind of place"),
    "seat": ("seat", "seat"),
    "position": ("position in the hand", "ordinal of the placement"),
    "tile": ("tile", "tile"),
}


def placements_section(results: Results, level: float) -> Section:
    """Points per placement, split in every way."""
    shown = shown_strategies(results)
    frames = {by: points_per_placement(results, by, level) for by in (*_SPLITS, "award")}
    frames["lead"] = frames["lead"].assign(lead=frames["lead"]["lead"].map({True: "lead", False: "other placement"}))
    bars_say = say_bars(level, "all classes of a strategy")
    charts = [
        Chart(f"points_by_{by}", f"Points per placement by {_SPLITS[by][0]}", f"Points per placement. {bars_say}",
              grouped_dots(frames[by], by, "strategy", shown, "points per placement"))
        for by in ("lead", "kind")
    ]  # fmt: skip
    charts.append(
        Chart("points_by_position", "Points per placement by position in the hand",
              f"1 is the lead; positions seen in under 0.1 % of hands are only in the table. {bars_say}",
              lines(_common(frames["position"]), "position", "strategy", shown,
                    ("position in the hand", "points per placement")))
    )  # fmt: skip
    charts.append(
        Chart("awards", "Awards", f"Share of placements by the points awarded, from 1 up. {bars_say}",
              lines(frames["award"].query("award > 0"), "award", "strategy", shown,
                    ("points awarded", "share of placements"), is_share=True))
    )  # fmt: skip
    tables = [
        Table(f"points_by_{by}", f"By {title}", say_intervals(level, "all classes of a strategy"), frames[by],
              (STRATEGY, plain(column, by), estimate("points per placement"), plain("placements", "n")))
        for by, (title, column) in _SPLITS.items()
    ]  # fmt: skip
    columns = (STRATEGY, plain("points awarded", "award"), estimate("share of placements", "share"))
    caption = say_intervals(level, "all classes of a strategy")
    tables.append(Table("awards", "Awards", caption, frames["award"], columns))
    text = ("Points awarded for placements, before settlement.", *about_shown(results))
    return Section("placements", "Points per placement", text, tuple(charts), tuple(tables))


def scores_section(results: Results, level: float) -> Section:
    """Final scores by finishing place."""
    title = "Score by finishing place"
    if not n_finished(results):
        return Section("scores", title, ("No game was finished: there are no final scores.",))
    table = scores_by_place(results, level)
    named = table.assign(place=table["place"].map("{:g}".format))
    unfinished = results.n_games - n_finished(results)
    text = [
        "Final scores of finished games, by the place in which the side finished; sides with equal scores share the"
        f" mean of their places. Unfinished games are left out: {unfinished:,}."
    ]
    shown = shown_strategies(results)
    text += about_shown(results)
    named = named.sort_values("place", kind="stable")
    caption = f"Mean final score in points. {say_bars(level, 'all places of a strategy')}"
    figure = grouped_dots(named.assign(place="place " + named["place"]), "place", "strategy", shown, "points")
    counted = counted_in(results)
    columns = (STRATEGY, plain("place", "place"), estimate("mean score"), plain("sd of single scores", "sd"),
               plain(f"share of its {counted}", "share", "share"), plain(counted, "n"))  # fmt: skip
    tables = (Table("scores_by_place", "Scores by place", caption, table, columns),)
    return Section("scores", title, tuple(text), (Chart("scores_by_place", title, caption, figure),), tables)


def lengths_section(results: Results, level: float) -> Section:
    """Every measure of games and hands, extensions, and how long games and hands are."""
    games, hands = game_lengths(results, level), hand_lengths(results, level)
    at_once = say_bars(level, "all")
    last = " The last class holds all longer games." if games["hands"].max() == 128 else ""
    charts = (
        Chart("game_lengths", "Hands per game", f"Share of games. {at_once}{last}",
              bars(games, "hands", ("hands", "share of games"))),
        Chart("hand_lengths", "Placements per hand", f"Share of hands. {at_once}",
              bars(hands, "placements", ("placements", "share of hands"))),
    )  # fmt: skip
    measure, value = plain("measure", "measure"), estimate("value", "measure")
    tables = (
        Table("metrics", "All line-ups together", say_intervals(level),
              metrics(results, level).reset_index(names="measure"), (measure, value, plain("of", "n"))),
        Table("extensions", "Extension by line-up", say_intervals(level, "all line-ups"),
              extensions(results, level), (plain("line-up", "line_up"), measure, value, plain("of", "n"))),
        Table("by_line_up", "Every measure by line-up", say_intervals(level, "all line-ups"),
              by_line_up(results, level), (plain("line-up", "line_up"), measure, value, plain("of", "n"))),
        Table("game_lengths", "Hands per game", say_intervals(level, "all"), games,
              (plain("hands", "hands"), estimate("share of games", "share"))),
        Table("hand_lengths", "Placements per hand", say_intervals(level, "all"), hands,
              (plain("placements", "placements"), estimate("share of hands", "share"))),
    )  # fmt: skip
    return Section("lengths", "Extension, game and hand lengths", (), charts, tables)


def _common(frame: pd.DataFrame) -> pd.DataFrame:
    """Without classes so rare that their intervals would hide the others."""
    most = frame.groupby("strategy")["n"].transform("max")
    return frame[frame["n"] >= most / 1000]
