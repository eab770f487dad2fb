"""`doublecross admin register`: the host makes an admin, whom the server knows by the token."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from doublecross.cli.main import main
from doublecross.client.tk.home import Home
from doublecross.protocol.codec import JsonCodec
from tests.protocol.wire import WireClient, serving

HELLO = {"type": "hello", "protocol": 2, "kind": "human"}


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    code = main(
        ["admin", "register", "Boss", "--database", str(tmp_path / "games.db"), "--create", *more]
    )
    shown = capsys.readouterr()
    return code, " ".join((shown.out + shown.err).split())


async def logs_in(folder: Path, token: str) -> bool:
    async with serving(folder) as server:
        client = await WireClient.open(server, JsonCodec())
        answer = await client.ask({**HELLO, "token": token})
        await client.close()
    return answer["type"] == "welcome" and answer["player"]["name"] == "Boss"


def test_the_token_logs_in_as_the_admin_until_there_is_a_new_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = run(tmp_path, capsys, "--server", "ws://127.0.0.1:8765")
    token = text.split()[-1]
    assert code == 0
    assert Home().token_file("ws://127.0.0.1:8765", "Boss").read() == token
    assert asyncio.run(logs_in(tmp_path, token))
    code, text = run(tmp_path, capsys)
    assert (code, "--known" in text) == (2, True)
    code, text = run(tmp_path, capsys, "--known")
    assert code == 0
    for each in (token, text.split()[-1]):  # another login ends no session
        assert asyncio.run(logs_in(tmp_path, each))


def test_a_guest_becomes_an_admin_and_the_guests_token_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def visit() -> str:
        async with serving(tmp_path) as server:
            guest = await WireClient.player(server, "Boss")
            await guest.close()
            token: str = guest.received[0]["token"]
            return token

    old = asyncio.run(visit())
    assert asyncio.run(logs_in(tmp_path, old))
    code, text = run(tmp_path, capsys, "--known")
    assert code == 0
    assert asyncio.run(logs_in(tmp_path, text.split()[-1]))
    assert not asyncio.run(logs_in(tmp_path, old))


def test_a_mistyped_database_is_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "gmaes.db"
    assert main(["admin", "register", "Boss", "--database", str(missing)]) == 2
    text = " ".join(capsys.readouterr().err.split())
    assert "There is no database" in text
    assert "--create" in text
    assert not missing.exists()
