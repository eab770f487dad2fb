"""Logs on a stream that fails: no call raises, and the number of lost lines is reported."""

from __future__ import annotations

import io
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from doublecross.server.shell.log_stream import LogStream
from doublecross.server.shell.logs import server_logs


class Moody(io.StringIO):
    """A stream without a file descriptor that fails while `trouble` is set."""

    trouble: Exception | None = None

    def write(self, text: str) -> int:
        if self.trouble is not None:
            raise self.trouble
        return super().write(text)


@pytest.fixture
def logs() -> Iterator[None]:
    """Restore the logging of the test process."""
    root = logging.getLogger()
    before = root.handlers[:], root.level, logging.raiseExceptions
    yield
    root.handlers[:], logging.raiseExceptions = before[0], before[2]
    root.setLevel(before[1])
    structlog.reset_defaults()


@pytest.mark.parametrize(
    "trouble",
    [OSError(28, "No space left on device"), BrokenPipeError(), ValueError("closed file")],
)
def test_lines_that_cannot_be_written_are_counted_and_reported(trouble: Exception) -> None:
    moody = Moody()
    stream = LogStream(moody)
    stream.write("one\n")
    moody.trouble = trouble
    stream.write("two\n")
    stream.write("three\nfour\n")
    assert stream.lost == 3
    moody.trouble = None
    stream.write("five\n")
    assert moody.getvalue().splitlines() == [
        "one",
        "Log lines before this one that could not be written: 3.",
        "five",
    ]
    assert stream.lost == 0


def test_a_full_disk_and_a_pipe_without_a_reader() -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        stream = LogStream(full)
        stream.write("one\n")
        assert stream.lost == 1
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as pipe:
        stream = LogStream(pipe)
        stream.write("one\n")
        assert stream.lost == 1


def test_a_line_that_was_written_in_part_does_not_run_into_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    write = os.write
    room = [5]

    def short(descriptor: int, data: memoryview) -> int:
        """Write as a disk does that becomes full."""
        if not room[0]:
            raise OSError(28, "No space left on device")
        size = min(room[0], len(data))
        room[0] -= size
        return write(descriptor, data[:size])

    with path.open("w") as file:
        stream = LogStream(file)
        monkeypatch.setattr("doublecross.server.shell.log_stream.os.write", short)
        stream.write("a long line\n")
        stream.write("another\n")
        room[0] = 1000
        stream.write("the last\n")
    assert path.read_text().splitlines() == [
        "a lon",
        "Log lines before this one that could not be written: 2.",
        "the last",
    ]


@pytest.mark.parametrize("closed", [True, False])
def test_no_log_call_raises_without_standard_error(
    logs: None, monkeypatch: pytest.MonkeyPatch, closed: bool
) -> None:
    gone = None
    if closed:
        gone = io.StringIO()
        gone.close()
    monkeypatch.setattr(sys, "stderr", gone)
    server_logs(verbose=True)
    log = structlog.get_logger("test")
    log.error("commit_failed", reason="The disk is full.")
    log.info("started")
    logging.getLogger("websockets.server").error("broken")
    logging.getLogger("test").error("%d is no number", "this")
    try:
        raise RuntimeError
    except RuntimeError:
        log.exception("commit_raised")


def test_an_event_that_is_no_text_does_not_raise(
    logs: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Bad:
        def __repr__(self) -> str:
            raise RuntimeError("no text")

        __str__ = __repr__

    stream = Moody()
    monkeypatch.setattr(sys, "stderr", stream)
    server_logs(verbose=False)
    log = structlog.get_logger("test")
    log.error("first", value=Bad())
    log.error("second", name="Zoë \ud800")
    lines = stream.getvalue().splitlines()
    assert lines[0] == "Log lines before this one that could not be written: 1."
    assert "event=second" in lines[1]
