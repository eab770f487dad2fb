"""Games between ordinary clients, which write down every move that the server acknowledged.

The clients are those of the program (`doublecross.client.transport`): they reconnect, and repeat
what got no answer. `Ledger.check` compares their notes with what the server has stored in the end.
"""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random
from typing import Final, TypeVar

from doublecross.client.core.errors import ConnectionEnded, RequestRefused
from doublecross.client.core.room import RoomMirror
from doublecross.client.options import Login, Memory, Waiting
from doublecross.client.transport import Client
from doublecross.games.record import parse_record
from doublecross.games.registry import make_game
from doublecross.protocol.common import DAY_MS, MatchSettings, TimeControl
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import MatchFinished, MoveMade, RoomEvent

T = TypeVar("T")

SETTINGS: Final = MatchSettings(
    game="dots-and-boxes", params={"rows": 2, "cols": 2}, time=TimeControl(base_ms=600_000)
)
PATIENCE_S: Final = 45.0
"""The most seconds for one step of a game, with all the harm that comes between."""
MOST_MATCHES: Final = 40
"""After so many matches the players open another room; the server allows 50 in one."""
PASSING: Final = frozenset({ErrorCode.STORAGE_FAILED, ErrorCode.RATE_LIMITED})
"""Refusals after which the same request may succeed."""


class Ledger:
    """The moves that the server acknowledged, by game and ply, and the games that have ended.

    Players repeat requests that were refused with a code in `passing`.
    """

    def __init__(self, passing: Collection[ErrorCode] = PASSING) -> None:
        self.passing = passing
        self.moves: dict[tuple[str, int], int] = {}
        self.finished: dict[str, tuple[int, ...]] = {}
        """All actions of the finished games."""
        self.refused: Counter[str] = Counter()

    def forget(self, game: str, ply: int, until: int) -> None:
        """Forget the moves from `ply` on, which were taken back; there were `until` moves."""
        for each in range(ply, until):
            del self.moves[game, each]

    def note(self, game: str, ply: int, action: int) -> None:
        """Write down an acknowledged move, which may be acknowledged more than once."""
        assert self.moves.setdefault((game, ply), action) == action, (game, ply)

    def check(self, database: Path) -> None:
        """Compare with the records in the database of a server that has ended."""
        with closing(sqlite3.connect(database)) as stored:
            found = dict(stored.execute("SELECT game_id, record FROM games"))
        for game, actions in self.finished.items():
            record = parse_record(found[game])
            assert record.termination == "completed"
            assert tuple(move.action for move in record.moves) == actions
            for ply, action in enumerate(actions):
                assert self.moves[game, ply] == action


class Player:
    """A person who opens another client when the server says that another one has taken over."""

    def __init__(self, url: str, name: str, rng: Random, silence_s: float) -> None:
        self._url = url
        self._rng = rng
        self._silence_s = silence_s
        self._tokens: list[str] = []
        self.replaced = 0
        """How many connections the player has given up for a later one."""
        self.client = self._make(name=name)

    async def start(self) -> None:
        await self.client.start(patience_s=PATIENCE_S)

    async def close(self) -> None:
        await self.client.close()

    def mirror(self, room: str) -> RoomMirror | None:
        """Return the room as the client sees it; a new client asks for it first."""
        return self.client.session.rooms.get(room)

    async def connect_again(self) -> None:
        """Open a second connection beside the first one, go on with it, and close the first one."""
        first, self.client = self.client, self._make(token=self._tokens[-1])
        await self.client.start(patience_s=PATIENCE_S)
        assert first.ended is None, first.ended
        self.replaced += 1
        await first.close()

    async def ask(self, request: Callable[[Client], Awaitable[T]], ledger: Ledger) -> T:
        """Repeat a request until the server can store it, and after it went to a former client."""
        while True:
            client = self.client
            try:
                return await request(client)
            except ConnectionEnded:
                if client is self.client:
                    raise
            except RequestRefused as refused:
                ledger.refused[refused.code] += 1
                if refused.code not in ledger.passing:
                    raise
                await asyncio.sleep(0.1)

    def _make(self, name: str | None = None, token: str | None = None) -> Client:
        return Client(
            self._url,
            Login("human", name=name, token=token, takebacks=True),
            rng=Random(self._rng.random()),
            memory=Memory(on_token=self._tokens.append),
            waiting=Waiting(silence_s=self._silence_s),
        )


class Room:
    """Two players of random games in one room.

    With the probability `twice` they send a move twice, and with `again` they open a second
    connection beside it. With `back` the last move is taken back, so that its ply is played again.
    """

    settings = SETTINGS

    def __init__(
        self,
        pair: tuple[Player, Player],
        ledger: Ledger,
        rng: Random,
        twice: float = 0.0,
        again: float = 0.0,
        back: float = 0.0,
    ) -> None:
        self._back = back
        self._pair = pair
        self._ledger = ledger
        self._rng = rng
        self._twice = twice
        self._again = again
        self.name = ""
        self.moves = 0
        """How many moves were acknowledged."""

    async def open(self) -> None:
        """Open the room and take both seats."""
        first, second = self._pair
        state = await first.ask(
            lambda client: client.create_room(self.settings, seat=0), self._ledger
        )
        self.name = state.room
        await second.ask(lambda client: client.join(self.name), self._ledger)

    async def play(
        self, matches: int, pause_s: float = 0.0, enough: Callable[[], bool] = lambda: True
    ) -> None:
        """Play so many matches, and then further ones until there are enough.

        `pause_s` is the mean time before a move.
        """
        for number in itertools.count():
            if number >= matches and enough():
                return
            match = number % MOST_MATCHES + 1
            if match > 1:
                for player in self._pair:
                    await self._offer(player, match)
            elif number:
                await self.open()
            await self._both(_match_is(match))
            await self._play_match(match, pause_s)

    async def _play_match(self, match: int, pause_s: float) -> None:
        state = make_game(SETTINGS.game, SETTINGS.params).initial_state()
        game = f"{self.name}-{match}"
        takebacks = 0
        await self._go(*self._pair)
        while not state.is_terminal():
            await asyncio.sleep(pause_s * 2 * self._rng.random())
            mover = self._pair[(state.current_player() + match - 1) % 2]
            await self._come(mover)
            action = self._rng.choice(state.legal_actions())
            copies = 2 if self._rng.random() < self._twice else 1
            async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as group:
                moves = [
                    group.create_task(self._move(mover, match, state.ply, action, takebacks))
                    for _ in range(copies)
                ]
                if self._rng.random() < self._again:
                    group.create_task(mover.connect_again())
            answers = [move.result() for move in moves]
            assert all((a.ply, a.action) == (state.ply, action) for a in answers), answers
            self._ledger.note(game, state.ply, action)
            self.moves += 1
            state.apply(action)
            if not state.is_terminal() and self._rng.random() < self._back:
                seat = self._pair.index(mover)
                async with asyncio.timeout(PATIENCE_S):
                    await self._take_back(
                        (mover, self._pair[1 - seat]), match, state.ply - 1, takebacks
                    )
                takebacks += 1
                state.undo()
                self._ledger.forget(game, state.ply, state.ply + 1)
            if not state.is_terminal():
                await self._go(mover)
        await self._come(*self._pair)
        await self._both(lambda mirror: mirror.status == "finished")
        for player in self._pair:
            mirror = player.mirror(self.name)
            assert mirror is not None
            assert mirror.state.history() == state.history()
            assert mirror.result is not None
            assert mirror.result.termination == "completed"
        self._ledger.finished[game] = state.history()

    async def _come(self, *players: Player) -> None:
        """Let players look at the room who do not."""

    async def _go(self, *players: Player) -> None:
        """Let players look away, if they play so."""

    async def _take_back(
        self, players: tuple[Player, Player], match: int, ply: int, takebacks: int
    ) -> None:
        """Let the first player ask to return to `ply`, and the second one agree."""
        asker, other = players
        key = (self.name, match, ply, takebacks)

        async def ask(client: Client) -> RoomEvent:
            while True:
                try:
                    return await client.ask_takeback(*key)
                except RequestRefused as refused:
                    # After a restart the other player may not be back yet.
                    if "is away" not in refused.sentence:
                        raise
                await asyncio.sleep(0.02)

        await asker.ask(ask, self._ledger)
        await other.ask(lambda client: client.answer_takeback(*key, True), self._ledger)

    async def _move(
        self, mover: Player, match: int, ply: int, action: int, takebacks: int
    ) -> MoveMade:
        answer = await mover.ask(
            lambda client: client.move(
                self.name, action, match=match, ply=ply, takebacks=takebacks
            ),
            self._ledger,
        )
        assert not isinstance(answer, MatchFinished), answer.termination
        return answer

    async def _offer(self, player: Player, match: int) -> None:
        """Offer a rematch; a repeated offer is refused, because the first one arrived."""
        mirror = player.mirror(self.name)
        if mirror is not None and mirror.match == match:
            return
        try:
            await player.ask(lambda client: client.rematch(self.name), self._ledger)
        except RequestRefused as refused:
            if refused.code != ErrorCode.WRONG_STATE:
                raise

    async def _both(self, reached: Callable[[RoomMirror], bool]) -> None:
        """Wait until both players see it."""
        async with asyncio.timeout(PATIENCE_S):
            for player in self._pair:
                # A mirror has no event for every condition.
                while (  # noqa: ASYNC110
                    mirror := player.mirror(self.name)
                ) is None or not reached(mirror):
                    await asyncio.sleep(0.005)


class DaysRoom(Room):
    """Two players of correspondence games, who look at the room only to move."""

    settings = SETTINGS.model_copy(update={"time": TimeControl(move_ms=DAY_MS)})

    async def _come(self, *players: Player) -> None:
        for player in players:
            await player.ask(lambda client: client.watch(self.name), self._ledger)

    async def _go(self, *players: Player) -> None:
        for player in players:
            await player.ask(lambda client: client.leave(self.name), self._ledger)


@asynccontextmanager
async def players(
    url: str, names: list[str], rng: Random, silence_s: float = 20.0
) -> AsyncIterator[list[Player]]:
    """Log in players of these names, and log them out at the end."""
    found = [Player(url, name, rng, silence_s) for name in names]
    try:
        await asyncio.gather(*(player.start() for player in found))
        yield found
    finally:
        await asyncio.gather(*(player.close() for player in found))


def _match_is(number: int) -> Callable[[RoomMirror], bool]:
    return lambda mirror: mirror.match == number
