"""Results: what adds, what is refused and why, and the arithmetic beneath."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fiveup_sim.analysis.games import games_frame
from fiveup_sim.engine.tallies import LAW
from fiveup_sim.rules import Rules
from fiveup_sim.rules.tiles import parse_tile
from fiveup_sim.strategy import strategy
from fiveup_sim.tournament import Results, play_match, play_tournament, spans
from fiveup_sim.tournament.law import LawSum, add_laws, law_from_columns, law_to_columns, pack_law
from fiveup_sim.tournament.lineup import make_line_up


@strategy
def first(view):
    return 0


@strategy
def last(view):
    return view.n_legal - 1


other_first = strategy(lambda view: 0 if view.n_legal else 1, name="first")


def play(first_block: int = 0, games: int = 100, seed: int = 1, keep_games: bool = False, **options) -> Results:
    return play_match(
        options.pop("strategies", [first, last]),
        games=games,
        seed=seed,
        first_block=first_block,
        keep_games=keep_games,
        **options,
    )


def test_other_blocks_of_the_same_add() -> None:
    whole = play(games=300, keep_games=True)
    parts = [play(first_block, 100, keep_games=True) for first_block in (100, 0, 50)]
    total = parts[0] + parts[1] + parts[2]
    mine, theirs = total.matches[0], whole.matches[0]
    assert mine.blocks == theirs.blocks == ((0, 150),)
    np.testing.assert_array_equal(mine.tallies, theirs.tallies)
    np.testing.assert_array_equal(mine.law, theirs.law)
    np.testing.assert_array_equal(mine.games, theirs.games)
    assert total.n_games == 300
    assert total.seconds == pytest.approx(sum(part.seconds for part in parts))
    assert total.provenance["runs"] == [part.provenance["runs"][0] for part in parts]
    apart = parts[1] + parts[0]
    assert apart.matches[0].blocks == ((0, 50), (100, 150))
    assert apart.is_complete


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "blocks 0 to 49 of first - last are in both"),
        ({"first_block": 49, "games": 10}, "blocks 49 of first - last are in both"),
        ({"seed": 2}, r"the seeds differ \(1 and 2\)"),
        ({"rules": Rules.preset(target=31)}, r"the rules differ in target \(61 and 31\)"),
        ({"paired": False}, r"paired differs \(True and False\)"),
        ({"strategies": [last, first]}, r"the line-ups differ \(first - last and last - first\)"),
        ({"strategies": [other_first, last]}, r"strategy 'first' is not the same in both"),
        ({"keep_games": True, "first_block": 99}, "one kept its games, the other did not"),
    ],
)
def test_anything_else_is_refused(options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=f"^cannot add: {message}"):
        play() + play(**options)


def test_more_differences() -> None:
    one, tournament = play(), play_tournament([first, last, strategy(lambda view: 0, name="new")], games=100, seed=1)
    with pytest.raises(ValueError, match=r"the numbers of line-ups differ \(1 and 3\)"):
        one + tournament
    with pytest.raises(ValueError, match=r"the versions of the random streams differ \(1 and 0\)"):
        one + replace(one, stream_version=0)
    with pytest.raises(TypeError):
        one + 1
    renamed = replace(one.rules, name="custom")
    assert one.difference(replace(one, rules=renamed)) is None  # a name is not a rule


def test_a_match_is_found_by_its_strategies() -> None:
    tournament = play_tournament([first, last], games=10, seed=1, rules=Rules.preset(seats=4))
    assert tournament.match("first", "last") is tournament.matches[0]
    assert tournament.match("last", "first", "last", "first") is tournament.matches[0]
    with pytest.raises(ValueError, match="no line-up of first - first; there: first - last"):
        tournament.match("first", "first")
    with pytest.raises(ValueError, match="no line-up of nobody"):
        tournament.match()


def test_completeness() -> None:
    done = play()
    match = replace(done.matches[0], planned=((0, 80),))
    partial = replace(done, matches=(match,))
    assert (done.is_complete, partial.is_complete) == (True, False)
    assert partial.n_planned_games == 160
    assert repr(partial) == "<Results: first - last, five_up, 2 seats, seed 1, 100 games, incomplete>"
    assert partial.as_played().is_complete
    assert (partial + play(50, games=60)).is_complete


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_are_rows(seats: int) -> None:
    rules = Rules.preset(seats=seats)
    results = play_tournament([first, last], rules=rules, games=60, seed=3, keep_games=True)
    frame = games_frame(results)
    assert len(frame) == results.n_games
    for match in results.matches:
        rows = frame[frame.line_up == match.line_up.label].reset_index(drop=True)
        sides = [match.line_up.side_names(rotation, rules) for rotation in rows.rotation]
        for side in range(rules.n_sides):
            assert list(rows[f"strategy_{side}"]) == [names[side] for names in sides]
            np.testing.assert_array_equal(rows[f"score_{side}"], match.games["scores"][:, side])
            np.testing.assert_array_equal(rows[f"first_change_{side}"], match.games["first_change"][:, side])
        won = [names[winner] if winner >= 0 else None for names, winner in zip(sides, rows.winner, strict=True)]
        assert [None if pd.isna(name) else name for name in rows.won_by] == won
        assert list(map(parse_tile, rows.first_tile)) == list(match.games["first_tile"])
        for name in ("block", "rotation", "hands", "extension_hands", "winner", "first_lead"):
            np.testing.assert_array_equal(rows[name], match.games[name])
        wins = rows.groupby(["rotation", "winner"]).size()
        for (rotation, winner), n in wins.items():
            assert match.tallies["wins"][rotation, :, winner].sum() == n


def test_unfinished_games_are_won_by_nobody() -> None:
    frame = games_frame(play(rules=Rules.preset(max_hands=1), keep_games=True))
    assert set(frame.winner) == {-1}
    assert frame.won_by.isna().all()


def test_games_that_were_not_kept() -> None:
    with pytest.raises(ValueError, match="play with keep_games=True"):
        games_frame(play())


def test_provenance_is_plain() -> None:
    (run,) = play().provenance["runs"]
    assert run["n_workers"] == 1
    assert set(run["versions"]) >= {"python", "fiveup-sim", "numpy", "numba", "joblib"}
    assert run["wall_seconds"] >= 0
    assert len(run["source"]) == 12
    assert make_line_up(["a", "b"], Rules.preset()).label == "a - b"


blocks = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 8)).map(lambda t: (t[0], t[0] + t[1])), max_size=5)


def numbers(some: spans.Spans) -> set[int]:
    return {block for first, end in some for block in range(first, end)}


@given(blocks, blocks)
def test_spans_are_sets(a: list, b: list) -> None:
    one, two = spans.union(a), spans.union(b)
    assert numbers(one) == numbers(a)
    assert spans.n_blocks(one) == len(numbers(a))
    assert numbers(spans.union(one + two)) == numbers(a) | numbers(b)
    for found, wanted in [
        (spans.overlap(one, two), numbers(a) & numbers(b)),
        (spans.without(one, two), numbers(a) - numbers(b)),
    ]:
        assert numbers(found) == wanted
        assert all(first < end for first, end in found)
        assert spans.union(found) == found


def test_spans_in_words() -> None:
    assert spans.describe(((0, 100), (150, 151))) == "0 to 99, 150"
    assert spans.describe(()) == "none"


cells = st.tuples(
    st.integers(0, 3), st.integers(0, 31), st.integers(0, 5) | st.integers(0, 20 * 2**26 - 1), st.integers(1, 2**25 - 1)
)


def as_law(rows: list[tuple[int, int, int, int]]) -> np.ndarray:
    """LAW of cells that are all different."""
    return np.array(list({row[:3]: row for row in rows}.values()), LAW)


def count(laws: list[np.ndarray]) -> dict:
    total: Counter = Counter()
    for law in laws:
        for rotation, group, key, n in law.tolist():
            total[rotation, group, key] += n
    return dict(sorted(total.items()))


@given(st.lists(st.lists(cells, max_size=12).map(as_law), max_size=6))
def test_laws_add_cell_by_cell(laws: list[np.ndarray]) -> None:
    total = LawSum()
    for law in laws:
        total.add(pack_law(law))
    found = total.total()
    assert found.dtype == LAW
    assert {tuple(row[:3]): row[3] for row in found.tolist()} == count(laws)
    assert [tuple(row[:3]) for row in found.tolist()] == sorted(count(laws))
    np.testing.assert_array_equal(add_laws(laws), found)
    np.testing.assert_array_equal(law_from_columns(*law_to_columns(found)), found)


def test_long_sums_of_laws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fiveup_sim.tournament.law._FEW", 50)
    rng = np.random.default_rng(1)
    laws = []
    for _ in range(40):
        keys = rng.choice(300, 60, replace=False)
        laws.append(as_law([(0, int(key) % 32, int(key), int(rng.integers(1, 9))) for key in keys]))
    total = LawSum()
    for law in laws:
        total.add(pack_law(law))
    assert {tuple(row[:3]): row[3] for row in total.total().tolist()} == count(laws)


def test_counts_of_any_size_add() -> None:
    law = np.array([(0, 0, 5, 2**40)], LAW)
    assert add_laws([law, law])["count"].tolist() == [2**41]
