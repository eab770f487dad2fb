"""The requests about accounts, on a real server and on what is none."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest

from doublecross.client import account
from doublecross.client.account import AccountCalls, log_in
from doublecross.client.core.errors import ConnectionEnded, RequestRefused, Unreachable
from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.protocol.common import EngineInfo
from doublecross.protocol.errors import ErrorCode
from tests.bots.running import human, serving, until
from tests.server.shell.accounts.people import open_server

GOOD = "correct horse battery staple"


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    """Return the address of a real server with one port."""
    async with open_server(tmp_path, http_port=None) as server:
        yield server.addresses.ws


def returning(url: str, token: str) -> Client:
    return Client(url, Login("human", token=token), rng=Random(1))


async def refused(asking: object, code: str) -> str:
    with pytest.raises(RequestRefused) as caught:
        await asking  # type: ignore[misc]
    assert caught.value.code == code
    return caught.value.sentence


async def test_from_guest_to_account_and_back_from_elsewhere(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with human(url, "Ann") as ann:
        guest = await ann.account.show()
        assert (guest.name, guest.claimed, guest.has_password) == ("Ann", False, False)
        weak = await refused(ann.account.set_password("12345678"), ErrorCode.WEAK_PASSWORD)
        assert "easy to guess" in weak
        claimed = await ann.account.set_password(GOOD)
        assert (claimed.claimed, claimed.session, claimed.scopes) == (
            True,
            True,
            ("play", "organise"),
        )
        wrong = await refused(log_in(url, "Ann", "not this one", "x"), ErrorCode.BAD_LOGIN)
        assert wrong == "The name or the password is wrong."
        session = await log_in(url, "ann", GOOD, "other computer")
        assert (session.token.player, session.token.kind) == ("Ann", "session")
        # The password ends the other login, and this one goes on.
        await refused(ann.account.set_password(GOOD * 2, "not this"), ErrorCode.BAD_LOGIN)
        await ann.account.set_password(GOOD * 2, GOOD)
        assert [token.current for token in await ann.account.tokens()] == [True]
        other = AccountCalls(url, lambda: session.secret)
        await refused(other.show(), ErrorCode.BAD_TOKEN)
        await ann.ping()
    assert GOOD not in caplog.text
    assert session.secret not in caplog.text


async def test_tokens_and_bots(url: str) -> None:
    async with human(url, "Ann") as ann:
        calls = ann.account
        await calls.set_password(GOOD)
        issued = await calls.new_token("script", ("play",), 7)
        assert issued.token.scopes == ("play",)
        rook = await calls.new_bot("Rook")
        assert rook.issued is not None
        assert rook.issued.token.player == "Rook"
        taken = await refused(calls.new_bot("rook"), ErrorCode.NAME_TAKEN)
        assert "taken" in taken
        engine = EngineInfo(name="rules", version="1")
        bot = Client(url, Login("bot", name="Lagrange", engine=engine), rng=Random(1))
        async with bot:
            adopted = await calls.adopt_bot(bot._hello.token or "")
        assert (adopted.name, adopted.issued) == ("Lagrange", None)
        assert (await calls.show()).bots == ("Lagrange", "Rook")
        second = await calls.new_token("more", ("bot",), 7, "Rook")
        listed = {token.token_id for token in await calls.tokens()}
        assert {issued.token.token_id, second.token.token_id} < listed
        await calls.end_token(issued.token.token_id)
        await refused(calls.end_token(issued.token.token_id), ErrorCode.UNKNOWN_TOKEN)
        await refused(AccountCalls(url, lambda: issued.secret).show(), ErrorCode.BAD_TOKEN)


async def test_who_logs_out_is_disconnected_for_good(url: str) -> None:
    async with human(url, "Ann") as ann:
        await ann.account.set_password(GOOD)
        await ann.account.log_out()
        await until(lambda: ann.ended is not None)
        assert ann.ended is not None
        assert ann.ended.logged_out
        assert ann.ended.sentence == ("This token has ended; log in again, or use a new token.")
        with pytest.raises(ConnectionEnded):
            await ann.ping()
        session = await log_in(url, "Ann", GOOD, "again")
    async with returning(url, session.secret) as again:
        assert again.session.player is not None
        assert again.session.player.name == "Ann"


async def test_a_server_with_two_ports(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        with pytest.raises(Unreachable, match="ask its host"):
            await log_in(server.addresses.ws, "Ann", GOOD, "x")


async def test_a_server_that_is_not_there() -> None:
    with pytest.raises(Unreachable, match=r"^127\.0\.0\.1:9 cannot be reached: .*\.$"):
        await log_in("ws://127.0.0.1:9", "Ann", GOOD, "x")


class Answering:
    """An HTTP server that gives each request the same answer, once `ready` is set.

    `asked` has the path and the token of each request.
    """

    def __init__(self, status: int, body: str, headers: dict[str, str]) -> None:
        self.ready = Event()
        self.ready.set()
        self.asked: list[tuple[str, str]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.asked.append((self.path, self.headers.get("Authorization", "")))
                outer.ready.wait(10)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_: object) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"ws://127.0.0.1:{self._server.server_port}"
        serve = self._server.serve_forever
        Thread(target=serve, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def __enter__(self) -> Answering:
        return self

    def __exit__(self, *_: object) -> None:
        self.ready.set()
        self._server.shutdown()
        self._server.server_close()


async def test_a_login_that_is_given_up_leaves_no_session() -> None:
    token = {"token_id": "t1", "player": "Ann", "kind": "session", "label": "x"}
    body = json.dumps({"secret": "s1", "token": {**token, "created_ms": 0, "used_ms": 0}})
    with Answering(200, body, {}) as server:
        server.ready.clear()
        logging_in = asyncio.ensure_future(log_in(server.url, "Ann", GOOD, "x"))
        await until(lambda: bool(server.asked))
        logging_in.cancel()
        with pytest.raises(asyncio.CancelledError):
            await logging_in
        server.ready.set()
        await until(lambda: len(server.asked) == 2)
        assert server.asked == [
            ("/api/login", ""),
            ("/api/account/tokens/revoke", "Bearer s1"),
        ]
        await until(lambda: not account._ending)


@pytest.mark.parametrize(
    ("status", "body", "headers", "error", "says"),
    [
        (404, '{"error": "Nothing is here."}', {}, RequestRefused, "has no accounts"),
        (400, '{"error": "The field name is wrong."}', {}, RequestRefused, "field name is wrong"),
        (503, '{"error": "The storage is slow."}', {}, RequestRefused, "storage is slow"),
        (429, "Too many requests; wait 5 s.", {}, Unreachable, "wait 5 s"),
        (503, "", {}, Unreachable, "busy"),
        (502, "<html>Bad gateway</html>", {}, Unreachable, "not a game server .HTTP 502."),
        (302, "", {"Location": "/elsewhere"}, Unreachable, "not a game server .HTTP 302."),
        (307, "", {"Location": "http://127.0.0.1:9/"}, Unreachable, "HTTP 307"),
        (200, "[]", {}, RequestRefused, "cannot be read"),
        (200, '{"secret": 5}', {}, RequestRefused, "cannot be read"),
    ],
)
async def test_answers_that_are_none(
    status: int,
    body: str,
    headers: dict[str, str],
    error: type[Exception],
    says: str,
) -> None:
    with Answering(status, body, headers) as server, pytest.raises(error, match=says):
        await log_in(server.url, "Ann", GOOD, "x")
