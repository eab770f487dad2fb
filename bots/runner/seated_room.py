"""One room in which the bot has a seat: it thinks when it is its turn, and knows what came of it.

Theory of operation
-------------------
A seated room hears only that something has changed (`look`), and reads from the mirror what is to
be done; so it does not matter which updates came, twice or never. While it is the bot's turn one
task plays: it asks the worker for an action, sends it, and goes on as long as the turn is kept.
Against people it lets a moment pass before it moves (see `pause`); a match that ends or a lost
connection ends the pause too.

A move is keyed by match and ply; one that the server has already, from before a lost connection,
is refused as stale, and the mirror then says what is next.

A bot that fails to bring a legal action loses a rated match, or one of a tournament, by its own
word. A casual match goes on: the bot `rules` (or `random` where that does not play) moves in its
place, and says so.

An opponent who stays away may be claimed against when the server says so (`AbsenceClaim`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from bots.api import BotError, Choice, Limit, NeverStop
from bots.registry import BotSpec, bot_class, make_bot
from bots.runner.claim import AbsenceClaim
from bots.runner.config import GameResult, RunnerConfig
from bots.runner.core.pause import moment_before
from bots.runner.core.timing import Latency, move_limit
from bots.workers.errors import BotFailed, PoolClosed
from bots.workers.pool import GameHandle, WorkerPool
from client.core.errors import ConnectionEnded, RequestRefused
from client.core.room import RoomMirror
from client.transport import Client
from games.api import State
from protocol.client_messages import Resume
from protocol.errors import ErrorCode

log = logging.getLogger(__name__)

STAND_INS: Final = ("rules", "random")
_AGAIN_S: Final = 0.5


class Host(Protocol):
    """What a seated room needs of its runner."""

    config: RunnerConfig
    client: Client
    pool: WorkerPool
    spec: BotSpec
    latency: Latency

    def crowd(self) -> int:
        """How many games share a worker."""

    def seed_for(self, mirror: RoomMirror) -> str:
        """What the bot of the room's current match is seeded with."""

    def over(self, result: GameResult, played: bool) -> None:
        """A match has ended; may be told again for the same one. `played` says whether this
        runner was there while it was played."""


@dataclass(slots=True)
class _Match:
    """What is kept about the match being played."""

    number: int
    prepared: bool = False
    seed: str = ""
    handle: GameHandle | None = None
    failures: int = 0
    played: bool = False
    reported: bool = False


class SeatedRoom:
    """One followed room with a seat of this player."""

    def __init__(self, host: Host, room: str) -> None:
        self._host = host
        self._room = room
        self._match = _Match(0)
        self._task: asyncio.Task[None] | None = None
        self._claim = AbsenceClaim(host.client, room)
        self._rng = Random(f"stand-in {room}")
        self._pause_rng = Random(f"pause {room}")
        self._hurry = asyncio.Event()
        self._position = (0, 0)
        self._since = 0.0

    @property
    def mirror(self) -> RoomMirror | None:
        """The room as it is now; None when it is not followed any more."""
        return self._host.client.session.rooms.get(self._room)

    def look(self) -> None:
        """See what is to be done now."""
        mirror = self.mirror
        if mirror is None or mirror.seat is None:
            self.close()
            return
        if mirror.match != self._match.number:
            self._drop_match()
            self._match = _Match(mirror.match)
        self._claim.look(mirror)
        self._seen_since(mirror)
        if mirror.status == "playing":
            if not self._match.played and self._host.config.on_began is not None:
                self._host.config.on_began(mirror)
            self._match.played = True
            if self._task is None and (mirror.my_turn or not self._match.prepared):
                loop = asyncio.get_running_loop()
                self._task = loop.create_task(self._play(), name=f"play {self._room}")
                self._task.add_done_callback(self._played)
            return
        self._drop_thinking()
        if mirror.result is not None and not self._match.reported:
            self._match.reported = True
            self._host.over(self._result(mirror), self._match.played)

    def hurry(self) -> None:
        """Pause no longer: nobody is there to see it."""
        self._hurry.set()

    def close(self) -> None:
        """Drop everything; the room itself is left to the server."""
        self._drop_match()
        self._claim.cancel()

    # -- playing -----------------------------------------------------------------------------

    def _due(self, match: int) -> RoomMirror | None:
        """The mirror, if this player is to move in `match`."""
        mirror = self.mirror
        if mirror is None or mirror.match != match or not mirror.my_turn:
            return None
        return mirror

    async def _play(self) -> None:
        """Move as long as it is this player's turn."""
        client, match = self._host.client, self._match
        await self._prepare(match)
        while (mirror := self._due(match.number)) is not None:
            state = mirror.state.clone()
            ply = state.ply
            since = self._seen_since(mirror)
            fallback = False
            try:
                choice = await self._choose(mirror, match, state)
            except (BotFailed, BotError) as failure:
                match.failures += 1
                self._log_failure(mirror, ply, failure)
                if self._due(match.number) is None:
                    return
                if mirror.strict:
                    await self._confess(match.number, ply, failure)
                    return
                choice = self._stand_in(state)
                fallback = True
            await self._pause(state, choice.action, since)
            current = self._due(match.number)
            if current is None or current.state.ply != ply:
                continue
            began = time.monotonic()
            score = choice.score if choice.score is None or abs(choice.score) <= 1e6 else None
            try:
                await client.move(
                    self._room,
                    choice.action,
                    match=match.number,
                    ply=ply,
                    expected=None if fallback else score,
                    fallback=fallback,
                )
            except RequestRefused as refused:
                if refused.code not in (ErrorCode.STALE_PLY, ErrorCode.WRONG_STATE):
                    log.warning("Room %s refused a move: %s", self._room, refused.sentence)
                    await asyncio.sleep(_AGAIN_S)
                current = self._due(match.number)
                if current is not None and current.state.ply == ply:
                    # Refused, and yet the mirror says that it is due: have the room sent anew.
                    await client.request(lambda i: Resume(id=i, room=self._room, seq=0))
            else:
                self._host.latency.saw(time.monotonic() - began)

    async def _prepare(self, match: _Match) -> None:
        """Have the bot made while the other side may still be thinking."""
        mirror = self.mirror
        if match.prepared or mirror is None:
            return
        match.prepared = True
        match.seed = self._host.seed_for(mirror)
        with contextlib.suppress(BotError):  # tried again, and told, when it is to move
            match.handle = await self._host.pool.open_game(self._host.spec, mirror.game, match.seed)

    async def _choose(self, mirror: RoomMirror, match: _Match, state: State) -> Choice:
        host = self._host
        if match.handle is None:
            match.handle = await host.pool.open_game(host.spec, state.game, match.seed)

        moves = bot_class(host.spec.name).moves_to_go(state)

        def limit() -> Limit:
            crowd = host.crowd()
            return move_limit(
                self.mirror or mirror,
                time.monotonic(),
                moves=moves,
                margin_s=host.latency.margin,
                think_s=host.config.think_s,
                crowd=crowd,
                memory_mb=host.config.memory_mb // crowd,
            )

        return await match.handle.choose(state, limit)

    def _seen_since(self, mirror: RoomMirror) -> float:
        """When the position of `mirror` was first seen here, in seconds."""
        position = (mirror.match, mirror.state.ply)
        if position != self._position:
            self._position = position
            self._since = time.monotonic()
        return self._since

    async def _pause(self, state: State, action: int, since: float) -> None:
        """Let a moment pass before `action` is played in `state`, if a person watches it."""
        pause, mirror = self._host.config.pause, self.mirror
        if pause is None or mirror is None or not self._host.client.connected:
            return
        if mirror.state.ply != state.ply:
            return
        moment = moment_before(mirror, state, action, now=time.monotonic(), since=since)
        seconds = pause.before(moment, self._pause_rng)
        if seconds > 0:
            self._hurry.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._hurry.wait()

    def _stand_in(self, state: State) -> Choice:
        """A legal action of a bot that does not fail; takes a millisecond at most."""
        for name in STAND_INS:
            bot = make_bot(name, self._rng)
            if bot.plays(state.game):
                return bot.choose(state, Limit(), NeverStop())
        raise AssertionError("random plays everything")

    async def _confess(self, match: int, ply: int, failure: Exception) -> None:
        try:
            illegal = isinstance(failure, BotFailed) and failure.kind == "illegal"
            await self._host.client.crash(
                self._room, match, ply, str(failure)[:200], illegal=illegal
            )
        except RequestRefused as refused:
            log.info("Room %s did not take the crash: %s", self._room, refused.sentence)

    def _log_failure(self, mirror: RoomMirror, ply: int, failure: Exception) -> None:
        then = "the match is lost" if mirror.strict else "a stand-in moves in its place"
        log.warning("Room %s, ply %d: %s; %s.", self._room, ply, str(failure).rstrip("."), then)
        trace = getattr(failure, "trace", "")
        if trace:
            log.info("%s", trace)

    def _played(self, task: asyncio.Task[None]) -> None:
        if task is self._task:
            self._task = None
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self.look()
        elif isinstance(error, PoolClosed | ConnectionEnded):
            log.debug("Room %s: %s", self._room, error)
        elif isinstance(error, TimeoutError | RequestRefused):
            log.warning("Room %s: %s", self._room, error)
            asyncio.get_running_loop().call_later(_AGAIN_S, self.look)
        else:
            log.error("Room %s: a bug of the runner.", self._room, exc_info=error)

    # -- the rest ----------------------------------------------------------------------------

    def _result(self, mirror: RoomMirror) -> GameResult:
        assert mirror.seat is not None
        assert mirror.result is not None
        other = mirror.players[1 - mirror.seat]
        return GameResult(
            game_id=mirror.result.game_id,
            room=self._room,
            match=mirror.match,
            settings=mirror.settings,
            opponent="" if other is None else other.name,
            seat=mirror.seat,
            winner=mirror.result.winner,
            termination=mirror.result.termination,
            scores=mirror.state.scores(),
            moves=mirror.state.ply,
            failures=self._match.failures,
        )

    def _drop_thinking(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()

    def _drop_match(self) -> None:
        self._drop_thinking()
        if self._match.handle is not None:
            self._match.handle.close()
            self._match.handle = None
