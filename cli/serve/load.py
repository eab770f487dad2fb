"""Play in many rooms at once and report how fast the server answers: `doublecross load`."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from doublecross.cli.shared.console import FAILED, Problem, out, say, user_problems, warn
from doublecross.cli.shared.options import AsJson, GameName, Size
from doublecross.cli.shared.parsing import (
    DEFAULT_GAME,
    SERVER_HELP,
    game_of,
    need_server_packages,
    settings_of,
)

if TYPE_CHECKING:
    from doublecross.client.load.stages import LoadPlan, Stage

CURVE: Final = "10,100,500,1000,2000,4000"
_MOST_ROOMS: Final = 20_000
_ROOMS_A_WORKER: Final = 2_000
_SPARE_FILES: Final = 100
_CONNECT_S: Final = 10.0
"""Seconds in which a server that is named must answer."""


def load(
    rooms: Annotated[
        str, typer.Option(help=f"How many rooms; several numbers measure a curve: {CURVE}.")
    ] = "100",
    every: Annotated[float, typer.Option(help="Seconds from one move of a room to the next.")] = 2,
    seconds: Annotated[float, typer.Option(help="How long to measure each number of rooms.")] = 20,
    players: Annotated[
        int | None,
        typer.Option(
            help="The most players that log in; each then plays in several rooms.",
            show_default="two for each room",
        ),
    ] = None,
    game: GameName = DEFAULT_GAME,
    size: Size = None,
    server: Annotated[
        str | None, typer.Option("--server", "-s", help=SERVER_HELP, show_default="a new one")
    ] = None,
    pid: Annotated[
        int | None,
        typer.Option(
            help="Process of the server on this machine, to report its CPU and memory.",
            show_default="that of the new server",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            help="Processes that play.", show_default="1 for 2,000 rooms, at most cores - 1"
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the games and of their moments.")] = 1,
    p99: Annotated[
        float | None,
        typer.Option(help="Exit with code 1 if p99 exceeds so many milliseconds, or moves fail."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure how many games a server can carry.

    Players log in over real connections, open private rooms and play random games in them, with one
    move per room every few seconds. The report shows how long the server takes to answer a move
    (p50, p95, p99), what failed, and the CPU and memory of a server on this machine. It says so
    when the load itself was too slow, because then the times say little about the server.

    Without --server the command measures a server of its own on this machine and throws it away.
    With --server it leaves its players and their finished games in the database of that server, and
    that server must exempt this machine from its limits per address. Ask its host first. Players of
    a cluster log in at its addresses in turn.

    Example: doublecross load --rooms 10,100,1000 --every 2
    """
    from doublecross.cli.serve.load_show import as_document, print_stages

    plan = _plan(rooms, every, seconds, players, game, size, server, pid, workers, seed)
    stages: list[Stage] = []
    try:
        asyncio.run(_measure(plan, stages, quiet=as_json))
    finally:
        if as_json:
            say(json.dumps(as_document(plan, stages), indent=2))
        elif stages:
            print_stages(plan, stages, out())
    if p99 is not None and any(s.failed or s.p99_ms is None or s.p99_ms > p99 for s in stages):
        raise Problem(f"The server missed the aim of {p99:g} ms without a failure.", FAILED)


def _plan(
    rooms: str,
    every: float,
    seconds: float,
    players: int | None,
    game: str,
    size: str | None,
    server: str | None,
    pid: int | None,
    workers: int | None,
    seed: int,
) -> LoadPlan:
    """Check the options."""
    from doublecross.client.core.address import server_urls
    from doublecross.client.load.stages import LoadPlan

    try:
        stages = sorted({int(part) for part in rooms.split(",")})
    except ValueError:
        raise Problem(f"--rooms needs whole numbers such as 10,100,1000, not {rooms!r}.") from None
    if not 1 <= stages[0] <= stages[-1] <= _MOST_ROOMS:
        raise Problem(f"--rooms is from 1 to {_MOST_ROOMS}.")
    if not 0.05 <= every <= 600:
        raise Problem("--every is from 0.05 to 600 seconds.")
    if not 1 <= seconds <= 86_400:
        raise Problem("--seconds is from 1 to 86400.")
    if players is not None and players < 2:
        raise Problem("--players is at least 2.")
    if workers is not None and not 1 <= workers <= 64:
        raise Problem("--workers is from 1 to 64.")
    if server is None:
        need_server_packages()
        if pid is not None:
            raise Problem("--pid belongs to --server.")
    else:
        try:
            server = server_urls(server)
        except ValueError as error:
            raise Problem(str(error)) from None
    # No game may end by the clock because of the load's own pace.
    time = f"{3600}+{min(3600, 2 * every):g}"
    wanted = -(-stages[-1] // _ROOMS_A_WORKER)
    count = workers or max(1, min(wanted, (os.cpu_count() or 2) - 1))
    return LoadPlan(
        server=server or "",
        settings=settings_of(game_of(game, size), time, rated=False).model_dump(),
        rooms=stages,
        every_s=every,
        seconds=seconds,
        players=players,
        workers=min(count, stages[0], (players or 2 * stages[0]) // 2),
        seed=seed,
        pid=pid,
    )


async def _measure(plan: LoadPlan, stages: list[Stage], *, quiet: bool) -> None:
    """Run all stages; add each to `stages` when it is done."""
    from doublecross.cli.serve.load_show import print_progress
    from doublecross.client.load.stages import LoadRun
    from doublecross.processes.child import ChildEnded

    me = asyncio.current_task()
    assert me is not None
    with contextlib.suppress(NotImplementedError):  # Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)
    _check_open_files(plan)
    async with contextlib.AsyncExitStack() as stack:
        try:
            if plan.server:
                for url in plan.server.split(","):
                    await _check_server(url)
            else:
                plan = await _own_server(stack, plan)
            run = LoadRun(plan)
            stack.push_async_callback(run.stop)
            await run.start(warn)
            for rooms in plan.rooms:
                if not quiet:
                    print_progress(plan, rooms)
                stages.append(await run.stage(rooms))
        except ChildEnded as ended:
            raise Problem(str(ended), FAILED) from None


async def _check_server(url: str) -> None:
    """Refuse a server that does not answer, before hundreds of players try to log in."""
    from doublecross.client.handshake import open_socket
    from doublecross.protocol.codec import codec_for
    from doublecross.protocol.version import MSGPACK

    with user_problems():
        socket = await open_socket(url, codec_for(MSGPACK), _CONNECT_S)
    await socket.close()


async def _own_server(stack: contextlib.AsyncExitStack, plan: LoadPlan) -> LoadPlan:
    """Start a server that `stack` stops, and return the plan for it."""
    from doublecross.bots.hosting.own_server import start_server

    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="doublecross-"))
    child, url = await start_server(str(Path(folder) / "load.db"), warn)
    stack.push_async_callback(child.stop)
    return replace(plan, server=url, pid=child.pid)


def _check_open_files(plan: LoadPlan) -> None:
    """Raise the limit on open files, and refuse a plan beyond it."""
    from doublecross.client.load.usage import raise_open_files

    limit = raise_open_files()
    most = 2 * plan.rooms[-1] if plan.players is None else min(plan.players, 2 * plan.rooms[-1])
    a_process = most if not plan.server else -(-most // plan.workers)
    if limit is not None and a_process + _SPARE_FILES > limit:
        raise Problem(
            f"This needs {a_process} connections in one process, and the system allows {limit} open"
            " files. Use fewer --players, or raise the limit: ulimit -n"
        )
