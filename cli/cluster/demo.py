"""Kill one of several nodes and show that the games continue: `doublecross cluster demo`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from doublecross.cli.shared.console import FAILED, Problem, say
from doublecross.cli.shared.parsing import (
    DEFAULT_GAME,
    game_of,
    need_cluster_packages,
    need_server_packages,
    settings_of,
)

if TYPE_CHECKING:
    from doublecross.cli.cluster.checking import Findings
    from doublecross.cli.cluster.demo_run import Plan
    from doublecross.cli.cluster.screen import Screen

_PROGRAMS: Final = {
    "initdb": "postgresql",
    "postgres": "postgresql",
    "nats-server": "nats-server",
}
"""The Debian package of each program that the demo starts."""
_DATABASE: Final = "DOUBLECROSS_DATABASE"
_NATS: Final = "DOUBLECROSS_NATS"
"""The variables from which the nodes have these addresses: everybody can see their arguments."""


_ADDRESSES: Final = "DOUBLECROSS_CLUSTER_ADDRESSES"
"""With these a page goes on at another node."""
_STATE: Final = "XDG_STATE_HOME"
"""The variable with the folder for files of ``doublecross admin``; killed nodes leave theirs."""


def demo(
    nodes: Annotated[int, typer.Option(min=2, max=9, help="How many nodes form the server.")] = 3,
    games: Annotated[
        int, typer.Option(min=1, max=200, help="How many games the bots play at once.")
    ] = 12,
    seconds: Annotated[
        float, typer.Option(min=1, max=3600, help="Seconds that each part of the demo lasts.")
    ] = 8.0,
    size: Annotated[str, typer.Option(help="The board, in boxes.")] = "5x5",
    keep: Annotated[
        bool, typer.Option("--keep", help="Go on until Ctrl-C, so that you can kill nodes, too.")
    ] = False,
) -> None:
    """See a server of several processes lose one of them, and its games continue on the others.

    The demo starts PostgreSQL, NATS and three nodes on this machine, and bots that play on all of
    them. Then it kills a node as a crash would, and tells how long its games stood still. In the
    end it compares all records with the moves that the bots were told were made.

    It needs the programs of PostgreSQL and NATS (Debian and Ubuntu: apt install postgresql
    nats-server), but no running server and no root. All its data is in a temporary folder, which
    it deletes.

    Example: doublecross cluster demo --keep
    """
    need_server_packages()
    need_cluster_packages()
    from doublecross.cli.cluster.demo_run import Plan
    from doublecross.cli.cluster.programs import account, need
    from doublecross.cli.cluster.screen import Screen

    settings = settings_of(game_of(DEFAULT_GAME, size), "unlimited", rated=False)
    need(_PROGRAMS)
    account()
    screen = Screen(time.monotonic)
    try:
        found = asyncio.run(_play(Plan(games, seconds, keep, settings), nodes, screen))
    except OSError as error:
        raise Problem(f"The demo cannot go on: {error.strerror or error}.", FAILED) from None
    _report(found)


async def _play(plan: Plan, count: int, screen: Screen) -> Findings:
    """Start everything, play the demo, and end everything."""
    from doublecross.cli.cluster.demo_run import ClusterDemo
    from doublecross.cli.cluster.nats import running_nats
    from doublecross.cli.cluster.nodes import make_nodes, running_nodes
    from doublecross.cli.cluster.postgresql import running_postgresql

    nodes, password = make_nodes(count), secrets.token_hex(16)
    screen.tell("PostgreSQL and NATS start on this machine.")
    folder = Path(tempfile.mkdtemp(prefix="doublecross-demo-"))
    with screen.showing():
        async with (
            running_nats(password, folder) as nats,
            running_postgresql(password) as database,
        ):
            screen.tell(f"They run. {count} nodes start.")
            variables = {
                _DATABASE: database,
                _NATS: nats,
                _ADDRESSES: ",".join(node.http for node in nodes),
                _STATE: str(folder / "state"),
            }
            with _variables(variables):
                async with running_nodes(nodes), ClusterDemo(plan, nodes, screen) as run:
                    screen.tell(f"Watch the games in a browser: {nodes[-1].http}/watch", "bold")
                    found = await run.play()
                    screen.tell("Everything ends now.")
                    return found


@contextlib.contextmanager
def _variables(values: Mapping[str, str]) -> Iterator[None]:
    """Set variables of the environment in this context, which children started in it have too."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _report(found: Findings) -> None:
    """Print what the check of all records has found.

    Raises:
        Problem: something was lost, or is not as the players were told.
    """
    style = "bold green"
    say()
    if found.problems:
        for sentence in found.problems[:10]:
            say(sentence)
        raise Problem(
            f"{found.lost:,} of {found.moves:,} acknowledged moves are lost,"
            f" and there are {len(found.problems):,} problems in {found.games:,} games.",
            FAILED,
        )
    say(f"0 of {found.moves:,} acknowledged moves are lost, and none was played twice.", style)
    say(f"The records of all {found.games:,} games are complete and legal.", style)
