"""What a user sees when something is wrong: plain lines on stderr. A bug keeps its traceback."""

from __future__ import annotations

import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click

from fiveup_sim.strategy import StrategyError

_PACKAGE = Path(__file__).parents[1]


class Mistake(click.ClickException):
    """A mistake of the user: the message is one or two plain lines; exit code 2."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(message)
        ctx = click.get_current_context(silent=True)
        self._command = " ".join(filter(None, (ctx.command_path, ctx.invoked_subcommand))) if ctx else "fiveup"

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"{self._command}: {self.format_message()}", file=file or sys.stderr)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn what a user did wrong into a :class:`Mistake`; whatever else goes wrong is a bug, and passes.

    All commands run inside it: they need not do anything about errors.
    """
    try:
        yield
    except (click.exceptions.NoArgsIsHelpError, BrokenPipeError):
        raise
    except click.UsageError as error:
        raise Mistake(error.format_message()) from error
    except OSError as error:
        raise Mistake(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from error
    except Exception as error:
        if not _is_mistake(error):
            raise
        raise Mistake(str(error)) from error


def _is_mistake(error: Exception) -> bool:
    from fiveup_sim.tournament.store import StoreError

    return isinstance(error, StrategyError | StoreError) or (isinstance(error, ValueError) and _is_meant(error))


def _is_meant(error: ValueError) -> bool:
    """Whether a ``raise`` of this package raised it; a ValueError of Python or of a library is a bug of ours."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return Path(last.filename).is_relative_to(_PACKAGE) and (last.line or "").startswith("raise ")


@contextmanager
def plain_output() -> Iterator[None]:
    """Warnings in a plain line each; letters that the terminal has not are escaped."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        yield


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    tell(f"warning: {message}")


def tell(text: str) -> None:
    """Say something on stderr."""
    click.echo(text, err=True)
