"""Define what the window gets from helper processes: a local server, bots, and advice.

The client imports neither the server nor the bots. The program that opens the window passes it an
implementation of `Helpers` (see `doublecross.bots.helping.helpers`). All coroutines run in the
network thread, and raise `HelperFailed` with a sentence for people.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from doublecross.analysis.advice import Advice
from doublecross.analysis.report import GameReport
from doublecross.games.api import Game


class HelperFailed(Exception):  # noqa: N818 - named for what happened
    """A helper failed. The text is one sentence for people."""


@dataclass(frozen=True, slots=True)
class BotChoice:
    """A bot that this machine can start.

    `spec` names it, for example ``mcts:simulations=500``; `about` describes it in a few words.
    `level` is its number, from 1, if it is one of the levels for people.
    """

    spec: str
    about: str
    level: int | None = None


class Helpers(Protocol):
    """The helper processes of one window."""

    @property
    def levels(self) -> tuple[str, ...]:
        """The names of the levels for people, weakest first."""

    def bots(self, game: Game) -> tuple[BotChoice, ...]:
        """Return the bots of this machine that play `game`: first the levels, weakest first."""

    def residents(self, url: str) -> frozenset[str]:
        """Return the specs of the bots that join the server at `url` without being asked."""

    async def open_server(self) -> str:
        """Return the address of a local server that offers the levels as bots.

        It is started on the first call, and ends with the window.
        """

    async def bring_bot(self, url: str, spec: str) -> str:
        """Connect the bot `spec` to the server at `url` until the window ends; return its name.

        A bot that is still connected from an earlier call is not started twice.
        """

    async def advise(self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> Advice:
        """Return advice for the mover in the position after `opening` and `moves`."""

    async def review(
        self,
        game: Game,
        opening: tuple[int, ...],
        moves: tuple[int, ...],
        progress: Callable[[int, int], None],
    ) -> GameReport:
        """Return the report of the game in which `moves` were played after `opening`.

        `progress` gets how many moves are judged, and how many there are, in the network thread.
        One game is reviewed at a time. Cancel the coroutine to give up.
        """

    async def close(self) -> None:
        """End all helper processes."""
