"""What the window has others do for it, in processes of their own: servers, bots, advice.

The client imports neither server nor bots. Whoever opens the window brings these (see
`cli.play.play`).
All coroutines run in the network's thread; they raise `HelperFailed` with a sentence for people.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from games.api import Game
from protocol.common import MatchSettings


class HelperFailed(Exception):  # noqa: N818 - named for what happened
    """A helper could not do what it was asked for; one sentence for people."""


@dataclass(frozen=True, slots=True)
class BotChoice:
    """A bot that can be had: what to ask for it (a spec such as ``mcts:simulations=500``), and what
    it is in a few words. `level` is set for the levels for people, from 1."""

    spec: str
    about: str
    level: int | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """What to play in a position. `best` are the best actions, best first; `net` is the net score
    that the mover can expect in the end from the whole game (its boxes less the other's), `exact`
    whether that is sure."""

    best: tuple[int, ...]
    net: float
    exact: bool


class Helpers(Protocol):
    """What the window can have done."""

    @property
    def levels(self) -> tuple[str, ...]:
        """The names of the levels for people, weakest first."""

    def bots(self, game: Game) -> tuple[BotChoice, ...]:
        """The bots of this machine that play `game`: the levels first, weakest first."""

    async def open_server(self) -> str:
        """The address of a server of this machine with the levels as its bots; it is started if it
        is not there yet, and ends with the window."""

    async def bring_bot(self, url: str, spec: str) -> str:
        """Let the bot `spec` join the server at `url`, until the window ends; its name there. One
        that was brought before and is still there is not brought twice."""

    async def bring_pair(self, url: str, specs: tuple[str, str], settings: MatchSettings) -> str:
        """Let two bots join the server at `url` and play one match; the room to watch. They go
        when the match is over."""

    async def advise(self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> Advice:
        """Advice for the mover of the position after `opening` and `moves`."""

    async def close(self) -> None:
        """End all processes."""
