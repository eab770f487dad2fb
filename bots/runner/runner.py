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
from dataclasses import replace
from random import SystemRandom

from doublecross.bots.registry import bot_class
from doublecross.bots.runner.config import Engine, RunnerConfig, RunnerReport
from doublecross.bots.runner.identity import connect
from doublecross.bots.runner.ready import PlayedBot
from doublecross.bots.runner.tasks import StopRequests, finishes_before, on_signals
from doublecross.bots.runner.visit import ServerVisit
from doublecross.bots.workers.pool import WorkerPool
from doublecross.client.transport import Client


class Runner:
    """Runs one bot; call `run` once. Signal handlers of the event loop may call `stop`.

    `client` is None until the bot has connected. The bot thinks in `pool`, which runners may share
    (None: in workers of its own).

    Raises:
        BotError: there is no such bot, or it does not accept these options.
    """

    def __init__(self, config: RunnerConfig, pool: WorkerPool | None = None) -> None:
        engines = config.engines or (Engine(config.spec),)
        specs = [engine.spec.without_seed() for engine in engines]
        seed = next((s for s in (config.seed, *(s for s, _ in specs)) if s is not None), None)
        self.client: Client | None = None
        self.report = RunnerReport()
        self._config = config
        self._pool = pool
        self._rng = SystemRandom()
        self._bot = PlayedBot(
            tuple(
                replace(engine, spec=spec) for engine, (_, spec) in zip(engines, specs, strict=True)
            ),
            self._rng.getrandbits(64) if seed is None else seed,
            config.game,
            config.policy.games,
        )
        for _, spec in specs:
            bot_class(spec.name).check_options(spec.options)
        self._visit: ServerVisit | None = None
        self._stopping = StopRequests()

    def stop(self) -> None:
        """Begin no new games and end after the running ones; the second call ends them at once."""
        self._stopping.request()

    def reload(self, config: RunnerConfig) -> None:
        """Use the policy, seek, matchmaking, times and pauses of `config` from now on.

        Games in play go on. The server, the player and the bots stay what they are.
        """
        self._config = config
        if self._visit is not None:
            self._visit.reload(config)

    def status(self) -> str:
        """Return a sentence about the games in play and the results so far."""
        report, playing = self.report, 0 if self._visit is None else self._visit.playing
        games = "1 game" if playing == 1 else f"{playing} games"
        return f"{report.name}: {games} in play, +{report.won} ={report.drawn} -{report.lost}"

    async def run(self) -> RunnerReport:
        """Join the server and play until there is nothing more to do.

        Raises:
            BotError: the bot cannot be made.
            RunnerError: no name is available, or the plan cannot be carried out.
            ClientError: the server does not answer, refuses, or has ended the connection for good.
            ValueError: the address or the name is malformed.
        """
        config, bot, stopping = self._config, self._bot, self._stopping
        handlers = {"SIGINT": self.stop, "SIGTERM": self.stop} if config.signals else {}
        with on_signals(handlers):
            async with self._workers() as pool:
                if not await finishes_before(
                    asyncio.ensure_future(bot.get_ready(pool)), stopping.no_new_games
                ):
                    return self.report
                connecting = asyncio.ensure_future(connect(config, bot.info(), self._rng))
                if not await finishes_before(connecting, stopping.no_new_games):
                    return self.report
                self.client, token = connecting.result()
                visit = self._visit = ServerVisit(
                    *(self._config, bot, self.client, pool, self.report, stopping, self._rng),
                    token.path.with_suffix(".ledger"),
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
        return WorkerPool(self._config.workers, keeps_output=self._config.keeps_output)


async def run_bot(config: RunnerConfig) -> RunnerReport:
    """Run a bot as a player until its plan or number of games is done, or a signal stops it.

    Raises:
        BotError: there is no such bot, or it does not accept these options.
        RunnerError: no name is available, or the plan cannot be carried out.
        ClientError: the server does not answer, refuses, or has ended the connection for good.
        ValueError: the address or the name is malformed.
    """
    return await Runner(config).run()
