"""Advice of a server for people who play bots: asks the process that also advises the window."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from doublecross.bots.advising.advice import AdviceClient, AdviceError
from doublecross.bots.advising.policy import has_policy
from doublecross.bots.registry import ENGINES
from doublecross.server.shell.analysis.advice import AdviceFailedError

if TYPE_CHECKING:
    from doublecross.analysis.advice import Advice
    from doublecross.analysis.values import PositionValues
    from doublecross.games.api import Game


class ServerAdviser:
    """Think in a child process, which the first question starts."""

    def __init__(self) -> None:
        self._process = AdviceClient()

    async def ask(self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> Advice:
        """Return advice for the mover of a position.

        See `doublecross.server.shell.analysis.advice.Adviser`.

        Raises:
            AdviceFailedError: there is none.
        """
        try:
            return await self._process.ask(game, opening, moves)
        except AdviceError as failed:
            raise AdviceFailedError(str(failed)) from None

    def has_policy(self, game: str) -> bool:
        """Return whether there is a network for the game with the key `game`."""
        return has_policy(game)

    async def policy(
        self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]
    ) -> tuple[tuple[int, float], ...]:
        """Return actions and their shares; see `doublecross.server.shell.analysis.advice.Adviser`.

        Raises:
            AdviceFailedError: there is no policy.
        """
        try:
            return (await self._process.policy(game, opening, moves)).shares
        except AdviceError as failed:
            raise AdviceFailedError(str(failed)) from None

    async def values(
        self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]
    ) -> PositionValues:
        """Return the values of all actions; see `doublecross.server.shell.analysis.advice.Adviser`.

        Raises:
            AdviceFailedError: there are none.
        """
        try:
            return await self._process.values(game, opening, moves)
        except AdviceError as failed:
            raise AdviceFailedError(str(failed)) from None

    async def rest(self) -> None:
        """Stop the process, if it runs; the next question starts another one."""
        await self._process.close()

    async def close(self) -> None:
        """Stop the process, if it runs."""
        await self._process.close()


def server_adviser() -> ServerAdviser | None:
    """Return an adviser; None if the packages for searching are not installed."""
    if any(importlib.util.find_spec(package) is None for package in ENGINES):
        return None
    return ServerAdviser()
