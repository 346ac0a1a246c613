"""The answer in plain words: who is best, by how much, how sure, and what is not known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from fiveup_sim.analysis.groups import pooled
from fiveup_sim.analysis.metrics import metrics
from fiveup_sim.analysis.ranking import ranking
from fiveup_sim.analysis.ratings import Ratings, ratings
from fiveup_sim.analysis.seats import lead_effects
from fiveup_sim.analysis.winning import counted_in, cycles, head_to_head
from fiveup_sim.tournament.lineup import tournament_line_ups
from fiveup_sim.words import join_words, plural, write_estimate, write_p, write_share

if TYPE_CHECKING:
    from fiveup_sim.tournament.results import Results

FEW_BLOCKS = 30
"""With fewer blocks intervals are too wide to say much."""


@dataclass(frozen=True)
class Answer:
    """What a report says first."""

    headline: str
    sentences: tuple[str, ...]
    warnings: tuple[str, ...]
    """What keeps the figures from meaning what they seem to mean."""


def answer(results: Results, level: float = 0.95) -> Answer:
    """The answer that `results` give.

    Parameters
    ----------
    results
        Of a match or a tournament; no games at all give an answer that says so.
    level
        Coverage of the intervals, and 1 - the error of what is called separated.
    """
    warnings = tuple(_warnings(results))
    if not results.n_games:
        return Answer("Nothing has been played: there are no figures.", (), warnings)
    if n_finished(results) == 0:
        return Answer("No game was finished: nobody won, and nothing can be said about who is better.", (), warnings)
    table = ranking(results, level)
    if len(table) == 1:
        headline = f"Only {results.labels[0]} played: there is nobody to compare it with."
        return Answer(headline, _about_games(results, level), warnings)
    if not have_met(results):
        headline = "Every strategy met itself only: which of them is better cannot be said."
        return Answer(headline, _about_games(results, level), warnings)
    sentences = (*_order(table, level, counted_in(results)), *_misfit(results, ratings(results, level), level))
    return Answer(_headline(table, counted_in(results)), (*sentences, *_about_games(results, level)), warnings)


def n_finished(results: Results) -> int:
    """Games that somebody won."""
    return results.n_games - int(pooled(results.matches, "unfinished").sum())


def have_met(results: Results) -> bool:
    """Whether any two strategies played on different sides of a game."""
    return not head_to_head(results).empty


def top_group(table: pd.DataFrame) -> list[str]:
    """The first strategies of a ranking, down to the first neighbours that are separated."""
    n = int(table["is_separated"].to_numpy().argmax()) + 1 if table["is_separated"].any() else len(table)
    return list(table["strategy"][:n])


def _headline(table: pd.DataFrame, counted: str) -> str:
    best, rate = table["strategy"][0], write_share(table["best"][0])
    top = top_group(table)
    if len(top) == 1:
        return f"{best} is the best: it won {rate} of its {counted}."
    if len(top) == len(table):
        return f"{join_words(top)} are not separated: these games do not say which of them is better."
    return f"{join_words(top)} lead the others but are not separated: which of them is best is not known."


def _order(table: pd.DataFrame, level: float, counted: str) -> Iterator[str]:
    first = table.iloc[0]
    rate = write_estimate(first["low"], first["best"], first["high"], "share")
    ahead = write_estimate(first["ahead_low"], first["ahead"], first["ahead_high"], "difference")
    yield (
        f"{first['strategy']} won {rate} of its {counted}, {ahead} percentage points more than"
        f" {table['strategy'][1]}, the next ({write_share(level)} intervals for all strategies at once;"
        f" p {_p(first['p'])})."
    )
    pairs = zip(table["strategy"], table["strategy"][1:], table["is_separated"], strict=False)
    open_pairs = [f"{a} and {b}" for a, b, is_separated in pairs if not is_separated]
    rates = zip(table["strategy"], table["best"], strict=True)
    order = " > ".join(f"{name} {write_share(rate)}" for name, rate in rates)
    if open_pairs:
        yield f"In order: {order}. Not separated: {join_words(open_pairs)}. More games might separate them."
    else:
        yield f"In order: {order}. Each is separated from the next."


def _misfit(results: Results, rated: Ratings, level: float) -> Iterator[str]:
    if rated.is_separated:
        yield "Some strategies won every game from others: how much stronger they are has no upper bound."
    if rated.df > 0 and rated.p < 1 - level:
        yield (
            "How well a strategy does depends on whom it meets, beyond what one strength for each explains"
            f" (p {_p(rated.p)}): see head to head."
        )
    rings = cycles(results)
    proven = rings[rings["p"] < 1 - level]
    if len(proven):
        a, b, c = proven.iloc[0][["first", "second", "third"]]
        yield f"There is a ring: {a} beats {b}, {b} beats {c}, {c} beats {a}. No ranking can show that."


def _about_games(results: Results, level: float) -> tuple[str, ...]:
    return _lead(results, level), _extension(results, level), _sample(results)


def _lead(results: Results, level: float) -> str:
    gains = lead_effects(results, level).query("measure == 'win_rate_gain'").sort_values("best", kind="stable")
    text = "What leading the first hand adds to the win rate, in percentage points: "
    ends = [gains.iloc[-1], gains.iloc[0]][: len(gains)]
    said = [write_estimate(row["low"], row["best"], row["high"], "difference") for row in ends]
    if len(said) == 1:
        return f"{text}{said[0]}."
    return f"{text}most for {ends[0]['strategy']}, {said[0]}, least for {ends[1]['strategy']}, {said[1]}."


def _extension(results: Results, level: float) -> str:
    row = metrics(results, level).loc["extension_share"]
    return f"Games that went into extension: {write_estimate(row['low'], row['best'], row['high'], 'share')}."


def _sample(results: Results) -> str:
    n = len(results.matches)
    where = "in one line-up" if n == 1 else f"in {n} line-ups"
    return f"Based on {plural(results.n_games, 'game')} {where} ({results.rules})."


def _warnings(results: Results) -> Iterator[str]:
    if not results.is_complete:
        yield f"The run is not complete: {results.n_games:,} of {plural(results.n_planned_games, 'game')} were played."
    if not results.n_games:
        return
    unfinished = results.n_games - n_finished(results)
    if unfinished:
        yield (
            f"{plural(unfinished, 'game')} ({write_share(unfinished / results.n_games)}) stayed unfinished after"
            f" {plural(results.rules.max_hands, 'hand')}: they count as games that nobody won."
        )
    fewest = min(match.n_blocks for match in results.matches)
    if fewest < FEW_BLOCKS:
        yield f"Some line-up played {plural(fewest, 'block')} only: the intervals are wide, and little is certain."
    line_ups = [match.line_up for match in results.matches]
    if len(line_ups) > 1 and line_ups != tournament_line_ups(results.labels, results.rules) and have_met(results):
        yield "Not every strategy met the same others: win rates do not compare them, ratings do."
    if not results.paired:
        yield "Every game had deals of its own (paired = False)."


def _p(p: float) -> str:
    text = write_p(p)
    return text if text.startswith("<") else f"= {text}"
