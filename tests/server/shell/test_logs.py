"""What players send cannot control the terminal that shows the server's log."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator

import pytest
import structlog

from doublecross.server.shell.logs import ALIKE_S, MOST_ALIKE, MOST_MESSAGES, FewAlike, server_logs


@pytest.fixture(autouse=True)
def _restored_logs() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    asyncio_level = logging.getLogger("asyncio").level
    yield
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.getLogger("asyncio").setLevel(asyncio_level)


def test_the_log_has_escapes_for_what_does_not_print(capsys: pytest.CaptureFixture[str]) -> None:
    server_logs(verbose=False)
    structlog.get_logger("x").warning("slow_peer", client="evil\x9b31m\u202e\nlevel=error")
    try:
        raise ValueError("bad \x1b[2J")
    except ValueError:
        structlog.get_logger("x").exception("failed")
    logging.getLogger("other").warning("from a library \x1b[31m")
    text = capsys.readouterr().err
    assert all(c == "\n" or c.isprintable() for c in text)
    assert "\\x9b31m" in text
    assert "\\u202e" in text
    assert "ValueError: bad" in text
    assert sum(line.startswith("timestamp=") for line in text.splitlines()) == 3


def record(message: str, at_s: float) -> logging.LogRecord:
    made = logging.LogRecord("library", logging.ERROR, "", 0, message, ("x",), None)
    made.created = at_s
    return made


def test_a_library_cannot_fill_the_log_with_the_same_message() -> None:
    few = FewAlike()
    assert [few.filter(record("bad %s", at)) for at in range(8)] == [True] * 5 + [False] * 3
    assert few.filter(record("worse %s", 8.0))
    later = record("bad %s", ALIKE_S)
    assert few.filter(later)
    assert later.getMessage() == f"bad x ({8 - MOST_ALIKE} more were not logged)"
    again = record("bad %s", ALIKE_S + 1)
    assert few.filter(again)
    assert again.getMessage() == "bad x"
    for number in range(2 * MOST_MESSAGES):
        assert few.filter(record(f"{number} %s", ALIKE_S))
    assert len(few._counts) <= MOST_MESSAGES


def test_the_limit_takes_whatever_libraries_log() -> None:
    few = FewAlike()
    for at in (*range(8), ALIKE_S):
        odd = record("two %s %s", at)  # a value is missing, which the handler reports
        objects = logging.LogRecord("library", logging.ERROR, "", 0, {"bad": 1}, None, None)
        objects.created = at
        assert few.filter(odd) == few.filter(objects) == (at < MOST_ALIKE or at == ALIKE_S)
    assert objects.getMessage() == f"{{'bad': 1}} ({8 - MOST_ALIKE} more were not logged)"


def test_the_log_of_a_server_limits_libraries_but_not_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    server_logs(verbose=False)
    for _ in range(2 * MOST_ALIKE):
        logging.getLogger("other").error("from a library")
        structlog.get_logger("x").error("own")
    text = capsys.readouterr().err
    assert (text.count("from a library"), text.count("event=own")) == (MOST_ALIKE, 2 * MOST_ALIKE)


@pytest.mark.processes
@pytest.mark.parametrize("logger", ["structlog.get_logger()", "logging.getLogger('asyncio')"])
def test_a_process_without_memory_ends(logger: str) -> None:
    code = f"""if True:
        import logging, structlog
        from doublecross.server.shell.logs import server_logs
        server_logs(False)
        try:
            bytearray(1 << 62)
        except Exception:
            {logger}.exception("a request has failed")
        print("it goes on")
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "no memory left" in done.stderr
