"""Run servers, bots and advice for the window, in child processes of this command.

Theory of operation
-------------------
All coroutines run in the event loop of the window's network thread. A child ends when its input
closes, so no child outlives the window, however the window ends; `close` waits for them.

A separate thread imports the classes of bots from the start, because the compiled ones take about a
second and the window asks for the list later. Only the child that plays a bot loads a class that
the user names.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import functools
import logging
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Final, TypeVar

from platformdirs import user_data_path, user_state_path

from doublecross.analysis.advice import Advice
from doublecross.analysis.report import GameReport
from doublecross.bots.advising.advice import AdviceClient, AdviceError
from doublecross.bots.api import Bot, BotError
from doublecross.bots.helping.local_server import LocalServer
from doublecross.bots.helping.reviews import ReviewClient
from doublecross.bots.hosting.orders import MODULE, play_options
from doublecross.bots.hosting.own_server import server_lacks
from doublecross.bots.registry import bot_class, bot_names, level_names
from doublecross.client.language import said, tr
from doublecross.client.tk.models.helpers import BotChoice, HelperFailed
from doublecross.games.api import Game
from doublecross.processes.child import Child, ChildEnded, wait_until_ended

log = logging.getLogger(__name__)

PAUSE_S: Final = 1.2
"""The most seconds that bots pause before moves that people see."""
_GAMES: Final = 4
"""The number of games that a bot plays at once."""
_READY_S: Final = 180.0
"""The most seconds until a bot has joined. The first time it compiles kernels."""
_ANSWER_S: Final = 10.0
"""Seconds in which the server must answer a bot."""
_NAME_S: Final = 2.0
"""Seconds to wait for a name that a process of a closed window still holds."""
_HERE: Final = "here"
"""The key for tokens of this machine's server. Its address would not do: its port may change."""
_TOO_LONG: Final = tr("{name} did not get ready within {seconds:g} seconds.")

_T = TypeVar("_T")


class LocalHelpers:
    """Starts servers, bots and advice on this machine.

    `data` is the folder for the database and `state` that for tokens (None: the user's folders).
    """

    def __init__(self, data: Path | None = None, state: Path | None = None) -> None:
        self._here = LocalServer(data or user_data_path("doublecross"))
        self._state = state or user_state_path("doublecross")
        self._classes: dict[str, type[Bot]] = {}
        self._reading = threading.Thread(target=self._read_classes, name="bots", daemon=True)
        self._reading.start()
        self._advisers = AdviceClient()
        self._reviews = ReviewClient()
        self._bots: dict[tuple[str, str], tuple[Child, str]] = {}
        self._bringing: collections.defaultdict[tuple[str, str], asyncio.Lock] = (
            collections.defaultdict(asyncio.Lock)
        )
        self._tasks: set[asyncio.Task[str]] = set()

    @property
    def levels(self) -> tuple[str, ...]:
        """The names of the levels for people, weakest first."""
        return level_names()

    def bots(self, game: Game) -> tuple[BotChoice, ...]:
        """Return the bots of this machine that play `game`: the levels first, weakest first."""
        self._reading.join()
        names = [name for name, bot in self._classes.items() if bot.plays(game)]
        levels = {name: level for level, name in enumerate(self.levels, 1)}
        names.sort(key=lambda name: levels.get(name, len(levels) + 1))
        return tuple(
            BotChoice(name, tr(self._classes[name].summary), levels.get(name)) for name in names
        )

    def residents(self, url: str) -> frozenset[str]:
        """Return the specs of the bots that join the server at `url` without being asked."""
        return frozenset(self._levels_here) if url == self._here.url else frozenset()

    async def open_server(self) -> str:
        """Return the address of this machine's server, whose bots are the levels.

        All windows of one user share it.

        Raises:
            HelperFailed: it could not be started.
        """
        if sentence := server_lacks():
            raise HelperFailed(sentence)
        # The classes may still be loading; the event loop goes on meanwhile.
        await asyncio.to_thread(self._reading.join)
        return await self._here.open(self._levels_here)

    async def bring_bot(self, url: str, spec: str) -> str:
        """Let the bot `spec` join the server at `url`; return its name there.

        Raises:
            HelperFailed: the bot does not exist or could not join.
        """
        # Two requests for one bot must not start it twice.
        async with self._bringing[url, spec]:
            found = self._bots.get((url, spec))
            if found is not None and found[0].is_running:
                return found[1]
            with _in_time(spec):
                async with asyncio.timeout(_READY_S):
                    child, name = await self._bring(url, spec)
            self._bots[url, spec] = child, name
            # Somebody must read its messages, or the pipe would fill.
            task = asyncio.create_task(wait_until_ended(child))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            return name

    async def advise(self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> Advice:
        """Return advice for the mover of the position after `opening` and `moves`.

        Raises:
            HelperFailed: there is no advice.
        """
        return await _answered(self._advisers.ask(game, opening, moves))

    async def review(
        self,
        game: Game,
        opening: tuple[int, ...],
        moves: tuple[int, ...],
        progress: Callable[[int, int], None],
    ) -> GameReport:
        """Return the report of a game; `progress` gets the judged moves and all moves.

        Raises:
            HelperFailed: there is no report.
        """
        return await self._reviews.review(game, opening, moves, progress)

    async def close(self) -> None:
        """End all processes."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(
            *self._tasks,
            *(child.stop() for child, _ in self._bots.values()),
            self._advisers.close(),
            self._reviews.close(),
            self._here.close(),
            return_exceptions=True,
        )

    def _read_classes(self) -> None:
        found = {}
        for name in bot_names():
            with contextlib.suppress(BotError):  # a bot that cannot be loaded is not offered
                found[name] = bot_class(name)
        self._classes = found

    @property
    def _levels_here(self) -> tuple[str, ...]:
        """The levels that this machine's server has as resident bots."""
        return tuple(name for name in self.levels if name in self._classes)

    def _kept_for(self, url: str) -> str | None:
        return _HERE if url == self._here.url else None

    async def _bring(self, url: str, spec: str) -> tuple[Child, str]:
        orders = play_options(
            url,
            [(spec, None)],
            games=_GAMES,
            pause_s=PAUSE_S,
            state_dir=self._state / "brought",
            kept_for=self._kept_for(url),
            patience_s=_ANSWER_S,
            name_wait_s=_NAME_S,
        )
        child = None
        try:
            child = await Child.start(
                tr("The process of {spec}", spec=spec), MODULE, orders, on_error_line=_log_of(spec)
            )
            message = await child.expect()
            if message["what"] != "ready":
                raise HelperFailed(message["sentence"])
        except BaseException as error:
            if child is not None:
                await child.stop()
            if isinstance(error, ChildEnded | OSError):
                raise HelperFailed(str(error)) from None
            raise
        name: str = message["name"]
        return child, name


async def _answered(asked: Awaitable[_T]) -> _T:
    """Return an answer of the adviser.

    Raises:
        HelperFailed: there is none.
    """
    try:
        return await asked
    except AdviceError as error:
        raise HelperFailed(said(error.args[0])) from None


def _log_of(title: str) -> Callable[[str], None]:
    return functools.partial(log.info, "%s: %s", title)


@contextlib.contextmanager
def _in_time(what: str) -> Iterator[None]:
    try:
        yield
    except TimeoutError:
        raise HelperFailed(_TOO_LONG.format(name=what, seconds=_READY_S)) from None
