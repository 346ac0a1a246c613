"""Files that are written whole or not at all, wherever they are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def in_one_step(path: str | Path) -> Iterator[Path]:
    """A file to write that becomes `path` at the end; nothing is left of it if that is not reached.

    The target of a symbolic link is replaced, and the link stays. A pipe or a device cannot be replaced: it is written
    into.

    Parameters
    ----------
    path
        What is to be written.

    Yields
    ------
    Path
        Where to write it: beside `path`, with its suffix.

    Raises
    ------
    OSError
        Naming `path`.
    """
    path = Path(path)
    target = path.resolve() if path.is_symlink() else path
    if target.exists() and not target.is_file():
        yield path
        return
    part = target.with_name(f".{os.getpid()}-{path.name}")
    try:
        yield part
        os.replace(part, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        part.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> None:
    """Write `text` to the file `path` in one step, in UTF-8, with the same line ends everywhere."""
    with in_one_step(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write `content` to the file `path` in one step."""
    with in_one_step(path) as part:
        part.write_bytes(content)
