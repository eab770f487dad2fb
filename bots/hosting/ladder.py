"""Play a ladder with a server, an organiser and a process for each bot.

Theory of operation
-------------------
The database of the server keeps everything that must last: the tournament and its games. The tokens
of the organiser and the bots are in files beside it. The tournament's idempotency key follows from
its terms and bots, so the same ladder called again continues the same tournament. The key does not
depend on how many games are played at once, so another machine may continue it.

A bot whose process ends too soon is started again. If that happens again and again, the organiser
sets the bot aside, or the ladder would never end. When the server ends, the ladder ends; no
finished game is lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final

from doublecross.bots.hosting.orders import MODULE, play_options
from doublecross.bots.hosting.own_server import start_server
from doublecross.processes.child import Child, ChildEnded, wait_until_ended

if TYPE_CHECKING:
    from doublecross.bots.hosting.server_thread import RunningServer
    from doublecross.client.tokens import TokenFile
    from doublecross.client.transport import Client
    from doublecross.protocol.common import TournamentTerms
    from doublecross.protocol.server_messages import TournamentState

DATABASE: Final = "ladder.db"
TOKENS: Final = "tokens"
KEPT_FOR: Final = "ladder"
"""Under this key the bots and the organiser keep their tokens."""
OVER: Final = ("finished", "cancelled")
LOOK_S: Final = 0.5
"""Seconds between two requests for the table."""
STARTS: Final = 4
"""The number of starts in a row of a bot's process before the bot is given up."""
PAUSE_S: Final = 1.0
"""Seconds before a bot that ended is started again, times the number of ends in a row."""
STEADY_S: Final = 60.0
"""After so many seconds of play an end counts as the first one again."""
FREE_S: Final = 15.0
"""Seconds to wait for the server of a killed ladder to release the database."""
THINK_S: Final = 3600.0
"""The most seconds for a move: so long that only the clocks of the games count."""
MOST_EACH: Final = 256
"""The most games that one bot plays at once."""
NAME_WAIT_S: Final = 20.0
"""Seconds that a bot waits for a token that an earlier process still holds."""


class LadderFailed(Exception):  # noqa: N818 - named for what happened
    """A ladder cannot be played; the message is one sentence.

    `midway` is true when its server ended while it was played.
    """

    def __init__(self, sentence: str, *, midway: bool = False) -> None:
        super().__init__(sentence)
        self.midway = midway


@dataclass(frozen=True, slots=True)
class LadderOutcome:
    """The server's final data about the tournament, and all its records."""

    results: dict[str, Any]
    records: str


@dataclass(frozen=True, slots=True)
class LadderListener:
    """The functions that hear of a ladder.

    `on_started` gets the address of the server's page. `on_state` gets the state of the tournament
    and the loop's time in seconds. `on_note` gets sentences about failures.
    """

    on_started: Callable[[str], None]
    on_state: Callable[[TournamentState, float], None]
    on_note: Callable[[str], None]


class LadderRun:
    """Plays one ladder.

    `contenders` are the specs of the bots by their names, and `folder` has the database.
    `server` runs already on the database in `folder`; None: the ladder starts one, and stops it
    at its end. `openings` are those of the game pairs; with none the server draws them. `fetch`
    reads the outcome from the HTTP address of the server, given that and the id of the
    tournament.
    """

    def __init__(
        self,
        terms: TournamentTerms,
        contenders: dict[str, str],
        folder: Path,
        *,
        listener: LadderListener,
        fetch: Callable[[str, str], LadderOutcome],
        verbose: bool,
        server: RunningServer | None = None,
        openings: Sequence[Sequence[int]] = (),
    ) -> None:
        self._server = server
        self._terms = terms
        self._contenders = contenders
        self._folder = folder
        self._listener = listener
        self._fetch = fetch
        self._verbose = verbose
        self._openings = openings

    async def run(self) -> LadderOutcome:
        """Play the ladder to its end. Cancelling ends all processes and keeps finished games.

        Raises:
            LadderFailed: the server or a bot cannot run.
            ClientError: the server refuses the organiser or cannot be reached.
            TimeoutError: the server does not answer.
        """
        with self._locked_folder() as token:
            async with self._serving() as (url, ended):
                played = asyncio.create_task(self._play_tournament(url, token))
                try:
                    await asyncio.wait((ended, played), return_when=asyncio.FIRST_COMPLETED)
                    if not played.done():
                        # After the colon comes the last line of the server's log, which is for
                        # programmers.
                        how = ended.result().partition(":")[0].rstrip(".")
                        raise LadderFailed(
                            f"{how}. See its log with --verbose. The same command continues from"
                            " here.",
                            midway=True,
                        )
                    return played.result()
                finally:
                    # Before the server stops, so that nobody loses a connection.
                    played.cancel()
                    await asyncio.gather(played, return_exceptions=True)

    @contextlib.asynccontextmanager
    async def _serving(self) -> AsyncIterator[tuple[str, asyncio.Future[str]]]:
        """Give the address of the server, and a future for the sentence when it ends."""
        if self._server is not None:
            yield self._server.url, asyncio.wrap_future(self._server.ended)
            return
        server, url = await self._start_server()
        ended = asyncio.create_task(wait_until_ended(server))
        try:
            yield url, ended
        finally:
            await server.stop()
            await asyncio.gather(ended, return_exceptions=True)

    @contextlib.contextmanager
    def _locked_folder(self) -> Iterator[TokenFile]:
        """Lock the folder, so that no other process plays a ladder in it."""
        from doublecross.client.tokens import TokenFile

        file = TokenFile(self._folder / TOKENS, KEPT_FOR, "organiser")
        try:
            locked = file.hold()
        except OSError as error:
            raise LadderFailed(f"{self._folder} cannot be written: {error.strerror}.") from None
        if not locked:
            raise LadderFailed(
                f"Another process is playing a ladder in {self._folder}; use another --folder."
            )
        try:
            yield file
        finally:
            file.release()

    async def _start_server(self) -> tuple[Child, str]:
        """Start the server; return its process and address."""
        log = self._listener.on_note if self._verbose else lambda _: None
        loop = asyncio.get_running_loop()
        until = loop.time() + FREE_S
        while True:
            try:
                return await start_server(str(self._folder / DATABASE), log)
            except ChildEnded as error:
                # The server of a killed ladder takes a moment to end.
                if "is using the database" not in str(error) or loop.time() > until:
                    raise LadderFailed(str(error)) from None
            except OSError as error:
                raise LadderFailed(
                    f"The server cannot be started: {error.strerror or error}."
                ) from None
            await asyncio.sleep(LOOK_S)

    async def _play_tournament(self, url: str, token: TokenFile) -> LadderOutcome:
        """Open the tournament, play it and fetch its results."""
        async with self._organiser(url, token) as client:
            welcome = client.session.welcome
            http = "" if welcome is None else welcome.http or ""
            self._listener.on_started(http)
            tournament, state = await self._open_tournament(client)
            if state is not None:
                await self._run_bots(client, url, state)
            return await asyncio.to_thread(self._fetch, http, tournament)

    @contextlib.asynccontextmanager
    async def _organiser(self, url: str, token: TokenFile) -> AsyncIterator[Client]:
        from doublecross.client.options import Login, Memory
        from doublecross.client.tokens import start_known
        from doublecross.client.transport import Client

        client = await start_known(
            lambda known: Client(
                url,
                Login("human", name="organiser", token=known, client="doublecross ladder"),
                rng=SystemRandom(),
                memory=Memory(on_token=token.write),
            ),
            token.read(),
            patience_s=10.0,
        )
        try:
            yield client
        finally:
            await client.close()

    async def _open_tournament(self, client: Client) -> tuple[str, TournamentState | None]:
        """Create or find the tournament; return its id and its state (None: it has ended)."""
        agreed = self._terms.model_dump(mode="json", exclude={"games_at_once"})
        text = json.dumps([agreed, self._contenders, *self._openings])
        key = f"ladder-{hashlib.sha256(text.encode()).hexdigest()[:32]}"
        state = await client.tournaments.create(self._terms, key=key, openings=self._openings)
        if state.status in OVER:
            self._listener.on_note("This ladder has ended already; this is its result.")
            return state.tournament, None
        if state.note:
            self._listener.on_note(state.note)
        at_once = state.terms.games_at_once
        if at_once != self._terms.games_at_once:
            self._listener.on_note(f"It continues with {at_once} games at once, as it began.")
        return state.tournament, state

    async def _run_bots(self, client: Client, url: str, state: TournamentState) -> None:
        """Run the bots until all games are played."""
        loop = asyncio.get_running_loop()
        tournament, count = state.tournament, len(self._contenders)
        each = games_each(state.terms.games_at_once or 1, count)
        gone = {entrant.player for entrant in state.entrants if entrant.state != "in"}
        bots = {
            name: loop.create_task(self._keep_bot(url, tournament, name, spec, each), name=name)
            for name, spec in self._contenders.items()
            if name not in gone
        }
        try:
            while True:
                state = await client.tournaments.get(tournament)
                self._listener.on_state(state, loop.time())
                if state.status in OVER:
                    return
                for name in [name for name, bot in bots.items() if bot.done()]:
                    why = bots.pop(name).result()
                    if state.status == "open":
                        raise LadderFailed(f"{name} cannot play: {why or 'its process has ended.'}")
                    if why:
                        await self._give_up(client, tournament, name)
                if state.status == "open" and state.entrants_total == count:
                    await client.tournaments.start(tournament)
                    continue
                if _stuck(state):
                    await client.tournaments.end(tournament)
                    continue
                await asyncio.sleep(LOOK_S)
        finally:
            for bot in bots.values():
                bot.cancel()
            await asyncio.gather(*bots.values(), return_exceptions=True)

    async def _give_up(self, client: Client, tournament: str, name: str) -> None:
        """Set a bot aside, so that the tournament goes on without it."""
        from doublecross.client.core.errors import RequestRefused
        from doublecross.protocol.errors import ErrorCode

        try:
            await client.tournaments.set_aside(
                tournament, name, "its process ended again and again"
            )
        except RequestRefused as refused:
            # It is set aside already, or the tournament is over: the next state shows that.
            if refused.code not in (ErrorCode.WRONG_STATE, ErrorCode.UNKNOWN_TOURNAMENT):
                raise

    async def _keep_bot(self, url: str, tournament: str, name: str, spec: str, games: int) -> str:
        """Keep a bot playing `games` at once, and restart it when it exits.

        Returns:
            Why the bot was given up; empty when it has no more games to play.
        """
        orders = play_options(
            url,
            [(spec, name)],
            games=games,
            workers=games,
            pause_s=0.0,
            think_s=THINK_S,
            state_dir=self._folder / TOKENS,
            kept_for=KEPT_FOR,
            name_wait_s=NAME_WAIT_S,
            verbose=self._verbose,
            tournament=tournament,
        )
        ends = 0
        while True:
            why, lived_s = await self._run_bot(name, orders)
            if not why:
                return ""
            ends = 1 if lived_s >= STEADY_S else ends + 1
            if ends == STARTS:
                self._listener.on_note(f"{why} It is given up.")
                return why
            self._listener.on_note(f"{why} It is started again.")
            await asyncio.sleep(PAUSE_S * ends)

    async def _run_bot(self, name: str, orders: str) -> tuple[str, float]:
        """Run a bot's process once.

        Returns:
            Why it ended, empty if it was done, and for how many seconds it played.
        """
        loop, title = asyncio.get_running_loop(), f"The process of {name}"
        log = self._listener.on_note if self._verbose else lambda _: None
        try:
            child = await Child.start(title, MODULE, orders, on_error_line=log)
        except OSError as error:
            return f"{title} could not be started ({error.strerror or error}).", 0.0
        ready_at, problem = loop.time(), ""
        try:
            while (message := await child.receive()) is not None:
                if message["what"] == "problem":
                    problem = message["sentence"]
                else:
                    ready_at = loop.time()
            why = await child.ending_sentence()
        finally:
            await child.stop()
        if why.startswith(f"{title} ended with exit code 0"):
            if problem:  # such as being set aside
                self._listener.on_note(problem)
            return "", 0.0
        if problem:
            why = problem if name in problem else f"{name}: {problem}"
        return why, loop.time() - ready_at


def games_each(at_once: int, bots: int) -> int:
    """Return how many games each bot must play at once so that `at_once` games can run."""
    return min(MOST_EACH, max(1, -(-2 * at_once // bots)))


def _stuck(state: TournamentState) -> bool:
    """Return whether nobody is left to play in a tournament that would never end by itself."""
    left = [entrant for entrant in state.entrants if entrant.state == "in"]
    playing = any(entrant.playing for entrant in state.entrants)
    return state.status == "running" and len(left) < 2 and not playing
