"""Get the bot of a runner ready for the games that begin, before their clocks run."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass

from doublecross.bots.api import Bot, BotError
from doublecross.bots.errors import PoolClosed
from doublecross.bots.registry import BotSpec, bot_class, player_name_of
from doublecross.bots.runner.config import Engine
from doublecross.bots.runner.core.ranges import GameRange, objection
from doublecross.bots.workers.pool import WorkerPool
from doublecross.games.api import Game
from doublecross.games.registry import GAMES, make_game
from doublecross.protocol.common import EngineInfo, MatchSettings


@dataclass(frozen=True, slots=True)
class PlayedBot:
    """The bots of a runner, whose specs have no seed, and the seed of its matches.

    `game` is a game that it gets ready for, None if that is not known before. `allowed` has the
    games that it may play (empty: all).
    """

    engines: tuple[Engine, ...]
    seed: int
    game: Game | None = None
    allowed: tuple[GameRange, ...] = ()

    def plays(self, game: Game) -> bool:
        """Return whether one of the bots plays `game`."""
        return any(self._plays(engine, game) for engine in self.engines)

    def spec_for(self, game: Game) -> BotSpec:
        """Return the bot that plays `game`: the first that should, or else the first that can.

        A game that began before the settings changed may need the latter.
        """
        for engine in self.engines:
            if self._plays(engine, game):
                return engine.spec
        able = (each.spec for each in self.engines if bot_class(each.spec.name).plays(game))
        return next(able, self.engines[0].spec)

    def info(self) -> EngineInfo:
        """Return the names and versions of the bots for other players."""
        specs = [engine.spec for engine in self.engines]
        return EngineInfo(
            name="+".join(player_name_of(spec.name) for spec in specs)[:64],
            version="+".join(bot_class(spec.name).version for spec in specs)[:64],
        )

    def needs_time(self) -> bool:
        """Return whether one of the bots has to get ready for a game."""
        kinds = (bot_class(engine.spec.name) for engine in self.engines)
        return any(kind.get_ready is not Bot.get_ready for kind in kinds)

    def first_game(self) -> Game | None:
        """Return the game to get ready for: a known one, or the first that a bot plays."""
        if self.game is not None:
            return self.game
        named = [game for engine in self.engines for each in engine.games for game in each.games()]
        games = (*named, *(make() for make in GAMES.values()))
        return next(
            (g for g in games if self.plays(g) and objection(self.allowed, g) is None), None
        )

    @staticmethod
    def _plays(engine: Engine, game: Game) -> bool:
        return objection(engine.games, game) is None and bot_class(engine.spec.name).plays(game)

    async def get_ready(self, pool: WorkerPool, game: Game | None = None) -> None:
        """Make the bot in every worker, so that imports and compilation use no time of a game.

        Without `game` it is the first one.

        Raises:
            BotError: the bot cannot be made, or cannot play the game.
        """
        game = game or self.first_game()
        if game is not None:
            opening = [pool.open_game(self.spec_for(game), game, 0) for _ in range(pool.workers)]
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
        self._needed = bot.needs_time()
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
            await self._pool.recover(self._bot.spec_for(game), game)

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
