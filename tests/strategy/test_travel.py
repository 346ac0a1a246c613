"""Strategies: found in packages and files, sent to workers, cached on disk, tried out in another process."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import textwrap
import threading
import warnings

import pytest

from fiveup_sim.rules import Rules
from fiveup_sim.strategy import (
    Strategy,
    StrategyError,
    find_strategy,
    from_spec,
    load_strategies,
    strategy,
    to_spec,
    try_out,
)
from fiveup_sim.strategy import find as finding
from tests.strategy.kit import a_view, in_file, in_new_process, source, tuned, weighted


class TestFinding:
    def test_functions_and_strategies(self):
        assert find_strategy(tuned) is tuned
        assert find_strategy(tuned.function).name == "tuned"

    def test_in_a_file(self, tmp_path):
        path = source(tmp_path)
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
        source(tmp_path)
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


def test_a_file_named_alone(tmp_path):
    path = in_file(tmp_path, """
        from fiveup_sim.strategy import strategy

        @strategy
        def dave(view):
            return 0

        @strategy
        def eve(view):
            return 0
        """)
    with pytest.raises(StrategyError, match=re.escape(f"is a file: write {path}:dave or {path}:eve")):
        find_strategy(str(path))
    empty = in_file(tmp_path, "def plain(view): return 0", name="empty.py")
    with pytest.raises(StrategyError, match=re.escape(f"no strategy in {empty}: a function in it plays as")):
        find_strategy(f"{empty}(pips=1)")
    with pytest.raises(StrategyError, match=r"nowhere\.py: No such file"):
        find_strategy("nowhere.py")


class TestTransport:
    ARRIVE = """
        import sys, pickle
        from fiveup_sim.strategy import from_spec
        from fiveup_sim.engine.view import VIEW
        import numpy as np
        one = from_spec(pickle.loads(bytes.fromhex(sys.argv[1])))
        views = np.zeros(1, VIEW)
        views["n_legal"] = 5
        print(one.label, one.digest, one.compiled()(views[0]) if one.jit else one(views[0]))
    """

    def arrive(self, one: Strategy) -> list[str]:
        return in_new_process(self.ARRIVE, pickle.dumps(to_spec(one)).hex()).rsplit(" ", 2)

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
        path = source(tmp_path)
        found = find_strategy(f"{path}:mine")
        spec = to_spec(found)
        path.unlink()
        assert self.arrive(found) == ["mine", found.digest, "2"]
        assert from_spec(spec).compiled() is found.compiled()

    def test_plain_python(self):
        python = strategy(jit=False, name="python")(lambda view: int(f"{view.n_legal}") - 1)
        assert self.arrive(python)[::2] == ["python", "4"]

    def test_plain_python_keeps_what_it_keeps_within_a_process(self):
        seen = []
        keeping = strategy(jit=False, name="keeping")(lambda view: seen.append(view.n_legal) or 0)
        from_spec(to_spec(keeping))(a_view(3))
        assert seen == [3]

    def test_installed_ones_travel_by_name(self):
        spec = to_spec(find_strategy("careful(pips=0.5)"))
        assert spec[:3] == ("installed", "careful", (0.5,))
        assert from_spec(spec) == find_strategy("careful(pips=0.5)")

    def test_specs_are_plain(self):
        _, blob, kept, _ = to_spec(weighted)
        assert isinstance(blob, bytes) and kept == ("weighted", (), (), True)

    def test_what_cannot_be_rebuilt_says_so(self, tmp_path, monkeypatch):
        (tmp_path / "faraway.py").write_text("import numba\n@numba.njit\ndef far(view): return 0\n")
        monkeypatch.syspath_prepend(tmp_path)
        import faraway

        spec = to_spec(strategy(name="lost")(lambda view: faraway.far(view)))
        code = """
            import sys, pickle
            from fiveup_sim.strategy import StrategyError, from_spec
            try:
                from_spec(pickle.loads(bytes.fromhex(sys.argv[1])))
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
            to_spec(stuck)


NOTEBOOK = [
    """
    import numba, numpy as np
    from joblib import Parallel, delayed
    from fiveup_sim.engine.view import VIEW
    from fiveup_sim.strategy import from_spec, strategy, to_spec
    W = 3
    @numba.njit
    def helper(view):
        return view.n_legal - W
    @strategy
    def mine(view):
        return helper(view)
    def task(spec):
        views = np.zeros(1, VIEW)
        views["n_legal"] = 5
        one = from_spec(spec)
        return one.digest == mine_digest, int(one.compiled()(views[0]))
    def everywhere():
        global mine_digest
        mine_digest = mine.digest
        for backend in ("threading", "loky"):
            print(*Parallel(2, backend=backend)(delayed(task)(to_spec(mine)) for _ in range(2)))
    everywhere()
    """,
    "W = 1; everywhere()",
]


def test_a_notebook(tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    cells = [nbformat.v4.new_code_cell(textwrap.dedent(cell)) for cell in NOTEBOOK]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    said = ["".join(output["text"] for output in cell["outputs"]) for cell in notebook.cells]
    assert said == ["(True, 2) (True, 2)\n" * 2, "(True, 4) (True, 4)\n" * 2]


PACKAGE = {
    "deeper.py": "import numba\n@numba.njit\ndef deep(view): return {far}\n",
    "helpers.py": "import numba\nfrom deeper import deep\n@numba.njit(cache=True)\ndef far(view): return deep(view)\n",
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


posix = pytest.mark.skipif(os.name != "posix", reason="signals")
RECURSION = """
import numba
from fiveup_sim.strategy import strategy

@numba.njit
def deep(view, n):
    if n < 0:
        return 0
    {body}

@strategy
def endless(view):
    return deep(view, 3)
"""


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
    @pytest.mark.parametrize(
        ("body", "happened"),
        [
            ("os._exit(9)", "ended the process of its trial run (exit code 9): a strategy must return"),
            ("sys.exit(3)", "ended the process of its trial run (exit code 3): a strategy must return"),
            pytest.param("os.abort()", "crashed the process of its trial run (SIGABRT)", marks=posix),
            pytest.param("os.kill(os.getpid(), 9)", "(SIGKILL): did it take too much memory?", marks=posix),
        ],
    )
    def test_an_end_of_the_process_is_told_as_it_was(self, tmp_path, body, happened):
        path = in_file(tmp_path, f"""
            import os, sys
            from fiveup_sim.strategy import strategy

            @strategy(jit=False)
            def ends(view):
                {body}
            """)
        with pytest.raises(StrategyError, match=f"'ends' .*{re.escape(happened)}") as error:
            try_out([find_strategy(f"{path}:ends")], Rules.preset())
        assert "SIGSEGV" in happened or "itself" not in str(error.value)

    @posix
    def test_recursion_without_end(self, tmp_path):
        path = in_file(tmp_path, RECURSION.format(body="return deep(view, n + 1) + deep(view, n + 2)"))
        with pytest.raises(StrategyError, match=r"'endless' crashed .*\(SIGSEGV\): does it call itself without end\?"):
            try_out([find_strategy(f"{path}:endless")], Rules.preset())

    def test_recursion_that_ends_plays_here_and_in_workers(self, tmp_path):
        path = in_file(tmp_path, RECURSION.format(body="return deep(view, n - 1) if n > 0 else 1"))
        one = find_strategy(f"{path}:endless")
        try_out([one], Rules.preset())
        code = """
            import pickle, sys
            import numpy as np
            from fiveup_sim.engine.view import VIEW
            from fiveup_sim.strategy import from_spec
            one = from_spec(pickle.loads(bytes.fromhex(sys.argv[1])))
            print(one.compiled()(np.zeros(1, VIEW)[0]))
        """
        assert in_new_process(code, pickle.dumps(to_spec(one)).hex()) == "1"

    def test_a_strategy_that_calls_itself_by_its_name(self, tmp_path):
        path = in_file(tmp_path, """
            from fiveup_sim.strategy import strategy

            @strategy
            def me(view):
                return me(view)
            """)
        with pytest.raises(StrategyError, match=r"^strategy 'me' calls itself: let it call a function that does$"):
            to_spec(find_strategy(f"{path}:me"))

    @pytest.mark.filterwarnings("ignore:.*not compiled")
    @pytest.mark.parametrize(
        ("decorator", "answer", "is_own"),
        [
            ("@strategy(jit=False)", "random.randrange(view.n_legal)", True),
            ("@strategy(jit=False)", "next(turn) % view.n_legal", True),
            ("@strategy", "np.random.randint(view.n_legal)", True),
            ("@strategy(jit=False)", "below(view, view.n_legal)", False),
            ("@strategy", "below(view, view.n_legal)", False),
            ("@strategy", "(view.scratch[0] + view.n_turns) % view.n_legal", False),
        ],
    )
    def test_random_sources_of_its_own_are_named(self, tmp_path, decorator, answer, is_own):
        path = in_file(tmp_path, f"""
            import itertools, random
            import numpy as np
            from fiveup_sim import below, strategy

            turn = itertools.count()

            {decorator}
            def own(view):
                return {answer}
            """)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try_out([find_strategy(f"{path}:own")], Rules.preset())
        said = [str(each.message) for each in caught if "cannot be played again" in str(each.message)]
        assert [text.partition(" gave other")[0] for text in said] == (["strategy 'own'"] if is_own else [])

    def test_faults_that_play_tells_better_pass_and_are_not_tried_twice(self, monkeypatch):
        illegal = strategy(name="illegal")(lambda view: 99)
        try_out([illegal, find_strategy("random")], Rules.preset())
        monkeypatch.setattr(subprocess, "Popen", None)
        try_out([illegal], Rules.preset())
