"""Show how far the review of a game is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from doublecross.cli.shared.console import is_terminal


@contextmanager
def judging(moves: int) -> Iterator[Callable[[int, int], None]]:
    """Return what to tell how many of the moves are judged; in a pipe it shows nothing."""
    if not is_terminal():
        yield lambda _done, _all: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = TextColumn("Judging the moves, the last first"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, transient=True) as bar:
        task = bar.add_task("", total=moves)
        yield lambda done, _all: bar.update(task, completed=done)
