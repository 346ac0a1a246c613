"""The public contract test for strategies: :func:`check_strategy`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from fiveup_sim.engine.blocks import PlayFault
from fiveup_sim.engine.view import PUBLIC_FIELDS, VIEW
from fiveup_sim.rules import Rules
from fiveup_sim.strategy.core import Strategy, note_finding
from fiveup_sim.strategy.errors import StrategyError, raised_text
from fiveup_sim.strategy.find import find_strategy
from fiveup_sim.strategy.samples import record_views
from fiveup_sim.strategy.trial import try_out

_OWN_FIELDS = ("rng", "scratch")
_ODD_PARAMS = (0.0, -1.0, 1e-300, 1e300, float("inf"), float("nan"))
_OTHER_SCORES = (0, -40, 55, 1000)
_OTHER_HANDS = (0, 1, 7, 500)
_SPEED_VIEWS = 64
_SPEED_NS = 50_000_000


@dataclass(frozen=True)
class Finding:
    """One thing that was checked."""

    check: str
    """What was checked, in a word or two."""
    passed: bool
    text: str
    """What was found, in one line."""


@dataclass(frozen=True)
class CheckReport:
    """What :func:`check_strategy` found; prints readable."""

    strategy: str
    """Label of the strategy."""
    findings: tuple[Finding, ...]
    heeds: frozenset[str] | None
    """Which of ``"score"``, ``"hand"`` and ``"memory"`` its answers depend on; None if it could not be asked."""
    n_views: int
    """Views it was asked about."""
    ns_per_decision: float
    """Time of one answer in ns, the call included; nan if it could not be asked."""

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(finding.passed for finding in self.findings)

    def __str__(self) -> str:
        verdict = "keeps the contract" if self.passed else "does not keep the contract"
        lines = [f"{'ok  ' if one.passed else 'FAIL'} {one.check:15} {one.text}" for one in self.findings]
        return "\n".join([f"strategy {self.strategy!r} {verdict}", *lines])


def check_strategy(
    strategy: str | Strategy | Callable[[Any], int], *, rules: Rules | None = None, games: int = 4, seed: int = 0
) -> CheckReport:
    """Check that a strategy keeps the contract, on views from real games.

    It is tried out in another process first, then it plays games of at most 20 hands, then it is asked again about
    all it saw: with the same view, with other scores, hand numbers and memories, and with odd parameters.

    Parameters
    ----------
    strategy
        Anything that :func:`fiveup_sim.find_strategy` takes.
    rules
        The rules of the games; Five Up with 2, 3 and 4 seats if not given.
    games
        Games for each number of seats.
    seed
        Which games.

    Returns
    -------
    CheckReport
        ``report.passed`` says whether all is well. What it found that the strategy heeds is kept: see
        :attr:`Strategy.heeds`.
    """
    one = find_strategy(strategy)
    tables = [Rules.preset(seats=seats) for seats in (2, 3, 4)] if rules is None else [rules]
    try:
        try_out([one], tables[0])
        sequences = [views for table in tables for views in _play(one, table, seed, games)]
    except StrategyError as error:
        return CheckReport(one.label, (Finding("plays", False, str(error)),), None, 0, float("nan"))
    return _Check(one, sequences).report()


def _play(strategy: Strategy, rules: Rules, seed: int, games: int) -> list[np.ndarray]:
    ask = strategy.compiled()
    plays = (lambda view: ask(np.frombuffer(view, VIEW)[0])) if strategy.jit else strategy.function
    try:
        return record_views(plays, rules, seed=seed, n_games=games, params=strategy.param_array())
    except PlayFault as fault:
        what = f"returned {fault.choice}" if fault.cause is None else f"raised {raised_text(fault.cause)}"
        raise StrategyError(
            f"{what} with {fault.n_legal} legal placements, seat {fault.seat}, hand {fault.hand + 1}, {rules}"
        ) from fault.cause


class _Check:
    """A strategy and what it saw: `sequences` are its questions, game by game and seat by seat."""

    def __init__(self, strategy: Strategy, sequences: list[np.ndarray]) -> None:
        self.strategy = strategy
        self.ask = strategy.compiled()
        self.views = np.concatenate([np.empty(0, VIEW), *sequences])
        self.starts = np.zeros(len(self.views), np.bool_)
        first = 0
        for views in sequences:
            self.starts[first : first + len(views)] = np.r_[True, np.diff(views["hand"]) != 0]
            first += len(views)
        self.answers = self.answer(self.views.copy())

    def report(self) -> CheckReport:
        n_views = len(self.views)
        if n_views == 0:
            nothing = Finding("plays", False, "it was never asked: these rules leave no choice")
            return CheckReport(self.strategy.label, (nothing,), None, 0, float("nan"))
        plays = Finding("plays", True, f"legal answers to {n_views} views")
        findings = [plays, self.repeats(), self.keeps_to_its_own(), self.odd_parameters()]
        heeds, ns = self.heeds(), self.ns_per_decision()
        said = ", ".join(sorted(heeds)) or "neither score, hand number nor memory of earlier hands"
        findings += [Finding("heeds", True, said), Finding("speed", True, f"{ns:.0f} ns a decision")]
        note_finding(self.strategy, heeds)
        return CheckReport(self.strategy.label, tuple(findings), heeds, n_views, ns)

    def answer(self, views: np.ndarray, follows: np.ndarray | None = None) -> np.ndarray:
        """Answers to `views`, which are changed; with `follows`, a view takes over the scratch of the one before."""
        answers = np.full(len(views), -1)
        follows = np.zeros(len(views), np.bool_) if follows is None else follows
        _ask_each()(self.ask, views, follows, answers, 1)
        error = getattr(self.ask, "error", None)
        if error is not None and -1 in answers:
            raise error
        return answers

    def repeats(self) -> Finding:
        """Ask again in the opposite order, each view as it was."""
        again = self.answer(self.views[::-1].copy())[::-1]
        n_other = int(np.sum(again != self.answers))
        if n_other:
            return Finding("repeats", False, f"{n_other} of {len(again)} views got another answer when asked again")
        return Finding("repeats", True, "same view, same answer")

    def keeps_to_its_own(self) -> Finding:
        """Compare the views after the answers."""
        after = self.views.copy()
        self.answer(after)
        public = [name for name in PUBLIC_FIELDS if name not in _OWN_FIELDS]
        changed = [name for name in public if after[name].tobytes() != self.views[name].tobytes()]
        text = f"it writes to {', '.join(changed)}" if changed else "it writes to nothing but rng and scratch"
        return Finding("keeps to its own", not changed, text)

    def odd_parameters(self) -> Finding:
        """Ask with parameters that nobody would choose."""
        if not self.strategy.params:
            return Finding("odd parameters", True, "it has none")
        for k, name in enumerate(self.strategy.params):
            for value in _ODD_PARAMS:
                views = self.views.copy()
                views["params"][:, k] = value
                fault = self._fault(views)
                if fault:
                    return Finding("odd parameters", False, f"{name}={value}: {fault}")
        return Finding("odd parameters", True, f"legal answers with {', '.join(map(str, _ODD_PARAMS))}")

    def _fault(self, views: np.ndarray) -> str | None:
        n_legal = views["n_legal"].copy()
        try:
            answers = self.answer(views)
        except Exception as error:
            return f"raised {raised_text(error)}"
        illegal = (answers < 0) | (answers >= n_legal)
        return f"returned {answers[illegal][0]} with {n_legal[illegal][0]} legal placements" if illegal.any() else None

    def heeds(self) -> frozenset[str]:
        """What changes its answers: other scores, other hand numbers, memory of earlier hands."""
        found = set()
        if any(self._differs(scores=score) for score in _OTHER_SCORES) or self._differs(scores=self._swapped()):
            found.add("score")
        if any(self._differs(hand=hand) for hand in _OTHER_HANDS):
            found.add("hand")
        if self._remembers():
            found.add("memory")
        return frozenset(found)

    def _swapped(self) -> np.ndarray:
        return self.views["scores"][:, [1, 0, 2, 3]]

    def _differs(self, **fields: Any) -> bool:
        views = self.views.copy()
        for name, value in fields.items():
            views[name] = value
        try:
            return bool(np.any(self.answer(views) != self.answers))
        except Exception:
            return True

    def _remembers(self) -> bool:
        """Ask hand by hand with nothing in the scratch at the start of each."""
        views = self.views.copy()
        views["scratch"][self.starts] = 0
        try:
            return bool(np.any(self.answer(views, ~self.starts) != self.answers))
        except Exception:
            return True

    def ns_per_decision(self) -> float:
        """Time of one answer: a few views, so that they stay in the processor's cache as in a game."""
        views = self.views[:: -(-len(self.views) // _SPEED_VIEWS)].copy()
        follows, answers = np.zeros(len(views), np.bool_), np.zeros(len(views), np.int64)
        spent, rounds = 0, 1
        while spent < _SPEED_NS:
            rounds *= 2
            start = time.perf_counter_ns()
            _ask_each()(self.ask, views, follows, answers, rounds)
            spent = time.perf_counter_ns() - start
        return spent / rounds / len(views)


@lru_cache(maxsize=1)
def _ask_each() -> Any:
    """A compiled loop over views, as the kernel would ask."""
    from numba import types

    from fiveup_sim.engine.compile import STRATEGY_TYPE, VIEW_TYPE, compile_cached, engine_stamp

    stamp = engine_stamp()

    def ask_each(ask, views, follows, answers, rounds):
        stamp  # noqa: B018  part of numba's key
        for _ in range(rounds):
            for i in range(len(views)):
                if follows[i]:
                    for k in range(views[i].scratch.size):
                        views[i].scratch[k] = views[i - 1].scratch[k]
                answers[i] = ask(views[i])

    signature = types.void(STRATEGY_TYPE, VIEW_TYPE[::1], types.boolean[::1], types.int64[::1], types.int64)
    return compile_cached(signature, ask_each)
