"""The runner: one bot as a player on a server, playing many games at once.

Theory of operation
-------------------
The client keeps the connection and a picture of the server; the runner reads its updates, tells
the table of each room to look again, and answers challenges by its policy. After a reconnect or a
restart, of the server or of this program, the client follows all rooms again in which the player
has a seat, and the tables simply find themselves in the middle of their games.

The first request to stop ends the taking of new games, and the runner waits for those that are
being played; the second one, or the end of the grace, ends it at once. A game that is left that
way goes on when the bot comes back: its token is kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import itertools
import logging
import random
import signal
from collections.abc import Coroutine, Iterator
from typing import Any, Final

from bots.registry import bot_class
from bots.runner.campaign import Campaign
from bots.runner.config import GameResult, RunnerConfig, RunnerError, RunnerReport
from bots.runner.identity import TokenFile, connect
from bots.runner.table import Table
from bots.runner.timing import Latency
from bots.workers import WorkerPool
from client.errors import ClientError, ConnectionEnded, RequestRefused
from client.transport import Client
from client.updates import (
    ChallengeReceived,
    ConnectionLost,
    Ended,
    LobbyUpdated,
    Missed,
    OfferEnded,
    PresenceChanged,
    Reconnected,
    RoomChanged,
    RoomLeft,
    RoomLost,
    Update,
)
from protocol.client_messages import Seek
from protocol.common import Engine
from protocol.server_messages import Challenged, LobbySeek, MoveMade

log = logging.getLogger(__name__)

_BYE_S: Final = 2.0
"""How long the last words to a server may take, in seconds."""


class Runner:
    """Runs one bot; `run` once. `stop` may be called from signal handlers of the event loop."""

    client: Client
    pool: WorkerPool

    def __init__(self, config: RunnerConfig) -> None:
        seed, spec = config.spec.without_seed()
        if config.seed is not None:
            seed = config.seed
        self.config = config
        self.spec = spec
        self.latency = Latency()
        self.report = RunnerReport()
        self._bot = bot_class(spec.name)
        self._bot.check_options(spec.options)
        self._seed: int = random.SystemRandom().getrandbits(64) if seed is None else seed
        self._rng = random.SystemRandom()
        self._tables: dict[str, Table] = {}
        self._campaign: Campaign | None = None
        self._numbers = itertools.count(1)
        self._accepting: set[str] = set()
        self._taken = 0
        self._seeking = False
        self._stops = 0
        self._stop = asyncio.Event()
        self._quit = asyncio.Event()
        self._idle = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    # -- what tables ask ---------------------------------------------------------------------

    def crowd(self) -> int:
        """How many games share a worker."""
        playing = sum(table.playing for table in self._tables.values())
        return max(1, -(-playing // self.pool.workers))

    def seed_for(self, room: str, match: int) -> str:
        """The bot's seed: by the number of the game in the plan, or in this run."""
        index = self._campaign.number_of(room) if self._campaign else None
        number = f"game {next(self._numbers)}" if index is None else f"plan {index}"
        return f"{self._seed} {number}"

    def over(self, table: Table, result: GameResult) -> None:
        """A match has ended: count it, tell it, and leave or stay for a rematch."""
        index = self._campaign.number_of(result.room) if self._campaign else None
        result = dataclasses.replace(result, index=index)
        self.report.count(result)
        log.info(
            "Room %s: %s against %s (%d:%d, %s).",
            result.room,
            result.outcome,
            result.opponent,
            result.scores[result.seat],
            result.scores[1 - result.seat],
            result.termination,
        )
        if self._campaign is not None:
            # The plan leaves the room once it has taken the result in.
            self._campaign.ended(result)
        else:
            self._after_match(table, result)
        if self.config.on_game is not None:
            self.config.on_game(result)
        if self.config.games is not None and self.report.games >= self.config.games:
            self._finish()

    # -- life --------------------------------------------------------------------------------

    def stop(self) -> None:
        """Take no new games and end after those that are being played; again: end at once."""
        self._stops += 1
        if self._stops == 1:
            playing = sum(table.playing for table in self._tables.values())
            log.info("Stopping: no new games; %d being played.", playing)
            self._stop.set()
        else:
            log.info("Stopping at once.")
            self._quit.set()

    async def run(self) -> RunnerReport:
        """Join the server and play until there is nothing more to do.

        Raises:
            RunnerError: no name is to be had, or the plan cannot be carried out.
            ClientError: the server is not there, refuses, or has ended the connection for good.
            ValueError: the address or the name is malformed.
        """
        config = self.config
        engine = Engine(name=self.spec.name[:64], version=self._bot.version[:64])
        with self._signals():
            async with WorkerPool(config.workers) as self.pool:
                connecting = asyncio.ensure_future(connect(config, engine, self._rng))
                if not await self._unless_stopped(connecting):
                    return self.report
                self.client, token = connecting.result()
                try:
                    await self._play_there(token)
                finally:
                    await self._leave_server(token)
        return self.report

    async def _unless_stopped(self, task: asyncio.Future[Any]) -> bool:
        """Wait for `task`; false, and it is cancelled, when the runner is stopped before."""
        stopping = asyncio.ensure_future(self._stop.wait())
        await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            return False
        return True

    async def _play_there(self, token: TokenFile) -> None:
        """Everything between the welcome and the farewell."""
        assert self.client.session.player is not None
        self.report.name = self.client.session.player.name
        log.info("Playing as %s on %s.", self.report.name, self.client.url)
        feed = self.client.updates()
        if self.config.plan is not None:
            self._campaign = Campaign(self.config.plan, self.client, self._rng, self._planned)
        following = asyncio.ensure_future(self._follow(feed))
        working = asyncio.ensure_future(self._work())
        try:
            await asyncio.wait({following, working}, return_when=asyncio.FIRST_COMPLETED)
            for task in (following, working):
                if task.done():
                    task.result()
        except (RunnerError, ClientError) as error:
            self.report.problem = str(error)
            raise
        finally:
            for task in (following, working):
                task.cancel()
            await asyncio.gather(following, working, return_exceptions=True)

    async def _work(self) -> None:
        """Returns when there is nothing more to do."""
        if self.config.policy.seeks:
            await self.client.follow_lobby()
        self._look_everywhere()
        ending = asyncio.ensure_future(self._stop.wait())
        waits: set[asyncio.Future[Any]] = {ending}
        if self._campaign is not None:
            waits.add(asyncio.ensure_future(self._campaign.run()))
        try:
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for task in done - {ending}:
                task.result()
            self._stop.set()
            if ending in done and self._campaign is not None and len(waits - done) > 0:
                self.report.problem = "The plan was stopped before its end."
            await self._finish_games()
        finally:
            for task in waits:
                task.cancel()
            await asyncio.gather(*waits, return_exceptions=True)

    async def _finish_games(self) -> None:
        """Wait, for the grace at most, until no game is being played; take back open seeks."""
        for offer_id, offer in tuple(self.client.session.offers.items()):
            if isinstance(offer.request, Seek):
                self._spawn(self._cancel_seek(offer_id))
        quitting = asyncio.ensure_future(self._quit.wait())
        try:
            async with asyncio.timeout(self.config.grace_s):
                while not self._quit.is_set() and self._busy():
                    self._idle.clear()
                    idle = asyncio.ensure_future(self._idle.wait())
                    await asyncio.wait({quitting, idle}, return_when=asyncio.FIRST_COMPLETED)
                    idle.cancel()
        except TimeoutError:
            log.info("The grace is over with %d games being played.", self._busy())
        finally:
            quitting.cancel()

    async def _leave_server(self, token: TokenFile) -> None:
        for table in self._tables.values():
            table.close()
        tasks = tuple(self._tasks)
        if tasks and self.client.connected and not self._quit.is_set():
            await asyncio.wait(tasks, timeout=_BYE_S)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.client.close()
        token.release()

    def _finish(self) -> None:
        """The wanted number of games is reached."""
        self._stop.set()

    def _busy(self) -> int:
        return len(self._accepting) + sum(table.playing for table in self._tables.values())

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        if not self.config.signals:
            yield
            return
        loop = asyncio.get_running_loop()
        taken = []
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, self.stop)
                taken.append(number)
        try:
            yield
        finally:
            for number in taken:
                loop.remove_signal_handler(number)

    # -- updates -----------------------------------------------------------------------------

    async def _follow(self, feed: Any) -> None:
        self._look_everywhere()
        async for update in feed:
            self._take(update)
            if self._campaign is not None:
                self._campaign.pulse()
            self._idle.set()
        raise self.client.ended or ConnectionEnded("The connection is over.")

    def _take(self, update: Update) -> None:
        match update:
            case RoomChanged(room=room, event=event):
                if isinstance(event, MoveMade) and self.config.on_move is not None:
                    self.config.on_move(event)
                self._look(room)
            case PresenceChanged(room=room):
                self._look(room)
            case RoomLost(room=room) | RoomLeft(room=room):
                self._drop(room)
                if isinstance(update, RoomLost):
                    log.info("Room %s is gone: %s", room, update.sentence)
                    if self._campaign is not None:
                        self._campaign.lost(room)
            case ChallengeReceived(challenge=challenge):
                self._answer(challenge)
            case OfferEnded(offer=offer, outcome=outcome, reason=reason):
                if self._campaign is not None and outcome == "declined":
                    self._campaign.declined(offer, reason)
            case LobbyUpdated():
                self._look_at_seeks()
            case Reconnected(epoch_changed=restarted):
                log.info("Connected again%s.", "; the server was restarted" if restarted else "")
                self._look_everywhere()
            case Missed():
                self._look_everywhere()
            case ConnectionLost(sentence=sentence):
                log.info("%s", sentence)
            case Ended(sentence=sentence):
                log.info("%s", sentence)
        self._keep_seek()

    def _look(self, room: str) -> None:
        mirror = self.client.session.rooms.get(room)
        if mirror is None or mirror.seat is None:
            self._drop(room)
            return
        table = self._tables.get(room)
        if table is None:
            if mirror.status == "closed" and mirror.result is None:
                return
            table = self._tables[room] = Table(self, room)
        table.look()
        if mirror.status == "closed":
            if self._campaign is not None and mirror.result is None:
                self._campaign.lost(room)
            self._drop(room)
        elif mirror.status == "finished" and mirror.rematch[1 - mirror.seat]:
            self._consider_rematch(room)

    def _look_everywhere(self) -> None:
        for room in tuple(self.client.session.rooms):
            self._look(room)
        for challenge in tuple(self.client.session.challenges.values()):
            self._answer(challenge)
        self._look_at_seeks()
        self._keep_seek()

    def _drop(self, room: str) -> None:
        table = self._tables.pop(room, None)
        if table is not None:
            table.close()

    # -- new games ---------------------------------------------------------------------------

    def _places(self) -> int:
        """How many more games may be begun."""
        if self._stop.is_set():
            return 0
        places = self.config.policy.at_once - self._busy()
        if self.config.games is not None:
            places = min(places, self.config.games - self.report.games - self._busy())
        return max(0, places)

    def _answer(self, challenge: Challenged) -> None:
        if challenge.challenge in self._accepting:
            return
        policy = self.config.policy
        reason = policy.objection(self._bot, challenge.settings, challenge.player)
        if not policy.challenges or self._campaign is not None:
            reason = "I take no challenges now."
        elif self._stop.is_set():
            reason = "I am about to leave."
        elif reason is None and not self._places():
            reason = f"I play {policy.at_once} games at once and no more."
        if reason is None:
            self._spawn(self._accept(challenge))
        else:
            log.info("Declined a challenge of %s: %s", challenge.player.name, reason)
            self._spawn(self._decline(challenge.challenge, reason))

    async def _accept(self, challenge: Challenged) -> None:
        await self._begin(challenge.challenge, self.client.accept_challenge(challenge.challenge))

    async def _begin(self, offer: str, request: Coroutine[Any, Any, object]) -> None:
        """Send a request that begins a game; until it is answered it holds a place."""
        try:
            await request
        except RequestRefused as refused:
            log.info("No game came of %s: %s", offer, refused.sentence)
        finally:
            self._accepting.discard(offer)
            self._idle.set()

    async def _decline(self, challenge: str, reason: str) -> None:
        with contextlib.suppress(RequestRefused):
            await self.client.decline_challenge(challenge, reason[:64])

    def _look_at_seeks(self) -> None:
        lobby = self.client.session.lobby
        if not self.config.policy.seeks or lobby is None or self._campaign is not None:
            return
        for seek in tuple(lobby.seeks.values()):
            if self._places() and seek.seek not in self._accepting and self._likes(seek):
                self._accepting.add(seek.seek)
                self._spawn(self._begin(seek.seek, self.client.accept_seek(seek.seek)))

    def _likes(self, seek: LobbySeek) -> bool:
        if seek.player.name == self.report.name:
            return False
        return self.config.policy.objection(self._bot, seek.settings, seek.player) is None

    def _keep_seek(self) -> None:
        """Keep the wanted seek open while there is a place for the game."""
        if self.config.seek is None or self._seeking or not self._places():
            return
        offers = self.client.session.offers.values()
        if not any(isinstance(offer.request, Seek) for offer in offers):
            self._seeking = True
            self._spawn(self._seek())

    async def _seek(self) -> None:
        assert self.config.seek is not None
        try:
            await self.client.seek(self.config.seek)
        except RequestRefused as refused:
            log.warning("The seek was refused: %s", refused.sentence)
            await asyncio.sleep(1.0)
        finally:
            self._seeking = False

    async def _cancel_seek(self, seek: str) -> None:
        with contextlib.suppress(RequestRefused):
            await self.client.cancel_seek(seek)

    # -- after a match -----------------------------------------------------------------------

    def _planned(self, index: int, result: GameResult) -> None:
        self.report.plan[index] = result
        self._spawn(self._leave(result.room))

    def _after_match(self, table: Table, result: GameResult) -> None:
        mirror = table.mirror
        other = None if mirror is None else mirror.players[1 - result.seat]
        stays = self.config.policy.rematches and other is not None and other.kind == "human"
        delay = self.config.policy.linger_s if stays and not self._stop.is_set() else 0.0
        self._spawn(self._leave_after(result.room, result.match, delay))

    def _consider_rematch(self, room: str) -> None:
        mirror = self.client.session.rooms[room]
        assert mirror.seat is not None
        other = mirror.players[1 - mirror.seat]
        if mirror.rematch[mirror.seat] or other is None or self._campaign is not None:
            return
        policy = self.config.policy
        fine = policy.objection(self._bot, mirror.settings, other) is None
        if policy.rematches and fine and self._places() and room not in self._accepting:
            self._accepting.add(room)
            self._spawn(self._begin(room, self.client.rematch(room)))

    async def _leave_after(self, room: str, match: int, delay: float) -> None:
        stopping = asyncio.ensure_future(self._stop.wait())
        await asyncio.wait({stopping}, timeout=delay)
        stopping.cancel()
        mirror = self.client.session.rooms.get(room)
        if mirror is not None and mirror.match == match and mirror.status == "finished":
            await self._leave(room)

    async def _leave(self, room: str) -> None:
        mirror = self.client.session.rooms.get(room)
        if mirror is None or mirror.status == "closed":
            return
        with contextlib.suppress(RequestRefused):
            await self.client.leave(room)

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._spawned)

    def _spawned(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, ConnectionEnded | TimeoutError):
            log.info("%s", error)
        else:
            log.error("A bug of the runner.", exc_info=error)


async def run_bot(config: RunnerConfig) -> RunnerReport:
    """Run a bot as a player until its plan or number of games is done, or it is told to stop.

    Raises:
        BotError: there is no such bot, or not with these options.
        RunnerError: no name is to be had, or the plan cannot be carried out.
        ClientError: the server is not there, refuses, or has ended the connection for good.
        ValueError: the address or the name is malformed.
    """
    return await Runner(config).run()
