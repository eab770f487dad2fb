"""Every address for admins answers what the OpenAPI document describes."""

from __future__ import annotations

import json
from pathlib import Path

from doublecross.server.shell.web.managing import account_answers
from doublecross.server.shell.web.managing import admin_answers as answers
from tests.fakes.http import plain_client
from tests.protocol.wire import Message, WireClient
from tests.server.shell.accounts.people import member
from tests.server.shell.admin.hosting import TOKEN, hosted

ASKED: dict[str, tuple[str, Message | None]] = {
    "overview": ("", None),
    "players": ("?search=a&limit=5", None),
    "accounts": ("?search=a&limit=5", None),
    "rooms": ("?limit=5", None),
    "kick": ("", {"player": "Bob", "reason": "a test"}),
    "ban": ("", {"network": "192.0.2.0/24", "hours": 0.5, "reason": "a test"}),
    "bans": ("", None),
    "reports": ("", None),
    "report": ("?report_id=REPORT", None),
    "note-report": ("", {"report_id": "REPORT", "note": "", "closed": True}),
    "unban": ("", {"ban_id": "BAN"}),
    "announce": ("", {"text": "Hello.", "minutes": 1}),
    "close-room": ("", {"room": "ROOM", "reason": "a test"}),
    "password": ("", {"player": "Ann"}),
    "end-second-factor": ("", {"player": "Ann"}),
    "grant": ("", {"player": "Ann", "admin": True}),
    "end-tokens": ("", {"player": "Ann"}),
    "rename": ("", {"player": "Ann", "to": "Bea"}),
    "delete-player": ("", {"player": "Bob", "confirm": "Bob", "lift_bans": True}),
    "player-data": ("?player=Bea", None),
    "audit": ("?limit=3", None),
    "drain": ("", {"on": True}),
}


async def test_every_address_answers_as_described(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, _):
        await member(server)
        _bob, cat = [await WireClient.player(server, name) for name in ("Bob", "Cat")]
        settings = {"game": "nim", "params": {}}
        room = await cat.ask({"type": "create_room", "key": "k", "settings": settings})
        report = {"type": "report_player", "player": "Bob", "reason": "other", "words": ""}
        await cat.ask(report)
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        ban_id = report_id = ""
        async with plain_client(server.addresses.http, headers=bearer) as client:
            document = (await client.get("/api/openapi.json")).json()
            paths = {path for path in document["paths"] if path.startswith("/api/admin/")}
            assert paths == {f"/api/admin/{name}" for name in ASKED}
            for name, (query, body) in ASKED.items():
                ((method, operation),) = document["paths"][f"/api/admin/{name}"].items()
                assert (method == "post") == (body is not None)
                text = json.dumps(body).replace("BAN", ban_id).replace("ROOM", room["room"])
                text, query = (each.replace("REPORT", report_id) for each in (text, query))
                answer = await client.request(
                    method.upper(),
                    f"/api/admin/{name}{query}",
                    content=None if body is None else text,
                    headers={"Content-Type": "application/json"} if body else {},
                )
                assert answer.status_code == 200, (name, answer.text)
                assert answer.headers["cache-control"] == "no-store"
                content = operation["responses"]["200"]["content"]["application/json"]
                model = content["schema"]["$ref"].rpartition("/")[2]
                kinds = vars(account_answers) | vars(answers)
                kinds[model].model_validate_json(answer.content, extra="forbid")
                if name == "ban":
                    ban_id = answer.json()["ban"]["ban_id"]
                if name == "reports":
                    report_id = answer.json()["reports"][0]["report_id"]
                if body is not None:  # a field that is not there is refused
                    more = {**body, "more": 1}
                    assert (await client.post(f"/api/admin/{name}", json=more)).status_code == 400
            assert answer.json() == {"done": True}
            page = (await client.get("/api/admin/audit?limit=2")).json()
            rest = (await client.get(f"/api/admin/audit?before={page['next']}")).json()
            numbers = [each["number"] for each in (*page["entries"], *rest["entries"])]
            assert numbers == sorted(numbers, reverse=True)
            assert len(numbers) == sum(body is not None for _, body in ASKED.values())
