"""Who may import whom, read from the source; and what a start loads."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "fiveup_sim"

# rooms, and the rooms each may import when it is loaded: data flows one way
FLOORS = ["tiles", "presets", "rules", "rules_file", "engine", "strategy", "tournament", "analysis"]
DOORS = {room: set(FLOORS[: FLOORS.index(room)]) for room in FLOORS}
DOORS |= {
    "referee": {"tiles", "presets", "rules"},
    "game": {"tiles", "rules", "engine", "strategy", "tournament", "referee"},
    "testing": {"tiles", "rules", "engine", "strategy", "referee"},
    "report": {*FLOORS, "referee", "game"},
}
HEAVY = {"numba", "llvmlite", "joblib", "pyarrow", "pandas", "scipy", "matplotlib", "jinja2", "rich", "cloudpickle"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Modules of the package that a file imports, at its top or in a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.split(".")[0] == "fiveup_sim"}


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_rooms_are_entered_by_their_doors(path: Path) -> None:
    room = room_of(path)
    if room not in DOORS:
        return  # the package root, the command line and what stands beside it may use every room
    rooms = {name.split(".")[1] for name in imported(path) if "." in name}
    allowed = DOORS[room] | {room}
    lazily = {"analysis"} if path.name == "results.py" and room == "tournament" else set()  # Results.summary()
    assert rooms <= allowed | lazily, f"{room} must not import {sorted(rooms - allowed)}"


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
        "from fiveup_sim import Rules, play_match, strategy; strategy(lambda view: 0, name='mine')",
        "from fiveup_sim.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass",
    ],
    ids=["import", "decorate", "help"],
)
def test_a_start_loads_nothing_heavy(code: str) -> None:
    assert not loaded_by(code) & HEAVY
