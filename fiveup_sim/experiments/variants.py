"""Playing a base and its variants on the same deals."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fiveup_sim.analysis.effects import RuleEffects, rule_effects, rule_rankings
from fiveup_sim.analysis.measures import Measures
from fiveup_sim.experiments.variant_plan import Vary, plan_variants
from fiveup_sim.rules import Rules
from fiveup_sim.tournament.lineup import make_line_up
from fiveup_sim.tournament.plan import StrategyLike, find_entries
from fiveup_sim.tournament.progress import Bar, show_progress
from fiveup_sim.tournament.results import Results
from fiveup_sim.tournament.run import play_match


def compare_rules(
    base: Rules,
    variants: Vary | Sequence[Rules],
    line_ups: Sequence[Sequence[StrategyLike]],
    *,
    games: int,
    seed: int | None = None,
    n_jobs: int | None = None,
    factorial: bool = False,
    level: float = 0.95,
    progress: bool = True,
) -> RuleEffects:
    """Play the same line-ups by a base and by variants of it, on the same deals, and compare every measure.

    Parameters
    ----------
    base
        The rules that are changed.
    variants
        Values by field, ``{"target": [50, 75], "spinners": ["first", "none"]}``, or whole rule sets.
    line_ups
        Strategies of each line-up, one a side of the base or one a seat: ``[["greedy", "careful"]]``.
    games
        Games of each line-up under each rule set.
    seed
        Of all games. Default: a fresh one, in ``effects.seed``.
    n_jobs
        As for :func:`fiveup_sim.play_match`.
    factorial
        False: one change at a time. True: all combinations are played; main effects and pairwise interactions.
    level
        Coverage of all intervals of a table at once.
    progress
        Whether to show progress on a terminal.

    Returns
    -------
    RuleEffects
        The tables; :func:`fiveup_sim.report.effects_words.explain` puts them into words.

    Raises
    ------
    ValueError
        If a variant makes no sense (field, value, allowed), before anything is played.
    StrategyError, PlayError
        As for :func:`fiveup_sim.play_match`.
    """
    plan = plan_variants(base, variants, factorial=factorial)
    seats = _by_seat(line_ups, base)
    seed = secrets.randbits(32) if seed is None else seed
    n_games = len(plan.rules) * len(seats) * games
    runs, seconds = [], 0.0
    with show_progress(f"{len(plan.rules)} rule sets", n_games, progress) as bar:
        for rules in plan.rules:
            results = _play(rules, seats, bar, games=games, seed=seed, n_jobs=n_jobs)
            runs.append(Measures.of(results))
            seconds += results.seconds
    unchanged = [
        contrast.label
        for contrast in plan.contrasts
        if len({run.digest for run, weight in zip(runs, contrast.weights, strict=True) if weight}) == 1
    ]
    return RuleEffects(
        base=base,
        line_ups=tuple(match.line_up.label for match in results.matches),
        games=results.n_games,
        seed=seed,
        level=level,
        effects=rule_effects(runs, plan.contrasts, level),
        rankings=rule_rankings(runs, plan.contrasts, level),
        unchanged=tuple(unchanged),
        seconds=seconds,
    )


def _by_seat(line_ups: Sequence[Sequence[StrategyLike]], base: Rules) -> list[list[StrategyLike]]:
    """A strategy for each seat of each line-up: with other partnerships the same ones sit there."""
    find_entries([strategy for line_up in line_ups for strategy in line_up])  # a name stands for one strategy
    made = [make_line_up(find_entries(line_up)[1], base) for line_up in line_ups]
    twice = next((line_up.label for line_up in made if made.count(line_up) > 1), None)
    if not made or twice:
        raise ValueError(f"line_ups: {f'{twice} comes twice' if twice else 'none'}; at least one, each once, is needed")
    return [
        list(line_up) if len(line_up) == base.seats else [line_up[base.side(seat)] for seat in range(base.seats)]
        for line_up in line_ups
    ]


def _play(rules: Rules, line_ups: Sequence[Sequence[StrategyLike]], bar: Bar, **asked: Any) -> Results:
    """All line-ups under one set of rules, as one object."""
    played = []
    for line_up in line_ups:
        results = play_match(line_up, rules=rules, progress=False, **asked)
        if not results.is_complete:
            raise KeyboardInterrupt
        bar.advance(results.n_games)
        played.append(results)
    strategies = {info.label: info for results in played for info in results.strategies}
    matches = tuple(match for results in played for match in results.matches)
    runs = [run for results in played for run in results.provenance["runs"]]
    return replace(played[0], strategies=tuple(strategies.values()), matches=matches, provenance={"runs": runs})
