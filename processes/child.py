"""Start a child process, exchange lines of JSON with it, and end it.

Theory of operation
-------------------
A child is a fresh interpreter, or a fork where this process has a fork server (see
`doublecross.processes.forks`). It reads lines of JSON from its standard input and writes some to
its standard output. It leads a process group outside the session of the terminal, so Ctrl-C in the
terminal reaches the parent alone, and killing the group also kills every process that the child has
started in it. The parent ends a child by closing its input. The system closes the input too when
the parent is killed (see `doublecross.processes.parent`).

A child counts as ended at the end of its output, or at its exit when a process that it started
still keeps the output open. Call all methods in the thread of the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Sequence
from typing import Any, Final, Self, cast

from doublecross.processes.command import command, make_order
from doublecross.processes.forks import fork
from doublecross.processes.system import describe_exit, kill_group

Message = dict[str, Any]

LINE_BYTES: Final = 4 * 1024 * 1024
"""The longest line that a child may send. The parent reads at most twice as much ahead."""
UNREAD_BYTES: Final = 64 * 1024 * 1024
"""The most data that may wait for a child that does not read its input."""
PATIENCE_S: Final = 8.0
"""Seconds that a child has to end after its input is closed."""
_DRAIN_S: Final = 0.5
"""Seconds after the exit of a child during which the rest of its output must arrive."""


class ChildEnded(Exception):  # noqa: N818 - named for what happened
    """The child has ended although a message was expected; the text is one sentence."""


class Child:
    """Talks to a child process and ends it. Make one with `start`; end it with `stop`."""

    def __init__(
        self, title: str, pipes: _Pipes, on_error_line: Callable[[str], None] | None
    ) -> None:
        self._title = title
        self._pipes = pipes
        self._offence = ""
        self._errors = _ErrorLines(pipes.errors, on_error_line)

    @classmethod
    async def start(
        cls,
        title: str,
        module: str,
        *arguments: str,
        on_error_line: Callable[[str], None] | None = None,
        expendable: bool = False,
        memory_mb: int | None = None,
        words: Sequence[str] = (),
    ) -> Self:
        """Start a child that runs ``module.main()`` with `arguments` in ``sys.argv``.

        `title` names the child in sentences. `on_error_line` receives each line of the child's
        standard error; with None the child shares the standard error of this process. An
        `expendable` child is killed as soon as this process, or the thread that called `start`,
        ends (see `doublecross.processes.system.begin`). `memory_mb` limits the child's data, in
        MiB. `words` before its command let it run on a host of its own (see
        `doublecross.processes.network.Host`).

        Raises:
            OSError: the system cannot start the process.
        """
        order = make_order(module, arguments, expendable=expendable, memory_mb=memory_mb)
        pipes = _Pipes()
        if words or not await fork(pipes, order, pipe_errors=on_error_line is not None):
            await asyncio.get_running_loop().subprocess_exec(
                lambda: pipes,
                *words,
                *command(order),
                stderr=None if on_error_line is None else asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        return cls(title, pipes, on_error_line)

    @property
    def pid(self) -> int:
        """The process id of the child."""
        return self._pipes.transport.get_pid()

    @property
    def is_running(self) -> bool:
        """Return whether the process has not exited yet."""
        return not self._pipes.exited.done()

    @property
    def last_error_line(self) -> str:
        """The last line that the child wrote to its standard error."""
        return self._errors.last

    def send(self, *messages: Message) -> None:
        """Send each message as one line.

        Messages to a child that has ended are dropped. A child that lets more than `UNREAD_BYTES`
        wait is killed.
        """
        pipe = self._pipes.input
        if pipe.is_closing():
            return
        pipe.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
        if pipe.get_write_buffer_size() > UNREAD_BYTES:
            self._kill_for("did not read its input")

    async def receive(self) -> Message | None:
        """Return the child's next message, or None when the child has ended.

        An unfinished last line is dropped. A child that sends anything but a JSON object is
        killed, which counts as its end. Only one task at a time may wait.
        """
        try:
            line = await self._pipes.output.readline()
            if not line.endswith(b"\n"):
                return None
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if isinstance(message, dict):
            return message
        self._kill_for("sent a line that is no message")
        return None

    async def expect(self) -> Message:
        """Return the child's next message.

        Raises:
            ChildEnded: the child has ended.
        """
        message = await self.receive()
        if message is None:
            raise ChildEnded(await self.ending_sentence())
        return message

    async def how_it_ended(self) -> str:
        """Wait until the child has ended; return how, such as ``ended with exit code 1``.

        Call this after the end of the child's output: a child that still runs `PATIENCE_S` seconds
        later is killed.
        """
        if not await self._exits_within(PATIENCE_S):
            self.kill()
        # Cancelling this caller must not cancel the future, for which others wait too.
        code = await asyncio.shield(self._pipes.exited)
        await self._errors.finish()
        return self._offence or describe_exit(code)

    async def ending_sentence(self) -> str:
        """Wait until the child has ended; return how, and its last error line, as a sentence.

        Nothing can report its own SIGKILL, so the last line is left out after one.
        """
        how = await self.how_it_ended()
        killed = how.endswith("SIGKILL")
        error = "" if killed else self.last_error_line.removeprefix("Error: ")
        return f"{self._title} {how}{f': {error}' if error else '.'}"

    def kill(self) -> None:
        """Kill the child, together with the processes that it has started."""
        # The transport's own `kill` polls the process. That would take the exit code away from
        # the thread of asyncio that waits for it.
        if self.is_running and not kill_group(self.pid):
            with contextlib.suppress(ProcessLookupError):
                self._pipes.transport.kill()

    async def stop(self, patience_s: float = PATIENCE_S) -> None:
        """Close the child's input, and kill it `patience_s` seconds later if it still runs."""
        self._pipes.input.close()
        try:
            if not await self._exits_within(patience_s):
                self.kill()
        except asyncio.CancelledError:
            # The caller waits no longer, so nothing would end the child later.
            self.kill()
            raise
        finally:
            await asyncio.wait({self._pipes.exited})
            self._errors.close()
            self._pipes.transport.close()

    async def _exits_within(self, seconds: float) -> bool:
        await asyncio.wait({self._pipes.exited}, timeout=seconds)
        return self._pipes.exited.done()

    def _kill_for(self, offence: str) -> None:
        if self.is_running and not self._offence:
            self._offence = f"{offence} and was stopped"
        self.kill()


async def wait_until_ended(child: Child) -> str:
    """Read and drop the messages of a child until it ends; return how it ended.

    Reading them keeps the pipe from filling.
    """
    while await child.receive() is not None:
        pass
    sentence = await child.ending_sentence()
    await child.stop()
    return sentence


class _Pipes(asyncio.SubprocessProtocol):
    """Receives the output and the exit of a child; asyncio calls the public methods."""

    transport: asyncio.SubprocessTransport
    input: asyncio.WriteTransport

    def __init__(self) -> None:
        self.output = asyncio.StreamReader(limit=LINE_BYTES)
        self.errors = asyncio.StreamReader()
        self.exited: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._open = {1: self.output, 2: self.errors}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the ends of the pipes."""
        self.transport = cast(asyncio.SubprocessTransport, transport)
        self.input = cast(asyncio.WriteTransport, self.transport.get_pipe_transport(0))
        for fd, reader in self._open.items():
            pipe = self.transport.get_pipe_transport(fd)
            if pipe is not None:
                # The reader can now pause the pipe when its buffer is full.
                reader.set_transport(pipe)

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Pass data from the child to the reader of that pipe."""
        assert isinstance(data, bytes)
        if fd in self._open:
            self._open[fd].feed_data(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """End the reader of a pipe that is closed."""
        if fd in self._open:
            self._open.pop(fd).feed_eof()

    def process_exited(self) -> None:
        """Report the exit, and end the output after a moment."""
        code = self.transport.get_returncode()
        assert code is not None
        self.exited.set_result(code)
        self._end_output_later()

    def _end_output_later(self) -> None:
        asyncio.get_running_loop().call_later(_DRAIN_S, self._end_output)

    def _end_output(self) -> None:
        """End the readers; wait longer while unread output fills the buffer."""
        pipe = self.transport.get_pipe_transport(1)
        # The reader pauses its pipe when its buffer is full: the pipe may hold more.
        if 1 in self._open and pipe is not None and is_paused(cast(asyncio.ReadTransport, pipe)):
            self._end_output_later()
            return
        for fd in tuple(self._open):
            self.pipe_connection_lost(fd, None)


def is_paused(pipe: asyncio.ReadTransport) -> bool:
    """Return whether nobody reads from a pipe at the moment."""
    try:
        return not pipe.is_reading()
    except NotImplementedError:
        # The pipes of Python 3.11.2, which Debian 12 has, know it but have no method for it.
        return bool(getattr(pipe, "_paused", False))


class _ErrorLines:
    """Passes the lines of a child's standard error to `on_line` and keeps the last one."""

    def __init__(self, stream: asyncio.StreamReader, on_line: Callable[[str], None] | None) -> None:
        self._stream = stream
        self._on_line = on_line
        self._task = None if on_line is None else asyncio.create_task(self._read())
        self.last = ""

    async def finish(self) -> None:
        """Wait up to a second for the lines that the child wrote before it ended."""
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=1.0)

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _read(self) -> None:
        rest = b""
        while data := await self._stream.read(4096):
            *lines, rest = (rest + data).split(b"\n")
            # This bounds the memory for a line that never ends.
            rest = rest[-4096:]
            for line in lines:
                self._take(line)
        if rest:
            self._take(rest)

    def _take(self, line: bytes) -> None:
        text = line.decode(errors="replace").rstrip()
        if text:
            self.last = text
            if self._on_line is not None:
                self._on_line(text)
