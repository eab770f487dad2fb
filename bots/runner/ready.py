"""Get the bot of a runner ready for the games that begin, before their clocks run."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass

from doublecross.bots.api import Bot, BotError
from doublecross.bots.errors import PoolClosed
from doublecross.bots.registry import BotSpec
from doublecross.bots.workers.pool import WorkerPool
from doublecross.games.api import Game
from doublecross.games.registry import GAMES, make_game
from doublecross.protocol.common import MatchSettings


@dataclass(frozen=True, slots=True)
class PlayedBot:
    """The bot of a runner: its spec without the seed, its class, and the seed of its matches.

    `game` is a game that it gets ready for, None if that is not known before. `allowed` has the
    keys of the games that it may play (None: all).
    """

    spec: BotSpec
    kind: type[Bot]
    seed: int
    game: Game | None = None
    allowed: frozenset[str] | None = None

    def first_game(self) -> Game | None:
        """Return the game to get ready for: a known one, or the first that the bot plays."""
        if self.game is not None:
            return self.game
        games = (make() for key, make in GAMES.items() if not self.allowed or key in self.allowed)
        return next((game for game in games if self.kind.plays(game)), None)

    async def get_ready(self, pool: WorkerPool, game: Game | None = None) -> None:
        """Make the bot in every worker, so that imports and compilation use no time of a game.

        Without `game` it is the first one.

        Raises:
            BotError: the bot cannot be made, or cannot play the game.
        """
        game = game or self.first_game()
        if game is not None:
            opening = [pool.open_game(self.spec, game, 0) for _ in range(pool.workers)]
            for handle in await asyncio.gather(*opening):
                handle.close()


class Readiness:
    """Gets `bot` ready in the workers of `pool` for each game and size that it meets.

    `playing` returns how many games are being played.
    """

    def __init__(self, bot: PlayedBot, pool: WorkerPool, playing: Callable[[], int]) -> None:
        self._bot = bot
        self._pool = pool
        self._playing = playing
        # Most bots need no time, so these never make a bot only to get ready.
        self._needed = bot.kind.get_ready is not Bot.get_ready
        first = bot.first_game()
        self._ready = set() if first is None else {(first.key, first.size)}
        self._one_at_a_time = asyncio.Lock()

    async def for_tournament(self, game: Game) -> None:
        """Make the bot once in every worker for `game`.

        Raises:
            BotError: the bot cannot be made, or cannot play the game.
        """
        await self._bot.get_ready(self._pool, game)
        self._ready.add((game.key, game.size))

    async def for_match(self, settings: MatchSettings) -> None:
        """Wait until the workers can think at once; a game that begins must not wait for them.

        A bot that hung in its last game still occupies its worker for a while. A board of a new
        size may need a compiler for half a minute. The settings must be of a valid game.
        """
        game = make_game(settings.game, settings.params)
        # The game that begins will report a bot that cannot be made any more.
        with contextlib.suppress(BotError, PoolClosed):
            await self._meet(game)
            await self._pool.recover(self._bot.spec, game)

    async def _meet(self, game: Game) -> None:
        """Get ready for `game` if that is new."""
        if not self._needed:
            return
        async with self._one_at_a_time:
            if (game.key, game.size) in self._ready:
                return
            if self._playing():
                # Games in the same worker would wait for the compiler while their clocks run. What
                # another process has compiled takes the workers only a moment to load.
                async with WorkerPool(1) as spare:
                    await self._bot.get_ready(spare, game)
            await self._bot.get_ready(self._pool, game)
            self._ready.add((game.key, game.size))
