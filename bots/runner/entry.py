"""The entry of a bot into a tournament: joins it, and notices when it is over for the bot."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Final

from bots.api import Bot
from bots.runner.config import RunnerConfig, RunnerError, RunnerReport
from bots.runner.tasks import StopRequests
from client.core.errors import RequestRefused
from client.transport import Client
from games.api import GameError
from games.registry import make_game
from protocol.errors import ErrorCode
from protocol.server_messages import TournamentState

log = logging.getLogger(__name__)

_JOIN_TRIES: Final = 10
_JOIN_S: Final = 1.0
"""How often a tournament is asked to let this bot in while the server's storage is behind, and how
long it waits in between, in seconds."""


class TournamentEntry:
    """Keeps a bot in the tournament `config.tournament`; does nothing where that is None.

    `playing` counts the bot's games that are going on.
    """

    def __init__(
        self,
        config: RunnerConfig,
        bot: type[Bot],
        client: Client,
        report: RunnerReport,
        stopping: StopRequests,
        playing: Callable[[], int],
    ) -> None:
        self._config = config
        self._tournament = config.tournament
        self._bot = bot
        self._client = client
        self._report = report
        self._stopping = stopping
        self._playing = playing

    async def enter(self) -> None:
        """Join the tournament. Where it is over, that is the `problem` of the report.

        Raises:
            RunnerError: it does not let this player in.
        """
        if self._tournament is None:
            return
        for tries in range(_JOIN_TRIES, 0, -1):
            try:
                state = await self._join(self._tournament)
            except RequestRefused as refused:
                if refused.code != ErrorCode.STORAGE_FAILED or tries == 1:
                    raise RunnerError(refused.sentence) from None
            else:
                self._entered(state)
                return
            await asyncio.sleep(_JOIN_S)

    async def refresh(self) -> None:
        """Ask what has become of the tournament while this runner was away."""
        if self._tournament is not None:
            with contextlib.suppress(RequestRefused):
                await self._client.get_tournament(self._tournament)

    def see(self, state: TournamentState) -> None:
        """Ask the runner to begin no more games when the tournament has none for this bot."""
        if state.tournament != self._tournament or self._stopping.no_more.is_set():
            return
        mine = next((e for e in state.entrants if e.player == self._report.name), None)
        if state.status in ("finished", "cancelled"):
            log.info("The tournament %s has ended.", state.terms.name)
            self._stopping.begin_no_more()
        elif mine is not None and mine.state == "aside":
            self._report.problem = f"The tournament has set {mine.player} aside: {mine.reason}."
            self._stopping.begin_no_more()

    async def _join(self, tournament: str) -> TournamentState:
        client = self._client
        state = await client.get_tournament(tournament)
        if state.status in ("open", "running"):
            self._check_plays(state)
            try:
                at_once = self._config.policy.at_once
                return await client.join_tournament(tournament, at_once=at_once)
            except RequestRefused as refused:
                if refused.code != ErrorCode.UNKNOWN_TOURNAMENT:
                    raise
                return await client.get_tournament(tournament)  # it has just ended
        return state

    def _entered(self, state: TournamentState) -> None:
        log.info("In the tournament %s, which is %s.", state.terms.name, state.status)
        if state.status not in ("open", "running"):
            if not self._playing():
                self._report.problem = f"The tournament {state.terms.name} is over."
            self._stopping.begin_no_more()
        elif self._config.on_entered is not None:
            self._config.on_entered(self._report.name, state)

    def _check_plays(self, state: TournamentState) -> None:
        """Refuse a tournament of what this bot cannot play.

        Raises:
            RunnerError: it does not play that.
        """
        settings = state.terms.settings
        try:
            game = make_game(settings.game, settings.params)
        except GameError as error:
            raise RunnerError(str(error)) from None
        if not self._bot.plays(game):
            raise RunnerError(
                f"The bot {self._config.spec.name} does not play {game.title} {game.size}, which"
                f" the tournament {state.terms.name} is about."
            )
