"""Reads of records take turns, and logins do not wait for them."""

from __future__ import annotations

import asyncio

import pytest

from doublecross.server.core.errors import Refused
from doublecross.server.shell.identity import turns
from doublecross.server.shell.identity.turns import FairTurns


async def test_a_peer_with_many_requests_lets_others_go_between(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "MOST_EACH", 5)
    fair = FairTurns(at_once=1)
    order: list[str] = []

    async def ask(peer: str) -> None:
        async with fair.turn(peer):
            order.append(peer)
            await asyncio.sleep(0)

    asking = [asyncio.ensure_future(ask(peer)) for peer in "aaaaaabbc"]
    done = await asyncio.gather(*asking, return_exceptions=True)
    assert [type(result) for result in done].count(Refused) == 1
    assert sorted(order) == list("aaaaabbc")
    assert set(order[:3]) == set("abc")
    assert fair._asked == fair._own == {}


async def test_a_cancelled_request_gives_its_turn_back() -> None:
    fair = FairTurns(at_once=1)
    async with fair.turn("a"):
        waiting = asyncio.ensure_future(fair.turn("a").__aenter__())
        other = asyncio.ensure_future(fair.turn("b").__aenter__())
        await asyncio.sleep(0)
        waiting.cancel()
    await other
    await asyncio.gather(waiting, return_exceptions=True)
    assert "a" not in fair._asked
