"""The exact law of a game: against a slow walk over scores, against counting, and where it must not be used."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from fiveup_sim.analysis.hand_law import HandLaw, read_hand_law
from fiveup_sim.analysis.law import game_law, why_not, winning_chances
from fiveup_sim.analysis.recursion import EXTENSION, HANDS, WIN, NoLawError, Walk
from fiveup_sim.engine.tallies import unpack_law
from fiveup_sim.rules import Rules
from tests.analysis.kit import greedy, heeding, last, match, nearly_greedy, plain

FLOOR = 40


def a_law(seed: int, n_leads: int = 2) -> HandLaw:
    """A made-up law of few outcomes, with falls, ties and lots."""
    rng = np.random.default_rng(seed)
    n = 12
    change = rng.integers(-2, 6, (n, 2))
    change[:3] = [[1, 1], [2, 2], [-1, -1]]
    change[3:5] = [[3, 0], [0, 3]]
    lead = np.resize(np.arange(n_leads), n)
    return HandLaw(n_leads, lead, rng.integers(0, n_leads + 1, n), change, 1, rng.integers(1, 50, (n, 32)))


def naive(law: HandLaw, target: int, keeps_target: bool, n_hands: int = 150) -> tuple[float, float, float]:
    """Win rate, extension share and mean hands by walking over (scores, leader, in extension), hand by hand."""
    outcomes = list(zip(law.lead, law.next, law.change, law.chances(), strict=True))
    now = {(0, 0, lead, False): 1 / law.n_leads for lead in range(law.n_leads)}
    won = extended = hands = 0.0
    for _ in range(n_hands):
        after: dict = defaultdict(float)
        for (a, b, lead, in_extension), chance in now.items():
            hands += chance
            for by, following, (da, db), p in outcomes:
                if by != lead:
                    continue
                x, y, q = a + da, b + db, chance * p
                asks = not in_extension or keeps_target
                if x != y and (max(x, y) >= target or not asks):
                    won += q * (x > y)
                    continue
                ties = x == y and x >= target
                extended += q * (ties and not in_extension)
                leaders = [following] if following < law.n_leads else range(law.n_leads)
                for leader in leaders:
                    after[x, y, leader, in_extension or ties] += q / len(leaders)
        now = {state: chance for state, chance in after.items() if chance > 1e-13}
    return won, extended, hands


def walked(law: HandLaw, target: int, keeps_target: bool) -> tuple[float, float, float]:
    walk = Walk(law, target, FLOOR, keeps_target)
    there, to_tie = walk.forward(3000), walk.forward(3000, to_first_tie=True)
    win, hands = walk.extension_values()
    ties = there.ties.sum(0)
    return there.wins[:, 0].sum() + ties @ win, to_tie.ties.sum(), there.visits.sum() + ties @ hands


@pytest.mark.parametrize("n_leads", [1, 2, 4])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_walk_is_the_slow_walk(seed: int, n_leads: int) -> None:
    law = a_law(seed, n_leads)
    np.testing.assert_allclose(walked(law, 7, False), naive(law, 7, False), atol=1e-5)


@pytest.mark.parametrize("seed", [1, 3])
def test_where_the_target_is_asked_again(seed: int) -> None:
    """Ties far above the target are taken for ordinary extensions, which is a tenth of the effect at most."""
    law = a_law(seed)
    asked_again, once = walked(law, 5, True), walked(law, 5, False)
    np.testing.assert_allclose(asked_again, naive(law, 5, True), atol=2e-4)
    np.testing.assert_allclose(asked_again[2], naive(law, 5, True)[2], atol=0.1 * abs(asked_again[2] - once[2]))


@pytest.mark.parametrize("keeps_target", [False, True])
def test_backwards_is_forwards(keeps_target: bool) -> None:
    law = a_law(4)
    walk = Walk(law, 9, FLOOR, keeps_target)
    values = walk.from_zero(walk.backward(600))[..., 0, 0].mean(1)
    won, extended, hands = walked(law, 9, keeps_target)
    np.testing.assert_allclose(values[[WIN, EXTENSION, HANDS]], [won, extended, hands], rtol=2e-5)


@pytest.mark.parametrize("keeps_target", [False, True])
def test_slopes_are_derivatives(keeps_target: bool) -> None:
    law = a_law(5)
    walk = Walk(law, 9, FLOOR, keeps_target)
    there, to_tie = walk.forward(3000), walk.forward(3000, to_first_tie=True)
    again, _ = walk.extension()
    in_extension = there.ties.sum(0) @ np.linalg.inv(np.eye(2) - again)
    slopes = walk.extension_slopes(in_extension, *walk.extension_values())
    values = walk.backward(600)
    slopes += [
        walk.slopes(to_tie.visits if figure == EXTENSION else there.visits, values[figure])
        for figure in (WIN, EXTENSION, HANDS)
    ]
    counts = 1000 * law.counts
    counts[5] += law.counts[5]
    changed = replace(law, counts=counts)
    by_slopes = slopes @ (changed.chances() - law.chances())
    by_walking = np.subtract(walked(changed, 9, keeps_target), walked(law, 9, keeps_target))
    np.testing.assert_allclose(by_slopes[[WIN, EXTENSION, HANDS]], by_walking, rtol=0.02, atol=1e-7)


@pytest.mark.parametrize("seats", [2, 4])
def test_seatings_are_one_law(seats: int) -> None:
    """Turned back to seating 0, every hand is there once, and who dominoed leads on."""
    results = match(greedy, last, seats=seats)
    one = results.matches[0]
    law = read_hand_law(one, results.rules)
    assert law.counts.sum() == one.tallies["hands"].sum() == one.law["count"].sum()
    gained = (law.change * law.counts.sum(1)[:, None]).sum(0) * law.step
    changes = one.tallies["change"].sum(1)
    np.testing.assert_array_equal(gained, [changes[0, 0] + changes[1, 1], changes[0, 1] + changes[1, 0]])
    assert gained[0] > gained[1]


def test_partners_that_differ_lead_by_seat() -> None:
    results = match(greedy, last, plain, last, seats=4)
    law = read_hand_law(results.matches[0], results.rules)
    assert law.n_leads == 4
    assert read_hand_law(match(greedy, last, seats=4).matches[0], Rules.preset(seats=4)).n_leads == 2


def test_raw_points_come_in_fives() -> None:
    rules = Rules.preset("all_fives")
    law = read_hand_law(match(greedy, last, rules=rules).matches[0], rules)
    assert (law.step, law.n_leads) == (5, 1)


@pytest.mark.parametrize(
    ("strategies", "rules"),
    [
        ((greedy, last), Rules.preset()),
        ((greedy, nearly_greedy), Rules.preset()),
        ((greedy, last), Rules.preset(seats=4)),
        ((greedy, plain, last, last), Rules.preset(seats=4)),
        ((greedy, last), Rules.preset("all_fives")),
        ((greedy, last), Rules.preset(extension_needs_target=True, target=30)),
        ((greedy, last), Rules.preset(next_lead="rotate", blocked_lead="same", target=40)),
        ((greedy, last), Rules.preset("draw")),
    ],
    ids=str,
)
def test_the_law_is_what_is_counted(strategies: tuple, rules: Rules) -> None:
    """Within the error of the counts, on games of their own: counted in other blocks than the law comes from."""
    law = game_law(match(*strategies, games=4000, rules=rules)).set_index("measure")
    games = match(*strategies, games=4000, rules=rules, first_block=100_000)
    counted = game_law(heeding(games, None)).set_index("measure")
    assert (law["source"] == "law").all()
    assert (counted["source"] == "counted").all()
    error = np.hypot(law["high"] - law["low"], counted["high"] - counted["low"]) / 4
    assert (np.abs(law["best"] - counted["best"]) < 3.5 * error).all(), (law["best"] - counted["best"]) / error


def test_the_law_is_sharper_than_counting() -> None:
    results = match(greedy, last, games=4000)
    law, counted = (game_law(one).set_index("measure") for one in (results, heeding(results, None)))
    width = {name: one["high"] - one["low"] for name, one in {"law": law, "counted": counted}.items()}
    assert width["law"]["win_rate"] < 0.8 * width["counted"]["win_rate"]
    assert width["law"]["extension_share"] < 0.2 * width["counted"]["extension_share"]


def test_linearisation_is_the_jackknife() -> None:
    results = match(greedy, last)
    low, best, high = game_law(results, target=20).loc[0, ["low", "best", "high"]]
    one = results.matches[0]
    others = [replace(one, law=one.law[one.law["group"] != group]) for group in range(32)]
    without = [game_law(replace(results, matches=(other,)), target=20)["best"][0] for other in others]
    error = np.sqrt(31 / 32 * ((np.array(without) - np.mean(without)) ** 2).sum())
    assert (high - low) / 2 == pytest.approx(2.04 * error, rel=0.05)
    assert np.mean(without) == pytest.approx(best, abs=0.1 * error)


def test_equal_play_is_even_and_still_has_a_width() -> None:
    row = game_law(match(last, last, games=400)).iloc[0]
    assert row["best"] == pytest.approx(0.5, abs=1e-6)
    assert 0.001 < row["high"] - row["low"] < 0.02


def test_other_targets_from_the_same_hands() -> None:
    results = match(greedy, nearly_greedy, games=4000)
    table = game_law(results, target=[30, 61, 100]).set_index(["measure", "target"])
    again = match(greedy, nearly_greedy, games=4000, rules=Rules.preset(target=100), seed=2)
    other = game_law(again).set_index("measure")
    for measure in other.index:
        mine, theirs = table.loc[(measure, 100)], other.loc[measure]
        error = np.hypot(mine["high"] - mine["low"], theirs["high"] - theirs["low"]) / 4
        assert abs(mine["best"] - theirs["best"]) < 3.5 * error
    assert table.loc["hands_per_game", "best"].is_monotonic_increasing
    assert table.loc["extension_share", "best"].is_monotonic_decreasing


def test_winning_chances() -> None:
    results = match(greedy, last, games=1000)
    table = winning_chances(results, target=20)
    assert len(table) == 2 * 20 * 20
    assert table["low"].between(0, 1).all()
    assert (table["low"] <= table["best"]).all()
    chances = table.pivot_table(index=["lead", "own"], columns="other", values="best")
    for lead in ("greedy", "last"):
        assert (np.diff(chances.loc[lead], axis=0) > 0).all()
        assert (np.diff(chances.loc[lead], axis=1) < 0).all()
    at_zero = table[(table["own"] == 0) & (table["other"] == 0)]["best"].mean()
    assert at_zero == pytest.approx(game_law(results, target=20)["best"][0], abs=2e-5)


def test_games_within_the_chances() -> None:
    """The chance at a score is the share of games won from it, among games that passed it after the first hand."""
    results = match(greedy, last, games=8000, keep_games=True)
    one, rows = results.matches[0], results.matches[0].games
    side = np.array([list(seating).index(0) for seating in one.line_up.seatings])[rows["rotation"]]
    own, other = (np.take_along_axis(rows["first_change"], which[:, None], 1)[:, 0] for which in (side, 1 - side))
    table = winning_chances(results).groupby(["own", "other"])["best"].mean()
    is_in_table = (own >= 0) & (other >= 0)
    expected = [table[pair] for pair in zip(own[is_in_table], other[is_in_table], strict=True)]
    won = (rows["winner"] == side)[is_in_table]
    # the mean over both leaders stands for who really leads: nearly the same, hence the margin
    assert abs(won.mean() - np.mean(expected)) < 4 * won.std() / np.sqrt(len(won)) + 0.005


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (Rules.preset(target_check="at_once"), "a game can end within a hand (target_check)"),
        (Rules.preset(exact_target=True, target=20), "awards depend on the score (exact_target)"),
        (Rules.preset(min_first_score=2), "awards depend on the score (min_first_score)"),
        (Rules.preset(first_lead="highest_double"), "only some hands are led with the highest double"),
        (Rules.preset(max_hands=10), "games are too long"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_rules_that_have_no_law_are_counted(rules: Rules, reason: str) -> None:
    results = match(greedy, last, games=100, rules=rules)
    table = game_law(results)
    assert table["source"].unique() == ["counted"]
    assert table["why"].unique() == [reason]
    assert table["best"].notna().all()
    assert game_law(results, target=15)["best"].isna().all()


def test_three_sides_are_counted() -> None:
    table = game_law(match(greedy, last, plain, seats=3, games=120))
    assert table["why"].unique() == ["there are not two sides"]


def test_strategies_that_heed_the_score_are_counted() -> None:
    results = match(greedy, last)
    assert why_not(results.matches[0], results) is None
    known = heeding(results, frozenset({"score", "memory"}))
    assert game_law(known)["why"].unique() == ["greedy heeds memory and score"]
    unknown = game_law(heeding(results, None))
    assert unknown["why"].unique() == ["whether greedy heeds score, hand or memory was not checked"]
    assert winning_chances(known).empty


def test_too_few_hands_have_no_law() -> None:
    law = a_law(1)
    with pytest.raises(NoLawError, match="somebody has never led"):
        Walk(replace(law, counts=law.counts * (law.lead == 0)[:, None]), 7, FLOOR, False)
    ties = replace(law, change=np.ones_like(law.change))
    with pytest.raises(NoLawError, match="no hand breaks a tie"):
        Walk(ties, 7, FLOOR, False).extension_values()


def test_keys_are_unpacked() -> None:
    results = match(greedy, last)
    parts = unpack_law(results.matches[0].law["key"])
    assert set(parts["lead"]) == {0, 1}
    assert set(parts["next"]) == {0, 1, 4}
