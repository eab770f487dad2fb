"""Plays a ladder: a server, an organiser and a process for each bot, until all games are played.

Theory of operation
-------------------
Everything that must last is in the database of the server: the tournament, its games, and the
tokens of organiser and bots in files beside it. The tournament's idempotency key follows from its
terms and bots, so that the same ladder called again is the same tournament and goes on. How many
games are played at once is no part of it: another machine may go on.

A bot whose process ends too soon is started again; when that happens again and again it is set
aside, or the ladder would never end. One that is set aside stays away. When the server ends, all
ends; nothing that was played is lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final

from cli.play.local_server import wait_until_ended
from cli.serve.residents import MODULE, play_options
from cli.shared.children import Child, ChildEnded, start_server
from cli.shared.console import FAILED, Problem, user_problems
from cli.tournament.results import fetch_tournament, fetch_tournament_records

if TYPE_CHECKING:
    from client.tokens import TokenFile
    from client.transport import Client
    from protocol.common import TournamentTerms
    from protocol.server_messages import TournamentState

OVER: Final = ("finished", "cancelled")
LOOK_S: Final = 0.5
"""Between two looks at the table, in seconds."""
STARTS: Final = 4
"""How often in a row a bot's process is started before it is given up."""
PAUSE_S: Final = 1.0
"""Before a bot that ended is started again, in seconds; twice as long after two times."""
STEADY_S: Final = 60.0
"""After having been there for so long, in seconds, an end is a first one again."""
FREE_S: Final = 15.0
"""How long the server of a ladder that was killed may hold the database, in seconds."""
THINK_S: Final = 3600.0
"""The most for a move, in seconds: the clocks of the games alone are to count."""
MOST_EACH: Final = 256
"""The most games of one bot at once."""
NAME_WAIT_S: Final = 20.0
"""How long a bot waits for the token that an earlier process has not let go of, in seconds."""


@dataclass(frozen=True, slots=True)
class LadderOutcome:
    """What the server tells of the tournament in the end, and all its records."""

    results: dict[str, Any]
    records: str


class LadderRun:
    """One ladder. `contenders` are the bots' specs by their names; `folder` has its database.
    `on_state` is told how it stands, with the loop's time in seconds, `on_note` whatever goes
    wrong on the way."""

    def __init__(
        self,
        terms: TournamentTerms,
        contenders: dict[str, str],
        folder: Path,
        *,
        on_state: Callable[[TournamentState, float], None],
        on_note: Callable[[str], None],
        verbose: bool,
    ) -> None:
        self._terms = terms
        self._contenders = contenders
        self._folder = folder
        self._on_state = on_state
        self._on_note = on_note
        self._verbose = verbose

    async def run(self) -> LadderOutcome:
        """Play it to its end. Cancelling it ends all processes; what was played is kept.

        Raises:
            Problem: the server or the bots cannot be had.
        """
        with self._alone() as token:
            server, url = await self._server()
            ended = asyncio.create_task(wait_until_ended(server))
            played = asyncio.create_task(self._all(url, token))
            try:
                await asyncio.wait({ended, played}, return_when=asyncio.FIRST_COMPLETED)
                if not played.done():
                    # Behind the colon are the last words of its log.
                    how = ended.result().partition(":")[0].rstrip(".")
                    raise Problem(
                        f"{how}; --verbose shows its log, and the same command goes on from here.",
                        FAILED,
                    )
                return played.result()
            finally:
                played.cancel()
                await asyncio.gather(played, return_exceptions=True)
                await server.stop()
                await asyncio.gather(ended, return_exceptions=True)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[TokenFile]:
        """In this context no other process plays a ladder in the folder."""
        from client.tokens import TokenFile

        file = TokenFile(self._folder / "tokens", "ladder", "organiser")
        try:
            held = file.hold()
        except OSError as error:
            raise Problem(f"{self._folder} cannot be written: {error.strerror}.") from None
        if not held:
            raise Problem(f"A ladder is being played in {self._folder} already.")
        try:
            yield file
        finally:
            file.release()

    async def _server(self) -> tuple[Child, str]:
        """Its process and its address."""
        log = self._on_note if self._verbose else lambda _: None
        loop = asyncio.get_running_loop()
        until = loop.time() + FREE_S
        while True:
            try:
                return await start_server(str(self._folder / "ladder.db"), log)
            except ChildEnded as error:
                # The server of a ladder that was killed sees it, and takes a moment to end.
                if "is using the database" not in str(error) or loop.time() > until:
                    raise Problem(str(error)) from None
            except OSError as error:
                raise Problem(f"No server can be started: {error.strerror or error}.") from None
            await asyncio.sleep(LOOK_S)

    async def _all(self, url: str, token: TokenFile) -> LadderOutcome:
        """Everything that is done on the server."""
        async with self._organiser(url, token) as client:
            tournament, state = await self._opened(client)
            if state is not None:
                await self._played(client, url, state)
            welcome = client.session.welcome
            http = "" if welcome is None else welcome.http or ""
            return await asyncio.to_thread(self._fetched, http, tournament)

    def _fetched(self, http: str, tournament: str) -> LadderOutcome:
        return LadderOutcome(
            fetch_tournament(http, tournament), fetch_tournament_records(http, tournament)
        )

    @contextlib.asynccontextmanager
    async def _organiser(self, url: str, token: TokenFile) -> AsyncIterator[Client]:
        from client.tokens import start_known
        from client.transport import Client

        with user_problems():
            client = await start_known(
                lambda known: Client(
                    url,
                    kind="human",
                    rng=SystemRandom(),
                    name="organiser",
                    token=known,
                    client="doublecross ladder",
                    on_token=token.write,
                ),
                token.read(),
                patience_s=10.0,
            )
        try:
            with user_problems():
                yield client
        finally:
            await client.close()

    async def _opened(self, client: Client) -> tuple[str, TournamentState | None]:
        """The tournament's id, and how it stands; None when it has ended already."""
        agreed = self._terms.model_dump(mode="json", exclude={"games_at_once"})
        text = json.dumps([agreed, self._contenders])
        key = f"ladder-{hashlib.sha256(text.encode()).hexdigest()[:32]}"
        state = await client.create_tournament(self._terms, key=key)
        if state.status in OVER:
            self._on_note("This ladder has been played to its end; here it is again.")
            return state.tournament, None
        if state.note:
            self._on_note(state.note)
        at_once = state.terms.games_at_once
        if at_once != self._terms.games_at_once:
            self._on_note(f"It goes on with as many games at once as it was begun with: {at_once}.")
        return state.tournament, state

    async def _played(self, client: Client, url: str, state: TournamentState) -> None:
        """Have all games played."""
        loop = asyncio.get_running_loop()
        tournament, count = state.tournament, len(self._contenders)
        each = games_each(state.terms.games_at_once or 1, count)
        gone = {entrant.player for entrant in state.entrants if entrant.state != "in"}
        bots = {
            name: loop.create_task(self._kept(url, tournament, name, spec, each), name=name)
            for name, spec in self._contenders.items()
            if name not in gone
        }
        try:
            while True:
                state = await client.get_tournament(tournament)
                self._on_state(state, loop.time())
                if state.status in OVER:
                    return
                for name in [name for name, bot in bots.items() if bot.done()]:
                    why = bots.pop(name).result()
                    if state.status == "open":
                        raise Problem(f"{name} cannot play: {why or 'its process has ended.'}")
                    if why:
                        await self._give_up(client, tournament, name)
                if state.status == "open" and state.entrants_total == count:
                    await client.start_tournament(tournament)
                    continue
                if _stuck(state):
                    await client.end_tournament(tournament)
                    continue
                await asyncio.sleep(LOOK_S)
        finally:
            for bot in bots.values():
                bot.cancel()
            await asyncio.gather(*bots.values(), return_exceptions=True)

    async def _give_up(self, client: Client, tournament: str, name: str) -> None:
        """Let the tournament go on without a bot."""
        from client.core.errors import RequestRefused
        from protocol.errors import ErrorCode

        try:
            await client.set_aside(tournament, name, "its process ended again and again")
        except RequestRefused as refused:
            # It is aside, or the tournament is over: that is seen by the next look.
            if refused.code not in (ErrorCode.WRONG_STATE, ErrorCode.UNKNOWN_TOURNAMENT):
                raise

    async def _kept(self, url: str, tournament: str, name: str, spec: str, games: int) -> str:
        """Keep a bot playing `games` at once; why it is given up, empty when it has no more games
        to play."""
        orders = play_options(
            url,
            spec,
            name,
            games=games,
            workers=games,
            pause_s=0.0,
            think_s=THINK_S,
            state_dir=self._folder / "tokens",
            kept_for="ladder",
            name_wait_s=NAME_WAIT_S,
            verbose=self._verbose,
            tournament=tournament,
        )
        ends = 0
        while True:
            why, lived_s = await self._live(name, orders)
            if not why:
                return ""
            ends = 1 if lived_s >= STEADY_S else ends + 1
            if ends == STARTS:
                self._on_note(f"{why} It is given up.")
                return why
            self._on_note(f"{why} It is started again.")
            await asyncio.sleep(PAUSE_S * ends)

    async def _live(self, name: str, orders: str) -> tuple[str, float]:
        """Run a bot's process once: why it ended, empty if it was to, and for how many seconds the
        bot was there."""
        loop, title = asyncio.get_running_loop(), f"The process of {name}"
        log = self._on_note if self._verbose else lambda _: None
        try:
            child = await Child.start(title, MODULE, "play", orders, on_error_line=log)
        except OSError as error:
            return f"{title} could not be started ({error.strerror or error}).", 0.0
        ready_at, problem = loop.time(), ""
        try:
            try:
                while (message := await child.hear()) is not None:
                    if message["what"] == "problem":
                        problem = message["sentence"]
                    else:
                        ready_at = loop.time()
            except ValueError:  # killed in the middle of a line
                pass
            why = await child.ending()
        finally:
            await child.stop()
        if why.startswith(f"{title} ended with exit code 0"):
            if problem:  # such as being set aside
                self._on_note(problem)
            return "", 0.0
        if problem:
            why = problem if name in problem else f"{name}: {problem}"
        return why, loop.time() - ready_at


def games_each(at_once: int, bots: int) -> int:
    """How many games each of some bots must be able to play so that there can be `at_once`."""
    return min(MOST_EACH, max(1, -(-2 * at_once // bots)))


def _stuck(state: TournamentState) -> bool:
    """Whether it would go on for ever, as an open-ended format does, with nobody left to play."""
    left = [entrant for entrant in state.entrants if entrant.state == "in"]
    playing = any(entrant.playing for entrant in state.entrants)
    return state.status == "running" and len(left) < 2 and not playing
