"""Play in one room in which the bot has a seat, and report the result.

Theory of operation
-------------------
`SeatedRoom.update` only says that something in the room may have changed; the next step follows
from the mirror of the room. It therefore does not matter whether an update arrives twice or gets
lost. While it is the bot's turn one task plays: it requests an action from the worker, sends the
move, and continues as long as the bot keeps the turn. Against people it pauses before a move (see
`pause`). The pause ends early when the match ends or the connection is lost.

A move is keyed by match, ply and the number of takebacks. When a person takes back moves, the bot
stops thinking, and the next step follows from the new position. If the server has received the move
before a lost connection, it refuses the repeated move as stale, and the next step again follows
from the mirror.

If a bot fails to choose a legal action in a rated match or in a tournament, the runner reports the
crash and the bot loses. A casual match continues: the bot `rules` (or `random` in games that
`rules` does not play) chooses the move, and the move is marked as a fallback.

`Pondering` lets the bot think while the opponent does, if the bot wants that. `AbsenceClaim` claims
the match when the opponent stays away long enough.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from doublecross.bots.api import BotError, Choice, Limit, NeverStop
from doublecross.bots.errors import BotFailed, Failure, PoolClosed
from doublecross.bots.registry import BotSpec, bot_class, make_bot
from doublecross.bots.runner.claim import AbsenceClaim
from doublecross.bots.runner.config import GameResult, RunnerConfig
from doublecross.bots.runner.core.pause import moment_before
from doublecross.bots.runner.core.timing import Latency, move_limit
from doublecross.bots.runner.pondering import Pondering
from doublecross.bots.workers.pool import GameHandle, WorkerPool
from doublecross.client.core.errors import ConnectionEnded, RequestRefused
from doublecross.client.core.room import RoomMirror
from doublecross.client.transport import Client
from doublecross.games.api import Game, State
from doublecross.protocol.client_messages import BotFailure, Resume
from doublecross.protocol.errors import ErrorCode

log = logging.getLogger(__name__)

STAND_INS: Final = ("rules", "random")
"""The bots that replace a bot that failed, in the order in which they are tried."""
_LAST_LINES: Final = 20
"""How many of its last lines the owner of a bot that failed sees."""
_TERMINATIONS: Final[dict[Failure, BotFailure]] = {
    "raised": "crash",
    "died": "crash",
    "illegal": "illegal",
    "hung": "timeout",
}
_RETRY_S: Final = 0.5
"""Seconds until the next attempt after a request failed."""


class Host(Protocol):
    """The services of the runner that a seated room uses."""

    config: RunnerConfig
    client: Client
    pool: WorkerPool
    latency: Latency

    def spec_for(self, game: Game) -> BotSpec:
        """Return the bot that plays `game`."""

    def games_per_worker(self) -> int:
        """Return how many games share a worker process."""

    def is_new_trace(self, trace: str) -> bool:
        """Return whether this traceback of the bot was not shown yet."""

    def seed_for(self, mirror: RoomMirror) -> str:
        """Return the seed of the bot for the room's current match."""

    def match_ended(self, result: GameResult, played: bool) -> None:
        """Handle the end of a match; calls for the same match may repeat.

        `played` says whether this runner was in the room while the match was being played.
        """


@dataclass(slots=True)
class _Match:
    """The data of the room's current match."""

    number: int
    prepared: bool = False
    seed: str = ""
    handle: GameHandle | None = None
    pondering: Pondering | None = None
    failures: int = 0
    takebacks: int = 0
    played: bool = False
    reported: bool = False


class SeatedRoom:
    """Plays in one followed room with a seat of this player."""

    def __init__(self, host: Host, room: str) -> None:
        self._host = host
        self._room = room
        self._match = _Match(0)
        self._task: asyncio.Task[None] | None = None
        self._claim = AbsenceClaim(host.client, room, host.config.policy.absence_s)
        self._rng = Random(f"stand-in {room}")
        self._pause_rng = Random(f"pause {room}")
        self._skip_pause = asyncio.Event()
        self._position = (0, 0, 0)
        self._since = 0.0

    @property
    def forsaken(self) -> bool:
        """Return whether a match is being played here whose other player does not play.

        Such a player is away, or lets the bot wait long where no clock runs.
        """
        mirror = self.mirror
        if mirror is None or mirror.seat is None or mirror.status != "playing":
            return False
        if not mirror.presence.seats[1 - mirror.seat].connected:
            return True
        clock, waited_s = mirror.settings.time, time.monotonic() - self._since
        has_clock = clock.base_ms is not None or clock.move_ms is not None
        return not (has_clock or mirror.my_turn) and waited_s >= self._host.config.policy.idle_s

    @property
    def rests(self) -> bool:
        """Return whether a match is being played here, and the bot has nothing to do in it."""
        mirror = self.mirror
        playing = mirror is not None and mirror.status == "playing"
        return playing and mirror is not None and not mirror.my_turn and self._task is None

    @property
    def mirror(self) -> RoomMirror | None:
        """The current state of the room; None when the client does not follow it any more."""
        return self._host.client.session.rooms.get(self._room)

    def update(self) -> None:
        """Act on the current state of the room: think, claim, or report the result."""
        mirror = self.mirror
        if mirror is None or mirror.seat is None:
            self.close()
            return
        if mirror.match != self._match.number:
            self._drop_match()
            self._match = _Match(mirror.match)
        if mirror.takebacks != self._match.takebacks:
            self._match.takebacks = mirror.takebacks
            self._drop_thinking()
        self._claim.update(mirror)
        self._turn_began(mirror)
        if mirror.status == "playing":
            if not self._match.played and self._host.config.on_began is not None:
                self._host.config.on_began(mirror)
            self._match.played = True
            self._ponder(mirror)
            if self._task is None and (mirror.my_turn or not self._match.prepared):
                loop = asyncio.get_running_loop()
                self._task = loop.create_task(self._play(), name=f"play {self._room}")
                self._task.add_done_callback(self._played)
            return
        self._ponder(mirror)
        self._drop_thinking()
        if mirror.result is not None and not self._match.reported:
            self._match.reported = True
            self._drop_match()  # the room may stay for long; its worker need not keep the game
            self._host.match_ended(self._result(mirror), self._match.played)

    def skip_pauses(self) -> None:
        """End the pause before a move, because nobody can see the move now."""
        self._skip_pause.set()

    def close(self) -> None:
        """Stop thinking and claiming, without leaving the room."""
        self._drop_match()
        self._claim.cancel()

    # -- playing -----------------------------------------------------------------------------

    def _due(self, match: int) -> RoomMirror | None:
        """Return the mirror if this player is to move in `match`, else None."""
        mirror = self.mirror
        if mirror is None or mirror.match != match or not mirror.my_turn:
            return None
        return mirror

    async def _play(self) -> None:
        """Make moves as long as it is this player's turn."""
        client, match = self._host.client, self._match
        await self._prepare(match)
        while (mirror := self._due(match.number)) is not None:
            state = mirror.state.clone()
            ply, position = state.ply, _position(mirror)
            since = self._turn_began(mirror)
            fallback = False
            try:
                choice = await self._choose(mirror, match, state)
            except (BotFailed, BotError) as failure:
                match.failures += 1
                self._log_failure(mirror, ply, failure)
                if self._due(match.number) is None:
                    return
                if mirror.strict:
                    await self._report_failure(match.number, ply, failure)
                    return
                choice = self._stand_in(state)
                fallback = True
            await self._pause(state, choice.action, since)
            current = self._due(match.number)
            if current is None or _position(current) != position:
                continue
            began = time.monotonic()
            score = choice.score if choice.score is None or abs(choice.score) <= 1e6 else None
            try:
                await client.move(
                    self._room,
                    choice.action,
                    match=match.number,
                    ply=ply,
                    takebacks=position[2],
                    expected=None if fallback else score,
                    fallback=fallback,
                )
            except RequestRefused as refused:
                if refused.code not in (ErrorCode.STALE_PLY, ErrorCode.WRONG_STATE):
                    log.warning("Room %s refused a move: %s", self._room, refused.sentence)
                    await asyncio.sleep(_RETRY_S)
                current = self._due(match.number)
                if current is not None and _position(current) == position:
                    # The server refused the move, but it is still due in the mirror. The mirror
                    # must be out of date, so request the whole room.
                    await client.request(lambda i: Resume(id=i, room=self._room, seq=0))
            else:
                self._host.latency.record(time.monotonic() - began)

    async def _prepare(self, match: _Match) -> None:
        """Make the bot, if possible while the opponent is still thinking."""
        mirror = self.mirror
        if match.prepared or mirror is None:
            return
        match.prepared = True
        match.seed = self._host.seed_for(mirror)
        with contextlib.suppress(BotError):  # `_choose` tries again and reports a failure
            await self._open(mirror, match)
            self._ponder(self.mirror or mirror)

    async def _open(self, mirror: RoomMirror, match: _Match) -> GameHandle:
        """Make the bot of `match`."""
        host = self._host
        handle = match.handle = await host.pool.open_game(
            host.spec_for(mirror.game), mirror.game, match.seed
        )
        if handle.ponders:
            match.pondering = Pondering(handle, f"Room {self._room}", host.is_new_trace)
        return handle

    def _ponder(self, mirror: RoomMirror) -> None:
        """Let the bot think if the opponent is to move; stop it if it thinks about another ply."""
        if self._match.pondering is not None:
            theirs = mirror.to_move is not None and not mirror.my_turn
            self._match.pondering.update(mirror.state if theirs else None)

    async def _choose(self, mirror: RoomMirror, match: _Match, state: State) -> Choice:
        host = self._host
        handle = match.handle or await self._open(mirror, match)
        kind = bot_class(host.spec_for(mirror.game).name)
        moves = None if kind.keeps_time else kind.moves_to_go(state)

        def limit() -> Limit:
            crowd = host.games_per_worker()
            return move_limit(
                self.mirror or mirror,
                time.monotonic(),
                moves=moves,
                margin_s=host.latency.margin,
                think_s=host.config.think_s,
                crowd=crowd,
                memory_mb=host.config.memory_mb // crowd,
            )

        return await handle.choose(state, limit)

    def _turn_began(self, mirror: RoomMirror) -> float:
        """Return when the current position of `mirror` arrived, in monotonic seconds."""
        position = _position(mirror)
        if position != self._position:
            self._position = position
            self._since = time.monotonic()
        return self._since

    async def _pause(self, state: State, action: int, since: float) -> None:
        """Pause before `action` is played in `state`, as `RunnerConfig.pause` says."""
        pause, mirror = self._host.config.pause, self.mirror
        if pause is None or mirror is None or not self._host.client.connected:
            return
        if mirror.state.ply != state.ply:
            return
        moment = moment_before(mirror, state, action, now=time.monotonic(), since=since)
        seconds = pause.before(moment, self._pause_rng)
        if seconds > 0:
            self._skip_pause.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._skip_pause.wait()

    def _stand_in(self, state: State) -> Choice:
        """Return the choice of a stand-in; this takes a millisecond at most."""
        for name in STAND_INS:
            bot = make_bot(name, self._rng)
            if bot.plays(state.game):
                return bot.choose(state, Limit(), NeverStop())
        raise AssertionError("the bot random plays every game")

    async def _report_failure(self, match: int, ply: int, failure: Exception) -> None:
        try:
            kind = failure.kind if isinstance(failure, BotFailed) else "raised"
            output = "\n".join(getattr(failure, "trace", "").splitlines()[-_LAST_LINES:])
            await self._host.client.crash(
                self._room, match, ply, str(failure), _TERMINATIONS[kind], output
            )
        except RequestRefused as refused:
            log.info("Room %s did not take the crash: %s", self._room, refused.sentence)

    def _log_failure(self, mirror: RoomMirror, ply: int, failure: Exception) -> None:
        then = "the match is lost" if mirror.strict else "a stand-in moves in its place"
        log.warning("Room %s, ply %d: %s; %s.", self._room, ply, str(failure).rstrip("."), then)
        trace = getattr(failure, "trace", "")
        if trace:
            new = self._host.is_new_trace(trace)
            log.log(logging.WARNING if new else logging.INFO, "%s", trace.rstrip())

    def _played(self, task: asyncio.Task[None]) -> None:
        if task is self._task:
            self._task = None
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self.update()
        elif isinstance(error, PoolClosed | ConnectionEnded):
            log.debug("Room %s: %s", self._room, error)
        elif isinstance(error, TimeoutError | RequestRefused):
            log.warning("Room %s: %s", self._room, error)
            asyncio.get_running_loop().call_later(_RETRY_S, self.update)
        else:
            log.error("Room %s: unexpected error in the runner.", self._room, exc_info=error)

    # -- results and cleaning up -------------------------------------------------------------

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
        if self._match.pondering is not None:
            self._match.pondering.update(None)
        if self._match.handle is not None:
            self._match.handle.close()
            self._match.handle = None


def _position(mirror: RoomMirror) -> tuple[int, int, int]:
    """Return what names the room's position: the match, the ply and the number of takebacks."""
    return mirror.match, mirror.state.ply, mirror.takebacks
