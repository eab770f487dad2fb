"""Plays a ladder: a server, an organiser and a process for each bot, until all games are played.

Theory of operation
-------------------
Everything that must last is in the database of the server: the tournament, its games, and the
tokens of organiser and bots in files beside it. The tournament's idempotency key follows from its
terms and bots, so that the same ladder called again is the same tournament and goes on. A bot whose
process ends too soon is started again; one that the tournament has set aside stays away.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final

from cli.children import Child, ChildEnded, start_server
from cli.console import Problem, telling
from cli.residents import MODULE, orders_for
from cli.tournament_results import fetch_tournament, fetch_tournament_records

if TYPE_CHECKING:
    from client.transport import Client
    from protocol.common import TournamentTerms
    from protocol.server_messages import TournamentState

LOOK_S: Final = 0.5
"""Between two looks at the table, in seconds."""
STARTS: Final = 4
"""How often a bot's process is started before it is given up."""
NAME_WAIT_S: Final = 20.0
"""How long a bot waits for the token that an earlier process has not let go of, in seconds."""


@dataclass(frozen=True, slots=True)
class Outcome:
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

    async def run(self) -> Outcome:
        """Play it to its end. Cancelling it ends all processes; what was played is kept.

        Raises:
            Problem: the server or the bots cannot be had.
        """
        log = self._on_note if self._verbose else lambda _: None
        database = str(self._folder / "ladder.db")
        try:
            server, url = await start_server(database, log)
        except ChildEnded as error:
            raise Problem(str(error)) from None
        try:
            async with self._organiser(url) as client:
                tournament, ended = await self._opened(client)
                if not ended:
                    await self._played(client, url, tournament)
                welcome = client.session.welcome
                http = "" if welcome is None else welcome.http or ""
                return await asyncio.to_thread(self._fetched, http, tournament)
        finally:
            await server.stop()

    def _fetched(self, http: str, tournament: str) -> Outcome:
        return Outcome(
            fetch_tournament(http, tournament), fetch_tournament_records(http, tournament)
        )

    @contextlib.asynccontextmanager
    async def _organiser(self, url: str) -> AsyncIterator[Client]:
        from client.tokens import TokenFile, start_known
        from client.transport import Client

        file = TokenFile(self._folder / "tokens", "ladder", "organiser")
        if not file.hold():
            raise Problem(f"A ladder is being played in {self._folder} already.")
        try:
            with telling():
                client = await start_known(
                    lambda token: Client(
                        url,
                        kind="human",
                        rng=SystemRandom(),
                        name="organiser",
                        token=token,
                        client="doublecross ladder",
                        on_token=file.write,
                    ),
                    file.read(),
                    patience_s=10.0,
                )
            try:
                with telling():
                    yield client
            finally:
                await client.close()
        finally:
            file.release()

    async def _opened(self, client: Client) -> tuple[str, bool]:
        """The tournament's id, and whether it has ended already."""
        from client.errors import RequestRefused
        from protocol.errors import ErrorCode
        from server.tournament_messages import id_of

        text = json.dumps([self._terms.model_dump(mode="json"), self._contenders])
        key = f"ladder-{hashlib.sha256(text.encode()).hexdigest()[:32]}"
        try:
            state = await client.create_tournament(self._terms, key=key)
        except RequestRefused as refused:
            if refused.code != ErrorCode.WRONG_STATE:
                raise
            self._on_note("This ladder has been played to its end; here it is again.")
            return id_of("organiser", key), True
        if state.note:
            self._on_note(state.note)
        return state.tournament, False

    async def _played(self, client: Client, url: str, tournament: str) -> None:
        """Have all games played."""
        loop = asyncio.get_running_loop()
        bots = [
            loop.create_task(self._kept(url, tournament, name, spec), name=name)
            for name, spec in self._contenders.items()
        ]
        try:
            while True:
                state = await client.get_tournament(tournament)
                self._on_state(state, loop.time())
                if state.status in ("finished", "cancelled"):
                    break
                if state.status == "open":
                    self._check_bots(bots)
                    if state.entrants_total == len(self._contenders):
                        await client.start_tournament(tournament)
                        continue
                elif all(bot.done() for bot in bots):
                    raise Problem("No bot plays any more, and the tournament is not over.")
                await asyncio.sleep(LOOK_S)
        finally:
            for bot in bots:
                bot.cancel()
            await asyncio.gather(*bots, return_exceptions=True)

    def _check_bots(self, bots: list[asyncio.Task[str]]) -> None:
        """Before the start all must come.

        Raises:
            Problem: one has given up.
        """
        for bot in bots:
            if bot.done() and not bot.cancelled():
                raise Problem(f"{bot.get_name()} cannot play: {bot.result()}")

    async def _kept(self, url: str, tournament: str, name: str, spec: str) -> str:
        """Keep a bot playing; why it plays no more, empty when the tournament has ended."""
        orders = orders_for(
            url,
            spec,
            name,
            games=1,
            pause_s=0.0,
            state_dir=self._folder / "tokens",
            kept_for="ladder",
            name_wait_s=NAME_WAIT_S,
            verbose=self._verbose,
            tournament=tournament,
        )
        why = ""
        for start in range(1, STARTS + 1):
            child = await Child.start(
                name,
                MODULE,
                "play",
                orders,
                on_error_line=self._on_note if self._verbose else lambda _: None,
            )
            try:
                problem = ""
                while (message := await child.hear()) is not None:
                    if message["what"] == "problem":
                        problem = message["sentence"]
                why = await child.ending()
                if " with exit code 0" in why:
                    if problem:
                        self._on_note(problem)
                    return problem
                why = problem or why
            finally:
                await child.stop()
            if start < STARTS:
                self._on_note(f"{why} It is started again.")
                await asyncio.sleep(start)
        self._on_note(f"{name} is given up: {why}")
        return why
