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
    same). `finished_ms` is UNIX time. `name` leads to the game's record.

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


@dataclass(frozen=True, slots=True)
class Results:
    """What was played: all `games`, in whatever order, between `players`, who are called by their
    place in it. `game` and `settings` name for people what was played and how (``Dots and Boxes
    5x5``; ``0.1 s a move, seed 7``). `unit` is what scores count, such as ``boxes``, empty where
    they tell no more than the winner does. `notes` are sentences that a report passes on.

    Raises:
        ValueError: a player that is none, a pair whose games do not have the same two players with
            the seats changed, or a game twice that is not void.
    """

    title: str
    game: str
    settings: str
    players: tuple[Player, ...]
    games: tuple[PlayedGame, ...]
    unit: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        first: dict[int, tuple[int, int]] = {}
        counted: set[tuple[int, int]] = set()
        for played in self.games:
            if not all(0 <= number < len(self.players) for number in played.players):
                raise ValueError(f"Game {played.name} has a player that is none.")
            seated = played.players if played.game == 0 else played.players[::-1]
            if first.setdefault(played.pair, seated) != seated:
                raise ValueError(f"The games of pair {played.pair} do not have the same players.")
            key = (played.pair, played.game)
            if not played.void and key in counted:
                raise ValueError(f"Game {played.game} of pair {played.pair} is there twice.")
            if not played.void:
                counted.add(key)
