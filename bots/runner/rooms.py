"""Keep all rooms in which the bot has a seat, and leave each room after its match.

Theory of operation
-------------------
`SeatedRooms` makes a `SeatedRoom` for each room with a seat of the bot. When a match has ended, it
counts the result and then leaves the room: at once, or, against a person, some time after the
person has gone, because until then the person may offer a rematch. With a plan the campaign
processes the result first, and then the bot leaves the room.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from typing import Final

from doublecross.bots.runner.campaign import Campaign
from doublecross.bots.runner.config import GameResult, RunnerConfig, RunnerError
from doublecross.bots.runner.core.timing import Latency
from doublecross.bots.runner.ready import PlayedBot
from doublecross.bots.runner.records import recorded_result
from doublecross.bots.runner.results import ResultCounter
from doublecross.bots.runner.seated_room import SeatedRoom
from doublecross.bots.runner.tasks import StopRequests, Tasks, finishes_before
from doublecross.bots.workers.pool import WorkerPool
from doublecross.client.core.errors import RequestRefused
from doublecross.client.core.room import RoomMirror
from doublecross.client.transport import Client

log = logging.getLogger(__name__)

LINGERING: Final = 64
"""In how many rooms a bot stays for rematches; a server limits the rooms of a player."""
_MOST_TRACES: Final = 20
"""How many different tracebacks of a bot are shown."""


class SeatedRooms:
    """The rooms in which this player has a seat.

    It implements `Host` for each `SeatedRoom`. The seeds of all matches derive from that of `bot`.
    `campaign` is None without a plan.
    """

    def __init__(
        self,
        config: RunnerConfig,
        bot: PlayedBot,
        client: Client,
        pool: WorkerPool,
        results: ResultCounter,
        campaign: Campaign | None,
        tasks: Tasks,
        stopping: StopRequests,
    ) -> None:
        self.config = config
        self.spec_for = bot.spec_for
        self.client = client
        self.pool = pool
        self.latency = Latency()
        self._seed = bot.seed
        self._results = results
        self._campaign = campaign
        self._tasks = tasks
        self._stopping = stopping
        self._traces: set[str] = set()
        self._setups: Counter[str] = Counter()
        self._lingering: dict[str, asyncio.Event] = {}
        self._rooms: dict[str, SeatedRoom] = {}

    # -- for each room -----------------------------------------------------------------------

    def games_per_worker(self) -> int:
        """Return how many games share a worker process, rounded up; at least 1."""
        return max(1, -(-self.playing() // self.pool.workers))

    def is_new_trace(self, trace: str) -> bool:
        """Return whether this traceback of the bot was not shown yet, and remember it."""
        if trace in self._traces or len(self._traces) >= _MOST_TRACES:
            return False
        self._traces.add(trace)
        return True

    def seed_for(self, mirror: RoomMirror) -> str:
        """Return the bot's seed for the current match of a room.

        It depends on opening and start, the seat, and how many matches had the same before. A
        repeated run with the same seed therefore plays the same games.
        """
        settings = mirror.settings
        setup = f"{settings.game} {settings.opening} {mirror.seat}"
        if settings.start:
            setup += f" {settings.start}"
        self._setups[setup] += 1
        return f"{self._seed} {setup} {self._setups[setup]}"

    def match_ended(self, result: GameResult, played: bool = True) -> None:
        """Count a match that has ended, and leave its room or wait for a rematch.

        `played` is false if the match was over before this runner arrived. Such a match belongs to
        an earlier run: without a plan it is not counted.
        """
        if self._results.is_counted(result.game_id):
            return
        campaign = self._campaign
        if campaign is None:
            if played:
                self._results.count(result, None)
            else:
                self._results.skip(result.game_id)
            self._tasks.spawn(self._leave_after(result))
            return
        # A game may be over before the server answers its challenge. A game with a result is
        # counted only after the campaign knows its number in the plan. A game without a result
        # needs no number, because the plan plays it again.
        index = campaign.number_of(result.room)
        if index is not None or not result.has_result:
            self._results.count(result, index)
        campaign.match_ended(result)  # the room is left after the campaign has used the result

    # -- for the runner ----------------------------------------------------------------------

    def playing(self) -> int:
        """Return how many games are being played, or are over and not counted yet.

        After a restart of this program that includes the rooms that have not arrived yet.
        """
        return self.client.session.arriving + sum(
            room.seat is not None
            and not room.settings.time.by_days
            and (
                room.status in ("waiting", "playing")
                or (room.result is not None and not self._results.is_counted(room.result.game_id))
            )
            for room in self.client.session.rooms.values()
        )

    def forsaken(self) -> int:
        """Return how many games are being played whose other player does not play."""
        return sum(seated.forsaken for seated in self._rooms.values())

    def update(self, room: str) -> None:
        """Act on a room that may have changed: play in it, or forget it."""
        if (changed := self._lingering.get(room)) is not None:
            changed.set()
        mirror = self.client.session.rooms.get(room)
        if mirror is None or mirror.seat is None:
            self.drop(room)
            return
        seated = self._rooms.get(room)
        if seated is None:
            seated = self._rooms[room] = SeatedRoom(self, room)
        seated.update()
        if mirror.status == "closed":
            self.drop(room)

    def resting(self) -> list[str]:
        """Return the rooms of correspondence games in which the bot has nothing to do."""
        return [
            room
            for room, seated in self._rooms.items()
            if (mirror := seated.mirror) is not None
            and mirror.settings.time.by_days
            and seated.rests
        ]

    def drop(self, room: str) -> None:
        """Forget a room in which the player has no seat any more."""
        if (changed := self._lingering.get(room)) is not None:
            changed.set()
        seated = self._rooms.pop(room, None)
        if seated is not None:
            seated.close()

    def skip_pauses(self) -> None:
        """End all pauses before moves, because nobody can see the moves now."""
        for seated in self._rooms.values():
            seated.skip_pauses()

    def close(self) -> None:
        """Stop playing in all rooms, without leaving them."""
        for seated in self._rooms.values():
            seated.close()

    # -- after a match -----------------------------------------------------------------------

    async def find_result(self, room: str) -> None:
        """Find the result of the match in a lost room, from the record of the match."""
        if self._campaign is not None:
            self._campaign.room_lost(room)
            return
        mirror = self.client.session.rooms.get(room)
        if mirror is None or mirror.seat is None or mirror.result is not None or not mirror.match:
            return
        try:
            self.match_ended(
                await recorded_result(self.client, room, mirror.match, mirror.settings, mirror.seat)
            )
        except RunnerError as error:
            log.info("%s", error)

    async def leave(self, room: str) -> None:
        """Leave a room whose match is over."""
        mirror = self.client.session.rooms.get(room)
        if mirror is not None and mirror.status == "finished":
            with contextlib.suppress(RequestRefused):
                await self.client.leave(room)

    async def _leave_after(self, result: GameResult) -> None:
        """Leave the room of a match; stay for a rematch while a person is there."""
        room = result.room
        mirror = self.client.session.rooms.get(room)
        other = None if mirror is None else mirror.players[1 - result.seat]
        if self.config.policy.rematches and other is not None and other.kind == "human":
            while len(self._lingering) >= LINGERING:
                self._lingering.pop(next(iter(self._lingering))).set()
            changed = self._lingering[room] = asyncio.Event()
            waiting = asyncio.ensure_future(self._person_gone(result, changed))
            try:
                await finishes_before(waiting, self._stopping.no_new_games)
            finally:
                if self._lingering.get(room) is changed:
                    del self._lingering[room]
        mirror = self.client.session.rooms.get(room)
        if mirror is not None and mirror.match == result.match:
            await self.leave(room)

    async def _person_gone(self, result: GameResult, changed: asyncio.Event) -> None:
        """Wait until the other player of a finished match is away for some time.

        Return earlier when the room is left, closed, in another match, or no longer in
        `_lingering`.
        """
        while self._lingering.get(result.room) is changed:
            changed.clear()
            mirror = self.client.session.rooms.get(result.room)
            if mirror is None or mirror.status != "finished" or mirror.match != result.match:
                return
            here = mirror.presence.seats[1 - result.seat].connected
            try:
                async with asyncio.timeout(None if here else self.config.policy.linger_s):
                    await changed.wait()
            except TimeoutError:
                return
