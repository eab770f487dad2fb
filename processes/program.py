"""Exchange lines of text with a program that may misbehave.

Theory of operation
-------------------
`Program` is for code that waits, such as a bot in its worker process: it has no event loop. A
script between the program and this process (`doublecross.processes.guard`) ends the program, with
all that it has started, as soon as this process ends or closes the program.

Everything that the program writes has a bound: the length of a line, and what is kept of its
standard error. A program that writes without end is not read while nobody waits for it.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import json
import os
import select
import socket
import subprocess
import sys
import time
from array import array
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from doublecross.processes.system import describe_exit

LINE_BYTES: Final = 64 * 1024
"""The longest line that a program may write."""
ERROR_LINES: Final = 20
"""So many of the last lines on standard error are kept, and so many characters of each."""
ERROR_CHARACTERS: Final = 300
_CHUNK: Final = 64 * 1024
_CHECK_S: Final = 0.01
"""Seconds between two looks at whether to stop waiting."""
_REPORT_S: Final = 3.0
"""Seconds to wait for the report about a program that has ended."""

_open: set[Program] = set()
_ending: list[subprocess.Popen[bytes]] = []
"""The scripts of closed programs, which end a little later."""


class ProgramFailed(Exception):  # noqa: N818 - named for what happened
    """The program cannot be started, has ended, or has sent something senseless.

    The text is the rest of a sentence about the program, such as ``ended with exit code 1``.
    """


@dataclass(frozen=True, slots=True)
class Command:
    """How to start a program.

    `words` are the program and its arguments, `folder` is where it runs (empty: here),
    `environment` has variables beside those of this process, `memory_mb` limits its data in MiB
    (None: no limit). `farewell` is the last line for it, with its line feed, after which it has
    `patience_s` seconds to end.
    """

    words: tuple[str, ...]
    folder: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    memory_mb: int | None = None
    farewell: str = ""
    patience_s: float = 2.0


class Program:
    """A running program. Close it, or it ends with this process.

    `on_line` receives each line with the word for where it went: ``<`` to the program, ``>`` from
    it, ``!`` from its standard error.

    What keeps it from starting is told by the first call of `send` or `receive`.

    Raises:
        OSError: this process cannot start another one.
    """

    def __init__(
        self, command: Command, on_line: Callable[[str, str], None] = lambda where, line: None
    ) -> None:
        self.on_line = on_line
        self._command = command
        self.errors: deque[str] = deque(maxlen=ERROR_LINES)
        """The last lines on standard error."""
        _ending[:] = [guard for guard in _ending if guard.poll() is None]
        self._control, others = socket.socketpair()
        theirs, self._input = os.pipe()
        order = {
            "words": command.words,
            "folder": command.folder,
            "environment": dict(command.environment),
            "memory_mb": command.memory_mb,
            "farewell": command.farewell,
            "patience_s": command.patience_s,
            "control": others.fileno(),
            "input": self._input,
        }
        script = str(Path(__file__).with_name("guard.py"))
        try:
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-S", script, json.dumps(order)],
                stdin=theirs,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(others.fileno(), self._input),
                start_new_session=True,
            )
        except OSError:
            self._control.close()
            os.close(self._input)
            raise
        finally:
            others.close()
            os.close(theirs)
        os.set_blocking(self._input, False)
        assert self._guard.stdout is not None
        assert self._guard.stderr is not None
        self._output, self._error = self._guard.stdout.fileno(), self._guard.stderr.fileno()
        self._rest = {self._output: b"", self._error: b""}
        self._lines: deque[str] = deque()
        self._poll = select.poll()
        for descriptor in self._rest:
            os.set_blocking(descriptor, False)
            self._poll.register(descriptor, select.POLLIN)
        _open.add(self)

    @property
    def is_running(self) -> bool:
        """Return whether the program has not ended yet."""
        return self._guard.poll() is None

    def send(self, *lines: str) -> None:
        """Send lines, all at once.

        Raises:
            ProgramFailed: it does not read its input, or has ended.
        """
        for line in lines:
            self.on_line("<", line)
        data = "".join(f"{line}\n" for line in lines).encode()
        try:
            written = os.write(self._input, data)
        except BlockingIOError:
            written = 0
        except OSError:
            raise ProgramFailed(self._how_it_ended()) from None
        if written < len(data):
            raise ProgramFailed("does not read its input")

    def wait_until_read(self, seconds: float) -> None:
        """Wait until the program has read all that was sent, at most so long; it may end first."""
        # Windows has neither of them.
        import fcntl
        import termios

        end = time.monotonic() + seconds
        unread = array("i", [1])
        while unread[0] and self.is_running and time.monotonic() < end:
            time.sleep(_CHECK_S / 10)
            fcntl.ioctl(self._input, termios.FIONREAD, unread)

    def receive(
        self, seconds: float | None = None, stop: Callable[[], bool] | None = None
    ) -> str | None:
        """Return the next line without its end, or None when there is none to wait for.

        That is after `seconds` seconds (None: never), or as soon as `stop` returns true.

        Raises:
            ProgramFailed: it has ended, or a line is too long.
        """
        end = None if seconds is None else time.monotonic() + seconds
        while not self._lines:
            if stop is not None and stop():
                return None
            wait_s = _CHECK_S if stop is not None else _REPORT_S
            if end is not None:
                wait_s = min(wait_s, end - time.monotonic())
                if wait_s <= 0:
                    return None
            for descriptor, _ in self._poll.poll(1000 * wait_s):
                self._read(descriptor)
            if self._output not in self._rest and not self._lines:
                raise ProgramFailed(self._how_it_ended())
        line = self._lines.popleft()
        self.on_line(">", line)
        return line

    def close(self) -> None:
        """Send the last line, and let the program end; it is killed if that takes too long."""
        self._control.close()
        self._release()

    def kill(self) -> None:
        """Kill the program with all that it has started, and wait for that."""
        with contextlib.suppress(OSError):
            self._control.send(b"k")
        self._control.close()
        _wait(self._guard)
        self._release()

    # -- implementation ----------------------------------------------------------------------

    def _release(self) -> None:
        _open.discard(self)
        with contextlib.suppress(OSError):
            os.close(self._input)
        for stream in (self._guard.stdout, self._guard.stderr):
            assert stream is not None
            stream.close()
        _ending.append(self._guard)

    def _read(self, descriptor: int) -> None:
        """Read what is there; keep whole lines, and the rest for later."""
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return
        is_output = descriptor == self._output
        if not data:
            self._poll.unregister(descriptor)
            # Its last line may lack the line feed.
            data = b"\n" if self._rest[descriptor] else b""
            last = True
        else:
            last = False
        *lines, rest = (self._rest[descriptor] + data).split(b"\n")
        if last:
            del self._rest[descriptor]
        else:
            self._rest[descriptor] = rest if is_output else rest[-LINE_BYTES:]
        for line in lines:
            text = line.rstrip(b"\r").decode(errors="replace")
            if is_output:
                self._lines.append(text)
            elif text:
                self.errors.append(text[:ERROR_CHARACTERS])
                self.on_line("!", text[:ERROR_CHARACTERS])
        if is_output and max(map(len, (*lines, rest))) > LINE_BYTES:
            raise ProgramFailed(f"wrote a line of more than {LINE_BYTES // 1024} KiB")

    def _hint(self, error: str) -> str:
        """Return what to do about an error of the start; empty if nobody can know."""
        word, folder = self._command.words[0], self._command.folder
        if error == os.strerror(errno.ENOENT) and "/" not in word and Path(folder, word).is_file():
            return f" (write ./{word})"
        if error == os.strerror(errno.EACCES):
            return f" (make it executable with chmod +x {word}, or name its interpreter before it)"
        if error == os.strerror(errno.ENOEXEC):
            return " (it is no program; name its interpreter before it, such as python3)"
        return ""

    def _how_it_ended(self) -> str:
        """Wait for the report about a program that has ended; return the rest of a sentence."""
        while self._error in self._rest and self._poll.poll(100):
            self._read(self._error)
        self._control.settimeout(_REPORT_S)
        try:
            report = json.loads(self._control.recv(2000))
        except (OSError, ValueError):
            # It closed its output but still runs, or its script was killed.
            return "closed its output"
        if "error" in report:
            return f"cannot be started: {report['error']}{self._hint(report['error'])}"
        return "was killed" if report["code"] is None else describe_exit(report["code"])


def _wait(guard: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        guard.wait(_REPORT_S)


@atexit.register
def _end_all() -> None:
    """Close the programs that are left, and wait for the ends of all."""
    for program in tuple(_open):
        program.close()
    for guard in _ending:
        _wait(guard)
