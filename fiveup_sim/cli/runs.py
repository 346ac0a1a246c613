"""Commands that play many games, and the one that reads what they saved."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fiveup_sim.cli import options
from fiveup_sim.cli.errors import tell
from fiveup_sim.cli.options import RulesChoice
from fiveup_sim.cli.run_directory import run_directory

if TYPE_CHECKING:
    from fiveup_sim import Results, Rules

QUICK_STRATEGIES = ("random", "first", "heavy", "greedy")
"""Who plays when nobody is named: the built-in strategies but ``careful``, whose games take five times as long."""

_run_options: tuple[Callable, ...] = (
    options.rules_options,
    options.games_option(default=50_000, show_default=True),
    options.seed_option,
    options.jobs_option,
    click.option("--first-block", type=click.IntRange(0), default=0, metavar="B", help="Number of the first block."),
    options.out_option,
    options.save_option,
    click.option("--resume", is_flag=True, help="Go on with the run in --out: play what is missing in it."),
    options.level_option,
    options.json_option,
)


def _runs(command: Callable) -> Callable:
    """The options of commands that play."""
    return reduce(lambda decorated, option: option(decorated), reversed(_run_options), command)


@click.command()
@click.argument("strategies", nargs=-1, metavar="[STRATEGY]...")
@click.option(
    "--save-study", "study", type=click.Path(path_type=Path), metavar="DIR",
    help='Also write DIR/study.toml, for "fiveup study DIR" to play and report.',
)
@_runs
def tournament(strategies: tuple[str, ...], chosen: RulesChoice, study: Path | None, **asked: Any) -> None:
    """Play every STRATEGY against every other, rank them, and save the run.

    Without a STRATEGY: random, first, heavy and greedy, not careful, which is slower. A strategy is an installed one
    ("fiveup strategies" lists them), with parameters as in "careful(pips=0.05)", or a function in a file,
    mine.py:function.
    """
    from fiveup_sim import play_tournament

    players, rules = strategies or QUICK_STRATEGIES, chosen.rules()
    if study is not None:
        if asked["seed"] is None:
            asked["seed"] = secrets.randbits(32)
        _save_study(study, tuple(players), rules, **asked)
    _run(play_tournament, players, rules, **asked)


def _save_study(folder: Path, strategies: tuple[str, ...], rules: Rules, **asked: Any) -> None:
    from fiveup_sim.experiments.study import Study
    from fiveup_sim.experiments.study_file import save_study

    question = f"Who wins most among {', '.join(strategies)}?"
    path = save_study(
        Study(question, rules, asked["games"], asked["seed"], strategies, level=asked["level"]), folder
    )  # fmt: skip
    tell(f"the study is in {path}")


@click.command()
@options.strategies_argument
@_runs
def match(strategies: tuple[str, ...], chosen: RulesChoice, **asked: Any) -> None:
    """Play one line-up in all its seatings, and save the run.

    Name one STRATEGY for each seat, or with --seats 4 one for each side.
    """
    from fiveup_sim import play_match

    _run(play_match, strategies, chosen.rules_for(strategies), **asked)


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@options.level_option
@options.json_option
def summary(run: Path, level: float, as_json: bool) -> None:
    """Say what the run saved in the directory RUN found, with all measures."""
    from fiveup_sim import Results
    from fiveup_sim.analysis.metrics import METRICS
    from fiveup_sim.cli.findings import print_json, print_results

    results = Results.load(run)
    if as_json:
        print_json(results, level, run)
    else:
        print_results(results, level, run, measures=tuple(METRICS))


def _run(
    play: Callable[..., Results],
    strategies: Sequence[str],
    rules: Rules,
    *,
    out: Path | None,
    is_saved: bool,
    resume: bool,
    level: float,
    as_json: bool,
    **asked: Any,
) -> None:
    from fiveup_sim import Results, find_strategy
    from fiveup_sim.cli.findings import print_json, print_results

    if resume and out is None:
        raise click.UsageError("--resume goes on with a run that is there: name it with --out")
    if out is not None and not is_saved:
        raise click.UsageError("--no-save and --out: one of them")
    done = Results.load(out) if resume and out else None
    labels = [find_strategy(strategy).label for strategy in strategies]
    with run_directory(out, labels) if is_saved else nullcontext() as path:
        results = _play(play, strategies, rules, path, done, **asked)
    path = path if path is not None and path.exists() else None
    (print_json if as_json else print_results)(results, level, path)
    if not results.is_complete:
        if path is not None:
            tell(f"to go on: the same command with --out {path} --resume")
        raise click.exceptions.Exit(1)


def _play(
    play: Callable[..., Results],
    strategies: Sequence[str],
    rules: Rules,
    path: Path | None,
    done: Results | None,
    *,
    games: int,
    jobs: int | None,
    **asked: Any,
) -> Results:
    """The results, saved in `path` if it is not None."""
    from fiveup_sim import PlayError

    try:
        results = play(strategies, rules=rules, games=games, n_jobs=jobs or -1, save_to=path, resume=done, **asked)
    except PlayError as error:
        if error.results is not None and error.results.n_games and path is not None:
            tell(f"{error.results.n_games:,} games were played until then: {path}")
        raise
    _tell_rounding(results, games)
    return results


def _tell_rounding(results: Results, games: int) -> None:
    for match in results.matches:
        n_rotations = match.line_up.n_rotations
        if games % n_rotations:
            whole = match.line_up.n_blocks(games) * n_rotations
            tell(f"{match.line_up.label}: {games:,} games rounded up to {whole:,}, whole blocks of {n_rotations}")
