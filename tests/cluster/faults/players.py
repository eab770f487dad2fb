"""The players of the fault programs: pairs, quick matches and a tournament, all without pause.

They are clients of the product, which connect again whatever breaks and replay every room by the
rules. The book hears what they hear. What a client should never hear counts as a violation.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
import traceback
from collections.abc import Callable, Coroutine, Mapping, Sequence, Set
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from doublecross.client.core.address import Addresses
from doublecross.client.core.errors import RequestRefused
from doublecross.client.core.room import RoomMirror
from doublecross.client.core.updates import RoomLost, Update
from doublecross.client.options import Login, Waiting
from doublecross.client.transport import Client
from doublecross.protocol.client_messages import Request, Resume
from doublecross.protocol.common import (
    DAY_MS,
    EngineInfo,
    MatchSettings,
    TimeControl,
    TournamentTerms,
)
from doublecross.protocol.server_messages import (
    MoveMade,
    RoomEvent,
    RoomState,
    ServerMessage,
)
from tests.cluster.faults.book import Book

SILENCE_S: Final = 2.0
"""How long a node may say nothing before a player tries the next one."""
START_S: Final = 120.0
LOOK_S: Final = 0.05
CASUAL: Final = MatchSettings(game="dots-and-boxes", params={"rows": 3, "cols": 3})
RATED: Final = CASUAL.model_copy(update={"rated": True})
DAYS: Final = CASUAL.model_copy(update={"time": TimeControl(move_ms=DAY_MS)})
SOUGHT: Final = CASUAL.model_copy(update={"params": {"rows": 2, "cols": 2}})
TERMS: Final = TournamentTerms(
    name="Faults",
    format="round-robin",
    settings=SOUGHT.model_copy(update={"rated": True}),
    seed=7,
    patience=1000,
)
IN_PLAY: Final = ("waiting", "playing")


class Player(Client):
    """A client that tells the book what it hears; `seated` gets each room with a seat for it."""

    def __init__(
        self,
        name: str,
        urls: Sequence[str],
        book: Book,
        rng: Random,
        seated: Callable[[str], None],
        *,
        bot: bool = True,
    ) -> None:
        engine = EngineInfo(name="faults", version="1") if bot else None
        super().__init__(
            ",".join(urls),
            Login("bot" if bot else "human", name=name, engine=engine),
            rng=rng,
            waiting=Waiting(connect_s=SILENCE_S, silence_s=SILENCE_S),
        )
        self.name = name
        self.rooms: set[str] = set()
        """All rooms that it has ever followed."""
        self.over: set[str] = set()
        """Those of them in which it has seen the end of the match."""
        self._urls = urls
        self._book = book
        self._seated = seated
        self._receive = self.session.receive
        self.session.receive = self.hear  # type: ignore[method-assign]

    def hear(
        self, message: ServerMessage, now: float, request: Request | None = None
    ) -> list[Update]:
        """Compare a message with all that came before, and apply it."""
        room = str(getattr(message, "room", None) or getattr(request, "room", ""))
        mirror, asked = self.session.rooms.get(room), self.session._rooms._resyncing
        plays, asked_before = mirror is not None and mirror.status in IN_PLAY, asked.get(room)
        if isinstance(message, RoomEvent):
            self._hear_event(message, mirror, resumes=room in asked)
        elif isinstance(message, RoomState):
            self._hear_state(message, mirror)
        updates = self._receive(message, now, request)
        if plays and any(isinstance(update, RoomLost) for update in updates):
            self._blame(f"cannot follow {room} any more: {message}")
        if mirror is not None and asked.get(room) == 0 != asked_before:
            self._blame(f"knows {mirror.seq} events of {room}, which contradict this: {message}")
        mirror = self.session.rooms.get(room)
        if mirror is not None and mirror.status not in IN_PLAY:
            self.over.add(room)
        if mirror is not None and room not in self.rooms:
            self.rooms.add(room)
            if mirror.seat is not None:
                self._seated(room)
        return updates

    def _hear_event(self, event: RoomEvent, mirror: RoomMirror | None, *, resumes: bool) -> None:
        self._book.told(self.name, event)
        if event.room not in self.rooms:
            self._blame(f"got an event of a room that it does not follow: {event}")
        elif mirror is not None and event.seq <= mirror.seq and event.id is None and not resumes:
            self._blame(f"knows {mirror.seq} events and got again: {event}")

    def _hear_state(self, state: RoomState, mirror: RoomMirror | None) -> None:
        known = 0 if mirror is None else mirror.seq
        for event in state.events or ():
            self._book.told(self.name, event)
            if event.seq > known + 1:
                self._blame(f"resumed {state.room} at {known} and got {event}")
            known = max(known, event.seq)
        if (snapshot := state.snapshot) is None:
            return
        self._book.shown(state.room, snapshot)
        if any(p and p.name == self.name for p in snapshot.players) != (state.seat is not None):
            self._blame(f"is shown a room as if it were somebody else: {state}")
        if mirror is not None:
            moves = mirror.state.history()
            if (
                snapshot.seq < mirror.seq
                or snapshot.match < mirror.match
                or (snapshot.match == mirror.match and snapshot.moves[: len(moves)] != moves)
            ):
                self._blame(
                    f"knew {moves} of {state.room} at {mirror.seq} and was shown {snapshot}"
                )

    def _blame(self, sentence: str) -> None:
        self._book.blame(f"{self.name} {sentence}")

    def come_home(self) -> None:
        """Learn the addresses, and connect to the first one again.

        A proxy there may lead to another node.
        """
        is_away = self.url != self._urls[0] or len(self._urls) == 1
        # Hosts move to others. Who keeps the old ones finds no host in the end.
        self._addresses = Addresses(",".join(self._urls), self._rng)
        if is_away and self._connection is not None:
            # After a loss the current one is tried last.
            del self._addresses._order[1:]
            self._connection.abort()

    async def arrive(self) -> None:
        """Wait until the first address has answered. A player on the way there knows no other."""
        await self.until(lambda: len(self._addresses) == len(self._urls))

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until something is so, or raise what has ended the connection for good."""
        while not condition():
            if self.ended is not None:
                raise self.ended
            await asyncio.sleep(LOOK_S)

    def in_play(self, room: str) -> RoomMirror | None:
        """Return a room that this player follows and whose match is not over."""
        mirror = self.session.rooms.get(room)
        return mirror if mirror is not None and mirror.status in IN_PLAY else None

    async def see_end(self, room: str) -> None:
        """Wait until a match is over."""
        await self.until(lambda: room in self.over)

    def __str__(self) -> str:
        rooms = {m.room: (m.status, m.seq, m.to_move) for m in self.session.rooms.values()}
        asked = [str(pending.request) for pending in self._queue.pending.values()]
        return f"{self.name} at {self.url} knows {rooms} and asks {asked}"


@dataclass
class Pace:
    """The pace of a match in play."""

    answered: float
    """When the last move was answered."""
    sent: float = 0.0
    """When the last answered move was sent."""
    longest: float = 0.0
    """The longest time without an answer, in seconds, which contains the players' thinking."""
    is_over: bool = False


class Load:
    """All players, and what they do."""

    def __init__(self, ways: Sequence[Sequence[str]], seed: int, pause_s: float) -> None:
        self.book = Book()
        self.players: list[Player] = []
        self.tournaments: dict[str, int] = {}
        """How many games each tournament has that has ended."""
        self.ending = False
        """Whether no new game begins."""
        self._paces: dict[str, Pace] = {}
        self._ways = ways
        self._rng = Random(seed)
        self._pause_s = pause_s
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, pairs: int, seekers: int, entrants: int) -> None:
        """Let pairs play, some players seek quick matches, and some play tournaments.

        Return when everybody is connected and plays.
        """
        couples = [(self._player(f"one{n}"), self._player(f"other{n}")) for n in range(pairs)]
        seeking = [self._player(f"seeker{number}") for number in range(seekers)]
        bots = [self._player(f"entrant{number}") for number in range(entrants)]
        self._watcher = self._player("watcher", bot=False)
        await asyncio.gather(*(player.start(patience_s=START_S) for player in self.players))
        for number, (one, other) in enumerate(couples):
            self._do(self._pair(one, other, (CASUAL, RATED, DAYS)[number % 3]))
        for player in seeking:
            self._do(self._seek(player))
        self._do(self._tournament(self._watcher, bots))
        async with asyncio.timeout(START_S):
            await self._watcher.until(lambda: len(self._paces) >= pairs)

    def _player(self, name: str, *, bot: bool = True) -> Player:
        """Add a player, who has the next list of addresses."""
        urls = self._ways[len(self.players) % len(self._ways)]

        def seated(room: str) -> None:
            self._do(self._play(player, room))

        player = Player(name, urls, self.book, Random(self._rng.random()), seated, bot=bot)
        self.players.append(player)
        return player

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            where = traceback.extract_tb(error.__traceback__)[0]
            self.book.blame(f"A player has given up at {where.line}: {error!r}")

    async def ratings(self) -> Mapping[str, int]:
        """Return how many games the rating of each player in the lobby counts."""
        await self._watcher.follow_lobby()
        lobby = self._watcher.session.lobby
        assert lobby is not None
        return {rating.player: rating.games for rating in lobby.ratings.values()}

    async def _pair(self, one: Player, other: Player, settings: MatchSettings) -> None:
        while not self.ending:
            room = (await one.create_room(settings)).room
            await other.join(room)
            await self._end(room, one, other)

    async def _seek(self, player: Player) -> None:
        while not self.ending:
            await self._quick_match(player, player.rooms.copy())

    async def _quick_match(self, player: Player, before: Set[str]) -> None:
        await player.offers.quick_match(SOUGHT)
        await player.until(
            lambda: player.rooms - before or not player.session.offers or self.ending
        )
        for seek in list(player.session.offers):
            with contextlib.suppress(RequestRefused):
                await player.offers.cancel_seek(seek)
        found = player.rooms - before
        if len(found) > 1:
            self.book.blame(f"{player.name} asked for one quick match, and got {found}.")
        for room in found:
            await self._end(room, player)

    async def _end(self, room: str, *players: Player) -> None:
        """Wait for the end of a match, and let its players leave the room."""
        for player in players:
            await player.see_end(room)
        for player in players:
            with contextlib.suppress(RequestRefused):  # it has been closed
                await player.leave(room)

    async def _tournament(self, organiser: Player, bots: Sequence[Player]) -> None:
        """Let some players play one round robin after another."""
        while bots and not self.ending:
            name = (await organiser.tournaments.create(TERMS)).tournament
            for bot in bots:
                await bot.tournaments.join(name, at_once=2)
            # When the answer was lost, it has begun already.
            with contextlib.suppress(RequestRefused):
                await organiser.tournaments.start(name)
            state = await organiser.tournaments.get(name)
            while state.status == "running":
                await asyncio.sleep(0.3)
                state = await organiser.tournaments.get(name)
            self.tournaments[name] = planned = len(bots) * (len(bots) - 1)
            if (state.status, state.games_played) != ("finished", planned):
                self.book.blame(f"The tournament has ended early: {state}")

    async def _play(self, player: Player, room: str) -> None:
        """Make this player's moves in a room until its match is over."""
        updates = player.updates()
        while (mirror := player.in_play(room)) is not None:
            if mirror.status == "playing" and room not in self._paces:
                self._paces[room] = Pace(time.monotonic())
            if mirror.my_turn:
                await self._move(player, mirror)
            elif mirror.status == "playing" and mirror.settings.time.move_ms:
                await self._look_away(player, room)
            else:
                await anext(updates)
        if room in self._paces:
            self._paces[room].is_over = True

    async def _think(self) -> None:
        await asyncio.sleep(self._pause_s * 2 * self._rng.random())

    async def _move(self, player: Player, mirror: RoomMirror) -> None:
        room, match, ply = mirror.room, mirror.match, mirror.state.ply
        action = self._rng.choice(mirror.state.legal_actions())
        await self._think()
        now = player.in_play(room)
        if now is None or not now.my_turn or now.state.ply != ply:
            return
        sent = time.monotonic()
        answer = await player.move(room, action, match=match, ply=ply)
        if not isinstance(answer, MoveMade):
            self.book.blame(f"{player.name} moved, and was answered {answer}")
            return
        self.book.acknowledged(room, match, ply, action, answer)
        if (pace := self._paces.get(room)) is not None:
            answered = time.monotonic()
            pace.longest = max(pace.longest, answered - pace.answered)
            pace.sent, pace.answered = sent, answered

    async def _look_away(self, player: Player, room: str) -> None:
        """Leave a room, so that its match may sleep, and look at it again after a while."""
        await player.leave(room)
        await self._think()
        try:
            await player.request(lambda i: Resume(id=i, room=room, seq=0))
        except RequestRefused:
            # A new connection may have shown it already, with the end of the match.
            if room not in player.over:
                raise

    # -- what a test waits for -----------------------------------------------------------------

    async def spread(self, patience_s: float) -> None:
        """Let the players use all nodes again, for a node that was away has none."""
        for player in self.players:
            player.come_home()
        await self.all_go_on(patience_s)
        for player in self.players:
            try:
                await asyncio.wait_for(player.arrive(), patience_s)
            except TimeoutError:
                self.book.blame(f"{player} cannot connect.")

    def begin(self) -> None:
        """Measure from now on how long games wait."""
        now = time.monotonic()
        for room, pace in list(self._paces.items()):
            if pace.is_over:
                del self._paces[room]
            else:
                pace.answered, pace.longest = now, 0.0

    async def all_go_on(self, patience_s: float) -> list[float]:
        """Wait until each match in play has an answered move that is sent from now on.

        Return for each the longest time without an answer since `begin`, in seconds.
        """
        since = time.monotonic()
        missing = dict(self._paces)
        while missing:
            missing = {r: p for r, p in missing.items() if not p.is_over and p.sent < since}
            if missing and time.monotonic() > since + patience_s:
                for room in missing:
                    of_room = [str(each) for each in self.players if room in each.rooms]
                    self.book.blame(f"No move was answered in {room}: {of_room}")
                break
            await asyncio.sleep(0.02)
        return [pace.longest for pace in self._paces.values()]

    async def finish(self, patience_s: float = 90.0) -> None:
        """Let all games in play end, and begin no new ones."""
        self.ending = True
        try:
            async with asyncio.timeout(patience_s):
                while self._tasks:
                    await asyncio.wait(set(self._tasks))
        except TimeoutError:
            waiting = [str(task.get_coro()) for task in self._tasks]
            self.book.blame(f"Games do not end: {waiting}, {list(map(str, self.players))}")

    async def close(self) -> None:
        """Let all players go."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(player.close() for player in self.players))
