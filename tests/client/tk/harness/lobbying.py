"""Show the lobby in tests, with other players, bots to start, and functions that read its lists."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from random import Random
from tkinter import ttk
from typing import Any, Final, TypeVar

from doublecross.client.core.updates import ChallengeReceived
from doublecross.client.options import Login
from doublecross.client.tk.context import Context
from doublecross.client.tk.joining import join
from doublecross.client.tk.models.helpers import BotChoice, HelperFailed
from doublecross.client.tk.models.snapshots import Answer, RoomGone, SeatTaken, WindowUpdate
from doublecross.client.tk.network.thread import GUEST, ME
from doublecross.client.tk.screens.lobby.screen import LobbyScreen
from doublecross.client.tk.widgets.lobby.short_list import ShortList
from doublecross.client.transport import Client
from doublecross.games.api import Game
from doublecross.protocol.common import EngineInfo, MatchSettings, TimeControl
from tests.client.tk.harness.inspecting import find, find_all
from tests.client.tk.harness.staging import LEVELS, NotedHelpers, Stage
from tests.client.tk.harness.windows import Windows

T = TypeVar("T")

_PATIENCE_S: Final = 20.0
CHOICES: Final = (
    BotChoice("easy", "For beginners: overlooks some boxes.", 1),
    BotChoice("medium", "Takes every box and mostly gives none away.", 2),
    BotChoice("tricky", "Gives away as little as it can, and sometimes keeps control.", 3),
    BotChoice("hard", "Never gives a box away early, and searches how to play the chains.", 4),
    BotChoice("perfect", "The strongest: exact up to 4x4.", 5),
    BotChoice("greedy", "Takes whatever it can."),
    BotChoice("mcts", "Tree search; simulations=N says for how long."),
)


USUAL = MatchSettings(
    game="dots-and-boxes",
    params={"rows": 5, "cols": 5},
    time=TimeControl(base_ms=300_000, increment_ms=3000),
)
TINY = MatchSettings(game="dots-and-boxes", params={"rows": 1, "cols": 2}, time=TimeControl())


class Company:
    """Connects other players to the server at `url` and sends requests as any of them."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="company")
        self._thread.start()
        self._clients: dict[str, Client] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def connect(
        self, name: str, *, engine: str = "", accepts: bool | None = True, why: str = ""
    ) -> None:
        """Connect a person, or with `engine` a bot that accepts or declines all challenges.

        If `accepts` is None the bot answers no challenge.
        """

        async def connect() -> Client:
            client = _client(self._url, name, engine)
            await client.start()
            if engine and accepts is not None:
                task = asyncio.create_task(_answer(client, accepts=accepts, why=why))
                self._tasks.add(task)
            return client

        self._clients[name] = self._do(connect())

    def has(self, name: str) -> bool:
        """Return whether this player is connected."""
        return name in self._clients

    def disconnect(self, name: str) -> None:
        """Disconnect a player."""
        self._do(self._clients.pop(name).close())

    def ask(self, name: str, request: Callable[[Client], Awaitable[T]]) -> T:
        """Send a request as this player and return the answer."""

        async def ask() -> T:
            return await request(self._clients[name])

        return self._do(ask())

    def client(self, name: str) -> Client:
        """Return the connection of a player."""
        return self._clients[name]

    def close(self) -> None:
        """Disconnect all players and stop the thread."""

        async def close() -> None:
            for task in self._tasks:
                task.cancel()
            for client in self._clients.values():
                await client.close()
            await asyncio.gather(*self._tasks, return_exceptions=True)

        self._do(close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_PATIENCE_S)
        self._loop.close()

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_PATIENCE_S)


class LobbyHelpers(NotedHelpers):
    """Helpers whose bots really join. If `problem` is set they fail with it; they wait for
    `gate`."""

    def __init__(self) -> None:
        super().__init__()
        self.choices = CHOICES
        self.problem = ""
        self.gate = threading.Event()
        self.gate.set()
        self._clients: list[Client] = []
        self._tasks: list[asyncio.Task[None]] = []

    def bots(self, game: Game) -> tuple[BotChoice, ...]:
        if game.key != "dots-and-boxes":
            return tuple(choice for choice in CHOICES if choice.spec in (*LEVELS, "mcts"))
        return self.choices

    async def bring_bot(self, url: str, spec: str) -> str:
        self.asked.append(("bring_bot", url, spec))
        client = await self._bring(url, spec, spec)
        self._tasks.append(asyncio.create_task(_answer(client)))
        return spec

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for client in self._clients:
            await client.close()

    async def _bring(self, url: str, name: str, spec: str) -> Client:
        await asyncio.to_thread(self.gate.wait, _PATIENCE_S)
        if self.problem:
            raise HelperFailed(self.problem)
        client = _client(url, name, spec.partition(":")[0])
        await client.start()
        self._clients.append(client)
        return client


class LobbyStage(Stage):
    """A window with the lobby that reacts to seats in matches as the program does.

    `went` records the requested screens, `gone` the rooms that were left. A guest gets a real
    connection.
    """

    def __init__(self, windows: Windows, folder: Path, geometry: str = "1024x720+0+0") -> None:
        self.windows = windows
        self.gone: list[str] = []
        super().__init__(windows.open(geometry), folder)
        self.lobby_helpers = LobbyHelpers()
        self.helpers = self.lobby_helpers
        self.context.helpers = self.lobby_helpers

    def enter(self, url: str, name: str = "Ann", *, wait: bool = True) -> LobbyScreen:
        """Join the server and show its lobby; with `wait`, return after its first update."""
        context, latest = self.context, self.context.latest
        context.latest.server = url
        context.home.settings.name = name
        failed: list[str] = []
        context.network.connect(
            ME, join(context, ME, url, name), lambda _: None, lambda r: failed.append(r.sentence)
        )
        self.windows.pump(lambda: failed or (latest.link is not None and latest.link.player))
        assert not failed, failed
        screen = self.show(LobbyScreen)
        assert isinstance(screen, LobbyScreen)
        if wait:
            self.windows.pump(lambda: latest.lobby, what="the lobby is there")
        return screen

    @property
    def games(self) -> list[str]:
        """The rooms whose screens were requested."""
        return [where[1] for where in self.went if where[0] == "game"]

    def connect_guest(
        self, name: str, then: Callable[[], None], failed: Callable[[str], None]
    ) -> None:
        make = join(self.context, GUEST, self.context.latest.server, name)
        self.context.network.connect(
            GUEST, make, lambda _: then(), lambda refusal: failed(refusal.sentence)
        )

    def _take(self, update: WindowUpdate) -> None:
        """Handle an update as the program does."""
        if isinstance(update, Answer):
            update.deliver()
            return
        if isinstance(update, RoomGone):
            self.gone.append(update.room)
        self.context.latest.take(update)
        if self.screen is not None:
            self.screen.take(update)
        if isinstance(update, SeatTaken) and update.who == ME:
            self.to_game(update.room)


@contextlib.contextmanager
def company(url: str) -> Iterator[Company]:
    """Yield other players, who are disconnected at the end of the context."""
    others = Company(url)
    try:
        yield others
    finally:
        others.close()


def known(context: Context) -> list[str]:
    """Return the names of the players in the last update of the lobby."""
    lobby = context.latest.lobby
    return [] if lobby is None else [player.name for player in lobby.players]


def entry(stage: LobbyStage, area: str, number: int = 0) -> ttk.Button:
    """Wait for an entry of a short list, and return its button."""

    def there() -> list[ttk.Button]:
        return find_all(find(stage.root, name=area, kind=ShortList), name="go", kind=ttk.Button)

    stage.windows.pump(lambda: len(there()) > number, what=f"entry {number} of {area}")
    stage.windows.settle()
    return there()[number]


def button(stage: LobbyStage, name: str) -> ttk.Button:
    """Return a button by its widget name, even if it is hidden."""
    return find(stage.root, name=name, kind=ttk.Button, hidden=True)


def note(stage: LobbyStage) -> str:
    """Return the message above the lists; empty if none is shown."""
    label = find(stage.root, name="note", kind=ttk.Label, hidden=True)
    return str(label.cget("text")) if label.winfo_viewable() else ""


def _client(url: str, name: str, engine: str) -> Client:
    return Client(
        url,
        Login(
            "bot" if engine else "human",
            name=name,
            engine=EngineInfo(name=engine, version="1") if engine else None,
            takebacks=True,
        ),
        rng=Random(name),
    )


async def _answer(client: Client, *, accepts: bool = True, why: str = "") -> None:
    """Answer all challenges to `client`."""
    async for update in client.updates():
        if isinstance(update, ChallengeReceived):
            challenge = update.challenge.challenge
            if accepts:
                await client.offers.accept_challenge(challenge)
            else:
                await client.offers.decline_challenge(challenge, why)
