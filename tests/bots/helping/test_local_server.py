"""Tests for the local server that a user's windows share, with real servers."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import psutil
import pytest

from doublecross.bots.helping import local_server
from doublecross.bots.helping.local_server import LocalServer
from doublecross.client.tk.models.helpers import HelperFailed
from tests.bots.running import serving, until
from tests.cli.commands import running
from tests.cli.family import Family
from tests.cli.visiting import PATIENCE_S, visiting

pytestmark = [pytest.mark.timeout(120), pytest.mark.usefixtures("fork_server")]

Window = Callable[[], LocalServer]


@pytest.fixture
async def window(tmp_path: Path) -> AsyncIterator[Window]:
    windows: list[LocalServer] = []

    def open_one() -> LocalServer:
        windows.append(LocalServer(tmp_path / "data"))
        return windows[-1]

    yield open_one
    for each in windows:
        await each.close()


def kill(window: LocalServer) -> None:
    """Kill the server of a window, like a crash."""
    assert window.child is not None
    window.child.kill()


async def wait_until_gone(window: LocalServer) -> None:
    await until(lambda: window.url is None)


def port_of(url: str) -> int:
    return int(url.rpartition(":")[2])


async def test_two_windows_share_one_server(window: Window) -> None:
    first, second = window(), window()
    one, other = await asyncio.gather(first.open(()), second.open(()))
    assert one == other == await second.open(()) == first.url == second.url
    assert [w.child is None for w in (first, second)].count(True) == 1
    async with visiting(one) as ann, visiting(other, "Ben"):
        await ann.online("Ann", "Ben")


async def test_the_other_window_takes_over_at_the_same_address(window: Window) -> None:
    first, second = window(), window()
    url = await first.open(())
    assert await second.open(()) == url
    async with visiting(url) as ann:
        async with ann.coming_back():
            await first.close()
        await ann.online("Ann")
        await until(lambda: second.url == url)
    assert second.child is not None
    assert await second.open(()) == url


async def test_a_killed_window_leaves_no_process_and_another_one_takes_over(
    window: Window, tmp_path: Path
) -> None:
    """As in the window, whose main thread is Tk's, the helpers run in another thread."""
    code = f"""
import asyncio, threading
from pathlib import Path
from doublecross.bots.helping import helpers as module
from doublecross.bots.helping.helpers import LocalHelpers
from doublecross.games.tic_tac_toe.rules import TicTacToe
module.level_names = lambda: ("easy",)
async def work():
    helpers = LocalHelpers(Path({str(tmp_path / "data")!r}), Path({str(tmp_path / "tokens")!r}))
    url = await helpers.open_server()
    print(await helpers.bring_bot(url, "greedy"))
    print((await helpers.advise(TicTacToe(), (), (0,))).best)
    print(url, flush=True)
    await asyncio.Event().wait()
thread = threading.Thread(target=lambda: asyncio.run(work()))
thread.start()
thread.join()
"""
    with running("-c", code, cwd=tmp_path, program=(sys.executable, "-P")) as command:
        assert await asyncio.to_thread(command.line) == "greedy"
        assert await asyncio.to_thread(command.line) == "(4,)"
        url = await asyncio.to_thread(command.line)
        children = psutil.Process(command.process.pid).children(recursive=True)
        assert len(children) >= 4
        second = window()
        assert await second.open(("easy",)) == url
        assert second.child is None
        async with visiting(url) as ann:
            await ann.online("easy", "greedy")
            async with ann.coming_back():
                os.kill(command.process.pid, signal.SIGKILL)
            await ann.online("Ann", "easy")
        await until(lambda: second.child is not None)
        _, alive = await asyncio.to_thread(psutil.wait_procs, children, PATIENCE_S)
        assert not alive


async def test_a_crashed_server_is_started_again(window: Window) -> None:
    only = window()
    url = await only.open(())
    async with visiting(url) as ann:
        async with ann.coming_back():
            kill(only)
        await ann.online("Ann")
    # A request during the restart waits for the server.
    kill(only)
    await wait_until_gone(only)
    assert await only.open(()) == url


async def test_a_server_that_keeps_crashing_is_given_up(
    window: Window, caplog: pytest.LogCaptureFixture
) -> None:
    only = window()
    for _ in range(local_server._ENDS):
        await only.open(())
        kill(only)
        await wait_until_gone(only)
    await until(lambda: only._keeping is not None and only._keeping.done())
    assert caplog.messages[-1] == "The server was killed by SIGKILL."
    # A new request starts another server, also from another window.
    assert await window().open(()) == await only.open(())


async def test_a_port_in_use_by_another_program_is_not_used(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_server, "_PORT_S", 0.0)
    first = window()
    url = await first.open(())
    await first.close()
    with socket.create_server(("127.0.0.1", port_of(url))):
        second = window()
        other = await second.open(())
        assert other != url
        async with visiting(other) as ann:
            await ann.online("Ann")


async def test_the_end_of_another_server_is_awaited(
    window: Window, tmp_path: Path, children: Family
) -> None:
    (tmp_path / "data").mkdir()
    only = window()
    async with serving(tmp_path / "data", database=str(tmp_path / "data" / "here.db")):
        opening = asyncio.create_task(only.open(()))
        tries: set[int] = set()
        await until(lambda: bool(tries.update(child.pid for child in children()) or len(tries) > 1))
    assert port_of(await opening)


async def test_a_server_that_does_not_end_is_reported(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_server, "_FREE_S", 0.0)
    (tmp_path / "data").mkdir()
    async with serving(tmp_path / "data", database=str(tmp_path / "data" / "here.db")):
        with pytest.raises(HelperFailed, match=r"Another server is using the database"):
            await window().open(())


async def test_an_unusable_folder_is_reported(window: Window, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(HelperFailed, match=r"Games cannot be kept in .*data: \w.*\."):
        await window().open(())


async def test_a_server_that_is_not_ready_in_time_is_reported(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    only = window()
    monkeypatch.setattr(local_server, "_OPEN_S", 0.001)
    with pytest.raises(HelperFailed, match="does not get ready"):
        await only.open(())
    monkeypatch.undo()
    assert port_of(await only.open(()))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "[" * 100_000,
        '{"url": 7, "last": null}',
        '{"last": "ws://example.com:80"}',
        '{"last": "ws://127.0.0.1:99999999"}',
        '{"last": "ws://127.0.0.1"}',
        b"\xff\xfe",
    ],
)
async def test_a_damaged_file_does_no_harm(
    text: str | bytes, window: Window, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "here.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert window()._read() == {}


async def test_an_address_left_by_a_dead_server_is_ignored(window: Window, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        left = f"ws://127.0.0.1:{nobody.getsockname()[1]}"
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "here.json").write_text(json.dumps({"url": left, "last": left}))
    only = window()
    url = await only.open(())
    async with visiting(url) as ann:
        await ann.online("Ann")
