"""Who is away hears of a turn by push and by mail: once, and only who wants it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from doublecross.server.core.people.pushes import MOST_SUBSCRIPTIONS
from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.push import Pusher, new_key, push_account, services_of
from doublecross.server.shell.rooms.turn_messages import MAIL_AFTER_MS
from doublecross.server.shell.settings import ServerSettings
from tests.fakes.http import plain_client
from tests.fakes.push import push_service
from tests.fakes.smtp import Post, post_office
from tests.protocol.wire import WireClient
from tests.server.shell.accounts.people import GOOD, Visitor, guest, member
from tests.server.shell.accounts.test_second_factor import Clock
from tests.server.shell.admin.hosting import hosted
from tests.server.shell.test_wire_abuse import until

DAYS = {
    "game": "dots-and-boxes",
    "params": {"rows": 2, "cols": 2},
    "time": {"move_ms": 3 * 86_400_000},
}


async def gone(server: DoublecrossServer, client: WireClient, name: str) -> None:
    await client.close()
    await until(lambda: not server.authority.peers.of(name))


async def sent(server: DoublecrossServer) -> None:
    """Wait until nothing is on its way any more."""
    authority = server.authority
    await asyncio.gather(*authority.turn_messages.pusher.waiting, *authority.mailer.waiting)


async def game(server: DoublecrossServer, ann: WireClient, bob: Visitor, key: str) -> str:
    """Begin a game by days in which Ann moves first, while Bob is away; return its room."""
    create = {"type": "create_room", "key": key, "settings": DAYS, "seat": 0}
    room: str = (await ann.ask(create))["room"]
    client = await bob.connect()
    await client.ask({"type": "join_room", "room": room})
    await gone(server, client, "Bob")
    return room


def move(room: str, ply: int, action: int) -> dict[str, Any]:
    return {"type": "move", "room": room, "match": 1, "ply": ply, "action": action}


async def test_browsers_are_told_of_turns_while_their_player_is_away(tmp_path: Path) -> None:
    async with (
        push_service(tmp_path) as service,
        hosted(tmp_path, **service.settings) as (server, host),
    ):
        ann, bob = await WireClient.player(server, "Ann"), await guest(server, "Bob")
        notices = await bob.ask("account/notices")
        assert (notices["can_mail"], notices["mails"]) == (False, False)
        assert len(notices["push_key"]) == 87
        phone, desk = service.browser("phone"), service.browser("desk")
        for browser in (phone, desk, desk):
            await bob.ask("account/notices/push", body=browser)
        room = await game(server, ann, bob, "one")
        await ann.ask(move(room, 0, 0))
        told = sorted([await service.push(), await service.push()], key=lambda each: each[0])
        assert [name for name, _, _ in told] == ["desk", "phone"]
        _, content, headers = told[0]
        assert content == {"room": room, "opponent": "Ann"}
        assert (headers["topic"], headers["sub"]) == (room, "https://games.example.org/")
        assert 86_400 < int(headers["ttl"]) <= 3 * 86_400

        # Nobody is told who is here, or whose turn it is not.
        client = await bob.connect()
        await client.ask(move(room, 1, 1))
        await ann.ask(move(room, 2, 2))
        await sent(server)
        assert service.nothing()
        # A browser that is gone is forgotten, and a service that fails is asked again.
        server.authority.turn_messages.pusher._pauses_s = (0, 0)
        await client.ask(move(room, 3, 4))
        await gone(server, client, "Bob")
        service.statuses = [500, 410]
        await ann.ask(move(room, 4, 3))
        await service.push()
        await sent(server)
        data = await host.ask("admin/player-data?player=Bob")
        (left,) = data["pushes"]
        assert left["endpoint"] in (phone["endpoint"], desk["endpoint"])

        await bob.ask("account/notices/push/off", body={"endpoint": left["endpoint"]})
        assert (await host.ask("admin/player-data?player=Bob"))["pushes"] == []
        await ann.close()


async def subscribed(host: Visitor, name: str) -> int:
    return len((await host.ask(f"admin/player-data?player={name}"))["pushes"])


async def test_a_subscription_ends_with_its_login_and_goes_to_who_uses_the_browser(
    tmp_path: Path,
) -> None:
    async with (
        push_service(tmp_path) as service,
        hosted(tmp_path, **service.settings) as (server, host),
    ):
        bob, eve = await guest(server, "Bob"), await guest(server, "Eve")
        phone = service.browser("phone")
        await bob.ask("account/notices/push", body=phone)
        await bob.ask("account/password", body={"password": GOOD})  # a guest's goes on
        issued = await bob.ask("login", body={"name": "Bob", "password": GOOD})
        other = Visitor(server, issued["secret"])
        await other.ask("account/notices/push", body=service.browser("desk"))
        assert await subscribed(host, "Bob") == 2
        await bob.ask("account/tokens/revoke", body={})
        assert await subscribed(host, "Bob") == 1

        await other.ask("account/notices/push", body=phone)
        await eve.ask("account/notices/push", body=phone)
        assert [await subscribed(host, name) for name in ("Bob", "Eve")] == [1, 1]
        await eve.ask("account/notices/push/off", body={"endpoint": f"{service.origin}/desk"})
        assert await subscribed(host, "Bob") == 1  # another's
        for number in range(MOST_SUBSCRIPTIONS + 2):
            await eve.ask("account/notices/push", body=service.browser(f"eve-{number}"))
        assert await subscribed(host, "Eve") == MOST_SUBSCRIPTIONS

        await host.ask("admin/rename", body={"player": "Eve", "to": "Zoe"})
        assert await subscribed(host, "Zoe") == MOST_SUBSCRIPTIONS
        assert {"Zoe"} <= server.authority.turn_messages.wanting
        account_id = (await eve.ask("account"))["account_id"]
        await host.ask("admin/delete-player", body={"player": "Zoe", "confirm": "Zoe"})
        assert await server.authority.store.pushes.of_account(account_id) == []


@pytest.mark.parametrize(
    ("endpoint", "allowed"),
    [
        ("https://push.example.org/a/b:c?d=e", True),
        ("https://eu.push.example.org:443/x", True),
        ("http://push.example.org/x", False),
        ("https://push.example.org:8443/x", False),
        ("https://push.example.org@10.0.0.1/x", False),
        ("https://push.example.org\\@10.0.0.1/x", False),
        ("https://notpush.example.org/x", False),
        ("https://push.example.org.evil.org/x", False),
        ("https://127.0.0.1/x", False),
        ("https://[::1]/x", False),
        ("http://127.0.0.1:1/x", False),
        ("http://127.0.0.1:10/x", True),
        ("http://127.0.0.1:10@evil.org/x", False),
        ("file:///etc/passwd", False),
    ],
)
def test_only_services_that_the_host_allows_are_called(
    endpoint: str, allowed: bool, tmp_path: Path
) -> None:
    (key := tmp_path / "push.pem").write_text(new_key())
    key.chmod(0o600)
    services = services_of("push.example.org, http://127.0.0.1:10")
    pusher = Pusher(push_account(key, services, "mailto:host@example.org"))
    assert pusher.may_call(endpoint) == allowed


async def test_a_bad_subscription_or_service_changes_nothing(tmp_path: Path) -> None:
    async with (
        push_service(tmp_path) as service,
        hosted(tmp_path, **service.settings) as (server, host),
    ):
        ann, bob = await WireClient.player(server, "Ann"), await guest(server, "Bob")
        phone = service.browser("phone")
        evil = {**phone, "endpoint": "https://10.0.0.1/x"}
        await bob.refused("account/notices/push", "bad_parameter", evil)
        for wrong in ({"p256dh": "x" * 87}, {"p256dh": "é"}, {"auth": "AAAA"}):
            await bob.ask("account/notices/push", 400, {**phone, **wrong})
        await Visitor(server).refused("account/notices/push", "bad_token", phone)
        assert await subscribed(host, "Bob") == 0
        await bob.ask("account/notices/push", body=phone)
        room = await game(server, ann, bob, "one")
        # The service may not send the server elsewhere.
        service.statuses = [307]
        await ann.ask(move(room, 0, 0))
        await sent(server)
        assert (service.calls, service.nothing()) == (1, True)
        await ann.close()


async def with_mail(server: DoublecrossServer, post: Post) -> Visitor:
    """Return Bob, who has a confirmed address."""
    bob = await member(server, "Bob")
    await bob.refused("account/notices/mail", "wrong_state", {"on": True})
    await bob.ask("account/email", body={"email": "bob@example.org", "current": GOOD})
    link = await post.link("bob@example.org", "confirm")
    await bob.ask("login/confirm", body={"link": link})
    return bob


async def later(server: DoublecrossServer, clock: Clock) -> None:
    clock.ms += MAIL_AFTER_MS
    server.authority.sweep()
    await sent(server)


async def test_a_mail_tells_of_the_turns_of_an_absence_and_ends_by_its_link(tmp_path: Path) -> None:
    clock = Clock()
    async with post_office() as post, hosted(tmp_path, now=clock, **post.settings) as (server, _):
        ann, bob = await WireClient.player(server, "Ann"), await with_mail(server, post)
        rooms = [await game(server, ann, bob, key) for key in ("one", "two", "three")]
        await ann.ask(move(rooms[0], 0, 0))
        await later(server, clock)
        assert post.nothing()  # Bob has not asked for mails

        assert (await bob.ask("account/notices/mail", body={"on": True}))["mails"]
        await ann.ask(move(rooms[1], 0, 0))
        client = await bob.connect()
        await gone(server, client, "Bob")
        await later(server, clock)
        assert post.nothing()  # Bob has been here since

        await ann.ask(move(rooms[2], 0, 0))
        await later(server, clock)
        mail = await post.mail()
        assert (mail["To"], mail["Subject"]) == ("bob@example.org", "It is your turn")
        text = mail.get_content().replace("\r\n", "\n")
        assert f"against Ann, 2 days left: https://games.example.org/room/{rooms[2]}\n" in text
        assert not any(room in text for room in rooms[:2])
        assert post.nothing()

        # The link needs no login, as programs for mail open it, and counts once.
        address = mail["List-Unsubscribe"].strip("<>").partition("/api/")[2]
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert f"/account#turns={address.partition('=')[2]}\n" in text
        async with plain_client(f"{server.addresses.http}/api/") as reader:
            body = {"List-Unsubscribe": "One-Click"}
            statuses = [(await reader.post(address, data=body)).status_code for _ in range(2)]
        assert statuses == [200, 400]
        assert not (await bob.ask("account/notices"))["mails"]
        await ann.close()


@pytest.mark.parametrize("ends", [True, False])
async def test_a_mail_names_each_game_that_waits(tmp_path: Path, ends: bool) -> None:
    clock = Clock()
    async with post_office() as post, hosted(tmp_path, now=clock, **post.settings) as (server, _):
        ann, bob = await WireClient.player(server, "Ann"), await with_mail(server, post)
        await bob.ask("account/notices/mail", body={"on": True})
        rooms = [await game(server, ann, bob, key) for key in ("one", "two")]
        for room in rooms:
            await ann.ask(move(room, 0, 0))
        if ends:
            await ann.ask({"type": "resign", "room": rooms[0]})
        await later(server, clock)
        mail = await post.mail()
        assert mail["Subject"] == ("It is your turn" if ends else "It is your turn in 2 games")
        assert [room in mail.get_content() for room in rooms] == [not ends, True]
        await later(server, clock)
        assert post.nothing()
        await ann.close()


def test_a_key_needs_a_contact_and_to_be_private(tmp_path: Path) -> None:
    (key := tmp_path / "push.pem").write_text(new_key())
    key.chmod(0o644)
    public = {"public_http": "https://games.example.org"}
    for given, sentence in (
        ({"push_key": key, **public}, "chmod 600"),
        ({"push_key": tmp_path / "none", **public}, "doublecross keys push"),
        ({"push_services": "10.0.0.1"}, "name of its host"),
    ):
        with pytest.raises(ValueError, match=sentence):
            ServerSettings.model_validate(given)
    key.chmod(0o600)
    with pytest.raises(ValueError, match="set public_http"):
        ServerSettings.model_validate({"push_key": key})
    key.write_text("nothing")
    with pytest.raises(ValueError, match="no key for pushes"):
        ServerSettings.model_validate({"push_key": key, **public})
