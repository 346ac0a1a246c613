"""The sections that say who is better: ranking, ratings, head to head, and the three headline measures."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from fiveup_sim.analysis.lengths import extensions
from fiveup_sim.analysis.metrics import metrics
from fiveup_sim.analysis.placements import points_per_placement
from fiveup_sim.analysis.ranking import ranking
from fiveup_sim.analysis.ratings import ratings
from fiveup_sim.analysis.scores import points_per_hand
from fiveup_sim.analysis.winning import counted_in, cycles, head_to_head
from fiveup_sim.report.answer import have_met, n_finished
from fiveup_sim.report.charts import dots, heat
from fiveup_sim.report.glossary import title_of
from fiveup_sim.report.parts import Chart, Column, Section, Table, estimate, plain
from fiveup_sim.report.shown import STRATEGY, by_rank, say_bars, say_intervals
from fiveup_sim.words import UNKNOWN, write_p, write_share

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results

_ELO = 400 / math.log(10)


def ranking_section(results: Results, level: float) -> Section:
    """The strategies in order, and their ratings."""
    title = "Ranking and ratings"
    if len(results.labels) == 1:
        return Section("ranking", title, ("Only one strategy played: there is no ranking.",))
    if not have_met(results):
        return Section("ranking", title, ("Every strategy met itself only: there is no ranking.",))
    table = ranking(results, level)
    text = [
        "By win rate over all line-ups. A strategy is called separated from the next one where their difference is"
        f" proven at {write_share(level)}, all pairs taken together."
    ]
    charts = [
        Chart(
            "ranking", "Win rate",
            f"Games won / {counted_in(results)}, in percent. {say_bars(level, 'all strategies')}",
            dots(table, "strategy", "win rate", is_share=True),
        )
    ]  # fmt: skip
    ahead = Column("ahead of the next, percentage points", ("ahead_low", "ahead", "ahead_high"), "difference")
    columns = (plain("rank", "rank"), STRATEGY, estimate("win rate", "share"), ahead,
               plain("p", "p", "p"), plain("separated", "is_separated"), plain(counted_in(results), "n"))  # fmt: skip
    table = table.assign(is_separated=[*np.where(table["is_separated"][:-1], "yes", "no"), UNKNOWN])
    caption = "Intervals for all strategies, and for all differences, at once; p adjusted for all pairs (Holm)."
    tables = [Table("ranking", "Ranking", caption, table, columns)]
    if n_finished(results):
        _add_ratings(results, level, text, charts, tables)
    else:
        text.append("No game was finished: there is nothing to rate.")
    return Section("ranking", title, tuple(text), tuple(charts), tuple(tables))


def _add_ratings(results: Results, level: float, text: list[str], charts: list[Chart], tables: list[Table]) -> None:
    rated = ratings(results, level)
    fit = f"The wins by line-up fit these ratings (chi square {rated.chi2:.1f}, {rated.df:.1f} degrees of freedom, p "
    if rated.df <= 0:
        text.append("There are too few line-ups to tell whether single strengths explain who beats whom.")
    elif rated.p < 1 - level:
        text.append(fit.replace("fit", "do not fit", 1) + f"{write_p(rated.p)}): take them as a summary only.")
    else:
        text.append(fit + f"{write_p(rated.p)}).")
    table = rated.strategies.assign(elo=rated.strategies["best"] * _ELO)
    caption = f"Strength in log odds, 0 is the mean. {say_bars(level, 'all')}"
    charts.append(Chart("ratings", "Rating", caption, dots(table, "strategy", "strength, log odds", reference=0)))
    columns = (STRATEGY, estimate("strength"), plain("Elo points", "elo"), plain("games", "n"))
    if table["note"].any():
        columns = (*columns, plain("note", "note"))
    tables.append(Table("ratings", "Ratings", "Log odds, mean 0; intervals for all at once.", table, columns))
    effects = (plain("effect", "effect"), estimate("adds to the strength"))
    caption = "Log odds, from the same model: the seat (mean 0), and leading the first hand."
    tables.append(Table("rating_effects", "What seat and lead add", caption, rated.effects, effects))


def head_to_head_section(results: Results, level: float) -> Section:
    """Each strategy against each other one."""
    title = "Head to head"
    if len(results.labels) == 1:
        return Section("head_to_head", title, ("Only one strategy played: nobody met anybody else.",))
    table = head_to_head(results, level)
    if table.empty:
        return Section("head_to_head", title, ("No two strategies met on different sides.",))
    order = by_rank(results)
    text = ["Rows are the strategies in the order of the ranking; read along a row."]
    if results.rules.n_sides > 2:
        text.append("Third sides win games too: shown is by how much more often the row's strategy won than the other.")
    rings = cycles(results)
    if len(order) > 2:
        text.append(_about_rings(rings, level))
    columns = (
        STRATEGY, plain("opponent", "opponent"), estimate("win rate", "share"),
        Column("ahead, percentage points", ("ahead_low", "ahead", "ahead_high"), "difference"), plain("p", "p", "p"),
        Column("points ahead per hand", ("points_low", "points", "points_high")), plain("p (points)", "points_p", "p"),
        plain("games" if counted_in(results) == "games" else "pairs of sides", "n"),
    )  # fmt: skip
    caption = f"{say_intervals(level)} p adjusted for the number of pairs (Holm)."
    tables = (Table("head_to_head", "Head to head", caption, table, columns),)
    return Section("head_to_head", title, tuple(text), _matrices(results, table, order), tables)


def _about_rings(rings: pd.DataFrame, level: float) -> str:
    proven = rings[rings["p"] < 1 - level]
    if len(proven):
        listed = "; ".join(f"{a} > {b} > {c} > {a} (p {write_p(p)})" for a, b, c, p in proven.itertuples(index=False))
        return f"Rings, proven at {write_share(level)}: {listed}."
    return f"No ring (A beats B, B beats C, C beats A) is proven; {len(rings)} were seen."


def _matrices(results: Results, table: pd.DataFrame, order: list[str]) -> tuple[Chart, ...]:
    what = ("best", "win rate", 0.5) if results.rules.n_sides == 2 else ("ahead", "difference of the win rates", 0.0)
    values, points = (_matrix(table, order, column) for column in (what[0], "points"))
    labels = ("strategy", "opponent")
    caption = "Orange: below, purple: above even. Intervals are in the table."
    return (
        Chart("head_to_head", f"Head to head: {what[1]}", f"In percent. {caption}",
              heat(values, _texts(values, write_share), order, labels, what[2])),
        Chart("head_to_head_points", "Head to head: points ahead per hand", f"Points per hand. {caption}",
              heat(points, _texts(points, "{:+.2f}".format), order, labels, 0.0)),
    )  # fmt: skip


def _matrix(table: pd.DataFrame, order: list[str], column: str) -> np.ndarray:
    wide = table.pivot(index="strategy", columns="opponent", values=column)
    return wide.reindex(index=order, columns=order).to_numpy(float, copy=True)


def _texts(values: np.ndarray, write: Callable[[float], str]) -> np.ndarray:
    return np.array([[write(value) if np.isfinite(value) else "" for value in row] for row in values], dtype=object)


def headline_section(results: Results, level: float) -> Section:
    """Win rate, average points per placement, tie-break extension frequency."""
    order = by_rank(results)
    points = in_order(points_per_placement(results, level=level), order)
    ties = extensions(results, level)
    shares = ties[ties["measure"] == "extension_share"].sort_values("best", ascending=False, kind="stable")
    total = metrics(results, level).loc["extension_share"]
    overall = pd.DataFrame([{"line_up": "all line-ups", **total, "n": int(total["n"])}])
    frequency = pd.concat([overall, shares.drop(columns="measure")], ignore_index=True)
    tables = [
        Table("points_per_placement", "Average points per placement", say_intervals(level), points,
              _with_raw(points, (STRATEGY, estimate("points"), plain("placements", "n")))),
        Table("extension_frequency", "Tie-break extension frequency", say_intervals(level, "all line-ups"),
              frequency, (plain("line-up", "line_up"), estimate("share of games", "share"), plain("games", "n"))),
    ]  # fmt: skip
    charts = (
        Chart("points_per_placement", "Average points per placement", f"Points awarded / placements. {say_bars(level)}",
              dots(points, "strategy", "points per placement")),
        Chart("extension_frequency", "Tie-break extension frequency",
              f"Share of games that went into extension, in percent. {say_bars(level, 'all line-ups')}",
              dots(frequency.head(25), "line_up", "share of games", is_share=True)),
    )  # fmt: skip
    hand = points_per_hand(results, level)
    for measure in ("own", "ahead"):
        part = in_order(hand[hand["measure"] == measure].drop(columns="measure"), order)
        columns = (STRATEGY, estimate("points"), plain("hands", "n"))
        caption = f"Placements and settlement together. {say_intervals(level)}"
        tables.append(Table(f"points_{measure}_per_hand", title_of(measure).capitalize(), caption, part, columns))
    text = (
        "Win rate (in the ranking), average points per placement, and the share of games that a tie at the top"
        " sent into extension.",
    )
    return Section("headline", "The three headline measures", text, charts, tuple(tables))


def _with_raw(frame: pd.DataFrame, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    return (*columns, plain("raw (pips)", "raw")) if "raw" in frame else columns


def in_order(frame: pd.DataFrame, order: list[str]) -> pd.DataFrame:
    """The rows of `frame`, by strategy, in this order."""
    return frame.sort_values("strategy", key=lambda names: names.map(order.index), kind="stable", ignore_index=True)
