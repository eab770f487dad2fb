"""A stream for logs that never fails, and the structlog parts that write to it.

A log line that cannot be written (a full disk, a closed pipe, no standard error at all) must not
end the work that it describes. Such lines are dropped and counted. The next line that can be
written is preceded by a line with their number.
"""

from __future__ import annotations

import json
import os
import threading
from typing import Any, Final, TextIO

import structlog

from doublecross.server.shell.memory_end import end_out_of_memory

_ENCODING: Final = "utf-8"


class LogStream:
    """Write text to a stream; drop what cannot be written, and report how much was dropped.

    It writes to the stream's file descriptor where there is one. A text stream would keep failed
    lines in its buffers, and its count of lost lines would be wrong. A `stream` of None, which is
    Python's standard error when that was closed at the start, drops everything. With `as_json` the
    report is a JSON object as the other lines are.
    """

    def __init__(self, stream: TextIO | None, *, as_json: bool = False) -> None:
        self._stream = stream
        self._as_json = as_json
        self._descriptor = _descriptor(stream)
        self._lock = threading.Lock()
        self._torn = False
        """True when the last line was written in part."""
        self.lost = 0
        """The number of lines that were dropped since the last one that was written."""

    def write(self, text: str) -> int:
        """Write one or more whole lines, or count them as lost; return the length of `text`."""
        with self._lock:
            try:
                if self.lost:
                    self._put(self._loss() + "\n")
                    self.lost = 0
                self._put(text)
            except (OSError, ValueError):  # ValueError: the stream is closed
                self.lost += max(1, text.count("\n"))
        return len(text)

    def _loss(self) -> str:
        """Return the line that reports the lines that were dropped."""
        if self._as_json:
            return json.dumps({"level": "error", "event": "log_lines_lost", "lines": self.lost})
        return f"Log lines before this one that could not be written: {self.lost}."

    def _put(self, text: str) -> None:
        """Write all of `text`.

        Raises:
            OSError, ValueError: it could not be written, or only a part of it.
        """
        if self._stream is None:
            raise ValueError("there is no stream")
        if self._torn:
            # End the line that was written in part, so that this one is whole.
            text = "\n" + text
        if self._descriptor is None:
            self._stream.write(text)
            self._stream.flush()
            self._torn = False
            return
        rest = memoryview(text.encode(_ENCODING, "backslashreplace"))
        whole = len(rest)
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        finally:
            if len(rest) != whole:
                self._torn = bool(rest)

    def flush(self) -> None:
        """Do nothing, because `write` keeps nothing back."""

    def isatty(self) -> bool:
        """Return whether the stream is a terminal."""
        try:
            return self._stream is not None and self._stream.isatty()
        except (OSError, ValueError):
            return False


def _descriptor(stream: TextIO | None) -> int | None:
    """Return the file descriptor of a stream, or None for a stream without one."""
    try:
        return None if stream is None else stream.fileno()
    except (OSError, ValueError):  # io.UnsupportedOperation is both
        return None


class _LineLogger:
    """Write each event as one line; this is the logger below structlog's processors."""

    def __init__(self, stream: LogStream) -> None:
        self._stream = stream

    def msg(self, message: str) -> None:
        """Write one line."""
        self._stream.write(message + "\n")

    log = debug = info = warn = warning = error = exception = fatal = critical = msg


class LineLoggerFactory:
    """Give structlog its loggers, all on the same stream."""

    def __init__(self, stream: LogStream) -> None:
        self._logger = _LineLogger(stream)

    def __call__(self, *args: Any) -> _LineLogger:
        """Return the logger; structlog passes the arguments of `get_logger`."""
        return self._logger


def unfailing_logger(level: int, stream: LogStream) -> type[structlog.typing.FilteringBoundLogger]:
    """Return the class of loggers that log from `level` upwards and never raise.

    An event that a processor cannot turn into text counts as a lost line of `stream`.
    """
    base: Any = structlog.make_filtering_bound_logger(level)

    class Unfailing(base):  # type: ignore[misc]  # structlog makes the base class at run time
        """A logger whose calls never raise."""

        def _proxy_to_logger(self, method: str, event: str | None = None, **values: Any) -> Any:
            try:
                return super()._proxy_to_logger(method, event, **values)
            except MemoryError:
                end_out_of_memory()
            except Exception:  # noqa: BLE001 - a log call must not end the work that it describes
                stream.lost += 1

    return Unfailing
