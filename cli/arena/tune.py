"""Search for better values of a bot's options: `doublecross tune`."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doublecross.cli.arena.arena import (
    MOST_PAIRS,
    MOST_WORKERS,
    ClockOption,
    ConcurrencyOption,
    DaskOption,
    DepthOption,
    MarginOption,
    NodesOption,
    TimeOption,
    arena_of,
    board_of,
    check_count,
)
from doublecross.cli.arena.limits import limits_of
from doublecross.cli.shared.console import FAILED, Problem, out, say, warn
from doublecross.cli.shared.options import GameName, Size, bot_argument
from doublecross.cli.shared.parsing import DEFAULT_GAME, spec_of
from doublecross.cli.shared.tables import rows_table
from doublecross.processes.installation import how_to_add

if TYPE_CHECKING:
    from doublecross.bots.arena.arena import Arena
    from doublecross.bots.arena.cluster import ClusterArena
    from doublecross.bots.arena.job import ArenaJob
    from doublecross.bots.arena.tuning import Tuning, TuningJob

_BEST = 5
"""So many of the best trials are shown."""


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
    game: GameName = DEFAULT_GAME,
    size: Size = None,
    time: TimeOption = None,
    clock: ClockOption = None,
    nodes: NodesOption = None,
    depth: DepthOption = None,
    margin: MarginOption = None,
    concurrency: ConcurrencyOption = None,
    dask: DaskOption = None,
    seed: Annotated[int, typer.Option(help="Seed of the openings and choices.")] = 1,
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

    board = board_of(game, size)
    spec, opponent = spec_of(bot, board), spec_of(against or bot, board)
    check_count("--trials", trials, MOST_PAIRS)
    check_count("--pairs", pairs, MOST_PAIRS)
    check_count("--concurrency", concurrency, MOST_WORKERS)
    limits = limits_of((time, clock, nodes, depth), (None,) * 4, margin, cpu=False)
    limits = limits.of_bots((spec, opponent))
    try:
        tuned = tuple(read_tuned(text, bot_class(spec.name)) for text in option)
        job = TuningJob(
            spec, opponent, tuned, board, limits.budgets[0], pairs, seed, "net" if net else "score"
        )
        tuning = Tuning(job, folder)
    except (BotError, OtherTerms) as error:
        raise Problem(str(error)) from None
    except OSError as error:
        raise Problem(f"The folder {folder} cannot be used: {error.strerror}.") from None
    try:
        _play(tuning, trials, concurrency or os.cpu_count() or 1, dask)
    finally:
        _show(tuning, folder)


def _play(tuning: Tuning, trials: int, workers: int, dask: str | None) -> None:
    """Run the search, and print each trial."""
    from doublecross.bots.api import BotError
    from doublecross.bots.arena.arena import ArenaError

    job, done = tuning.job, len(tuning.finished)
    if done:
        say(f"{done} trials are there already.", "dim")

    def on_trial(values: Mapping[str, Any], value: float) -> None:
        nonlocal done
        done += 1
        say(f"{done}/{trials}  {_values(values)}  {_figure(job, value)}")

    async def run() -> None:
        me = asyncio.current_task()
        assert me is not None
        with contextlib.suppress(NotImplementedError):  # Windows
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)

        def arena(job: ArenaJob, **how: Any) -> Arena | ClusterArena:
            return arena_of(job, workers, dask, on_note=warn, **how)

        await tuning.run(trials, workers=workers, on_trial=on_trial, arena=arena)

    try:
        asyncio.run(run())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    except BotError as error:
        raise Problem(str(error), trace=error.trace) from None
    except ArenaError as error:
        raise Problem(str(error), FAILED) from None


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
