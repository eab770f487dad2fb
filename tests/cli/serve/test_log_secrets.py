"""The log names the connection, room, game and address of what happens, and has no secrets."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from doublecross.protocol.codec import Codec, JsonCodec, MsgpackCodec
from tests.cli.commands import environment, running
from tests.protocol.wire import Message, WireClient

KEY = "5ec2e7" * 6
PASSWORD = "f1ve gr3en bridges at noon"
SETTINGS: Message = {
    "game": "dots-and-boxes",
    "params": {"rows": 1, "cols": 2},
    "time": {"base_ms": 60_000},
}


async def joined(url: str, name: str, codec: Codec) -> tuple[WireClient, str]:
    """Return a player's connection and token."""
    ws = await connect(url, subprotocols=[Subprotocol(codec.name)], compression=None)
    client = WireClient(ws, codec)
    hello = {"type": "hello", "protocol": 2, "kind": "human", "name": name, "key": KEY + name}
    return client, (await client.ask(hello))["token"]


async def test_the_log_says_where_things_happen_but_no_secrets(tmp_path: Path) -> None:
    settings = {"LOG_FORMAT": "json", "LOG_LEVEL": "debug", "NO_ADVICE": "1"}
    env = environment(**{f"DOUBLECROSS_{name}": value for name, value in settings.items()})
    options = ("--json", "--port", "0", "--database", "games.db", "--analysis", "0", "--verbose")
    with running("serve", *options, cwd=tmp_path, env=env) as command:
        ready = json.loads(command.line())
        ann, ann_token = await joined(ready["ws"], "Ann", JsonCodec())
        bob, bob_token = await joined(ready["ws"], "Bob", MsgpackCodec())
        create = {"type": "create_room", "settings": SETTINGS, "key": "k3y0fr00m", "private": True}
        made = await ann.ask({**create, "seat": 0})
        room, code = made["room"], made["code"]
        wrong = {"type": "join_room", "room": room, "code": "WR0NGC0D"}
        assert await bob.refused(wrong) == "wrong_code"
        await bob.ask({**wrong, "code": code})
        assert await ann.ask({"type": "say_phrase", "room": room, "phrase": "good_luck"})
        assert await ann.refused({"type": "move", "room": room, "spoken": "s3cr3tw0rds"})
        over = await ann.ask({"type": "resign", "room": room})
        async with httpx.AsyncClient(base_url=ready["http"], trust_env=False) as http:
            path = f"/api/games/{over['game_id']}"
            assert (await http.get(path, params={"code": code})).status_code == 200
            bearer = {"Authorization": f"Bearer {ann_token}"}
            assert (await http.get(path, headers=bearer)).status_code == 200
            password = {"password": PASSWORD}
            assert (
                await http.post("/api/account/password", json=password, headers=bearer)
            ).is_success
            login = {"name": "Ann", **password}
            session = (await http.post("/api/login", json=login)).json()["secret"]
            for wrong in ({**login, "password": "Wr0ngPassw0rd"}, {**login, "extra": PASSWORD}):
                assert (await http.post("/api/login", json=wrong)).is_client_error
            bearer = {"Authorization": f"Bearer {session}"}
            asked = {"label": "script", "scopes": ["play"]}
            made = await http.post("/api/account/tokens/new", json=asked, headers=bearer)
            api = made.json()["secret"]
            bearer = {"Authorization": "Bearer dcx_f0rged"}
            assert (await http.get("/api/account", headers=bearer)).status_code == 401
        again = await connect(ready["ws"], subprotocols=[Subprotocol(JsonCodec().name)])
        await again.send('{"type": "hello", "token": "f0rged t0ken", "id": 1, "protocol": 2}')
        await again.recv()
        await again.close()
        await ann.close()
        await bob.close()
        command.send(signal.SIGTERM)
        assert command.wait() == 0
        log = command.errors
    secrets = (ann_token, bob_token, code, KEY, "k3y0fr00m", "WR0NGC0D", "good_luck", "Good luck")
    more = (PASSWORD, "Wr0ngPassw0rd", session, api, "argon2")
    for secret in (*secrets, *more, "s3cr3tw0rds", "f0rged"):
        assert secret not in log, secret
    assert over["game_id"] in log
    lines: list[dict[str, Any]] = [json.loads(line) for line in log.splitlines()]
    by_event = {line["event"]: line for line in lines}
    refused = next(line for line in lines if line.get("code") == "wrong_code")
    assert (refused["room"], refused["player"], refused["message"]) == (room, "Bob", "JoinRoom")
    assert refused["address"] == by_event["joined"]["address"] == "127.0.0.1"
    assert (refused["connection"], by_event["match_finished"]["room"]) == (2, room)
    assert by_event["match_finished"]["game"] == over["game_id"]
    assert {"started", "joined", "left", "room_opened", "match_started"} <= by_event.keys()
    assert {"password_set", "login_failed", "token_made"} <= by_event.keys()
    assert by_event["login_failed"]["name"] == "Ann"
