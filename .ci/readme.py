"""Run the examples of README.md as a reader would: the commands, then the Python ones, in a new folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path


def blocks(text: str, language: str) -> list[str]:
    """The code blocks of one language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def main(folder: str) -> None:
    """Run everything in `folder`; the first thing that fails ends it."""
    text = Path("README.md").read_text()
    where = Path(folder, "readme")
    where.mkdir()
    commands = [line for block in blocks(text, "sh") for line in block.splitlines() if line.startswith("fiveup ")]
    assert len(commands) > 5, "the README shows no commands"
    for command in commands:
        print(f"++ {command}", flush=True)
        subprocess.run(["bash", "-c", command], cwd=where, check=True, stdout=subprocess.DEVNULL)
    (where / "example.py").write_text(blocks(text, "python")[0])
    (where / "mine.py").write_text(blocks(text, "python")[1])
    for command in (f"{sys.executable} example.py", "fiveup match mine.py:most_points greedy --games 2000 --seed 1"):
        print(f"++ {command}", flush=True)
        subprocess.run(command.split(), cwd=where, check=True, env=os.environ, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main(sys.argv[1])
