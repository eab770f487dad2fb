"""Check stored tokens: their files, permissions, locks, and tokens that the server forgot."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import stat
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from doublecross.client import tokens
from doublecross.client.core.errors import RequestRefused, Unreachable
from doublecross.client.options import Login
from doublecross.client.private import write_private
from doublecross.client.tokens import TokenFile, kept_names, start_known
from doublecross.client.transport import Client
from doublecross.protocol.client_messages import Hello
from tests.client.talking import soon
from tests.fakes.server import TOKEN, FakeServer

URL = "ws://127.0.0.1:4000"
ROOT = Path(__file__).resolve().parents[2]


def file_of(folder: Path, name: str = "Ann", url: str = URL) -> TokenFile:
    return TokenFile(folder, url, name)


def test_a_token_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "tokens"
    file = file_of(folder)
    assert file.read() is None
    assert file.hold()
    file.write("first")
    file.write("second")
    assert file.read() == file_of(folder).read() == "second"
    kept = json.loads(file.path.read_text())
    assert kept == {"server": URL, "name": "Ann", "token": "second"}
    file.release()
    assert sorted(p.suffix for p in folder.iterdir()) == [".json", ".lock"]


def test_the_names_of_a_server_are_found(tmp_path: Path) -> None:
    assert kept_names(tmp_path / "nothing", URL) == []
    for name, url in (("zoe", URL), ("ann", URL), ("bob", "ws://elsewhere:1")):
        file = file_of(tmp_path, name, url)
        assert file.hold()
        file.write("token")
        file.release()
    (tmp_path / "other.json").write_text("[]")
    (tmp_path / "damaged.json").write_text("{")
    assert kept_names(tmp_path, URL) == ["ann", "zoe"]
    file_of(tmp_path, "ann").forget()
    assert kept_names(tmp_path, URL) == ["zoe"]
    assert file_of(tmp_path, "ann").read() is None


def test_a_token_is_forgotten(tmp_path: Path) -> None:
    file = file_of(tmp_path)
    assert file.hold()
    file.write("first")
    file.forget()
    file.forget()
    assert file.read() is None
    file.write("second")
    assert file.read() == "second"
    file.release()


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    file = file_of(tmp_path / "tokens")
    old = os.umask(0)
    try:
        assert file.hold()
        file.write("secret")
    finally:
        os.umask(old)
        file.release()
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.path.parent.stat().st_mode) == 0o700


def test_each_name_on_each_server_has_its_own(tmp_path: Path) -> None:
    """This includes names that become equal after unsafe characters are replaced."""
    names = ["Ann", "ann", "A nn", "A/nn", "A_nn", "Änn", "x" * 200, "x" * 201]
    files = [file_of(tmp_path, name, url) for name in names for url in (URL, URL + "/", "wss://a")]
    assert len({file.path for file in files}) == len(files)
    assert all(file.path.parent == tmp_path for file in files)
    assert all(len(file.path.name) < 120 for file in files)


def test_it_is_held_once(tmp_path: Path) -> None:
    first, second = file_of(tmp_path), file_of(tmp_path)
    other = file_of(tmp_path, "Bob")
    assert first.hold()
    assert not second.hold()
    assert not first.hold()
    assert other.hold()
    second.release()  # A second window has no lock to release.
    assert not second.hold()
    first.release()
    first.release()
    assert second.hold()
    second.release()
    other.release()


def test_the_addresses_of_a_server_share_its_tokens(tmp_path: Path) -> None:
    first, second, third = (f"ws://{name}:8765" for name in "abc")
    file = file_of(tmp_path, url=first)
    assert file.hold()
    file.know([second])
    assert not file.path.exists(), "there is no token yet"
    file.write("secret")
    file.know([first, second])
    assert json.loads(file.path.read_text())["token"] == "secret"
    for url in (f"{third},{first}", f"{first},{third}", second, f"{third},{second}"):
        found = file_of(tmp_path, url=url)
        assert (found.path, found.read()) == (file.path, "secret"), url
        assert not found.hold(), "a window at another node has the same player"
        assert kept_names(tmp_path, url) == ["Ann"]
        assert found.servers == ((first, second) if first in url else ())
    file.release()
    assert file_of(tmp_path, url=third).read() is None
    assert kept_names(tmp_path, third) == []
    assert file_of(tmp_path, "Bob", second).read() is None
    file.know([first])
    assert file_of(tmp_path, url=second).read() is None


def test_a_server_that_names_another_does_not_get_its_tokens(tmp_path: Path) -> None:
    bad, good = "ws://bad:1", "ws://good:1"
    file = file_of(tmp_path, url=bad)
    assert file.hold()
    file.write("of the bad one")
    file.know([bad, good])
    file.release()
    file = file_of(tmp_path, url=good)
    assert file.hold()
    assert file.read() == "of the bad one"
    file.write("of the good one")  # it did not know the player
    file.know([good])
    assert file.read() == "of the good one"
    assert file.servers == (good,)
    assert file_of(tmp_path, url=good).read() == "of the good one"
    assert file_of(tmp_path, url=bad).read() == "of the bad one"
    file.release()


def test_damaged_addresses_are_no_addresses(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = file_of(tmp_path)
    file.path.write_text(json.dumps({"server": URL, "name": "Ann", "token": "t", "servers": 3}))
    assert file.read() is None
    assert "cannot be read (its servers are not strings)" in caplog.text
    assert file_of(tmp_path, url="ws://elsewhere:1").read() is None


@pytest.mark.processes
def test_another_process_holds_it_until_it_ends(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from doublecross.client.tokens import TokenFile\n"
        "file = TokenFile(Path(sys.argv[1]), sys.argv[2], 'Ann')\n"
        "print(file.hold(), flush=True)\n"
        "sys.stdin.read()"
    )
    file = file_of(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path), URL],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        assert not file.hold()
        process.kill()
        process.wait()
    assert file.hold()
    file.release()


def test_a_lock_that_cannot_be_had_is_an_error_and_leaks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Any] = []

    def fail(file: Any) -> bool:
        opened.append(file)
        raise OSError("No locks here.")

    monkeypatch.setattr(tokens, "lock_now", fail)
    with pytest.raises(OSError, match="No locks"):
        file_of(tmp_path).hold()
    assert opened[0].closed


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        file_of(tmp_path / "file" / "tokens").hold()


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", "7", '{"token": null}', '{"token": 7}', b"\xff\xfe", '{"token": ["a"]}'],
)
def test_a_damaged_file_is_no_token(
    tmp_path: Path, text: str | bytes, caplog: pytest.LogCaptureFixture
) -> None:
    file = file_of(tmp_path)
    file.path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with caplog.at_level(logging.WARNING):
        assert file.read() is None
    assert "cannot be read" in caplog.text
    file.write("good")
    assert file.read() == "good"


def test_a_write_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.json"
    write_private(path, "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_private(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


# -- starting with a token -----------------------------------------------------------------------


class Maker:
    """Make clients, and record the token of each."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.tokens: list[str | None] = []
        self.clients: list[Client] = []

    def __call__(self, token: str | None) -> Client:
        self.tokens.append(token)
        client = Client(self.url, Login("human", name="Ann", token=token), rng=Random(1))
        self.clients.append(client)
        return client


async def test_a_known_token_brings_the_player_back() -> None:
    async with FakeServer() as server:
        make = Maker(server.url)
        starting = soon(start_known(make, TOKEN))
        hello = await (await server.accept()).welcome()
        client = await starting
        assert hello.token == TOKEN
        assert client.connected
        assert make.tokens == [TOKEN]
        await client.close()


async def test_a_token_that_is_not_known_any_more_is_dropped() -> None:
    async with FakeServer() as server:
        make = Maker(server.url)
        starting = soon(start_known(make, TOKEN))
        first = await server.accept()
        await first.refuse(await first.next(Hello), "bad_token")
        second = await server.accept()
        hello = await second.welcome()
        client = await starting
        assert (hello.token, hello.name) == (None, "Ann")
        assert make.tokens == [TOKEN, None]
        assert make.clients[0].ended is not None
        await first.over.wait()
        await client.close()


@pytest.mark.parametrize(("token", "code"), [(None, "bad_token"), (TOKEN, "name_taken")])
async def test_other_refusals_are_raised(token: str | None, code: str) -> None:
    async with FakeServer() as server:
        make = Maker(server.url)
        starting = soon(start_known(make, token))
        peer = await server.accept()
        await peer.refuse(await peer.next(Hello), code)
        with pytest.raises(RequestRefused) as caught:
            await starting
        assert caught.value.code == code
        assert [client.ended is not None for client in make.clients] == [True]
        await peer.over.wait()


async def test_a_client_that_does_not_start_is_closed() -> None:
    async with FakeServer() as server:
        url = server.url
    make = Maker(url)
    with pytest.raises(Unreachable):
        await start_known(make, TOKEN)
    assert make.clients[0].ended is not None


async def test_a_start_that_is_given_up_leaves_no_connection() -> None:
    async with FakeServer() as server:
        make = Maker(server.url)
        starting = soon(start_known(make, TOKEN))
        peer = await server.accept()
        await peer.next(Hello)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        assert make.clients[0].ended is not None
        await peer.over.wait()
