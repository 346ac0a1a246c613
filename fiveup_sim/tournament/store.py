"""Results on disk: a directory that is never half written.

``run.json`` says what was played and names the other files with their hashes; it is written last, in one step, so that
it always speaks of files that are there. ``tallies-*.npz`` holds the counts, ``games-*.parquet`` the kept games of a
line-up. Nothing in it is executed when it is read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from hashlib import file_digest
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np

from fiveup_sim.engine.tallies import GAME, TALLY
from fiveup_sim.rules import Rules
from fiveup_sim.tournament import spans
from fiveup_sim.tournament.law import law_from_columns, law_to_columns
from fiveup_sim.tournament.lineup import LineUp
from fiveup_sim.tournament.results import MatchResults, Results, StrategyInfo

FORMAT = 1
"""Changes whenever the files change, the fields of TALLY, LAW and GAME among them."""
_HEAD = "run.json"
_OURS = ("tallies-*.npz", "games-*.parquet", "tallies.*.part", "games.*.part", f"{_HEAD}.*.part")
_NOTHING = np.empty(0, np.int64)


class StoreError(Exception):
    """Results that cannot be read, or that would be lost by writing; one plain line."""


def save_results(results: Results, path: Path, *, overwrite: bool = False) -> None:
    """Write `results` to the directory `path`: see :meth:`Results.save`."""
    check_store(path, results, overwrite=overwrite)
    path.mkdir(parents=True, exist_ok=True)
    tallies = _write(path, "tallies", ".npz", lambda file: _write_arrays(file, results))
    games = [_write_games(path, match) for match in results.matches]
    _write_head(path, _head(results) | {"tallies": tallies, "games": games})
    _clean_up(path, {tallies["name"], *(file["name"] for file in games if file is not None)})


def load_results(path: Path) -> Results:
    """The results in the directory `path`: see :meth:`Results.load`."""
    head, results = _load_head(path)
    try:
        with np.load(_checked(path, head["tallies"]), allow_pickle=False) as arrays:
            matches = [_with_arrays(match, arrays, i) for i, match in enumerate(results.matches)]
        games = [None if file is None else _read_games(_checked(path, file)) for file in head["games"]]
        matches = [replace(match, games=rows) for match, rows in zip(matches, games, strict=True)]
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise StoreError(f"the results in {path} are damaged: {error}") from error
    return replace(results, matches=tuple(matches))


def check_store(path: Path, results: Results, *, overwrite: bool = False) -> None:
    """Whether `results` may be written to `path`.

    Raises
    ------
    StoreError
        If that would destroy anything but results; or results that these do not contain, unless `overwrite`.
    """
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return
    if not (path / _HEAD).exists():
        raise StoreError(f"{path} holds something that is not results: it is left alone")
    if overwrite:
        return
    _, there = _load_head(path)
    difference = results.difference(there)
    if difference is None:
        pairs = zip(there.matches, results.matches, strict=True)
        lost = next((left for old, new in pairs if (left := spans.without(old.blocks, new.blocks))), ())
        difference = f"blocks {spans.describe(lost)} are only in them" if lost else None
    if difference is not None:
        raise StoreError(f"{path} holds other results, which would be lost: {difference}")


def _head(results: Results) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "rules": results.rules.to_dict(),
        "seed": results.seed,
        "paired": results.paired,
        "stream_version": results.stream_version,
        "strategies": [
            {
                "label": strategy.label,
                "name": strategy.name,
                "params": strategy.params,
                "digest": strategy.digest,
                "heeds": None if strategy.heeds is None else sorted(strategy.heeds),
            }
            for strategy in results.strategies
        ],
        "matches": [
            {
                "names": match.line_up.names,
                "seatings": match.line_up.seatings,
                "blocks": match.blocks,
                "planned": match.planned,
                "seconds": match.seconds,
            }
            for match in results.matches
        ],
        "provenance": results.provenance,
    }


def _load_head(path: Path) -> tuple[dict[str, Any], Results]:
    """What run.json says, and the results without their arrays."""
    try:
        head = json.loads((path / _HEAD).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise StoreError(f"no results in {path}: there is no {_HEAD}") from None
    except ValueError as error:
        raise StoreError(f"{path / _HEAD} is damaged: {error}") from error
    try:
        if head["format"] > FORMAT:
            raise StoreError(
                f"the results in {path} were written by a newer version of fiveup_sim"
                f" (format {head['format']}, this one reads {FORMAT})"
            )
        return head, _from_head(head)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise StoreError(f"{path / _HEAD} is damaged: {error!r}") from error


def _from_head(head: dict[str, Any]) -> Results:
    strategies = [
        StrategyInfo(**{**kept, "heeds": None if kept["heeds"] is None else frozenset(kept["heeds"])})
        for kept in head["strategies"]
    ]
    matches = [
        MatchResults(
            line_up=LineUp(tuple(kept["names"]), tuple(map(tuple, kept["seatings"]))),
            blocks=tuple(map(tuple, kept["blocks"])),
            planned=tuple(map(tuple, kept["planned"])),
            tallies=_NOTHING,
            law=_NOTHING,
            games=None if file is None else _NOTHING,
            seconds=kept["seconds"],
        )
        for kept, file in zip(head["matches"], head["games"], strict=True)
    ]
    return Results(
        rules=Rules.from_dict(head["rules"]),
        seed=head["seed"],
        paired=head["paired"],
        stream_version=head["stream_version"],
        strategies=tuple(strategies),
        matches=tuple(matches),
        provenance=head["provenance"],
    )


def _write_arrays(file: BinaryIO, results: Results) -> None:
    """What ``numpy.savez_compressed`` writes, in a third of its time: counts are mostly zeros at any level."""
    with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for i, match in enumerate(results.matches):
            steps, counts = law_to_columns(match.law)
            for name, array in (("tallies", match.tallies), ("law_steps", steps), ("law_counts", counts)):
                with archive.open(f"{i}.{name}.npy", "w", force_zip64=True) as entry:
                    np.lib.format.write_array(entry, array, allow_pickle=False)


def _with_arrays(match: MatchResults, arrays: Any, i: int) -> MatchResults:
    tallies = arrays[f"{i}.tallies"]
    if tallies.dtype != TALLY or tallies["games"].sum() != match.n_games:
        raise ValueError(f"the tallies of {match.line_up.label} are not those that {_HEAD} describes")
    return replace(match, tallies=tallies, law=law_from_columns(arrays[f"{i}.law_steps"], arrays[f"{i}.law_counts"]))


def _write_games(path: Path, match: MatchResults) -> dict[str, Any] | None:
    """A column for each field of GAME; fields by side are numbered: ``scores_0``."""
    if match.games is None:
        return None
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.table({name: match.games[field][index] for name, field, index in _columns()})
    return _write(path, "games", ".parquet", lambda file: parquet.write_table(table, file, compression="zstd"))


def _read_games(path: Path) -> np.ndarray:
    from pyarrow import ArrowException, parquet

    try:
        table = parquet.read_table(path)
    except ArrowException as error:
        raise ValueError(f"{path.name}: {error}") from error
    games = np.zeros(table.num_rows, GAME)
    for name, field, index in _columns():
        games[field][index] = table[name].to_numpy()
    return games


def _columns() -> list[tuple[str, str, tuple]]:
    """Name, field and index of each column of kept games."""
    columns: list[tuple[str, str, tuple]] = []
    for field in GAME.names or ():
        shape = GAME[field].shape
        if field.startswith("_"):
            continue
        columns += [(f"{field}_{k}", field, (..., k)) for k in range(shape[0])] if shape else [(field, field, (...,))]
    return columns


def _write(path: Path, stem: str, suffix: str, write: Callable[[BinaryIO], None]) -> dict[str, Any]:
    """Write a file under a name that holds its hash; what run.json keeps of it."""
    part = path / f"{stem}.{os.getpid()}.part"
    with open(part, "wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
    digest = _hash(part)
    name = f"{stem}-{digest[:16]}{suffix}"
    os.replace(part, path / name)
    return {"name": name, "sha256": digest}


def _write_head(path: Path, head: dict[str, Any]) -> None:
    part = path / f"{_HEAD}.{os.getpid()}.part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump(head, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path / _HEAD)


def _checked(path: Path, kept: dict[str, Any]) -> Path:
    """The path of a file that run.json names, if its content is what was written."""
    file = path / kept["name"]
    if file.parent != path or not file.is_file():
        raise ValueError(f"{kept['name']} is missing")
    if _hash(file) != kept["sha256"]:
        raise ValueError(f"{kept['name']} has changed since it was written")
    return file


def _hash(file: Path) -> str:
    with open(file, "rb") as content:
        return file_digest(content, "sha256").hexdigest()


def _clean_up(path: Path, kept: set[str]) -> None:
    """Remove files of earlier results, and what a killed process left."""
    for pattern in _OURS:
        for file in path.glob(pattern):
            if file.name not in kept:
                file.unlink(missing_ok=True)
