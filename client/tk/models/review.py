"""A review: where one stands in a finished game, and what its board and players show there.

Theory of operation
-------------------
The game is replayed once; what it was like after each ply (net score, clocks) is kept from that.
The board follows by `show`, which plays on from where it is when one steps forward. A game that
plays on by itself is data as well: `play` says from when on, `tick` what time it is now.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from typing import Final

from client.tk.models.board.model import BoardChanges, BoardModel
from client.tk.models.replay import GameReplay
from client.tk.models.room.clock import ClockFace, clock_face
from client.tk.models.summary import RecordSummary
from client.tk.models.words import initials
from games.api import Feature, State
from games.record import Record

MOVE_S: Final = 0.9
"""Between two turns when a game plays by itself, in seconds."""
AGAIN_S: Final = 0.4
"""Between two moves of one turn, in seconds: a chain runs."""


@dataclass(frozen=True, slots=True)
class ReviewPlayer:
    """What stands beside the board for one seat, at the position that is shown. `mark` is what its
    cells have in them, `clock` what its clock said, None where that is not known."""

    seat: int
    name: str
    mark: str
    engine: str
    score: int
    clock: ClockFace | None
    to_move: bool


class ReviewModel:
    """The position that the review of `record` shows; it begins with the start.

    The moves of the record are legal. `replay` is the course of the game, `summary` what the
    record says of it.
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
        """How many moves the game has."""
        return self.replay.total

    @property
    def ply(self) -> int:
        """How many of them are shown."""
        return self._ply

    def go(self, ply: int) -> BoardChanges:
        """Show the position after `ply` moves, or the nearest that there is."""
        self._ply = min(max(0, ply), self.total)
        return self.board.show(self.record.opening, self.replay.actions[: self._ply])

    def step(self, by: int) -> BoardChanges:
        """Go `by` moves on, back if negative."""
        return self.go(self._ply + by)

    def step_turn(self, by: int) -> BoardChanges:
        """Go to the end of this turn (1), or back to where it began, that of the turn before if
        it has just begun (-1)."""
        ends = self.replay.turn_ends
        if by > 0:
            at = bisect.bisect_right(ends, self._ply)
            return self.go(ends[min(at, len(ends) - 1)])
        return self.go(ends[max(0, bisect.bisect_left(ends, self._ply) - 1)])

    # -- playing by itself -------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether the game plays by itself."""
        return self._next_at is not None

    def play(self, now: float) -> BoardChanges:
        """Play on by itself from `now`, in seconds; at the end from the beginning."""
        changes = self.go(0) if self._ply == self.total else BoardChanges()
        self._next_at = None if not self.total else now + AGAIN_S
        return changes

    def stop(self) -> None:
        """Stop playing by itself."""
        self._next_at = None

    def tick(self, now: float) -> BoardChanges | None:
        """Go one move on if its time has come at `now`, in seconds; None: nothing happens."""
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
        """Whether the move that led here scored."""
        return self.replay.scored(self._ply)

    @property
    def position_line(self) -> str:
        """Where one stands: ``Move 7 of 40: Ann c4``."""
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
        """What to write into the cells of each seat."""
        return (
            initials(*self.summary.names)
            if self.board.shows_players
            else self.record.game.seat_names
        )

    @property
    def has_features(self) -> bool:
        """Whether the game has anything to point out in its positions."""
        return type(self.board.state).features is not State.features

    @property
    def features(self) -> tuple[Feature, ...]:
        """What is worth pointing out in the position."""
        return self.board.state.features()
