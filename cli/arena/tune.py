"""Search for better values of a bot's options: `doublecross tune`."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doublecross.cli.arena.options import MOST_PAIRS, PlayOptions, check_count
from doublecross.cli.arena.run import arena_of, until_stopped
from doublecross.cli.shared.console import Problem, out, say, warn
from doublecross.cli.shared.family import grouped
from doublecross.cli.shared.openings import find_openings
from doublecross.cli.shared.options import bot_argument
from doublecross.cli.shared.parsing import spec_of
from doublecross.cli.shared.tables import rows_table
from doublecross.processes.installation import how_to_add

if TYPE_CHECKING:
    from doublecross.bots.arena.arena import Arena
    from doublecross.bots.arena.cluster import ClusterArena
    from doublecross.bots.arena.job import ArenaJob
    from doublecross.bots.arena.tuning import Tuning, TuningJob

_BEST = 5
"""So many of the best trials are shown."""


@grouped
def tune(
    bot: Annotated[str, bot_argument("The bot, such as mcts.")],
    option: Annotated[
        list[str],
        typer.Option("--option", "-o", help="What to tune: NAME=LOW..HIGH or NAME=ONE|OTHER."),
    ],
    folder: Annotated[Path, typer.Option(help="Keep the trials here, and continue from them.")],
    against: Annotated[
        str | None, typer.Option(help="The opponent.", show_default="the bot as it is")
    ] = None,
    trials: Annotated[int, typer.Option("--trials", "-n", help="Stop after so many.")] = 100,
    pairs: Annotated[int, typer.Option(help="Game pairs of each trial.")] = 10,
    net: Annotated[bool, typer.Option("--net", help="Look for net boxes, not for points.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of the openings and choices.")] = 1,
    *,
    options: PlayOptions,
) -> None:
    """Search for better values of a bot's options.

    Each trial plays game pairs with other values against the same opponent. The next values follow
    from all trials so far. Ctrl-C stops, and the same command continues. Confirm the result with
    doublecross sprt, because the best of many trials was also lucky.

    Example: doublecross tune mcts -o c=0.3..3 --nodes 500 --size 4x4 --folder runs/mcts
    """
    if importlib.util.find_spec("optuna") is None:
        raise Problem(
            f"Tuning needs a package that is not installed (optuna): {how_to_add('tune')}"
        )
    from doublecross.bots.api import BotError
    from doublecross.bots.arena.folder import OtherTerms
    from doublecross.bots.arena.tuning import Tuning, TuningJob, read_tuned
    from doublecross.bots.registry import bot_class

    board = options.board
    spec, opponent = spec_of(bot, board), spec_of(against or bot, board)
    check_count("--trials", trials, MOST_PAIRS)
    check_count("--pairs", pairs, MOST_PAIRS)
    limits, at_once = options.limits((spec, opponent), board), options.at_once
    options.check_openings((spec, opponent), board, find_openings(board, 1, seed)[0])
    try:
        tuned = tuple(read_tuned(text, bot_class(spec.name)) for text in option)
        job = TuningJob(
            spec,
            opponent,
            tuned,
            board,
            limits.budgets[0],
            pairs,
            seed,
            "net" if net else "score",
            limits.adjudicate,
        )
        tuning = Tuning(job, folder)
    except (BotError, OtherTerms) as error:
        raise Problem(str(error)) from None
    except OSError as error:
        raise Problem(f"The folder {folder} cannot be used: {error.strerror}.") from None
    try:
        _play(tuning, trials, at_once, options.dask)
    finally:
        _show(tuning, folder)


def _play(tuning: Tuning, trials: int, workers: int, dask: str | None) -> None:
    """Run the search, and print each trial."""
    job, done = tuning.job, len(tuning.finished)
    if done:
        say(f"{done} trials are there already.", "dim")

    def on_trial(values: Mapping[str, Any], value: float) -> None:
        nonlocal done
        done += 1
        say(f"{done}/{trials}  {_values(values)}  {_figure(job, value)}")

    def arena(job: ArenaJob, **how: Any) -> Arena | ClusterArena:
        return arena_of(job, workers, dask, on_note=warn, **how)

    until_stopped(lambda: tuning.run(trials, workers=workers, on_trial=on_trial, arena=arena))


def _show(tuning: Tuning, folder: Path) -> None:
    """Print the best trials, draw the plots, and say how to confirm the result."""
    from doublecross.bots.arena.tuning import save_plots
    from doublecross.bots.registry import BotSpec

    best, job = tuning.finished[:_BEST], tuning.job
    if not best:
        return
    what = "Net boxes a game" if job.aim == "net" else "Score"
    rows = [(_values(trial.params), _figure(job, trial.value or 0.0)) for trial in best]
    out().print(rows_table(("Options", what), rows))
    if importlib.util.find_spec("matplotlib") is not None and len(tuning.finished) > 1:
        files = save_plots(tuning, folder)
        warn(f"Wrote {' and '.join(map(str, files))}.", "dim")
    values = {
        name: f"{value:.4g}" if isinstance(value, float) else value
        for name, value in best[0].params.items()
    }
    found = BotSpec(job.spec.name, {**job.spec.options, **values})
    say(f"Is it stronger? doublecross sprt '{found}' '{job.opponent}'")


def _values(values: Mapping[str, Any]) -> str:
    return " ".join(
        f"{name}={value:.4g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in values.items()
    )


def _figure(job: TuningJob, value: float) -> str:
    return f"{value:+.2f}" if job.aim == "net" else f"{100 * value:.1f} %"
