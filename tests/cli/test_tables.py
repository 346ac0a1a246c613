"""Tables in a terminal: words and figures are never broken inside."""

from __future__ import annotations

import pytest

from fiveup_sim.cli.tables import print_table


@pytest.mark.parametrize("width", [40, 60, 80])
def test_names_are_not_broken_inside(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    row = ["dave(variety=0.1)", "careful(caution=0.25, depth=2)", "91.84 % (91.62 to 92.06)", "0.1 (0.0 to 0.2)"]
    print_table(["strategy", "against", "games won", "points"], [row], may_wrap=["strategy", "against"])
    printed = capsys.readouterr().out
    for word in ("dave(variety=0.1)", "careful(caution=0.25,", "depth=2)", *row[2:]):
        assert word in printed
