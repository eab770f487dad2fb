"""Show a training run while it works: a table on a terminal, lines elsewhere."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from doublecross.cli.shared.console import live_area, out, say, warn
from doublecross.cli.train.progress import Progress, unit_of

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import RenderableType

    from doublecross.bots.training.folder import Entry, RunFolder
    from doublecross.bots.training.plan import RunPlan


class TrainDisplay:
    """Takes the entries of the journal and shows how the run in `folder` stands."""

    def __init__(self, folder: RunFolder, plan: RunPlan) -> None:
        self._folder = folder
        self._plan = plan
        self._progress = Progress(folder.journal())
        self._draw: Callable[[RenderableType], None] | None = None
        self._lines = 0

    @contextlib.contextmanager
    def showing(self) -> Iterator[None]:
        """Show the run inside this context."""
        if not out().is_terminal:
            yield
            return
        with live_area() as draw:
            self._draw = draw
            draw(self._table())
            yield

    def note(self, sentence: str) -> None:
        """Show a sentence of a process."""
        warn(sentence, "dim")

    def take(self, entry: Entry) -> None:
        """Show a new entry of the journal."""
        self._progress.add(entry)
        if self._draw is not None:
            self._draw(self._table())
        elif line := self._line(entry):
            say(line)

    def _line(self, entry: Entry) -> str:
        """Return a line for an entry, empty for those that come all the time."""
        at = f"{clock(entry['seconds'])}  step {entry.get('step', self._plan.step):,}"
        match entry["kind"]:
            case "learn":
                return f"{at}: losses {losses_text(entry)}"
            case "truth":
                return f"{at}, {entry['size']}: {truth_text(entry)}"
            case "gate":
                return f"{at}: {gate_text(entry)}"
            case "match":
                return f"{at}: {entry['size']} against {entry['against']}: {entry['score']} %"
            case _:
                return ""

    def _table(self) -> RenderableType:
        from rich.table import Table

        plan, progress = self._plan, self._progress
        table = Table(box=None, show_header=False, pad_edge=False)
        table.add_column(style="dim")
        table.add_column()
        made = ", ".join(f"{size} {count:,}" for size, count in plan.samples.items())
        table.add_row("Run", f"{self._folder.path}, {clock(plan.seconds)}, {plan.progress:.0%}")
        table.add_row("Samples", made)
        loss = progress.losses[-1] if progress.losses else None
        text = "waiting for samples"
        if loss is not None:
            text = losses_text(loss)
        table.add_row("Learner", f"step {plan.step:,}: {text}")
        for size, entry in progress.newest_truth().items():
            table.add_row(f"Truth {size}", truth_text(entry))
        for entry in progress.gates[-1:]:
            table.add_row("Gate", f"step {entry['step']:,}: {gate_text(entry)}")
        for entry in progress.matches[-2 * len(plan.samples) :]:
            table.add_row(
                f"Match {entry['size']}", f"{entry['score']} % against {entry['against']}"
            )
        return table


def clock(seconds: float) -> str:
    """Return a time as hours, minutes and seconds."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def losses_text(entry: dict[str, Any]) -> str:
    """Return the losses of the learner; only Dots and Boxes has an ownership."""
    names = [name for name in ("policy", "score", "ownership") if entry[name]]
    return ", ".join(f"{name} {entry[name]:.3f}" for name in names)


def best_text(net: Path, game: str, size: str) -> str:
    """Return what to do with the best network of a run."""
    from doublecross.bots.registry import bot_class
    from doublecross.bots.training.settings import game_named

    if bot_class("zero").plays(game_named(game, size)):
        return f"The best network is {net}. Play it: zero:net={net}"
    # The bot only offers itself for games with a network in the package.
    return f"The best network is {net}. Measure it: doublecross train test {net} --against mcts"


def truth_text(entry: dict[str, Any]) -> str:
    """Return what a test against the truth found."""
    return (
        f"best move in {100 * entry['best']:.1f} % of positions,"
        f" {entry['lost']:.2f} {unit_of(entry)} lost a game"
    )


def gate_text(entry: dict[str, Any]) -> str:
    """Return what a gate decided."""
    if entry["best"] is None:
        return "the first network"
    word = "accepted" if entry["accepted"] else "rejected"
    counts = "-".join(str(count) for count in entry["counts"])
    return f"{word} against step {entry['best']:,} after {sum(entry['counts'])} pairs ({counts})"
