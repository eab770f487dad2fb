"""Processes that a command starts and that end with it, however it ends.

Theory of operation
-------------------
A child is a fresh interpreter that speaks lines of JSON on its standard output and takes some on
its standard input. It runs our code from where its parent has it: it gets the parent's module
path, absolute and without the current directory, under ``-P``, and our packages are imported
first, so a folder named ``bots`` in the current directory changes nothing.

It leads a session of its own, so Ctrl-C in the terminal reaches the parent alone, which then ends
its children by closing their input. They also see that when the parent is killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections import deque
from collections.abc import Callable
from typing import Any, Final, Self

from bots.workers.process import ROOT, module_path

Message = dict[str, Any]

_BOOT: Final = """\
import json, sys
root, path, module, name, *arguments = json.loads(sys.argv[1])
sys.path[:] = [root, *path]
import bots, cli, client, games, protocol, server, stats
del sys.path[0]
sys.argv[:] = [name, *arguments]
import importlib
sys.exit(importlib.import_module(module).main())
"""
_LINE_BYTES: Final = 4 * 1024 * 1024
_KEPT: Final = 20
_END_S: Final = 8.0


class ChildEnded(Exception):  # noqa: N818 - named for what happened
    """A child has ended although more was expected of it; one sentence."""


class Child:
    """A running child; make one with `start`. `on_error_line` gets what it writes to standard
    error, line by line."""

    def __init__(
        self, title: str, process: asyncio.subprocess.Process, on_error_line: Callable[[str], None]
    ) -> None:
        self._title = title
        self._process = process
        self._on_error_line = on_error_line
        self._last: deque[str] = deque(maxlen=_KEPT)
        self._errors = asyncio.create_task(self._read_errors())

    @classmethod
    async def start(
        cls,
        title: str,
        module: str,
        *arguments: str,
        on_error_line: Callable[[str], None] = lambda line: None,
    ) -> Self:
        """Start ``module.main()`` with these arguments; `title` names it in sentences."""
        facts = [str(ROOT), module_path(), module, "doublecross", *arguments]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-I" if sys.flags.isolated else "-P",
            "-c",
            _BOOT,
            json.dumps(facts),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
            limit=_LINE_BYTES,
        )
        return cls(title, process, on_error_line)

    @property
    def runs(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.returncode is None

    @property
    def last_words(self) -> str:
        """The last line that it wrote to standard error."""
        return self._last[-1] if self._last else ""

    def tell(self, message: Message) -> None:
        """Send it a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def hear(self) -> Message | None:
        """Its next line; None when it has ended."""
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        return json.loads(line) if line else None

    async def expect(self) -> Message:
        """Its next line.

        Raises:
            ChildEnded: there is none.
        """
        message = await self.hear()
        if message is None:
            raise ChildEnded(await self.ending())
        return message

    async def ending(self) -> str:
        """How it ended, as a sentence."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _END_S)
        await asyncio.wait({self._errors}, timeout=1.0)
        code = self._process.returncode
        how = f"with exit code {code}"
        if code is not None and code < 0:
            try:
                how = f"by {signal.Signals(-code).name}"
            except ValueError:
                how = f"by signal {-code}"
        said = self.last_words.removeprefix("Error: ")
        return f"{self._title} ended {how}{f': {said}' if said else '.'}"

    async def stop(self) -> None:
        """End it: close its input, and kill it when that is not enough."""
        process = self._process
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), _END_S)
        except (TimeoutError, asyncio.CancelledError):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()
            await process.wait()
        self._errors.cancel()
        await asyncio.gather(self._errors, return_exceptions=True)

    async def _read_errors(self) -> None:
        stream = self._process.stderr
        assert stream is not None
        rest = b""
        while data := await stream.read(4096):
            *lines, rest = (rest + data).split(b"\n")
            rest = rest[-4096:]
            for line in lines:
                self._take(line)
        if rest:
            self._take(rest)

    def _take(self, line: bytes) -> None:
        text = line.decode(errors="replace").rstrip()
        if text:
            self._last.append(text)
            self._on_error_line(text)


async def start_server(
    database: str,
    on_error_line: Callable[[str], None] = lambda line: None,
    *,
    bots: str = "",
    port: int = 0,
) -> tuple[Child, str]:
    """A server of our own on `port` (0: any that is free), and its address; `bots` are specs as for
    ``--bots``. It tells of those by further lines.

    Raises:
        ChildEnded: it did not start.
    """
    arguments = f"serve --json --until-eof --host 127.0.0.1 --port {port} --http-port 0 --database"
    with_bots = ("--bots", bots) if bots else ()
    child = await Child.start(
        "The server",
        "cli.main",
        *arguments.split(),
        database,
        *with_bots,
        on_error_line=on_error_line,
    )
    try:
        return child, (await child.expect())["ws"]
    except BaseException:
        await child.stop()
        raise
