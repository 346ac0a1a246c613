"""Where results come from: what they keep of the run that made them."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

_PACKAGES = ("fiveup-sim", "numpy", "numba", "llvmlite", "joblib")


def describe_run(started: float, wall_seconds: float, cpu_seconds: float, n_workers: int) -> dict[str, Any]:
    """One entry of ``Results.provenance["runs"]``: plain types only.

    Parameters
    ----------
    started
        Seconds since the epoch.
    wall_seconds, cpu_seconds
        How long it took.
    n_workers
        How many tasks were played at once.
    """
    return {
        "started": datetime.fromtimestamp(started, UTC).isoformat(timespec="seconds"),
        "wall_seconds": round(wall_seconds, 3),
        "cpu_seconds": round(cpu_seconds, 3),
        "n_workers": n_workers,
        "versions": {"python": platform.python_version(), **{name: _version(name) for name in _PACKAGES}},
        "source": source_stamp(),
        "machine": f"{platform.system()} {platform.machine()}",
    }


def source_stamp() -> str:
    """A hash of the package's source files, in hex digits: versions say little between two releases."""
    from fiveup_sim.engine.compile import engine_stamp

    return f"{engine_stamp():012x}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
