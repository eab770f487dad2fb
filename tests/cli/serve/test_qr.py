"""The QR code of a server's address in a terminal."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from doublecross.cli.main import main
from doublecross.cli.serve.qr import qr_lines, why_not
from tests.cli.commands import running


def test_a_code_has_lines_of_equal_width_that_a_terminal_shows() -> None:
    lines = qr_lines("http://192.168.1.20:8765")
    assert len({len(line) for line in lines}) == 1
    assert set("".join(lines)) <= set("█▀▄ ")
    assert lines[0] == "█" * len(lines[0])  # the quiet zone
    assert why_not(lines, "utf-8", 80) is None
    assert lines != qr_lines("http://192.168.1.21:8765")


def test_a_terminal_that_cannot_show_it_gets_the_reason() -> None:
    lines = qr_lines("http://192.168.1.20:8765")
    assert "UTF-8" in str(why_not(lines, "ascii", 80))
    assert "UTF-8" in str(why_not(lines, None, 80))
    assert f"it needs {len(lines[0])} columns" in str(why_not(lines, "utf-8", 20))


def test_a_server_prints_it(tmp_path: Path) -> None:
    line = "serve --port 0 --database a.db --qr"
    with running(*line.split(), cwd=tmp_path) as command:
        url = command.until("Open").split("Open")[1].strip(" │")
        for expected in qr_lines(url):
            command.until(expected)
        command.send(signal.SIGINT)
        assert command.wait() == 0


def test_programs_get_no_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--json", "--qr"]) == 2
    assert "--qr is for people" in capsys.readouterr().err
