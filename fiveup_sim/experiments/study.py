"""Studies: everything that a report comes from, and the games it asks for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fiveup_sim.engine.philox import STREAM_VERSION
from fiveup_sim.rules import Rules
from fiveup_sim.strategy import find_strategy
from fiveup_sim.tournament import Results, play_match, play_tournament, spans
from fiveup_sim.tournament.plan import find_entries

SECTIONS = (
    "ranking",
    "head_to_head",
    "headline",
    "placements",
    "scores",
    "lengths",
    "lead",
    "openings",
    "law",
)
"""What a report can hold, in the order of the page; answer, method and definitions are always there."""


@dataclass(frozen=True)
class Study:
    """What a report came from; either `strategies` or `line_ups` is given."""

    question: str
    """What the report answers, in words."""
    rules: Rules
    games: int
    """Of each line-up, over all its seatings; rounded up to whole blocks."""
    seed: int
    strategies: tuple[str, ...] = ()
    """A tournament between these, written as for :func:`fiveup_sim.find_strategy`."""
    line_ups: tuple[tuple[str, ...], ...] = ()
    """Or these matches, one strategy a seat or one a side."""
    level: float = 0.95
    """Coverage of the intervals."""
    sections: tuple[str, ...] = SECTIONS
    """What the report holds."""


def play_games(study: Study, folder: Path, *, n_jobs: int | None = None) -> Results:
    """The results of a study; what `folder` holds of them is not played again."""
    if study.strategies:
        return _play(play_tournament, study.strategies, study, folder, n_jobs)
    find_entries([name for names in study.line_ups for name in names])  # refuses two of one name
    return _joined([_play(play_match, names, study, folder, n_jobs) for names in study.line_ups])


def _play(play: Any, names: Sequence[str], study: Study, folder: Path, n_jobs: int | None) -> Results:
    path = folder / _address(names, study)
    done = Results.load(path) if path.exists() else None
    if done is not None and not any(
        spans.without(((0, match.line_up.n_blocks(study.games)),), match.blocks) for match in done.matches
    ):
        return done
    asked = {"games": study.games, "rules": study.rules, "seed": study.seed}
    return play(list(names), **asked, n_jobs=n_jobs, resume=done, save_to=path)


def _address(names: Sequence[str], study: Study) -> str:
    """A name for the games of some strategies: another one whenever anything differs that other games come of."""
    found = [find_strategy(name) for name in names]
    rules = {name: value for name, value in study.rules.to_dict().items() if name != "preset"}
    what = [rules, study.seed, STREAM_VERSION, [[one.label, one.digest] for one in found], bool(study.strategies)]
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:16]


def _joined(parts: list[Results]) -> Results:
    """The matches of several results of the same rules and seed, as if they had been played in one run."""
    strategies = {info.label: info for part in parts for info in part.strategies}
    return replace(
        parts[0],
        strategies=tuple(strategies.values()),
        matches=tuple(match for part in parts for match in part.matches),
        provenance={"runs": [run for part in parts for run in part.provenance["runs"]]},
    )
