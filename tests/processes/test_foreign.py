"""Programs that are not ours run below a child process, and end with its parent."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

from doublecross.processes.child import Child
from doublecross.processes.command import command, make_order
from doublecross.processes.foreign import Job

MODULE = "doublecross.processes.foreign"
STAYS = """
import signal, sys, time
signal.signal(signal.SIGINT, lambda *_: sys.exit(print('asked', flush=True)))
print('ready', flush=True)
time.sleep(600)
"""


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


def until(condition: object) -> None:
    give_up = time.monotonic() + 20
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < give_up
        time.sleep(0.01)


async def start(job: Job) -> Child:
    return await Child.start("The program", MODULE, job.encode(), on_error_line=lambda line: None)


async def test_commands_run_one_after_another_and_the_last_one_stays(tmp_path: Path) -> None:
    folder, log = tmp_path / "data", tmp_path / "log"
    folder.mkdir()
    commands = [python("print('first')"), python(STAYS)]
    child = await start(Job(commands, str(log), end="SIGINT", folder=str(folder)))
    pid = (await child.expect())["pid"]
    until(lambda: "ready" in log.read_text())
    assert log.read_text().split() == ["first", "ready"]
    await child.stop()
    assert not psutil.pid_exists(pid)
    assert log.read_text().split()[-1] == "asked", "it gets the signal of the job"
    assert not folder.exists()


async def test_a_program_that_ends_or_cannot_start_is_reported(tmp_path: Path) -> None:
    log = str(tmp_path / "log")
    folder = tmp_path / "data"
    folder.mkdir()
    child = await start(Job([python("exit(3)"), python(STAYS)], log, folder=str(folder)))
    assert await child.expect() == {"failed": Path(sys.executable).name, "code": 3}
    assert await child.receive() is None, "the second command does not start"
    await child.stop()
    assert not folder.exists()
    child = await start(Job([("/nowhere/program",)], log))
    assert await child.expect() == {"failed": "program", "error": os.strerror(2)}
    await child.stop()
    child = await start(Job([python("pass")], log))
    assert "pid" in await child.expect()
    assert await child.expect() == {"failed": Path(sys.executable).name, "code": 0}
    await child.stop()


def test_nothing_is_left_when_the_parent_is_killed(tmp_path: Path) -> None:
    folder, log = tmp_path / "data", tmp_path / "log"
    folder.mkdir()
    job = Job([python(STAYS)], str(log), end="SIGINT", folder=str(folder))
    order = make_order(MODULE, [job.encode()], expendable=False, memory_mb=None)
    words = json.dumps(command(order))
    parent = subprocess.Popen(
        python(
            "import json, subprocess, sys, time\n"
            f"subprocess.Popen(json.loads({words!r}), stdin=subprocess.PIPE,"
            " start_new_session=True)\n"
            "time.sleep(600)"
        ),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    pid = json.loads(parent.stdout.readline())["pid"]
    until(lambda: "ready" in log.read_text())
    parent.send_signal(signal.SIGKILL)
    parent.wait(20)
    parent.stdout.close()
    until(lambda: not folder.exists())
    assert not psutil.pid_exists(pid)
