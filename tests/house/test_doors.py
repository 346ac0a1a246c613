"""Who may import whom, read from the source; and what a start loads."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "fiveup_sim"

# rooms, and the rooms each may import: data flows one way
FLOORS = ["rules", "engine", "strategy", "tournament", "analysis", "experiments", "report"]
DOORS = {room: {"files", "words", *FLOORS[: FLOORS.index(room)]} for room in FLOORS}
DOORS |= {
    "files": set(),
    "rules": {"files"},
    "words": {"rules"},
    "referee": {"rules", "words"},
    "pictures": {"rules", "words", "referee"},
    "testing": {"rules", "words", "engine", "strategy", "referee"},
    "games": {"rules", "words", "engine", "strategy", "tournament", "referee"},
}
DOORS["report"] |= {"referee", "games", "pictures"}
DOORS["cli"] = {*DOORS, "__init__"}
DOORS["__main__"] = {"cli"}
DOORS["__init__"] = {"strategy"}  # the other public names are in __init__.pyi
HEAVY = {"numba", "llvmlite", "joblib", "pyarrow", "pandas", "scipy", "matplotlib", "jinja2", "rich", "cloudpickle"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def file_of(name: str) -> Path | None:
    """The file of a module of the package, by its full name."""
    place = ROOT.joinpath(*name.split("."))
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


def imported(path: Path, text: str | None = None) -> set[str]:
    """Names of the package that a file imports, wherever in it: at the top, in a function, for type checkers only."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text() if text is None else text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports by full names only"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.split(".")[0] == "fiveup_sim"}


def files_imported(path: Path) -> set[Path]:
    """The files that a file takes something from: the module itself, or the one that holds the name."""
    homes = {file_of(name) or file_of(name.rpartition(".")[0]) for name in imported(path)}
    return {home for home in homes if home is not None} - {path}


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_every_room_has_its_doors() -> None:
    assert {room_of(path) for path in modules()} == set(DOORS)


@pytest.mark.parametrize("room", sorted(DOORS))
def test_rooms_are_entered_by_their_doors(room: str) -> None:
    for path in modules():
        if room_of(path) == room:
            rooms = {room_of(home) for home in files_imported(path) if home != PACKAGE / "__init__.py"}
            assert rooms <= DOORS[room] | {room}, f"{path} must not import {sorted(rooms - DOORS[room] - {room})}"


def test_no_file_imports_itself_by_a_detour() -> None:
    graph = {path: files_imported(path) - {PACKAGE / "__init__.py"} for path in modules()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(str(path.relative_to(PACKAGE)) for path in error.args[1]))


def test_the_lower_rooms_do_not_use_the_public_names() -> None:
    """`from fiveup_sim import x` may reach any room: only commands, at the top, say it so."""
    for path in modules():
        if room_of(path) not in ("cli", "__main__"):
            assert PACKAGE / "__init__.py" not in files_imported(path), path


def test_the_strategies_use_public_names_only() -> None:
    for path in (ROOT / "strategies").rglob("*.py"):
        tops = {name.rsplit(".", 1)[0] for name in imported(path)}
        assert tops <= {"fiveup_sim"}, path


def test_the_package_never_imports_the_strategies() -> None:
    for path in modules():
        assert "fiveup_strategies" not in path.read_text(), path


def loaded_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*{{name.split('.')[0] for name in sys.modules}})"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "code",
    [
        "import fiveup_sim",
        "from fiveup_sim import Rules, strategy; strategy(lambda view: 0, name='mine')",
        "from fiveup_sim.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass",
    ],
    ids=["import", "decorate", "help"],
)
def test_a_start_loads_nothing_heavy(code: str) -> None:
    assert not loaded_by(code) & HEAVY
