"""The players of a demo: bots in pairs, which play one game after another on a cluster."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Sequence
from random import Random
from typing import Final

from doublecross.bots.api import Bot, Limit, NeverStop
from doublecross.bots.registry import make_bot
from doublecross.cli.cluster.journal import Ending, Journal, Played
from doublecross.client.core.errors import ConnectionEnded, RequestRefused
from doublecross.client.core.room import RoomMirror
from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.protocol.client_messages import Resume
from doublecross.protocol.common import EngineInfo, MatchSettings
from doublecross.protocol.server_messages import MoveMade

BOTS: Final = ("greedy", "rules")
"""The bots of a pair. They choose within a millisecond, so all play in this process."""
PATIENCE_S: Final = 20.0
"""Seconds in which a node must answer a new player."""
RETRY_S: Final = 0.5
"""Seconds until the next attempt after a refusal."""


class Pace:
    """The speed of all players: `pause_s` seconds of thought. Without `goes_on` no game begins."""

    def __init__(self, pause_s: float) -> None:
        self.pause_s = pause_s
        self.goes_on = True

    def finish(self) -> None:
        """Let the games that run end soon, and begin no further one."""
        self.goes_on = False
        self.pause_s = 0.0


class Pair:
    """Two bots that meet again and again, each with a connection of its own.

    `addresses` has, for each of the two, the addresses of the nodes in the order in which it tries
    them.
    """

    def __init__(
        self,
        number: int,
        addresses: tuple[Sequence[str], Sequence[str]],
        settings: MatchSettings,
        journal: Journal,
        pace: Pace,
    ) -> None:
        self._rng = Random(number)
        self._settings = settings
        self._journal = journal
        self._pace = pace
        self.clients = tuple(
            demo_client(f"{bot}-{number}", bot, known)
            for bot, known in zip(BOTS, addresses, strict=True)
        )

    async def play(self) -> None:
        """Play until the pace says that no further game begins.

        Raises:
            ClientError: a player cannot join the cluster.
        """
        try:
            for client in self.clients:
                await client.start(patience_s=PATIENCE_S)
            for number in itertools.count():
                if not self._pace.goes_on:
                    return
                await self._game(number)
        finally:
            for client in self.clients:
                await client.close()

    async def _game(self, number: int) -> None:
        """Play one game; who opens it has the second move in every other one."""
        first, second = self.clients
        try:
            seat = number % 2
            room = (await first.create_room(self._settings, seat=seat)).room
            await second.join(room)
        except RequestRefused:
            # The leader may be moving to another node: the answer is a refusal, and nothing is
            # open.
            await asyncio.sleep(RETRY_S)
            return
        played = self._journal.begin(room, _now())
        broken: BaseException | None = None
        seats = ((first, BOTS[0], seat), (second, BOTS[1], 1 - seat))
        try:
            async with asyncio.TaskGroup() as both:
                for client, name, taken in seats:
                    both.create_task(self._seat(client, make_bot(name, self._rng), taken, played))
        except* (ConnectionEnded, RoomLostError, TimeoutError) as errors:
            broken = errors.exceptions[0]
        if broken is not None:
            self._journal.give_up(played, str(broken))
            return
        result = first.session.rooms[room].result
        assert result is not None
        self._journal.finish(played, result.game_id)
        for client in self.clients:
            # The server may have closed the room meanwhile.
            with contextlib.suppress(RequestRefused):
                await client.leave(room)

    async def _seat(self, client: Client, bot: Bot, seat: int, played: Played) -> None:
        """Play one seat of a game to its end."""
        updates = client.updates()
        while True:
            mirror = client.session.rooms.get(played.room)
            if mirror is None or mirror.status == "closed":
                raise RoomLostError(mirror.sentence if mirror is not None else "The room is gone.")
            if mirror.result is not None:
                state = mirror.state
                played.endings.append(Ending(seat, state.ply, state.scores()))
                return
            if mirror.my_turn:
                await self._move(client, bot, mirror, played)
            else:
                try:
                    await anext(updates)
                except StopAsyncIteration:
                    raise client.ended or RoomLostError("The connection has ended.") from None

    async def _move(self, client: Client, bot: Bot, mirror: RoomMirror, played: Played) -> None:
        """Choose a move, think for a while, and play it if it is still due."""
        room, match, ply = played.room, mirror.match, mirror.state.ply
        action = bot.choose(mirror.state.clone(), Limit(), NeverStop()).action
        await asyncio.sleep(self._pace.pause_s * self._rng.uniform(0.7, 1.3))
        current = client.session.rooms.get(room)
        if current is None or current.state.ply != ply or not current.my_turn:
            return
        seat = current.seat
        try:
            answer = await client.move(room, action, match=match, ply=ply)
        except RequestRefused:
            # The mirror may be out of date, so request the whole room. When this is refused, too,
            # the next move asks again.
            await asyncio.sleep(RETRY_S)
            with contextlib.suppress(RequestRefused):
                await client.request(lambda i: Resume(id=i, room=room, seq=0))
            return
        if isinstance(answer, MoveMade) and seat is not None:
            self._journal.acknowledge(played, ply, seat, action, _now())


class RoomLostError(Exception):
    """The cluster does not have a room any more; the text is one sentence."""


def demo_client(name: str, bot: str | None, addresses: Sequence[str]) -> Client:
    """Return a client that plays as a bot, or with None one that looks things up."""
    return Client(
        ",".join(addresses),
        Login(
            "human" if bot is None else "bot",
            name=name,
            engine=None if bot is None else EngineInfo(name=bot, version="1"),
            client="doublecross cluster demo",
        ),
        rng=Random(name),
    )


def _now() -> float:
    return asyncio.get_running_loop().time()
