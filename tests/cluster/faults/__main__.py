"""`python -m tests.cluster.faults`: breaks a cluster again and again while bots play on it.

Each line says what broke, how long the games waited, and whether everything that was promised is
there. The exit code is 1 after a violation; then the folder with the logs of the nodes stays.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from doublecross.processes.network import NetworkError
from tests.cluster.faults.faults import faults as all_faults
from tests.cluster.faults.running import Plan, chosen, run


def main(
    names: Annotated[
        list[str] | None, typer.Argument(help="Names of faults; all by default.")
    ] = None,
    faults: Annotated[
        int | None, typer.Option(min=1, help="How many things break; by default each once.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of all random choices.")] = 0,
    games: Annotated[int, typer.Option(min=1, help="Pairs of players who always play.")] = 50,
    hosts: Annotated[
        bool, typer.Option("--hosts", help="Give everything a host of its own; this needs root.")
    ] = False,
    pause: Annotated[float, typer.Option(min=0, help="Mean seconds before a move.")] = 0.3,
) -> None:
    """Let a cluster of three nodes break in many ways, and check what its players were promised."""
    known = all_faults(hosts=hosts)
    for name in names or ():
        if name not in known:
            raise typer.BadParameter(f"there is no fault {name}; there are {', '.join(known)}")
    which = chosen(faults or len(known), seed, hosts=hosts)
    if names:
        which = [names[n % len(names)] for n in range(faults or len(names))]
    # Whoever ends this command means the nodes, too.
    signal.signal(signal.SIGTERM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    folder = Path(tempfile.mkdtemp(prefix="doublecross-faults-"))
    plan = Plan(which, hosts, pairs=games, seed=seed, pause_s=pause)
    try:
        outcomes, load = asyncio.run(run(folder, plan, lambda line: print(line, flush=True)))  # noqa: T201
    except NetworkError as error:
        raise typer.BadParameter(str(error)) from None
    longest = sorted(max(outcome.waits, default=0.0) for outcome in outcomes)
    violations = load.book.faults
    print(  # noqa: T201
        f"{len(outcomes)} faults, {len(load.tournaments)} tournaments; all games went on after"
        f" {longest[len(longest) // 2]:.2f} s in the median and {longest[-1]:.2f} s at most;"
        f" {len(violations)} violations"
    )
    if violations:
        print(f"The logs of the nodes are in {folder}.")  # noqa: T201
        raise typer.Exit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    typer.run(main)
