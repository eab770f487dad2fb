"""Connects a person to a server, for tests with real servers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from random import Random

from doublecross.client.core.updates import Reconnected
from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.protocol.common import MatchSettings

PATIENCE_S = 40.0
SMALL = MatchSettings(game="dots-and-boxes", params={"rows": 1, "cols": 1})


class Visitor:
    """A person on a server, who can watch rooms and challenge players."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def online(self, *names: str) -> None:
        """Wait until these players are online."""
        await self._client.follow_lobby()
        lobby = self._client.session.lobby
        assert lobby is not None
        await self._until(lambda: set(names) <= set(lobby.players))

    async def plays(self, name: str) -> None:
        """Challenge a player; wait until the match has its first move."""
        await self._client.offers.challenge(name, SMALL, seat=1)
        rooms = self._client.session.rooms
        await self._until(lambda: any(room.state.ply for room in rooms.values()))

    @contextlib.asynccontextmanager
    async def coming_back(self) -> AsyncIterator[None]:
        """Wait, at the end of this context, until the client has reconnected."""
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
    async with Client(url, Login("human", name=name), rng=Random(name)) as client:
        yield Visitor(client)
