"""Show how far a command on a database is, on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from doublecross.cli.shared.console import err


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """Give a function that shows how much of a part is done: its name, the number, and of how many.

    It shows nothing where standard error is no terminal.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=err(), transient=True, disable=not err().is_terminal) as shown:
        tasks: dict[str, TaskID] = {}

        def show(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = shown.add_task(name, total=total)
            shown.update(tasks[name], completed=done, total=total)

        yield show
