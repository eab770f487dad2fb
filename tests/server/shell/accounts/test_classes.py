"""A class on a real server: people join with its code, and the organiser manages their bots."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from doublecross.server.shell.web.managing.class_answers import MembersAnswer
from tests.fakes.http import plain_client
from tests.fakes.reviewers import FakeReviewer
from tests.protocol.wire import WireClient
from tests.server.shell.accounts.people import GOOD, Visitor, guest, member, open_server
from tests.server.shell.test_play_over_wire import TIMED, move

ENGINE = {"name": "edges", "version": "1"}


async def grades(teacher: Visitor, class_id: str) -> list[dict[str, str]]:
    """Return the lines of the grades as CSV."""
    headers = {"Authorization": f"Bearer {teacher.secret}"}
    async with plain_client(f"{teacher.server.addresses.http}/api/", headers=headers) as client:
        answer = await client.get(f"classes/members?id={class_id}&format=csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.text)))


async def lose_by_a_crash(loser: WireClient, winner: WireClient) -> None:
    """Play two moves of a rated game, and let the one who began crash."""
    create = {"type": "create_room", "key": "k", "settings": {**TIMED, "rated": True}, "seat": 0}
    room = (await loser.ask(create))["room"]
    await winner.ask({"type": "join_room", "room": room})
    await loser.ask(move(room, 0, 0))
    await winner.ask(move(room, 1, 1))
    output = "Traceback:\0\n  no idea"
    at = {"room": room, "match": 1, "ply": 2}
    await loser.ask({"type": "crash", **at, "message": 'it said "no idea"', "output": output})


async def test_a_guest_joins_with_a_password_and_gets_a_bot(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        teacher, zoe = await member(server, "Teacher"), await guest(server, "Zoe")
        made = await teacher.ask("classes/new", body={"name": "AI 1"})
        assert (await zoe.ask(f"classes/code?code={made['code'].upper()}"))["name"] == "AI 1"
        join = {"code": made["code"], "label": "Zoe Miller", "bot": "Zebra"}
        assert "password" in await zoe.refused("classes/join", "wrong_state", join)
        await zoe.refused("classes/join", "weak_password", {**join, "password": "zoe"})
        joined = await zoe.ask("classes/join", body={**join, "password": GOOD})
        assert (joined["name"], joined["bot"]) == ("AI 1", "Zebra")
        assert (await zoe.ask("account"))["bots"] == ["Zebra"]
        assert "already" in await zoe.refused("classes/join", "wrong_state", join)
        bob = await member(server, "Bob")
        await bob.refused("classes/join", "name_taken", {**join, "label": "Bob"})
        client = await Visitor(server, joined["issued"]["secret"]).connect(
            kind="bot", engine=ENGINE
        )
        shown = await teacher.ask(f"classes/members?id={made['id']}")
        assert MembersAnswer(**shown).model_dump() == shown
        (found,) = shown["members"]
        assert (found["label"], found["player"], found["bot"]) == ("Zoe Miller", "Zoe", "Zebra")
        assert (found["online"], found["games"], found["rating"]) == (True, 0, None)
        await client.close()


async def test_only_the_organiser_sees_the_members(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        teacher, bob = await member(server, "Teacher"), await member(server, "Bob")
        made = await teacher.ask("classes/new", body={"name": "AI 1"})
        shown = f"classes/members?id={made['id']}"
        assert (await bob.ask("classes"))["classes"] == []
        await bob.refused(shown, "not_yours")
        await bob.refused("classes/change", "not_yours", {"id": made["id"], "open": False})
        act = {"id": made["id"], "bot": "Bob", "action": "token"}
        await bob.refused("classes/bot", "not_yours", act)
        await teacher.refused("classes/bot", "unknown_player", act)
        await (await guest(server, "Gus")).refused("classes/new", "missing_scope", {"name": "x"})
        closed = await teacher.ask("classes/change", body={"id": made["id"], "open": False})
        assert (closed["open"], closed["code"]) == (False, made["code"])
        join = {"code": made["code"], "label": "Bob", "bot": "Bear"}
        await bob.refused("classes/join", "wrong_state", join)
        changed = await teacher.ask(
            "classes/change", body={"id": made["id"], "open": True, "new_code": True}
        )
        await bob.refused("classes/join", "unknown_room", join)
        await bob.ask("classes/join", body={**join, "code": changed["code"]})
        assert (await teacher.ask("classes"))["classes"] == [changed]


async def test_the_organiser_replaces_tokens_and_sets_bots_aside(tmp_path: Path) -> None:
    async with open_server(tmp_path, reviewer=FakeReviewer(at_once=True)) as server:
        teacher, bob = await member(server, "Teacher"), await member(server, "Bob")
        made = await teacher.ask("classes/new", body={"name": "AI 1"})
        join = {"code": made["code"], "label": "=Bob", "bot": "Bear"}
        first = (await bob.ask("classes/join", body=join))["issued"]["secret"]
        act = {"id": made["id"], "bot": "bear"}
        answer = await teacher.ask("classes/bot", body={**act, "action": "token"})
        assert await Visitor(server, first).hello_refused(kind="bot", engine=ENGINE) == "bad_token"
        bear = Visitor(server, answer["issued"]["secret"])
        client = await bear.connect(kind="bot", engine=ENGINE)
        other = await WireClient.player(server, "Cid", kind="bot", engine=ENGINE)
        await lose_by_a_crash(client, other)
        (line,) = await grades(teacher, made["id"])
        assert (line["name"], line["games"], line["lost"], line["crash"]) == (
            "'=Bob",
            "1",
            "1",
            "1",
        )
        assert (line["points"], line["pool"]) == ("0.0", "dots-and-boxes 1x2")
        assert float(line["rating"]) < 1500
        work = await bob.ask("account/bots/work?bot=bear")
        assert (work["name"], work["lost"], work["errors"]) == ("Bear", 1, {"crash": 1})
        assert (work["moves"], work["mean_ms"] is not None) == (1, True)
        (failure,) = work["failures"]
        assert failure["reason"] == 'it said "no idea"'
        assert failure["output"] == "Traceback:\\x00\n  no idea"
        assert (failure["opponent"], failure["termination"]) == ("Cid", "crash")
        moves = await bob.ask("account/bots/moves?bot=bear")
        assert (moves["games"], moves["working"], moves["moves"]) == (1, True, [])
        while moves["working"]:
            moves = await bob.ask("account/bots/moves?bot=bear")
        assert [(each["played"], each["opponent"]) for each in moves["moves"]] == [("b1", "Cid")]
        for path in ("work", "moves"):
            await teacher.refused(f"account/bots/{path}?bot=Bear", "not_yours")
        await teacher.ask("classes/bot", body={**act, "action": "aside"})
        assert await bear.hello_refused(kind="bot", engine=ENGINE) == "bad_token"
        new = {"label": "x", "scopes": ["bot"], "player": "Bear"}
        assert "excluded" in await bob.refused("account/tokens/new", "wrong_state", new)
        await teacher.refused("classes/bot", "wrong_state", {**act, "action": "token"})
        await teacher.ask("classes/bot", body={**act, "action": "back"})
        await bob.ask("account/tokens/new", body=new)
        await other.close()


async def test_an_address_may_try_few_codes(tmp_path: Path) -> None:
    async with open_server(tmp_path, exempt_addresses="", passwords_per_minute=2) as server:
        teacher = await member(server, "Teacher")
        code = (await teacher.ask("classes/new", body={"name": "AI 1"}))["code"]
        for _ in range(3):  # a right code costs nothing
            await teacher.ask(f"classes/code?code={code}")
        join = {"code": "x", "label": "Eve", "bot": "Eel"}
        await teacher.refused("classes/code?code=x", "unknown_room")
        await teacher.refused("classes/join", "unknown_room", join)
        for path, body in ((f"classes/code?code={code}", None), ("classes/join", join)):
            assert "wrong codes" in await teacher.refused(path, "rate_limited", body)
