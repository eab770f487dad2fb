"""An adviser that does not search: it advises all legal actions, and can wait, fail or be slow."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from doublecross.analysis.judgement import Estimate
from doublecross.analysis.values import ActionValue, PositionValues
from doublecross.games.api import Game
from doublecross.games.api.sentence import Sentence
from doublecross.server.shell.analysis.advice import AdviceFailedError

LEGAL: Final = Sentence.of("It is {what}.", {"what": Sentence("legal")}, rule="legal")


@dataclass(frozen=True, slots=True)
class Advised:
    """Advice that is the same for all positions with the same legal actions."""

    best: tuple[int, ...]
    net: float = 0.5
    exact: bool = False
    phrase: Sentence | None = LEGAL


class FakeAdviser:
    """Advise all legal actions. `hold` makes questions wait until `release`.

    `trouble` is the sentence with which the next question fails.
    """

    def __init__(self) -> None:
        self.asked: list[tuple[Game, tuple[int, ...], tuple[int, ...]]] = []
        self.thinking = 0
        self.most_thinking = 0
        self.trouble = ""
        self.closed = False
        self.rests = 0
        self._free = asyncio.Event()
        self._free.set()

    def hold(self) -> None:
        self._free.clear()

    def release(self) -> None:
        self._free.set()

    async def ask(self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> Advised:
        self.asked.append((game, opening, moves))
        self.thinking += 1
        self.most_thinking = max(self.most_thinking, self.thinking)
        try:
            await self._free.wait()
        finally:
            self.thinking -= 1
        trouble, self.trouble = self.trouble, ""
        if trouble:
            raise AdviceFailedError(trouble)
        return Advised(tuple(game.replay(opening, moves).legal_actions()))

    def has_policy(self, game: str) -> bool:
        return game == "dots-and-boxes"

    async def policy(
        self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]
    ) -> list[tuple[int, float]]:
        actions = game.replay(opening, moves).legal_actions()
        await self._free.wait()
        trouble, self.trouble = self.trouble, ""
        if trouble:
            raise AdviceFailedError(trouble)
        return [(action, 1 / len(actions)) for action in actions]

    async def values(
        self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]
    ) -> PositionValues:
        self.asked.append((game, opening, moves))
        await self._free.wait()
        trouble, self.trouble = self.trouble, ""
        if trouble:
            raise AdviceFailedError(trouble)
        value = Estimate(0.5, 1.25)
        actions = game.replay(opening, moves).legal_actions()
        return PositionValues(
            value, tuple(ActionValue(action, value) for action in actions), (actions[0],)
        )

    async def rest(self) -> None:
        self.rests += 1

    async def close(self) -> None:
        self.closed = True
