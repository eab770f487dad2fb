"""Enter a bot into a tournament, and stop the runner when the tournament is over for the bot."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from doublecross.bots.api import BotError
from doublecross.bots.runner.config import RunnerConfig, RunnerError, RunnerReport
from doublecross.bots.runner.correspondence import ASK_S
from doublecross.bots.runner.tasks import StopRequests
from doublecross.client.core.errors import RequestRefused
from doublecross.client.transport import Client
from doublecross.games.api import Game, GameError
from doublecross.games.registry import make_game
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import TournamentState

log = logging.getLogger(__name__)

_JOIN_TRIES: Final = 10
_JOIN_S: Final = 1.0
"""How often the bot tries to join while the server cannot store the entry, and the seconds between
two attempts."""


class TournamentEntry:
    """Enters a bot into the tournament `config.tournament`; does nothing if that is None.

    `plays` says which games the bot plays, `playing` how many of its games are being played.
    `get_ready` makes the bot once for the tournament's game, which may take long.
    """

    def __init__(
        self,
        config: RunnerConfig,
        plays: Callable[[Game], bool],
        client: Client,
        report: RunnerReport,
        stopping: StopRequests,
        playing: Callable[[], int],
        get_ready: Callable[[Game], Awaitable[None]],
    ) -> None:
        self._config = config
        self._tournament = config.tournament
        self._plays = plays
        self._client = client
        self._report = report
        self._stopping = stopping
        self._playing = playing
        self._get_ready = get_ready
        self._plays_on = False
        """True while the bot has games by days in play, whose end it may not hear of."""
        self._asked_s: float | None = None
        """When the bot last asked whether these games are over, in seconds."""

    async def enter(self) -> None:
        """Join the tournament. If it is over, set the `problem` of the report.

        Raises:
            RunnerError: the tournament refuses this player.
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
        """Request the state of the tournament, which may have changed without a connection."""
        if self._tournament is not None:
            with contextlib.suppress(RequestRefused):
                await self._client.tournaments.get(self._tournament)

    def check(self, now_s: float) -> bool:
        """Return whether to request the state; games by days may be over by now."""
        if not self._plays_on or (self._asked_s is not None and now_s - self._asked_s < ASK_S):
            return False
        self._asked_s = now_s
        return True

    def update(self, state: TournamentState) -> None:
        """Handle the state of a tournament: begin no new games if it has none for this bot."""
        if state.tournament != self._tournament or self._stopping.no_new_games.is_set():
            return
        if state.next_season is not None:
            log.info("A new season of %s has begun: %s.", state.terms.name, state.next_season)
            self._tournament = state.next_season
            return
        mine = next((e for e in state.entrants if e.player == self._report.name), None)
        by_days = state.terms.settings.time.by_days
        self._plays_on = by_days and mine is not None and mine.playing > 0
        if self._plays_on:
            return
        if state.status in ("finished", "cancelled"):
            log.info("The tournament %s has ended.", state.terms.name)
            self._stopping.end_new_games()
        elif mine is not None and mine.state == "aside":
            self._report.problem = f"The tournament has excluded {mine.player}: {mine.reason}."
            self._stopping.end_new_games()

    async def _join(self, tournament: str) -> TournamentState:
        client = self._client
        state = await client.tournaments.get(tournament)
        if state.status in ("open", "running") or state.next_season is not None:
            try:
                await self._get_ready(self._game_of(state))
            except BotError as error:
                raise RunnerError(str(error)) from None
            try:
                at_once = self._config.policy.at_once
                return await client.tournaments.join(tournament, at_once=at_once)
            except RequestRefused as refused:
                if refused.code != ErrorCode.UNKNOWN_TOURNAMENT:
                    raise
                return await client.tournaments.get(tournament)  # it ended in between
        return state

    def _entered(self, state: TournamentState) -> None:
        self._tournament = state.tournament  # a later season of a ladder
        log.info("In the tournament %s, which is %s.", state.terms.name, state.status)
        if state.status not in ("open", "running"):
            self.update(state)
            if self._stopping.no_new_games.is_set() and not self._playing():
                self._report.problem = f"The tournament {state.terms.name} is over."
        elif self._config.on_entered is not None:
            self._config.on_entered(self._report.name, state)

    def _game_of(self, state: TournamentState) -> Game:
        """Return the tournament's game, which the bot must play.

        Raises:
            RunnerError: the bot does not play it.
        """
        settings = state.terms.settings
        try:
            game = make_game(settings.game, settings.params)
        except GameError as error:
            raise RunnerError(str(error)) from None
        if not self._plays(game):
            raise RunnerError(
                f"The bot {self._config.spec.name} does not play {game.title} {game.size}, the game"
                f" of the tournament {state.terms.name}."
            )
        return game
