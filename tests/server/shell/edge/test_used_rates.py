"""Connecting again refills no rate, and a player who returns after a crash can resume all rooms."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.protocol.codec import JsonCodec
from doublecross.server.core.limits import ServerLimits, TokenBucket
from doublecross.server.shell import peers
from doublecross.server.shell.peers import UsedRates
from tests.fakes.peers import FakePeer
from tests.protocol.wire import WireClient, serving
from tests.server.shell.test_floods import answers, codes, long_room
from tests.server.shell.test_hello import HELLO

LIMITS = ServerLimits(messages_per_s=100.0, burst=200)


def peer_of(name: str, now: float, used: float = 0.0, asked: float = 0.0) -> FakePeer:
    """Return a connection of a player that has used this much of its two rates."""
    peer = FakePeer(name)
    for attribute, tokens in (("messages", used), ("_answers", asked)):
        bucket = TokenBucket(LIMITS.messages_per_s, LIMITS.burst, now)
        bucket.charge(tokens)
        setattr(peer.allowance, attribute, bucket)
    return peer


@given(
    used=st.floats(0, 1000),
    asked=st.floats(0, 1000),
    own=st.floats(0, 100),
    away=st.floats(0, 30),
    later=st.floats(0, 10),
)
def test_a_player_has_as_much_as_on_one_connection(
    used: float, asked: float, own: float, away: float, later: float
) -> None:
    kept = UsedRates(LIMITS)
    before = peer_of("Ann", 50.0, used, asked)
    kept.keep(before)
    after = peer_of("Ann", 50.0 + away, own)
    kept.charge(after)
    now = 50.0 + away + later
    for attribute, spent in (("messages", own), ("answers", 0.0)):
        old, new = getattr(before.allowance, attribute), getattr(after.allowance, attribute)
        old.tokens(50.0 + away)
        old.charge(spent)
        assert new.tokens(now) == pytest.approx(old.tokens(now), abs=1e-6)
    again = peer_of("Ann", now)
    kept.charge(again)
    assert again.allowance.messages.tokens(now) == LIMITS.burst  # it is charged once


@given(used=st.floats(0, 500), away=st.floats(0, 10))
def test_after_its_wait_a_player_may_send_what_one_second_allows(used: float, away: float) -> None:
    kept = UsedRates(LIMITS)
    kept.keep(peer_of("Ann", 50.0, used))
    wait_s = kept.wait_s("Ann", (), 50.0 + away)
    assert wait_s <= max(0.0, (used - 100) / 100 - away) + 1e-9
    after = peer_of("Ann", 50.0 + away)
    kept.charge(after)
    assert after.allowance.messages.tokens(50.0 + away + wait_s) >= 100 - 1e-6
    assert kept.wait_s("Bob", (), 50.0) == 0.0


def test_the_debts_of_few_players_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "MOST_PLAYERS", 2)
    kept = UsedRates(LIMITS)
    for name in ("Ann", "Bob", "Ann", "Cat"):
        kept.keep(peer_of(name, 50.0, 500.0))
    assert [kept.wait_s(name, (), 50.0) for name in ("Ann", "Bob", "Cat")] == [4.0, 0.0, 4.0]


async def test_connecting_again_pays_no_debt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    async def pause(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr("doublecross.server.shell.handlers.hello.pause", pause)
    async with serving(tmp_path, messages_per_s=0.01, burst=20) as server:
        eve = await WireClient.player(server, "Eve")
        token = eve.received[0]["token"]
        for n in range(20):
            await eve.send({"type": "ping", "id": 100 + n})
        assert "rate_limited" not in codes(await answers(eve, range(100, 120)))
        # For something expensive.
        server.authority.peers.of("Eve")[-1].allowance.messages.charge(20)
        # The old connection may still be open, or closed.
        for closed in (False, True):
            if closed:
                await eve.close()
                await until_gone(server.authority.peers.sessions, "Eve")
            eve = await WireClient.open(server, JsonCodec())
            welcome = await eve.ask({**HELLO, "token": token, "exclusive": True})
            assert welcome["type"] == "welcome"
            assert await eve.refused({"type": "ping"}) == "rate_limited"
        assert waits == [peers.MOST_WAIT_S] * 2


async def until_gone(names: object, name: str) -> None:
    async with asyncio.timeout(5):
        while name in names:  # type: ignore[operator]  # noqa: ASYNC110
            await asyncio.sleep(0)


async def test_long_answers_are_charged_across_connections_and_all_come_at_last(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, messages_per_s=100, burst=100) as server:
        room = await long_room(server, 1200)
        ann = await WireClient.player(server, "Zoe")
        token = ann.received[0]["token"]
        watch = {"type": "watch", "room": room.id}
        assert (await ann.ask(watch))["type"] == "room_state"
        resume = {"type": "resume", "room": room.id, "seq": 2}
        assert (await ann.ask(resume))["type"] == "room_state"  # costs more than there is
        assert await ann.refused(resume) == "rate_limited"
        back = await WireClient.open(server, JsonCodec())
        await back.ask({**HELLO, "token": token})
        assert await back.refused(resume) == "rate_limited"
        peer = server.authority.peers.of("Zoe")[-1]
        asked = peer.allowance.answers
        asked.charge(asked.tokens(peer.last_message_s) - 2)  # as if time had passed
        assert (await back.ask(resume))["type"] == "room_state"
