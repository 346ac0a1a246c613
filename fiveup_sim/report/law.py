"""The section about what follows exactly from the outcomes of hands."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from fiveup_sim.analysis.law import game_law
from fiveup_sim.analysis.metrics import metrics
from fiveup_sim.analysis.winning import win_rates
from fiveup_sim.report.answer import n_finished
from fiveup_sim.report.charts import grouped_dots
from fiveup_sim.report.parts import Chart, Section, Table, estimate, plain
from fiveup_sim.report.shown import by_rank, say_bars, say_intervals

if TYPE_CHECKING:
    from fiveup_sim.tournament.match_results import MatchResults
    from fiveup_sim.tournament.results import Results

MOST_LAWS = 6
"""Line-ups whose law is worked out: about half a second each."""


def law_section(results: Results, level: float) -> Section:
    """What follows exactly from the outcomes of hands, beside what was counted."""
    title = "The exact law of a game"
    if results.rules.n_sides != 2 or not n_finished(results):
        why = "there are not two sides" if results.rules.n_sides != 2 else "no game was finished"
        return Section("law", title, (f"It does not apply here: {why}.",))
    chosen = _nearest_line_ups(results)
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
        plain("worth", "worth"), plain("source", "source"),
    )  # fmt: skip
    rates = table[table["measure"] == "win_rate"]
    both = pd.concat(
        [
            rates.assign(how="from the law of hands"),
            rates.assign(how="counted", low=rates["counted_low"], best=rates["counted"], high=rates["counted_high"]),
        ]
    )
    caption = f"Win rate of the line-up's first strategy, in percent. {say_bars(level)}"
    figure = grouped_dots(both, "line_up", "how", ["from the law of hands", "counted"], "win rate", is_share=True)
    said = f"{say_intervals(level)} Worth: how many times the games counting would take for so narrow an interval."
    tables = (Table("game_law", "Law and counts", said, table, columns, is_open=True),)
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
            counted = {"counted_low": seen["low"], "counted": seen["best"], "counted_high": seen["high"]}
            rows.append(row | counted | {"worth": _worth(row, seen)})
    return pd.DataFrame(rows)


def _worth(law: dict[str, Any], seen: pd.Series) -> float:
    """How many times the games counting would take for an interval as narrow."""
    by_law, by_count = (row["high"] - row["low"] for row in (law, seen))
    if law["source"] != "law" or not 0 < by_law < math.inf:
        return math.nan
    return float((by_count / by_law) ** 2)


def _nearest_line_ups(results: Results) -> tuple[MatchResults, ...]:
    order = by_rank(results)

    def apart(match: MatchResults) -> tuple[int, int]:
        ranks = [order.index(name) for name in match.line_up.names]
        return max(ranks) - min(ranks), min(ranks)

    return tuple(sorted(results.matches, key=apart)[:MOST_LAWS])
