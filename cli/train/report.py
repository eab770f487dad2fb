"""`doublecross train report`: the course of a run as tables, CSV, plots and a page."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from doublecross.cli.shared.console import Problem, say, warn
from doublecross.cli.shared.files import write_bytes
from doublecross.cli.shared.parsing import DEFAULT_GAME
from doublecross.processes.installation import how_to_add

if TYPE_CHECKING:
    from doublecross.bots.training.folder import RunFolder
    from doublecross.bots.training.settings import TrainSettings
    from doublecross.cli.train.progress import Progress


def report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the run.")],
) -> None:
    """Print how a run went, and write its CSV files, plots and report.html.

    Example: doublecross train report runs/first
    """
    from doublecross.bots.training.folder import RunFolder
    from doublecross.bots.training.settings import TrainError
    from doublecross.cli.train.progress import Progress
    from doublecross.cli.train.show import clock, gate_text, truth_text

    run = RunFolder(folder, warn)
    try:
        run.settings()
    except TrainError as error:
        raise Problem(str(error)) from None
    progress = Progress(run.journal())
    if progress.losses:
        last = progress.losses[-1]
        say(f"{last['step']:,} steps in {clock(last['seconds'])}.")
    for name, count in progress.samples.items():
        say(f"Samples {name}: {count:,}")
    for entry in progress.newest_truth().values():
        say(f"Step {entry['step']:,}, {entry['size']}: {truth_text(entry)}")
    for entry in progress.gates:
        say(f"Gate at step {entry['step']:,}: {gate_text(entry)}")
    for entry in progress.matches[-6:]:
        where = f"{entry['size']} against {entry['against']}"
        say(f"Step {entry['step']:,}, {where}: {entry['score']} %")
    for path in write_report(run):
        warn(f"Wrote {path}.", "dim")


def write_report(run: RunFolder) -> list[Path]:
    """Write the CSV files, and with matplotlib the plots and the page; return their paths."""
    from doublecross.cli.train.progress import Progress

    progress = Progress(run.journal())
    files = {
        "losses.csv": progress.losses_csv().encode(),
        "ratings.csv": progress.ratings_csv().encode(),
    }
    if importlib.util.find_spec("matplotlib") is not None:
        from doublecross.cli.train.plots import plots

        pictures = plots(progress)
        files |= {f"{name}.svg": picture.encode() for name, picture in pictures.items()}
        files["report.html"] = _page(run.settings(), progress, pictures).encode()
    else:
        warn(f"There are no plots without matplotlib: {how_to_add('reports')}", "dim")
    for name, data in files.items():
        write_bytes(run.path / name, data)
    return [run.path / name for name in files]


def _page(settings: TrainSettings, progress: Progress, pictures: dict[str, str]) -> str:
    from doublecross.cli.shared.report.templates import render
    from doublecross.cli.train.plots import TITLES
    from doublecross.cli.train.progress import unit_of
    from doublecross.cli.train.show import clock

    game = "" if settings.game == DEFAULT_GAME else f"{settings.game} "
    last = progress.losses[-1] if progress.losses else {"step": 0, "seconds": 0.0}
    return render(
        "training.html",
        title=f"Training on {game}{', '.join(settings.sizes)}",
        about=f"{last['step']:,} steps in {clock(last['seconds'])} · teacher {settings.teacher}"
        f" · {settings.blocks} blocks of {settings.channels} channels · seed {settings.seed}",
        pictures=pictures,
        titles=TITLES,
        progress=progress,
        unit=next((unit_of(entry).capitalize() for entry in progress.truths), ""),
    )
