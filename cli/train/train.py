"""Train a network in a folder, and continue where it stopped: `doublecross train`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from doublecross.cli.shared.console import FAILED, Problem, say, warn
from doublecross.cli.shared.family import family, help_text
from doublecross.cli.shared.options import Dask
from doublecross.cli.shared.parsing import DEFAULT_GAME, spec_of
from doublecross.cli.train.check import check
from doublecross.cli.train.packages import need_training
from doublecross.cli.train.report import report

if TYPE_CHECKING:
    from doublecross.bots.training.folder import RunFolder
    from doublecross.bots.training.plan import RunPlan
    from doublecross.bots.training.settings import TrainSettings

_MOST_WORKERS: Final = 256
_OPPONENTS: Final = ("rules", "mcts:simulations=1000")
"""The bots that accepted networks play by default."""

app = family("train", invoke_without_command=True)


def train(
    context: typer.Context,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The folder of the run; an earlier run continues."),
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from", help="Begin with the network and the samples of the run in this folder."
        ),
    ] = None,
    game: Annotated[str | None, typer.Option(help="The game.", show_default=DEFAULT_GAME)] = None,
    sizes: Annotated[
        str | None,
        typer.Option(help="Sizes, with commas.", show_default="3x3,4x4,5x5; in others one"),
    ] = None,
    hours: Annotated[
        float | None,
        typer.Option(help="How long to train in all, earlier parts included.", show_default="2"),
    ] = None,
    steps: Annotated[int | None, typer.Option(help="Stop after so many steps instead.")] = None,
    teacher: Annotated[
        str | None,
        typer.Option(
            help="labels (exact values), self-play, or both.",
            show_default="labels; in other games self-play",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", "-w", help="How many processes work.", show_default="all cores"),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of all random numbers.")] = None,
    blocks: Annotated[
        int | None, typer.Option(help="Residual blocks of the network.", show_default="4")
    ] = None,
    channels: Annotated[
        int | None, typer.Option(help="Channels of the network.", show_default="40")
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            help="A bot that accepted networks play; give it again for more. none for no bot.",
            show_default=", ".join(_OPPONENTS),
        ),
    ] = None,
    dask: Dask = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--set", help="Another setting of the run, such as batch=128."),
    ] = None,
) -> int | None:
    """Train a network for the bot zero, or continue a run.

    Exact values of the solver, games of the network against itself, or both teach it. The solver
    knows only dots-and-boxes. The folder has everything that a run needs, so Ctrl-C, a crash or a
    power cut cost a minute at most: the same command continues. best.onnx in the folder is the best
    network so far.

    Example: doublecross train --sizes 3x3 --hours 0.3 --out runs/first

    Then: doublecross match zero:net=runs/first/best.onnx rules --size 3x3
    """
    if context.invoked_subcommand is not None:
        return None
    if out is None:
        raise Problem("Name the folder of the run: doublecross train --out runs/first")
    need_training()
    given: dict[str, Any] = {"game": game, "seed": seed, "teacher": teacher}
    given |= {"blocks": blocks, "channels": channels}
    given["sizes"] = None if sizes is None else tuple(dict.fromkeys(sizes.split(",")))
    chosen = {name: value for name, value in given.items() if value is not None}
    chosen |= _more(option or [])
    _check("--hours", hours)
    _check("--steps", steps)
    _check("--workers", workers)
    if hours is None and steps is None:
        hours = 2.0
    places = min(workers or os.cpu_count() or 1, _MOST_WORKERS)
    opponents = tuple(_OPPONENTS if against is None else against)
    if opponents == ("none",):
        opponents = ()
    for bot in opponents:
        spec_of(bot)
    return _run(out, source, chosen, hours, steps, places, opponents, dask)


app.callback(help=help_text(train))(train)
app.command("report", help=help_text(report))(report)
app.command("test", help=help_text(check))(check)


def _check(name: str, value: float | None) -> None:
    if value is not None and not value > 0:
        raise Problem(f"{name} must be above zero, not {value:g}.")


def _more(options: list[str]) -> dict[str, Any]:
    """Return the settings of ``--set name=value``."""
    from doublecross.bots.training.settings import TrainSettings

    kinds = {
        name: type(value)
        for name, value in TrainSettings().to_json().items()
        if isinstance(value, int | float) and name != "seed"
    }
    found: dict[str, Any] = {}
    for option in options:
        name, _, text = option.partition("=")
        if name not in kinds:
            raise Problem(f"There is no setting {name!r}; there are {', '.join(kinds)}.")
        try:
            found[name] = kinds[name](text)
        except ValueError:
            if not text:
                raise Problem(f"Give the setting {name} a value: --set {name}=NUMBER") from None
            kind = "whole number" if kinds[name] is int else "number"
            raise Problem(f"The setting {name} is a {kind}, not {text!r}.") from None
    return found


def _run(
    out: Path,
    source: Path | None,
    chosen: dict[str, Any],
    hours: float | None,
    steps: int | None,
    workers: int,
    opponents: tuple[str, ...],
    dask: str | None,
) -> int:
    from doublecross.bots.dask_cluster import ClusterError
    from doublecross.bots.training.folder import RunFolder, disk_sentence
    from doublecross.bots.training.plan import RunPlan
    from doublecross.bots.training.settings import TrainError, TrainSettings
    from doublecross.cli.train.report import write_report
    from doublecross.cli.train.show import best_text

    folder = RunFolder(out, warn)
    try:
        if folder.exists():
            settings = folder.settings()
            _refuse_changes(out, settings, chosen)
        else:
            earlier = None if source is None else RunFolder(source, warn)
            if earlier is not None:
                before = earlier.settings()
                names = ("game", "blocks", "channels")
                chosen = {**{name: getattr(before, name) for name in names}, **chosen}
            folder.begin(TrainSettings(**chosen), earlier)
            settings = folder.settings()
        with folder.locked():
            state = folder.read_state()
            folder.cut_journal(int(state["journal"]) if state else 0)
            plan = RunPlan(
                settings,
                state,
                steps=steps,
                seconds=None if hours is None else hours * 3600,
                opponents=opponents,
            )
            if plan.over:
                say(f"The run in {out} has reached its end. Give it more hours or steps.")
                return 0
            say(
                f"Training {_until(hours, steps)}. Ctrl-C stops it, and the same command continues."
            )
            folder.restore_best(plan.best)
            stopped = _train(folder, plan, workers, dask)
            write_report(folder)
    except TrainError as error:
        raise Problem(str(error), FAILED if folder.exists() else 2) from error
    except ExceptionGroup as group:
        first = group.exceptions[0]
        if isinstance(first, TrainError | ClusterError):
            raise Problem(str(first), FAILED) from first
        raise
    except ClusterError as error:
        raise Problem(str(error), FAILED) from error
    except OSError as error:
        raise Problem(disk_sentence(error, out), FAILED) from error
    if stopped:
        say(f"Stopped after {plan.step:,} steps. The same command continues.")
    else:
        say(f"Done: {plan.step:,} steps.")
    if folder.best.exists():
        say(best_text(folder.best, settings.game, settings.sizes[0]))
    page = out / "report.html"
    if page.is_file():
        say(f"Plots and tables: {page}")
    return 130 if stopped else 0


def _until(hours: float | None, steps: int | None) -> str:
    """Return when a run ends, in words."""
    ends = [f"it has taken {hours:g} hours in all"] if hours is not None else []
    ends += [f"step {steps:,}"] if steps is not None else []
    return f"until {' or '.join(ends)}"


def _refuse_changes(out: Path, settings: TrainSettings, chosen: dict[str, Any]) -> None:
    for name, value in chosen.items():
        now = getattr(settings, name)
        if value != now:
            shown = ",".join(now) if isinstance(now, tuple) else now
            raise Problem(
                f"The run in {out} has {name} {shown}. Leave the option out to continue it, or"
                " begin a run in another folder."
            )


def _train(folder: RunFolder, plan: RunPlan, workers: int, dask: str | None) -> bool:
    """Train until the plan is over; return True if Ctrl-C ended it."""
    from doublecross.cli.train.show import TrainDisplay

    display = TrainDisplay(folder, plan)

    async def work() -> bool:
        from doublecross.bots.training.supervisor import Supervisor

        supervisor = Supervisor(
            folder, plan, workers, report=display.take, note=display.note, dask=dask
        )
        task = asyncio.ensure_future(supervisor.run())
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            # Windows has no such handlers; there Ctrl-C raises KeyboardInterrupt.
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(name, task.cancel)
        try:
            await task
        except asyncio.CancelledError:
            return True
        return False

    with display.showing():
        return asyncio.run(work())
