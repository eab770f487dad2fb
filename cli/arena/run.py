"""Play game pairs under a live display, and keep what was asked for."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import time as now
from typing import TYPE_CHECKING, Any

from doublecross.cli.shared.console import FAILED, Problem

if TYPE_CHECKING:
    from doublecross.bots.arena.arena import Arena
    from doublecross.bots.arena.cluster import ClusterArena
    from doublecross.bots.arena.job import ArenaGame, ArenaJob
    from doublecross.cli.arena.files import ArenaFiles
    from doublecross.cli.arena.folder import RunFolder
    from doublecross.cli.arena.records import GameRecords
    from doublecross.cli.arena.show import ArenaDisplay


@dataclass(frozen=True)
class Run:
    """Plays `job`, `at_once` games at once or on the cluster at the address `dask`."""

    job: ArenaJob
    at_once: int
    dask: str | None
    folder: RunFolder
    files: ArenaFiles
    records: GameRecords

    def play(self, show: ArenaDisplay) -> None:
        """Play the job; put each finished game into the records and the folder.

        The games that the folder has already come first. The tally of `show` has the games, even
        after an error.

        Raises:
            Problem: a bot cannot be made, or the workers do not start.
            KeyboardInterrupt: Ctrl-C or SIGTERM.
        """

        def on_game(played: ArenaGame) -> None:
            now_ms = round(1000 * now())
            self.folder.add(played, now_ms)
            self.records.add(played)
            show.game(played, now_ms)

        async def play() -> None:
            done = [played for played, _ in self.folder.done]
            arena = arena_of(
                self.job, self.at_once, self.dask, on_game=on_game, on_note=show.note, done=done
            )
            await arena.run()

        for played, at_ms in self.folder.done:
            self.records.add(played)
            show.count(played, at_ms)
        with show.showing():
            until_stopped(play)


def until_stopped(play: Callable[[], Awaitable[None]]) -> None:
    """Run `play` until its end, Ctrl-C or SIGTERM.

    Raises:
        Problem: a bot cannot be made, or the workers do not start.
        KeyboardInterrupt: Ctrl-C or SIGTERM.
    """
    from doublecross.bots.api import BotError
    from doublecross.bots.arena.arena import ArenaError
    from doublecross.bots.dask_cluster import ClusterError

    async def stoppable() -> None:
        me = asyncio.current_task()
        assert me is not None
        with contextlib.suppress(NotImplementedError):  # Windows
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)
        await play()

    try:
        asyncio.run(stoppable())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    except BotError as error:
        raise Problem(str(error), trace=error.trace) from None
    except (ArenaError, ClusterError) as error:
        raise Problem(str(error), FAILED) from None


def arena_of(job: ArenaJob, workers: int, dask: str | None, **how: Any) -> Arena | ClusterArena:
    """Return what plays the job: processes of this machine, or the cluster at `dask`."""
    if dask is None:
        from doublecross.bots.arena.arena import Arena

        return Arena(job, workers=workers, **how)
    from doublecross.bots.arena.cluster import ClusterArena

    return ClusterArena(job, dask, **how)
