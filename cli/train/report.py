"""`doublecross train report`: the course of a run as tables, CSV, plots and a page."""

from __future__ import annotations

import base64
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
    from doublecross.cli.shared.report.markup import Html
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
    from doublecross.cli.shared.report.markup import Html, cell, row_head, section, table, tag
    from doublecross.cli.shared.report.style import sheet
    from doublecross.cli.train.plots import TITLES
    from doublecross.cli.train.progress import unit_of
    from doublecross.cli.train.show import clock

    def figure(name: str, picture: str) -> Html:
        address = f"data:image/svg+xml;base64,{base64.b64encode(picture.encode()).decode()}"
        return tag("figure", tag("img", src=address, alt=TITLES[name]))

    game = "" if settings.game == DEFAULT_GAME else f"{settings.game} "
    title = f"Training on {game}{', '.join(settings.sizes)}"
    last = progress.losses[-1] if progress.losses else {"step": 0, "seconds": 0.0}
    about = (
        f"{last['step']:,} steps in {clock(last['seconds'])} · teacher {settings.teacher}"
        f" · {settings.blocks} blocks of {settings.channels} channels · seed {settings.seed}"
    )
    truth = [
        [
            row_head(size, class_="name"),
            cell(f"{entry['step']:,}"),
            cell(f"{100 * entry['best']:.1f} %"),
            cell(f"{entry['loss']:.3f}"),
            cell(f"{entry['lost']:.2f}"),
            cell(str(entry.get("free", "the first move"))),
        ]
        for size, entry in progress.newest_truth().items()
    ]
    unit = next((unit_of(entry).capitalize() for entry in progress.truths), "")
    gates = [
        [
            row_head(f"{entry['step']:,}"),
            cell("–" if entry["best"] is None else f"{entry['best']:,}"),
            cell(" ".join(str(count) for count in entry["counts"])),
            cell("accepted" if entry["accepted"] else "rejected"),
        ]
        for entry in progress.gates
    ]
    matches = [
        [
            row_head(entry["against"], class_="name"),
            cell(entry["size"]),
            cell(f"{entry['step']:,}"),
            cell(f"{entry['score']:.1f} %"),
        ]
        for entry in progress.matches
    ]
    samples = [
        [row_head(name, class_="name"), cell(f"{count:,}")]
        for name, count in progress.samples.items()
    ]
    parts: list[Html] = [
        tag("header", tag("h1", title), tag("p", about, class_="about")),
        tag(
            "div",
            (section(TITLES[name], figure(name, picture)) for name, picture in pictures.items()),
            class_="plots",
        ),
    ]
    for name, head, rows in (
        (
            "The network without a search, against the truth",
            ("Size", "Step", "Best move", f"{unit} lost a position", f"{unit} lost a game",
             "Judged from free edges" if unit == "Boxes" else "Judged from"),
            truth,
        ),
        ("Other bots", ("Bot", "Size", "Step", "Score of the network"), matches),
        ("Gates", ("Candidate", "Best before", "Pairs by points, 0 to 2", "Result"), gates),
        ("Samples", ("Size and teacher", "Number"), samples),
    ):  # fmt: skip
        if rows:
            parts.append(section(name, table(name, head, rows, "wide")))
    head_tags = (
        tag("meta", charset="utf-8"),
        tag(
            "meta",
            http_equiv="Content-Security-Policy",
            content="default-src 'none'; img-src data:; style-src 'unsafe-inline'",
        ),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Html(sheet())),
    )
    body = tag("main", parts, tag("footer", "Made by Doublecross"))
    return f"<!DOCTYPE html>\n{tag('html', tag('head', head_tags), tag('body', body), lang='en')}\n"
