"""Run a server in a thread, for programs that have several event loops one after the other."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from doublecross.bots.hosting.own_server import start_server
from doublecross.processes.child import ChildEnded, wait_until_ended


class ServerFailed(Exception):  # noqa: N818 - named for what happened
    """The server cannot be started; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that somebody else starts and stops.

    `url` is its address. `ended` gets a sentence when it ends.
    """

    url: str
    ended: Future[str]


@contextlib.contextmanager
def running_server(database: Path) -> Iterator[RunningServer]:
    """Run a server on `database` inside this context.

    Raises:
        ServerFailed: it cannot be started.
    """
    ready: Future[str] = Future()
    ended: Future[str] = Future()
    stopping: Future[None] = Future()
    thread = threading.Thread(
        target=lambda: asyncio.run(_serve(database, ready, ended, stopping)), name="server"
    )
    thread.start()
    try:
        yield RunningServer(ready.result(), ended)
    finally:
        stopping.set_result(None)
        thread.join()


async def _serve(
    database: Path, ready: Future[str], ended: Future[str], stopping: Future[None]
) -> None:
    """Run the server until it ends or is to stop."""
    try:
        server, url = await start_server(str(database))
    except ChildEnded as error:
        ready.set_exception(ServerFailed(str(error)))
        return
    except OSError as error:
        ready.set_exception(
            ServerFailed(f"The server cannot be started: {error.strerror or error}.")
        )
        return
    ready.set_result(url)
    waiting = asyncio.create_task(wait_until_ended(server))
    try:
        stop: asyncio.Future[None] = asyncio.wrap_future(stopping)
        await asyncio.wait((waiting, stop), return_when=asyncio.FIRST_COMPLETED)
        if waiting.done():
            ended.set_result(waiting.result())
    finally:
        await server.stop()
        await asyncio.gather(waiting, return_exceptions=True)
