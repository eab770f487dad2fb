"""Note what the players of a demo were told, move by move, so that it can be checked later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from doublecross.server.core.cluster_ids import log_of_room


@dataclass(frozen=True, slots=True)
class Ending:
    """The final position of a game as one of its players saw it."""

    seat: int
    moves: int
    scores: Sequence[float]


@dataclass(slots=True)
class Played:
    """One game: its room, and what its two players were told. Times are in seconds.

    `acknowledged` has the seat and the action of each move for which its mover got an answer, by
    ply. `doubled` are plies for which two different moves were acknowledged. `last_at` is the time
    of the last acknowledged move, or of the start. `pauses` has when each pause between two
    acknowledged moves began and ended.
    """

    room: str
    last_at: float
    acknowledged: dict[int, tuple[int, int]] = field(default_factory=dict)
    doubled: list[int] = field(default_factory=list)
    pauses: list[tuple[float, float]] = field(default_factory=list)
    endings: list[Ending] = field(default_factory=list)
    game_id: str = ""

    @property
    def log(self) -> str:
        """The log of the room."""
        return log_of_room(self.room)


class Journal:
    """All games of a demo.

    `running` are those that have not ended, by room. `finished` are those that have and are not
    checked yet. `ended` and `moves` count games and acknowledged moves. `given_up` has a sentence
    for each game that could not be played to its end.
    """

    def __init__(self) -> None:
        self.running: dict[str, Played] = {}
        self.finished: list[Played] = []
        self.ended = 0
        self.moves = 0
        self.given_up: list[str] = []

    def begin(self, room: str, now: float) -> Played:
        """Note that a game has started."""
        played = self.running[room] = Played(room, now)
        return played

    def acknowledge(self, played: Played, ply: int, seat: int, action: int, now: float) -> None:
        """Note a move for which its mover has just got the answer."""
        if ply not in played.acknowledged:
            played.acknowledged[ply] = (seat, action)
            self.moves += 1
        elif played.acknowledged[ply] != (seat, action):
            played.doubled.append(ply)
        played.pauses.append((played.last_at, now))
        played.last_at = now

    def finish(self, played: Played, game_id: str) -> None:
        """Note that a game has ended."""
        played.game_id = game_id
        del self.running[played.room]
        self.finished.append(played)
        self.ended += 1

    def give_up(self, played: Played, why: str) -> None:
        """Note that a game could not be played to its end."""
        del self.running[played.room]
        self.given_up.append(f"Room {played.room}: {why}")

    def take_finished(self) -> list[Played]:
        """Return the games that have ended since the last call, for a check."""
        finished, self.finished = self.finished, []
        return finished

    def moves_since(self, since: float) -> Counter[str]:
        """Return how many moves were acknowledged since a time, by the log of their room."""
        counts: Counter[str] = Counter()
        for played in (*self.finished, *self.running.values()):
            if played.last_at >= since:
                counts[played.log] += sum(1 for _, end in played.pauses if end >= since)
        return counts


def longest_pause(games: Iterable[Played], at: float) -> float:
    """Return the longest pause of a game that lasted at a time, in seconds; 0 if there is none."""
    return max(
        (end - begin for played in games for begin, end in played.pauses if begin <= at < end),
        default=0.0,
    )
