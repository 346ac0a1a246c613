"""Strategies: made, named, digested, compiled, played in plain Python, and what is said when something is wrong."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest

from fiveup_sim.engine.blocks import PlayFault
from fiveup_sim.engine.view import VIEW
from fiveup_sim.strategy import StrategyError, find_strategy, strategy
from fiveup_sim.strategy.errors import raised_text
from fiveup_sim.strategy.plain import plain_view
from tests.strategy import kit
from tests.strategy.kit import a_view, in_file, in_new_process, play, source, tuned, weighted


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
            (lambda: strategy(params={"a": "much"})(tuned.function), "a = 'much' is not a finite number"),
            (lambda: strategy(params={"a b": 1})(tuned.function), "'a b'"),
            (lambda: strategy(params={f"p{i}": i for i in range(17)})(tuned.function), "17 parameters: at most 16"),
            (lambda: tuned.with_params(c=1), "no parameter 'c'; it has a, b"),
            (lambda: weighted.with_params(c=1), "it has none"),
        ],
    )
    def test_what_is_no_strategy(self, make, says):
        with pytest.raises(StrategyError) as caught:
            make()
        assert says in str(caught.value)

    def test_importing_does_not_import_numba(self):
        code = "import sys, fiveup_sim.strategy; print(sorted({'numba', 'joblib', 'pandas'} & set(sys.modules)))"
        assert in_new_process(code) == "[]"


class TestDigest:
    def digest(self, path, hash_seed: str = "0") -> str:
        code = "import sys; from fiveup_sim.strategy import find_strategy; print(find_strategy(sys.argv[1]).digest)"
        return in_new_process(code, f"{path}:mine", PYTHONHASHSEED=hash_seed)

    def test_same_in_every_process(self, tmp_path):
        path = source(tmp_path)
        assert self.digest(path, "1") == self.digest(path, "2") == find_strategy(f"{path}:mine").digest

    def test_comments_places_and_words_do_not_count(self, tmp_path):
        first = find_strategy(f"{source(tmp_path)}:mine").digest
        path = source(tmp_path, comment="# moved\n# down", doc="Said otherwise.")
        assert find_strategy(f"{path}:mine").digest == first

    @pytest.mark.parametrize("change", [{"weight": "WEIGHT = 4"}, {"constant": 2}, {"weight": "WEIGHT = 3.0"}])
    def test_what_it_reads_counts(self, tmp_path, change):
        first = find_strategy(f"{source(tmp_path)}:mine").digest
        assert find_strategy(f"{source(tmp_path, **change)}:mine").digest != first

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


BEFORE = """
import numba
LIST = [0]
def plain(view): return 0
wrong = numba.njit(lambda view: view.legall[0].pip)
"""
FAULTS = {
    "hands": ("    return view.hands", 7, "no field 'hands' (did you mean hand?): a view has n_legal,"),
    "point": ("    return view.legal[0].point", 7, "a legal placement has tile, pip, kind, points, count, pips"),
    "setting": ("    view.card = 3\n    return 0", 7, "no field 'card'"),
    "in_helper": ("    return wrong(view)", 5, "no field 'legall'"),
    "floats": ("    return view.count * 0.5", 6, "it returns float64"),
    "nothing": ("    view.count", 6, "it returns nothing"),
    "one_path": ("    if view.count > 3:\n        return 1", 6, "some path through it returns nothing"),
    "yields": ("    yield 1", 6, "it yields"),
    "text": ("    return 'a'", 6, "it returns unicode_type"),
    "undefined": ("    return fooo", 7, "name 'fooo' is not defined"),
    "plain": ("    return plain(view)", 7, "'plain' is a plain function: what a strategy calls must be"),
    "a_list": ("    return LIST[0]", 7, "not supported as globals"),
    "imports": ("    import math\n    return 0", 7, "IMPORT_NAME"),
    "adds": ("    return view.count + 'a'", 7, "No implementation of function add: add(int8"),
    "whole": ("    return sum(view)", 7, "sum(view)"),
}


class TestCompiling:
    def test_bytes_and_truths_are_indices(self):
        views = a_view(3)
        for function, answer in [(lambda view: view.n_legal, 3), (lambda view: view.n_legal > 2, 1)]:
            assert strategy(name="x")(function).compiled()(views[0]) == answer

    def test_a_changed_global_gives_a_new_compilation(self, monkeypatch):
        views = a_view()
        assert weighted.compiled()(views[0]) == 2
        monkeypatch.setattr(kit, "WEIGHT", 1)
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

    @pytest.mark.parametrize("name", FAULTS)
    def test_errors_are_plain(self, tmp_path, name):
        body, line, says = FAULTS[name]
        path = in_file(tmp_path, f"{BEFORE}def {name}(view):\n{body}\n")
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
        line = strange.__code__.co_firstlineno + 2
        assert raised_text(caught.value.cause) == f"ValueError: strange hand (tests/strategy/test_strategy.py:{line})"


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
