"""Exchange lines with programs that may misbehave."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from doublecross.processes.child import Child
from doublecross.processes.program import Command, Program, ProgramFailed
from tests.processes.owner import ESCAPES

pytestmark = pytest.mark.processes


def shell(text: str, **how: str) -> Program:
    return Program(Command(("sh", "-c", text), **how))  # type: ignore[arg-type]


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("echo one >&2; exit 4", "ended with exit code 4"),
        ("kill -9 $$", "was killed by SIGKILL"),
        ("exec >&-; sleep 1000", "closed its output"),
    ],
)
def test_the_end_of_a_program_is_described(
    text: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.processes.program._REPORT_S", 0.3)
    program = shell(text)
    with pytest.raises(ProgramFailed, match=how):
        program.receive(20)
    assert list(program.errors) == (["one"] if "one" in text else [])
    program.kill()


def test_a_program_that_does_not_read_is_found_out() -> None:
    program = shell("sleep 1000")
    with pytest.raises(ProgramFailed, match="does not read its input"):
        program.send("x" * 200_000)
    program.kill()


def test_the_last_line_lets_a_program_end(tmp_path: Path) -> None:
    program = shell(f'read word; echo "$word" > "{tmp_path}/last"', farewell="quit\n")
    program.close()
    wait_for(lambda: (tmp_path / "last").exists() and bool((tmp_path / "last").read_text()))
    assert (tmp_path / "last").read_text() == "quit\n"


def test_what_a_program_started_ends_with_it() -> None:
    program = shell(ESCAPES)
    escaped = int(program.receive(20) or 0)
    assert psutil.pid_exists(escaped)
    program.kill()
    assert not psutil.pid_exists(escaped)


async def test_a_program_ends_when_its_owner_is_killed() -> None:
    child = await Child.start("The owner", "tests.processes.owner")
    found = await child.expect()
    (guard,) = psutil.Process(child.pid).children()
    assert psutil.pid_exists(found["escaped"])
    os.kill(child.pid, signal.SIGKILL)
    await child.stop()
    wait_for(lambda: not psutil.pid_exists(found["escaped"]))
    wait_for(lambda: not guard.is_running())
