"""The code in strategies/README.md runs as it is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fiveup_sim.engine.view import LEGAL_FIELDS, PUBLIC_FIELDS, TURN

README = Path(__file__).parents[2] / "strategies" / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.filterwarnings("ignore:.*not compiled")
def test_the_code_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "readme"}
    for k, block in enumerate(BLOCKS):
        first_line = block.partition("\n")[0]
        path = tmp_path / (first_line.removeprefix("# ") if first_line.endswith(".py") else f"block_{k}.py")
        path.write_text(block, encoding="utf-8")
        exec(compile(block, str(path), "exec"), names)
    names["test_wordy_keeps_the_contract"]()
    said = capsys.readouterr().out
    assert said.startswith("strategy 'tidy' keeps the contract") and "odd parameters" in said
    assert names["bold"].label == "tidy(fear=0.01)"
    assert len(BLOCKS) == 5


def test_a_strategy_is_twenty_lines():
    assert len(BLOCKS[0].splitlines()) <= 20


def test_every_field_is_explained():
    text = README.read_text(encoding="utf-8")
    shown = re.findall(r"`([\w.\[\]]+)`", text)
    assert not set(PUBLIC_FIELDS) - {re.sub(r"\[\w+\]$", "", name) for name in shown}
    assert not {f"legal[i].{name}" for name in LEGAL_FIELDS} - set(shown)
    assert not set(TURN.names) - {name.rpartition(".")[2] for name in shown}
