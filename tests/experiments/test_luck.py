"""How much is luck: games to tell two strategies apart, and the analysis of variance of first hands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from fiveup_sim import Results, Rules
from fiveup_sim.analysis.games import games_frame
from fiveup_sim.analysis.luck import SOURCES, games_to_tell, hand_shares, luck_measures
from fiveup_sim.engine.tallies import GAME
from fiveup_sim.experiments.luck import luck
from tests.analysis.kit import assert_covers, made_match, made_results, match, with_wins

RULES = Rules.preset()


def won(first: int, second: int) -> Results:
    """So many games a group and seating won by each strategy, seat 0 leading."""
    empty = made_match(["a", "b"], RULES)
    wins = np.zeros((2, 128, 2, 2), int)
    wins[0, :, 0], wins[1, :, 0] = (first, second), (second, first)
    return made_results([made_match(["a", "b"], RULES, with_wins(empty.line_up, RULES, wins))], RULES)


@pytest.mark.parametrize(("first", "second"), [(3, 2), (2, 3), (9, 1), (11, 10), (1, 0)])
def test_games_to_tell_are_the_fewest_that_do(first: int, second: int) -> None:
    n = int(games_to_tell(won(first, second)).best)
    p = max(first, second) / (first + second)
    assert n % 2 == 1 and binom.sf(n // 2, n, p) >= 0.95
    assert n == 1 or binom.sf((n - 2) // 2, n - 2, p) < 0.95


def test_equal_strategies_are_never_told_apart() -> None:
    found = games_to_tell(won(5, 5))
    assert found.best == np.inf and found.high == np.inf and found.low > 1000


def test_unfinished_games_are_played_for_nothing() -> None:
    results = won(9, 1)
    tallies = results.matches[0].tallies.copy()
    tallies["games"] *= 2
    tallies["unfinished"] = tallies["games"] // 2
    halved = made_results([replace(results.matches[0], tallies=tallies)], RULES)
    assert games_to_tell(halved).best == 2 * games_to_tell(results).best


def dealt(rng: np.random.Generator, n: int, pairing: float, lead: float, deal: float, rest: float) -> Results:
    """First hands whose points are sums of such parts, given by their standard deviations."""
    blocks = np.arange(n)
    led = rng.integers(0, 2, n)
    games = np.zeros((n, 2), GAME)
    games["block"], games["rotation"], games["first_lead"] = blocks[:, None], [0, 1], led[:, None]
    parts = [pairing * np.array([1, -1]), lead * (1 - 2 * led)[:, None], deal * rng.standard_normal((n, 1))]
    y = sum(parts) + rest * rng.standard_normal((n, 2))
    games["first_change"][:, :, 0] = np.rint(y)
    match = replace(made_match(["a", "b"], RULES), games=games.ravel(), blocks=((0, n),))
    return made_results([match], RULES)


@pytest.mark.parametrize("parts", [(20, 30, 40, 50), (0, 0, 30, 60), (50, 0, 0, 50), (3, 30, 0, 80)])
def test_planted_shares_are_covered(parts: tuple[float, ...]) -> None:
    truth = np.square(parts) / np.square(parts).sum()
    rng = np.random.default_rng(5)
    hits = []
    for _ in range(120):
        table = hand_shares(dealt(rng, 600, *parts))
        assert table["best"].sum() == pytest.approx(1)
        hits.append((table["low"] <= truth + 1e-6) & (truth - 1e-6 <= table["high"]))
    for of_source in np.array(hits).T:
        assert_covers(of_source, 0.94)


def test_luck_of_a_match() -> None:
    found = luck("random", "greedy", games=2000, seed=1, progress=False)
    assert found.measures.loc["win_rate", "best"] < 0.1
    assert found.measures.loc["lead_points", "low"] > 0
    assert found.measures.loc["seat_win_rate", "low"] <= 0 <= found.measures.loc["seat_win_rate", "high"]
    assert list(found.shares.index) == list(SOURCES)
    assert found.shares.loc["pairing", "low"] > 0 and found.shares.loc["lead", "low"] > 0
    assert found.games_to_tell.best == 1
    assert "the result of a single hand comes from:" in str(found)
    assert found.to_dict()["games_to_tell"] == {"low": 1, "best": 1, "high": 1}


def test_lead_and_seat_agree_with_the_games() -> None:
    results = match("random", "greedy", games=400, keep_games=True)
    table, games = luck_measures(results)["best"], games_frame(results)
    lead = np.where(games["winner"] == games["first_lead"], 1, -1).mean()
    assert table["lead_win_rate"] == pytest.approx(lead)
    assert table["seat_win_rate"] == pytest.approx(np.where(games["winner"] == 0, 1, -1).mean())


def test_partners_share_a_seat() -> None:
    found = luck("random", "greedy", games=400, seed=1, rules=Rules.preset(seats=4), progress=False)
    assert found.measures.loc["points_ahead", "high"] < 0


def test_what_luck_cannot_tell() -> None:
    with pytest.raises(ValueError, match="between two sides"):
        luck("random", "greedy", games=10, rules=Rules.preset(seats=3))
    with pytest.raises(ValueError, match="two different strategies"):
        luck("greedy", "greedy", games=10, progress=False)
    with pytest.raises(ValueError, match="games = 4: at least 20"):
        luck("random", "greedy", games=4, progress=False)
    with pytest.raises(ValueError, match="keep_games=True"):
        hand_shares(match("random", "greedy", games=400))
