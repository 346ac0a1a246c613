"""The contract test finds what it is there to find."""

from __future__ import annotations

import math

import pytest

from fiveup_sim.rules import Rules
from fiveup_sim.strategy import find_strategy, strategy
from fiveup_sim.testing import CheckReport, check_strategy

pytestmark = pytest.mark.filterwarnings("ignore:.*not compiled")


def check(function, **options) -> CheckReport:
    """Check an installed-like strategy: without the trial run in another process."""
    one = find_strategy(function) if isinstance(function, str) else strategy(name="one", **options)(function)
    return check_strategy(one, games=2)


def failed(report: CheckReport) -> list[str]:
    return [finding.check for finding in report.findings if not finding.passed]


@pytest.fixture(autouse=True)
def no_trial(monkeypatch):
    """The trial run is tested by itself, and takes a second each."""
    monkeypatch.setattr("fiveup_sim.testing.try_out", lambda strategies, rules: None)


@pytest.mark.parametrize("name", ["random", "first", "heavy", "greedy", "careful", "careful(pips=0.5)"])
def test_the_built_in_ones_keep_it(name):
    report = check(name)
    assert report.passed, str(report)
    assert report.heeds == frozenset() and report.n_views > 300 and 0 < report.ns_per_decision < 1e7
    assert str(report).startswith(f"strategy {name!r} keeps the contract\nok   plays")


def test_plain_python_keeps_it_too():
    report = check(lambda view: view.n_legal - 1, jit=False)
    assert report.passed and report.heeds == frozenset()


@pytest.mark.parametrize(
    ("function", "heeds"),
    [
        (lambda view: view.scores[0] > view.scores[1], {"score"}),
        (lambda view: view.scores[0] >= view.target - 10, {"score"}),
        (lambda view: view.hand % 2, {"hand"}),
        (lambda view: view.hand > 0 and view.scores[0] < 0, {"score", "hand"}),
        (lambda view: view.n_turns % 2, set()),
    ],
)
def test_what_it_heeds(function, heeds):
    report = check(function)
    assert report.passed and report.heeds == heeds
    assert strategy(name="one")(function).heeds == heeds


def test_memory_of_earlier_hands():
    def grudge(view):
        view.scratch[0] += view.legal[0].points
        return view.scratch[0] % view.n_legal

    assert check(grudge).heeds == {"memory"}


def test_memory_of_this_hand_is_none_of_earlier_ones():
    def counting(view):
        if view.scratch[1] != view.hand + 1:
            view.scratch[0], view.scratch[1] = 0, view.hand + 1
        view.scratch[0] += 1
        return view.scratch[0] % 2

    assert "memory" not in check(counting).heeds


def test_other_answers_to_the_same_view():
    count = iter(range(10**9))
    assert failed(check(lambda view: next(count) % 2, jit=False)) == ["repeats"]


def test_writing_where_it_may_not():
    def scribbler(view):
        view.held = 0
        view.legal[0].points = 9
        return 0

    report = check(scribbler)
    assert failed(report) == ["keeps to its own"]
    assert "it writes to held, legal" in str(report) and "does not keep the contract" in str(report)


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda view: int(view.params[0]), "a=-1.0: returned -1"),
        (lambda view: int(1 / view.params[0]) - 1, "a=0.0: raised ZeroDivisionError"),
    ],
)
def test_odd_parameters(function, says):
    report = check(function, params={"a": 1})
    assert failed(report) == ["odd parameters"] and says in str(report)


@pytest.mark.parametrize(
    ("function", "options", "says"),
    [
        (lambda view: view.n_legal, {}, "legal placements, seat"),
        (lambda view: 3 // view.scratch[5], {}, "raised ZeroDivisionError: integer division by zero"),
        (lambda view: {}["x"], {"jit": False}, "raised KeyError: 'x' (tests/strategy/test_check.py:"),
        (lambda view: 0.5, {}, "it returns float64"),
        (lambda view: None, {"jit": False}, "it returned None"),
    ],
)
def test_what_does_not_play(function, options, says):
    report = check(function, **options)
    assert failed(report) == ["plays"] and says in str(report)
    assert report.heeds is None and math.isnan(report.ns_per_decision)


def test_rules_without_a_choice():
    rules = Rules.preset("block", tiles_each=1)
    assert "never asked" in str(check_strategy("random", rules=rules, games=1))


def test_other_rules():
    assert check_strategy("careful", rules=Rules.preset("fives_and_threes", seats=3), games=1).passed


def test_the_trial_run_comes_first(monkeypatch):
    from fiveup_sim.strategy import StrategyError

    def fails(strategies, rules):
        raise StrategyError("strategy 'one' did not answer")

    monkeypatch.setattr("fiveup_sim.testing.try_out", fails)
    assert "did not answer" in str(check(lambda view: 0))
