"""Lose one of several nodes and show that the games continue: `doublecross cluster demo`."""

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
    from doublecross.processes.network import Host, Network

_PROGRAMS: Final = {
    "initdb": "postgresql",
    "postgres": "postgresql",
    "nats-server": "nats-server",
}
"""The Debian package of each program that the demo starts."""
_OF_HOSTS: Final = {"haproxy": "haproxy", "ip": "iproute2", "nsenter": "util-linux"}
"""Those that it needs for hosts of their own."""
_DATABASE: Final = "DOUBLECROSS_DATABASE"
_NATS: Final = "DOUBLECROSS_NATS"
"""The variables from which the nodes have these addresses: everybody can see their arguments."""


_ADDRESSES: Final = "DOUBLECROSS_CLUSTER_ADDRESSES"
"""With these a page goes on at another node."""
_PROXY: Final = "DOUBLECROSS_TRUSTED_PROXY"
_EXEMPT: Final = "DOUBLECROSS_EXEMPT_ADDRESSES"
"""All bots have the address of one host."""
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
    hosts: Annotated[
        bool,
        typer.Option(
            "--hosts",
            help="Give everything a host of its own, and cut a node off, too (root, Linux).",
        ),
    ] = False,
) -> None:
    """See a server of several processes lose one of them, and its games continue on the others.

    The demo starts PostgreSQL, NATS and three nodes on this machine, and bots that play on all of
    them. Then it kills a node as a crash would, and tells how long its games stood still. In the
    end it compares all records with the moves that the bots were told were made.

    It needs the programs of PostgreSQL and NATS (Debian and Ubuntu: apt install postgresql
    nats-server), but no running server and no root. All its data is in a temporary folder, which
    it deletes.

    With --hosts everything has a host of its own, with HAProxy in front of the nodes. The hosts are
    network namespaces, which nothing outside of the demo reaches. Then a node is cut off, too.

    Example: doublecross cluster demo --keep
    """
    need_server_packages()
    need_cluster_packages()
    from doublecross.cli.cluster.demo_run import Plan
    from doublecross.cli.cluster.programs import account, need
    from doublecross.cli.cluster.screen import Screen

    settings = settings_of(game_of(DEFAULT_GAME, size), "unlimited", rated=False)
    if hosts:
        _check_system()
    need(_PROGRAMS | (_OF_HOSTS if hosts else {}))
    account()
    screen = Screen(time.monotonic)
    plan = Plan(games, seconds, keep, settings)
    try:
        with _network() if hosts else contextlib.nullcontext() as network:
            found = asyncio.run(_play(plan, nodes, screen, network))
    except OSError as error:
        raise Problem(f"The demo cannot go on: {error.strerror or error}.", FAILED) from None
    _report(found)


def _check_system() -> None:
    from doublecross.processes.network import NetworkError, check_system

    try:
        check_system()
    except NetworkError as error:
        raise Problem(str(error)) from None


@contextlib.contextmanager
def _network() -> Iterator[Network]:
    """Make a network, and be on the host of the players in it, in this context."""
    from doublecross.processes.network import Network, NetworkError, enter

    try:
        network = Network()
    except NetworkError as error:
        raise Problem(str(error), FAILED) from None
    with network, enter(network.add().namespace):
        yield network


async def _play(plan: Plan, count: int, screen: Screen, network: Network | None) -> Findings:
    """Start everything, play the demo, and end everything."""
    from doublecross.cli.cluster.demo_run import ClusterDemo, Hosts
    from doublecross.cli.cluster.nats import running_nats
    from doublecross.cli.cluster.nodes import make_nodes, running_nodes
    from doublecross.cli.cluster.postgresql import running_postgresql
    from doublecross.cli.cluster.proxy import running_proxy
    from doublecross.processes.network import HERE, NET

    nodes, password = make_nodes(count, network), secrets.token_hex(16)
    on = "on this machine" if network is None else "on hosts of their own"
    screen.tell(f"PostgreSQL and NATS start {on}.")
    folder = Path(tempfile.mkdtemp(prefix="doublecross-demo-"))
    with screen.showing():
        async with contextlib.AsyncExitStack() as stack:

            def host() -> Host:
                return HERE if network is None else network.add()

            nats = await stack.enter_async_context(running_nats(password, folder, host()))
            database = await stack.enter_async_context(running_postgresql(password, host()))
            screen.tell(f"They run. {count} nodes start.")
            variables = {_DATABASE: database, _NATS: nats, _STATE: str(folder / "state")}
            hosts = None
            if network is None:
                variables[_ADDRESSES] = ",".join(node.http for node in nodes)
            else:
                proxy = network.add()
                variables |= {_PROXY: proxy.address, _EXEMPT: NET}
            stack.enter_context(_variables(variables))
            await stack.enter_async_context(running_nodes(nodes))
            if network is not None:
                known = {node.name: node.ws.removeprefix("ws://") for node in nodes}
                address = await stack.enter_async_context(running_proxy(proxy, known))
                hosts = Hosts(network, address)
                screen.tell("HAProxy runs in front of them.")
            run = await stack.enter_async_context(ClusterDemo(plan, nodes, screen, hosts))
            if network is None:
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
