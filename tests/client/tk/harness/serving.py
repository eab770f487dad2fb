"""Run servers for windows: a real one in a child process, and scripted ones in a thread."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Final, TypeVar

from tests.cli.commands import environment
from tests.cli.forking import Forked

T = TypeVar("T")

_THREAD_S: Final = 20.0


class RealServer:
    """Runs `doublecross serve` with its database in `folder`; restarts keep its address.

    `bots` are specs of resident bots, which start with the server and pause up to `pause_s` seconds
    before moves against people. `options` are further options of the command. It listens on `port`,
    or on a free one.
    """

    def __init__(
        self,
        folder: Path,
        bots: tuple[str, ...] = (),
        *,
        grace_s: float = 30.0,
        pause_s: float = 0,
        options: Sequence[str] = (),
        port: int = 0,
    ) -> None:
        self._folder = folder
        self._port = port
        self._options = [
            *("--database", str(folder / "games.db")),
            *("--grace", str(grace_s), "--bot-pause", str(pause_s)),
            *(("--bots", ";".join(bots)) if bots else ()),
            *options,
        ]
        self._bots = len(bots)
        self._command: Forked | None = None
        self.url = ""
        self.names: list[str] = []

    @property
    def runs(self) -> bool:
        """Whether the server process is running."""
        return self._command is not None and self._command.runs

    def start(self) -> None:
        """Start the server; return when it listens and its bots, called `names`, are online."""
        assert self._command is None, "It has been started already."
        folders = {
            f"XDG_{kind}_HOME": str(self._folder / kind.lower()) for kind in ("DATA", "STATE")
        }
        # Bots accept no seeks, so that offers of a test stay open however long it takes.
        env = environment(**folders, DOUBLECROSS_BOT_SEEKS_AFTER_S="0")
        self._command = Forked(
            "serve",
            "--json",
            "--port",
            str(self._port),
            *self._options,
            cwd=self._folder,
            env=env,
            forks=True,
        )
        ready = json.loads(self._command.line())
        assert ready["what"] == "ready", ready
        self.url = ready["ws"]
        self._port = int(self.url.rpartition(":")[2])
        bots: list[dict[str, Any]] = [json.loads(self._command.line()) for _ in range(self._bots)]
        self.names = [bot["name"] for bot in bots]

    def kill(self) -> None:
        """Kill the server, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stop the server as its host does, by SIGTERM."""
        self._end(signal.SIGTERM)

    @contextlib.contextmanager
    def stalled(self) -> Iterator[None]:
        """Stop the server in this context, as a machine without time for it would."""
        assert self._command is not None, "It does not run."
        self._command.send(signal.SIGSTOP)
        try:
            yield
        finally:
            self._command.send(signal.SIGCONT)

    def close(self) -> None:
        """End the process if it is running."""
        if self._command is not None:
            self._command.close()
            self._command = None

    def _end(self, number: signal.Signals) -> None:
        assert self._command is not None, "It does not run."
        self._command.send(number)
        self._command.wait()
        self.close()


@contextlib.contextmanager
def in_thread(
    server: AbstractAsyncContextManager[T],
) -> Iterator[tuple[T, asyncio.AbstractEventLoop]]:
    """Enter an asynchronous context in another thread; yield its value and that thread's loop.

    Use `asyncio.run_coroutine_threadsafe` to run coroutines on the loop.
    """
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="scripted server")
    thread.start()

    def do(coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, loop).result(_THREAD_S)

    try:
        found = do(server.__aenter__())
        try:
            yield found, loop
        finally:
            do(server.__aexit__(None, None, None))
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_THREAD_S)
        loop.close()
