"""A room: two seats, the matches played in it, and its stream of numbered events.

Theory of operation
-------------------
A command names the seat's player, is checked, changes the room and returns the events that say
so; the shell stores them, and only then sends them. What only shows how things are now (who is
connected, how long until a claim) is `presence`, which is neither numbered nor stored.

`server/core/replay.py` builds a room again from its stored events and nothing else. Clocks stand
still then; the mover's starts when that seat is back and ready, or after `RoomTimes.restart_ms`.

`now` is milliseconds since 1970 on a clock that never goes back. `deadline` says when `tick`
wants to be called next.
"""

from __future__ import annotations

from typing import Final, Literal

from games.api import Game
from protocol.common import PlayerInfo
from protocol.errors import ErrorCode
from protocol.server_messages import Termination
from server.core import events
from server.core.attendance import Attendance
from server.core.errors import Refused, Repeated
from server.core.events import Event
from server.core.match import Match
from server.core.terms import RoomTerms, RoomTimes, check_settings

MAX_MATCHES: Final = 50
"""Matches in one room; the journal keeps a room's events until it closes, so it must close."""

TOURNAMENT_LINGER_MS: Final = 60_000
"""How long a room stays at most after its game of a tournament, in milliseconds."""

Status = Literal["waiting", "playing", "finished", "closed"]


class Room:
    """See the module's docstring. Players are compared by name."""

    def __init__(self, terms: RoomTerms, game: Game, times: RoomTimes, now: int) -> None:
        self.terms = terms
        self.id = terms.room
        self.settings = terms.settings
        self.game = game
        self.times = times
        self.seq = 0
        self.status: Status = "waiting"
        self.players: list[PlayerInfo | None] = [None, None]
        self.match: Match | None = None
        self.match_number = 0
        self.started_at: int | None = None
        self.finished_at: int | None = None
        self.rematch = [False, False]
        self.created_at = now
        self.move_seqs: list[int] = []
        """The event of each ply of the current match."""
        self.attendance = Attendance(now)

    # -- opening and restoring -----------------------------------------------------------------

    @classmethod
    def open(cls, terms: RoomTerms, times: RoomTimes, now: int) -> tuple[Room, list[Event]]:
        """A new room.

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
            )
        ]

    # -- what the state is ---------------------------------------------------------------------

    def seat_of(self, player: str) -> int | None:
        """The player's seat, None for a stranger."""
        first, second = self.players
        if first is not None and first.name == player:
            return 0
        if second is not None and second.name == player:
            return 1
        return None

    def left_by(self, player: str) -> bool:
        """Whether the player had a seat and has left it for good."""
        seat = self.seat_of(player)
        return seat is not None and self.attendance.left[seat]

    def _my_seat(self, player: str) -> int:
        seat = self.seat_of(player)
        if seat is None:
            raise Refused(ErrorCode.NOT_SEATED, "Only a player of this room can do that.")
        return seat

    def _playing(self) -> Match:
        if self.match is None or self.status != "playing":
            raise Refused(ErrorCode.WRONG_STATE, f"No match is in play; the room is {self.status}.")
        return self.match

    @property
    def game_id(self) -> str:
        """The id of the current match's record."""
        return f"{self.id}-{self.match_number}"

    def clock_ms(self, now: int) -> tuple[int, int] | None:
        """What both seats have left at `now`; None without clocks or before the first match."""
        return None if self.match is None else self.match.clock.peek(now)

    @property
    def clock_runs(self) -> bool:
        """Whether the mover's time runs."""
        return self.match is not None and self.match.clock.running is not None

    def _next(self) -> int:
        self.seq += 1
        return self.seq

    # -- seats ---------------------------------------------------------------------------------

    def sit(self, player: PlayerInfo, seat: int | None, now: int) -> list[Event]:
        """`player` takes `seat`, or the free one; with both taken the match starts.

        Raises:
            Refused: the seat is taken, or the room is not waiting.
        """
        if self.seat_of(player.name) is not None:
            raise Refused(ErrorCode.WRONG_STATE, "You have a seat in this room already.")
        free = [s for s in (0, 1) if self.players[s] is None]
        if self.status != "waiting" or not free or (seat is not None and seat not in free):
            raise Refused(ErrorCode.ROOM_FULL, "That seat is taken.")
        seat = free[0] if seat is None else seat
        self.players[seat] = player
        said = [events.seated(self.id, self._next(), seat, player)]
        if len(free) == 1:
            said.append(self._start_match(now))
        return said

    def _start_match(self, now: int) -> Event:
        if self.match_number:
            self.players.reverse()
            self.attendance.swap()
        match = self.begin(now)
        names = [p.name for p in self.players if p is not None]
        return events.match_started(
            self.id,
            self._next(),
            self.match_number,
            (names[0], names[1]),
            match.state.current_player(),
            match.clock.left,
            now,
        )

    def begin(self, at: int) -> Match:
        """The match that `match_started` tells of."""
        self.match = Match(self.game, self.settings.opening, self.settings.time)
        self.match.start()
        self.match_number += 1
        self.status = "playing"
        self.started_at = at
        self.finished_at = None
        self.rematch = [False, False]
        self.move_seqs = []
        return self.match

    def end(self, at: int) -> None:
        """The match of the room is over."""
        self.status = "finished"
        self.finished_at = at

    # -- playing -------------------------------------------------------------------------------

    def move(
        self,
        player: str,
        number: int,
        ply: int,
        action: int,
        expected: float | None,
        fallback: bool,
        now: int,
    ) -> list[Event]:
        """A move of match `number`.

        Raises:
            Repeated: this very move was played before.
            Refused: not this player's turn, not this ply, or an illegal action.
        """
        seat = self._my_seat(player)
        match = self.match
        if match is None or number != self.match_number:
            raise Refused(
                ErrorCode.STALE_PLY, f"The room is at match {self.match_number}, not {number}."
            )
        if ply < len(match.moves) and match.moves[ply][0] == action and match.movers[ply] == seat:
            raise Repeated(self.move_seqs[ply])
        try:
            match.check_move(seat, ply, action)
        except Refused as refused:
            if self.terms.tag is None or refused.code != ErrorCode.ILLEGAL_ACTION:
                raise
            return [self._finish("illegal", 1 - seat, str(refused), now)]
        if match.clock.fell(now):
            return [self._finish("timeout", 1 - seat, "", now)]
        elapsed = match.play(seat, action, now)
        match.thought[seat].add(elapsed)
        seq = self._next()
        self.move_seqs.append(seq)
        state = match.state
        to_move = state.current_player()
        event: Event = {
            "type": "move",
            "room": self.id,
            "seq": seq,
            "match": number,
            "ply": ply,
            "seat": seat,
            "action": action,
            "to_move": None if to_move < 0 else to_move,
            "scores": state.scores(),
            "clock_ms": match.clock.left,
            "elapsed_ms": elapsed,
        }
        if expected is not None:
            event["expected"] = expected
        if fallback:
            event["fallback"] = True
        return [event, self._finish("completed", None, "", now)] if to_move < 0 else [event]

    def _finish(self, termination: Termination, winner: int | None, reason: str, now: int) -> Event:
        assert self.match is not None
        result = self.match.finish(termination, winner, reason, now)
        self.end(now)
        return events.match_finished(
            self.id,
            self._next(),
            self.match_number,
            result.termination,
            result.winner,
            result.returns,
            result.scores,
            self.match.clock.left,
            self.game_id,
            now,
            reason,
        )

    def resign(self, player: str, now: int) -> list[Event]:
        """The player gives up; the other wins."""
        seat = self._my_seat(player)
        self._playing()
        return [self._finish("resigned", 1 - seat, "", now)]

    def abort(self, player: str, now: int) -> list[Event]:
        """The player calls the match off; only before both have moved."""
        seat = self._my_seat(player)
        match = self._playing()
        if self.terms.tag is not None:
            raise Refused(ErrorCode.WRONG_STATE, "A game of a tournament is not called off.")
        if all(match.moved):
            raise Refused(ErrorCode.WRONG_STATE, "Both have moved: resign instead of aborting.")
        info = self.players[seat]
        who = info.name if info else ""
        return [self._finish("aborted", None, f"Called off by {who}.", now)]

    def crash(
        self, player: str, number: int, ply: int, message: str, now: int, *, illegal: bool = False
    ) -> list[Event]:
        """The player's bot failed, by choosing an `illegal` action or otherwise; it loses a rated
        match.

        Raises:
            Refused: a casual match, or not its turn at that ply.
        """
        seat = self._my_seat(player)
        match = self._playing()
        if number != self.match_number or ply != match.ply or seat != match.to_move:
            raise Refused(ErrorCode.STALE_PLY, "It is not your turn at that ply.")
        if not self.settings.rated and self.terms.tag is None:
            raise Refused(
                ErrorCode.WRONG_STATE, "The match is casual: play another legal action instead."
            )
        how: Termination = "illegal" if illegal and self.terms.tag is not None else "crash"
        return [self._finish(how, 1 - seat, message, now)]

    def claim(self, player: str, now: int) -> list[Event]:
        """The player claims the win over an opponent who stays away beyond the grace."""
        seat = self._my_seat(player)
        self._playing()
        wait = self.claim_in_ms(1 - seat, now)
        if wait is None:
            raise Refused(ErrorCode.WRONG_STATE, "Your opponent is connected.")
        if wait > 0:
            raise Refused(
                ErrorCode.TOO_EARLY,
                f"Your opponent has another {(wait + 999) // 1000} s to come back.",
            )
        return [self._finish("disconnect", seat, "", now)]

    def forfeit(self, player: str, reason: str, now: int) -> list[Event]:
        """The player is gone for good, as the server knows; it loses as by its absence."""
        seat = self._my_seat(player)
        self._playing()
        return [self._finish("disconnect", 1 - seat, reason, now)]

    def offer_rematch(self, player: str, now: int) -> list[Event]:
        """The player would play again; when both would, the next match starts."""
        seat = self._my_seat(player)
        if self.terms.tag is not None:
            raise Refused(ErrorCode.WRONG_STATE, "The tournament says who plays whom next.")
        if self.status != "finished":
            raise Refused(ErrorCode.WRONG_STATE, f"The room is {self.status}; no rematch now.")
        if self.attendance.left[1 - seat]:
            raise Refused(ErrorCode.WRONG_STATE, "Your opponent has left the room.")
        if self.match_number >= MAX_MATCHES:
            raise Refused(
                ErrorCode.TOO_MANY, f"This room has seen {MAX_MATCHES} matches; open a new one."
            )
        if self.rematch[seat]:
            raise Refused(ErrorCode.WRONG_STATE, "You have offered a rematch already.")
        if self.rematch[1 - seat]:
            return [self._start_match(now)]
        self.rematch[seat] = True
        return [events.rematch_offered(self.id, self._next(), seat)]

    def leave(self, player: str, now: int) -> list[Event]:
        """The player leaves a waiting or finished room; the last one closes it."""
        seat = self._my_seat(player)
        if self.status == "playing":
            raise Refused(ErrorCode.WRONG_STATE, "Resign first: the match is in play.")
        self.attendance.leave(seat, now)
        if self.status == "waiting":
            return self._close("Its creator left before anybody joined.")
        if all(self.attendance.left):
            return self._close("Both players have left.")
        return []

    def _close(self, reason: str) -> list[Event]:
        if self.status == "closed":
            return []
        self.status = "closed"
        return [events.room_closed(self.id, self._next(), reason)]

    # -- who is there --------------------------------------------------------------------------

    def start_clock(self, now: int) -> int | None:
        """Everything up to here is stored and sent: the mover's time runs, unless the mover has
        not come back yet after a restart. Returns when it is over, None: never, or not known."""
        match = self.match
        if match is None or match.phase != "playing":
            return None
        clock = match.clock
        if clock.running is None:
            seat = match.state.current_player()
            if self.attendance.held(seat, now):
                return None
            clock.start(seat, now)
        return clock.deadline()

    def claim_in_ms(self, seat: int, now: int) -> int | None:
        """How long until the absence of `seat` may be claimed; None: it is here, or no match."""
        if self.attendance.connected[seat] or self.status != "playing":
            return None
        return max(0, self.attendance.away_since[seat] + self.times.grace_ms - now)

    # -- time ----------------------------------------------------------------------------------

    def deadline(self) -> int | None:
        """When `tick` has something to do, if nothing happens before; None: never."""
        times = self.times
        if self.status == "playing":
            return self._playing_deadline()
        if self.status == "closed":
            return None
        if self.status == "finished":
            assert self.finished_at is not None
            end = self.finished_at + self._linger_ms
        else:
            end = self.created_at + times.join_ms
        return end if not self.attendance.nobody else min(end, self._all_away_until())

    def _playing_deadline(self) -> int | None:
        assert self.match is not None
        clock = self.match.clock
        due = clock.deadline()
        forfeit = self._forfeit()
        # A flag has fallen one millisecond after its deadline.
        if due is not None and forfeit is None and not self.attendance.nobody:
            return due + 1
        candidates = [] if due is None else [due + 1]
        if forfeit is not None:
            candidates.append(forfeit[1])
        if clock.running is None and not self.attendance.ready[self.match.state.current_player()]:
            candidates.append(self.attendance.hold_until)
        if self.attendance.nobody:
            candidates.append(self._all_away_until())
        return min(candidates, default=None)

    @property
    def _linger_ms(self) -> int:
        """How long a finished room stays; without a rematch there is little to stay for."""
        linger = self.times.linger_ms
        return linger if self.terms.tag is None else min(linger, TOURNAMENT_LINGER_MS)

    def _forfeit(self) -> tuple[int, int] | None:
        """The seat that is away from a game of a tournament, while the other is there, and when
        it loses by that; None: nobody does. Elsewhere the opponent claims or waits."""
        here = self.attendance.connected
        if self.terms.tag is None or here[0] == here[1]:
            return None
        seat = here.index(False)
        return seat, self.attendance.away_since[seat] + self.times.grace_ms

    def _all_away_until(self) -> int:
        return self.attendance.nobody_since + self.times.away_ms

    def tick(self, now: int) -> list[Event]:
        """What is due at `now`: a flag, a match or a room that nobody comes back to."""
        if self.status == "closed":
            return []
        away = self.attendance.nobody and now >= self._all_away_until()
        if self.status == "waiting":
            if away:
                return self._close("Its creator did not come back.")
            if now >= self.created_at + self.times.join_ms:
                return self._close("Nobody joined.")
            return []
        if self.status == "finished":
            if away or (self.finished_at or 0) + self._linger_ms <= now:
                return self._close("The match is over.")
            return []
        assert self.match is not None
        clock = self.match.clock
        if clock.fell(now):
            assert clock.running is not None
            return [self._finish("timeout", 1 - clock.running, "", now)]
        if away:
            return [self._finish("aborted", None, "Neither player came back.", now)]
        forfeit = self._forfeit()
        if forfeit is not None and now >= forfeit[1]:
            return [self._finish("disconnect", 1 - forfeit[0], "", now)]
        mover = self.match.state.current_player()
        if clock.running is None and not self.attendance.ready[mover]:
            self.start_clock(now)
        return []

    def void(self, reason: str, now: int) -> list[Event]:
        """The server cannot keep the match: it ends without a result, and the room with it."""
        said = [self._finish("void", None, reason, now)] if self.status == "playing" else []
        return said + self._close(reason)
