"""A match of many games between two bots: its processes, and how it stands.

Theory of operation
-------------------
Each bot is a child process that joins the server as a player. The first one takes challenges;
as soon as it is there, the second one is given the plan: two games from each opening, one with
either seat. Its runner plays each game of the plan exactly once, whatever happens to connections
or to the server meanwhile. This process only listens, turns what it hears to the first bot's
side, and adds up.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Final

from bots.registry import parse_spec
from cli.shared.children import Child, ChildEnded
from cli.shared.console import FAILED, Problem

if TYPE_CHECKING:
    from games.api import Game
    from protocol.common import MatchSettings

Message = dict[str, Any]

_PATIENCE_S: Final = 1.0
_TURNED: Final = {"won": "lost", "lost": "won", "drawn": "drawn"}


@dataclass(frozen=True, slots=True)
class SeriesJob:
    """A match to be played: `specs` of the two bots, `openings` each for one game pair, `at_once`
    games at a time. `state_dir` is where the players' tokens are kept (None: in the user's state
    folder), and `kept_for` what tells servers apart there (None: the address). `moves` asks for
    every move. `games` are no more than so many (None: all), and `pause_s` is how long the bots
    pause before moves, for people who watch (0: not at all)."""

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
    """How a match stands, from the side of the first bot. `games` has what the runner told of
    each finished game, by its number in the plan."""

    total: int
    names: tuple[str, str] = ("", "")
    http: str | None = None
    games: dict[int, Message] = field(default_factory=dict)

    @property
    def won(self) -> int:
        """Games that the first bot won."""
        return self._count("won")

    @property
    def drawn(self) -> int:
        """Drawn games."""
        return self._count("drawn")

    @property
    def lost(self) -> int:
        """Games that the first bot lost."""
        return self._count("lost")

    @property
    def score(self) -> float:
        """Points of the first bot: 1 for a game won, half for a draw."""
        return self.won + self.drawn / 2

    @property
    def net(self) -> int:
        """Boxes of the first bot minus those of the other, over all games."""
        return sum(g["scores"][g["seat"]] - g["scores"][1 - g["seat"]] for g in self.games.values())

    @property
    def irregular(self) -> dict[str, int]:
        """How many games ended otherwise than on the board, by how."""
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


def find_openings(
    game: Game, pairs: int, seed: int, length: int | None = None
) -> tuple[tuple[tuple[int, ...], ...], str]:
    """An opening of `length` actions (None: as the game has it) for each of `pairs` game pairs,
    and a sentence if they cannot all differ."""
    from games.api import GameError

    try:
        openings = game.openings(Random(seed), pairs, length)
    except GameError as error:
        raise Problem(str(error)) from None
    found = openings.found or ((),)
    if len(found) >= pairs:
        return found[:pairs], ""
    repeated = (found * math.ceil(pairs / len(found)))[:pairs]
    return repeated, f"{openings.sentence} Openings are repeated."


async def play(
    job: SeriesJob,
    standing: SeriesScore,
    address: Awaitable[str],
    *,
    on_news: Callable[[Message], None],
    on_error_line: Callable[[str], None],
) -> None:
    """Play the match on the server at `address`, which the bots' processes need not wait for to
    come up; `on_news` gets what is told of moves and games.

    Raises:
        Problem: it could not be played to its end.
    """
    try:
        async with playing(job, address, on_error_line=on_error_line) as (first, second, names):
            standing.names = names
            watching = asyncio.create_task(_watch(first))
            listening = asyncio.create_task(_listen(second, standing, on_news))
            try:
                await asyncio.wait({watching, listening}, return_when=asyncio.FIRST_COMPLETED)
                for task in (listening, watching):
                    if task.done():
                        task.result()
                        break
            finally:
                for task in (watching, listening):
                    task.cancel()
                await asyncio.gather(watching, listening, return_exceptions=True)
    except ChildEnded as ended:
        raise Problem(str(ended), FAILED) from None


@contextlib.asynccontextmanager
async def playing(
    job: SeriesJob,
    address: Awaitable[str],
    *,
    on_error_line: Callable[[str], None] = lambda line: None,
) -> AsyncIterator[tuple[Child, Child, tuple[str, str]]]:
    """The processes of the two bots, at work on the server at `address`, and their names there;
    the second one tells of the games. They end with the context.

    Raises:
        ChildEnded: one of them could not be started.
        Problem: one of them could not join.
    """
    async with contextlib.AsyncExitStack() as stack:
        children: list[Child] = []
        for spec in job.specs:
            child = await Child.start(
                f"The process of {spec}", "cli.match.player", on_error_line=on_error_line
            )
            stack.push_async_callback(child.stop)
            children.append(child)
        url = await address
        first, second = children
        first.tell(_orders(job, url, 0, None))
        here = _checked(await first.expect())
        second.tell(_orders(job, url, 1, here["name"]))
        there = _checked(await second.expect())
        yield first, second, (here["name"], there["name"])


async def _listen(child: Child, standing: SeriesScore, on_news: Callable[[Message], None]) -> None:
    while True:
        message = _checked(await child.expect(), FAILED)
        if message["what"] == "done":
            if message["problem"]:
                raise Problem(message["problem"], FAILED)
            standing.http = message["http"]
            return
        if message["what"] == "game":
            if message["index"] is None or message["outcome"] == "void":
                continue  # not of this match, or the runner plays it again
            message["seat"] = 1 - message["seat"]
            message["outcome"] = _TURNED[message["outcome"]]
            standing.games[message["index"]] = message
        on_news(message)


async def _watch(child: Child) -> None:
    """Only returns by an error: the first bot must be there to the end."""
    while True:
        message = _checked(await child.expect(), FAILED)
        if message["what"] == "done":
            raise Problem(message["problem"] or "The first bot has left.", FAILED)


def _checked(message: Message, code: int | None = None) -> Message:
    if message["what"] == "problem":
        raise Problem(message["sentence"]) if code is None else Problem(message["sentence"], code)
    return message


def _orders(job: SeriesJob, url: str, player: int, opponent: str | None) -> Message:
    """The job of one process; see `cli.match.player`."""
    spec = job.specs[player]
    given, _ = parse_spec(spec).without_seed()
    return {
        "server": url,
        "spec": spec,
        # Two seeds, or a bot against itself would play each game of a pair exactly alike.
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
