"""The rows of a tournament: entrants and pairings, and the tags and outcomes of its games.

Numbers count from 0 in the order of creation. Times are UNIX milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from doublecross.server.core.rooms.match import NO_RESULT

Status = Literal["open", "running", "finished", "cancelled"]
"""The status of a tournament: players enter, games are played, all is played, it was cancelled."""

EntrantState = Literal["in", "left", "aside"]
"""The state of an entrant: it gets games, it has left, or it was set aside."""
PairingState = Literal["open", "done", "unplayed"]
"""The state of a pairing; `Pairing` explains the values."""

FAILURES: Final = frozenset({"timeout", "disconnect", "illegal", "crash"})
"""Terminations by which a player loses without being beaten on the board."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player in a tournament.

    `engine` is the program and its version, such as ``rules 1``, and empty for people. The player
    plays at most `at_once` games at the same time. In the state "left" the player has left; in the
    state "aside" the server or the organiser has excluded the player. `reason` is a phrase for
    people. `joined_ms` is when the player entered, or was last taken back after being set aside;
    failures before do not count any more. `seed_rating` is an estimate of the player's strength
    before the tournament.
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
    """A game pair: two entrants play the same opening twice, once in each seat.

    In an arena it is a single game. In game 0 `first` has seat 0, in game 1 `second` has it. A
    `second` of None is a bye, which is done at once. In the state "open", games are live or yet to
    be played. "done" means that all games have a result, "unplayed" that a result is missing and a
    player is no longer in.

    `opening_number` is the opening's number in the tournament; byes and rows of version 0.1 have
    none. `repeated` says that an earlier pairing has the same number, so that the storage needs
    only the number.
    """

    number: int
    round: int
    first: int
    second: int | None
    opening: tuple[int, ...]
    state: PairingState
    opening_number: int | None = None
    repeated: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Tag:
    """The identity of a tournament's game, which its room and its record carry.

    `game` is 0 or 1. `attempt` counts from 1; a pair that became void is played again as the next
    attempt.
    """

    tournament: str
    pairing: int
    game: int
    attempt: int


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """How a game ended.

    `winner` is a seat, or None for a draw or no result. `scores` are by seat. `termination` is one
    of `doublecross.protocol.server_messages.Termination`. `started_ms` is None where it is unknown.
    `both_moved` says whether no player was without a move.
    """

    tag: Tag
    winner: int | None
    scores: tuple[int, int]
    termination: str
    finished_ms: int
    started_ms: int | None = None
    both_moved: bool = True

    @property
    def has_result(self) -> bool:
        """True when the game counts; otherwise its whole pair is void."""
        return self.termination not in NO_RESULT

    def points(self, seat: int) -> float:
        """Return the points of `seat`: 1 for a win, half for a draw. The game needs a result."""
        return 0.5 if self.winner is None else float(self.winner == seat)

    @property
    def failed(self) -> int | None:
        """The seat that lost by a failure, or None if neither did."""
        if self.winner is None or self.termination not in FAILURES:
            return None
        return 1 - self.winner
