"""All rooms in which the bot has a seat, and what is done with a room after its match.

Theory of operation
-------------------
Each room has a `SeatedRoom`, made when the room is first seen here. A match that has ended is
counted. Then the room is left: at once, or, against a person, after a while in which a rematch may
be offered. With a plan the campaign takes the result in first; the room is left when it has.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter

from bots.registry import BotSpec
from bots.runner.campaign import Campaign
from bots.runner.config import GameResult, RunnerConfig, RunnerError
from bots.runner.core.timing import Latency
from bots.runner.records import recorded
from bots.runner.results import ResultCounter
from bots.runner.seated_room import SeatedRoom
from bots.runner.tasks import StopRequests, Tasks, finished
from bots.workers.pool import WorkerPool
from client.core.errors import RequestRefused
from client.core.room import RoomMirror
from client.transport import Client

log = logging.getLogger(__name__)


class FollowedRooms:
    """The rooms in which this player has a seat.

    It is what each `SeatedRoom` asks about the rest of the runner. `seed` is what the seeds of all
    matches derive from. `campaign` is None without a plan.
    """

    def __init__(
        self,
        config: RunnerConfig,
        spec: BotSpec,
        seed: int,
        client: Client,
        pool: WorkerPool,
        results: ResultCounter,
        campaign: Campaign | None,
        tasks: Tasks,
        stopping: StopRequests,
    ) -> None:
        self.config = config
        self.spec = spec
        self.client = client
        self.pool = pool
        self.latency = Latency()
        self._seed = seed
        self._results = results
        self._campaign = campaign
        self._tasks = tasks
        self._stopping = stopping
        self._setups: Counter[str] = Counter()
        self._rooms: dict[str, SeatedRoom] = {}

    # -- for each room -----------------------------------------------------------------------

    def crowd(self) -> int:
        """Return how many games share a worker."""
        return max(1, -(-self.playing() // self.pool.workers))

    def seed_for(self, mirror: RoomMirror) -> str:
        """Return the bot's seed for the match of a room.

        It follows from opening and seat and from how often there was this very setup, so a run
        repeated with one seed plays the same.
        """
        setup = f"{mirror.settings.game} {mirror.settings.opening} {mirror.seat}"
        self._setups[setup] += 1
        return f"{self._seed} {setup} {self._setups[setup]}"

    def over(self, result: GameResult, played: bool = True) -> None:
        """Count a match that has ended, and leave its room or stay for a rematch.

        One that was over before this runner came (`played` is false) was another run's; unless a
        plan waits for it, its room is only left.
        """
        if self._results.knows(result.game_id):
            return
        campaign = self._campaign
        if campaign is None:
            if played:
                self._results.count(result, None)
            else:
                self._results.skip(result.game_id)
            self._tasks.spawn(self._leave_after(result))
            return
        # A game may be over before its challenge is answered; with a result it is counted only
        # once the plan knows its number. Without one it has none: the plan plays it again.
        index = campaign.number_of(result.room)
        if index is not None or not result.has_result:
            self._results.count(result, index)
        campaign.ended(result)  # the plan leaves the room once it has taken the result in

    # -- for the runner ----------------------------------------------------------------------

    def playing(self) -> int:
        """Return how many games are being played, or over and not counted yet."""
        return sum(
            room.seat is not None
            and (
                room.status in ("waiting", "playing")
                or (room.result is not None and not self._results.knows(room.result.game_id))
            )
            for room in self.client.session.rooms.values()
        )

    def look(self, room: str) -> None:
        """See what is to be done in a room that may have changed."""
        mirror = self.client.session.rooms.get(room)
        if mirror is None or mirror.seat is None:
            self.drop(room)
            return
        seated = self._rooms.get(room)
        if seated is None:
            seated = self._rooms[room] = SeatedRoom(self, room)
        seated.look()
        if mirror.status == "closed":
            self.drop(room)

    def drop(self, room: str) -> None:
        """Forget a room in which the player has no seat any more."""
        seated = self._rooms.pop(room, None)
        if seated is not None:
            seated.close()

    def hurry(self) -> None:
        """End all pauses before moves: nobody is there to see them."""
        for seated in self._rooms.values():
            seated.hurry()

    def close(self) -> None:
        """Stop playing in all rooms; the rooms themselves are left to the server."""
        for seated in self._rooms.values():
            seated.close()

    # -- after a match -----------------------------------------------------------------------

    async def look_up(self, room: str) -> None:
        """Find out from its record what became of the match in a room that was lost."""
        if self._campaign is not None:
            self._campaign.lost(room)
            return
        mirror = self.client.session.rooms.get(room)
        if mirror is None or mirror.seat is None or mirror.result is not None or not mirror.match:
            return
        try:
            self.over(await recorded(self.client, room, mirror.match, mirror.settings, mirror.seat))
        except RunnerError as error:
            log.info("%s", error)

    async def leave(self, room: str) -> None:
        """Leave a room whose match is over."""
        mirror = self.client.session.rooms.get(room)
        if mirror is not None and mirror.status == "finished":
            with contextlib.suppress(RequestRefused):
                await self.client.leave(room)

    async def _leave_after(self, result: GameResult) -> None:
        """Leave the room of a match; with a human stay a while for the offer of a rematch."""
        mirror = self.client.session.rooms.get(result.room)
        other = None if mirror is None else mirror.players[1 - result.seat]
        policy = self.config.policy
        if policy.rematches and other is not None and other.kind == "human":
            lingering = asyncio.ensure_future(asyncio.sleep(policy.linger_s))
            await finished(lingering, self._stopping.no_more)
        mirror = self.client.session.rooms.get(result.room)
        if mirror is not None and mirror.match == result.match:
            await self.leave(result.room)
