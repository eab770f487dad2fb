"""Step through a finished game: the position shown, its board and its two players.

Theory of operation
-------------------
`GameReplay` replays the game once and keeps net score and clocks after each ply. `BoardModel.show`
moves the board to any ply; a step forward plays only the new moves. Automatic play needs no timer:
`play` notes when it starts, and `tick` plays the next move once its time has come.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from typing import Final

from client.tk.models.board.model import BoardChanges, BoardModel
from client.tk.models.replay import GameReplay
from client.tk.models.room.clock import ClockFace, clock_face
from client.tk.models.summary import RecordSummary
from games.api import Feature, State
from games.record import Record
from games.sentences import initials

MOVE_S: Final = 0.9
"""The time between two turns in automatic play, in seconds."""
AGAIN_S: Final = 0.4
"""The shorter time between two moves of one turn, in seconds."""


@dataclass(frozen=True, slots=True)
class ReviewPlayer:
    """What to show beside the board for one seat, in the position shown.

    `mark` is the text in the seat's cells. `clock` is the seat's clock, or None if unknown.
    """

    seat: int
    name: str
    mark: str
    engine: str
    score: int
    clock: ClockFace | None
    to_move: bool


class ReviewModel:
    """The review of `record`, whose moves must be legal; it begins at ply 0.

    `replay` is the course of the game, `summary` describes the record for people.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.board = BoardModel(record.game)
        self.replay = GameReplay(record)
        self.summary = RecordSummary(record, self.replay)
        self._ply = 0
        self._next_at: float | None = None
        self.go(0)

    # -- stepping ----------------------------------------------------------------------------

    @property
    def total(self) -> int:
        """The number of moves of the game."""
        return self.replay.total

    @property
    def ply(self) -> int:
        """The number of moves that are shown."""
        return self._ply

    def go(self, ply: int) -> BoardChanges:
        """Show the position after `ply` moves, limited to the moves of the game."""
        self._ply = min(max(0, ply), self.total)
        return self.board.show(self.record.opening, self.replay.actions[: self._ply])

    def step(self, by: int) -> BoardChanges:
        """Go `by` moves forward, or back if negative."""
        return self.go(self._ply + by)

    def step_turn(self, by: int) -> BoardChanges:
        """Go to the end of this turn (`by` > 0), or back to its beginning.

        At the beginning of a turn, back leads to the beginning of the turn before.
        """
        ends = self.replay.turn_ends
        if by > 0:
            at = bisect.bisect_right(ends, self._ply)
            return self.go(ends[min(at, len(ends) - 1)])
        return self.go(ends[max(0, bisect.bisect_left(ends, self._ply) - 1)])

    # -- automatic play ----------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether automatic play is on."""
        return self._next_at is not None

    def play(self, now: float) -> BoardChanges:
        """Start automatic play at `now`, in seconds; at the end of the game, from its beginning."""
        changes = self.go(0) if self._ply == self.total else BoardChanges()
        self._next_at = None if not self.total else now + AGAIN_S
        return changes

    def stop(self) -> None:
        """Stop automatic play."""
        self._next_at = None

    def tick(self, now: float) -> BoardChanges | None:
        """Play the next move if it is due at `now`, in seconds; return None if it is not."""
        if self._next_at is None or now < self._next_at:
            return None
        changes = self.step(1)
        if self._ply == self.total:
            self._next_at = None
        else:
            again = self.replay.movers[self._ply] == self.replay.movers[self._ply - 1]
            self._next_at = now + (AGAIN_S if again else MOVE_S)
        return changes

    # -- the position ------------------------------------------------------------------------

    @property
    def scored(self) -> bool:
        """Whether the last move shown scored."""
        return self.replay.scored(self._ply)

    @property
    def position_line(self) -> str:
        """The place in the game: ``Move 7 of 40: Ann c4``."""
        if not self._ply:
            return "After the opening" if self.record.opening else "Start"
        name = self.summary.names[self.replay.movers[self._ply - 1]]
        move = self.record.game.action_name(self.replay.actions[self._ply - 1])
        return f"Move {self._ply} of {self.total}: {name} {move}"

    def player(self, seat: int) -> ReviewPlayer:
        """Return what to show of `seat`."""
        replay, ply = self.replay, self._ply
        left = replay.clocks[ply][seat] if replay.clocks else None
        return ReviewPlayer(
            seat=seat,
            name=self.summary.names[seat],
            mark=self.initials[seat],
            engine=self.summary.tag(f"Engine{seat}"),
            score=self.board.state.scores()[seat],
            clock=None if left is None else clock_face(left, runs=False),
            to_move=ply < replay.total and replay.movers[ply] == seat,
        )

    @property
    def initials(self) -> tuple[str, str]:
        """The text for the cells of each seat."""
        return (
            initials(*self.summary.names)
            if self.board.shows_players
            else self.record.game.seat_names
        )

    @property
    def has_features(self) -> bool:
        """Whether the rules of the game describe features of positions."""
        return type(self.board.state).features is not State.features

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features of the position shown."""
        return self.board.state.features()
