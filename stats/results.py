"""The finished games of a tournament, in the form that statistics and reports take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

_MAX_FINISHED_MS: Final = 10**14
"""The latest UNIX time of a game, in ms: some 3,000 years from now. Greater values are errors and
could not be shown as dates."""


_BY_POINTS: Final = ("round-robin", "swiss")
"""The formats in which points decide the places."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player. `engine` is the bot and its version, such as ``rules 1``; empty for people."""

    name: str
    engine: str = ""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game: game 0 or 1 of the game pair `pair`.

    The number of a pair is unique in its tournament. `players` are numbers of players by seat; in
    game 1 the seats are changed. `winner` is a seat, or None for a draw. `scores` are the final
    scores on the board, by seat. `termination` says how the game ended, as in records. A `void`
    game has no result that counts. A pair with a void game is played again: both its games are
    void, and two other games take their place.

    `mean_s` and `longest_s` are the mean and the longest time of a move in seconds, by seat.
    `moves` are the numbers of moves behind the means; 1 if they are not known, so that each game
    has the same weight. `finished_ms` is UNIX time. `name` refers to the record of the game.
    `opening` are the actions before the first move, the same in both games of a pair; None if they
    are not known.

    Raises:
        ValueError: a seat, a player, a number of moves or a time is impossible.
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
            raise ValueError(
                f"Game {self.name} must be game 0 or 1 of a pair, and its winner a seat."
            )
        if self.players[0] == self.players[1]:
            raise ValueError(f"In game {self.name} player {self.players[0]} plays itself.")
        times = (*self.mean_s, *self.longest_s)
        if not all(math.isfinite(time) and time >= 0 for time in times) or min(self.moves) < 0:
            raise ValueError(
                f"Game {self.name} has impossible times or moves: {times}, {self.moves}."
            )
        if not 0 <= self.finished_ms < _MAX_FINISHED_MS:
            raise ValueError(f"Game {self.name} cannot have ended at {self.finished_ms} ms.")

    @property
    def loser(self) -> int | None:
        """The seat that lost, or None for a draw."""
        return None if self.winner is None else 1 - self.winner

    def seat(self, player: int) -> int:
        """Return the seat of that player.

        Raises:
            ValueError: the player is not in this game.
        """
        return self.players.index(player)

    def points(self, player: int) -> float:
        """Return the points of that player: 1, 1/2 or 0."""
        return 0.5 if self.winner is None else float(self.players[self.winner] == player)

    def net(self, player: int) -> int:
        """Return that player's final score minus the opponent's."""
        seat = self.seat(player)
        return self.scores[seat] - self.scores[1 - seat]


GamePair = tuple[PlayedGame, PlayedGame]


def points(pair: GamePair, player: int) -> float:
    """Return the points, 0 to 2, of `player`, one of the two, in `pair`."""
    return pair[0].points(player) + pair[1].points(player)


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a player by the rules of its tournament.

    `place` counts from 1; players who are equal share a place. `points` are all points of the
    player, those for byes and for opponents who did not appear included. `byes` is how often the
    player had no opponent. `bye_points` are those for that; None: as many as a whole encounter has.
    """

    place: int
    points: float
    byes: int = 0
    bye_points: float | None = None


@dataclass(frozen=True, slots=True)
class Encounter:
    """Two players who met in round `round`, counted from 1.

    `first` and `second` are their numbers, and `pairs` the numbers of their game pairs. In a bye
    `second` is None, and the pair has no games. `onward` is the player who advanced to the next
    round or won the last one; None if no player did, or if players do not advance in this format.
    """

    round: int
    first: int
    second: int | None
    pairs: tuple[int, ...]
    onward: int | None = None


@dataclass(frozen=True, slots=True)
class Results:
    """All that was played in a tournament or arena.

    `games` are in any order. Elsewhere a player's number is its index in `players`. `game` and
    `settings` describe for users what was played and how (``Dots and Boxes 5x5``; ``0.1 s a move,
    seed 7``). `unit` is what scores count, such as ``boxes``; it is empty when scores say no more
    than the winner does. `notes` are sentences for the report.

    `format` is the key of the tournament's format (``swiss``), or empty. `tie_breaks` decide
    between equal points, in this order: net, buchholz, sonneborn-berger. `places` are the places of
    all players, by number; empty when the ratings alone decide the order. `encounters` are those of
    a format with rounds, in order. `over`: all games are played, so the first place is final.

    Raises:
        ValueError: a game has an unknown player, the games of a pair do not have the same two
            players with the seats changed or not the same opening, a game that is not void occurs
            twice, or the number of places is not that of the players.
    """

    title: str
    game: str
    settings: str
    players: tuple[Player, ...]
    games: tuple[PlayedGame, ...]
    unit: str = ""
    notes: tuple[str, ...] = ()
    format: str = ""
    tie_breaks: tuple[str, ...] = ("net",)
    places: tuple[Place, ...] = ()
    encounters: tuple[Encounter, ...] = ()
    over: bool = True

    def __post_init__(self) -> None:
        if self.places and len(self.places) != len(self.players):
            raise ValueError(
                f"There are {len(self.places)} places for {len(self.players)} players."
            )
        first: dict[int, tuple[int, int]] = {}
        openings: dict[int, tuple[int, ...] | None] = {}
        counted: set[tuple[int, int]] = set()
        for played in self.games:
            if not all(0 <= number < len(self.players) for number in played.players):
                raise ValueError(f"Game {played.name} has an unknown player.")
            seated = played.players if played.game == 0 else played.players[::-1]
            if first.setdefault(played.pair, seated) != seated:
                raise ValueError(f"The games of pair {played.pair} do not have the same players.")
            if openings.setdefault(played.pair, played.opening) != played.opening:
                raise ValueError(f"The games of pair {played.pair} do not have the same opening.")
            key = (played.pair, played.game)
            if not played.void and key in counted:
                raise ValueError(f"Game {played.game} of pair {played.pair} occurs twice.")
            if not played.void:
                counted.add(key)

    @property
    def winners(self) -> tuple[int, ...]:
        """The players in first place at the end.

        Several players may share it. The result is empty without places or before the end.
        """
        return self.leaders if self.over else ()

    @property
    def leaders(self) -> tuple[int, ...]:
        """The players who have or share the first place now.

        Where points decide, all with as many points as the first share it, whatever the tie-break
        says.
        """
        first = [number for number, place in enumerate(self.places) if place.place == 1]
        if not first or self.format not in _BY_POINTS:
            return tuple(first)
        most = self.places[first[0]].points
        return tuple(number for number, place in enumerate(self.places) if place.points == most)
