"""Forks of a fork server share its memory, inherit what fresh children do, and end in order.

The tests in test_processes.py run with forks too.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from doublecross.processes import forks
from doublecross.processes.child import Child, Message
from doublecross.processes.forks import serving
from tests.processes.subject import MODULE
from tests.processes.test_processes import LINUX, ended, parent_of, start

pytestmark = LINUX

LARGE = "numpy.testing"
"""A module that the subject does not need, with much memory."""


@pytest.fixture
def server() -> Iterator[psutil.Process]:
    """Have a fork server that imports the subject at once and `LARGE` later."""
    before = set(psutil.Process().children())
    with serving((MODULE,), (LARGE, "tests.processes.late")):
        (process,) = set(psutil.Process().children()) - before
        yield process


async def about(*modules: str) -> tuple[Child, Message]:
    child = await start("about", *modules)
    return child, await child.expect()


async def test_a_fork_shares_memory_and_inherits_what_a_fresh_child_does(
    server: psutil.Process, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DOUBLECROSS_SUBJECT", "is set")
    monkeypatch.chdir(tmp_path)
    fork, said = await about()
    assert said["pid"] == fork.pid
    assert said["parent"] == server.pid
    assert said["variable"] == "is set"
    assert said["niceness"] == os.nice(0)
    assert said["folder"] == str(tmp_path)
    # Its thread for the input; the streams, the copies of input and output, and the control socket.
    assert said["threads"] == 2
    assert said["files"] == 6
    memory = said["memory"]
    assert memory["Private_Dirty"] + memory["Private_Clean"] < 0.4 * memory["Rss"]
    other, again = await about()
    assert again["numbers"] != said["numbers"]
    assert again["files"] == 6
    await fork.stop()
    await other.stop()


async def test_modules_for_later_come_after_the_first_request(server: psutil.Process) -> None:
    fork, said = await about(MODULE, LARGE)
    assert said["modules"] == [MODULE]
    await fork.stop()
    late = await Child.start("The late one", "tests.processes.late")
    assert await late.expect() == {"loaded": True}
    await late.stop()


async def test_a_start_that_is_cancelled_leaves_no_process(server: psutil.Process) -> None:
    starting = asyncio.create_task(start("about"))
    for _ in range(10):  # until it has asked the fork server, which takes longer to answer
        await asyncio.sleep(0)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    fork, _ = await about()
    assert [child.pid for child in server.children()] == [fork.pid]
    await fork.stop()


async def test_processes_that_an_import_has_left_do_no_harm() -> None:
    with serving((MODULE, "tests.processes.late:leave_a_child"), ()):
        parents = set()
        for _ in range(3):
            fork, said = await about()
            parents.add(said["parent"])
            await fork.stop()
        assert len(parents) == 1
        assert os.getpid() not in parents


async def test_what_a_killed_fork_has_started_is_killed_too(server: psutil.Process) -> None:
    fork = await start("nested")
    said = await fork.expect()
    assert said["its_parent"] == server.pid
    os.kill(fork.pid, signal.SIGKILL)
    assert await asyncio.to_thread(ended, said["spawned"])
    assert await fork.ending_sentence() == "The subject was killed by SIGKILL."
    await fork.stop()


async def test_forks_end_with_the_fork_server_and_then_children_are_fresh(
    server: psutil.Process, caplog: pytest.LogCaptureFixture
) -> None:
    fork = await start("spin")
    await fork.expect()
    server.kill()
    assert await fork.ending_sentence() == "The subject was killed by SIGKILL."
    assert await asyncio.to_thread(ended, fork.pid)
    await fork.stop()
    for _ in range(2):
        fresh, said = await about()
        assert said["parent"] == os.getpid()
        await fresh.stop()
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


async def test_forks_may_end_in_order_after_the_one_that_started_them() -> None:
    before = set(psutil.Process().children())
    with serving((), ()):
        fork = await start("echo")
        await fork.expect()
        (server,) = set(psutil.Process().children()) - before
        server.terminate()  # as when a session ends
        waiting = asyncio.create_task(asyncio.to_thread(server.wait))
        await fork.stop()
        assert await fork.how_it_ended() == "ended with exit code 0"
    await waiting


def test_forks_have_time_to_save_when_the_one_that_started_them_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = tmp_path / "saved"
    monkeypatch.setenv("DOUBLECROSS_SUBJECT", str(saved))
    with subprocess.Popen(parent_of("saves", True), stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        fork = eval(parent.stdout.readline())["pid"]
        server = psutil.Process(fork).parent()
        assert server is not None
        assert server.pid != parent.pid
        parent.kill()
        assert ended(fork, server.pid)
    assert saved.read_text() == "all"


async def test_a_process_that_cannot_be_forked_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    control, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

    def refuse() -> None:
        _, files, _, _ = socket.recv_fds(other, 16, 4)
        with socket.socket(fileno=files[0]) as lifeline:
            lifeline.sendall(b'{"errno": 11, "error": "Resource temporarily unavailable"}\n')
            lifeline.recv(65536)
        for file in files[1:]:
            os.close(file)

    monkeypatch.setattr(forks, "_control", control)
    with control, other:
        refusing = asyncio.create_task(asyncio.to_thread(refuse))
        with pytest.raises(BlockingIOError, match="Resource temporarily unavailable"):
            await start("echo")
        await refusing


async def test_other_systems_start_fresh_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forks, "POSSIBLE", False)
    with serving((MODULE,), ()):
        child, said = await about()
        assert said["parent"] == os.getpid()
        await child.stop()
