"""The plain rows of a tournament: who is in it, who meets whom, and which games belong to it.

Numbers count from 0 in the order of creation, times are UNIX milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from server.core.match import NO_RESULT

Status = Literal["open", "running", "finished", "cancelled"]
"""Of a tournament: entrants gather, games are played, all is played, it was called off."""

EntrantState = Literal["in", "left", "aside"]
PairingState = Literal["open", "done", "unplayed"]

FAILURES: Final = frozenset({"timeout", "disconnect", "illegal", "crash"})
"""Terminations by which a player loses that has not been beaten on the board."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player in a tournament; `engine` is the program and its version, such as ``rules 1``,
    and empty for people. It plays at most `at_once` games at the same time.

    `state` "left" is its own doing, "aside" that of the server or the organiser; `reason` is a
    phrase for people. `seed_rating` is what it is thought to be worth before the tournament.
    """

    number: int
    name: str
    engine: str
    at_once: int
    state: EntrantState
    reason: str
    joined_ms: int
    seed_rating: float | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game pair: two entrants, one opening, both colours. In game 0 `first` has seat 0, in
    game 1 `second` has. `second` None: a bye, which is done at once.

    "open": games of it are to be played or live. "done": both games have a result. "unplayed":
    it is not whole, and nobody can play it now.
    """

    number: int
    round: int
    first: int
    second: int | None
    opening: tuple[int, ...]
    state: PairingState


@dataclass(frozen=True, slots=True, order=True)
class Tag:
    """What a room and its record say of a tournament's game: `game` is 0 or 1, `attempt` counts
    from 1; a pair that became void is played again under the next attempt."""

    tournament: str
    pairing: int
    game: int
    attempt: int


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """How a game ended. `winner` is a seat, None for a draw or no result; `scores` by seat;
    `termination` one of `protocol.server_messages.Termination`; `started_ms` None: not known."""

    tag: Tag
    winner: int | None
    scores: tuple[int, int]
    termination: str
    finished_ms: int
    started_ms: int | None = None

    @property
    def has_result(self) -> bool:
        """Whether it counts; otherwise its whole pair is void."""
        return self.termination not in NO_RESULT

    def points(self, seat: int) -> float:
        """Of a game with a result: 1 for a win of `seat`, half for a draw."""
        return 0.5 if self.winner is None else float(self.winner == seat)

    @property
    def failed(self) -> int | None:
        """The seat that lost by a failure, None if neither did."""
        if self.winner is None or self.termination not in FAILURES:
            return None
        return 1 - self.winner
