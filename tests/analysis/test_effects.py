"""Rule effects: exact zeros, planted effects found, null changes left alone."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from fiveup_sim import Rules
from fiveup_sim.analysis.effects import rule_effects, rule_rankings
from fiveup_sim.analysis.factorial import INTERACTION, MAIN, full_factorial, one_at_a_time
from fiveup_sim.analysis.games import games_frame
from fiveup_sim.analysis.groups import Sums
from fiveup_sim.analysis.measures import ALL, MEANINGS, Key, Measures
from fiveup_sim.analysis.metrics import METRICS, metrics
from fiveup_sim.analysis.scores import points_per_hand
from fiveup_sim.analysis.winning import win_rates
from tests.analysis.kit import assert_covers, grouped, match

N_BLOCKS = 640
N_KEYS = 20
LABELS = tuple("abc")


def made(num: np.ndarray, is_share: bool = False) -> Measures:
    """A run of `num`, shape (n_keys, n_blocks): what each block gave to each figure, of one game a block."""
    keys = tuple(Key("win_rate" if is_share else "hands_per_game", ALL, f"s{i}") for i in range(len(num)))
    sums = Sums(grouped(num), grouped(np.ones_like(num)), np.full(len(num), num.shape[1]))
    return Measures(LABELS, keys, np.full(len(num), is_share), sums, str(num.sum()))


def test_measures_are_those_of_the_tables() -> None:
    results = match("random", "greedy", games=300)
    measures = Measures.of(results)
    best = dict(zip(measures.keys, measures.sums.num.sum(1) / measures.sums.den.sum(1), strict=True))
    table = metrics(results)
    for name in METRICS:
        assert best[Key(name, ALL, "")] == pytest.approx(table.loc[name, "best"], abs=1e-12)
    rates, points = win_rates(results), points_per_hand(results)
    assert best[Key("win_rate", ALL, "greedy")] == pytest.approx(rates["best"][1])
    assert best[Key("points_per_hand", ALL, "random")] == pytest.approx(points["best"][0])
    assert {key.measure for key in measures.keys} <= MEANINGS.keys()


def test_first_leaders_and_seats_are_those_of_the_games() -> None:
    results = match("random", "greedy", games=300, keep_games=True)
    measures = Measures.of(results)
    best = dict(zip(measures.keys, measures.sums.num.sum(1) / measures.sums.den.sum(1), strict=True))
    games = games_frame(results)
    assert best[Key("first_lead_win_rate", ALL, "")] == pytest.approx((games["winner"] == games["first_lead"]).mean())
    assert best[Key("first_seat_win_rate", ALL, "")] == pytest.approx((games["winner"] == 0).mean())
    scores = games[["score_0", "score_1"]]
    assert best[Key("first_score", ALL, "")] == pytest.approx(scores.max(axis=1).mean())
    assert best[Key("second_score", ALL, "")] == pytest.approx(scores.min(axis=1).mean())


def test_no_change_is_exactly_zero_with_an_honest_interval() -> None:
    base, same = (match("random", "greedy", games=400, rules=Rules.preset(max_hands=n)) for n in (10_000, 9_999))
    runs = [Measures.of(base), Measures.of(same)]
    assert runs[0].digest == runs[1].digest
    table = rule_effects(runs, one_at_a_time(["max_hands = 9999"]))
    assert (table["best"] == 0).all()
    assert (table["low"] < 0).all() and (table["high"] > 0).all()
    assert (table["p"] == 1).all() and not table["is_separated"].any()


def test_factorial_of_equal_runs_is_exactly_zero() -> None:
    run = made(np.random.default_rng(1).poisson(7, (N_KEYS, N_BLOCKS)))
    contrasts = full_factorial([["a0", "a1", "a2"], ["b0", "b1"], ["c0", "c1"]])
    table = rule_effects([run] * 12, contrasts)
    assert (table["best"] == 0).all() and not table["is_separated"].any()


def test_what_a_run_never_saw_is_not_known() -> None:
    seen = made(np.ones((1, N_BLOCKS), int))
    nothing = Measures(LABELS, seen.keys, seen.is_share, Sums(*(0 * a for a in vars(seen.sums).values())), "")
    row = rule_effects([seen, nothing], one_at_a_time(["x"])).iloc[0]
    assert np.isnan(row["best"]) and row["low"] == -np.inf and row["high"] == np.inf and row["p"] == 1


def test_factorial_weights() -> None:
    levels = [["a0", "a1"], ["b0", "b1", "b2"]]
    runs = list(product(*levels))
    contrasts = {contrast.label: contrast for contrast in full_factorial(levels)}
    assert runs[0] == ("a0", "b0") and list(contrasts) == ["a1", "b1", "b2", "a1 x b1", "a1 x b2"]
    assert [contrast.kind for contrast in contrasts.values()] == [MAIN] * 3 + [INTERACTION] * 2
    # y = 1 + 5 a1 + 2 b1 - 3 a1 b1, worked out by hand: a1 changes 5, 2, 5; b1 changes 2, -1
    y = [1 + 5 * (a == "a1") + 2 * (b == "b1") - 3 * (a == "a1" and b == "b1") for a, b in runs]
    figures = {label: contrast.weights @ y for label, contrast in contrasts.items()}
    assert figures == pytest.approx({"a1": 4.0, "b1": 0.5, "b2": 0.0, "a1 x b1": -3.0, "a1 x b2": 0.0})


@pytest.mark.parametrize("n_trials", [200, pytest.param(2000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("is_paired", [True, False], ids=["same deals", "fresh deals"])
def test_planted_effects_are_covered_and_found(is_paired: bool, n_trials: int) -> None:
    rng = np.random.default_rng(7)
    truth = np.where(np.arange(N_KEYS) < N_KEYS // 2, 0.0, 1.5)
    hits, finds, flags = [], [], []
    for _ in range(n_trials):
        deals = rng.poisson(5, (2, N_KEYS, N_BLOCKS))
        shared = deals[[0, 0]] if is_paired else deals
        runs = [shared[i] + rng.poisson(2 + i * truth[:, None], (N_KEYS, N_BLOCKS)) for i in range(2)]
        table = rule_effects([made(run) for run in runs], one_at_a_time(["planted"]))
        hits.append(((table["low"] <= truth) & (truth <= table["high"])).all())
        flags.append(table["is_separated"][truth == 0].any())
        finds.append(table["is_separated"][truth != 0].all())
    assert_covers(np.array(hits), 0.95)
    assert_covers(np.array(flags), 0.0, 0.05)
    assert np.mean(finds) > 0.99


def test_shares_are_compared_within_their_range() -> None:
    rng = np.random.default_rng(8)
    rare, common = (made((rng.random((N_KEYS, 60)) < chance).astype(int), is_share=True) for chance in (0.01, 0.99))
    contrasts = full_factorial([["a0", "a1"], ["b0", "b1"]])
    table = rule_effects([rare, common, common, rare], contrasts)
    mains, interactions = table[table["kind"] == MAIN], table[table["kind"] == INTERACTION]
    assert mains["low"].min() >= -1 and mains["high"].max() <= 1
    assert interactions["low"].min() >= -2 and (interactions["best"] < -1.5).all()


@pytest.mark.parametrize("n_runs", [40, pytest.param(400, marks=pytest.mark.slow)])
def test_null_changes_on_fresh_deals_are_seldom_flagged(n_runs: int) -> None:
    flags = []
    for run in range(n_runs):
        pair = [Measures.of(match("random", "greedy", games=160, seed=1000 + 2 * run + i)) for i in range(2)]
        flags.append(rule_effects(pair, one_at_a_time(["nothing"]))["is_separated"].any())
    assert_covers(np.array(flags), 0.0, 0.05)


def test_swapped_orders_are_found() -> None:
    rng = np.random.default_rng(9)

    def ranked(*chances: float) -> Measures:
        run = made((rng.random((3, N_BLOCKS)) < np.array(chances)[:, None]).astype(int), is_share=True)
        keys = tuple(Key("win_rate", ALL, label) for label in LABELS)
        return Measures(LABELS, keys, run.is_share, run.sums, run.digest)

    table = rule_rankings([ranked(0.8, 0.5, 0.48), ranked(0.3, 0.6, 0.58)], one_at_a_time(["turned"]))
    order = {(row.strategy, row.opponent): row.order for row in table.itertuples()}
    assert order == {("a", "b"): "swapped", ("a", "c"): "swapped", ("b", "c"): "not separated"}
    first = table.iloc[0]
    assert first["low"] < first["best"] < first["high"] < 0
    assert first["variant_ahead"] == pytest.approx(first["base_ahead"] + first["best"])
    kept = rule_rankings([ranked(0.8, 0.5, 0.2), ranked(0.9, 0.5, 0.2)], one_at_a_time(["kept"]))
    assert (kept["order"] == "same").all()
