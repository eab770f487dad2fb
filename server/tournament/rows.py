"""The rows of a tournament: entrants, pairings, and what is known of their games.

Numbers count from 0 in order of creation; times are milliseconds since 1970, UTC. A pairing is one
game pair: both games have the same opening, and in game 0 `first` has seat 0, in game 1 `second`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

EntrantState = Literal["in", "left", "aside"]
PairingState = Literal["open", "done", "unplayed"]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player in a tournament. `engine` is such as ``rules 1``, empty for people; `at_once` is how
    many games it plays at once; `reason` says why it is not in any more. `seed_rating` orders
    players before the first game, None: unknown."""

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
    """A game pair between the entrants `first` and `second`; None: `first` has a bye."""

    number: int
    round: int
    first: int
    second: int | None
    opening: tuple[int, ...]
    state: PairingState


@dataclass(frozen=True, slots=True)
class Tag:
    """Which game it is: 0 or 1 of a pairing; `attempt` counts from 1, and grows when a pair has to
    be played again because a game of it ended without a result."""

    tournament: str
    pairing: int
    game: int
    attempt: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. `winner` is a seat, None for a draw or no result; `scores` are by seat;
    `termination` is one of the protocol's."""

    tag: Tag
    winner: int | None
    scores: tuple[int, int]
    termination: str
    finished_ms: int
