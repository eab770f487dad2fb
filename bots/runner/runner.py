"""The runner: one bot as a player on a server, playing many games at once.

Theory of operation
-------------------
The client keeps the connection and a picture of the server; the runner reads its updates and
tells the table of each room to look again. After a reconnect or a restart, of the server or of
this program, the client follows all rooms again in which the player has a seat, and the tables
simply find themselves in the middle of their games.

The first request to stop ends the taking of new games, and the runner waits for those that are
being played; the second one, or the end of the grace, ends it at once. A game that is left that
way goes on when the bot comes back: its token is kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from dataclasses import replace
from random import SystemRandom
from typing import Final

from bots.registry import bot_class
from bots.runner.campaign import Campaign
from bots.runner.config import GameResult, RunnerConfig, RunnerError, RunnerReport
from bots.runner.core.timing import Latency
from bots.runner.doorman import Doorman
from bots.runner.identity import connect
from bots.runner.records import recorded
from bots.runner.table import Table
from bots.runner.tasks import Tasks, finished, on_signals
from bots.workers.pool import WorkerPool
from client.core.errors import ClientError, ConnectionEnded, RequestRefused
from client.core.room import RoomMirror
from client.core.updates import (
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
    TournamentChanged,
    Update,
)
from client.feed import Feed
from client.tokens import TokenFile
from client.transport import Client
from games.api import GameError
from games.registry import GAMES, make_game
from protocol.common import EngineInfo
from protocol.errors import ErrorCode
from protocol.server_messages import MoveMade, RoomClosed, TournamentState

log = logging.getLogger(__name__)

_BYE_S: Final = 2.0
"""How long the last words to a server may take, in seconds."""
_JOIN_TRIES: Final = 10
_JOIN_S: Final = 1.0
"""How often a tournament is asked to let this bot in while the server's storage is behind, and how
long it waits in between, in seconds."""
_REMEMBERED: Final = 4096
"""Finished games that are remembered, so that none is counted twice."""


class Runner:
    """Runs one bot; `run` once. `stop` may be called from signal handlers of the event loop.

    Raises:
        BotError: there is no such bot, or not with these options.
    """

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
        self._rng = SystemRandom()
        self._seed = self._rng.getrandbits(64) if seed is None else seed
        self._setups: Counter[str] = Counter()
        self._tables: dict[str, Table] = {}
        self._told: dict[str, None] = {}
        self._campaign: Campaign | None = None
        self._doorman: Doorman
        self._stop = asyncio.Event()
        self._quit = asyncio.Event()
        self._news = asyncio.Event()
        self._tasks = Tasks(self._news.set)

    # -- what tables ask ---------------------------------------------------------------------

    def crowd(self) -> int:
        """How many games share a worker."""
        return max(1, -(-self._playing() // self.pool.workers))

    def seed_for(self, mirror: RoomMirror) -> str:
        """The bot's seed for the match of a room: it follows from opening and seat and from how
        often there was this very setup, so that a run repeated with one seed plays the same."""
        setup = f"{mirror.settings.game} {mirror.settings.opening} {mirror.seat}"
        self._setups[setup] += 1
        return f"{self._seed} {setup} {self._setups[setup]}"

    def over(self, result: GameResult, played: bool = True) -> None:
        """A match has ended: count it, tell it, and leave or stay for a rematch. One that was
        over before this runner came (`played` is false) was another run's; unless a plan waits
        for it, it is only left."""
        if result.game_id in self._told:
            return
        campaign = self._campaign
        if campaign is None:
            if played:
                self._count(result)
            else:
                self._told[result.game_id] = None
            self._tasks.spawn(self._leave_after(result))
            return
        # A game may be over before its challenge is answered; with a result it is counted only
        # once the plan knows its number. Without one it has none: the plan plays it again.
        if campaign.number_of(result.room) is not None or not result.has_result:
            self._count(result)
        campaign.ended(result)  # the plan leaves the room once it has taken the result in

    def _count(self, result: GameResult) -> None:
        self._told[result.game_id] = None
        if len(self._told) > _REMEMBERED:
            del self._told[next(iter(self._told))]
        index = self._campaign.number_of(result.room) if self._campaign else None
        result = replace(result, index=index)
        self.report.count(result)
        log.info("Room %s: %s.", result.room, result)
        if self.config.on_game is not None:
            self.config.on_game(result)
        if self.config.games is not None and self.report.games >= self.config.games:
            self._stop.set()

    # -- life --------------------------------------------------------------------------------

    def stop(self) -> None:
        """Take no new games and end after those that are being played; again: end at once."""
        if self._stop.is_set():
            log.info("Stopping at once.")
            self._quit.set()
            self._news.set()
        else:
            log.info("Stopping: no new games.")
            self._stop.set()

    async def run(self) -> RunnerReport:
        """Join the server and play until there is nothing more to do.

        Raises:
            BotError: the bot cannot be made.
            RunnerError: no name is to be had, or the plan cannot be carried out.
            ClientError: the server is not there, refuses, or has ended the connection for good.
            ValueError: the address or the name is malformed.
        """
        name = self._bot.name if ":" in self.spec.name else self.spec.name
        engine = EngineInfo(name=name[:64], version=self._bot.version[:64])
        with on_signals(self.stop if self.config.signals else None):
            async with WorkerPool(self.config.workers) as self.pool:
                if not await finished(asyncio.ensure_future(self._warm_up()), self._stop):
                    return self.report
                connecting = asyncio.ensure_future(connect(self.config, engine, self._rng))
                if not await finished(connecting, self._stop):
                    return self.report
                self.client, token = connecting.result()
                try:
                    await self._play_there()
                finally:
                    await self._leave_server(token)
        return self.report

    async def _warm_up(self) -> None:
        """Make a bot in every worker, so that no clock pays for imports and compiled kernels.

        Raises:
            BotError: it cannot be made.
        """
        game = next((kind() for kind in GAMES.values() if self._bot.plays(kind())), None)
        if game is not None:
            opening = [self.pool.open_game(self.spec, game, 0) for _ in range(self.pool.workers)]
            for handle in await asyncio.gather(*opening):
                handle.close()

    async def _play_there(self) -> None:
        """Everything between the welcome and the farewell."""
        assert self.client.session.player is not None
        self.report.name = self.client.session.player.name
        log.info("Playing as %s on %s.", self.report.name, self.client.url)
        feed = self.client.updates()
        if self.config.on_ready is not None:
            self.config.on_ready(self.report.name)
        self._doorman = Doorman(
            self.config,
            self._bot,
            self.client,
            self._playing,
            lambda: self.report.games,
            self._tasks.spawn,
        )
        if self.config.plan is not None:
            self._campaign = Campaign(self.config.plan, self.client, self._rng, self._planned)
        following = asyncio.ensure_future(self._follow(feed))
        working = asyncio.ensure_future(self._work())
        try:
            await asyncio.wait({following, working}, return_when=asyncio.FIRST_COMPLETED)
            for task in (working, following):
                if task.done():
                    return task.result()
        except (RunnerError, ClientError) as error:
            self.report.problem = str(error)
            raise
        finally:
            for task in (following, working):
                task.cancel()
            await asyncio.gather(following, working, return_exceptions=True)

    async def _work(self) -> None:
        """Returns when there is nothing more to do."""
        if self.config.policy.seeks and self._campaign is None:
            await self.client.follow_lobby()
        if self.config.tournament is not None:
            await self._enter(self.config.tournament)
        campaign: asyncio.Future[None] | None = None
        if self._campaign is not None:
            campaign = asyncio.ensure_future(self._campaign.run())
            campaign.add_done_callback(lambda _: self._stop.set())
        try:
            await self._stop.wait()
            self._doorman.close()
            if self._campaign is not None:
                self._campaign.stop()
            await self._finish_games()
            if campaign is not None:
                # With its games over it has ended, or will as soon as it has seen that.
                await asyncio.wait({campaign}, timeout=0 if self._quit.is_set() else _BYE_S)
                if campaign.done():
                    campaign.result()
        finally:
            if campaign is not None:
                campaign.cancel()
                await asyncio.gather(campaign, return_exceptions=True)
        plan = self.config.plan
        if plan is not None and len(self.report.plan) < len(plan.games):
            self.report.problem = (
                f"The plan was stopped after {len(self.report.plan)} of {len(plan.games)} games."
            )

    async def _finish_games(self) -> None:
        """Wait until no game is being played; for the grace at most."""
        try:
            async with asyncio.timeout(self.config.grace_s):
                while not self._quit.is_set() and self._playing() + self._doorman.beginning:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            log.info("The grace is over; games that are left: %d.", self._playing())

    async def _leave_server(self, token: TokenFile) -> None:
        for table in self._tables.values():
            table.close()
        heard = self.client.connected and not self._quit.is_set()
        await self._tasks.end(_BYE_S if heard else 0.0)
        await self.client.close()
        token.release()

    def _playing(self) -> int:
        """Games that are being played, or over and not counted yet."""
        return sum(
            room.seat is not None
            and (
                room.status in ("waiting", "playing")
                or (room.result is not None and room.result.game_id not in self._told)
            )
            for room in self.client.session.rooms.values()
        )

    # -- a tournament ------------------------------------------------------------------------

    async def _enter(self, tournament: str) -> None:
        """Join the tournament. Where it is over, that is the `problem` of the report.

        Raises:
            RunnerError: it does not let this player in.
        """
        client, at_once = self.client, self.config.policy.at_once
        for tries in range(_JOIN_TRIES, 0, -1):
            try:
                state = await client.tournaments.get(tournament)
                if state.status in ("open", "running"):
                    self._check_plays(state)
                    try:
                        state = await client.tournaments.join(tournament, at_once=at_once)
                    except RequestRefused as refused:
                        if refused.code != ErrorCode.UNKNOWN_TOURNAMENT:
                            raise
                        state = await client.tournaments.get(tournament)  # it has just ended
                log.info("In the tournament %s, which is %s.", state.terms.name, state.status)
                if state.status not in ("open", "running"):
                    if not self._playing():
                        self.report.problem = f"The tournament {state.terms.name} is over."
                    self._stop.set()
                elif self.config.on_entered is not None:
                    self.config.on_entered(self.report.name, state)
                return
            except RequestRefused as refused:
                if refused.code != ErrorCode.STORAGE_FAILED or tries == 1:
                    raise RunnerError(refused.sentence) from None
            await asyncio.sleep(_JOIN_S)

    def _check_plays(self, state: TournamentState) -> None:
        """Refuse a tournament of what this bot cannot play.

        Raises:
            RunnerError: it does not play that.
        """
        settings = state.terms.settings
        try:
            game = make_game(settings.game, settings.params)
        except GameError as error:
            raise RunnerError(str(error)) from None
        if not self._bot.plays(game):
            raise RunnerError(
                f"The bot {self.spec.name} does not play {game.title} {game.size}, which the"
                f" tournament {state.terms.name} is about."
            )

    async def _ask_tournament(self) -> None:
        """What has become of the tournament while this runner was away."""
        if self.config.tournament is not None:
            with contextlib.suppress(RequestRefused):
                await self.client.tournaments.get(self.config.tournament)

    def _see_tournament(self, state: TournamentState) -> None:
        if state.tournament != self.config.tournament or self._stop.is_set():
            return
        mine = next((e for e in state.entrants if e.player == self.report.name), None)
        if state.status in ("finished", "cancelled"):
            log.info("The tournament %s has ended.", state.terms.name)
            self._stop.set()
        elif mine is not None and mine.state == "aside":
            self.report.problem = f"The tournament has set {mine.player} aside: {mine.reason}."
            self._stop.set()

    # -- updates -----------------------------------------------------------------------------

    async def _follow(self, feed: Feed) -> None:
        self._look_everywhere()
        self._doorman.look()
        async for update in feed:
            self._take(update)
            self._doorman.look()
            if self._campaign is not None:
                self._campaign.pulse()
            self._news.set()
        raise self.client.ended or ConnectionEnded("The connection is over.")

    def _take(self, update: Update) -> None:
        match update:
            case RoomChanged(room=room, event=event):
                if isinstance(event, MoveMade) and self.config.on_move is not None:
                    self.config.on_move(event)
                self._look(room)
                if isinstance(event, RoomClosed) and self._campaign is not None:
                    self._campaign.lost(room)
            case PresenceChanged(room=room):
                self._look(room)
            case RoomLost(room=room, sentence=sentence):
                log.info("Room %s is gone: %s", room, sentence)
                self._look(room)
                self._tasks.spawn(self._look_up(room))
            case RoomLeft(room=room):
                self._drop(room)
            case ChallengeReceived(challenge=challenge):
                log.info("%s offers a game.", challenge.player.name)
            case OfferClosed(offer=offer, outcome=outcome, reason=reason):
                if self._campaign is not None:
                    self._campaign.declined(offer, reason or outcome)
            case TournamentChanged(state=state):
                self._see_tournament(state)
            case Reconnected(epoch_changed=restarted):
                log.info("Connected again%s.", "; the server was restarted" if restarted else "")
                self._look_everywhere()
                self._tasks.spawn(self._ask_tournament())
            case Missed():
                self._look_everywhere()
            case ConnectionLost(sentence=sentence) | SessionEnded(sentence=sentence):
                log.info("%s", sentence)
                for table in self._tables.values():
                    table.hurry()

    def _look(self, room: str) -> None:
        mirror = self.client.session.rooms.get(room)
        if mirror is None or mirror.seat is None:
            self._drop(room)
            return
        table = self._tables.get(room)
        if table is None:
            table = self._tables[room] = Table(self, room)
        table.look()
        if mirror.status == "closed":
            self._drop(room)
        elif mirror.status == "finished" and mirror.rematch[1 - mirror.seat]:
            self._doorman.consider_rematch(room)

    def _look_everywhere(self) -> None:
        for room in tuple(self.client.session.rooms):
            self._look(room)

    def _drop(self, room: str) -> None:
        table = self._tables.pop(room, None)
        if table is not None:
            table.close()

    # -- after a match -----------------------------------------------------------------------

    async def _look_up(self, room: str) -> None:
        """What became of the match in a room that was lost: its record knows."""
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

    def _planned(self, index: int, result: GameResult) -> None:
        self.report.plan[index] = replace(result, index=index)
        if result.game_id not in self._told:
            self._count(result)
        self._tasks.spawn(self._leave(result.room))

    async def _leave_after(self, result: GameResult) -> None:
        """Leave the room of a match; with a human stay a while for the offer of a rematch."""
        mirror = self.client.session.rooms.get(result.room)
        other = None if mirror is None else mirror.players[1 - result.seat]
        policy = self.config.policy
        if policy.rematches and other is not None and other.kind == "human":
            lingering = asyncio.ensure_future(asyncio.sleep(policy.linger_s))
            await finished(lingering, self._stop)
        mirror = self.client.session.rooms.get(result.room)
        if mirror is not None and mirror.match == result.match:
            await self._leave(result.room)

    async def _leave(self, room: str) -> None:
        mirror = self.client.session.rooms.get(room)
        if mirror is not None and mirror.status == "finished":
            with contextlib.suppress(RequestRefused):
                await self.client.leave(room)


async def run_bot(config: RunnerConfig) -> RunnerReport:
    """Run a bot as a player until its plan or number of games is done, or it is told to stop.

    Raises:
        BotError: there is no such bot, or not with these options.
        RunnerError: no name is to be had, or the plan cannot be carried out.
        ClientError: the server is not there, refuses, or has ended the connection for good.
        ValueError: the address or the name is malformed.
    """
    return await Runner(config).run()
