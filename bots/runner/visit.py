"""Play on one server, from the time the client is connected until the bot leaves.

Theory of operation
-------------------
The client keeps the connection and mirrors the server's state. One task reads the client's updates
and passes them to the rooms, the acceptor of new matches, the campaign and the tournament entry.
After a lost connection, or a restart of the server or of this program, the client again follows all
rooms in which the player has a seat. Each room then continues its game from the mirrored state.

Another task waits until the runner begins no new games, and then until the running ones are over.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from pathlib import Path
from random import Random
from typing import Final

from doublecross.bots.runner.acceptor import MatchAcceptor
from doublecross.bots.runner.campaign import Campaign
from doublecross.bots.runner.config import (
    STORAGE_SENTENCES,
    GameResult,
    RunnerConfig,
    RunnerError,
    RunnerReport,
)
from doublecross.bots.runner.core.ledger import Ledger
from doublecross.bots.runner.correspondence import CorrespondenceGames
from doublecross.bots.runner.entry import TournamentEntry
from doublecross.bots.runner.matchmaker import Matchmaker
from doublecross.bots.runner.ready import PlayedBot, Readiness
from doublecross.bots.runner.results import ResultCounter
from doublecross.bots.runner.rooms import SeatedRooms
from doublecross.bots.runner.tasks import StopRequests, Tasks, local_now
from doublecross.bots.workers.pool import WorkerPool
from doublecross.client.core.errors import ClientError, ConnectionEnded, RequestRefused
from doublecross.client.core.updates import (
    ChallengeReceived,
    ConnectionLost,
    Missed,
    OfferClosed,
    PresenceChanged,
    Reconnected,
    RoomChanged,
    RoomLeft,
    RoomLost,
    SessionEnded,
    StorageFailing,
    StorageRecovered,
    TournamentChanged,
    TurnCame,
    Update,
)
from doublecross.client.feed import Feed
from doublecross.client.private import write_private
from doublecross.client.transport import Client
from doublecross.protocol.server_messages import LobbyState, MoveMade, RoomClosed

log = logging.getLogger(__name__)

_CHECK_S: Final = 5.0
"""Seconds between two checks that depend on the time."""
_BYE_S: Final = 2.0
"""How long the last requests to a server may take, in seconds."""


class ServerVisit:
    """Plays on the server of `client` by the settings `config`; call `run` once, then `leave`.

    Whom it played and who declined is in the file `kept`, if the settings ask for that.
    """

    def __init__(
        self,
        config: RunnerConfig,
        bot: PlayedBot,
        client: Client,
        pool: WorkerPool,
        report: RunnerReport,
        stopping: StopRequests,
        rng: Random,
        kept: Path,
    ) -> None:
        self._config = config
        self._kept = kept
        self._keeping = asyncio.Lock()
        self._client = client
        self._report = report
        self._stopping = stopping
        self._tasks = Tasks(stopping.changed.set)
        self._results = ResultCounter(config, report, stopping)
        ready = Readiness(bot, pool, lambda: self._rooms.playing())
        ledger = self._ledger = Ledger(local_now(), lambda: self._tasks.spawn(self._keep()))
        self._campaign = (
            None
            if config.plan is None
            else Campaign(config.plan, client, rng, self._planned, ready.for_match)
        )
        self._rooms = SeatedRooms(
            config,
            bot,
            client,
            pool,
            self._results,
            self._campaign,
            self._tasks,
            stopping,
        )
        self._correspondence = CorrespondenceGames(client, self._tasks.spawn)
        self._acceptor = MatchAcceptor(
            config,
            bot.plays,
            client,
            self._rooms,
            lambda: self._results.counted,
            ledger,
            self._tasks.spawn,
            ready.for_match,
        )
        self._matchmaker = Matchmaker(self._acceptor, client, ledger, rng)
        self._entry = TournamentEntry(
            config, bot.plays, client, report, stopping, self._rooms.playing, ready.for_tournament
        )

    @property
    def playing(self) -> int:
        """The number of games in play."""
        return self._rooms.playing()

    def reload(self, config: RunnerConfig) -> None:
        """Use the new policy, seek, matchmaking, times and pauses from now on."""
        self._acceptor.config = self._rooms.config = config
        self._tasks.spawn(self._follow_lobby())
        if self._client.connected:
            self._check()

    async def run(self) -> None:
        """Play until there is nothing more to do.

        Raises:
            RunnerError: the plan cannot be carried out, or the tournament refuses the bot.
            ClientError: the connection has ended for good.
        """
        assert self._client.session.player is not None
        self._report.name = self._client.session.player.name
        log.info("Playing as %s on %s.", self._report.name, self._client.url)
        feed = self._client.updates()
        if self._config.on_ready is not None:
            self._config.on_ready(self._report.name)
        tasks = [
            asyncio.ensure_future(work)
            for work in (self._work(), self._follow(feed), self._check_at_times())
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    return task.result()
        except (RunnerError, ClientError) as error:
            self._report.problem = str(error)
            raise
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _look_back(self) -> None:
        """Read what an earlier run kept, and withdraw the seeks that it left open."""
        try:
            self._ledger.read(await asyncio.to_thread(self._kept.read_text, "utf-8"))
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else "malformed"
            log.warning("The games of the day cannot be read from %s (%s).", self._kept, why)
        if self._config.seek is not None:
            state = await self._client.follow_lobby()
            for seek in state.seeks if isinstance(state, LobbyState) else ():
                if seek.player.name == self._report.name:
                    with contextlib.suppress(RequestRefused):  # somebody has just accepted it
                        await self._client.offers.cancel_seek(seek.seek)
            await self._client.follow_lobby(False)

    async def _keep(self) -> None:
        """Write down what the next run needs to know."""
        config = self._acceptor.config
        if config.policy.each_day is None and config.matchmaking is None:
            return
        async with self._keeping:  # so that an older text never replaces a newer one
            try:
                await asyncio.to_thread(write_private, self._kept, self._ledger.text)
            except OSError as error:
                log.warning("The games of the day cannot be kept in %s (%s).", self._kept, error)

    async def leave(self) -> None:
        """Stop playing and end the connection."""
        self._rooms.close()
        can_finish = self._client.connected and not self._stopping.at_once.is_set()
        await self._tasks.end(_BYE_S if can_finish else 0.0)
        await self._client.close()

    # -- until there is nothing more to do ---------------------------------------------------

    async def _work(self) -> None:
        """Enter the tournament, run the plan, and return when there is nothing more to do."""
        await self._entry.enter()
        campaign: asyncio.Future[None] | None = None
        if self._campaign is not None:
            campaign = asyncio.ensure_future(self._campaign.run())
            campaign.add_done_callback(lambda _: self._stopping.end_new_games())
        try:
            await self._stopping.no_new_games.wait()
            self._acceptor.close()
            if self._campaign is not None:
                self._campaign.stop()
            await self._finish_games()
            if campaign is not None:
                # When its games are over the campaign ends after its next check.
                patience_s = 0 if self._stopping.at_once.is_set() else _BYE_S
                await asyncio.wait({campaign}, timeout=patience_s)
                if campaign.done():
                    campaign.result()
        finally:
            if campaign is not None:
                campaign.cancel()
                await asyncio.gather(campaign, return_exceptions=True)
        plan, done = self._config.plan, len(self._report.plan)
        if plan is not None and done < len(plan.games):
            self._report.problem = f"The plan was stopped after {done} of {len(plan.games)} games."

    async def _follow_lobby(self) -> None:
        """Follow the lobby if the settings need its seeks, players or ratings."""
        config, lobby = self._acceptor.config, self._client.session.lobby
        policy, matchmaking = config.policy, config.matchmaking
        seeks = policy.seeks_after_s is not None or policy.fills_in
        needed = seeks or policy.rating is not None or matchmaking
        if needed and lobby is None and self._campaign is None:
            await self._client.follow_lobby()

    async def _check_at_times(self) -> None:
        """Check regularly what depends on the time of the day, or on how long nothing happened."""
        while True:
            await asyncio.sleep(_CHECK_S)
            if self._client.connected:
                self._check()
                for room in self._rooms.resting():
                    self._correspondence.leave(room)
                now_s = asyncio.get_running_loop().time()
                self._correspondence.check(now_s)
                if self._entry.check(now_s):
                    self._tasks.spawn(self._entry.refresh())

    def _check(self) -> None:
        """Answer challenges, and begin what may begin."""
        self._acceptor.check()
        self._matchmaker.check(local_now())

    async def _finish_games(self) -> None:
        """Wait until no game is being played; after a request to stop, for the grace period only.

        A tournament that has ended wants its running games to be finished, however long they take.
        """
        stopping = self._stopping
        try:
            async with asyncio.timeout(None) as limit:
                while not stopping.at_once.is_set() and (
                    self._rooms.playing() + self._acceptor.beginning
                ):
                    if stopping.requested and limit.when() is None:
                        limit.reschedule(asyncio.get_running_loop().time() + self._config.grace_s)
                    stopping.changed.clear()
                    await stopping.changed.wait()
        except TimeoutError:
            log.info("The grace period is over; games left: %d.", self._rooms.playing())

    def _planned(self, index: int, result: GameResult) -> None:
        """Count the result of a game of the plan, and leave its room."""
        self._results.count_planned(index, result)
        self._tasks.spawn(self._rooms.leave(result.room))

    # -- updates -----------------------------------------------------------------------------

    async def _follow(self, feed: Feed) -> None:
        await self._look_back()
        await self._follow_lobby()
        self._update_all_rooms()
        self._check()
        async for update in feed:
            self._handle(update)
            self._check()
            if self._campaign is not None:
                self._campaign.notify()
            self._stopping.changed.set()
        raise self._client.ended or ConnectionEnded("The connection is over.")

    def _handle(self, update: Update) -> None:
        match update:
            case RoomChanged(room=room, event=event):
                if isinstance(event, MoveMade) and self._config.on_move is not None:
                    self._config.on_move(event)
                self._update_room(room)
                if isinstance(event, RoomClosed) and self._campaign is not None:
                    self._campaign.room_lost(room)
            case PresenceChanged(room=room):
                self._update_room(room)
            case RoomLost(room=room, sentence=sentence):
                log.info("Room %s is gone: %s", room, sentence)
                self._update_room(room)
                self._tasks.spawn(self._rooms.find_result(room))
            case RoomLeft(room=room):
                self._rooms.drop(room)
            case ChallengeReceived(challenge=challenge):
                log.info("%s offers a game.", challenge.player.name)
            case OfferClosed(offer=offer, outcome=outcome, reason=reason):
                if self._campaign is not None:
                    self._campaign.offer_declined(offer, reason or outcome)
            case TurnCame():
                self._correspondence.look()
            case TournamentChanged(state=state):
                self._entry.update(state)
            case Reconnected(epoch_changed=restarted):
                log.info("Connected again%s.", "; the server was restarted" if restarted else "")
                self._update_all_rooms()
                self._correspondence.reconnected()
                self._tasks.spawn(self._entry.refresh())
            case Missed():
                self._update_all_rooms()
            case ConnectionLost(sentence=sentence) | SessionEnded(sentence=sentence):
                log.info("%s", sentence)
                self._rooms.skip_pauses()
            case StorageFailing():
                self._say_storage(works=False)
            case StorageRecovered():
                self._say_storage(works=True)

    def _say_storage(self, *, works: bool) -> None:
        if self._config.on_storage is not None:
            self._config.on_storage(works)
        else:
            log.warning("%s", STORAGE_SENTENCES[works])

    def _update_room(self, room: str) -> None:
        self._rooms.update(room)
        self._acceptor.consider_rematch(room)

    def _update_all_rooms(self) -> None:
        for room in tuple(self._client.session.rooms):
            self._update_room(room)
