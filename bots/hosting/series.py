"""Play a match of many games between two bots and keep its score.

Theory of operation
-------------------
Each bot is a child process that joins the server as a player. The first one accepts challenges.
When it has joined, the second one receives the plan: two games from each opening, one in each seat.
Its runner plays each game of the plan exactly once, even if connections or the server fail
meanwhile. This process only reads their messages, turns them to the first bot's point of view, and
adds up.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from doublecross.bots.hosting.own_server import start_server
from doublecross.bots.names import distinct
from doublecross.bots.registry import parse_spec
from doublecross.processes.child import Child, ChildEnded, Message

if TYPE_CHECKING:
    from doublecross.protocol.common import MatchSettings

_PATIENCE_S: Final = 1.0
"""Seconds that a bot waits for a server that does not answer yet."""
_TURNED: Final = {"won": "lost", "lost": "won", "drawn": "drawn"}
"""The outcome of a game as its opponent sees it."""


class SeriesFailed(Exception):  # noqa: N818 - named for what happened
    """The match could not be played to its end; the message is one sentence.

    `trace` is the traceback of the bot that caused it, if any. `at_start` is true if a bot could
    not join, for example because it cannot be made.
    """

    def __init__(self, sentence: str, trace: str = "", *, at_start: bool = False) -> None:
        super().__init__(sentence)
        self.trace = trace
        self.at_start = at_start


@dataclass(frozen=True, slots=True)
class SeriesJob:
    """A match to play.

    `specs` are the two bots. Each of the `openings` is for one game pair, and `at_once` games are
    played at a time. The players' tokens are kept in `state_dir` (None: the user's state folder)
    under the key `kept_for` (None: the server's address). `moves` asks for a message about every
    move. `games` limits their number (None: all). Bots pause up to `pause_s` seconds before moves,
    so that people can follow.
    """

    specs: tuple[str, str]
    settings: MatchSettings
    openings: tuple[tuple[int, ...], ...]
    seed: int
    at_once: int = 1
    state_dir: str | None = None
    kept_for: str | None = None
    moves: bool = False
    verbose: bool = False
    games: int | None = None
    pause_s: float = 0.0


@dataclass(slots=True)
class SeriesScore:
    """The score of a match from the first bot's point of view.

    `names` are the bots as `doublecross arena` shows them. `players` has these names by the bots'
    names on the server. `games` has the runner's message about each finished game, by its number in
    the plan.
    """

    total: int
    names: tuple[str, ...] = ("", "")
    players: dict[str, str] = field(default_factory=dict)
    http: str | None = None
    games: dict[int, Message] = field(default_factory=dict)

    @property
    def won(self) -> int:
        """The number of games that the first bot won."""
        return self._count("won")

    @property
    def drawn(self) -> int:
        """The number of games that were drawn."""
        return self._count("drawn")

    @property
    def lost(self) -> int:
        """The number of games that the first bot lost."""
        return self._count("lost")

    @property
    def score(self) -> float:
        """The points of the first bot: 1 for a win, half for a draw."""
        return self.won + self.drawn / 2

    @property
    def net(self) -> int:
        """The boxes of the first bot minus those of the other, over all games."""
        return sum(g["scores"][g["seat"]] - g["scores"][1 - g["seat"]] for g in self.games.values())

    @property
    def irregular(self) -> dict[str, int]:
        """The number of games that did not end on the board, by their termination."""
        found: dict[str, int] = {}
        for game in self.games.values():
            if game["termination"] != "completed":
                found[game["termination"]] = found.get(game["termination"], 0) + 1
        return found

    @property
    def game_ids(self) -> list[str]:
        """The ids of the finished games, in the order of the plan."""
        return [self.games[index]["game_id"] for index in sorted(self.games)]

    def _count(self, outcome: str) -> int:
        return sum(game["outcome"] == outcome for game in self.games.values())


async def play(
    job: SeriesJob,
    standing: SeriesScore,
    address: Awaitable[str],
    *,
    on_news: Callable[[Message], None],
    on_error_line: Callable[[str], None],
) -> None:
    """Play the match on the server at `address`.

    The processes of the bots start while the address is still awaited. `on_news` gets the messages
    about moves, games and the server's storage.

    Raises:
        SeriesFailed: the match could not be played to its end.
    """
    try:
        async with playing(job, address, on_error_line=on_error_line) as (first, second, names):
            standing.names = distinct(job.specs)
            standing.players = dict(zip(names, standing.names, strict=True))
            storage = _StorageNews(on_news)
            watching = asyncio.create_task(_watch(first, storage))
            listening = asyncio.create_task(_listen(second, standing, on_news, storage))
            try:
                await asyncio.wait({watching, listening}, return_when=asyncio.FIRST_COMPLETED)
                # If both tasks have ended, the end of the games counts.
                for task in (listening, watching):
                    if task.done():
                        task.result()
                        break
            finally:
                for task in (watching, listening):
                    task.cancel()
                await asyncio.gather(watching, listening, return_exceptions=True)
    except ChildEnded as ended:
        raise SeriesFailed(str(ended)) from None


@contextlib.asynccontextmanager
async def played(
    server: str | None,
    job: SeriesJob,
    standing: SeriesScore,
    *,
    on_news: Callable[[Message], None],
    on_error_line: Callable[[str], None],
) -> AsyncIterator[None]:
    """Play the match on `server`, or (None) on one that is started for it and thrown away.

    It is over when the context begins, and that server runs until the context ends. See `play`.

    Raises:
        SeriesFailed: the match could not be played to its end.
    """
    async with contextlib.AsyncExitStack() as stack:
        address: asyncio.Future[str]
        if server is None:
            # The stack removes this folder last, after the server has stopped.
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="doublecross-"))
            job = replace(job, state_dir=str(Path(folder) / "players"))
            database = str(Path(folder) / "match.db")
            address = asyncio.ensure_future(_own_server(stack, database, on_error_line))
        else:
            address = asyncio.get_running_loop().create_future()
            address.set_result(server)
        try:
            await play(job, standing, address, on_news=on_news, on_error_line=on_error_line)
        finally:
            address.cancel()
            await asyncio.gather(address, return_exceptions=True)
        yield


async def _own_server(
    stack: contextlib.AsyncExitStack, database: str, on_error_line: Callable[[str], None]
) -> str:
    """Start a server that `stack` stops, and return its address."""
    try:
        server, url = await start_server(database, on_error_line)
    except ChildEnded as ended:
        raise SeriesFailed(str(ended), at_start=True) from None
    stack.push_async_callback(server.stop)
    return url


@contextlib.asynccontextmanager
async def playing(
    job: SeriesJob,
    address: Awaitable[str],
    *,
    on_error_line: Callable[[str], None] = lambda line: None,
) -> AsyncIterator[tuple[Child, Child, tuple[str, str]]]:
    """Run the processes of the two bots for as long as the context lasts.

    The context gives both processes and the names of the bots on the server at `address`. The
    second process sends the messages about the games.

    Raises:
        ChildEnded: one of them could not be started.
        SeriesFailed: one of them could not join.
    """
    async with contextlib.AsyncExitStack() as stack:
        children: list[Child] = []
        for spec in job.specs:
            child = await Child.start(
                f"The process of {spec}",
                "doublecross.bots.hosting.series_player",
                on_error_line=on_error_line,
            )
            stack.push_async_callback(child.stop)
            children.append(child)
        url = await address
        first, second = children
        first.send(_orders(job, url, 0, None))
        here = _checked(await first.expect(), at_start=True)
        second.send(_orders(job, url, 1, here["name"]))
        there = _checked(await second.expect(), at_start=True)
        yield first, second, (here["name"], there["name"])


class _StorageNews:
    """Passes on once what both bots report: whether the server can store moves."""

    def __init__(self, on_news: Callable[[Message], None]) -> None:
        self._on_news = on_news
        self._refused: set[Child] = set()

    def note(self, child: Child, message: Message) -> None:
        """Take the report of one bot."""
        failed = bool(self._refused)
        if message["works"]:
            self._refused.discard(child)
        else:
            self._refused.add(child)
        if bool(self._refused) != failed:
            self._on_news({"what": "storage", "works": failed})


async def _listen(
    child: Child,
    standing: SeriesScore,
    on_news: Callable[[Message], None],
    storage: _StorageNews,
) -> None:
    while True:
        message = _checked(await child.expect())
        if message["what"] == "done":
            if message["problem"]:
                raise SeriesFailed(message["problem"])
            standing.http = message["http"]
            return
        if message["what"] == "storage":
            storage.note(child, message)
            continue
        if message["what"] == "game":
            if message["index"] is None or message["outcome"] == "void":
                continue  # it is not part of this match, or the runner plays it again
            message["seat"] = 1 - message["seat"]
            message["outcome"] = _TURNED[message["outcome"]]
            standing.games[message["index"]] = message
        on_news(message)


async def _watch(child: Child, storage: _StorageNews) -> None:
    """Raise when the first bot ends; it must stay until the end of the match."""
    while True:
        message = _checked(await child.expect())
        if message["what"] == "done":
            raise SeriesFailed(message["problem"] or "The first bot has left the server.")
        if message["what"] == "storage":
            storage.note(child, message)


def _checked(message: Message, *, at_start: bool = False) -> Message:
    if message["what"] == "problem":
        raise SeriesFailed(message["sentence"], message.get("trace", ""), at_start=at_start)
    return message


def _orders(job: SeriesJob, url: str, player: int, opponent: str | None) -> Message:
    """Return the job of one process; see `doublecross.bots.hosting.series_player`."""
    spec = job.specs[player]
    given, _ = parse_spec(spec).without_seed()
    return {
        "server": url,
        "spec": spec,
        # Two seeds: a bot against itself would otherwise play both games of a pair alike.
        "seed": 2 * job.seed + player if given is None else given,
        "settings": job.settings.model_dump(mode="json"),
        "opponent": opponent,
        "plan_id": secrets.token_hex(8),
        "openings": [] if opponent is None else job.openings,
        "at_once": job.at_once,
        "state_dir": job.state_dir,
        "kept_for": job.kept_for,
        "patience_s": _PATIENCE_S,
        "moves": job.moves and opponent is not None,
        "verbose": job.verbose,
        "games": job.games,
        "pause_s": job.pause_s,
    }
