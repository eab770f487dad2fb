"""A runner ends when the server ends its token, or refuses it at the start."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doublecross.bots.runner import Runner
from doublecross.client.core.errors import ConnectionEnded, RequestRefused
from doublecross.protocol.client_messages import Hello
from doublecross.protocol.errors import ErrorCode
from tests.bots.running import configured, human, running
from tests.client.talking import soon
from tests.fakes.server import TOKEN, FakeServer
from tests.server.shell.accounts.people import open_server


async def test_a_runner_ends_when_its_token_is_ended(tmp_path: Path) -> None:
    async with (
        open_server(tmp_path, http_port=None) as server,
        human(server.addresses.ws, "Ann") as ann,
        running(server.addresses.ws, tmp_path, "random", name="Rook") as (_, task),
    ):
        (kept,) = (tmp_path / "state").glob("*.json")
        await ann.account.set_password("blue lamp seven rivers")
        await ann.account.adopt_bot(json.loads(kept.read_text())["token"])
        rook = next(each for each in await ann.account.tokens() if each.player == "Rook")
        await ann.account.end_token(rook.token_id)
        with pytest.raises(ConnectionEnded) as caught:
            await task
        assert str(caught.value) == "This token has ended; log in again, or use a new token."


@pytest.mark.parametrize("code", [ErrorCode.TOKEN_EXPIRED, ErrorCode.BANNED, ErrorCode.WRONG_KIND])
async def test_a_runner_does_not_start_without_a_right_to(tmp_path: Path, code: ErrorCode) -> None:
    async with FakeServer() as server:
        config = configured(server.url, tmp_path, "random", name="Rook", insist=True)
        running = soon(Runner(config).run())
        first = await server.accept()
        await first.welcome()
        await first.close(4004)  # it reconnects by itself
        again = await server.accept()
        hello = await again.next(Hello)
        assert hello.token == TOKEN
        await again.refuse(hello, code, "The server says why.")
        with pytest.raises(ConnectionEnded, match="The server says why") as ended:
            await running
        assert ended.value.code == code
        # The token stays in its file, and the next start is refused with the same sentence.
        starting = soon(Runner(config).run())
        peer = await server.accept()
        await peer.refuse(await peer.next(Hello), code, "The server says why.")
        with pytest.raises(RequestRefused, match="The server says why"):
            await starting
