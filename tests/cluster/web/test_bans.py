"""Bans as a node knows them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from doublecross.protocol.common import EngineInfo, PlayerInfo
from doublecross.server.cluster.far_clients.items import Introduction
from doublecross.server.cluster.web import bans
from doublecross.server.cluster.web.bans import NodeBans
from doublecross.server.core.people.accounts import Ban
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.identity.rights import Rights
from tests.fakes.peers import FakePeer

NETWORK = Ban("n", None, "203.0.113.0/24", None, "spam", 0, "host")
ACCOUNT = Ban("a", "account of Eve", None, None, "noise", 0, "host")


class Table:
    """The stored bans; reading fails `failures` times."""

    def __init__(self) -> None:
        self.rows: list[Ban] = []
        self.failures = 0
        self.readings = 0

    async def read(self) -> Sequence[Ban]:
        self.readings += 1
        if self.failures:
            self.failures -= 1
            raise StoreError("no answer")
        return list(self.rows)


async def settle() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


def peer(name: str, address: str) -> FakePeer:
    made = FakePeer(name)
    made.address = address
    made.rights = Rights(f"account of {name}")
    return made


async def test_bans_that_were_read_end_the_connections_they_concern(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are read at a notice, and again after a failure."""
    monkeypatch.setattr(bans, "RETRY_S", 0.0)
    table = Table()
    table.failures = 2
    near, far, eve = peer("Ann", "203.0.113.9"), peer("Ben", "198.51.100.1"), peer("Eve", "")
    nobody = FakePeer("Fay")  # not logged in yet
    bot = peer("Bot", "")
    info = PlayerInfo(name="Bot", kind="bot", engine=EngineInfo(name="rules", version="1"))
    rights = replace(bot.rights, run_by="account of Eve")
    told = Introduction(1, info, rights, "", "", "", "", False, False, False)
    bot.rights = Introduction.of(told.fields()).rights
    found = NodeBans(table.read, lambda: [near, far, eve, nobody, bot], lambda: 1)
    running = asyncio.ensure_future(found.run())
    await settle()
    assert table.readings == 3

    async def why_not(*rows: Ban) -> str | None:
        table.rows = [*rows]
        found.changed("b", None)
        await settle()
        return found.known.why_not("203.0.113.9")

    assert "spam" in str(await why_not(NETWORK, ACCOUNT))
    assert [each.is_closing for each in (near, far, eve, nobody)] == [True, False, True, False]
    assert bot.is_closing
    near.is_closing = False
    await why_not(NETWORK, ACCOUNT)  # nothing has changed
    assert not near.is_closing
    assert await why_not() is None
    running.cancel()
