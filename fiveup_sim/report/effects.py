"""A report of what changes of the rules do: a page, and the same in files to work with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from fiveup_sim.analysis.effects import SWAPPED, RuleEffects
from fiveup_sim.analysis.factorial import INTERACTION
from fiveup_sim.analysis.measures import ALL, MEANINGS
from fiveup_sim.report import charts
from fiveup_sim.report.answer import Answer
from fiveup_sim.report.effects_words import heading, introduction, name_of, sentences, unit_of
from fiveup_sim.report.page import Drawn, render_page
from fiveup_sim.report.parts import Chart, Section, Table, estimate, plain
from fiveup_sim.report.style import styled, to_png, to_svg
from fiveup_sim.report.wording import plural

_BARS = "Dots are the change, bars its interval; all intervals of the report hold at once. Dashed: no change."


def write_effects(effects: Sequence[RuleEffects], directory: str | Path) -> Path:
    """Write a report about changes of the rules.

    Parameters
    ----------
    effects
        One for each number of seats.
    directory
        Made if it is not there. Gets ``index.html``, which needs no other file, ``tables/*.csv``,
        ``figures/*.svg`` and ``*.png``, and ``effects.json``.

    Returns
    -------
    pathlib.Path
        The page.
    """
    directory = Path(directory)
    with styled():
        parts = [part for each in effects for part in _sections(each)]
        drawn = {
            chart.name: Drawn(to_svg(chart.figure), to_png(chart.figure), chart.figure.get_figwidth())
            for part in parts
            for chart in part.charts
        }
    for folder in ("tables", "figures"):
        (directory / folder).mkdir(parents=True, exist_ok=True)
    for table in (table for part in parts for table in part.tables):
        table.frame.to_csv(directory / "tables" / f"{table.name}.csv", index=False, float_format="%.8g")
    for name, figure in drawn.items():
        (directory / "figures" / f"{name}.svg").write_bytes(figure.svg)
        (directory / "figures" / f"{name}.png").write_bytes(figure.png)
    values = [each.to_dict() for each in effects]
    (directory / "effects.json").write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
    page = directory / "index.html"
    page.write_text(render_page(_title(effects), _answer(effects), parts, drawn), encoding="utf-8")
    return page


def _title(effects: Sequence[RuleEffects]) -> str:
    seats = " and ".join(str(each.base.seats) for each in effects)
    return f"What changes of the rules do: {effects[0].base.name}, {seats} seats"


def _answer(effects: Sequence[RuleEffects]) -> Answer:
    """How many of the changes matter, and those that change who is ahead."""
    told = []
    for each in effects:
        pooled = each.effects[(each.effects["line_up"] == ALL) & (each.effects["kind"] != INTERACTION)]
        changing = pooled.groupby("variant")["is_separated"].any()
        told.append(f"{each.base.seats} seats: {changing.sum()} of {plural(len(changing), 'change')} make a difference")
    swaps = [
        f"{each.base.seats} seats, {row.variant}: the order of {row.strategy} and {row.opponent} changes"
        for each in effects
        for row in each.rankings[each.rankings["order"] == SWAPPED].itertuples()
    ]
    orders = swaps or ["No change was found to swap two strategies that are separated before and after it."]
    return Answer("; ".join(told) + ".", tuple(orders), ())


def _sections(effects: RuleEffects) -> Iterator[Section]:
    seats = f"{effects.base.seats} seats"
    name = f"{effects.base.seats}-seats"
    for i, label in enumerate(effects.effects["variant"].unique()):
        told = [f"{sentence[0].upper()}{sentence[1:]}." for sentence in sentences(effects, label)]
        if i == 0:
            told.insert(0, introduction(effects))
        yield Section(f"{name}-{i}", f"{seats}: {heading(effects, label)}", tuple(told))
    text = (f"Each figure has the changes in the order of their effect. {_BARS}",)
    yield Section(f"{name}-figures", f"{seats}: figures", text, charts=tuple(_charts(effects)))
    yield Section(f"{name}-tables", f"{seats}: tables", (), tables=tuple(_tables(effects)))


def _charts(effects: RuleEffects) -> Iterator[Chart]:
    """A figure for each measure that any change moves; interactions only where they are separated."""
    pooled = effects.effects[effects.effects["line_up"] == ALL]
    shown = pooled[(pooled["kind"] != INTERACTION) | pooled["is_separated"]]
    for (measure, is_of_strategy), part in shown.groupby(["measure", shown["strategy"] != ""], sort=False):
        if not part["is_separated"].any():
            continue
        stem = f"{effects.base.seats}-seats-{measure}" + ("-by-strategy" if is_of_strategy else "")
        title = f"{name_of(measure)}{', by strategy' if is_of_strategy else ''}"
        yield Chart(stem, title, f"{MEANINGS[measure]}. {_BARS}", _draw(part, measure, is_of_strategy))


def _draw(part: pd.DataFrame, measure: str, is_of_strategy: bool) -> charts.Figure:
    label, is_share = f"change of {name_of(measure)}", unit_of(measure) == "share"
    order = part.groupby("variant", sort=False)["best"].mean().sort_values(kind="stable").index
    part = part.set_index("variant").loc[order].reset_index()
    if is_of_strategy:
        strategies = list(dict.fromkeys(part["strategy"]))
        return charts.grouped_dots(part, "variant", "strategy", strategies, label, is_share=is_share, reference=0)
    return charts.dots(part, "variant", label, is_share=is_share, reference=0)


def _tables(effects: RuleEffects) -> Iterator[Table]:
    frame = effects.effects.assign(
        figure=[name_of(*row) for row in effects.effects[["measure", "strategy"]].itertuples(index=False)]
    )
    stem = f"{effects.base.seats}-seats"
    units = frame["measure"].map(unit_of)
    for unit, what in (("", "means"), ("share", "shares")):
        yield Table(
            f"{stem}-{what}",
            f"Every effect on {what}",
            f"What each change adds to a figure; p adjusted for all effects with {effects.base.seats} seats (Holm).",
            frame[units == unit],
            (
                plain("change", "variant"),
                plain("figure", "figure"),
                plain("line-up", "line_up"),
                plain("before", "base", unit),
                estimate("effect", unit),
                plain("p", "p", "p"),
            ),
        )
    yield Table(
        f"{stem}-order",
        "Rule x strategy",
        "Win rate of the first strategy less that of the second, before and after; p: of no effect on it (Holm).",
        effects.rankings,
        (
            plain("change", "variant"),
            plain("strategy", "strategy"),
            plain("opponent", "opponent"),
            plain("before", "base_ahead", "share"),
            plain("after", "variant_ahead", "share"),
            estimate("effect", "share"),
            plain("p", "p", "p"),
            plain("order", "order"),
        ),
    )
