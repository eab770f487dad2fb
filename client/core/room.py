"""Mirror one followed room by replaying its events under the rules of the game.

Theory of operation
-------------------
The server describes a room as a stream of numbered events. The mirror applies each event once and
in order, replays the moves on a game state, and compares the server's account of the position (the
seat to move, the scores) with the rules. It ignores an event that it has already applied. A number
that is too high raises `Gap`: the caller asks for the events after `seq`. An event that contradicts
the mirror raises `Desync`: the caller asks for a snapshot. Both errors leave the mirror unchanged.

When the server lists the missed events after a reconnect, a hole in the numbers is not a gap. The
missing numbers belong to event types that this client does not know. If such an event changed the
game, a later move contradicts the mirror, and the snapshot that the caller then asks for repairs
it.
"""

from __future__ import annotations

from typing import Literal

from doublecross.client.core.clock import RoomClock
from doublecross.client.core.sentences import sentence_of
from doublecross.games.api import Game, GameError, State
from doublecross.games.registry import make_game
from doublecross.protocol.common import MatchSettings, PairTag, PlayerInfo
from doublecross.protocol.server_messages import (
    MatchFinished,
    MatchResult,
    MatchStarted,
    MoveMade,
    OpenTakeback,
    Presence,
    RematchEnded,
    RematchOffered,
    RoomClosed,
    RoomCreated,
    RoomEvent,
    RoomState,
    Seated,
    Snapshot,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
)

Status = Literal["waiting", "playing", "finished", "closed"]


class Desync(Exception):  # noqa: N818 - a state of affairs, the name is part of the interface
    """A message contradicts the mirror. The text is one sentence."""


class Gap(Desync):
    """Events between the last applied one and the received one are missing."""


class RoomMirror:
    """One followed room; callers only read it.

    `seat` is this player's seat, or None for a spectator. `state` is the position of the current or
    last match, or the initial position before the first one; clone it before you play on it.
    `clock` has the remaining times. `claim_at` has, for each seat whose player is away, the time in
    seconds from which the opponent may claim the win. `takebacks` is the number of takebacks in the
    match, `takeback` the request for one that waits for its answer. `expected` is the final net
    score that each seat last expected for itself. `started`, `last_move` and `finished` are events
    of the current match, or None while unknown. `asked_by` is the person who arranged the match of
    two bots. `sentence` is the reason why the room was closed.
    """

    __slots__ = (
        "_game",
        "asked_by",
        "claim_at",
        "clock",
        "code",
        "expected",
        "finished",
        "last_move",
        "match",
        "players",
        "presence",
        "private",
        "rematch",
        "result",
        "room",
        "seat",
        "sentence",
        "seq",
        "settings",
        "started",
        "state",
        "status",
        "tag",
        "takeback",
        "takebacks",
    )

    def __init__(self, message: RoomState, now: float) -> None:
        """Build the room of a `room_state` that has a snapshot, or all events from the first.

        Raises:
            Desync: the message has neither, or it contradicts itself.
            GameError: this client does not know the game or its parameters.
        """
        self.room: str = message.room
        self.seq: int = 0
        self.seat: int | None = None
        self.players: tuple[PlayerInfo | None, PlayerInfo | None] = (None, None)
        self.private = False
        self.tag: PairTag | None = None
        self.asked_by: str | None = None
        self.status: Status = "waiting"
        self.match: int = 0
        self.rematch: tuple[bool, bool] = (False, False)
        self.result: MatchResult | None = None
        self.takebacks = 0
        self.takeback: OpenTakeback | None = None
        self.expected: tuple[float | None, float | None] = (None, None)
        self.started: MatchStarted | None = None
        self.last_move: MoveMade | None = None
        self.finished: MatchFinished | None = None
        self.code: str | None = None
        self.sentence: str = ""
        if message.snapshot is not None:
            self._set_game(message.snapshot.settings, now)
            self._take_snapshot(message.snapshot, now)
        elif message.events and isinstance(message.events[0], RoomCreated):
            self._set_game(message.events[0].settings, now)
        else:
            raise Desync(f"Room {message.room} came without its first event or a snapshot.")
        self.catch_up(message, now)

    # -- reading -----------------------------------------------------------------------------

    @property
    def my_turn(self) -> bool:
        """Return whether this player is to move."""
        return self.seat is not None and self.to_move == self.seat

    @property
    def strict(self) -> bool:
        """Return whether a bot that fails loses the match, as in rated and tournament matches."""
        return self.settings.rated or self.tag is not None

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when no match is being played.

        Nobody is to move before the last move of the settings' start has arrived.
        """
        if self.status != "playing" or self.state.is_terminal():
            return None
        if self.state.ply < len(self.settings.start):
            return None
        return self.state.current_player()

    @property
    def game(self) -> Game:
        """The game of this room, with its parameters."""
        return self._game

    # -- server messages ---------------------------------------------------------------------

    def apply(self, event: RoomEvent, now: float, *, gaps: bool = False) -> bool:
        """Apply one event; return false if it was applied before.

        With `gaps`, missing numbers are accepted as events of unknown types.

        Raises:
            Gap: events between `seq` and this one are missing.
            Desync: the event contradicts the mirror.
        """
        if event.seq <= self.seq:
            return False
        if event.seq != self.seq + 1 and not gaps:
            raise Gap(f"Room {self.room} is at event {self.seq} and got event {event.seq}.")
        if self.status == "closed":
            raise Desync(f"Room {self.room} is closed and got event {event.seq}.")
        match event:
            case MoveMade():
                self._move(event, now)
            case RoomCreated():
                self._created(event)
            case Seated():
                self._seated(event)
            case MatchStarted():
                self._match_started(event, now)
            case MatchFinished():
                self._match_finished(event, now)
            case TakebackAsked():
                self._takeback_asked(event)
            case TakebackDeclined():
                self.takeback = None
            case TakenBack():
                self._taken_back(event, now)
            case RematchOffered():
                self._rematch_offered(event)
            case RematchEnded():
                self._set_rematch(event.seat, False)
            case RoomClosed():
                self.close(sentence_of(event))
            case _:
                raise Desync(f"Room {self.room} got an event of the kind {type(event).__name__}.")
        self.seq = event.seq
        return True

    def catch_up(self, message: RoomState, now: float) -> list[RoomEvent]:
        """Apply a `room_state`: its events, seat, presence and clocks. Return the new events.

        Raises:
            Desync: an event contradicts the mirror. The events before it are applied.
        """
        new: list[RoomEvent] = [
            event for event in message.events or () if self.apply(event, now, gaps=True)
        ]
        self.seat = message.seat
        self.update_presence(message.presence, now)
        self.code = message.code or self.code
        # After the events, because their clocks are older than those of the message.
        if message.clock_ms is not None:
            self.clock.correct(message.clock_ms, now)
        if message.move_left_ms is not None:
            self.clock.set_move_left(message.move_left_ms, now)
        # A snapshot states this itself.
        if message.snapshot is None:
            self.clock.runs = self.status == "playing" and message.clock_runs
        return new

    def update_presence(self, presence: Presence, now: float) -> None:
        """Take over who is present, and until when the room waits for players and first moves."""
        self.presence: Presence = presence
        claims = (seat.claim_in_ms for seat in presence.seats)
        first, second = (None if ms is None else now + ms / 1000 for ms in claims)
        self.claim_at: tuple[float | None, float | None] = (first, second)
        first_ms = presence.first_move_in_ms
        self.clock.wait_for_first_move(None if first_ms is None else now + first_ms / 1000)

    def adopt(self, other: RoomMirror) -> None:
        """Copy all fields of `other`, so that references to this mirror stay valid."""
        for name in self.__slots__:
            setattr(self, name, getattr(other, name))

    def close(self, sentence: str) -> None:
        """Mark the room as closed; `sentence` gives the reason."""
        self.status = "closed"
        self.sentence = sentence
        self.clock.stop()

    # -- inner steps -------------------------------------------------------------------------

    def _set_game(self, settings: MatchSettings, now: float) -> None:
        self.settings: MatchSettings = settings
        self._game = make_game(settings.game, settings.params)
        self.state: State = self._game.initial_state(settings.opening)
        self.clock = RoomClock(settings.time.move_ms, now)

    def _take_snapshot(self, snapshot: Snapshot, now: float) -> None:
        try:
            self.state = self._game.replay(snapshot.settings.opening, snapshot.moves)
        except GameError as error:
            raise Desync(f"The snapshot of room {self.room} is impossible: {error}") from None
        if snapshot.scores != self.state.scores():
            raise Desync(
                f"The snapshot of room {self.room} has the scores {snapshot.scores}; "
                f"by the rules they are {self.state.scores()}."
            )
        playing = snapshot.status == "playing"
        if playing and snapshot.to_move != _mover(self.state):
            raise Desync(f"The snapshot of room {self.room} has the wrong seat to move.")
        self.seq = snapshot.seq
        self.private = snapshot.private
        self.tag = snapshot.tag
        self.asked_by = snapshot.asked_by
        self.players = snapshot.players
        self.status = snapshot.status
        self.match = snapshot.match
        self.rematch = snapshot.rematch
        self.result = snapshot.result
        self.takebacks = snapshot.takebacks
        self.takeback = snapshot.takeback
        runs = playing and snapshot.clock_runs
        self.clock.begin_turn(snapshot.clock_ms, self.to_move, now, runs=runs)
        names = tuple(player.name for player in self.players if player is not None)
        if self.match > 0 and len(names) == 2:
            self.started = MatchStarted(
                room=self.room,
                # Events are numbered from 1, but a snapshot before the first one has the number 0.
                seq=max(1, self.seq),
                match=self.match,
                players=(names[0], names[1]),
                to_move=_mover(self._game.initial_state(self.settings.opening)) or 0,
                clock_ms=None,
                at=snapshot.started_at or 0,
            )
        if snapshot.result is not None and self.match > 0:
            self.finished = MatchFinished(
                room=self.room,
                seq=max(1, self.seq),
                match=self.match,
                scores=snapshot.scores,
                clock_ms=snapshot.clock_ms,
                at=snapshot.started_at or 0,
                **dict(snapshot.result),
            )

    def _created(self, event: RoomCreated) -> None:
        if self.seq != 0:
            raise Desync(f"Room {self.room} was created twice.")
        self.private = event.private
        self.tag = event.tag
        self.asked_by = event.asked_by
        self.code = event.code

    def _seated(self, event: Seated) -> None:
        if self.players[event.seat] not in (None, event.player) or self.status == "playing":
            raise Desync(f"Seat {event.seat} of room {self.room} is taken.")
        first, second = self.players
        self.players = (event.player, second) if event.seat == 0 else (first, event.player)

    def _match_started(self, event: MatchStarted, now: float) -> None:
        # A rematch swaps the seats, so find the players by name.
        players = {player.name: player for player in self.players if player is not None}
        first, second = (players.get(name) for name in event.players)
        if self.status == "playing" or event.match != self.match + 1:
            raise Desync(f"Room {self.room} cannot start match {event.match} now.")
        if first is None or second is None or first == second:
            raise Desync(f"Match {event.match} of room {self.room} has players without a seat.")
        state = self._game.initial_state(self.settings.opening)
        if event.to_move != _mover(state):
            raise Desync(f"Match {event.match} of room {self.room} starts with the wrong seat.")
        if self.seat is not None and (me := self.players[self.seat]) is not None:
            self.seat = event.players.index(me.name)
        self.players = (first, second)
        self.status = "playing"
        self.match = event.match
        self.state = state
        self.rematch = (False, False)
        self.result = self.finished = self.last_move = None
        self.expected = (None, None)
        self.takebacks, self.takeback = 0, None
        self.started = event
        self.clock.begin_turn(event.clock_ms, event.to_move, now, runs=True)

    def _move(self, event: MoveMade, now: float) -> None:
        state = self.state
        here, there = (
            (self.match, state.ply, self.takebacks),
            (
                event.match,
                event.ply,
                event.takebacks,
            ),
        )
        if self.status != "playing" or here != there:
            raise Desync(
                f"Room {self.room} is {self.status} at match, ply and takebacks {here}, and got a "
                f"move of {there}."
            )
        if event.seat != state.current_player():
            raise Desync(f"Seat {event.seat} of room {self.room} moved out of turn.")
        try:
            state.apply(event.action)
        except GameError as error:
            raise Desync(f"Room {self.room} got an illegal move: {error}") from None
        if event.scores != state.scores() or event.to_move != _mover(state):
            # An error must leave the mirror unchanged.
            state.undo()
            raise Desync(
                f"The scores or the turn of room {self.room} after ply {event.ply} are wrong."
            )
        if event.expected is not None:
            first, second = self.expected
            self.expected = (event.expected, second) if event.seat == 0 else (first, event.expected)
        self.last_move = event
        self.takeback = None
        runs = event.to_move is not None
        self.clock.begin_turn(event.clock_ms, event.to_move, now, runs=runs)

    def _takeback_asked(self, event: TakebackAsked) -> None:
        if self.status != "playing" or event.match != self.match or event.ply >= self.state.ply:
            raise Desync(f"Room {self.room} has no move {event.ply} that could be taken back.")
        self.takeback = OpenTakeback(seat=event.seat, ply=event.ply)

    def _taken_back(self, event: TakenBack, now: float) -> None:
        count = self.state.ply - event.ply
        if (
            self.status != "playing"
            or (event.match, event.takebacks) != (self.match, self.takebacks + 1)
            or count <= 0
        ):
            raise Desync(f"Room {self.room} cannot go back to ply {event.ply} now.")
        state = self.state.clone()
        for _ in range(count):
            state.undo()
        mover = state.current_player()
        if (mover, mover, state.scores()) != (event.seat, event.to_move, event.scores):
            raise Desync(f"The scores or the turn of room {self.room} after a takeback are wrong.")
        self.state = state
        self.takebacks, self.takeback = event.takebacks, None
        self.last_move = None
        self.expected = (None, None)
        self.clock.begin_turn(event.clock_ms, event.to_move, now, runs=True)

    def _match_finished(self, event: MatchFinished, now: float) -> None:
        if self.status != "playing" or event.match != self.match:
            raise Desync(f"Room {self.room} cannot finish match {event.match} now.")
        if event.termination == "completed" and (
            not self.state.is_terminal() or event.scores != self.state.scores()
        ):
            raise Desync(f"Match {event.match} of room {self.room} is not over by the rules.")
        self.status = "finished"
        self.result = MatchResult(
            termination=event.termination,
            winner=event.winner,
            returns=event.returns,
            game_id=event.game_id,
            reason=event.reason,
            phrase=event.phrase,
        )
        self.finished = event
        self.takeback = None
        self.clock.begin_turn(event.clock_ms, None, now, runs=False)

    def _rematch_offered(self, event: RematchOffered) -> None:
        if self.status != "finished":
            raise Desync(f"Room {self.room} got a rematch offer before its match was finished.")
        self._set_rematch(event.seat, True)

    def _set_rematch(self, seat: int, offered: bool) -> None:
        first, second = self.rematch
        self.rematch = (offered, second) if seat == 0 else (first, offered)


def _mover(state: State) -> int | None:
    """Return the seat to move, None when the game is over."""
    return None if state.is_terminal() else state.current_player()
