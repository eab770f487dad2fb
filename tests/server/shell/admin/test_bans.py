"""Connections end, and the banned stay out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from doublecross.protocol.codec import JsonCodec
from doublecross.protocol.version import CloseCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.people.accounts import Ban
from doublecross.server.shell.admin.service import bannable
from doublecross.server.shell.peer import shortened
from tests.protocol.wire import WireClient
from tests.server.shell.accounts.people import GOOD, Visitor, guest, member
from tests.server.shell.admin.hosting import audit, hosted

BOT: dict[str, Any] = {"kind": "bot", "engine": {"name": "rules", "version": "1"}}


async def test_who_is_kicked_may_come_back_and_who_is_banned_may_not(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, host):
        ann, bob = await member(server), await guest(server, "Bob")
        client = await ann.connect()
        await host.refused("admin/kick", "unknown_player", {"player": "Bob"})
        await host.refused("admin/kick", "unknown_player", {"player": "Zoe"})
        await host.ask("admin/kick", body={"player": "ANN", "reason": "too loud"})
        assert await client.closed_with() == CloseCode.REVOKED
        client = await ann.connect()
        ban = await host.ask("admin/ban", body={"player": "Ann", "hours": 2, "reason": "spam"})
        assert (ban["ended"], ban["ban"]["player"]) == (1, "Ann")
        assert await client.closed_with() == CloseCode.REVOKED
        assert await ann.hello_refused() == "banned"
        login = {"name": "Ann", "password": GOOD}
        assert "spam" in await Visitor(server).refused("login", "banned", login)
        await host.ask("admin/ban", body={"player": "Bob"})
        assert await bob.hello_refused() == "banned"
        assert (await host.ask("admin/overview"))["bans"] == 2
        names = [each["player"] for each in (await host.ask("admin/bans"))["bans"]]
        assert sorted(names) == ["Ann", "Bob"]
        await host.ask("admin/unban", body={"ban_id": ban["ban"]["ban_id"]})
        await host.refused("admin/unban", "unknown_ban", {"ban_id": ban["ban"]["ban_id"]})
        await (await ann.connect()).close()
        assert await audit(host) == [
            ("host", "unban", "Ann"),
            ("host", "ban", "Bob"),
            ("host", "ban", "Ann"),
            ("host", "kick", "Ann"),
        ]
    async with hosted(tmp_path) as (server, host):
        bob.server = server
        assert await bob.hello_refused() == "banned"


async def test_a_ban_reaches_the_bots_that_a_person_runs_and_deletes_nothing(
    tmp_path: Path,
) -> None:
    async with hosted(tmp_path) as (server, host):
        ann, guests = await member(server), await guest(server, "Guest")
        made = await ann.ask("account/bots/new", body={"name": "Robot"})
        robot = Visitor(server, made["issued"]["secret"])
        adopted = await guest(server, "Adopted")
        clients = [await ann.connect(), await robot.connect(**BOT), await adopted.connect(**BOT)]
        await ann.ask("account/bots/new", body={"token": adopted.secret})
        new_token = {"label": "script", "scopes": ["play"]}
        script = Visitor(server, (await ann.ask("account/tokens/new", body=new_token))["secret"])
        bob = await member(server, "Bob")
        made = await bob.ask("account/bots/new", body={"name": "Other"})
        other = await Visitor(server, made["issued"]["secret"]).connect(**BOT)

        ban = await host.ask("admin/ban", body={"player": "Ann", "hours": 2, "reason": "spam"})
        assert ban["ended"] == 3
        reasons = []
        for client in clients:
            assert await client.closed_with() == CloseCode.REVOKED
            reasons.append(client.ws.close_reason)
        assert reasons[0].startswith("Your account is banned until ")
        assert reasons[1] == reasons[2]
        assert reasons[1].startswith("The person who runs this bot is banned until ")
        assert reasons[1].endswith(" UTC: spam.")
        for bot in (robot, adopted):
            assert await bot.hello_refused(**BOT) == "banned"
            assert await bot.refused("account", "banned") == reasons[1]
        for secret in (ann, script):
            assert await secret.hello_refused() == "banned"
            await secret.refused("account/tokens/new", "banned", new_token)
        await ann.refused("account/bots/new", "banned", {"name": "Second"})
        await ann.refused("account/bots/new", "banned", {"token": guests.secret})
        await other.ask({"type": "ping"})

        await host.ask("admin/unban", body={"ban_id": ban["ban"]["ban_id"]})
        for client in (await robot.connect(**BOT), await adopted.connect(**BOT)):
            await client.close()
        await (await script.connect()).close()
        assert (await ann.ask("account"))["bots"] == ["Adopted", "Robot"]
        # A ban of a bot is no ban of the person.
        await host.ask("admin/ban", body={"player": "Robot"})
        assert await robot.refused("account", "banned") == "Your account is banned for good."
        await ann.ask("account")
        await adopted.ask("account")


async def test_a_ban_during_a_request_about_an_account_refuses_it(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, _):
        ann = await member(server)
        authority = server.authority
        login, _ = await authority.accounts.identify(ann.secret)
        await authority.accounts.ban(Ban("b", login.account.account_id, None, None, "", 0, "host"))
        for asked in (
            authority.tokens.new_token(login, None, "x", ["play"], 1),
            authority.tokens.new_bot(login, "Robot", "", 1),
            authority.accounts.set_password(login, GOOD, GOOD, ""),
        ):
            with pytest.raises(Refused, match="Your account is banned for good"):
                await asked


async def test_a_banned_address_is_refused_at_the_handshake_and_at_login(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, host):
        ann = await member(server)
        client = await ann.connect()
        # The addresses of this machine cannot be banned over HTTP, and tests have no others.
        await host.refused("admin/ban", "bad_parameter", {"network": "127.0.0.1"})
        assert await server.authority.accounts.ban(
            Ban("b", None, "127.0.0.1/32", None, "abuse", 0, "host")
        )
        assert await client.closed_with() == CloseCode.REVOKED
        with pytest.raises(InvalidStatus) as refused:
            await WireClient.open(server, JsonCodec())
        assert refused.value.response.status_code == 403
        assert b"abuse" in refused.value.response.body
        login = {"name": "Ann", "password": GOOD}
        await Visitor(server).refused("login", "banned", login)
        figures = await host.ask("admin/overview")
        assert figures["limit_hits"]["bans"] == 1
        await host.ask("admin/unban", body={"ban_id": "b"})
        await (await ann.connect()).close()


async def test_admins_are_not_banned_and_bad_bans_are_refused(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, host):
        await member(server)
        await host.ask("admin/grant", body={"player": "Ann", "admin": True})
        await host.refused("admin/ban", "wrong_state", {"player": "Ann"})
        for body in ({}, {"player": "Ann", "network": "192.0.2.1"}, {"player": "Ann", "hours": 0}):
            assert (await host.ask("admin/ban", 400, body))["error"]
        assert (await host.ask("admin/bans"))["bans"] == []


@pytest.mark.parametrize(
    ("text", "network"),
    [
        ("192.0.2.7", "192.0.2.7/32"),
        (" 192.0.2.7/24 ", "192.0.2.0/24"),
        ("2001:db8::7", "2001:db8::/64"),
        ("2001:db8::/40", "2001:db8::/40"),
    ],
)
def test_networks_have_their_usual_form(text: str, network: str) -> None:
    assert bannable(text, "198.51.100.1") == network


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("everybody", ""),
        ("0.0.0.0/0", ""),
        ("::/0", ""),
        ("::ffff:192.0.2.7", ""),
        ("128.0.0.0/1", ""),
        ("127.0.0.0/8", ""),
        ("::1", ""),
        ("192.0.2.0/24", "192.0.2.9"),
        ("2001:db8::1", "2001:db8::/64"),
    ],
)
def test_nobody_bans_everybody_or_the_own_address(text: str, own: str) -> None:
    with pytest.raises(Refused):
        bannable(text, own)


def test_a_close_reason_fits_its_frame() -> None:
    assert shortened("short") == "short"
    long = shortened("ü" * 100)
    assert len(long.encode()) <= 123
    assert long.endswith("ü…")
