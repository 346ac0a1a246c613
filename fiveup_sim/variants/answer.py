"""Rule effects in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fiveup_sim.analysis.effects import SAME, SWAPPED
from fiveup_sim.analysis.factorial import INTERACTION
from fiveup_sim.analysis.measures import ALL, MEANINGS

if TYPE_CHECKING:
    import pandas as pd

    from fiveup_sim.variants.compare import RuleEffects

_NAMES = {
    "hands_per_game": "hands per game",
    "placements_per_hand": "placements per hand",
    "draws_per_hand": "draws per hand",
    "passes_per_hand": "passes per hand",
    "blocked_share": "blocked hands",
    "points_per_placement": "points per placement",
    "scoring_share": "placements that score",
    "settlement_per_hand": "points lost by settlement per hand",
    "extension_share": "games in extension",
    "extension_hands_per_game": "extension hands per game",
    "unfinished_share": "unfinished games",
    "leader_domino_share": "hands dominoed by their leader",
    "lead_points_ahead": "points that the leader's side is ahead per hand",
    "first_lead_win_rate": "games won by who led the first hand",
    "first_seat_win_rate": "games won by seat 0",
    "win_rate": "win rate",
    "strategy_points_per_placement": "points per placement",
    "points_per_hand": "points per hand",
}


def answer(effects: RuleEffects) -> str:
    """What each change does, in sentences: what is separated from no change, and what is not.

    Over all line-ups together; the table has each of them. Figures are written "before -> after (change, low to
    high)", shares in percent.
    """
    lines = [
        f"{effects.base}: {effects.games:,} games of each rule set ({'; '.join(effects.line_ups)}), the same deals,"
        f" seed {effects.seed}; all intervals together cover {effects.level:.0%}",
    ]
    pooled = effects.effects[effects.effects["line_up"] == ALL]
    for label, table in pooled.groupby("variant", sort=False):
        lines += ["", f"{label}{_kind(table)}"]
        if label in effects.unchanged:
            lines.append("  no game differed: every measure is exactly the same")
            continue
        lines += [f"  {_sentence(row)}" for _, row in _largest_first(table[table["is_separated"]]).iterrows()]
        unsure = [name_of(row) for _, row in table[~table["is_separated"]].iterrows()]
        if unsure:
            lines.append(f"  not separated from no change: {', '.join(unsure)}")
        lines += [f"  {line}" for line in _order(effects.rankings, label)]
    return "\n".join(lines)


def name_of(row: pd.Series) -> str:
    """A measure in words, with the strategy it is about."""
    name = _NAMES.get(row["measure"]) or row["measure"].replace("_", " ")
    return f"{name} of {row['strategy']}" if row["strategy"] else name


def is_share(measure: str) -> bool:
    """Whether a measure is a share, which is written in percent."""
    return measure == "win_rate" or MEANINGS[measure].startswith("share")


def _kind(table: pd.DataFrame) -> str:
    kind = table["kind"].iloc[0]
    return " (how much more both do than each alone)" if kind == INTERACTION else ""


def _largest_first(table: pd.DataFrame) -> pd.DataFrame:
    """By how many half-widths the effect is long."""
    half = (table["high"] - table["low"]) / 2
    return table.loc[(table["best"].abs() / half).sort_values(ascending=False, kind="stable").index]


def _sentence(row: pd.Series) -> str:
    scale, unit = (100, " %") if is_share(row["measure"]) else (1, "")
    base, low, best, high = (row[name] * scale for name in ("base", "low", "best", "high"))
    if row["kind"] == INTERACTION:
        return f"{name_of(row)}: {best:+.3g} ({low:+.3g} to {high:+.3g}){unit}"
    ratio = f", {abs(best / base):.0%} {'more' if best > 0 else 'less'}" if base > 0 and not unit else ""
    return f"{name_of(row)}: {base:.3g} -> {base + best:.3g}{unit} ({best:+.3g}, {low:+.3g} to {high:+.3g}{ratio})"


def _order(rankings: pd.DataFrame, label: str) -> list[str]:
    pairs = rankings[rankings["variant"] == label]
    lines = [
        f"the order changes: {_leader(row, 'base_ahead')} is ahead of {_leader(row, 'variant_ahead')} before,"
        f" behind after ({row['base_ahead']:+.1%} -> {row['variant_ahead']:+.1%} of games)"
        for _, row in pairs[pairs["order"] == SWAPPED].iterrows()
    ]
    if len(pairs) and (pairs["order"] == SAME).all():
        lines.append("the order of the strategies is the same")
    lines += [
        f"{row['strategy']} and {row['opponent']}: who is ahead is not separated"
        for _, row in pairs[~pairs["order"].isin([SAME, SWAPPED])].iterrows()
    ]
    return lines


def _leader(row: pd.Series, when: str) -> str:
    return row["strategy"] if row[when] > 0 else row["opponent"]
