"""Hold a running engine for the length of a game, and keep it for the next one.

Theory of operation
-------------------
A program takes a while to start, so one that has played a game well is kept for the next game of
the same engine in this process. Each game may have a file with its dialogue, in the folder that the
environment variable `DOUBLECROSS_ENGINE_LOG` names.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Final, Literal, Self, TextIO

from doublecross.bots.api import BotError, BotFault, StopFlag
from doublecross.bots.programs.engine import LOG_VARIABLE, Engine
from doublecross.processes.program import Program, ProgramFailed

READY_S: Final = 10.0
"""Seconds that an engine has to answer what is not about a move."""
STOP_S: Final = 10.0
"""Seconds that an engine has to answer after its time; whoever waits for its bot may end it before
that."""
LAST_S: Final = 1.0
"""Seconds for the lines that a program has written before its end."""
LOG_BYTES: Final = 10 * 1024 * 1024
"""The longest log of a game."""

_SPEECH: Final = {
    "ugi": re.compile(r"(id|option|info|bestmove|ugiok|uciok|readyok)\b"),
    "gtp": re.compile(r"[=?]"),
    "lines": re.compile(r"[a-z][0-9]{1,2}$"),
}
"""How a line begins that a program writes in each dialect."""

_kept: dict[Engine, list[Program]] = {}


class Dialogue:
    """The exchange of lines with an engine during one game.

    Take it with `begin`, and give the engine back with `end`. All methods raise `BotFault` when the
    program fails.
    """

    def __init__(self, engine: Engine, program: Program, *, fresh: bool) -> None:
        self.engine = engine
        self.fresh = fresh
        """True if the program has just been started, so that it knows nothing yet."""
        self.understood = not fresh
        """Whether the program has shown that it speaks the dialect of its engine."""
        self._first = ""
        self._program = program
        self._log: GameLog | None = None
        self._open = True

    @classmethod
    def begin(cls, engine: Engine) -> Self:
        """Return a dialogue with a running program of this engine."""
        kept = _kept.get(engine, [])
        while kept:
            program = kept.pop()
            if program.is_running:
                return cls(engine, program, fresh=False)
            program.close()
        return cls(engine, _start(engine), fresh=True)

    def restart(self) -> None:
        """Go on with a new process of the same program."""
        old = self._program
        old.close()
        self._program = _start(self.engine)
        self._program.on_line = old.on_line

    def log(self, label: str) -> None:
        """Keep the rest of the dialogue in a file, if that is asked for; `label` names the game."""
        if label and self._log is None and (folder := os.environ.get(LOG_VARIABLE)):
            self._log = GameLog(Path(folder), label)
            self._program.on_line = self._log.write

    def listen(self, on_line: Callable[[str, str], None]) -> None:
        """Call `on_line` with each line from now on."""
        self._program.on_line = on_line

    def send(self, *lines: str) -> None:
        """Send lines, all at once."""
        try:
            self._program.send(*lines)
        except ProgramFailed as failure:
            # It may have said before its end what it speaks.
            with contextlib.suppress(ProgramFailed):
                self._first = self._first or (self._program.receive(LAST_S) or "").strip()
            raise self.fault(str(failure)) from None

    def receive(
        self, seconds: float | None = None, stop: Callable[[], bool] | None = None
    ) -> str | None:
        """Return the next line, None when `seconds` are over or `stop` returns true."""
        try:
            line = self._program.receive(seconds, stop)
        except ProgramFailed as failure:
            raise self.fault(str(failure)) from None
        self._first = self._first or (line or "").strip()
        return line

    def thinking(
        self, stop: StopFlag, ask_to_stop: Callable[[], None] = lambda: None
    ) -> Iterator[str]:
        """Yield the lines of a program that thinks about its move, as long as the caller wants.

        When `stop` is set, `ask_to_stop` is called, and the program has `STOP_S` more seconds.
        """
        end = None
        while True:
            if end is None and stop.is_set():
                ask_to_stop()
                end = monotonic() + STOP_S
            if end is None:
                line = self.receive(stop=stop.is_set)
            elif (left_s := end - monotonic()) > 0:
                line = self.receive(left_s)
            else:
                raise self.fault(f"did not answer within {STOP_S:g} s after its time")
            if line is not None:
                yield line.strip()

    def wait_until_read(self) -> None:
        """Wait until the program has read what was sent: then it has started."""
        self._program.wait_until_read(READY_S)

    def expect(self, wanted: Callable[[str], bool], what: str, seconds: float = READY_S) -> str:
        """Return the first line that is `wanted`, and skip the others; `what` names it."""
        end = monotonic() + seconds
        # By the clock as well: a program may write without end.
        while (left_s := end - monotonic()) > 0 and (line := self.receive(left_s)) is not None:
            if wanted(line):
                return line
        raise self.fault(f"did not send {what} within {seconds:g} s")

    def fault(self, what: str, kind: Literal["crash", "illegal"] = "crash") -> BotFault:
        """Return the error of an engine that does not go on; it is not used for another game."""
        self.end(keep=False)
        if not self.understood and not what.startswith("cannot be started"):
            what += self._hint()
        sentence = f"its program {what}" if kind == "crash" else what
        return BotFault(sentence, "\n".join(self._program.errors), kind=kind)

    def _hint(self) -> str:
        """Return the end of a sentence about a program that may speak another dialect."""
        first, own = self._first, self.engine.dialect
        for dialect, begins in _SPEECH.items():
            if dialect != own and begins.match(first):
                return f"; {first[:40]!r} belongs to another protocol: try {dialect}:COMMAND"
        return "" if first else silence_hint(own)

    def end(self, *, keep: bool = True) -> None:
        """Keep the program for the next game, or end it. Further calls do nothing."""
        if not self._open:
            return
        self._open = False
        self._program.on_line = lambda where, line: None
        if self._log is not None:
            self._log.close()
        if keep and self.engine.restart == "crash" and self.engine.dialect != "lines":
            _kept.setdefault(self.engine, []).append(self._program)
        elif keep:
            self._program.close()
        else:
            self._program.kill()


def silence_hint(dialect: str) -> str:
    """Return the end of a sentence about a program that has not written a line."""
    other = "ugi" if dialect == "lines" else "lines"
    return f"; if it speaks another protocol, try {other}:COMMAND"


def _start(engine: Engine) -> Program:
    try:
        return Program(engine.command)
    except OSError as error:
        raise BotFault(f"its program cannot be started: {error.strerror}") from None


class GameLog:
    """The file with the dialogue of one game, of at most `LOG_BYTES`.

    Raises:
        BotError: it cannot be written.
    """

    def __init__(self, folder: Path, label: str) -> None:
        name = re.sub(r"[^\w.+-]+", "-", label).strip("-.")[:100]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file: TextIO = (folder / f"{name}.log").open("w", encoding="utf-8")
        except OSError as error:
            raise BotError(f"No log can be written to {folder}: {error.strerror}.") from None
        self._began = monotonic()
        self._left = LOG_BYTES

    def write(self, where: str, line: str) -> None:
        """Write a line with its time in seconds."""
        text = f"{monotonic() - self._began:9.4f} {where} {line}\n"
        if self._left > 0:
            self._left -= len(text)
            self._file.write(text)
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
