"""Run a bot's runner in a child process until the parent process closes the input."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from doublecross.bots.api import BotError
from doublecross.bots.runner import Runner, RunnerError, RunnerReport
from doublecross.client.core.errors import ClientError
from doublecross.processes.parent import Parent

LAST_S: Final = 5.0
"""Seconds in which a child process must have ended once its input is closed."""


class RunnerFailed(Exception):  # noqa: N818 - named for what happened
    """The runner could not play; the message is one sentence.

    `trace` is the traceback of the bot if it caused the failure. `lasting` says that another
    attempt makes no sense.
    """

    trace = ""
    lasting = False


class BotUnusable(RunnerFailed):
    """The bot cannot be made, for example because its constructor fails."""

    def __init__(self, error: BotError) -> None:
        super().__init__(str(error))
        self.trace = error.trace
        self.lasting = error.lasting


async def run_until_closed(runner: Runner, parent: Parent) -> RunnerReport | None:
    """Play until the runner is done or the parent closes the input, and return the report.

    Returns None when the input was closed before the runner started. Several runners may play at
    once; the end of the input stops them all.

    Raises:
        BotUnusable: the bot cannot be made.
        RunnerFailed: the server cannot be reached or refuses.
    """
    loop, stop_others = asyncio.get_running_loop(), parent.on_end

    def stop() -> None:
        stop_others()
        # The second request ends the games that are being played, too.
        with contextlib.suppress(RuntimeError):  # the loop may be closed already
            for _ in range(2):
                loop.call_soon_threadsafe(runner.stop)

    parent.on_end = stop
    # The input may have closed before `on_end` was set.
    if parent.gone:
        return None
    try:
        return await runner.run()
    except BotError as error:
        raise BotUnusable(error) from error
    except (RunnerError, ClientError, TimeoutError, ValueError) as error:
        raise RunnerFailed(str(error)) from error
