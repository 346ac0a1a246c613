"""Game records: one game as a JSON object, one a line, in ``.jsonl`` or ``.jsonl.gz`` files."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

from fiveup_sim.referee.form import FORMAT
from fiveup_sim.referee.transcript import transcript

__all__ = ["FORMAT", "GameRecord", "RecordError", "number_records", "read_records", "write_records"]


class RecordError(ValueError):
    """A line that is no game record.

    Attributes
    ----------
    line
        Its number in the file, from 1.
    reason
        What is wrong with it.
    """

    def __init__(self, path: str | Path, line: int, reason: str) -> None:
        super().__init__(f"{path}, line {line}: {reason}")
        self.line = line
        self.reason = reason


@dataclass
class GameRecord:
    """A recorded game; printed, a transcript of it.

    Nothing is checked here but that it is a JSON object of the right format: see
    :func:`fiveup_sim.referee.referee.check_record`.
    """

    data: dict[str, Any]
    """The JSON object, with all its keys, the unknown ones too."""

    @classmethod
    def from_json(cls, text: str) -> GameRecord:
        """The record written `text`.

        Raises
        ------
        ValueError
            If `text` is not a JSON object of format :data:`FORMAT`, or names a key twice.
        """
        try:
            data = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
        except RecursionError:
            raise ValueError("not JSON: nested too deep") from None
        except json.JSONDecodeError as error:
            raise ValueError(f"not JSON: {error}") from None
        found = data.get("format") if isinstance(data, dict) else None
        if found != FORMAT:
            raise ValueError(f"format = {found!r}: allowed {FORMAT!r}, in a JSON object")
        return cls(data)

    def to_json(self) -> str:
        """The record as one line of JSON."""
        return json.dumps(self.data, separators=(",", ":"))

    def transcript(self, hands: Collection[int] | None = None) -> str:
        """The game for a human to read.

        Parameters
        ----------
        hands
            Numbers of the hands to give in full, from 1; the others take a line each. None: all hands of a short
            game, the first and the last ones of a long game.
        """
        return transcript(self.data, hands)

    def __str__(self) -> str:
        return self.transcript()


def read_records(path: str | Path) -> Iterator[GameRecord]:
    """The records of a file, one after another; empty lines are passed over.

    Parameters
    ----------
    path
        A ``.jsonl`` file, or a ``.gz`` one of the same.

    Raises
    ------
    RecordError
        At a line that is no record.
    """
    for _, record in number_records(path):
        yield record


def number_records(path: str | Path) -> Iterator[tuple[int, GameRecord]]:
    """The records of a file as :func:`read_records` gives them, each with the number of its line."""
    with _open(path, "rb") as file:
        line = 0
        try:
            for line, text in enumerate(file, 1):
                if text.strip():
                    yield line, GameRecord.from_json(text.decode())
        except UnicodeDecodeError as error:
            raise RecordError(path, line, f"not UTF-8: {error.reason} at byte {error.start}") from None
        except ValueError as error:
            raise RecordError(path, line, str(error)) from None
        except (gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise RecordError(path, line + 1, f"not gzip: {error}") from None


def write_records(path: str | Path, records: Iterable[GameRecord]) -> int:
    """Write `records` to a file, one after another as they come, and return how many.

    Parameters
    ----------
    path
        ``.jsonl``, or ``.gz`` to compress; the same records give the same bytes either way.
    records
        Records, of which only one is held at a time.
    """
    n_records = 0
    with _open(path, "wb") as file:
        for record in records:
            file.write(record.to_json().encode() + b"\n")
            n_records += 1
    return n_records


@contextmanager
def _open(path: str | Path, mode: Literal["rb", "wb"]) -> Iterator[BinaryIO | gzip.GzipFile]:
    with Path(path).open(mode) as file:
        if Path(path).suffix != ".gz":
            yield file
            return
        # No name and no time in the head: the bytes depend on the records alone.
        with gzip.GzipFile(filename="", fileobj=file, mode=mode, mtime=0) as packed:
            yield packed


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"key {next(name for name in names if names.count(name) > 1)!r} twice in one object")
    return values


def _no_constant(text: str) -> None:
    raise ValueError(f"not JSON: {text}")
