"""Results on disk: a directory that is never half written.

``run.json`` says what was played and names the other files with their hashes; it is written last, in one step, so that
it always speaks of files that are there. ``tallies-*.npz`` holds the counts, ``games-*.parquet`` the kept games of a
line-up. Nothing in it is executed when it is read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

import numpy as np

from fiveup_sim.engine.tallies import GAME, N_GROUPS, TALLY
from fiveup_sim.tournament import spans
from fiveup_sim.tournament.law import law_from_columns, law_to_columns
from fiveup_sim.tournament.match_results import MatchResults

FORMAT = 2
"""Changes whenever the files change, the fields of TALLY, LAW and GAME among them."""
_HEAD = "run.json"
_OURS = ("tallies-*.npz", "games-*.parquet", "tallies.*.part", "games.*.part", f"{_HEAD}.*.part")


class StoreError(Exception):
    """Results that cannot be read, or that would be lost by writing; one plain line."""


Parse = Callable[[Mapping[str, Any]], dict[str, Any]]
"""Makes the fields of results out of what run.json says of them, and raises ValueError where it cannot be so."""


def holds_results(path: Path) -> bool:
    """Whether the directory `path` holds results: False if it is not there, or empty.

    Raises
    ------
    StoreError
        If it holds anything else.
    """
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return False
    if not (path / _HEAD).exists():
        raise StoreError(f"{path} holds something that is not results: it is left alone")
    return True


def write_run(path: Path, head: dict[str, Any], matches: Sequence[MatchResults]) -> None:
    """Write results to the directory `path`, which is made if it is not there; earlier ones are replaced in one step.

    Parameters
    ----------
    path
        The directory.
    head
        What run.json says, but for the files.
    matches
        Their arrays.
    """
    path.mkdir(parents=True, exist_ok=True)
    tallies = _write(path, "tallies", ".npz", lambda file: _write_arrays(file, matches))
    games = [_write_games(path, match) for match in matches]
    _write_head(path, {"format": FORMAT, **head, "files": {"tallies": tallies, "games": games}})
    _clean_up(path, {tallies["name"], *(file["name"] for file in games if file is not None)})


def read_head(path: Path, parse: Parse) -> dict[str, Any]:
    """The fields of the results in `path`, without their arrays.

    Raises
    ------
    StoreError
        If there are none, or run.json is damaged, edited, or of another version.
    """
    return _parsed(path, _load_head(path), parse)


def read_run(path: Path, parse: Parse) -> dict[str, Any]:
    """The fields of the results in `path`, with their arrays.

    Raises
    ------
    StoreError
        As for :func:`read_head`, or if a file is missing or not the one that was written.
    """
    head = _load_head(path)
    fields = _parsed(path, head, parse)
    try:
        files, matches = _files(head, len(fields["matches"])), fields["matches"]
        with np.load(_checked(path, files["tallies"]), allow_pickle=False) as arrays:
            matches = [_with_arrays(match, arrays, i) for i, match in enumerate(matches)]
        both = zip(matches, files["games"], strict=True)
        matches = [match if match.games is None else _with_games(match, _checked(path, file)) for match, file in both]
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, BadZipFile) as error:
        raise StoreError(f"the results in {path} are damaged: {error}") from error
    return fields | {"matches": tuple(matches)}


def _load_head(path: Path) -> dict[str, Any]:
    """What run.json says, if it is what was written."""
    try:
        head = json.loads((path / _HEAD).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise StoreError(f"no results in {path}: there is no {_HEAD}") from None
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{path / _HEAD} is damaged: {error}") from error
    written = head.get("format") if isinstance(head, dict) else None
    if type(written) is not int:
        raise StoreError(f"{path / _HEAD} is damaged: it names no format")
    if written != FORMAT:
        age = "a newer" if written > FORMAT else "an older"
        raise StoreError(
            f"the results in {path} were written by {age} version of fiveup_sim"
            f" (format {written}, this one reads {FORMAT})"
        )
    if head.pop("checksum", None) != _checksum(head):
        raise StoreError(f"{path / _HEAD} has changed since it was written")
    return head


def _parsed(path: Path, head: dict[str, Any], parse: Parse) -> dict[str, Any]:
    try:
        return parse(head)
    except ValueError as error:
        raise StoreError(f"{path / _HEAD} is damaged: {error}") from error


def _files(head: dict[str, Any], n_matches: int) -> dict[str, Any]:
    """The files that run.json names: the tallies, and for each line-up its games or None."""

    def is_file(kept: Any) -> bool:
        return isinstance(kept, dict) and all(isinstance(kept.get(key), str) for key in ("name", "sha256"))

    files = head.get("files")
    games = files.get("games") if isinstance(files, dict) else None
    if not isinstance(games, list) or len(games) != n_matches or not is_file(files["tallies"]):
        raise ValueError(f"files = {files!r:.80}: allowed the tallies, and games or null for each line-up")
    for match, kept in zip(head["matches"], games, strict=True):
        if match["keeps_games"] != is_file(kept):
            raise ValueError(f"games = {kept!r:.80}: allowed a file where games were kept, else null")
    return files


def _checksum(head: dict[str, Any]) -> str:
    """A hash of what run.json says, however it is laid out."""
    return sha256(json.dumps(head, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _write_arrays(file: BinaryIO, matches: Sequence[MatchResults]) -> None:
    """What ``numpy.savez_compressed`` writes, in a third of its time: counts are mostly zeros at any level."""
    with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for i, match in enumerate(matches):
            steps, counts = law_to_columns(match.law)
            for name, array in (("tallies", match.tallies), ("law_steps", steps), ("law_counts", counts)):
                with archive.open(f"{i}.{name}.npy", "w", force_zip64=True) as entry:
                    np.lib.format.write_array(entry, array, allow_pickle=False)


def _with_arrays(match: MatchResults, arrays: Any, i: int) -> MatchResults:
    tallies = arrays[f"{i}.tallies"]
    if tallies.dtype != TALLY or tallies.shape != (match.line_up.n_rotations, N_GROUPS):
        raise ValueError(f"the tallies of {match.line_up.label} are not those that {_HEAD} describes")
    if (tallies["games"] != spans.by_remainder(match.blocks, N_GROUPS)).any():
        raise ValueError(f"the tallies of {match.line_up.label} are not of the blocks that {_HEAD} names")
    return replace(match, tallies=tallies, law=law_from_columns(arrays[f"{i}.law_steps"], arrays[f"{i}.law_counts"]))


def _with_games(match: MatchResults, path: Path) -> MatchResults:
    games = _read_games(path)
    if len(games) != match.n_games:
        raise ValueError(f"{path.name} holds {len(games)} games of {match.line_up.label}, not {match.n_games}")
    return replace(match, games=games)


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
    text = json.dumps(head, indent=1)
    with open(part, "w", encoding="utf-8") as file:
        file.write(json.dumps({**head, "checksum": _checksum(json.loads(text))}, indent=1))
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
