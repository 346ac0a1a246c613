"""The sections that say how games went: points, scores, lengths, seats and leads, opening tiles, the law of a game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from fiveup_sim.analysis.law import game_law
from fiveup_sim.analysis.lengths import by_line_up, extensions, game_lengths, hand_lengths
from fiveup_sim.analysis.metrics import metrics
from fiveup_sim.analysis.placements import points_per_placement
from fiveup_sim.analysis.ranking import ranking
from fiveup_sim.analysis.scores import scores_by_place
from fiveup_sim.analysis.seats import lead_effects, opening_tiles, seat_effects, seat_play
from fiveup_sim.analysis.winning import win_rates
from fiveup_sim.report.answer import n_finished
from fiveup_sim.report.charts import bars, dots, grouped_dots, lines
from fiveup_sim.report.glossary import title_of
from fiveup_sim.report.parts import Chart, Section, Table, estimate, plain

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results

MOST_LAWS = 12
"""Line-ups whose law is worked out: about half a second each."""
MOST_LINES = 7
"""Strategies in one figure: more cannot be told apart."""
_STRATEGY = plain("strategy", "strategy")
_SPLITS = {
    "lead": ("leading or not", "lead of a hand"),
    "kind": ("kind of place", "kind of place"),
    "seat": ("seat", "seat"),
    "position": ("position in the hand", "ordinal of the placement"),
    "tile": ("tile", "tile"),
}


def placements_section(results: Results, level: float) -> Section:
    """Points per placement, split in every way."""
    shown = _shown(results, level)
    frames = {by: points_per_placement(results, by, level) for by in (*_SPLITS, "award")}
    frames["lead"] = frames["lead"].assign(lead=frames["lead"]["lead"].map({True: "lead", False: "other placement"}))
    bars_say = f"Bars: {level:.0%} intervals from blocks, all classes of a strategy at once."
    charts = [
        Chart(f"points_by_{by}", f"Points per placement by {_SPLITS[by][0]}", f"Points per placement. {bars_say}",
              grouped_dots(frames[by], by, "strategy", shown, "points per placement"))
        for by in ("lead", "kind")
    ]  # fmt: skip
    charts.append(
        Chart("points_by_position", "Points per placement by position in the hand",
              f"1 is the lead; settlement is no part of it; positions seen in under 0.1 % of hands are only in the table. {bars_say}",
              lines(_common(frames["position"]), "position", "strategy", shown,
                    ("position in the hand", "points per placement")))
    )  # fmt: skip
    charts.append(
        Chart("awards", "Awards", f"Share of placements by the points awarded, from 1 up. {bars_say}",
              lines(frames["award"].query("award > 0"), "award", "strategy", shown,
                    ("points awarded", "share of placements"), is_share=True))
    )  # fmt: skip
    tables = [
        Table(f"points_by_{by}", f"By {title}", f"Points per placement; {level:.0%} intervals for all classes of a"
              " strategy at once.", frames[by],
              (_STRATEGY, plain(column, by), estimate("points per placement"), plain("placements", "n")))
        for by, (title, column) in _SPLITS.items()
    ]  # fmt: skip
    columns = (_STRATEGY, plain("points awarded", "award"), estimate("share of placements", "share"))
    tables.append(Table("awards", "Awards", "Share of placements by points awarded.", frames["award"], columns))
    text = ("Points awarded for placements, before settlement.", *_about_shown(results, shown))
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
    shown = _shown(results, level)
    text += _about_shown(results, shown)
    named = named.sort_values("place", kind="stable")
    caption = f"Mean final score in points. Bars: {level:.0%} intervals from blocks, all places of a strategy at once."
    figure = grouped_dots(named.assign(place="place " + named["place"]), "place", "strategy", shown, "points")
    columns = (_STRATEGY, plain("place", "place"), estimate("mean score"), plain("sd of single scores", "sd"),
               plain("share of its games", "share", "share"), plain("games", "n"))  # fmt: skip
    tables = (Table("scores_by_place", "Scores by place", caption, table, columns),)
    return Section("scores", title, tuple(text), (Chart("scores_by_place", title, caption, figure),), tables)


def lengths_section(results: Results, level: float) -> Section:
    """Every measure of games and hands, extensions, and how long games and hands are."""
    games, hands = game_lengths(results, level), hand_lengths(results, level)
    at_once = f"Bars: {level:.0%} intervals from blocks, all at once."
    last = " The last class holds all longer games." if games["hands"].max() == 128 else ""
    charts = (
        Chart("game_lengths", "Hands per game", f"Share of games. {at_once}{last}",
              bars(games, "hands", ("hands", "share of games"))),
        Chart("hand_lengths", "Placements per hand", f"Share of hands. {at_once}",
              bars(hands, "placements", ("placements", "share of hands"))),
    )  # fmt: skip
    measure, value = plain("measure", "measure"), estimate("value", "measure")
    tables = (
        Table("metrics", "All line-ups together", f"Single {level:.0%} intervals; definitions are below.",
              metrics(results, level).reset_index(names="measure"), (measure, value, plain("of", "n"))),
        Table("extensions", "Extension by line-up", "Intervals of a measure for all line-ups at once.",
              extensions(results, level), (plain("line-up", "line_up"), measure, value, plain("of", "n"))),
        Table("by_line_up", "Every measure by line-up", "Intervals of a measure for all line-ups at once.",
              by_line_up(results, level), (plain("line-up", "line_up"), measure, value, plain("of", "n"))),
        Table("game_lengths", "Hands per game", "Share of games.", games,
              (plain("hands", "hands"), estimate("share of games", "share"))),
        Table("hand_lengths", "Placements per hand", "Share of hands.", hands,
              (plain("placements", "placements"), estimate("share of hands", "share"))),
    )  # fmt: skip
    return Section("lengths", "Extension, game and hand lengths", (), charts, tables)


def lead_section(results: Results, level: float) -> Section:
    """What the lead and the seat are worth."""
    shown = _shown(results, level)
    leads, seats = lead_effects(results, level), seat_effects(results, level)
    single = f"Bars: {level:.0%} intervals from blocks."
    gain, ahead = (leads[leads["measure"] == name] for name in ("win_rate_gain", "points_ahead"))
    charts = (
        Chart("lead_gain", "What the first lead is worth",
              f"Win rate where its side led the first hand, less win rate where it did not, in percent. {single}",
              dots(gain, "strategy", "gain in win rate", is_share=True, reference=0)),
        Chart("lead_points", "Points ahead in hands it led",
              f"Points of the side, settlement included, less the mean of the other sides. {single}",
              dots(ahead, "strategy", "points ahead per hand led", reference=0)),
        Chart("seat_effects", "Win rate by seat",
              f"Games won by the seat's side / games, in percent. {single} All seats of a strategy at once.",
              grouped_dots(seats.assign(seat="seat " + seats["seat"].astype(str)), "seat", "strategy", shown,
                           "win rate", is_share=True)),
    )  # fmt: skip
    measure = plain("measure", "measure")
    tables = (
        Table("lead_effects", "Lead", f"Single {level:.0%} intervals.", leads,
              (_STRATEGY, measure, estimate("value", "measure"), plain("of", "n"))),
        Table("seat_effects", "Seat", "p: of winning as often as from its other seats, adjusted for all rows (Holm).",
              seats, (_STRATEGY, plain("seat", "seat"), estimate("win rate", "share"), plain("p", "p", "p"),
                      plain("games", "n"))),
        Table("seat_play", "What a seat does in a hand", f"Single {level:.0%} intervals.", seat_play(results, level),
              (_STRATEGY, measure, estimate("value", "measure"), plain("of", "n"))),
    )  # fmt: skip
    text = ("Seatings are balanced: what is left by seat is what the order of seats does.",)
    return Section("lead", "Lead and seat", (*text, *_about_shown(results, shown)), charts, tables)


def openings_section(results: Results, level: float) -> Section:
    """What came of hands and games by the tile led."""
    table = opening_tiles(results, level)
    wide = [table[table["measure"] == name].drop(columns="measure") for name in ("points_ahead", "win_rate", "led")]
    tables = [
        Table(f"openings_{name}", title, f"Intervals for all tiles at once ({level:.0%}).", part.reset_index(drop=True),
              (plain("tile", "tile", "tile"), estimate(title.lower(), unit), plain("of", "n")))
        for name, title, unit, part in zip(
            ("points_ahead", "win_rate", "led"), ("Points ahead", "Win rate", "Share of leads"),
            ("", "share", "share"), wide, strict=True)
    ]  # fmt: skip
    tables.append(
        Table("opening_tiles", "Everything by tile led", "All measures.", table,
              (plain("tile", "tile", "tile"), plain("measure", "measure"), estimate("value", "measure"), plain("of", "n")))
    )  # fmt: skip
    ordered = wide[0].sort_values("best", ascending=False, kind="stable")
    caption = f"Points of the leader's side less the mean of the others, per hand. Bars: {level:.0%}, all tiles at once."
    chart = Chart("opening_tiles", "Points ahead by tile led", caption, dots(ordered, "tile", "points ahead", reference=0))
    text = (
        "Tiles are led by choice: a strategy's taste, how strong it is, and what else it held are part of these"
        " figures. They do not say what would happen if another tile were led.",
    )
    return Section("openings", "Opening tiles", text, (chart,), tuple(tables))


def law_section(results: Results, level: float) -> Section:
    """What follows exactly from the outcomes of hands, beside what was counted."""
    title = "The exact law of a game"
    if results.rules.n_sides != 2 or not n_finished(results):
        why = "there are not two sides" if results.rules.n_sides != 2 else "no game was finished"
        return Section("law", title, (f"It does not apply here: {why}.",))
    chosen = _nearest_line_ups(results, level)
    table = _with_counted(replace(results, matches=chosen), level)
    text = [
        "Where strategies heed neither the score nor earlier hands, hands are independent given who leads, and what a"
        " game comes to follows exactly from the outcomes of single hands, of which there are many more than games."
        " The win rate is that of the line-up's first strategy."
    ]
    if len(chosen) < len(results.matches):
        text.append(f"Shown are the {len(chosen)} line-ups whose strategies are nearest in the ranking.")
    counted = table[table["source"] == "counted"]
    if len(counted):
        text.append("Counted instead: " + "; ".join(dict.fromkeys(counted["line_up"] + ": " + counted["why"])) + ".")
    columns = (
        plain("line-up", "line_up"), plain("of", "strategy"), plain("measure", "measure"),
        estimate("from hands", "measure"),
        replace(estimate("counted", "measure"), of=("counted_low", "counted", "counted_high")),
        plain("source", "source"),
    )  # fmt: skip
    rates = table[table["measure"] == "win_rate"]
    both = pd.concat(
        [
            rates.assign(how="from the law of hands"),
            rates.assign(how="counted", low=rates["counted_low"], best=rates["counted"], high=rates["counted_high"]),
        ]
    )
    caption = f"Win rate of the line-up's first strategy, in percent. Bars: single {level:.0%} intervals from blocks."
    figure = grouped_dots(both, "line_up", "how", ["from the law of hands", "counted"], "win rate", is_share=True)
    tables = (Table("game_law", "Law and counts", f"Single {level:.0%} intervals.", table, columns),)
    return Section("law", title, tuple(text), (Chart("game_law", "Law and counts", caption, figure),), tables)


def _with_counted(results: Results, level: float) -> pd.DataFrame:
    """The law of every line-up, with what was counted beside it."""
    rows = []
    for match in results.matches:
        alone = replace(results, matches=(match,))
        law = game_law(alone, level=level)
        rates = win_rates(alone, level).set_index("strategy")
        counts = metrics(alone, level)
        for row in law.to_dict("records"):
            name = row["strategy"].split(" + ")[0]  # partners win together
            seen = rates.loc[name] if row["measure"] == "win_rate" else counts.loc[row["measure"]]
            rows.append(row | {"counted_low": seen["low"], "counted": seen["best"], "counted_high": seen["high"]})
    return pd.DataFrame(rows)


def _nearest_line_ups(results: Results, level: float) -> tuple:
    order = list(ranking(results, level)["strategy"])

    def apart(match) -> tuple[int, int]:
        ranks = [order.index(name) for name in match.line_up.names]
        return max(ranks) - min(ranks), min(ranks)

    return tuple(sorted(results.matches, key=apart)[:MOST_LAWS])


def _shown(results: Results, level: float) -> list[str]:
    """The strategies in figures that would hold too many: the first ones of the ranking, best first."""
    return list(ranking(results, level)["strategy"][:MOST_LINES])


def _about_shown(results: Results, shown: list[str]) -> tuple[str, ...]:
    if len(shown) == len(results.labels):
        return ()
    return (f"Figures show the first {len(shown)} of {len(results.labels)} strategies; tables hold all.",)


def _common(frame: pd.DataFrame) -> pd.DataFrame:
    """Without classes so rare that their intervals would hide the others."""
    most = frame.groupby("strategy")["n"].transform("max")
    return frame[frame["n"] >= most / 1000]
