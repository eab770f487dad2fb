"""Tests for commands whose standard streams are closed or have no room."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from doublecross.processes.ports import free_port
from tests.cli.commands import DEADLINE_S, PROGRAM, environment


def run(redirection: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command under a shell that redirects its streams."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", *PROGRAM, *arguments],
        cwd=cwd,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_command_works_without_standard_streams(tmp_path: Path) -> None:
    done = run("<&- >&- 2>&-", "games", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_output_without_room_ends_a_command_with_a_sentence(tmp_path: Path) -> None:
    done = run(">/dev/full", "games", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == (
        "Error: The output could not be written: No space left on device. Make room for it.\n"
    )


@pytest.mark.parametrize(
    ("redirection", "form"),
    [(">&- 2>&-", ()), (">/dev/full", ("--json",))],
)
def test_a_server_needs_no_output(redirection: str, form: tuple[str, ...], tmp_path: Path) -> None:
    http = free_port()
    arguments = ("serve", "--port", "0", "--http-port", str(http), "--until-eof", *form)
    with subprocess.Popen(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", *PROGRAM, *arguments],
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        until = time.monotonic() + DEADLINE_S
        while not answers(http) and server.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        _, errors = server.communicate(timeout=DEADLINE_S)  # closes its input, which stops it
    # On a busy machine the server's log may say that it has stalled.
    lines = [line for line in errors.splitlines() if "event=stalled" not in line]
    assert (server.returncode, lines) == (0, [])


def answers(port: int) -> bool:
    """Return whether a server on this port says that it works."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
