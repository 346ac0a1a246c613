"""What the tests of the command line share."""

from __future__ import annotations

import os
import subprocess
import sys

from click.testing import CliRunner, Result

from fiveup_sim.cli import main


def fiveup(*words: object) -> Result:
    """What the command does, in this process; a bug is raised here."""
    result = CliRunner().invoke(main, [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def refused(*words: object) -> str:
    """The line on stderr with which the command refuses its arguments."""
    result = fiveup(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr.strip()


def process(*words: str, **env: str) -> subprocess.Popen:
    """The command in a process of its own."""
    code = "import sys; from fiveup_sim.cli import main; sys.argv[0] = 'fiveup'; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **env},
    )  # fmt: skip
