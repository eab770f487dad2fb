"""A finished game as its review shows it: where one stands in it, who played, how it went.

Theory of operation
-------------------
The game is replayed once; what it was like after each ply (net score, clocks) is kept from that.
The board follows by `show`, which plays on from where it is when one steps forward. A game that
plays on by itself is data as well: `play` says from when on, `tick` what time it is now.
"""

from __future__ import annotations

import bisect
import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, get_args

from client.tk.models.board.model import BoardChanges, BoardModel
from client.tk.models.room.clock import ClockFace, clock_face
from client.tk.models.room.line import Turn
from client.tk.models.words import ended_why, game_title, initials, time_line
from games.api import Feature, State
from games.record import Record
from protocol.common import TimeControl
from protocol.server_messages import Termination

MOVE_S: Final = 0.9
"""Between two turns when a game plays by itself, in seconds."""
AGAIN_S: Final = 0.4
"""Between two moves of one turn, in seconds: a chain runs."""
LONGEST: Final = 200
"""Characters that are shown of anything that a record says."""
MOST_TAGS: Final = 40
"""Tags that are shown: a file may have any number of them."""

_LONGEST_NAME: Final = 40
_LONGEST_OPENING: Final = 60
_ENDINGS: Final[frozenset[str]] = frozenset(get_args(Termination))
_NO_RESULT: Final = ("aborted", "void")


@dataclass(frozen=True, slots=True)
class Player:
    """What stands beside the board for one seat, at the position that is shown. `mark` is what its
    cells have in them, `clock` what its clock said, None where that is not known."""

    seat: int
    name: str
    mark: str
    engine: str
    score: int
    clock: ClockFace | None
    to_move: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the game ended: the headline, why, the score, and the seat that won (None: nobody)."""

    headline: str
    why: str
    score: str
    winner: int | None


@dataclass(frozen=True, slots=True)
class Fact:
    """Something else that the record says."""

    label: str
    text: str


class ReviewModel:
    """The game of `record`, whose moves are legal; its start is shown first.

    `nets` is seat 0's score less seat 1's after 0, 1, 2 ... plies, `movers` the seat of each move,
    `turns` are the moves by turn.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.board = BoardModel(record.game)
        self.actions = tuple(move.action for move in record.moves)
        self.names = (_shown_name(record.players[0]), _shown_name(record.players[1]))
        state = record.game.initial_state(record.opening)
        nets, movers = [_net(state)], []
        for action in self.actions:
            movers.append(state.current_player())
            state.apply(action)
            nets.append(_net(state))
        self.nets: tuple[int, ...] = tuple(nets)
        self.movers: tuple[int, ...] = tuple(movers)
        self.turns = self._turns()
        self._ends = [0, *(turn.moves[-1][0] for turn in self.turns)]
        self._final = state
        self._clocks = self._all_clocks()
        self._ply = 0
        self._next_at: float | None = None
        self.go(0)

    # -- stepping ----------------------------------------------------------------------------

    @property
    def total(self) -> int:
        """How many moves the game has."""
        return len(self.actions)

    @property
    def ply(self) -> int:
        """How many of them are shown."""
        return self._ply

    def go(self, ply: int) -> BoardChanges:
        """Show the position after `ply` moves, or the nearest that there is."""
        self._ply = min(max(0, ply), self.total)
        return self.board.show(self.record.opening, self.actions[: self._ply])

    def step(self, by: int) -> BoardChanges:
        """Go `by` moves on, back if negative."""
        return self.go(self._ply + by)

    def step_turn(self, by: int) -> BoardChanges:
        """Go to the end of this turn (1), or back to where it began, that of the turn before if
        it has just begun (-1)."""
        if by > 0:
            at = bisect.bisect_right(self._ends, self._ply)
            return self.go(self._ends[min(at, len(self._ends) - 1)])
        return self.go(self._ends[max(0, bisect.bisect_left(self._ends, self._ply) - 1)])

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
        """Play on by itself no more."""
        self._next_at = None

    def tick(self, now: float) -> BoardChanges | None:
        """One move on if its time has come at `now`; None: nothing happens."""
        if self._next_at is None or now < self._next_at:
            return None
        changes = self.step(1)
        if self._ply == self.total:
            self._next_at = None
        else:
            again = self.movers[self._ply] == self.movers[self._ply - 1]
            self._next_at = now + (AGAIN_S if again else MOVE_S)
        return changes

    # -- the position ------------------------------------------------------------------------

    @property
    def start(self) -> str:
        """What the position before the first move is called."""
        record = self.record
        opening = " ".join(map(record.game.action_name, record.opening))
        return f"Opening: {shown(opening, _LONGEST_OPENING)}" if opening else "Start"

    @property
    def turn(self) -> int | None:
        """The index in `turns` of the move that led here; None at the start."""
        return None if not self._ply else bisect.bisect_left(self._ends, self._ply) - 1

    @property
    def scored(self) -> bool:
        """Whether the move that led here scored."""
        return self._ply > 0 and self.nets[self._ply] != self.nets[self._ply - 1]

    @property
    def position_line(self) -> str:
        """Where one stands: ``Move 7 of 40: Ann c4``."""
        if not self._ply:
            return "After the opening" if self.record.opening else "Start"
        name = self.names[self.movers[self._ply - 1]]
        move = self.record.game.action_name(self.actions[self._ply - 1])
        return f"Move {self._ply} of {self.total}: {name} {move}"

    def player(self, seat: int) -> Player:
        """What to show of `seat`."""
        state = self.board.state
        return Player(
            seat=seat,
            name=self.names[seat],
            mark=self.initials[seat],
            engine=self._tag(f"Engine{seat}"),
            score=state.scores()[seat],
            clock=self._clock(seat),
            to_move=self._ply < self.total and self.movers[self._ply] == seat,
        )

    @property
    def initials(self) -> tuple[str, str]:
        """What to write into the cells of each seat."""
        return initials(*self.names) if self.board.shows_players else self.record.game.seat_names

    @property
    def has_features(self) -> bool:
        """Whether the game has anything to point out in its positions."""
        return type(self.board.state).features is not State.features

    @property
    def features(self) -> tuple[Feature, ...]:
        """What is worth pointing out in the position."""
        return self.board.state.features()

    # -- the game as a whole -----------------------------------------------------------------

    @property
    def title(self) -> str:
        """What was played: ``Dots and Boxes 5x5``."""
        return game_title(self.record.game)

    @property
    def outcome(self) -> Outcome:
        """How the game ended."""
        record = self.record
        winner = {"1-0": 0, "0-1": 1}.get(record.result)
        if winner is not None:
            headline = f"{self.names[winner]} won"
        elif record.result == "1/2-1/2":
            headline = "Draw"
        else:
            headline = "No result" if record.termination in _NO_RESULT else "Not finished"
        loser = None if winner is None else self.names[1 - winner]
        # A file may say anything here, and our own sentences are only for what we know.
        why = shown(record.termination)
        if record.termination in _ENDINGS:
            why = ended_why(record.termination, loser, self._tag("Reason"))
        first, second = self._final.scores()
        return Outcome(headline, why, f"{first} : {second}", winner)

    @property
    def when(self) -> str:
        """The date for people; as the record says it if that is no date; empty: unknown."""
        return date_line(self.record.date)

    @property
    def time(self) -> str:
        """The time control for people, as the record says it if that is none that we know."""
        text = self.record.time_control
        try:
            return time_line(TimeControl.parse(text)) if text else ""
        except ValueError:
            return shown(text)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Everything that the record says beside the moves, to be listed."""
        record = self.record
        opening = " ".join(record.game.action_name(action) for action in record.opening)
        turns = "1 turn" if len(self.turns) == 1 else f"{len(self.turns)} turns"
        moves = "1 move" if self.total == 1 else f"{self.total} moves"
        facts = [
            *(Fact(f"Seat {record.game.seat_names[seat]}", self.names[seat]) for seat in (0, 1)),
            Fact("Game", self.title),
            Fact("Date", self.when),
            Fact("Time", self.time),
            Fact("Result", record.result if record.result != "*" else ""),
            Fact("Ended", self.outcome.why),
            Fact("Length", f"{moves} in {turns}"),
            Fact("Opening", opening),
            *(Fact(shown(name), shown(value)) for name, value in record.tags[:MOST_TAGS]),
        ]
        if len(record.tags) > MOST_TAGS:
            facts.append(Fact("", f"and {len(record.tags) - MOST_TAGS} more"))
        return tuple(fact for fact in facts if fact.text)

    @property
    def file_name(self) -> str:
        """A name for a file of this record: letters, digits and ``-``."""
        parts = [*self.record.players, self.record.date[:10]]
        words = [re.sub(r"[^A-Za-z0-9]+", "-", part)[:_LONGEST_NAME].strip("-") for part in parts]
        return f"{'-'.join(word for word in words if word) or 'record'}.txt"

    # -- the pieces --------------------------------------------------------------------------

    def _turns(self) -> tuple[Turn, ...]:
        turns: list[tuple[int, list[tuple[int, str]]]] = []
        for ply, (action, seat) in enumerate(zip(self.actions, self.movers, strict=True), 1):
            if not turns or turns[-1][0] != seat:
                turns.append((seat, []))
            turns[-1][1].append((ply, self.record.game.action_name(action)))
        return tuple(
            Turn(number, seat, tuple(moves)) for number, (seat, moves) in enumerate(turns, 1)
        )

    def _all_clocks(self) -> tuple[tuple[int | None, int | None], ...]:
        """What the two clocks said after 0, 1, 2 ... plies, in milliseconds; empty: no clocks."""
        if all(move.clock_ms is None for move in self.record.moves):
            return ()
        try:
            base = TimeControl.parse(self.record.time_control).base_ms
        except ValueError:
            base = None
        clocks = [base, base]
        found = [(base, base)]
        for move, seat in zip(self.record.moves, self.movers, strict=True):
            if move.clock_ms is not None:
                clocks[seat] = move.clock_ms
            found.append((clocks[0], clocks[1]))
        return tuple(found)

    def _clock(self, seat: int) -> ClockFace | None:
        left = self._clocks[self._ply][seat] if self._clocks else None
        return None if left is None else clock_face(left, runs=False)

    def _tag(self, name: str) -> str:
        return next((shown(value) for key, value in self.record.tags if key == name), "")


def shown(text: str, longest: int = LONGEST) -> str:
    """`text` of a record, fit for a line: no more than `longest` characters, and none that break
    lines, turn them around or cannot be drawn at all."""
    # What cannot print is replaced one for one; so cutting first bounds the work.
    cut = text[: longest + 1]
    plain = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in cut)
    return plain if len(plain) <= longest else f"{plain[: longest - 1]}…"


def date_line(text: str) -> str:
    """An ISO 8601 date for people, ``2026-11-21 09:45 UTC``; anything else as it is."""
    try:
        when = datetime.fromisoformat(text)
        if len(text) <= len("2026-11-21"):
            return when.date().isoformat()
        if when.tzinfo is None:
            return f"{when:%Y-%m-%d %H:%M}"
        return f"{when.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError):
        return shown(text)


def nice_step(span: int, most: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50 ... of which at most `most` fit into `span`."""
    least = max(1.0, span / max(1, most))
    power = 10 ** math.floor(math.log10(least))
    return next(int(n * power) for n in (1, 2, 5, 10) if n * power >= least)


def _shown_name(name: str) -> str:
    return shown(name.strip(), _LONGEST_NAME) or "?"


def _net(state: State) -> int:
    first, second = state.scores()
    return first - second
