"""The file of a study: read with errors that name the line, and written."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fiveup_sim.experiments.study import SECTIONS, Study
from fiveup_sim.files import write_text
from fiveup_sim.rules import Rules, rule_fields
from fiveup_sim.strategy import StrategyError, find_strategy
from fiveup_sim.strategy.errors import nearest
from fiveup_sim.tournament.lineup import make_line_up, tournament_line_ups

FILE_NAME = "study.toml"


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_text, value))


def _is_whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value <= high


_KEYS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "question": (_is_text, "a text"),
    "strategies": (_is_texts, "a list of names"),
    "line_ups": (lambda value: isinstance(value, list) and bool(value) and all(map(_is_texts, value)),
                 "a list of lists of names"),
    "seats": (_is_whole(2, 4), "2, 3 or 4"),
    "games": (_is_whole(1, 1 << 62), "a whole number from 1"),
    "seed": (_is_whole(0, (1 << 64) - 1), f"a whole number from 0 to {(1 << 64) - 1}"),
    "level": (lambda value: isinstance(value, float) and 0 < value < 1, "a number between 0 and 1"),
    "sections": (lambda value: isinstance(value, list) and all(name in SECTIONS for name in value),
                 f"a list of {', '.join(SECTIONS)}"),
    "rules": (lambda value: isinstance(value, dict), "a table: a preset, and rules that are different"),
}  # fmt: skip
_NEEDED = ("question", "games", "seed")


class StudyError(ValueError):
    """A study that cannot be read: file, line, what is wrong, what is allowed."""


def read_study(directory: str | Path) -> Study:
    """The study in the folder `directory`.

    Raises
    ------
    StudyError
        Naming the file, the line, the key, and what is allowed; of a misspelt key the nearest one.
    OSError
        If there is none.
    """
    path = Path(directory) / FILE_NAME
    return _Reader(path, path.read_text(encoding="utf-8")).study()


def save_study(study: Study, directory: str | Path) -> Path:
    """Write ``study.toml``, for :func:`fiveup_sim.report.study.play_study` to play.

    Parameters
    ----------
    study
        The study.
    directory
        Made if it is not there.

    Returns
    -------
    Path
        Of the file.

    Raises
    ------
    ValueError
        If another study is there already.
    """
    path, text = Path(directory) / FILE_NAME, format_study(study)
    if path.exists() and path.read_text(encoding="utf-8") != text:
        raise ValueError(f"{path} is another study: it is left alone")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, text)
    return path


def format_study(study: Study) -> str:
    """The text of a study's file."""
    preset, changes = study.rules.changes()
    lines = ["# Everything this report came from; `fiveup study FOLDER` plays what is missing and makes it again."]
    lines += [f"question = {_toml(study.question)}"]
    lines += [f"strategies = {_toml(list(study.strategies))}"] if study.strategies else []
    lines += [f"line_ups = {_toml([list(names) for names in study.line_ups])}"] if study.line_ups else []
    lines += [f"seats = {study.rules.seats}", f"games = {study.games}  # of each line-up", f"seed = {study.seed}"]
    lines += [f"level = {study.level}"]
    lines += [f"sections = {_toml(list(study.sections))}"] if study.sections != SECTIONS else []
    lines += ["", "[rules]", f"preset = {_toml(preset)}"]
    lines += [f"{name} = {_toml(value)}" for name, value in changes.items()]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    # what JSON writes of texts, numbers, truths and lists is TOML too
    return json.dumps(value, ensure_ascii=False)


class _Reader:
    """One file, and where in it things are."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._lines = text.splitlines()
        try:
            self._values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise StudyError(f"{path}: {error}") from None

    def study(self) -> Study:
        values = self._values
        for key, value in values.items():
            if key not in _KEYS:
                raise self._error(key, f"{key}: no such key{nearest(key, _KEYS)}; allowed {', '.join(_KEYS)}")
            is_one, allowed = _KEYS[key]
            if not is_one(value):
                raise self._error(key, f"{key} = {_toml_or_repr(value)}: {self._hint(key, value)}allowed {allowed}")
        missing = [key for key in _NEEDED if key not in values]
        if missing:
            raise StudyError(f"{self._path}: missing {', '.join(missing)}")
        if ("strategies" in values) == ("line_ups" in values):
            raise StudyError(f"{self._path}: either strategies (a tournament) or line_ups (single matches) is needed")
        rules = self._rules()
        self._check_strategies(rules)
        return Study(
            question=values["question"],
            rules=rules,
            games=values["games"],
            seed=values["seed"],
            strategies=tuple(values.get("strategies", ())),
            line_ups=tuple(map(tuple, values.get("line_ups", ()))),
            level=values.get("level", 0.95),
            sections=tuple(values.get("sections", SECTIONS)),
        )

    def _rules(self) -> Rules:
        fields = dict(self._values.get("rules", {}))
        known = ["preset", *(rule.name for rule in rule_fields() if rule.name != "seats")]
        for key in fields:
            if key not in known:
                raise self._error(key, f"{key}: no such rule{nearest(key, known)}; allowed {', '.join(known)}", "rules")
        preset = fields.pop("preset", "five_up")
        try:
            return Rules.preset(preset, seats=self._values.get("seats", 2), **fields)
        except (ValueError, TypeError) as error:
            key = str(error).partition(" ")[0]
            raise self._error(key if key in fields else "preset", str(error), "rules") from None

    def _check_strategies(self, rules: Rules) -> None:
        key = "strategies" if "strategies" in self._values else "line_ups"
        names = [self._values["strategies"]] if key == "strategies" else self._values["line_ups"]
        try:
            labels = [[find_strategy(name).label for name in each] for each in names]
            line_ups = tournament_line_ups(labels[0], rules) if key == "strategies" else []
            line_ups += [make_line_up(each, rules) for each in labels if key == "line_ups"]
        except (StrategyError, ValueError) as error:
            raise self._error(key, str(error)) from None
        twice = next((one.label for one in line_ups if line_ups.count(one) > 1), None)
        if twice is not None:
            raise self._error(key, f"{key}: {twice} comes twice")

    def _hint(self, key: str, value: Any) -> str:
        if key == "sections" and isinstance(value, list):
            wrong = next(name for name in value if name not in SECTIONS)
            return f"{wrong!r} is none{nearest(str(wrong), SECTIONS)}; "
        return ""

    def _error(self, key: str, message: str, table: str = "") -> StudyError:
        line = self._line_of(key, table)
        return StudyError(f"{self._path}{f', line {line}' if line else ''}: {message}")

    def _line_of(self, key: str, table: str) -> int | None:
        """The line that sets `key` of a table (``""``: the file itself), or where the table begins."""
        inside, start = "", None
        for number, line in enumerate(self._lines, 1):
            head = re.match(r"\s*\[\s*([\w.-]+)\s*\]", line)
            if head:
                inside = head[1]
            name = re.match(r"""\s*["']?([\w.-]+?)["']?\s*=""", line)
            full = ".".join(filter(None, (inside, name[1]))) if name else inside if head else None
            if full == ".".join(filter(None, (table, key))):
                return number
            if table and full == table:
                start = number
        return start


def _toml_or_repr(value: Any) -> str:
    try:
        return _toml(value)
    except TypeError:  # dates, which JSON has not
        return repr(value)
