"""What the window has others do: servers, bots and advice, in child processes of this command.

Theory of operation
-------------------
All coroutines run in the event loop of the window's network thread. Each child ends when its input
is closed, so none outlives the window, however that ends; `close` waits for them.

The classes of bots are read in a thread of their own from the beginning on, since importing the
compiled ones takes about a second; the window asks for the list later.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Final

from platformdirs import user_data_path, user_state_path

from bots.api import Bot, BotError
from bots.registry import bot_class, bot_names
from cli.asking import need_server_packages, spec_of
from cli.children import Child, ChildEnded, start_server
from cli.console import Problem
from cli.residents import MODULE, orders_for
from cli.series import Job, Message, playing
from client.tk.helpers import Advice, BotChoice, HelperFailed
from games.api import Game
from protocol.common import MatchSettings

LEVELS: Final = ("easy", "medium", "hard", "perfect")
ADVICE_S: Final = 1.5
"""How long advice is thought about, in seconds."""
_ANSWER_S: Final = 60.0
"""How long it may take altogether: the first time kernels are compiled."""
_PAUSE_S: Final = 1.2
_GAMES: Final = 4
_WINDOWS: Final = 9
"""Windows of one user with a server of their own at once."""
_IN_USE: Final = "is using the database"


class LocalHelpers:
    """Servers, bots and advice on this machine. `data` and `state` are folders for the database
    and for tokens, None: the user's."""

    def __init__(self, data: Path | None = None, state: Path | None = None) -> None:
        self._data = data or user_data_path("doublecross")
        self._state = state or user_state_path("doublecross") / "brought"
        self._classes: dict[str, type[Bot]] = {}
        self._reading = threading.Thread(target=self._read_classes, name="bots", daemon=True)
        self._reading.start()
        self._server: tuple[Child, str] | None = None
        self._starting = asyncio.Lock()
        self._bots: dict[tuple[str, str], tuple[Child, str]] = {}
        self._adviser: _Adviser | None = None
        self._pairs: set[asyncio.Task[None]] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def bots(self, game: Game) -> tuple[BotChoice, ...]:
        """The bots of this machine that play `game`: the levels first, weakest first."""
        self._reading.join()
        names = [name for name, bot in self._classes.items() if bot.plays(game)]
        names.sort(key=lambda name: LEVELS.index(name) if name in LEVELS else len(LEVELS))
        return tuple(
            BotChoice(
                name,
                self._classes[name].summary,
                LEVELS.index(name) + 1 if name in LEVELS else None,
            )
            for name in names
        )

    async def open_server(self) -> str:
        """The address of a server of this machine with the levels as its bots.

        Raises:
            HelperFailed: it could not be started.
        """
        async with self._starting:
            if self._server is not None and self._server[0].runs:
                return self._server[1]
            with _told():
                need_server_packages()
            # Reading the classes may not be done yet; the loop goes on meanwhile.
            await asyncio.to_thread(self._reading.join)
            levels = ",".join(name for name in LEVELS if name in self._classes)
            self._server = await self._start_server(levels)
            self._go(_drain(self._server[0]))
            return self._server[1]

    async def bring_bot(self, url: str, spec: str) -> str:
        """Let the bot `spec` join the server at `url`; its name there.

        Raises:
            HelperFailed: there is no such bot, or it could not join.
        """
        async with self._starting:
            found = self._bots.get((url, spec))
            if found is not None and found[0].runs:
                return found[1]
            child, name = await self._bring(url, spec)
            self._bots[url, spec] = child, name
            self._go(_drain(child))
            return name

    async def bring_pair(self, url: str, specs: tuple[str, str], settings: MatchSettings) -> str:
        """Let two bots join the server at `url` and play one match; the room to watch.

        Raises:
            HelperFailed: there are no such bots, or they could not begin.
        """
        with _told():
            for spec in specs:
                spec_of(spec)
        job = Job(
            specs=specs,
            settings=settings,
            openings=((),),
            seed=secrets.randbelow(1_000_000),
            state_dir=str(self._state / "pairs"),
            moves=True,
            games=1,
            pause_s=_PAUSE_S,
        )
        room: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(_play_pair(job, url, room))
        self._pairs.add(task)
        task.add_done_callback(self._pairs.discard)
        try:
            return await asyncio.shield(room)
        except asyncio.CancelledError:
            task.cancel()
            raise

    async def advise(self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> Advice:
        """Advice for the mover of the position after `opening` and `moves`.

        Raises:
            HelperFailed: there is none.
        """
        if self._adviser is None or not self._adviser.runs:
            self._adviser = await _Adviser.start()
        return await self._adviser.ask(game, opening, moves)

    async def close(self) -> None:
        """End all processes."""
        for task in (*self._pairs, *self._tasks):
            task.cancel()
        children = [child for child, _ in self._bots.values()]
        if self._server is not None:
            children.append(self._server[0])
        stops: list[Coroutine[Any, Any, None]] = [child.stop() for child in children]
        if self._adviser is not None:
            stops.append(self._adviser.close())
        await asyncio.gather(*self._pairs, *self._tasks, *stops, return_exceptions=True)

    # -- the pieces --------------------------------------------------------------------------

    def _read_classes(self) -> None:
        found = {}
        for name in bot_names():
            with contextlib.suppress(BotError):  # one that cannot be loaded is not offered
                found[name] = bot_class(name)
        self._classes = found

    async def _start_server(self, levels: str) -> tuple[Child, str]:
        """A server on a database that no other window uses."""
        try:
            self._data.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise HelperFailed(
                f"Games cannot be kept in {self._data}: {error.strerror or error}."
            ) from None
        for number in range(1, _WINDOWS + 1):
            name = "here.db" if number == 1 else f"here-{number}.db"
            try:
                return await start_server(str(self._data / name), bots=levels)
            except ChildEnded as ended:
                if _IN_USE not in str(ended):
                    raise HelperFailed(str(ended)) from None
        raise HelperFailed(f"{_WINDOWS} windows of yours have a server on this machine already.")

    async def _bring(self, url: str, spec: str) -> tuple[Child, str]:
        from cli.resident import names_of

        with _told():
            (name,) = await asyncio.to_thread(names_of, [spec])
        orders = orders_for(
            url, spec, name, games=_GAMES, pause_s=_PAUSE_S, state_dir=self._state, kept_for=None
        )
        child = await Child.start(f"The process of {spec}", MODULE, "play", orders)
        try:
            message = await child.expect()
            if message["what"] != "ready":
                raise HelperFailed(message["sentence"])
        except BaseException as error:
            await child.stop()
            if isinstance(error, ChildEnded):
                raise HelperFailed(str(error)) from None
            raise
        return child, message["name"]

    def _go(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _Adviser:
    """The process that thinks about positions; see `cli.adviser`."""

    def __init__(self, child: Child) -> None:
        self._child = child
        self._asked: dict[int, asyncio.Future[Message]] = {}
        self._last = 0
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls) -> _Adviser:
        """A running one."""
        return cls(await Child.start("The process that thinks about your game", "cli.adviser"))

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return not self._listening.done()

    async def ask(self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> Advice:
        """What it thinks of a position; a newer question ends an older one."""
        self._last += 1
        number = self._last
        future = self._asked[number] = asyncio.get_running_loop().create_future()
        self._child.tell(
            {
                "id": number,
                "game": game.key,
                "params": dict(game.params),
                "opening": list(opening),
                "moves": list(moves),
                "seconds": ADVICE_S,
            }
        )
        try:
            answer = await asyncio.wait_for(future, _ANSWER_S)
        except TimeoutError:
            raise HelperFailed("Thinking about this position took too long.") from None
        finally:
            self._asked.pop(number, None)
        if answer["what"] != "advice":
            raise HelperFailed(answer["sentence"])
        return Advice(tuple(answer["best"]), answer["net"], answer["exact"])

    async def close(self) -> None:
        """End it."""
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)
        await self._child.stop()

    async def _listen(self) -> None:
        try:
            while (message := await self._child.hear()) is not None:
                future = self._asked.get(message["id"])
                if future is not None and not future.done():
                    future.set_result(message)
            sentence = await self._child.ending()
        except ValueError:  # killed in the middle of a line
            sentence = await self._child.ending()
        for future in self._asked.values():
            if not future.done():
                future.set_result({"what": "problem", "sentence": sentence})
        await self._child.stop()


async def _play_pair(job: Job, url: str, room: asyncio.Future[str]) -> None:
    """Have the one match of `job` played; `room` is told where, or why not."""

    def failed(sentence: str) -> None:
        if not room.done():
            room.set_exception(HelperFailed(sentence))
            room.exception()  # whoever waited may be gone

    try:
        address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        address.set_result(url)
        async with playing(job, address) as (_, second, _):
            while (message := await second.hear()) is not None:
                if message["what"] == "began" and not room.done():
                    room.set_result(message["room"])
                elif message["what"] in ("done", "problem"):
                    failed(message.get("sentence") or message.get("problem") or _NOT_BEGUN)
                    return
            failed(await second.ending())
    except (ChildEnded, Problem, ValueError) as error:
        failed(str(error))
    finally:
        failed(_NOT_BEGUN)


async def _drain(child: Child) -> None:
    """Hear what nobody asks for, so that the pipe never fills; and see the child's end."""
    with contextlib.suppress(ValueError):
        while await child.hear() is not None:
            pass
    await child.ending()


class _told(contextlib.AbstractContextManager[None]):  # noqa: N801 - reads as a phrase
    """What cannot be done as asked is told to the window."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Problem):
            raise HelperFailed(error.sentence) from None


_NOT_BEGUN: Final = "The two bots could not begin a match."
