"""What is written replaces a file in one step, follows links, and goes into pipes and devices."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from fiveup_sim.files import in_one_step, write_bytes, write_text
from tests.cli.kit import fiveup

RECORD = ("record", "greedy", "random", "--games", 2, "--seed", 5, "-o")


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "old\n")
    with pytest.raises(RuntimeError), in_one_step(path) as part:
        part.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old\n"
    write_bytes(path, b"new")
    assert path.read_bytes() == b"new" and list(tmp_path.iterdir()) == [path]


def test_errors_name_the_file_that_was_asked_for(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"nowhere/a\.txt"):
        write_text(tmp_path / "nowhere" / "a.txt", "")
    with pytest.raises(OSError, match="folder"):
        (tmp_path / "folder").mkdir()
        write_text(tmp_path / "folder", "")


@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path, is_there: bool) -> None:
    target, link = tmp_path / "deep" / "target.jsonl", tmp_path / "link.jsonl"
    target.parent.mkdir()
    if is_there:
        target.write_text("old")
    link.symlink_to(target)
    assert fiveup(*RECORD, link).exit_code == 0
    assert link.is_symlink() and target.read_text().count("\n") == 2
    assert list(target.parent.iterdir()) == [target]


def test_a_device_stays_one() -> None:
    assert fiveup(*RECORD, "/dev/null").exit_code == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    assert fiveup(*RECORD, pipe).exit_code == 0
    reader.join(timeout=60)
    assert read[0].count("\n") == 2 and stat.S_ISFIFO(os.stat(pipe).st_mode)
