"""API tokens, sessions and bots: what they may do, and how they end."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs
from websockets.exceptions import InvalidStatus

from doublecross.protocol.codec import JsonCodec
from doublecross.server.core.limits import ServerLimits
from doublecross.server.core.people.accounts import Ban, Token
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.accounts.identification import USED_MS
from doublecross.server.shell.accounts.issuing import DAY_MS
from doublecross.server.shell.accounts.service import MOST_TOKENS
from doublecross.server.shell.authority import Authority, AuthorityConfig
from doublecross.server.shell.upkeep.expiry import BEFORE_DELETING_S
from doublecross.server.shell.upkeep.service_time import TimeSource
from tests.fakes.clock import StoppedClock
from tests.fakes.http import plain_client
from tests.fakes.store import FakeStore
from tests.protocol.wire import WireClient
from tests.server.playing import ADDRESSES, T0, TIMES
from tests.server.shell.accounts.people import (
    GOOD,
    HELLO,
    OTHER,
    Visitor,
    guest,
    member,
    open_server,
)

SHAKE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": f"{'x' * 21}g==",
    "Sec-WebSocket-Protocol": JsonCodec().name,
}
ENGINE = {"name": "rules", "version": "1"}
CUP = {
    "name": "cup",
    "format": "round-robin",
    "settings": {"game": "dots-and-boxes", "params": {"rows": 2, "cols": 2}},
}
CREATE: dict[str, Any] = {"type": "create_tournament", "key": "k", "terms": CUP}
SEEK: dict[str, Any] = {"type": "seek", "key": "k", "settings": CUP["settings"]}


async def new_token(visitor: Visitor, *scopes: str, **more: Any) -> tuple[Visitor, str]:
    body = {"label": "my script", "scopes": list(scopes), **more}
    issued = await visitor.ask("account/tokens/new", body=body)
    return Visitor(visitor.server, issued["secret"]), issued["token"]["token_id"]


async def test_a_token_does_what_its_scopes_say_and_nothing_else(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        ann = await member(server)
        plays, _ = await new_token(ann, "play")
        client = await plays.connect()
        assert (await client.ask(SEEK))["type"] == "seek_posted"
        assert await client.refused(CREATE) == "missing_scope"
        assert (await client.ask({"type": "ping"}))["type"] == "pong"
        await client.close()
        organises, _ = await new_token(ann, "organise")
        player = await ann.connect()
        client = await organises.connect()
        assert await client.refused(SEEK) == "missing_scope"
        assert await client.refused({"type": "leave", "room": "any"}) == "missing_scope"
        assert (await client.ask(CREATE))["type"] == "tournament_state"
        await client.close()
        # The organiser neither replaced the player's connection nor took the player offline.
        assert (await player.ask(SEEK))["type"] == "seek_posted"
        assert [each.name for each in server.authority.lobby.online.values()] == ["Ann"]
        await player.close()
        # Neither may make or see more than itself, and nobody gets more than the account has.
        new = {"label": "x", "scopes": ["play"]}
        for token in (plays, organises):
            await token.refused("account/tokens/new", "missing_scope", new)
            await token.refused("account/password", "missing_scope", {"password": OTHER})
            listed = (await token.ask("account/tokens"))["tokens"]
            assert [each["current"] for each in listed] == [True]
            assert not (await token.ask("account"))["session"]
        for scope in ("bot", "admin"):
            asked = {"label": "x", "scopes": [scope]}
            await ann.refused("account/tokens/new", "missing_scope", asked)


async def test_a_revoked_token_ends_its_connection_at_once(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        ann = await member(server)
        plays, token_id = await new_token(ann, "play")
        client = await plays.connect()
        listed = (await ann.ask("account/tokens"))["tokens"]
        assert {(t["kind"], t["label"], t["current"]) for t in listed} == {
            ("api", "my script", False),
            ("session", "first token", True),
        }
        await ann.ask("account/tokens/revoke", body={"token_id": token_id})
        assert await client.closed_with() == 4005
        assert await plays.hello_refused() == "bad_token"
        asked = {"token_id": token_id}
        await ann.refused("account/tokens/revoke", "unknown_token", asked)
        bob = await member(server, "Bob")
        asked = {"token_id": listed[0]["token_id"]}
        await bob.refused("account/tokens/revoke", "unknown_token", asked)
        await ann.ask("account/tokens/revoke", body={})  # log out
        await ann.refused("account", "bad_token")


async def test_a_token_ends_on_its_day_and_a_session_when_nobody_uses_it(tmp_path: Path) -> None:
    clock = StoppedClock()
    async with open_server(tmp_path, now=clock, session_days=30) as server:
        accounts = server.authority.accounts
        ann = await member(server)
        plays, _ = await new_token(ann, "play", days=2)
        client = await plays.connect()
        clock.later(DAY_MS)
        await accounts.sweep()
        assert (await client.ask({"type": "ping"}))["type"] == "pong"
        await ann.ask("account")
        clock.later(DAY_MS)
        await accounts.sweep()
        assert await client.closed_with() == 4005
        assert await plays.hello_refused() == "token_expired"
        clock.later(28 * DAY_MS + USED_MS)  # 30 days after the first use, 29 after the last
        await ann.ask("account")
        client = await ann.connect()
        for _ in range(2):  # a connection is a use
            clock.later(29 * DAY_MS)
            await accounts.sweep()
        assert (await client.ask({"type": "ping"}))["type"] == "pong"
        await client.close()
        clock.later(31 * DAY_MS)
        await ann.refused("account", "token_expired")


async def test_a_start_with_a_wrong_date_deletes_no_token_and_no_ban(tmp_path: Path) -> None:
    clock = StoppedClock()
    async with open_server(tmp_path, now=clock) as server:
        ann, bob = await member(server), await guest(server, "Bob")
        script, _ = await new_token(ann, "play", days=2)
        account_id = (await bob.ask("account"))["account_id"]
        ban = Ban("b1", account_id, None, clock() + 2 * DAY_MS, "", clock(), "Boss")
        await server.authority.accounts.ban(ban)
    right = clock()
    for wrong_by in (-3650 * DAY_MS, 3650 * DAY_MS, 40 * DAY_MS):
        clock.later(wrong_by)
        with capture_logs() as logs:
            async with open_server(tmp_path, now=clock) as server:
                if wrong_by > 0:
                    await Visitor(server, script.secret).refused("account", "token_expired")
                await server.authority.accounts.sweep()
        (warning,) = [line["what"] for line in logs if line["event"] == "clock_looks_wrong"]
        assert f"{datetime.fromtimestamp(right / 1000, UTC):%Y-%m-%d}" in warning
        assert f"{datetime.fromtimestamp(clock() / 1000, UTC):%Y-%m-%d}" in warning
        clock.later(-wrong_by)
    with capture_logs() as logs:
        async with open_server(tmp_path, now=clock) as server:
            await Visitor(server, ann.secret).ask("account")
            await Visitor(server, script.secret).ask("account")
            await Visitor(server, bob.secret).refused("account", "banned")
    assert "clock_looks_wrong" not in [line["event"] for line in logs]


async def test_what_has_ended_for_certain_is_deleted_after_a_day(tmp_path: Path) -> None:
    date, real_s = T0, 0.0
    store = FakeStore()
    authority = Authority(
        store,
        Random(0),
        AuthorityConfig(TIMES, ServerLimits(), "epoch1", ADDRESSES),
        TimeSource(lambda: T0, lambda: date, lambda: real_s),
    )
    accounts = authority.accounts
    tokens = store.accounts.tokens_by_id
    for days in (1, 2, 3):
        end = T0 + days * DAY_MS
        token = Token(str(days), bytes(32), "a", "api", "", (), T0, T0, end)
        await store.accounts.add_token(token)
        await store.accounts.add_ban(Ban(str(days), "a", None, end, "", T0, "Boss"))
    await accounts.load()
    date, real_s = T0 + 20 * DAY_MS, BEFORE_DELETING_S - 1
    await accounts.sweep()
    assert len(tokens) == 3
    real_s = 2.5 * DAY_MS / 1000  # so the date can be at most 2.5 days after that of the tokens
    await accounts.sweep()
    assert list(tokens) == list(store.accounts.bans_by_id) == ["3"]
    # A date that is behind deletes nothing either.
    date, real_s = T0, 100 * DAY_MS / 1000
    await accounts.sweep()
    assert list(tokens) == ["3"]
    date = T0 + 100 * DAY_MS
    real_s += BEFORE_DELETING_S
    await accounts.sweep()
    assert not tokens


async def test_a_bot_account_is_run_by_a_person_and_stays_a_bot(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        ann = await member(server)
        made = await ann.ask("account/bots/new", body={"name": "Robot"})
        bot = Visitor(server, made["issued"]["secret"])
        shown = await bot.ask("account")
        assert (shown["kind"], shown["scopes"]) == ("bot", ["bot", "organise"])
        assert shown["run_by"] == (await ann.ask("account"))["account_id"]
        assert (await ann.ask("account"))["bots"] == ["Robot"]
        client = await bot.connect(kind="bot", engine=ENGINE)
        assert (await client.ask(SEEK))["type"] == "seek_posted"
        await client.close()
        assert await bot.hello_refused() == "wrong_kind"
        assert await ann.hello_refused(kind="bot", engine=ENGINE) == "wrong_kind"
        await bot.refused("account/password", "wrong_kind", {"password": GOOD})
        only, _ = await new_token(ann, "organise", player="robot")
        assert await only.hello_refused(kind="bot", engine=ENGINE) == "missing_scope"
        bob = await member(server, "Bob")
        body = {"label": "x", "scopes": ["bot"], "player": "Robot"}
        await bob.refused("account/tokens/new", "not_yours", body)
        await bob.refused("account/bots/new", "name_taken", {"name": "ROBOT"})
        await bob.refused("account/bots/new", "name_taken", {"name": "R0bot"})


async def test_a_guests_bot_gets_an_account_and_keeps_its_token(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        ann, robot = await member(server), await guest(server, "Robot")
        await ann.refused("account/bots/new", "wrong_kind", {"token": robot.secret})
        client = await robot.connect(kind="bot", engine=ENGINE)
        await robot.refused("account/password", "wrong_kind", {"password": GOOD})
        adopted = await ann.ask("account/bots/new", body={"token": robot.secret})
        assert adopted == {"name": "Robot", "issued": None}
        assert (await client.ask(SEEK))["type"] == "seek_posted"
        await client.close()
        assert await robot.hello_refused() == "wrong_kind"
        await (await robot.connect(kind="bot", engine=ENGINE)).close()
        listed = (await ann.ask("account/tokens"))["tokens"]
        assert {token["player"] for token in listed} == {"Ann", "Robot"}


async def test_guests_and_strangers_have_no_tokens_to_manage(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        ann = await guest(server)
        for path, body in (
            ("account/tokens/new", {"label": "x", "scopes": ["play"]}),
            ("account/bots/new", {"name": "Robot"}),
        ):
            await ann.refused(path, "missing_scope", body)
            await Visitor(server).refused(path, "bad_token", body)
            await Visitor(server, "dcx_wrong").refused(path, "bad_token", body)
        await ann.refused("account/tokens/revoke", "wrong_state", {})
        wrong = await ann.ask("account/bots/new", 400, {})
        assert "Send the name" in wrong["error"]


async def test_the_session_that_was_used_longest_ago_gives_way(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        ann = await member(server)
        for _ in range(MOST_TOKENS - 1):
            await new_token(ann, "play")
        issued = await Visitor(server).ask("login", body={"name": "Ann", "password": GOOD})
        await ann.refused("account", "bad_token")
        again = Visitor(server, issued["secret"])
        body = {"label": "x", "scopes": ["play"]}
        listed = (await again.ask("account/tokens"))["tokens"]
        assert len(listed) == MOST_TOKENS
        # Its own session is the only one left, and a token more would end it.
        await again.ask("account/tokens/new", body=body)
        await again.refused("account", "bad_token")


@pytest.mark.parametrize("reason", ["", "rude."])
async def test_a_banned_account_or_address_does_not_come_in(tmp_path: Path, reason: str) -> None:
    clock = StoppedClock()
    async with open_server(tmp_path, now=clock) as server:
        ann = await member(server)
        account_id = (await ann.ask("account"))["account_id"]
        until = clock() + 1000
        ban = Ban("b1", account_id, None, until, reason, clock(), "Boss")
        await server.authority.store.accounts.add_ban(ban)
        await server.authority.accounts.load()
        assert await ann.hello_refused() == "banned"
        sentence = await ann.refused("account", "banned")
        assert sentence.endswith(" UTC: rude." if reason else " UTC.")
        asked = {"name": "Ann", "password": GOOD}
        await Visitor(server).refused("login", "banned", asked)
        bob = await guest(server, "Bob")
        clock.later(1000)
        await ann.ask("account")
        stranger = await WireClient.open(server, JsonCodec())
        server.authority.accounts.bans.add(
            Ban("b2", None, "127.0.0.0/8", None, reason, clock(), "Boss")
        )
        assert await stranger.refused({**HELLO, "name": "Cy"}) == "banned"
        with pytest.raises(InvalidStatus, match="403"):
            await bob.connect()


async def test_failing_storage_does_not_keep_ended_tokens_connected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = StoppedClock()
    async with open_server(tmp_path, now=clock) as server:
        ann, bob = await member(server), await member(server, "Bob")
        session = await ann.connect()
        plays, _ = await new_token(bob, "play", days=1)
        client = await plays.connect()
        clock.later(2 * DAY_MS)

        async def fail(*_: object) -> None:
            raise StoreError("The database could not be written.")

        monkeypatch.setattr(server.authority.store.accounts, "use_token", fail)
        with pytest.raises(StoreError):
            await server.authority.accounts.sweep()
        assert await client.closed_with() == 4005
        assert (await session.ask({"type": "ping"}))["type"] == "pong"


async def test_nobody_manages_an_account_from_a_banned_address(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        ann = await member(server)
        ban = Ban("b1", None, "127.0.0.0/8", None, "", 0, "Boss")
        server.authority.accounts.bans.add(ban)
        await ann.refused("account", "banned")
        await ann.refused("account/tokens", "banned")
        await ann.refused("admin/players", "banned")
        for path, body in (
            ("account/password", {"password": OTHER, "current": GOOD}),
            ("account/tokens/new", {"label": "x", "scopes": ["play"]}),
            ("account/tokens/revoke", {}),
            ("account/bots/new", {"name": "Robot"}),
        ):
            await ann.refused(path, "banned", body)
        server.authority.accounts.bans.lift("b1")
        await ann.ask("account")


@pytest.mark.parametrize("proxy", ["127.0.0.1", ""])
async def test_behind_a_proxy_the_visitors_address_is_banned(tmp_path: Path, proxy: str) -> None:
    async with open_server(tmp_path, trusted_proxy=proxy) as server:
        ann = await member(server)
        for ban_id, network in (("b1", "198.51.100.0/24"), ("b2", "2001:db8:1:2::/64")):
            server.authority.accounts.bans.add(Ban(ban_id, None, network, None, "", 0, "Boss"))
        address = f"{server.addresses.http}/api/account"
        knock = server.addresses.ws.replace("ws:", "http:")
        for visitor, is_banned in (
            ("198.51.100.7", True),
            ("::ffff:198.51.100.7", True),
            ("192.0.2.1, 198.51.100.7", True),
            ("2001:db8:1:2:aaaa::7", True),
            ("2001:db8:1:3::7", False),
            ("198.51.100.7, 192.0.2.1", False),  # the visitor made up the first one
        ):
            headers = {"Authorization": f"Bearer {ann.secret}", "X-Forwarded-For": visitor}
            async with plain_client(headers=headers) as http:
                status = (await http.get(address)).status_code
                handshake = await http.get(knock, headers=SHAKE)
            # Without a trusted proxy the header counts for nothing.
            assert status == (403 if is_banned and proxy else 200), visitor
            assert (handshake.status_code == 403) == bool(is_banned and proxy), visitor
