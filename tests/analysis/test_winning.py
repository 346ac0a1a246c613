"""Win rates, head to head, ranking and cycles: against counting the games one by one."""

from __future__ import annotations

import numpy as np
import pytest

from fiveup_sim.analysis.planning import games_needed
from fiveup_sim.analysis.ranking import ranking
from fiveup_sim.analysis.winning import counted_in, cycles, head_to_head, is_by_symmetry, win_rates
from fiveup_sim.rules import Rules
from fiveup_sim.strategy import strategy
from fiveup_sim.tournament import Results
from fiveup_sim.tournament.lineup import make_line_up
from tests.analysis.kit import greedy, last, made_match, made_results, match, plain, tournament, with_wins


def counted(results: Results) -> dict[str, list[int]]:
    """Games won, and played, once for each side of each strategy: one game at a time."""
    by_name: dict[str, list[int]] = {label: [0, 0] for label in results.labels}
    n_sides = results.rules.n_sides
    for one in results.matches:
        for row in one.games:
            names = one.line_up.seat_names(int(row["rotation"]))
            for side in range(n_sides):
                for name in set(names[side::n_sides]):
                    by_name[name][0] += int(row["winner"] == side)
                    by_name[name][1] += 1
    return by_name


@pytest.mark.parametrize(
    ("strategies", "seats"),
    [((greedy, last), 2), ((greedy, last, last), 3), ((greedy, last), 4), ((greedy, last, plain, last), 4)],
)
def test_win_rates_are_games_won_by_games(strategies: tuple, seats: int) -> None:
    results = match(*strategies, seats=seats, games=240, keep_games=True)
    table = win_rates(results).set_index("strategy")
    for name, (won, played) in counted(results).items():
        assert table.loc[name, "best"] == won / played
        assert table.loc[name, "n"] == played
    assert list(table.columns) == ["low", "best", "high", "n"]
    assert ((table["low"] < table["best"]) | (table["best"] == 0)).all()


def test_self_play_is_even() -> None:
    table = win_rates(match(last, last, games=100))
    assert table["best"].item() == 0.5
    assert table["n"].item() == 200
    assert table["low"].item() == table["high"].item() == 0.5


def test_unfinished_games_are_nobodys() -> None:
    results = match(last, plain, games=200, rules=Rules.preset(max_hands=20))
    table = win_rates(results)
    unfinished = results.matches[0].tallies["unfinished"].sum()
    assert 0 < unfinished < 200
    assert table["best"].sum() == pytest.approx(1 - unfinished / 200)


def test_all_games_unfinished() -> None:
    results = match(last, plain, games=40, rules=Rules.preset(max_hands=1))
    assert (win_rates(results)["best"] == 0).all()
    assert (ranking(results)["is_separated"] == False).all()  # noqa: E712
    assert (head_to_head(results)["p"] == 1).all()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_head_to_head_turns_round(seats: int) -> None:
    results = tournament(greedy, last, plain, seats=seats)
    table = head_to_head(results).set_index(["strategy", "opponent"])
    for first, second in table.index:
        mine, theirs = table.loc[(first, second)], table.loc[(second, first)]
        assert mine["ahead"] == pytest.approx(mine["best"] - theirs["best"])
        assert mine["ahead_low"] == pytest.approx(-theirs["ahead_high"])
        assert mine["points"] == pytest.approx(-theirs["points"])
        assert mine["p"] == theirs["p"]
    assert len(table) == 6
    assert (table.loc["greedy", "p"] < 1e-6).all()
    assert (table.loc["greedy", "points_low"] > 0).all()


def test_head_to_head_of_two_is_the_win_rate() -> None:
    results = match(greedy, last)
    ours, rates = head_to_head(results), win_rates(results)
    assert ours["best"].tolist() == rates["best"].tolist()
    assert ours["low"].tolist() == rates["low"].tolist()


def test_nobody_met_in_self_play() -> None:
    assert head_to_head(match(last, last, games=100)).empty


def test_points_of_two_are_final_scores() -> None:
    results = match(greedy, last, games=240, keep_games=True)
    one = results.matches[0]
    first = np.array([row["scores"][list(one.line_up.seatings[row["rotation"]]).index(0)] for row in one.games])
    second = np.array([row["scores"][list(one.line_up.seatings[row["rotation"]]).index(1)] for row in one.games])
    table = head_to_head(results)
    assert table["points"][0] == pytest.approx((first - second).sum() / one.games["hands"].sum())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ranking(seats: int) -> None:
    results = tournament(greedy, last, plain, seats=seats)
    table = ranking(results)
    rates = win_rates(results).set_index("strategy")["best"]
    assert table["strategy"][0] == "greedy"
    assert table["rank"].tolist() == ["1", "2", "3"]
    assert table["best"].tolist() == sorted(rates, reverse=True)
    assert table["is_separated"][0]
    assert not table["is_separated"][2]
    np.testing.assert_allclose(table["ahead"][:2], -np.diff(table["best"]), rtol=1e-9)
    assert np.isnan(table["ahead"][2])


def ring(rates: dict[tuple[str, str], float], n_games: int = 2560) -> Results:
    """Pairs with these win rates; games of a block are won in turn, so that groups differ little."""
    rules = Rules.preset()
    matches = []
    rng = np.random.default_rng(5)
    for (first, second), rate in rates.items():
        line_up = make_line_up([first, second], rules)
        wins = np.zeros((2, 128, 2, 2), int)
        for rotation, seating in enumerate(line_up.seatings):
            won = rng.binomial(n_games // 512, rate, (128, 2))
            wins[rotation, :, :, seating.index(0)] = won
            wins[rotation, :, :, seating.index(1)] = n_games // 512 - won
        matches.append(made_match([first, second], rules, with_wins(line_up, rules, wins)))
    return made_results(matches, rules)


def test_a_cycle_is_found() -> None:
    table = cycles(ring({("a", "b"): 0.6, ("b", "c"): 0.6, ("a", "c"): 0.4, ("a", "d"): 0.9}))
    assert len(table) == 1
    assert table.loc[0, ["first", "second", "third"]].tolist() == ["a", "b", "c"]
    assert table["p"].item() < 1e-4


def test_a_cycle_by_chance_is_not_proven() -> None:
    table = cycles(ring({("a", "b"): 0.51, ("b", "c"): 0.51, ("a", "c"): 0.49}, n_games=512))
    assert (table["p"] > 0.05).all()
    assert cycles(ring({("a", "b"): 0.6, ("b", "c"): 0.6, ("a", "c"): 0.7})).empty
    assert cycles(ring({("a", "b"): 0.6})).empty


@strategy
def twin(view):
    """Plays as ``plain`` does."""
    return 0


def test_places_that_are_not_separated_are_shared() -> None:
    alone = ranking(tournament(plain, twin))
    assert alone["ahead"].iloc[0] == 0
    assert alone["rank"].tolist() == ["1=", "1="]
    assert alone[["rank_low", "rank_high"]].to_numpy().tolist() == [[1, 2], [1, 2]]
    table = ranking(tournament(greedy, last, plain)).set_index("strategy")
    assert table.loc["greedy", "rank"] == "1"
    assert (table["rank_low"] <= table["rank_high"]).all()


def test_a_win_rate_that_is_known_is_not_estimated() -> None:
    alone = match(greedy, greedy, games=200)
    assert is_by_symmetry(alone)
    assert win_rates(alone)[["low", "best", "high"]].to_numpy().tolist() == [[0.5, 0.5, 0.5]]
    assert ranking(alone)[["low", "best", "high"]].to_numpy().tolist() == [[0.5, 0.5, 0.5]]
    with pytest.raises(ValueError, match="greedy against itself: both sides are equal by symmetry"):
        games_needed(alone, half_width=0.0005)
    assert not is_by_symmetry(match(greedy, last, games=200))


def test_games_are_games_and_sides_are_sides() -> None:
    assert counted_in(match(greedy, last, games=20)) == "games"
    assert counted_in(tournament(greedy, last, plain, seats=3)) == "sides played"
    assert counted_in(match(greedy, greedy, games=20)) == "sides played"
