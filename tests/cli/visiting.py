"""Somebody on a server who looks, and plays if asked to."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from random import Random

from client.core.updates import Reconnected
from client.transport import Client
from protocol.common import MatchSettings

PATIENCE_S = 40.0
SMALL = MatchSettings(game="dots-and-boxes", params={"rows": 1, "cols": 1})


class Visitor:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def online(self, *names: str) -> None:
        """Wait until these players are there."""
        await self._client.follow_lobby()
        lobby = self._client.session.lobby
        assert lobby is not None
        await self._until(lambda: set(names) <= set(lobby.players))

    async def plays(self, name: str) -> None:
        """Challenge somebody, who accepts and begins."""
        await self._client.offers.challenge(name, SMALL, seat=1)
        rooms = self._client.session.rooms
        await self._until(lambda: any(room.state.ply for room in rooms.values()))

    async def sees_the_start_of(self, room: str) -> int:
        """Watch a room that is being played in; the ply."""
        await self._client.watch(room)
        mirror = self._client.session.rooms[room]
        assert mirror.status == "playing"
        return mirror.state.ply

    async def sees_the_end_of(self, room: str) -> tuple[set[str], str]:
        """Who plays in a room, and how that ends."""
        await self._client.watch(room)
        mirror = self._client.session.rooms[room]
        await self._until(lambda: mirror.result is not None)
        assert mirror.result is not None
        names = {player.name for player in mirror.players if player is not None}
        return names, mirror.result.termination

    @contextlib.asynccontextmanager
    async def coming_back(self) -> AsyncIterator[None]:
        """In this context the connection is lost, and comes back."""
        feed = self._client.updates()
        yield
        async with asyncio.timeout(PATIENCE_S):
            while not isinstance(await anext(feed), Reconnected):
                pass

    async def _until(self, condition: Callable[[], bool]) -> None:
        feed = self._client.updates()
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                await anext(feed)


@contextlib.asynccontextmanager
async def visiting(url: str, name: str = "Ann") -> AsyncIterator[Visitor]:
    async with Client(url, kind="human", rng=Random(name), name=name) as client:
        yield Visitor(client)
