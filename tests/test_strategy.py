"""Strategies: made, named, found, compiled, sent to workers, and what is said when something is wrong."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import textwrap
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest
from numba import njit

from fiveup_sim.engine.blocks import PlayFault, Seats, play_blocks
from fiveup_sim.engine.view import VIEW
from fiveup_sim.rules import Rules
from fiveup_sim.strategy import Strategy, StrategyError, find_strategy, load_strategies, strategy, try_out
from fiveup_sim.strategy import find as finding
from fiveup_sim.strategy.plain import plain_view

WEIGHT = 3


@njit
def helper(view):
    return view.n_legal - WEIGHT


@strategy
def weighted(view):
    """Reads a global by way of a helper."""
    return helper(view)


@strategy(params={"a": 1, "b": 0.25})
def tuned(view):
    """Reads its parameters."""
    return int(view.params[0] + 4 * view.params[1])


def a_view(n_legal: int = 5) -> np.ndarray:
    views = np.zeros(1, VIEW)
    views["n_legal"] = n_legal
    return views


def in_file(tmp_path: Path, text: str, name: str = "mine.py") -> Path:
    path = tmp_path / name
    path.write_text(textwrap.dedent(text))
    return path


def in_new_process(code: str, *args: str, **env: str) -> str:
    """What `code` prints in a process of its own."""
    path = os.pathsep.join([*env.pop("path", "").split(os.pathsep), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *args],
        capture_output=True, text=True, timeout=120, env={**os.environ, "PYTHONPATH": path, **env},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def play(*strategies: Strategy, n_blocks: int = 1) -> object:
    params = np.array([one.param_array() for one in strategies])
    seats = Seats([one.compiled() for one in strategies], params, np.array([[0, 1], [1, 0]]))
    return play_blocks(seats, Rules.preset(max_hands=50), seed=1, first_block=0, n_blocks=n_blocks)


class TestMaking:
    def test_plain_decorator(self):
        assert (weighted.name, weighted.label, weighted.params, weighted.jit) == ("weighted", "weighted", {}, True)
        assert weighted.doc == "Reads a global by way of a helper."
        assert repr(weighted) == "<strategy weighted>"

    def test_calling_it_calls_the_plain_function(self):
        views = a_view()
        assert weighted(views[0]) == weighted(plain_view(views)) == weighted.function(plain_view(views[0])) == 2

    def test_parameters(self):
        changed = tuned.with_params(b=0.5)
        assert tuned.params == {"a": 1.0, "b": 0.25}
        assert changed.params == {"a": 1.0, "b": 0.5}
        assert (tuned.label, changed.label) == ("tuned", "tuned(b=0.5)")
        assert changed.param_array().tolist() == [1.0, 0.5] + 14 * [0.0]
        assert tuned.with_params(a=2, b=1e-9).label == "tuned(a=2, b=1e-09)"

    def test_new_values_compile_nothing(self):
        assert tuned.with_params(a=7).compiled() is tuned.compiled()
        views = a_view()
        views["params"] = tuned.with_params(a=3).param_array()
        assert tuned.compiled()(views[0]) == tuned(views[0]) == 4

    @pytest.mark.parametrize(
        ("make", "says"),
        [
            (lambda: strategy(lambda view: 0), "'<lambda>'"),
            (lambda: strategy(name="no spaces")(tuned.function), "'no spaces'"),
            (lambda: strategy(name="x")(lambda a, b: 0), "one argument"),
            (lambda: strategy(name="x")(lambda *a: 0), "one argument"),
            (lambda: strategy(3), "needs a function, not 3"),
            (lambda: strategy(params={"a": "much"})(tuned.function), "a = 'much' is not a number"),
            (lambda: strategy(params={"a b": 1})(tuned.function), "'a b'"),
            (lambda: strategy(params={f"p{i}": i for i in range(17)})(tuned.function), "17 parameters: at most 16"),
            (lambda: tuned.with_params(c=1), "no parameter 'c'; it has a, b"),
            (lambda: weighted.with_params(c=1), "it has none"),
        ],
    )
    def test_what_is_no_strategy(self, make, says):
        with pytest.raises(StrategyError, match=".") as caught:
            make()
        assert says in str(caught.value)

    def test_importing_does_not_import_numba(self):
        code = "import sys, fiveup_sim.strategy; print(sorted({'numba', 'joblib', 'pandas'} & set(sys.modules)))"
        assert in_new_process(code) == "[]"


SOURCE = """
import numba
from fiveup_sim.strategy import strategy

{weight}

@numba.njit
def helper(view):
    return view.n_legal - WEIGHT

{comment}
@strategy(params={{"a": 1}})
def mine(view):
    '''{doc}'''
    if view.n_legal in {{7, 8, 9}}:
        return {constant}
    return helper(view)
"""


class TestDigest:
    def source(self, tmp_path, *, weight="WEIGHT = 3", comment="", doc="Mine.", constant=1) -> Path:
        return in_file(tmp_path, SOURCE.format(weight=weight, comment=comment, doc=doc, constant=constant))

    def digest(self, path: Path, hash_seed: str = "0") -> str:
        code = "import sys; from fiveup_sim.strategy import find_strategy; print(find_strategy(sys.argv[1]).digest)"
        return in_new_process(code, f"{path}:mine", PYTHONHASHSEED=hash_seed)

    def test_same_in_every_process(self, tmp_path):
        path = self.source(tmp_path)
        assert self.digest(path, "1") == self.digest(path, "2") == find_strategy(f"{path}:mine").digest

    def test_comments_places_and_words_do_not_count(self, tmp_path):
        first = find_strategy(f"{self.source(tmp_path)}:mine").digest
        path = self.source(tmp_path, comment="# moved\n# down", doc="Said otherwise.")
        assert find_strategy(f"{path}:mine").digest == first

    @pytest.mark.parametrize("change", [{"weight": "WEIGHT = 4"}, {"constant": 2}, {"weight": "WEIGHT = 3.0"}])
    def test_what_it_reads_counts(self, tmp_path, change):
        first = find_strategy(f"{self.source(tmp_path)}:mine").digest
        assert find_strategy(f"{self.source(tmp_path, **change)}:mine").digest != first

    def test_parameters_count(self):
        assert tuned.with_params(a=2).digest != tuned.digest == tuned.with_params(a=2).with_params(a=1).digest

    def test_closures_and_arrays_count(self):
        def make(weight, table):
            @strategy(name="made")
            def made(view):
                return weight + table[0]

            return made

        digests = {make(weight, np.array(table)).digest for weight in (1, 2) for table in ([1], [2], [1, 1])}
        assert len(digests) == 6
        assert make(1, np.array([1])).digest in digests

    def test_same_after_a_journey(self):
        assert pickle.loads(pickle.dumps(weighted)).digest == weighted.digest


class TestHeeds:
    def test_code_that_names_no_such_field_heeds_nothing(self):
        assert weighted.heeds == frozenset()

    def test_code_that_does_is_not_known_before_it_is_checked(self):
        looking = strategy(name="looking")(lambda view: view.scores[0] > 3)
        hiding = strategy(name="hiding")(lambda view: getattr(view, "hand"))  # noqa: B009
        assert looking.heeds is None and hiding.heeds is None

    def test_nothing_is_known_of_plain_python(self):
        assert strategy(jit=False, name="x")(lambda view: 0).heeds is None


class TestCompiling:
    def test_bytes_and_truths_are_indices(self):
        views = a_view(3)
        for function, answer in [(lambda view: view.n_legal, 3), (lambda view: view.n_legal > 2, 1)]:
            assert strategy(name="x")(function).compiled()(views[0]) == answer

    def test_a_changed_global_gives_a_new_compilation(self, monkeypatch):
        views = a_view()
        assert weighted.compiled()(views[0]) == 2
        monkeypatch.setitem(globals(), "WEIGHT", 1)
        assert weighted.compiled()(views[0]) == 4
        monkeypatch.undo()
        assert weighted.compiled()(views[0]) == 2

    def test_a_strategy_may_call_another(self):
        mixed = strategy(name="mixed")(lambda view: weighted(view) + 1)
        views = a_view()
        assert mixed.compiled()(views[0]) == mixed(views[0]) == 3
        assert pickle.loads(pickle.dumps(mixed)).compiled()(views[0]) == 3

    def test_index_errors_are_found(self):
        beyond = strategy(name="beyond")(lambda view: view.scratch[view.n_legal + 60])
        with pytest.raises(IndexError):
            beyond.compiled()(a_view()[0])

    FAULTS = {
        "hands": ("    return view.hands", 6, "no field 'hands' (did you mean hand?): a view has n_legal,"),
        "point": ("    return view.legal[0].point", 6, "a legal placement has tile, pip, kind, points, count, pips"),
        "setting": ("    view.card = 3\n    return 0", 6, "no field 'card'"),
        "in_helper": ("    return wrong(view)", 4, "no field 'legall'"),
        "floats": ("    return view.count * 0.5", 5, "it returns float64"),
        "nothing": ("    view.count", 5, "it returns nothing"),
        "one_path": ("    if view.count > 3:\n        return 1", 5, "some path through it returns nothing"),
        "yields": ("    yield 1", 5, "it yields"),
        "text": ("    return 'a'", 5, "it returns unicode_type"),
        "undefined": ("    return fooo", 6, "name 'fooo' is not defined"),
        "plain": ("    return plain(view)", 6, "'plain' is a plain function: what a strategy calls must be"),
        "a_list": ("    return LIST[0]", 6, "not supported as globals"),
        "imports": ("    import math\n    return 0", 6, "IMPORT_NAME"),
        "adds": ("    return view.count + 'a'", 6, "No implementation of function add: add(int8"),
        "whole": ("    return sum(view)", 6, "sum(view)"),
    }

    @pytest.mark.parametrize("name", FAULTS)
    def test_errors_are_plain(self, tmp_path, name):
        body, line, says = self.FAULTS[name]
        text = "import numba\nLIST = [0]\ndef plain(view): return 0\nwrong = numba.njit(lambda view: view.legall[0].pip)\n"
        path = in_file(tmp_path, f"{text}def {name}(view):\n{body}\n")
        with pytest.raises(StrategyError) as caught:
            find_strategy(f"{path}:{name}").compiled()
        said = str(caught.value)
        assert said.startswith(f"strategy {name!r}") and f"mine.py:{line})" in said and says in said
        assert len(said.splitlines()) <= 2 and "Record(" not in said

    def test_what_it_raises_comes_out_with_its_line(self):
        def strange(view):
            if view.hand > 1:
                raise ValueError("strange hand")
            return 0

        with pytest.raises(PlayFault) as caught:
            play(strategy(strange), strategy(name="zero")(lambda view: 0))
        assert isinstance(caught.value.cause, ValueError) and "strange hand" in str(caught.value.cause)


class TestPlainPython:
    def test_plays_as_its_compiled_twin_does(self):
        def heavy(view):
            weights = [view.legal[i].pips * 20 for i in range(view.n_legal)]
            return weights.index(max(weights))

        zero = strategy(name="zero")(lambda view: 0)
        with pytest.warns(UserWarning, match="not compiled"):
            python = play(strategy(jit=False, name="heavy_python")(heavy), zero)
        compiled = play(strategy(heavy), zero)
        assert python.tallies.tobytes() == compiled.tallies.tobytes()

    def test_is_warned_about_once(self):
        one = strategy(jit=False, name="warned")(lambda view: 0)
        with pytest.warns(UserWarning, match="'warned' is not compiled"):
            one.compiled()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            one.compiled()
            strategy(jit=False, name="warned")(lambda view: 0).compiled()

    @pytest.mark.filterwarnings("ignore:.*not compiled")
    @pytest.mark.parametrize(
        ("function", "says"),
        [
            (lambda view: {}[view.n_legal], "KeyError"),
            (lambda view: 0.5, "must return the index of a legal placement (an int), but it returned 0.5"),
            (lambda view: None, "it returned None"),
            (lambda view: view.hands, "no attribute 'hands'"),
        ],
    )
    def test_its_errors_come_out(self, function, says):
        with pytest.raises(PlayFault) as caught:
            play(strategy(jit=False, name="faulty")(function), strategy(name="zero")(lambda view: 0))
        cause = caught.value.cause
        assert says in f"{type(cause).__name__}: {cause}"

    @pytest.mark.filterwarnings("ignore:.*not compiled")
    def test_an_old_error_is_not_told_again(self):
        answers = iter([1 / 2, 99])
        fickle = strategy(jit=False, name="fickle")(lambda view: next(answers))
        zero = strategy(name="zero")(lambda view: 0)
        with pytest.raises(PlayFault, match="must return"):
            play(fickle, zero)
        with pytest.raises(PlayFault) as caught:
            play(fickle, zero)
        assert caught.value.cause is None and caught.value.choice == 99

    def test_a_plain_view_has_no_room_for_more(self):
        view = plain_view(a_view())
        with pytest.raises(AttributeError):
            view.memory = 1
        with pytest.raises(AttributeError):
            view.legal[0].rank = 1

    def test_a_plain_view_is_the_same_memory(self):
        views = np.zeros(3, VIEW)
        view = plain_view(views[1])
        view.scratch[5], view.rng = 7, 2**64 - 1
        views["legal"]["points"][1, 2] = 100
        assert views["scratch"][:, 5].tolist() == [0, 7, 0] and int(views["rng"][1]) == 2**64 - 1
        assert view.legal[2].points * 20 == 2000


class TestFinding:
    def test_functions_and_strategies(self):
        assert find_strategy(tuned) is tuned
        assert find_strategy(tuned.function).name == "tuned"

    def test_in_a_file(self, tmp_path):
        path = in_file(tmp_path, SOURCE.format(weight="WEIGHT = 3", comment="", doc="", constant=1))
        found = find_strategy(f"{path}:mine(a=0.5)")
        assert found.label == "mine(a=0.5)" and found.compiled()(a_view()[0]) == 2

    def test_a_changed_file_is_run_again(self, tmp_path):
        path = in_file(tmp_path, "def mine(view): return 1")
        assert find_strategy(f"{path}:mine").compiled()(a_view()[0]) == 1
        in_file(tmp_path, "def mine(view): return 2")
        assert find_strategy(f"{path}:mine").compiled()(a_view()[0]) == 2

    @pytest.mark.parametrize(
        ("what", "says"),
        [
            ("{}/no.py:mine", "no.py: No such file"),
            ("{}/mine.py:mime", "no strategy 'mime' in"),
            ("{}/mine.py:mime", "(did you mean mine?); there: mine"),
            ("{}/broken.py:mine", "broken.py cannot be loaded: ZeroDivisionError: division by zero ("),
            ("{}/mine.py:mine(a=x)", "'a=x' is not parameter=number"),
            ("mine(", "write it name, name(parameter=0.5) or path/to/file.py:function"),
            (7, "strategy 7: write it"),
        ],
    )
    def test_what_is_not_there(self, tmp_path, what, says):
        in_file(tmp_path, SOURCE.format(weight="WEIGHT = 3", comment="", doc="", constant=1))
        in_file(tmp_path, "1 / 0", "broken.py")
        with pytest.raises(StrategyError) as caught:
            find_strategy(what.format(tmp_path) if isinstance(what, str) else what)
        assert says in str(caught.value)

    def test_unknown_names_say_the_nearest(self):
        with pytest.raises(StrategyError, match=r"no strategy 'gredy' \(did you mean greedy\?\); installed: "):
            find_strategy("gredy")

    def test_installed_ones(self):
        found = load_strategies()
        assert {"random", "first", "heavy", "greedy", "careful"} <= set(found)
        assert all(one.package for one in found.values())
        assert find_strategy("careful(pips=0.05)").label == "careful(pips=0.05)"


class Entry:
    """An entry point that does not have to be installed."""

    name = "x"

    def __init__(self, value, loads):
        self.value, self._loads = value, loads

    def load(self):
        if isinstance(self._loads, Exception):
            raise self._loads
        return self._loads


class TestInstalled:
    @pytest.fixture
    def install(self, monkeypatch):
        def install(*entries):
            monkeypatch.setattr(finding, "entry_points", lambda group: entries)
            finding._installed.cache_clear()

        yield install
        finding._installed.cache_clear()

    def test_one_or_many(self, install):
        install(Entry("a:one", weighted), Entry("b:ALL", [tuned]))
        assert {name: one.package for name, one in load_strategies().items()} == {"weighted": "a:one", "tuned": "b:ALL"}

    def test_two_of_one_name(self, install):
        install(Entry("a:one", weighted), Entry("b:ALL", [tuned, weighted]))
        with pytest.raises(StrategyError, match="two installed strategies are called 'weighted': in a:one and b:ALL"):
            load_strategies()

    def test_a_broken_package_does_not_keep_others_out(self, install):
        install(Entry("a:one", ImportError("no torch")), Entry("b:ALL", [tuned, 7]))
        with pytest.warns(UserWarning, match="a:one cannot be loaded: ImportError: no torch|which is no strategy"):
            assert list(load_strategies()) == ["tuned"]


class TestTransport:
    ARRIVE = """
        import sys, pickle
        from fiveup_sim.strategy import Strategy
        from fiveup_sim.engine.view import VIEW
        import numpy as np
        one = Strategy.from_spec(pickle.loads(bytes.fromhex(sys.argv[1])))
        views = np.zeros(1, VIEW)
        views["n_legal"] = 5
        print(one.label, one.digest, one.compiled()(views[0]) if one.jit else one(views[0]))
    """

    def arrive(self, one: Strategy) -> list[str]:
        return in_new_process(self.ARRIVE, pickle.dumps(one.to_spec()).hex()).rsplit(" ", 2)

    def test_from_a_module_with_helpers(self):
        assert self.arrive(weighted) == ["weighted", weighted.digest, "2"]

    def test_with_parameters(self):
        changed = tuned.with_params(a=2)
        assert self.arrive(changed)[:2] == ["tuned(a=2)", changed.digest]

    def test_from_a_closure(self):
        weight = 4
        made = strategy(name="made")(lambda view: view.n_legal - weight)
        assert self.arrive(made) == ["made", made.digest, "1"]

    def test_from_a_file(self, tmp_path):
        path = in_file(tmp_path, SOURCE.format(weight="WEIGHT = 3", comment="", doc="", constant=1))
        found = find_strategy(f"{path}:mine")
        spec = found.to_spec()
        path.unlink()
        assert self.arrive(found) == ["mine", found.digest, "2"]
        assert Strategy.from_spec(spec).compiled() is found.compiled()

    def test_plain_python(self):
        python = strategy(jit=False, name="python")(lambda view: int(f"{view.n_legal}") - 1)
        assert self.arrive(python)[::2] == ["python", "4"]

    def test_installed_ones_travel_by_name(self):
        spec = find_strategy("careful(pips=0.5)").to_spec()
        assert spec[:3] == ("installed", "careful", (0.5,))
        assert Strategy.from_spec(spec) == find_strategy("careful(pips=0.5)")

    def test_specs_are_plain(self):
        kind, blob, kept, digest = weighted.to_spec()
        assert isinstance(blob, bytes) and kept == ("weighted", (), (), True)

    def test_what_cannot_be_rebuilt_says_so(self, tmp_path, monkeypatch):
        (tmp_path / "faraway.py").write_text("import numba\n@numba.njit\ndef far(view): return 0\n")
        monkeypatch.syspath_prepend(tmp_path)
        import faraway

        spec = strategy(name="lost")(lambda view: faraway.far(view)).to_spec()
        code = """
            import sys, pickle
            from fiveup_sim.strategy import Strategy, StrategyError
            try:
                Strategy.from_spec(pickle.loads(bytes.fromhex(sys.argv[1])))
            except StrategyError as error:
                print(error)
        """
        sys.path.remove(str(tmp_path))
        said = in_new_process(code, pickle.dumps(spec).hex())
        assert said.startswith("strategy 'lost' cannot be rebuilt in the worker: ModuleNotFoundError")

        (tmp_path / "faraway.py").write_text("import numba\n@numba.njit\ndef far(view): return 1 + 1\n")
        said = in_new_process(code, pickle.dumps(spec).hex(), path=str(tmp_path))
        assert said.startswith("strategy 'lost' is not the same in the worker: a module it imports has changed")

    def test_what_cannot_be_sent_says_so(self):
        lock = threading.Lock()
        stuck = strategy(jit=False, name="stuck")(lambda view: lock.locked())
        with pytest.raises(StrategyError, match="'stuck' cannot be sent to workers: TypeError"):
            stuck.to_spec()


PACKAGE = {
    "helpers.py": "import numba\n@numba.njit\ndef far(view): return {far}\n",
    "plugin.py": """
        from fiveup_sim.strategy import strategy
        from helpers import far
        @strategy
        def mine(view):
            if view.n_legal == 0:
                raise ValueError("none")
            return far(view) + {near}
    """,
    "plugin-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: plugin\nVersion: 1\n",
    "plugin-1.dist-info/entry_points.txt": "[fiveup_sim.strategies]\nmine = plugin:mine\n",
}


class TestDiskCache:
    RUN = """
        import sys, numpy as np
        from fiveup_sim.engine.view import VIEW
        from fiveup_sim.strategy import find_strategy
        entry = find_strategy("mine").compiled()
        views = np.zeros(2, VIEW)
        views["n_legal"][0] = 5
        try:
            entry(views[1])
        except ValueError as error:
            said = str(error)
        print(entry(views[0]), sum(entry.stats.cache_hits.values()), said)
    """

    def run(self, tmp_path, far, near):
        for name, text in PACKAGE.items():
            file = tmp_path / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(textwrap.dedent(text).format(far=far, near=near))
        return in_new_process(
            self.RUN, path=str(tmp_path), NUMBA_CACHE_DIR=str(tmp_path / "cache"), PYTHONDONTWRITEBYTECODE="1"
        )

    def test_installed_strategies_start_from_disk_and_never_stale(self, tmp_path):
        assert self.run(tmp_path, 1, 1) == "2 0 none"
        assert self.run(tmp_path, 1, 1) == "2 1 none"
        assert self.run(tmp_path, 2, 1) == "3 0 none"
        assert self.run(tmp_path, 2, 2) == "4 0 none"
        assert self.run(tmp_path, 1, 1) == "2 1 none"


class TestTrial:
    def test_a_loop_that_never_ends(self):
        @strategy
        def forever(view):
            i = 0
            while view.n_legal > 0:
                i += view.n_turns
            return i

        with pytest.raises(StrategyError, match="'forever' did not answer within 1 seconds in a trial run"):
            try_out([weighted, forever], Rules.preset(), seconds=1)

    @pytest.mark.filterwarnings("ignore:.*not compiled")
    def test_a_crash(self):
        crashing = strategy(jit=False, name="crashing")(lambda view: os.abort())
        with pytest.raises(StrategyError, match="'crashing' brought down the process"):
            try_out([crashing], Rules.preset())

    def test_faults_that_play_tells_better_pass_and_are_not_tried_twice(self, monkeypatch):
        illegal = strategy(name="illegal")(lambda view: 99)
        try_out([illegal, find_strategy("random")], Rules.preset())
        monkeypatch.setattr(subprocess, "Popen", None)
        try_out([illegal], Rules.preset())
