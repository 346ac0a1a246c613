"""A report of what changes of the rules do: a page, and the same in files to work with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from fiveup_sim.analysis.effects import SWAPPED, RuleEffects
from fiveup_sim.analysis.factorial import INTERACTION
from fiveup_sim.analysis.measures import ALL, MEANINGS
from fiveup_sim.report import charts
from fiveup_sim.report.answer import Answer
from fiveup_sim.report.effects_words import heading, headlines, in_short, introduction, name_of, sentences, unit_of
from fiveup_sim.report.files import write_files
from fiveup_sim.report.parts import ESTIMATE, Chart, Column, Section, Table, estimate, plain
from fiveup_sim.words import plural

_BARS = "Dots are the change, bars its interval; all intervals of the report hold at once. Dashed: no change."


def write_effects(effects: Sequence[RuleEffects], directory: str | Path) -> Path:
    """Write a report about changes of the rules.

    Parameters
    ----------
    effects
        One for each number of seats.
    directory
        Made if it is not there. Gets ``index.html``, which needs no other file, ``tables/*.csv``,
        ``figures/*.svg`` and ``*.png``, ``report.md`` and ``effects.json``.

    Returns
    -------
    pathlib.Path
        The page.
    """
    return write_files(
        Path(directory),
        _title(effects),
        _answer(effects),
        lambda: (part for each in effects for part in _sections(each)),
        ("effects.json", [each.to_dict() for each in effects]),
    )


def _title(effects: Sequence[RuleEffects]) -> str:
    seats = " and ".join(str(each.base.seats) for each in effects)
    return f"What changes of the rules do: {effects[0].base.name}, {seats} seats"


def _answer(effects: Sequence[RuleEffects]) -> Answer:
    """How many of the changes matter, each of them in short, and those that change who is ahead."""
    counts, told = [], []
    for each in effects:
        seats, shown = f"{each.base.seats} seats", _alone(each.effects)
        changing = shown.groupby("variant", sort=False)["is_separated"].any()
        counts.append(f"{seats}: {changing.sum()} of {plural(len(changing), 'change')} make a difference")
        told += [f"{seats}, {label}: {in_short(each, label)}" for label in changing.index]
        told += [
            f"{seats}, {row.variant}: the order of {row.strategy} and {row.opponent} changes"
            for row in each.rankings[each.rankings["order"] == SWAPPED].itertuples()
        ]
    if not any((each.rankings["order"] == SWAPPED).any() for each in effects):
        told.append("No change was found to swap two strategies that are separated before and after it.")
    return Answer("; ".join(counts) + ".", tuple(told), ())


def _sections(effects: RuleEffects) -> Iterator[Section]:
    seats = f"{effects.base.seats} seats"
    name = seats.replace(" ", "-")
    labels = effects.effects["variant"].unique()
    told = {heading(effects, label): f"{'. '.join(map(_begin, sentences(effects, label)))}." for label in labels}
    text = (introduction(effects), f"Figures have the changes in the order of their effect. {_BARS}")
    glance = (_glance(effects),)
    yield Section(f"{name}-glance", f"{seats}: at a glance", text, charts=tuple(_charts(effects)), tables=glance)
    yield Section(f"{name}-words", f"{seats}: in words", (), terms=told)
    yield Section(f"{name}-tables", f"{seats}: all effects", (), tables=tuple(_tables(effects)))


def _begin(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def _alone(table: pd.DataFrame) -> pd.DataFrame:
    """Effects of single changes over all line-ups together."""
    return table[(table["line_up"] == ALL) & (table["kind"] != INTERACTION)]


def _glance(effects: RuleEffects) -> Table:
    """A row for each change, the first measures side by side."""
    shown = headlines(effects)
    frame = pd.DataFrame({"variant": shown["variant"].unique()})
    columns = [plain("change", "variant")]
    for (measure, strategy), part in shown.groupby(["measure", "strategy"], sort=False):
        ends = tuple(f"{measure} {strategy} {end}".replace("  ", " ") for end in ESTIMATE)
        frame[list(ends)] = part[list(ESTIMATE)].to_numpy()
        columns.append(Column(_with_unit(measure, strategy), ends, _unit_of_change(measure)))
    caption = "What each change adds; all intervals of the report hold at once."
    stem = f"{effects.base.seats}-seats-glance"
    return Table(stem, "The changes at a glance", caption, frame, tuple(columns))


def _with_unit(measure: str, strategy: str = "") -> str:
    unit = ", percentage points" if unit_of(measure) == "share" else ""
    return f"{name_of(measure, strategy)}{unit}"


def _unit_of_change(measure: str) -> str:
    return "difference" if unit_of(measure) == "share" else ""


def _charts(effects: RuleEffects) -> Iterator[Chart]:
    """A figure for each measure that any change moves; interactions only where they are separated."""
    pooled = effects.effects[effects.effects["line_up"] == ALL]
    shown = pooled[(pooled["kind"] != INTERACTION) | pooled["is_separated"]]
    for (measure, is_of_strategy), part in shown.groupby(["measure", shown["strategy"] != ""], sort=False):
        if not part["is_separated"].any():
            continue
        stem = f"{effects.base.seats}-seats-{measure}" + ("-by-strategy" if is_of_strategy else "")
        title = f"{name_of(measure)}{', by strategy' if is_of_strategy else ''}"
        yield Chart(stem, title, f"{_begin(MEANINGS[measure])}.", _draw(part, measure, is_of_strategy))


def _draw(part: pd.DataFrame, measure: str, is_of_strategy: bool) -> charts.Figure:
    is_share = unit_of(measure) == "share"
    label = "change, percentage points" if is_share else "change"
    by_variant = part.groupby("variant", sort=False)["best"]
    rank = -by_variant.agg(lambda best: best.abs().max()) if is_of_strategy else by_variant.first()
    order = rank.sort_values(kind="stable").index
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
            f"Every effect on {what}{' (percentage points)' if unit else ''}",
            f"What each change adds to a figure; p adjusted for all effects with {effects.base.seats} seats (Holm).",
            frame[units == unit],
            (
                plain("change", "variant"),
                plain("figure", "figure"),
                plain("line-up", "line_up"),
                plain("before", "base", unit),
                estimate("effect", "difference" if unit else ""),
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
            estimate("effect, percentage points", "difference"),
            plain("p", "p", "p"),
            plain("order", "order"),
        ),
    )
