"""Start child processes as forks of one process that has already imported our code.

Theory of operation
-------------------
The *fork server* (`doublecross.processes.fork_server`) is a process that imports modules and then
forks when it is asked. A fork needs no time for the imports, and shares the memory of what was
imported with all other forks until it changes it. In the context of `serving`,
`doublecross.processes.child` starts all children of this process that way, and these children start
theirs so, too.

Requests go through the *control socket*, of which each forked process has one of its own. A request
is a packet with four file descriptors: the *lifeline* of the new process and its standard streams.
The lifeline is a socket for this one process. The order is written to it, and its answers are
the process id and at last the exit code. When the lifeline is closed before the exit, the process
that asked has ended.

The system kills all forks when the fork server ends. Whoever started them sees that they ended, and
starts them again if it needs them, then in fresh interpreters.

Only Linux has this. On macOS the system's libraries do not work after a fork, and Windows cannot
fork. `serving` does nothing there, and every child is a fresh interpreter.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import IO, Any, Final, cast

from doublecross.processes.command import command, make_order
from doublecross.processes.system import kill_group

_log = logging.getLogger(__name__)

POSSIBLE: Final = sys.platform == "linux"
"""True when this system can have a fork server."""

_END_S: Final = 10.0
"""Seconds that the fork server has to end after all its forks."""

_control: socket.socket | None = None


class ForkServerGone(Exception):  # noqa: N818 - named for what happened
    """The fork server has ended."""


@contextlib.contextmanager
def serving(first: Sequence[str], later: Sequence[str]) -> Iterator[None]:
    """Keep a fork server running in this context, where the system allows it.

    It imports the modules in `first` at once, and those in `later` after the first request for a
    process. An entry ``module:function`` also calls the function. A process that runs one of these
    modules starts when it is imported.
    """
    if not POSSIBLE:
        yield
        return
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    order = make_order(
        "doublecross.processes.fork_server",
        [json.dumps([first, later])],
        expendable=False,
        memory_mb=None,
    )
    with theirs:
        process = subprocess.Popen(
            command(order), stdin=theirs.fileno(), stdout=subprocess.DEVNULL, start_new_session=True
        )
    use(ours)
    try:
        yield
    finally:
        _leave()
        ours.close()
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def use(control: socket.socket) -> None:
    """Start children through this control socket from now on."""
    global _control
    _control = control


def _leave() -> None:
    global _control
    _control = None


async def fork(
    protocol: asyncio.SubprocessProtocol, order: dict[str, Any], *, pipe_errors: bool
) -> bool:
    """Fork a process for `order` and connect it to `protocol`, as ``subprocess_exec`` does.

    Return False if this process has no fork server any more, or never had one. With `pipe_errors`
    `protocol` receives the standard error too; otherwise the process shares that of this one.

    Raises:
        OSError: the system cannot start the process.
    """
    if _control is None:
        return False
    order = {**order, **_inheritance()}
    try:
        await _ForkedProcess(protocol).start(_control, order, errors=pipe_errors)
    except ForkServerGone:
        _leave()
        _log.warning("The fork server has ended. Processes start in fresh interpreters now.")
        return False
    return True


def _inheritance() -> dict[str, Any]:
    """Return what a fresh interpreter would have from this process."""
    try:
        folder = os.getcwd()  # noqa: PTH109 - it is sent as text
    except FileNotFoundError:
        folder = None  # somebody has deleted it, so nothing can be found there
    return {"environment": dict(os.environ), "niceness": os.nice(0), "folder": folder}


class _ForkedProcess(asyncio.SubprocessTransport):
    """The pipes to a forked process, its lifeline, and its exit code."""

    def __init__(self, protocol: asyncio.SubprocessProtocol) -> None:
        super().__init__()
        self._protocol = protocol
        self._pipes: dict[int, asyncio.BaseTransport] = {}
        self._lifeline = _Lifeline()
        self._pid = 0
        self._code: int | None = None

    async def start(self, control: socket.socket, order: dict[str, Any], *, errors: bool) -> None:
        """Start the process, and connect the pipes.

        Raises:
            ForkServerGone: the fork server does not answer.
            OSError: the system cannot start the process.
        """
        loop = asyncio.get_running_loop()
        with contextlib.ExitStack() as ours:
            ours.callback(self.close)
            with contextlib.ExitStack() as theirs:
                mine, its = socket.socketpair()
                given = [theirs.enter_context(its).fileno()]
                await loop.create_unix_connection(lambda: self._lifeline, sock=mine)
                files = []
                for fd in range(3 if errors else 2):
                    end, file = _pipe(reads=fd == 0)
                    theirs.callback(os.close, end)
                    given.append(end)
                    files.append(ours.enter_context(file))
                try:
                    socket.send_fds(control, [b"fork"], given if errors else [*given, 2])
                except OSError:
                    raise ForkServerGone from None
            self._pid = await self._started(order)
            self._pipes[0], _ = await loop.connect_write_pipe(asyncio.BaseProtocol, files[0])
            for fd, file in enumerate(files[1:], 1):
                reader = functools.partial(_Output, fd, self._protocol)
                self._pipes[fd], _ = await loop.connect_read_pipe(reader, file)
            ours.pop_all()
        self._protocol.connection_made(self)
        self._lifeline.code.add_done_callback(self._handle_exit)

    async def _started(self, order: dict[str, Any]) -> int:
        """Return the id of the process; if the caller is cancelled, end the process first."""
        started = asyncio.ensure_future(self._lifeline.started(order))
        try:
            return await asyncio.shield(started)
        except asyncio.CancelledError:
            with contextlib.suppress(OSError, ForkServerGone):
                kill_group(await started)
                await self._lifeline.code
            raise

    def get_pid(self) -> int:
        """Return the process id."""
        return self._pid

    def get_returncode(self) -> int | None:
        """Return the exit code, None while the process runs; signals count as negative codes."""
        return self._code

    def get_pipe_transport(self, fd: int) -> asyncio.BaseTransport | None:
        """Return the transport for a standard stream of the process, or None."""
        return self._pipes.get(fd)

    def kill(self) -> None:
        """Kill the process."""
        if self._code is None:
            os.kill(self._pid, signal.SIGKILL)

    def close(self) -> None:
        """Close the pipes and the lifeline."""
        for pipe in self._pipes.values():
            pipe.close()
        self._lifeline.close()

    def _handle_exit(self, code: asyncio.Future[int]) -> None:
        self._code = code.result()
        self._protocol.process_exited()


class _Lifeline(asyncio.Protocol):
    """Sends an order to the fork server and receives its answers.

    `code` receives the exit code. These are callbacks and no task, because the exit is awaited also
    when all tasks of the loop are cancelled.
    """

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.code: asyncio.Future[int] = loop.create_future()
        self._pid: asyncio.Future[int] = loop.create_future()
        self._transport: asyncio.WriteTransport | None = None
        self._rest = b""

    async def started(self, order: dict[str, Any]) -> int:
        """Send the order; return the process id.

        Raises:
            ForkServerGone: the fork server has ended.
            OSError: it cannot fork.
        """
        assert self._transport is not None
        self._transport.write(json.dumps(order).encode() + b"\n")
        return await self._pid

    def close(self) -> None:
        """Close the socket."""
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            answer = json.loads(line)
            if "pid" in answer:
                self._resolve(self._pid, answer["pid"])
            elif "code" in answer:
                self._resolve(self.code, answer["code"])
            else:
                self._fail(OSError(answer["errno"], answer["error"]))

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(ForkServerGone())
        # Without an answer the fork server has ended, and the system has killed the process.
        self._resolve(self.code, -signal.SIGKILL)

    def _fail(self, error: Exception) -> None:
        if not self._pid.done():
            self._pid.set_exception(error)
            self._pid.exception()  # mark it as seen: a caller that was cancelled does not wait

    @staticmethod
    def _resolve(future: asyncio.Future[int], value: int) -> None:
        if not future.done():
            future.set_result(value)


class _Output(asyncio.Protocol):
    """Passes on what a process writes to one of its standard streams."""

    def __init__(self, fd: int, protocol: asyncio.SubprocessProtocol) -> None:
        self._fd = fd
        self._protocol = protocol

    def data_received(self, data: bytes) -> None:
        self._protocol.pipe_data_received(self._fd, data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._protocol.pipe_connection_lost(self._fd, exc)


def _pipe(*, reads: bool) -> tuple[int, IO[bytes]]:
    """Make a pipe; return the end of the process, which `reads` from it, and the file of ours."""
    reading, writing = os.pipe()
    theirs, ours = (reading, writing) if reads else (writing, reading)
    return theirs, os.fdopen(ours, "wb" if reads else "rb", buffering=0)
