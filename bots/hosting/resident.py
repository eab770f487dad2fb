"""Run resident bots of a server, as a child process until its input closes.

Its argument is the JSON object of `doublecross.bots.hosting.orders.play_options`. It answers with
lines of JSON. Their ``what`` is ``ready`` (with the bot's name on the server and this process's
id), or ``problem`` with a sentence, the bot's traceback, in ``unusable`` whether the bot cannot be
made, and in ``lasting`` whether another attempt makes no sense. Their ``bot`` is the place of the
bot in the argument.
"""

from __future__ import annotations

import asyncio
import functools
import json
import os
import sys
from pathlib import Path
from typing import Any, Final

from doublecross.bots.api import BotError
from doublecross.bots.hosting.orders import seeks_after
from doublecross.bots.hosting.until_closed import (
    LAST_S,
    BotUnusable,
    RunnerFailed,
    run_until_closed,
)
from doublecross.bots.registry import checked_spec
from doublecross.bots.runner import Pause, Policy, Runner, RunnerConfig
from doublecross.bots.workers.pool import WorkerPool
from doublecross.processes.logs import quiet_logs
from doublecross.processes.parent import Parent

_MEMORY_MB: Final = 256
"""Memory for the tables of all bots of this process, in MiB."""
_NICENESS: Final = 5
"""Bots run at lower priority, because the server beside them must answer everybody at once."""


class ResidentRunners:
    """Run the bots of one process until the parent process closes its input.

    All of them share the workers. When one bot ends, the others end too: the parent then starts
    the process again.
    """

    def __init__(self, orders: dict[str, Any], parent: Parent) -> None:
        self._orders = orders
        self._parent = parent
        self._pool = WorkerPool(orders["workers"])
        self._runners: list[Runner] = []

    def add(self, spec: str, name: str | None) -> None:
        """Add the bot `spec`, which asks for `name`.

        Raises:
            BotError: there is no such bot, or it does not accept these options.
        """
        orders = self._orders
        pause_s = orders["pause_s"]
        config = RunnerConfig(
            server=orders["server"],
            spec=checked_spec(spec),
            name=name,
            insist=False,
            name_wait_s=orders["name_wait_s"],
            policy=Policy(
                at_once=orders["games"],
                each=orders["games_each"],
                seeks_after_s=seeks_after(orders["seeks_after_s"], len(self._runners)),
                seeks_of_bots=False,
                fills_in=True,
            ),
            tournament=orders.get("tournament"),
            workers=orders["workers"],
            memory_mb=_MEMORY_MB // len(orders["bots"]),
            state_dir=Path(orders["state_dir"]),
            kept_for=orders["kept_for"],
            patience_s=orders["patience_s"],
            grace_s=0.0,
            think_s=orders["think_s"],
            pause=Pause(pause_s) if pause_s > 0 else None,
            signals=False,
            on_ready=functools.partial(self._say_ready, len(self._runners)),
        )
        self._runners.append(Runner(config, self._pool))

    async def run(self) -> int:
        """Play until the input closes or a bot ends; return the exit code."""
        async with self._pool:
            plays = [asyncio.create_task(self._play(bot)) for bot in range(len(self._runners))]
            await asyncio.wait(plays, return_when=asyncio.FIRST_COMPLETED)
            for runner in self._runners:
                runner.stop()
                runner.stop()  # the second request ends the games, too
            return max(await asyncio.gather(*plays))

    async def _play(self, bot: int) -> int:
        """Let one bot play, and report its end; return the exit code."""
        try:
            report = await run_until_closed(self._runners[bot], self._parent)
        except RunnerFailed as error:
            self._parent.send(
                problem(
                    bot,
                    str(error),
                    error.trace,
                    unusable=isinstance(error, BotUnusable),
                    lasting=error.lasting,
                )
            )
            return 1
        if report is not None and report.problem is not None:
            self._parent.send(problem(bot, report.problem))
        return 0

    def _say_ready(self, bot: int, name: str) -> None:
        self._parent.send({"what": "ready", "bot": bot, "name": name, "pid": os.getpid()})


def problem(
    bot: int, sentence: str, trace: str = "", *, unusable: bool = False, lasting: bool = False
) -> dict[str, Any]:
    """Return the message about a bot that has ended; see the top of this file."""
    return {
        "what": "problem",
        "bot": bot,
        "sentence": sentence,
        "trace": trace,
        "unusable": unusable,
        "lasting": lasting,
    }


def main() -> int:
    """Play as the argument says and return the exit code."""
    # Before anything slow, so that this process ends with its parent from the start.
    parent = Parent(grace_s=LAST_S)
    parent.listen()
    orders = json.loads(sys.argv[1])
    quiet_logs(orders["verbose"])
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    residents = ResidentRunners(orders, parent)
    for bot, (spec, name) in enumerate(orders["bots"]):
        try:
            residents.add(spec, name)
        except BotError as error:
            parent.send(problem(bot, str(error), error.trace, unusable=True))
            return 1
    return asyncio.run(residents.run())


if __name__ == "__main__":
    sys.exit(main())
