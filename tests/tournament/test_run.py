"""Playing matches and tournaments: the same integers whatever the workers, and faults that can be found again."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from joblib import parallel_config

from fiveup_sim.engine.blocks import PlayFault, Seats, play_blocks
from fiveup_sim.games.play import play_game
from fiveup_sim.rules import Rules
from fiveup_sim.strategy import Strategy, StrategyError, strategy
from fiveup_sim.tournament import PlayError, Results, StoreError, play_match, play_tournament, runner, schedule
from fiveup_sim.tournament.match_results import MatchResults
from fiveup_sim.tournament.schedule import Schedule
from tests.kit import ctrl_c


@strategy
def first(view):
    return 0


@strategy
def heavy(view):
    best = 0
    for i in range(view.n_legal):
        if view.legal[i].pips > view.legal[best].pips:
            best = i
    return best


@strategy(params={"least": 1.0})
def scoring(view):
    for i in range(view.n_legal):
        if view.legal[i].points >= view.params[0]:
            return i
    return view.n_legal - 1


@strategy
def illegal(view):
    return view.n_legal if view.scores[0] > 40 and view.scores[1] > 40 else 0


@strategy
def divides(view):
    if view.scores[0] > 40 and view.scores[1] > 40:
        return 1 // (view.n_seats - view.n_seats)
    return 0


@strategy(jit=False)
def raises(view):
    if view.scores[0] > 40 and view.scores[1] > 40:
        raise RuntimeError("too exciting")
    return 0


@pytest.fixture
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many tasks in a short run."""
    monkeypatch.setattr(schedule, "TASK_SECONDS", 0.01)
    monkeypatch.setattr(schedule, "SHORT_SECONDS", 0.01)


def assert_same_match(a: MatchResults, b: MatchResults) -> None:
    assert (a.line_up, a.blocks) == (b.line_up, b.blocks)
    np.testing.assert_array_equal(a.tallies.view(np.int64), b.tallies.view(np.int64))
    np.testing.assert_array_equal(a.law, b.law)
    if a.games is not None or b.games is not None:
        np.testing.assert_array_equal(a.games, b.games)


def assert_same(a: Results, b: Results) -> None:
    assert (a.rules, a.seed, a.paired, a.strategies) == (b.rules, b.seed, b.paired, b.strategies)
    assert len(a.matches) == len(b.matches)
    for mine, theirs in zip(a.matches, b.matches, strict=True):
        assert_same_match(mine, theirs)


def seats_of(strategies: list[Strategy], seatings: list[list[int]]) -> Seats:
    params = np.array([one.param_array() for one in strategies])
    return Seats([one.compiled() for one in strategies], params, np.array(seatings))


@pytest.mark.parametrize("rules", [Rules.preset(seats=2), Rules.preset(seats=3), Rules.preset(seats=4)], ids=str)
@pytest.mark.parametrize("paired", [True, False])
def test_a_match_is_what_the_engine_plays(small_tasks: None, rules: Rules, paired: bool) -> None:
    names = [first, heavy, scoring][: rules.n_sides]
    results = play_match(names, rules=rules, games=600, seed=5, first_block=70, paired=paired, keep_games=True)
    (match,) = results.matches
    played = play_blocks(
        seats_of(names, match.line_up.seatings),
        rules,
        seed=5,
        first_block=70,
        n_blocks=match.n_blocks,
        paired=paired,
        keep_games=True,
    )
    assert match.blocks == ((70, 70 + 600 // match.line_up.n_rotations),)
    np.testing.assert_array_equal(match.tallies.view(np.int64), played.tallies.view(np.int64))
    np.testing.assert_array_equal(match.law, np.sort(played.law, order=["rotation", "group", "key"]))
    np.testing.assert_array_equal(match.games, played.games)
    assert match.n_games == results.n_games == len(match.games) == match.tallies["games"].sum() == 600
    assert results.labels == tuple(one.label for one in names)
    assert results.is_complete
    assert results.seconds > 0
    assert results.games_per_second > 0


def test_workers_back_ends_and_halves_do_not_matter(small_tasks: None) -> None:
    def play(games: int = 3000, n_jobs: int | None = None, first_block: int = 0) -> Results:
        return play_match([heavy, scoring], games=games, seed=3, n_jobs=n_jobs, first_block=first_block)

    once = play()
    assert_same(once, play(n_jobs=2))
    assert_same(once, play(games=1000) + play(games=2000, first_block=500))
    assert_same(once, play(games=2000, first_block=500) + play(games=1000))
    for back_end in ("loky", "threading", "multiprocessing"):
        with parallel_config(backend=back_end, n_jobs=2):
            assert_same(once, play())


def test_the_seed_is_drawn_and_kept() -> None:
    drawn = play_match([first, heavy], games=10)
    assert 0 <= drawn.seed < 2**32
    assert drawn.seed != play_match([first, heavy], games=10).seed
    assert_same(drawn, play_match([first, heavy], games=10, seed=drawn.seed))
    largest = play_match([first, heavy], games=10, seed=2**64 - 1)
    assert largest.seed == 2**64 - 1


def test_games_are_rounded_up() -> None:
    assert play_match([first, heavy, scoring], games=7, seed=1).n_games == 12
    assert play_match([first, first], games=7, seed=1).n_games == 7


def test_a_tournament_is_its_matches(small_tasks: None) -> None:
    tournament = play_tournament([first, heavy, scoring], games=400, seed=9, n_jobs=2)
    assert [match.line_up.label for match in tournament.matches] == [
        "first - heavy",
        "first - scoring",
        "heavy - scoring",
    ]
    for pair in ([first, heavy], [first, scoring], [heavy, scoring]):
        alone = play_match(pair, games=400, seed=9)
        assert_same_match(tournament.match(pair[1].label, pair[0].label), alone.matches[0])
    three = play_tournament([first, heavy], games=60, seed=9, rules=Rules.preset(seats=3))
    assert [match.n_games for match in three.matches] == [60, 60]
    assert three.match("heavy", "heavy", "first").line_up.label == "first - heavy - heavy"


def test_parameters_make_another_strategy() -> None:
    careful = scoring.with_params(least=3)
    results = play_match([scoring, careful], games=200, seed=1)
    assert results.labels == ("scoring", "scoring(least=3)")
    assert results.strategies[1].params == {"least": 3.0}
    assert results.strategies[0].digest != results.strategies[1].digest


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 0}, "games = 0: a whole number from 1 "),
        ({"games": 10.0}, r"games = 10\.0: a whole number"),
        ({"seed": -1}, "seed = -1: a whole number from 0 to 18446744073709551615"),
        ({"seed": 2**64}, "seed = "),
        ({"first_block": -1}, "first_block = -1"),
        ({"n_jobs": 0}, "n_jobs == 0"),
        ({"rules": Rules.preset(seats=3)}, "2 given"),
    ],
)
def test_arguments_are_checked(options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        play_match([first, heavy], **{"games": 10} | options)


def test_strategies_are_checked() -> None:
    with pytest.raises(StrategyError, match="no strategy 'nobody'"):
        play_match(["nobody", first], games=10)
    with pytest.raises(TypeError, match="a list is needed"):
        play_match("first", games=10)
    with pytest.raises(StrategyError, match="two different strategies are called 'first'"):
        play_match([first, strategy(lambda view: view.n_legal - 1, name="first")], games=10)


FAULTS = [
    (illegal, "strategy 'illegal' returned {n_legal}, not the index of a legal placement"),
    (divides, "strategy 'divides' raised ZeroDivisionError: "),
    (raises, "strategy 'raises' raised RuntimeError: too exciting"),
]


@pytest.mark.parametrize(("faulty", "message"), FAULTS, ids=[faulty.name for faulty, _ in FAULTS])
@pytest.mark.filterwarnings("ignore:.*is not compiled")
def test_a_fault_names_the_game(small_tasks: None, faulty: Strategy, message: str) -> None:
    def play(n_jobs: int = 1) -> PlayError:
        with pytest.raises(PlayError) as caught:
            play_match([heavy, faulty], games=4000, seed=2, n_jobs=n_jobs)
        return caught.value

    error = play()
    seats = seats_of([heavy, faulty], [[0, 1], [1, 0]])
    with pytest.raises(PlayFault) as played:
        play_blocks(seats, Rules.preset(), seed=2, first_block=error.block, n_blocks=1)
    fault = played.value
    assert (error.seat, error.rotation, error.hand) == (fault.seat, fault.rotation, fault.hand)
    assert error.label == faulty.label
    assert str(error).startswith(message.format(n_legal=fault.n_legal))
    assert error.replay == f"play_game([heavy, {faulty.name}], seed=2, block={error.block}, rotation={error.rotation})"
    with pytest.raises(PlayError) as again:
        eval(error.replay, {"play_game": play_game, "heavy": heavy, faulty.name: faulty})
    assert str(again.value) == str(error)
    assert error.replay in str(error)
    # no block before it fails, and what was played before is not lost
    play_blocks(seats, Rules.preset(), seed=2, first_block=0, n_blocks=error.block)
    assert not error.results.is_complete
    assert all(end <= error.block or first > error.block for first, end in error.results.matches[0].blocks)
    assert str(play(n_jobs=2)) == str(error)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.replay, copy.results.n_games) == (str(error), error.replay, error.results.n_games)


def test_a_fault_comes_back_from_other_processes() -> None:
    with parallel_config(backend="loky", n_jobs=2), pytest.raises(PlayError) as caught:
        play_match([illegal, heavy], games=4000, seed=2, rules=Rules.preset(target=100), paired=False)
    assert caught.value.replay == (
        f"play_game([illegal, heavy], rules=Rules.preset('five_up', target=100), seed=2, "
        f"block={caught.value.block}, rotation={caught.value.rotation}, paired=False)"
    )


def test_a_fault_is_spelled_as_it_was_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def f(view):\n    return -1\n")
    with pytest.raises(PlayError) as caught:
        play_match([heavy, f"{file}:f", f"{file}:f"], games=6, seed=2)
    seat, rotation = caught.value.seat, caught.value.rotation
    assert caught.value.replay.startswith(f"play_game([heavy, '{file}:f', '{file}:f'], rules=Rules.preset('five_up', ")
    assert f"in seat {seat} of " in str(caught.value)
    assert rotation == 0


@pytest.mark.filterwarnings("ignore:.*is not compiled")
def test_plain_python_plays_in_processes(tmp_path: Path) -> None:
    @strategy(jit=False, name="first")
    def noting(view):
        (tmp_path / str(os.getpid())).touch()
        return 0

    played = play_match([heavy, noting], games=200, seed=4, n_jobs=2)
    pids = {int(file.name) for file in tmp_path.iterdir()}
    assert pids
    assert os.getpid() not in pids
    compiled = play_match([heavy, first], games=200, seed=4)
    np.testing.assert_array_equal(played.matches[0].tallies, compiled.matches[0].tallies)
    np.testing.assert_array_equal(played.matches[0].law, compiled.matches[0].law)


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupted_run_keeps_what_it_finished_and_goes_on(n_jobs: int) -> None:
    asked = {"seed": 8, "progress": False}
    play_tournament([first, heavy, scoring], games=1, **asked)  # all is compiled now
    start = time.perf_counter()
    with ctrl_c(after=0.7), pytest.warns(UserWarning, match="^interrupted: .* of 3,000,000,000 games played"):
        partial = play_tournament([first, heavy, scoring], games=10**9, n_jobs=n_jobs, **asked)
    assert time.perf_counter() - start < 2.7  # a few hundredths of a second, unless the machine is busy
    assert not partial.is_complete
    assert partial.n_games > 0
    for match in partial.matches:
        assert match.tallies["games"].sum() == match.n_games
    games = 2 * max(match.blocks[-1][1] for match in partial.matches) + 10
    whole = play_tournament([first, heavy, scoring], games=games, **asked)
    resumed = play_tournament([first, heavy, scoring], games=games, resume=partial, progress=False)
    assert resumed.is_complete
    assert_same(resumed, whole)


def test_resuming() -> None:
    half = play_match([first, heavy], games=300, seed=6)
    whole = play_match([first, heavy], games=1000, resume=half)
    assert_same(whole, play_match([first, heavy], games=1000, seed=6))
    assert len(whole.provenance["runs"]) == 2
    assert_same(play_match([first, heavy], games=500, resume=whole), whole)
    for options, message in [
        ({"seed": 7}, r"cannot resume: the seeds differ \(7 and 6\)"),
        ({"paired": False}, "paired differs"),
        ({"keep_games": True}, "one kept its games"),
        ({"rules": Rules.preset(target=31)}, r"the rules differ in target \(31 and 61\)"),
    ]:
        with pytest.raises(ValueError, match=message):
            play_match([first, heavy], games=1000, resume=half, **options)
    with pytest.raises(ValueError, match="the line-ups differ"):
        play_match([heavy, first], games=1000, resume=half)


def test_a_run_is_saved_while_it_is_played(tmp_path: Path, small_tasks: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "SAVE_SECONDS", 0.0)
    saved: list[tuple[int, bool]] = []
    save_results = Results.save

    def save(results: Results, path: Path) -> None:
        save_results(results, path)
        back = Results.load(path)
        saved.append((back.n_games, back.is_complete))

    monkeypatch.setattr(Results, "save", save)
    results = play_match([first, heavy], games=6000, seed=6, save_to=tmp_path)
    assert len(saved) > 2
    assert saved == sorted(saved)
    assert saved[-1] == (6000, True)
    assert_same(Results.load(tmp_path), results)
    with pytest.raises(StoreError, match="would be lost: blocks 0 to 2999 are only in them"):
        play_match([first, heavy], games=8000, seed=6, save_to=tmp_path)
    more = play_match([first, heavy], games=8000, resume=results, save_to=str(tmp_path))
    assert_same(Results.load(tmp_path), more)


def test_a_full_disk_spoils_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def save(results: Results, path: Path) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(Results, "save", save)
    with pytest.warns(UserWarning, match="could not be saved: no space left"):
        results = play_match([first, heavy], games=100, seed=6, save_to=tmp_path)
    assert results.is_complete


def test_it_is_quiet_without_a_terminal(capfd: pytest.CaptureFixture) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        play_match([first, heavy], games=100, seed=1)
    assert capfd.readouterr() == ("", "")


def test_importing_is_light() -> None:
    heavy_ones = ["numba", "joblib", "pandas", "pyarrow", "rich", "scipy", "cloudpickle"]
    code = f"import sys, fiveup_sim.tournament; print([name for name in {heavy_ones} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def handed_out(seconds_a_block: list[float], todo: list, n_workers: int) -> list[tuple[int, int, int]]:
    """What a schedule hands out when each task is timed before the next one is asked for."""
    plan = Schedule(todo, n_workers)
    tasks = []
    for line_up, start, n_blocks in plan:
        tasks.append((line_up, start, n_blocks))
        plan.note(line_up, n_blocks, n_blocks * seconds_a_block[line_up])
    return tasks


@pytest.mark.parametrize("n_workers", [1, 2, 16])
@pytest.mark.parametrize("seconds_a_block", [[1e-6, 1e-6], [1e-5, 1e-3], [0.3, 5.0]])
def test_the_schedule_hands_out_every_block_once(n_workers: int, seconds_a_block: list[float]) -> None:
    todo = [((0, 100), (500, 700)), ((0, 10_000),)] if max(seconds_a_block) < 1 else [((0, 5), (9, 12)), ((3, 7),)]
    tasks = handed_out(seconds_a_block, todo, n_workers)
    for line_up, blocks in enumerate(todo):
        given = [block for one, start, n in tasks if one == line_up for block in range(start, start + n)]
        assert given == [block for start, end in blocks for block in range(start, end)]


def test_the_schedule_sizes_and_balances_tasks() -> None:
    tasks = handed_out([1e-4, 2e-4], [((0, 200_000),), ((0, 200_000),)], 2)
    seconds = [n * [1e-4, 2e-4][line_up] for line_up, _, n in tasks]
    assert max(seconds) <= schedule.TASK_SECONDS
    assert np.median(seconds) > 0.6
    assert max(seconds[-2:]) <= schedule.SHORT_SECONDS
    out = np.zeros(2)
    for line_up, _, n in tasks:
        out[line_up] += n
        assert abs(out[0] - out[1]) <= 8000
    closed = Schedule([((0, 100),)], 1)
    given = iter(closed)
    next(given)
    closed.close()
    assert list(given) == []
