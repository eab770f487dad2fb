"""Count the games of a runner, each exactly once."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Final

from doublecross.bots.runner.config import GameResult, RunnerConfig, RunnerReport
from doublecross.bots.runner.tasks import StopRequests
from doublecross.games.registry import make_game

log = logging.getLogger(__name__)

_REMEMBERED: Final = 4096
"""How many finished games are remembered, so that none is counted twice."""


class ResultCounter:
    """Adds finished games to the report and calls `config.on_game` with them.

    After `config.games` games it requests that the runner begins no new ones.
    """

    def __init__(self, config: RunnerConfig, report: RunnerReport, stopping: StopRequests) -> None:
        self._config = config
        self._report = report
        self._stopping = stopping
        self._known: dict[str, None] = {}

    @property
    def counted(self) -> int:
        """The number of counted games that have a result."""
        return self._report.games

    def is_counted(self, game_id: str) -> bool:
        """Return whether this game has been counted, or skipped."""
        return game_id in self._known

    def skip(self, game_id: str) -> None:
        """Never count this game, because an earlier run has played it."""
        self._known[game_id] = None

    def count(self, result: GameResult, index: int | None) -> None:
        """Count a game; `index` is its number in the plan, None without a plan."""
        self._known[result.game_id] = None
        if len(self._known) > _REMEMBERED:
            del self._known[next(iter(self._known))]
        result = replace(result, index=index)
        self._report.count(result)
        game = make_game(result.settings.game, result.settings.params).full_title
        log.info("%s in room %s: %s.", game, result.room, result)
        if self._config.on_game is not None:
            self._config.on_game(result)
        if self._config.games is not None and self.counted >= self._config.games:
            self._stopping.end_new_games()

    def count_planned(self, index: int, result: GameResult) -> None:
        """Add the result of game `index` of the plan to the report; count it if it is new."""
        self._report.plan[index] = replace(result, index=index)
        if not self.is_counted(result.game_id):
            self.count(result, index)
