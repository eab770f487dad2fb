"""One worker process seen from its parent: how it is started, spoken to and ended.

Theory of operation
-------------------
A worker is a fresh interpreter with two pipes (see `worker_parent` for its side). It must import
what its parent would import, wherever it is started: it gets the parent's module path, absolute
and without the current directory, under ``-P`` (which keeps Python from adding that directory),
and our own packages are imported first, from where the parent has them. A folder named ``bots``
or a file named ``random.py`` in the current directory changes nothing.

It is the leader of a session of its own: a Ctrl-C in the terminal does not reach it, and killing
its process group takes along whatever a bot has started.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, cast

Message = dict[str, Any]

ROOT: Final = Path(__file__).resolve().parents[2]
"""Where our packages are."""

_BOOT: Final = """\
import importlib, json, sys
root, path, module, parent, memory_mb = json.loads(sys.argv[1])
sys.path[:] = [root, *path]
import bots, games, stats
del sys.path[0]
sys.argv[1:] = []
importlib.import_module(module).main(parent, memory_mb)
"""


class WorkerProcess(asyncio.SubprocessProtocol):
    """A running worker. `on_line` gets each of its answers, `on_exit` the sentence that says how
    it ended; neither is called any more after `abandon`. The worker runs the function `main` of
    `module`."""

    def __init__(
        self,
        on_line: Callable[[Message], None],
        on_exit: Callable[[str], None],
        module: str = "bots.workers.child",
    ) -> None:
        self._module = module
        self._on_line: Callable[[Message], None] | None = on_line
        self._on_exit: Callable[[str], None] | None = on_exit
        self._transport: asyncio.SubprocessTransport | None = None
        self._pipe: asyncio.WriteTransport | None = None
        self._rest = b""
        self._gone = asyncio.get_running_loop().create_future()
        self.ready = False
        """Whether it has said that it is up; the pool sets it."""

    @property
    def is_gone(self) -> bool:
        """Whether it has ended."""
        return self._gone.done()

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self._transport is not None
        return self._transport.get_pid()

    async def start(self, memory_mb: int | None) -> None:
        """Start the interpreter.

        Raises:
            OSError: the system refuses.
        """
        facts = json.dumps([str(ROOT), module_path(), self._module, os.getpid(), memory_mb])
        flag = "-I" if sys.flags.isolated else "-P"
        await asyncio.get_running_loop().subprocess_exec(
            lambda: self,
            sys.executable,
            flag,
            "-c",
            _BOOT,
            facts,
            stderr=None,
            start_new_session=True,
        )

    def say(self, *messages: Message) -> None:
        """Send requests; what a dead worker does not get is nobody's loss."""
        if self._pipe is not None and not self._pipe.is_closing():
            self._pipe.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def hang_up(self) -> None:
        """Close the pipe, at which the worker ends itself."""
        if self._pipe is not None:
            self._pipe.close()

    def kill(self) -> None:
        """Kill it and the processes that its bots have started; callbacks cease."""
        self.abandon()
        if self._transport is None or self._transport.get_returncode() is not None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.pid, signal.SIGKILL)
                # The transport's own kill looks whether the process lives, and that look would
                # take its exit code away from the one who waits for it.
                return
        with contextlib.suppress(ProcessLookupError):
            self._transport.kill()

    def abandon(self) -> None:
        """Listen to it no longer."""
        self._on_line = self._on_exit = None

    async def gone(self, patience_s: float) -> None:
        """Wait until it has ended; after `patience_s` seconds it is killed."""
        try:
            await asyncio.wait_for(asyncio.shield(self._gone), patience_s)
        except TimeoutError:
            self.kill()
            await self._gone
        if self._transport is not None:
            self._transport.close()

    # -- called by asyncio -------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The process has been started."""
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._pipe = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """It has said something."""
        assert isinstance(data, bytes)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if self._on_line is not None:
                self._on_line(json.loads(line))

    def process_exited(self) -> None:
        """It has ended."""
        assert self._transport is not None
        code = self._transport.get_returncode()
        on_exit = self._on_exit
        self.abandon()
        if not self._gone.done():
            self._gone.set_result(None)
        self._transport.close()
        if on_exit is not None:
            on_exit(_ending(code))


def module_path() -> list[str]:
    """The module path for a worker: the parent's, absolute, without the current directory where
    it only stands for "wherever we are"; then that comes last, where it can hide nothing."""
    path = [os.path.abspath(entry) for entry in sys.path if entry]  # noqa: PTH100 - keeps links
    if "" in sys.path:
        path.append(str(Path.cwd()))
    return list(dict.fromkeys(path))


def _ending(code: int | None) -> str:
    if code is None or code >= 0:
        return f"the worker process ended with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"the worker process was killed by {name}"
