"""Compare stores that could keep the journal of a cluster: `python -m benchmarks.journals`.

A node has two logs and stores the same moves in each store, with the server's own rule for batches:
one commit in flight for each log, and the next one takes all moves that wait. Every store syncs its
file before it acknowledges, except `jetstream-late`, which is JetStream as it comes. Every commit
is refused if another node owns the log.

- `rates` stores moves at random moments, and as fast as possible: some rooms, each of which moves
  again when its move is acknowledged.
- `owners` lets two nodes take a log from each other. A node takes it and reads it; then the other
  one must be refused.
- `kills` ends the server with SIGKILL while moves are stored as fast as possible, starts it again,
  and compares what was acknowledged with what is there. The pages that a server has written and not
  synced survive this, but not the loss of power.

Ratios are those of the same round, to `postgresql` if it is among the stores. `redis` is measured
only if you name it; it needs Redis or Valkey.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from benchmarks import command, machine
from benchmarks.journals import measure, report
from benchmarks.journals.clients import JOURNALS
from benchmarks.journals.servers import program
from benchmarks.processes import ROOT, BenchmarkError

PARTS: Final = {"rates": measure.rates, "owners": measure.owners, "kills": measure.kills}
USUAL: Final = ("postgresql", "jetstream", "jetstream-late")
LIBRARIES: Final = ("asyncpg", "nats-py", "uvloop", "msgpack")


def run(
    stores: Annotated[
        list[str] | None,
        typer.Argument(help=f"Which of {', '.join(JOURNALS)}; all but redis by default."),
    ] = None,
    part: Annotated[
        list[str] | None, typer.Option(help=f"Which of {', '.join(PARTS)}; all by default.")
    ] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Number of alternating rounds.")] = None,
    quick: command.Quick = False,
    out: command.Out = ROOT / "var/benchmarks",
    markdown: command.Markdown = False,
) -> None:
    """Compare stores for the journal of a cluster."""
    kinds = command.chosen(stores or USUAL, JOURNALS)
    plan = measure.QUICK if quick else measure.Plan()
    if rounds is not None:
        plan = replace(plan, rounds=rounds)
    console = Console(stderr=True)
    try:
        versions = ", ".join(f"{kind} {program(kind)[1]}" for kind in kinds)
    except BenchmarkError as error:
        console.print(f"[red]{error}[/]")
        raise typer.Exit(1) from None
    command.measure(
        "journals",
        command.chosen(part, PARTS),
        lambda name: PARTS[name](kinds, plan, partial(console.print, highlight=False)),
        {**machine.describe(Path(tempfile.gettempdir()), LIBRARIES), "stores": versions},
        report.lines,
        Path(out),
        markdown,
    )


if __name__ == "__main__":
    typer.run(run)
