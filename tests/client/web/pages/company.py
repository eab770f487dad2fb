"""Players on a real server that fill its database: they play random moves, also in tournaments."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from random import Random
from typing import Final

from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.protocol.common import EngineInfo, MatchSettings, TimeControl, TournamentTerms
from tests.bots.running import until

SMALL: Final = MatchSettings(
    game="dots-and-boxes",
    params={"rows": 2, "cols": 2},
    time=TimeControl(base_ms=300_000, increment_ms=2000),
    rated=True,
)


class Player:
    """Plays random moves in all its rooms; `hold` makes it wait before the next one."""

    def __init__(self, client: Client, seed: int) -> None:
        self.client = client
        self.go = asyncio.Event()
        self.go.set()
        self._rng = Random(seed)
        self._task = asyncio.create_task(self._play())

    @property
    def name(self) -> str:
        """The name on the server."""
        assert self.client.session.player is not None
        return self.client.session.player.name

    def hold(self) -> None:
        """Play no further move."""
        self.go.clear()

    def release(self) -> None:
        """Play on."""
        self.go.set()

    async def close(self) -> None:
        """Stop playing."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _play(self) -> None:
        feed = self.client.updates()
        while True:
            for room in [*self.client.session.rooms.values()]:
                while room.my_turn:
                    await self.go.wait()
                    if not room.my_turn:
                        break
                    actions = room.state.legal_actions()
                    await self.client.move(room.room, self._rng.choice(actions))
            await anext(feed)


@contextlib.asynccontextmanager
async def company(
    url: str, names: Sequence[str], *, bots: bool = False
) -> AsyncIterator[list[Player]]:
    """Run players with these names."""
    async with contextlib.AsyncExitStack() as stack:
        players = []
        for number, name in enumerate(names):
            engine = EngineInfo(name="dice", version="1") if bots else None
            kind = "bot" if bots else "human"
            client = Client(url, Login(kind, name=name, engine=engine), rng=Random(number))  # type: ignore[arg-type]
            await stack.enter_async_context(client)
            player = Player(client, number)
            stack.push_async_callback(player.close)
            players.append(player)
        yield players


async def play_game(
    first: Player, second: Player, settings: MatchSettings = SMALL, *, private: bool = False
) -> tuple[str, str]:
    """Let two players play a game; return its id, and the code of its room (empty: public)."""
    made = await first.client.create_room(settings, seat=0, private=private)
    room = first.client.session.rooms[made.room]
    await second.client.join(made.room, code=made.code)
    await until(lambda: room.result is not None)
    assert room.result is not None
    found = room.result.game_id
    for player in (first, second):
        await until(lambda player=player: player.client.session.rooms[made.room].result is not None)  # type: ignore[misc]
        await player.client.leave(made.room)
    return found, made.code or ""


async def tournament_of(
    organiser: Client, players: Sequence[Player], *, start: bool = True, **terms: object
) -> str:
    """Create a tournament, let the players join, and start it; return its id."""
    given = {"name": "Spring cup", "format": "round-robin", "settings": SMALL, "people": True}
    state = await organiser.tournaments.create(TournamentTerms.model_validate(given | terms))
    for player in players:
        await player.client.tournaments.join(state.tournament)
    if start:
        await organiser.tournaments.start(state.tournament)
    return state.tournament
