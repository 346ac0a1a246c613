"""Playing until a question is answered: verdicts, that it always ends, and how often it answers wrongly."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pytest

from fiveup_sim import PlayError, Rules, games_needed, play_match, play_until, strategy
from fiveup_sim.analysis.planning import blocks_for_power, size_of_block
from fiveup_sim.analysis.sequential import (
    Decision,
    PointComparison,
    Question,
    Verdict,
    WinComparison,
    block_sums,
    decide,
)
from fiveup_sim.engine.draws import below
from fiveup_sim.experiments import compare
from fiveup_sim.experiments.compare import Answer
from fiveup_sim.tournament.runner import Runner
from tests.analysis.kit import anything, assert_covers, greedy, last, match, nearly_greedy, plain
from tests.kit import ctrl_c


@strategy
def something(view):
    """Any legal placement, another one than `anything` would choose: equally strong, but not the same play."""
    return view.n_legal - 1 - below(view, view.n_legal)


@strategy
def greedy_again(view):
    """As greedy, in other words."""
    best, most = 0, -1
    for i in range(view.n_legal):
        value = 16 * view.legal[i].points + view.legal[i].pips
        if value > most:
            best, most = i, value
    return best


def ask(a, b, **options) -> Answer:
    return play_until(a, b, **{"seed": 1, "progress": False, **options})


@pytest.mark.parametrize("measure", ["wins", "points"])
def test_the_better_one_is_named(measure: str) -> None:
    won, lost = ask(greedy, last, measure=measure), ask(last, greedy, measure=measure)
    assert (won.verdict, won.better, won.words) == (Verdict.FIRST, "greedy", "greedy is better")
    assert (lost.verdict, lost.better) == (Verdict.SECOND, "greedy")
    assert 0 < won.low < won.best < won.high
    assert lost.low < lost.best < lost.high < 0
    assert won.n_games == 256 < won.fixed_games
    assert str(won).startswith("greedy is better\ngreedy ")


@pytest.mark.parametrize("measure", ["wins", "points"])
def test_equal_play_ends_soon(measure: str) -> None:
    """All blocks are exactly level."""
    found = ask(greedy, greedy_again, measure=measure)
    assert found.verdict is Verdict.NO_DIFFERENCE and found.better is None
    assert found.best == 0 and -0.01 <= found.low < 0 < found.high <= 0.01
    assert found.n_games < 2000 and found.fixed_games > 50


def test_equal_strategies_end() -> None:
    found = ask(anything, something, difference=0.05)
    assert found.verdict is Verdict.NO_DIFFERENCE
    assert found.words == "no difference larger than the one asked about"
    assert found.low < 0 < found.high


def test_unfinished_games_end_too() -> None:
    """In one hand nobody wins."""
    found = ask(plain, last, rules=Rules.preset(max_hands=1))
    assert found.verdict is Verdict.NO_DIFFERENCE
    assert found.best == 0


@pytest.mark.parametrize("measure", ["wins", "points"])
@pytest.mark.parametrize(("max_games", "n_games"), [(1, 2), (2, 2), (3, 4), (301, 302)])
def test_the_limit_is_kept(max_games: int, n_games: int, measure: str) -> None:
    found = ask(anything, something, max_games=max_games, difference=0.001, measure=measure)
    assert found.verdict is Verdict.UNDECIDED
    assert found.n_games == n_games
    assert "undecided at the limit" in str(found)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["verdict"] == "undecided"


@pytest.mark.parametrize("seats", [2, 4])
def test_the_answer_does_not_depend_on_workers(seats: int) -> None:
    rules = Rules.preset(seats=seats)
    answers = [ask(anything, something, rules=rules, n_jobs=n_jobs, max_games=2000) for n_jobs in (1, 2, 3)]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0].n_looks > 3


def test_it_is_the_match_that_play_match_plays() -> None:
    found = ask(greedy, nearly_greedy, seed=5, max_games=1000, difference=0.001)
    results = play_match([greedy, nearly_greedy], games=found.n_games, seed=5, keep_games=True, progress=False)
    look = WinComparison(Question(0.001)).add(*block_sums(results.matches[0], results, "wins"))
    assert (found.low, found.best, found.high) == pytest.approx((look.low, look.best, look.high), abs=1e-6)


def test_a_fresh_seed_is_said() -> None:
    found = ask(greedy, last, seed=None)
    assert f"seed {found.seed}" in str(found)
    assert ask(greedy, last, seed=found.seed) == found


def test_games_are_kept_a_piece_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "_MOST_BLOCKS", 100)
    most = []
    monkeypatch.setattr(compare, "block_sums", lambda *args: most.append(len(args[0].games)) or block_sums(*args))
    found = ask(anything, something, max_games=1500, difference=0.001)
    assert most == [200] * 7 + [100]
    assert (found.n_games, found.n_looks) == (1500, 8)


def test_ctrl_c_gives_the_last_look() -> None:
    ask(anything, something)  # compiled from here on
    with ctrl_c(after=1.5), pytest.warns(UserWarning, match="^interrupted: .* blocks were looked at"):
        found = ask(anything, something, difference=1e-5, max_games=1_000_000_000)
    assert found.is_interrupted and found.verdict is Verdict.UNDECIDED
    assert found.words == "undecided when interrupted"
    again = ask(anything, something, difference=1e-5, max_games=found.n_games)
    assert (found.low, found.high, found.n_looks) == (again.low, again.high, again.n_looks)


def test_ctrl_c_before_the_first_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Runner, "play", lambda *_: True)
    with pytest.raises(KeyboardInterrupt):
        ask(greedy, last)


def test_a_fault_of_a_strategy_is_raised() -> None:
    @strategy
    def beyond(view):
        return view.n_legal

    with pytest.raises(PlayError, match="strategy 'beyond' returned"):
        ask(greedy, beyond)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"difference": 0.0}, "difference = 0.0: allowed between 0 and 0.5"),
        ({"difference": 0.5}, "difference = 0.5: allowed between 0 and 0.5"),
        ({"difference": -1.0, "measure": "points"}, "difference = -1.0: allowed more than 0"),
        ({"error": 1.0}, "error = 1.0: allowed between 0 and 1"),
        ({"max_games": 0}, "max_games = 0: a whole number from 1"),
        ({"max_games": 10.5}, "max_games = 10.5: a whole number"),
        ({"max_games": 1 << 80}, "max_games = 1208925819614629174706176: a whole number"),
        ({"measure": "hands"}, "measure = 'hands': allowed wins, points"),
        ({"rules": Rules.preset(seats=3)}, "two sides only"),
        ({"b": greedy}, "greedy against itself"),
        ({"seed": -1}, "seed = -1"),
    ],
)
def test_what_is_asked_is_checked(options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ask(**{"a": greedy, "b": last, **options})


def test_the_fixed_plan_is_that_of_a_pilot() -> None:
    found = ask(anything, something, max_games=4000, difference=0.005)
    plan = games_needed(match(anything, something, games=4000), difference=0.005).set_index("measure")
    assert plan.loc["win_rate", "low"] < found.fixed_games < plan.loc["win_rate", "high"]


# How often it answers wrongly, and how many games it takes.


@lru_cache(maxsize=2)
def level_blocks(measure: str) -> tuple[np.ndarray, np.ndarray]:
    """Blocks of games between equal strategies, and the same ones with sides exchanged: they are exactly level."""
    results = match(anything, something, games=20_000, keep_games=True)
    ahead, weights = block_sums(results.matches[0], results, measure)
    return np.concatenate([ahead, -ahead]), np.tile(weights, 2)


def comparison_of(measure: str, difference: float) -> WinComparison | PointComparison:
    if measure == "wins":
        return WinComparison(Question(difference))
    return PointComparison(Question(difference), size_of_block(Rules.preset()))


def drawn(measure: str, rng: np.random.Generator) -> Callable[[int, int], tuple[np.ndarray, np.ndarray]]:
    """Plays blocks drawn from those of real games."""
    ahead, weights = level_blocks(measure)

    def play(_: int, n_blocks: int) -> tuple[np.ndarray, np.ndarray]:
        which = rng.integers(0, len(ahead), n_blocks)
        return ahead[which], weights[which]

    return play


def level_decisions(measure: str, difference: float, n_runs: int) -> list[Decision]:
    rng = np.random.default_rng(7)
    runs = (comparison_of(measure, difference) for _ in range(n_runs))
    return [decide(drawn(measure, rng), comparison, 50_000) for comparison in runs]


def assert_seldom_wrong(decisions: list[Decision]) -> None:
    verdicts = Counter(decision.verdict for decision in decisions)
    assert verdicts[Verdict.UNDECIDED] == 0
    assert_covers(np.arange(len(decisions)) < verdicts[Verdict.NO_DIFFERENCE], 0.95)


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "difference"), [("wins", 0.05), ("points", 0.05)])
def test_false_decisions_between_equal_strategies(measure: str, difference: float) -> None:
    """And to say that there is nothing takes about twice the games of a fixed plan."""
    decisions = level_decisions(measure, difference, 1500)
    assert_seldom_wrong(decisions)
    used = np.mean([decision.look.n_blocks for decision in decisions])
    assert used < 3 * np.mean([decision.fixed_blocks for decision in decisions])


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "difference"), [("wins", 0.1), ("points", 0.25)])
def test_false_decisions_in_short_matches(measure: str, difference: float) -> None:
    """Real games, no block twice: a long match, cut into short ones of which most are decided."""
    n_runs, n_blocks = 300, 400
    results = play_match([anything, something], games=2 * n_runs * n_blocks, seed=3, keep_games=True, progress=False)
    ahead, weights = block_sums(results.matches[0], results, measure)
    decisions = []
    for start in range(0, n_runs * n_blocks, n_blocks):
        run = slice(start, start + n_blocks)
        a, w = ahead[run], weights[run]
        play = lambda first, n, a=a, w=w: (a[first : first + n], w[first : first + n])  # noqa: E731
        decisions.append(decide(play, comparison_of(measure, difference), n_blocks))
    wrong = [decision.verdict in (Verdict.FIRST, Verdict.SECOND) for decision in decisions]
    assert_covers(~np.array(wrong), 0.95)


@pytest.mark.slow
def test_false_decisions_of_whole_calls() -> None:
    """The call itself, with a seed each: of 60, 3 are expected to be wrong at most."""
    answers = [ask(anything, something, seed=seed, difference=0.1, max_games=6000) for seed in range(60)]
    assert_covers(np.array([answer.better is None for answer in answers]), 0.95)


@pytest.mark.slow
def test_games_used_against_a_fixed_plan() -> None:
    """Twice the difference asked about is found with fewer games than a fixed plan for it takes."""
    rng = np.random.default_rng(8)
    difference, sd = 0.02, np.sqrt(0.125)
    used = []
    for _ in range(150):
        play = lambda _, n: (2 * rng.binomial(2, 0.5 + 2 * difference, n) - 2, np.full(n, 2))  # noqa: E731
        decision = decide(play, WinComparison(Question(difference)), 50_000)
        assert decision.verdict is Verdict.FIRST
        used.append(decision.look.n_blocks)
    assert np.mean(used) < 0.7 * blocks_for_power(sd, difference)
