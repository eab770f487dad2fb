"""A room: two seats, the matches played in it, and its stream of numbered events.

Theory of operation
-------------------
Each command is a method with the player's name. It checks the request, changes the room and
returns the events of the change. The shell stores these events and only then sends them. Current
state without history (who is connected, how long until a claim) is not an event; `presence`
notices show it, and it is neither numbered nor stored.

`Room` seats players, starts matches and plays moves. `server/core/commands.py` has the other
commands: ending a match early, and rematches. `server/core/rooms/takeback_commands.py` has those
that take back moves. `server/core/rooms/deadlines.py` has the changes that only time causes: lost
on time, absent players, abandoned rooms.

`server/core/rooms/replay.py` rebuilds a room from its stored events alone. Its clock is stopped
then; it starts when the mover follows the room again, or after `RoomTimes.restart_ms`.

`now` is milliseconds since 1970 from a clock that never goes back, and that stands still while the
server does (`server/core/rooms/clock.py`). Deadlines count on it. Events have dates for people
instead, which the publisher puts in (`server/shell/rooms/publisher.py`).
"""

from __future__ import annotations

from doublecross.games.api import Game
from doublecross.games.api.sentence import Sentence
from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.room_events import RematchOutcome
from doublecross.protocol.server_messages import Termination
from doublecross.server.core import events
from doublecross.server.core.errors import Refused, Repeated, wrong_state
from doublecross.server.core.events import Event
from doublecross.server.core.rooms.attendance import Attendance
from doublecross.server.core.rooms.clock import Clock
from doublecross.server.core.rooms.match import Match
from doublecross.server.core.rooms.status import STATUS_WORDS, Cause, Status, after
from doublecross.server.core.terms import RoomTerms, RoomTimes, check_settings


class Room:
    """The state of one room; see the module's docstring. Names identify the players."""

    def __init__(self, terms: RoomTerms, game: Game, times: RoomTimes, now: int) -> None:
        self.terms = terms
        self.id = terms.room
        self.settings = terms.settings
        self.by_days = terms.settings.time.by_days
        """True for a correspondence game: nobody has to be here while it is played."""
        self.waits = self.by_days
        """True when the match waits for its players for days: also casually, without a clock,
        against a bot."""
        self.game = game
        self.times = times
        self.seq = 0
        self.status: Status = "waiting"
        """Only `advance` changes it."""
        self.players: list[PlayerInfo | None] = [None, None]
        self.match: Match | None = None
        self.match_number = 0
        self.started_at: int | None = None
        """The date at which the current match began."""
        self.finished_at: int | None = None
        """The date at which it ended."""
        self.output: str | None = None
        """What a bot whose failure ended it had written; no event has this."""
        self.over_since: int | None = None
        """When it ended on the clock of `now`."""
        self.rematch = [False, False]
        """Which seats have offered a rematch."""
        self.created_at = now
        self.move_seqs: list[int] = []
        """The number of the `move` event of each ply of the current match."""
        self.attendance = Attendance(now)

    @classmethod
    def open(cls, terms: RoomTerms, times: RoomTimes, now: int) -> tuple[Room, list[Event]]:
        """Open a new room and return it with its first event.

        Raises:
            Refused: the settings are not allowed.
        """
        room = cls(terms, check_settings(terms.settings), times, now)
        room.seq = 1
        return room, [
            events.room_created(
                terms.room,
                terms.settings,
                terms.private,
                now,
                terms.code,
                terms.origin,
                terms.keys,
                terms.tag,
                terms.asked_by,
                terms.asked_key,
            )
        ]

    # -- queries -------------------------------------------------------------------------------

    def seat_of(self, player: str) -> int | None:
        """Return the player's seat, or None for somebody without a seat."""
        first, second = self.players
        if first is not None and first.name == player:
            return 0
        if second is not None and second.name == player:
            return 1
        return None

    def seat_or_refuse(self, player: str) -> int:
        """Return the player's seat.

        Raises:
            Refused: the player has no seat.
        """
        seat = self.seat_of(player)
        if seat is None:
            raise Refused(ErrorCode.NOT_SEATED, "Only a player of this room can do that.")
        return seat

    def left_by(self, player: str) -> bool:
        """Return whether the player has a seat but left the room by choice."""
        seat = self.seat_of(player)
        return seat is not None and self.attendance.left[seat]

    def match_or_refuse(self) -> Match:
        """Return the match in play.

        Raises:
            Refused: no match is in play.
        """
        if self.match is None or self.status != "playing":
            raise wrong_state(
                "No match is in play; the room is {status}.", STATUS_WORDS[self.status]
            )
        return self.match

    @property
    def game_id(self) -> str:
        """The id of the current match's record."""
        return f"{self.id}-{self.match_number}"

    def clock_ms(self, now: int) -> tuple[int, int] | None:
        """Return what both seats have left at `now`, in milliseconds.

        Return None without clocks or before the first match.
        """
        return None if self.match is None else self.match.clock.remaining(now)

    @property
    def clock_runs(self) -> bool:
        """True when the mover's clock runs."""
        clock = None if self.match is None else self.match.clock
        return clock is not None and clock.running is not None and clock.first_ms is None

    # -- changes of the state ------------------------------------------------------------------

    def advance(self, cause: Cause) -> None:
        """Change the status.

        Raises:
            Refused: the current status does not allow this change.
        """
        self.status = after(self.status, cause)

    def next_seq(self) -> int:
        """Return the number for a new event."""
        self.seq += 1
        return self.seq

    def begin(self, at: int) -> Match:
        """Apply a `match_started` event: create the match, with the players in their seats."""
        self.advance("match_started")
        self.match = Match(self.game, self.settings.opening, self.settings.time)
        self.match_number += 1
        self.started_at = at
        self.finished_at = self.over_since = self.output = None
        self.rematch = [False, False]
        self.move_seqs = []
        self.waits = self.by_days or self._waits_for_a_person()
        return self.match

    def _waits_for_a_person(self) -> bool:
        """Return whether only a person can be missed, and nothing is at stake."""
        time, terms = self.settings.time, self.terms
        kinds = {player.kind for player in self.players if player is not None}
        at_stake = self.settings.rated or terms.tag is not None or terms.asked_by is not None
        return time.base_ms is None and time.move_ms is None and len(kinds) == 2 and not at_stake

    def end(self, at: int, now: int) -> None:
        """Apply a `match_finished` event to the room; the match itself has already ended.

        `at` is the date of the event.
        """
        self.advance("match_finished")
        self.finished_at = at
        self.over_since = now

    def start_match(self, now: int) -> list[Event]:
        """Start a match and return its events; before a rematch the players swap seats.

        The moves of the settings' start follow at once.
        """
        # The players change seats, so each begins every second match.
        if self.match_number:
            self.players.reverse()
            self.attendance.swap()
        match = self.begin(now)
        names = [p.name for p in self.players if p is not None]
        begun = events.match_started(
            self.id,
            self.next_seq(),
            self.match_number,
            (names[0], names[1]),
            match.state.current_player(),
            match.clock.left,
            now,
        )
        return [begun, *(self._place(match, action) for action in self.settings.start)]

    def _place(self, match: Match, action: int) -> Event:
        """Play a move of the start and return its event."""
        ply, seat = match.ply, match.place(action)
        seq = self.next_seq()
        self.move_seqs.append(seq)
        return events.move_made(
            self.id,
            seq,
            self.match_number,
            ply,
            seat,
            action,
            match.state.current_player(),
            match.state.scores(),
            match.clock.left,
            0,
            None,
            False,
        )

    def finish(self, termination: Termination, winner: int | None, reason: str, now: int) -> Event:
        """End the match in play and return the event.

        With `completed` the rules determine the winner, and `winner` is ignored.
        """
        assert self.match is not None
        end = self.match.finish(termination, winner, Sentence(reason), now)
        self.end(now, now)
        return events.match_finished(
            self.id,
            self.next_seq(),
            self.match_number,
            end.termination,
            end.winner,
            end.returns,
            end.scores,
            self.match.clock.left,
            self.game_id,
            now,
            end.reason,
            both_moved=end.both_moved,
        )

    def end_rematch(self, seat: int, outcome: RematchOutcome) -> Event:
        """End the rematch that a seat has offered, and return the event."""
        self.rematch[seat] = False
        return events.rematch_ended(self.id, self.next_seq(), seat, outcome)

    def close(self, reason: str) -> list[Event]:
        """Close the room and return the event; return no event when it is already closed."""
        if self.status == "closed":
            return []
        self.advance("room_closed")
        return [events.room_closed(self.id, self.next_seq(), reason)]

    # -- seats and moves -----------------------------------------------------------------------

    def sit(self, player: PlayerInfo, seat: int | None, now: int) -> list[Event]:
        """Give `player` the `seat` (None: a free one), and start the match if it was the last one.

        Raises:
            Refused: the player already has a seat, the seat is taken, or the room is not waiting.
        """
        if self.seat_of(player.name) is not None:
            raise wrong_state("You already have a seat in this room.")
        free = [s for s in (0, 1) if self.players[s] is None]
        if self.status != "waiting" or not free or (seat is not None and seat not in free):
            raise Refused(ErrorCode.ROOM_FULL, "That seat is taken.")
        seat = free[0] if seat is None else seat
        self.players[seat] = player
        changes: list[Event] = [events.seated(self.id, self.next_seq(), seat, player)]
        if len(free) == 1:
            changes += self.start_match(now)
        return changes

    def leave(self, player: str, now: int) -> list[Event]:
        """Let the player leave a waiting or finished room. The last player to leave closes it.

        Raises:
            Refused: the player has no seat, or a match is in play.
        """
        seat = self.seat_or_refuse(player)
        if self.status == "playing":
            raise wrong_state("Resign first: the match is in play.")
        self.attendance.leave(seat, now)
        if self.status == "waiting":
            return self.close(Sentence("Its creator left before anybody joined."))
        if all(self.attendance.left):
            return self.close(Sentence("Both players have left."))
        return []

    def move(
        self,
        player: str,
        number: int,
        ply: int,
        action: int,
        expected: float | None,
        fallback: bool,
        now: int,
        takebacks: int | None = None,
    ) -> list[Event]:
        """Play a move of match `number` and return its event, and `match_finished` if it ends.

        `expected` and `fallback` are the bot's remarks about the move; see `protocol`'s `Move`.
        `takebacks` is the number of takebacks before the move; None, from a client that knows no
        takebacks, is the present one. In a tournament an illegal action ends the match.

        Raises:
            Repeated: the same move was already played.
            Refused: the player has no seat, it is another match, ply or player's turn, moves were
                taken back meanwhile, or the action is illegal.
        """
        seat = self.seat_or_refuse(player)
        match = self.match
        if match is None or number != self.match_number:
            raise Refused(
                ErrorCode.STALE_PLY,
                "The room is at match {match_number}, not {number}.",
                self.match_number,
                number,
            )
        # This comes first: once a move is played, all other checks would refuse its repetition.
        if (
            ply < len(match.moves)
            and match.moves[ply][0] == action
            and match.movers[ply] == seat
            and takebacks in (None, match.counts[ply])
        ):
            raise Repeated(self.move_seqs[ply])
        # Without this check, a move that was sent before a takeback could be played after it,
        # because the same plies are played again.
        count = match.takebacks.count
        if takebacks is not None and takebacks != count:
            raise Refused(
                ErrorCode.STALE_PLY,
                "The match has had {count} takebacks; the move is for {takebacks}.",
                count,
                takebacks,
            )
        try:
            match.check_move(seat, ply, action)
        except Refused as refused:
            if self.terms.tag is None or refused.code != ErrorCode.ILLEGAL_ACTION:
                raise
            return [self.finish("illegal", 1 - seat, refused.sentence, now)]
        # The deadlines are checked only now and then, so a late move can come before the check.
        if match.clock.is_out_of_time(now):
            return [self.lose_on_time(match.clock, seat, now)]
        elapsed = match.play(seat, action, now)
        # `Match.play` does not do this, because a replay takes the time from the event.
        match.thought[seat].add(elapsed)
        self.seq = seq = self.seq + 1
        self.move_seqs.append(seq)
        state = match.state
        mover = state.current_player()
        over = mover < 0
        event = events.move_made(
            self.id,
            seq,
            number,
            ply,
            seat,
            action,
            None if over else mover,
            state.scores(),
            match.clock.left,
            elapsed,
            expected,
            fallback,
            count,
        )
        return [event, self.finish("completed", None, "", now)] if over else [event]

    def take_back(self, seat: int, ply: int, seq: int, now: int) -> None:
        """Apply a `takeback` event: return to the position before the move at `ply`."""
        assert self.match is not None
        self.match.take_back(seat, ply, seq, now)
        # Other moves at these plies must not get the answers of the moves that were taken back.
        del self.move_seqs[ply:]

    def start_clock(self, now: int) -> int | None:
        """Start the mover's clock and return its deadline, or None when there is none.

        Call this after all events so far have been stored and sent. After a restart the clock does
        not start yet while the mover still has time to come back.
        """
        match = self.match
        if match is None or self.status != "playing":
            return None
        clock = match.clock
        # Every reconnect comes here too. A clock that runs must not begin anew.
        if clock.running is None:
            seat = match.state.current_player()
            # Every move comes here too, and a call only for a seat that is not ready spares time.
            if not self.attendance.ready[seat] and self.attendance.must_wait(seat, now):
                return None
            # Every move comes here too, and only a seat that has not moved has such a limit.
            new = not match.moved[seat]
            first_ms = self.terms.first_ms(self.players[seat], self.times) if new else None
            clock.start(seat, now, first_ms)
        return clock.deadline()

    def lose_on_time(self, clock: Clock, seat: int, now: int) -> Event:
        """End the match of `seat`, which is out of time, and return the event.

        A player who makes no first move in time loses in a tournament. Elsewhere the match then
        ends without a result.
        """
        if clock.first_ms is None:
            return self.finish("timeout", 1 - seat, "", now)
        player = self.players[seat]
        reason = Sentence("{who} did not begin in time.", "" if player is None else player.name)
        if self.terms.tag is None:
            return self.finish("aborted", None, reason, now)
        return self.finish("timeout", 1 - seat, reason, now)
