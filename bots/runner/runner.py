"""The runner: one bot as a player on a server, playing many games at once.

Theory of operation
-------------------
The runner makes the bot once in every worker, finds a free name, connects, and hands over to a
`ServerVisit`, which plays.

The first request to stop ends the taking of new games, and the runner waits for those that are
being played; the second one, or the end of the grace, ends it at once. A game that is left that
way goes on when the bot comes back: its token is kept.
"""

from __future__ import annotations

import asyncio
from random import SystemRandom

from bots.registry import bot_class
from bots.runner.config import RunnerConfig, RunnerReport
from bots.runner.identity import connect
from bots.runner.tasks import StopRequests, finished, on_signals
from bots.runner.visit import PlayedBot, ServerVisit
from bots.workers.pool import WorkerPool
from client.transport import Client
from games.registry import GAMES
from protocol.common import Engine


class Runner:
    """Runs one bot; `run` once. `stop` may be called from signal handlers of the event loop.

    `client` is None until there is a connection.

    Raises:
        BotError: there is no such bot, or not with these options.
    """

    def __init__(self, config: RunnerConfig) -> None:
        seed, spec = config.spec.without_seed()
        if config.seed is not None:
            seed = config.seed
        self.client: Client | None = None
        self.report = RunnerReport()
        self._config = config
        self._rng = SystemRandom()
        self._bot = PlayedBot(
            spec, bot_class(spec.name), self._rng.getrandbits(64) if seed is None else seed
        )
        self._bot.kind.check_options(spec.options)
        self._stopping = StopRequests()

    def stop(self) -> None:
        """Take no new games and end after those that are being played; again: end at once."""
        self._stopping.ask()

    async def run(self) -> RunnerReport:
        """Join the server and play until there is nothing more to do.

        Raises:
            BotError: the bot cannot be made.
            RunnerError: no name is available, or the plan cannot be carried out.
            ClientError: the server is not there, refuses, or has ended the connection for good.
            ValueError: the address or the name is malformed.
        """
        config, bot, stopping = self._config, self._bot, self._stopping
        name = bot.kind.name if ":" in bot.spec.name else bot.spec.name
        engine = Engine(name=name[:64], version=bot.kind.version[:64])
        with on_signals(self.stop if config.signals else None):
            async with WorkerPool(config.workers) as pool:
                if not await finished(asyncio.ensure_future(self._warm_up(pool)), stopping.no_more):
                    return self.report
                connecting = asyncio.ensure_future(connect(config, engine, self._rng))
                if not await finished(connecting, stopping.no_more):
                    return self.report
                self.client, token = connecting.result()
                visit = ServerVisit(
                    config, bot, self.client, pool, self.report, stopping, self._rng
                )
                try:
                    await visit.run()
                finally:
                    await visit.leave()
                    token.release()
        return self.report

    async def _warm_up(self, pool: WorkerPool) -> None:
        """Make a bot in every worker, so that no clock pays for imports and compiled kernels.

        Raises:
            BotError: it cannot be made.
        """
        kind = self._bot.kind
        game = next((make() for make in GAMES.values() if kind.plays(make())), None)
        if game is not None:
            opening = [pool.open_game(self._bot.spec, game, 0) for _ in range(pool.workers)]
            for handle in await asyncio.gather(*opening):
                handle.close()


async def run_bot(config: RunnerConfig) -> RunnerReport:
    """Run a bot as a player until its plan or number of games is done, or it is asked to stop.

    Raises:
        BotError: there is no such bot, or not with these options.
        RunnerError: no name is available, or the plan cannot be carried out.
        ClientError: the server is not there, refuses, or has ended the connection for good.
        ValueError: the address or the name is malformed.
    """
    return await Runner(config).run()
