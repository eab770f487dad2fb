"""The finished games of a tournament as statistics and reports take them, whoever ran it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

_FAR_MS: Final = 10**14
"""No game ends that late, in UNIX ms (some 3,000 years from now): it would be no date."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who plays: `engine` is the bot and its version, such as ``rules 1``, empty for
    people."""

    name: str
    engine: str = ""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that is over: game 0 or 1 of the game pair `pair`, a number of its own in the whole
    tournament.

    `players` are numbers of players by seat; in game 1 the seats are changed. `winner` is a seat,
    None for a draw. `scores` are those on the board at the end, by seat. `termination` is in the
    words of records. A `void` game has no result that counts: a pair of which one game is void is
    played again, so both of its games are given as void, beside those that stand in for them.
    `mean_s` and `longest_s` are seconds a move, in the mean and at most, by seat; `moves` are the
    moves that the means are taken over (where nobody has counted, 1: each game then weighs the
    same). `finished_ms` is UNIX time. `name` leads to the game's record. `opening` are the actions
    that were played before its first move, the same in both games of a pair; None: nobody knows.

    Raises:
        ValueError: a seat, a number or a time that cannot be.
    """

    pair: int
    game: Literal[0, 1]
    players: tuple[int, int]
    winner: int | None
    scores: tuple[int, int]
    termination: str
    void: bool
    mean_s: tuple[float, float]
    longest_s: tuple[float, float]
    finished_ms: int
    name: str
    moves: tuple[int, int] = (1, 1)
    opening: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if self.game not in (0, 1) or self.winner not in (0, 1, None):
            raise ValueError(f"Game {self.name} is no game of a pair, or its winner no seat.")
        if self.players[0] == self.players[1]:
            raise ValueError(f"In game {self.name} player {self.players[0]} meets itself.")
        times = (*self.mean_s, *self.longest_s)
        if not all(math.isfinite(time) and time >= 0 for time in times) or min(self.moves) < 0:
            raise ValueError(f"The times of game {self.name} cannot be: {times}, {self.moves}.")
        if not 0 <= self.finished_ms < _FAR_MS:
            raise ValueError(f"Game {self.name} cannot have ended at {self.finished_ms} ms.")

    @property
    def loser(self) -> int | None:
        """The seat that lost, None for a draw."""
        return None if self.winner is None else 1 - self.winner

    def seat(self, player: int) -> int:
        """The seat of that player.

        Raises:
            ValueError: it does not play.
        """
        return self.players.index(player)

    def points(self, player: int) -> float:
        """1, 1/2 or 0 for that player."""
        return 0.5 if self.winner is None else float(self.players[self.winner] == player)

    def net(self, player: int) -> int:
        """What that player has on the board at the end minus what the other one has."""
        seat = self.seat(player)
        return self.scores[seat] - self.scores[1 - seat]


GamePair = tuple[PlayedGame, PlayedGame]


def points(pair: GamePair, player: int) -> float:
    """The points of `player`, one of its two, in `pair`: 0 to 2."""
    return pair[0].points(player) + pair[1].points(player)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a player stands by the rules of its tournament: its `place` from 1, which equals share,
    and all its `points`, those for byes and for opponents who did not come among them. `byes` is
    how often it was left without an opponent."""

    place: int
    points: float
    byes: int = 0


@dataclass(frozen=True, slots=True)
class Encounter:
    """Two players who met in a `round` (from 1) for the game pairs `pairs`, by their numbers; of a
    bye `second` is None, and its pair has no games. `onward` is who went on from it to the next
    round or has won the last one, None where nobody did or the format has nothing of the kind."""

    round: int
    first: int
    second: int | None
    pairs: tuple[int, ...]
    onward: int | None = None


@dataclass(frozen=True, slots=True)
class Results:
    """What was played: all `games`, in whatever order, between `players`, who are called by their
    place in it. `game` and `settings` name for people what was played and how (``Dots and Boxes
    5x5``; ``0.1 s a move, seed 7``). `unit` is what scores count, such as ``boxes``, empty where
    they tell no more than the winner does. `notes` are sentences that a report passes on.

    `format` is the key of a tournament's format (``swiss``), empty where there was none. `places`
    are those of all players, by number, empty where the ratings alone make the order. `encounters`
    are those of a format with rounds, in order. `over`: all is played, so who is first has won.

    Raises:
        ValueError: a player that is none, a pair whose games do not have the same two players with
            the seats changed and the same opening, or a game twice that is not void, or places of
            others than all players.
    """

    title: str
    game: str
    settings: str
    players: tuple[Player, ...]
    games: tuple[PlayedGame, ...]
    unit: str = ""
    notes: tuple[str, ...] = ()
    format: str = ""
    places: tuple[Place, ...] = ()
    encounters: tuple[Encounter, ...] = ()
    over: bool = True

    def __post_init__(self) -> None:
        if self.places and len(self.places) != len(self.players):
            raise ValueError(f"{len(self.places)} places are not those of all players.")
        first: dict[int, tuple[int, int]] = {}
        openings: dict[int, tuple[int, ...] | None] = {}
        counted: set[tuple[int, int]] = set()
        for played in self.games:
            if not all(0 <= number < len(self.players) for number in played.players):
                raise ValueError(f"Game {played.name} has a player that is none.")
            seated = played.players if played.game == 0 else played.players[::-1]
            if first.setdefault(played.pair, seated) != seated:
                raise ValueError(f"The games of pair {played.pair} do not have the same players.")
            if openings.setdefault(played.pair, played.opening) != played.opening:
                raise ValueError(f"The games of pair {played.pair} do not have the same opening.")
            key = (played.pair, played.game)
            if not played.void and key in counted:
                raise ValueError(f"Game {played.game} of pair {played.pair} is there twice.")
            if not played.void:
                counted.add(key)

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has the first place in the end; several where they share it, nobody where there are
        no places or not all is played."""
        if not self.over:
            return ()
        return tuple(number for number, place in enumerate(self.places) if place.place == 1)
