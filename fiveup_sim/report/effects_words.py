"""Rule effects in plain words."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from fiveup_sim.analysis.effects import SAME, SWAPPED, RuleEffects
from fiveup_sim.analysis.factorial import INTERACTION, MAIN
from fiveup_sim.analysis.measures import ALL, MEANINGS
from fiveup_sim.report.glossary import MEASURES
from fiveup_sim.words import join_words, write_estimate, write_share, write_value

_NAMES = {
    "first_lead_win_rate": "games won by the first leader",
    "first_seat_win_rate": "games won by seat 0",
    "lead_points_ahead": "points of the lead per hand",
}
HEADLINES = ("hands_per_game", "points_per_placement", "blocked_share", "points_per_hand", "win_rate")
"""The measures that are told first."""
_CONDITIONS = {MAIN: ": averaged over all settings of the other changes", INTERACTION: ": beyond what each does alone"}
_DIGITS = 12
"""What is smaller is a rounding error."""
_MOST_TIMES = 3
"""A figure that grows to as many times itself or more is not told in percent."""


def explain(effects: RuleEffects) -> str:
    """What each change does: what is separated from no change, by how much, and what is not."""
    lines = [introduction(effects)]
    for label in effects.effects["variant"].unique():
        lines += ["", heading(effects, label), *(f"  {sentence}" for sentence in sentences(effects, label))]
    return "\n".join(lines)


def introduction(effects: RuleEffects) -> str:
    """What was played and how the figures are meant."""
    return (
        f"{effects.base}: {effects.games:,} games of each rule set, {'; '.join(effects.line_ups)}, on the same deals,"
        f" seed {effects.seed}. All intervals together cover {effects.level:.0%}."
    )


def heading(effects: RuleEffects, label: str) -> str:
    """A comparison, and how it is meant beside other changes, where a factorial was played."""
    kind = effects.effects.loc[effects.effects["variant"] == label, "kind"].iloc[0]
    return label + _CONDITIONS.get(kind, "")


def sentences(effects: RuleEffects, label: str) -> Iterator[str]:
    """What one comparison came to, over all line-ups together; the surest effect first."""
    if label in effects.unchanged:
        yield "no game differed: every measure is exactly the same"
        return
    table = effects.effects[(effects.effects["line_up"] == ALL) & (effects.effects["variant"] == label)]
    for _, row in surest_first(table[table["is_separated"]]).iterrows():
        yield _sentence(row)
    unsure = [name_of(row["measure"], row["strategy"]) for _, row in table[~table["is_separated"]].iterrows()]
    if unsure:
        yield f"not separated from no change: {join_words(unsure)}"
    yield from _orders(effects.rankings[effects.rankings["variant"] == label])


def in_short(effects: RuleEffects, label: str) -> str:
    """One comparison in a line: those of the :data:`HEADLINES` that are separated."""
    if label in effects.unchanged:
        return "no game differed"
    table = headlines(effects)
    told = [_clause(row) for _, row in table[(table["variant"] == label) & table["is_separated"]].iterrows()]
    return ", ".join(told) or "no separated effect on " + join_words([name_of(name) for name in HEADLINES])


def headlines(effects: RuleEffects) -> pd.DataFrame:
    """Effects of single changes on the :data:`HEADLINES`, in their order, over all line-ups together."""
    table = effects.effects
    is_wanted = (table["line_up"] == ALL) & (table["kind"] != INTERACTION) & table["measure"].isin(HEADLINES)
    is_detail = (table["measure"] == "points_per_placement") & (table["strategy"] != "")
    table = table[is_wanted & ~is_detail]
    return table.loc[table["measure"].map(HEADLINES.index).sort_values(kind="stable").index]


def _clause(row: pd.Series) -> str:
    unit, more = unit_of(row["measure"]), "more" if row["best"] > 0 else "less"
    ratio = "" if unit or row["strategy"] else _ratio(row["base"], row["base"] + row["best"])
    size = f"{100 * abs(row['best']):.1f} percentage points" if unit else f"{abs(row['best']):.2g}"
    return f"{name_of(row['measure'], row['strategy'])} {ratio or f'{size} {more}'}"


def surest_first(table: pd.DataFrame) -> pd.DataFrame:
    """Effects by how many half widths of their interval they measure."""
    half = (table["high"] - table["low"]) / 2
    return table.loc[(table["best"].abs() / half).sort_values(ascending=False, kind="stable").index]


def name_of(measure: str, strategy: str = "") -> str:
    """A measure in words, with the strategy it is about."""
    known = MEASURES[measure].title if measure in MEASURES else measure.replace("_", " ")
    name = _NAMES.get(measure, known)
    return f"{name} of {strategy}" if strategy else name


def unit_of(measure: str) -> str:
    """``"share"`` for what is written in percent."""
    return "share" if measure == "win_rate" or MEANINGS[measure].startswith("share") else ""


def _sentence(row: pd.Series) -> str:
    unit, name = unit_of(row["measure"]), name_of(row["measure"], row["strategy"])
    sign = "+" if row["best"] > 0 else ""
    effect = write_estimate(row["low"], row["best"], row["high"], "difference" if unit == "share" else unit)
    effect = f"{sign}{effect}{' percentage points' if unit == 'share' else ''}"
    if row["kind"] == INTERACTION:
        return f"{name}: {effect}"
    before, after = row["base"], round(row["base"] + row["best"], _DIGITS)
    ratio = "" if unit else _ratio(before, after)
    return f"{name}: {_short(before, unit)} to {_short(after, unit)}{ratio and f', {ratio}'}; {effect}"


def _short(value: float, unit: str) -> str:
    return write_share(value) if unit == "share" else write_value(value)


def _ratio(before: float, after: float) -> str:
    """By how much, where both can be set in proportion."""
    if before <= 0 or after < 0:
        return ""
    if after >= _MOST_TIMES * before:
        return f"{after / before:.1f} times"
    return f"{write_share(abs(after / before - 1))} {'more' if after > before else 'less'}"


def _orders(pairs: pd.DataFrame) -> Iterator[str]:
    for _, row in pairs[pairs["order"] == SWAPPED].iterrows():
        yield (
            f"the order changes: {row['strategy']} is ahead of {row['opponent']} in {100 * row['base_ahead']:+.1f} %"
            f" of the games before, in {100 * row['variant_ahead']:+.1f} % after"
        )
    unsure = [f"{row['strategy']} and {row['opponent']}" for _, row in _unsure(pairs).iterrows()]
    if unsure:
        yield f"whether the order changes is not separated: {join_words(unsure)}"
    if len(pairs) and (pairs["order"] == SAME).all():
        yield "the order of the strategies is the same"


def _unsure(pairs: pd.DataFrame) -> pd.DataFrame:
    return pairs[~pairs["order"].isin([SAME, SWAPPED])]
