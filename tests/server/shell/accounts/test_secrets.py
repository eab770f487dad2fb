"""Passwords and tokens are not where they need not be: in the database, in addresses, in caches."""

from __future__ import annotations

from pathlib import Path

from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from doublecross.protocol.codec import JsonCodec
from doublecross.server.shell.identity.rights import new_secret, new_token
from tests.fakes.http import plain_client
from tests.protocol.wire import Message
from tests.server.shell.accounts.people import GOOD, Visitor, guest, member, open_server


def everything(folder: Path) -> bytes:
    """Return the bytes of the database, its log included."""
    return b"".join(file.read_bytes() for file in folder.glob("games.db*"))


def test_tokens_are_random_and_long() -> None:
    for make, characters in ((new_secret, 43), (lambda: new_token("Ann", None), 32)):
        made = {make().removeprefix("dcx_") for _ in range(100)}
        assert len(made) == 100
        # Each character has 6 bits. All kinds occur, which a constant part would prevent.
        assert {len(each) for each in made} == {characters}
        assert all(len({each[place] for each in made}) > 10 for place in range(characters - 1))


async def test_the_database_has_neither_passwords_nor_tokens_nor_an_account_to_begin_with(
    tmp_path: Path,
) -> None:
    async with open_server(tmp_path) as server:
        store = server.authority.store.accounts
        assert not await store.admins()
        for name in ("admin", "root", "host", "deleted"):
            assert await store.account_named(name) is None
        ann, bob = await member(server), await guest(server, "Bob")
        api = await ann.ask("account/tokens/new", body={"label": "x", "scopes": ["play"]})
        robot = await ann.ask("account/bots/new", body={"name": "Robot"})
        secrets = (ann.secret, bob.secret, api["secret"], robot["issued"]["secret"], GOOD)
        found = await store.account_named("Ann")
        assert found is not None
        assert (found.account.password_hash or "").startswith("$argon2id$")
    stored = everything(tmp_path)
    assert b"Robot" in stored
    for secret in secrets:
        assert secret.encode() not in stored


async def test_a_token_counts_in_the_header_alone_and_no_form_of_another_site_sends_it(
    tmp_path: Path,
) -> None:
    async with open_server(tmp_path) as server:
        ann = await member(server)
        bearer = {"Authorization": f"Bearer {ann.secret}"}
        base = f"{server.addresses.http}/api/"
        async with plain_client(base) as http:
            for name in ("token", "access_token", "authorization"):
                assert (await http.get("account", params={name: ann.secret})).status_code == 400
                cookie = {"Cookie": f"{name}={ann.secret}"}
                assert (await http.get("account", headers=cookie)).status_code == 401
            assert (await http.get("account", auth=("Ann", GOOD))).status_code == 401
            login = {"name": "Ann", "password": GOOD}
            assert (await http.post("login", data=login)).status_code == 415
            plain = {"Content-Type": "text/plain"}
            body = '{"name":"Ann","password":"blue lamp seven rivers"}'
            assert (await http.post("login", content=body, headers=plain)).status_code == 415
            assert (await http.get("login", params=login)).status_code in (400, 405)
            for answer in (
                await http.get("account", headers=bearer),
                await http.get("account"),
                await http.post("login", json=login),
                await http.post("login", json={**login, "password": "x"}),
            ):
                assert answer.headers["cache-control"] == "no-store"
                assert "etag" not in answer.headers
                assert "set-cookie" not in answer.headers


async def test_a_handshake_gets_no_compression_and_no_old_version(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        protocols = [Subprotocol(JsonCodec().name)]
        ws = await connect(server.addresses.ws, subprotocols=protocols, compression="deflate")
        assert not ws.protocol.extensions
        await ws.close()
        key = {
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Key": "x" * 22 + "==",
        }
        address = server.addresses.ws.replace("ws://", "http://")
        async with plain_client() as http:
            for version in ("8", "7", "0"):
                headers = {**key, "Sec-WebSocket-Version": version}
                assert (await http.get(address, headers=headers)).status_code in (400, 426)


async def test_every_private_address_needs_a_token(tmp_path: Path) -> None:
    addresses: dict[str, Message | None] = {
        "account": None,
        "account/tokens": None,
        "account/password": {"password": GOOD},
        "account/tokens/new": {"label": "x", "scopes": ["play"]},
        "account/tokens/revoke": {"token_id": "x"},
        "account/bots/new": {"name": "Robot"},
        "account/logins": None,
        "account/email": {"email": None, "current": GOOD},
        "account/app/key": {},
        "account/app/on": {"key": "A" * 32, "code": "1", "current": GOOD},
        "account/app/off": {"current": GOOD},
        "account/passkeys/options": {"current": GOOD},
        "account/passkeys/new": {"credential": {}},
        "account/passkeys/remove": {"id": "x"},
        "account/sign-out": {},
        "classes": None,
        "classes/members?id=x": None,
        "classes/new": {"name": "x"},
        "classes/change": {"id": "x"},
        "classes/join": {"code": "x", "label": "x", "bot": "x"},
        "classes/bot": {"id": "x", "bot": "x", "action": "token"},
    }
    async with open_server(tmp_path) as server:
        for path, body in addresses.items():
            await Visitor(server).refused(path, "bad_token", body)
            await Visitor(server, "dcx_guessed").refused(path, "bad_token", body)
