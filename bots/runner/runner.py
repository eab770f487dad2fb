"""Run one bot as a player on a server, in many games at once.

Theory of operation
-------------------
The runner makes the bot once in every worker, finds a free name and connects. Then a `ServerVisit`
plays.

After the first request to stop, the runner accepts no new games and waits for the running ones.
The second request, or the end of the grace period, ends the runner at once. The token stays in its
file, so a bot that returns can continue an unfinished game.
"""

from __future__ import annotations

import asyncio
import contextlib
from random import SystemRandom

from doublecross.bots.registry import bot_class, player_name_of
from doublecross.bots.runner.config import RunnerConfig, RunnerReport
from doublecross.bots.runner.identity import connect
from doublecross.bots.runner.ready import PlayedBot
from doublecross.bots.runner.tasks import StopRequests, finishes_before, on_signals
from doublecross.bots.runner.visit import ServerVisit
from doublecross.bots.workers.pool import WorkerPool
from doublecross.client.transport import Client
from doublecross.protocol.common import EngineInfo


class Runner:
    """Runs one bot; call `run` once. Signal handlers of the event loop may call `stop`.

    `client` is None until the bot has connected. The bot thinks in `pool`, which runners may share
    (None: in workers of its own).

    Raises:
        BotError: there is no such bot, or it does not accept these options.
    """

    def __init__(self, config: RunnerConfig, pool: WorkerPool | None = None) -> None:
        seed, spec = config.spec.without_seed()
        if config.seed is not None:
            seed = config.seed
        self.client: Client | None = None
        self.report = RunnerReport()
        self._config = config
        self._pool = pool
        self._rng = SystemRandom()
        self._bot = PlayedBot(
            spec,
            bot_class(spec.name),
            self._rng.getrandbits(64) if seed is None else seed,
            config.game,
            config.policy.games,
        )
        self._bot.kind.check_options(spec.options)
        self._stopping = StopRequests()

    def stop(self) -> None:
        """Begin no new games and end after the running ones; the second call ends them at once."""
        self._stopping.request()

    async def run(self) -> RunnerReport:
        """Join the server and play until there is nothing more to do.

        Raises:
            BotError: the bot cannot be made.
            RunnerError: no name is available, or the plan cannot be carried out.
            ClientError: the server does not answer, refuses, or has ended the connection for good.
            ValueError: the address or the name is malformed.
        """
        config, bot, stopping = self._config, self._bot, self._stopping
        name = player_name_of(bot.spec.name)
        engine = EngineInfo(name=name[:64], version=bot.kind.version[:64])
        with on_signals(self.stop if config.signals else None):
            async with self._workers() as pool:
                if not await finishes_before(
                    asyncio.ensure_future(bot.get_ready(pool)), stopping.no_new_games
                ):
                    return self.report
                connecting = asyncio.ensure_future(connect(config, engine, self._rng))
                if not await finishes_before(connecting, stopping.no_new_games):
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

    def _workers(self) -> contextlib.AbstractAsyncContextManager[WorkerPool]:
        """Return the pool in a context that closes it, unless it is shared."""
        if self._pool is not None:
            return contextlib.nullcontext(self._pool)
        return WorkerPool(self._config.workers)


async def run_bot(config: RunnerConfig) -> RunnerReport:
    """Run a bot as a player until its plan or number of games is done, or a signal stops it.

    Raises:
        BotError: there is no such bot, or it does not accept these options.
        RunnerError: no name is available, or the plan cannot be carried out.
        ClientError: the server does not answer, refuses, or has ended the connection for good.
        ValueError: the address or the name is malformed.
    """
    return await Runner(config).run()
