"""What players send cannot control the terminal that shows the server's log."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
import structlog

from cli.serve.logs import server_logs


@pytest.fixture(autouse=True)
def _restored_logs() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    levels = {name: logging.getLogger(name).level for name in ("uvicorn.error", "asyncio")}
    yield
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, old in levels.items():
        logging.getLogger(name).setLevel(old)


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
