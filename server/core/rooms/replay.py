"""Rebuild rooms from their stored events, after a restart or a failed commit.

The events are facts, so `restore` does not repeat the checks of commands, such as turns on the
clock. It checks only consistency: event numbers, legal actions, scores. A log that is inconsistent
raises `CorruptLog`. Then `salvage` restores the room from the longest valid part of the log, and
the caller ends its match as void.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, get_args

from doublecross.games.api import GameError
from doublecross.games.api.sentence import Sentence
from doublecross.games.record import MAX_CLOCK_MS
from doublecross.protocol.common import MatchSettings, PairTag, PlayerInfo
from doublecross.protocol.server_messages import Termination
from doublecross.server.core.errors import CorruptLog, Refused
from doublecross.server.core.events import Event, MatchStartedEvent, RoomCreatedEvent, TakebackEvent
from doublecross.server.core.rooms.match import Match
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.takebacks import TakebackRequest
from doublecross.server.core.terms import RoomTerms, RoomTimes, check_settings

AFTER_START_MS: Final = 3_600_000
"""How long a player of a correspondence game has at least after a restart, in milliseconds."""
TERMINATIONS: Final[frozenset[Termination]] = frozenset(get_args(Termination))


def restore(
    stored: Sequence[Event],
    times: RoomTimes,
    now: int,
    finished: Callable[[Room], None] | None = None,
    *,
    latest_match: bool = False,
) -> Room:
    """Return the room with this history, with both seats away and the clock stopped.

    After each finished match, `finished` is called with the room in its state at that moment.
    With `latest_match`, all events of the matches before the first one in `stored` are missing.
    `stored` may have any content; events of a wrong shape raise `CorruptLog` too.

    Raises:
        CorruptLog: the events are inconsistent or malformed.
    """
    room: Room | None = None
    for event in stored:
        try:
            if room is None:
                room = opened_by(event, times, now)
            else:
                if latest_match and room.match is None and event["type"] == "match_started":
                    _skip_matches(room, event)
                _apply(room, event, now)
                if finished is not None and event["type"] == "match_finished":
                    finished(room)
        # A damaged journal can hold anything, so any of these errors means that the log is corrupt.
        except (Refused, GameError, KeyError, IndexError, TypeError, ValueError) as error:
            where = f"room {event.get('room')} event {event.get('seq')}"
            raise CorruptLog(f"{where}: {error}") from error
    if room is None:
        raise CorruptLog("a room without events")
    # The server was down, not the players, so a clock waits until its player can be back.
    if not room.by_days:
        room.attendance.wait_for_seats(now + times.restart_ms)
    return room


def go_on(room: Room, since: int, started: int) -> None:
    """Let the clock of a game that waits go on that has run since `since`.

    A server that was down must not decide a game, so a player has an hour at least after its start
    at `started`.
    """
    match, limit = room.match, room.settings.time.move_ms
    if match is None or room.status != "playing" or not room.waits:
        return
    if limit is None:  # only the time since the last move matters
        match.clock.start(match.state.current_player(), since)
        return
    match.clock.start(match.state.current_player(), max(since, started + AFTER_START_MS - limit))


def salvage(stored: Sequence[Event], times: RoomTimes, now: int) -> Room | None:
    """Return the room after the longest valid part of a corrupt log.

    Its next event number follows the highest one in the whole log, so that numbers that clients
    have already received are not used again. Return None when even the first event is unreadable.
    """
    # The whole log is known to be corrupt, so begin with one event less.
    for length in range(len(stored) - 1, 0, -1):
        try:
            room = restore(stored[:length], times, now)
        except CorruptLog:
            continue
        room.seq = max((e["seq"] for e in stored if type(e.get("seq")) is int), default=room.seq)
        return room
    return None


def opened_by(event: Event, times: RoomTimes, now: int) -> Room:
    """Return a room after its first event.

    Raises:
        Refused: this program does not know the game, or not these settings.
        KeyError, TypeError, ValueError: the event is malformed, or it is another one.
    """
    if event["type"] != "room_created" or event["seq"] != 1:
        raise ValueError("the first event is not room_created")
    terms = _terms(event)
    room = Room(terms, check_settings(terms.settings), times, now)
    room.seq = 1
    # A date can be later than `now`, which stands still while the server does.
    room.created_at = min(event["at"], now)
    return room


def _terms(event: RoomCreatedEvent) -> RoomTerms:
    tag = event.get("tag")
    return RoomTerms(
        event["room"],
        MatchSettings.model_validate(event["settings"]),
        event["private"],
        event["code"],
        event["origin"],
        (event["keys"][0], event["keys"][1]),
        None if tag is None else PairTag.model_validate(tag),
        event.get("asked_by"),
        event.get("asked_key"),
    )


def _set_clocks(match: Match, clock_ms: tuple[int, int] | None) -> tuple[int, int] | None:
    """Set the clocks of the match to those of an event and return them.

    Raises:
        IndexError, TypeError, ValueError: no clocks can show this.
    """
    if clock_ms is None:
        return None
    left = (clock_ms[0], clock_ms[1])
    for clock in left:
        # `True` is an int for `isinstance`.
        if type(clock) is not int or not 0 <= clock <= MAX_CLOCK_MS:
            raise ValueError(f"{clock!r} ms cannot be left on a clock")
    match.clock.left = left
    return left


def _check_takeback(match: Match, seat: int, ply: int) -> None:
    if match.result is not None:
        raise ValueError("the match is over")
    if ply < 0 or match.movers[ply] != seat:
        raise ValueError("the seat made no such move")


def _take_back(room: Room, match: Match, event: TakebackEvent) -> None:
    """Apply a `takeback` event.

    Raises:
        IndexError, KeyError, TypeError, ValueError: it contradicts the match.
    """
    seat, ply = event["seat"], event["ply"]
    _check_takeback(match, seat, ply)
    if event["takebacks"] != match.takebacks.count + 1:
        raise ValueError(f"the match has had {match.takebacks.count} takebacks")
    # The clock is stopped in a replay, so any time does; the event says what is left.
    room.take_back(seat, ply, event["seq"], 0)
    _set_clocks(match, event["clock_ms"])
    if match.state.scores() != tuple(event["scores"]):
        raise ValueError("the scores differ")


def _skip_matches(room: Room, event: MatchStartedEvent) -> None:
    """Bring a room before its first match to the end of the match before that of `event`."""
    room.seq, room.match_number = event["seq"] - 1, event["match"] - 1
    if room.match_number and room.match_number % 2 == 0:  # each rematch swaps the seats
        room.players.reverse()


def _apply(room: Room, event: Event, now: int) -> None:
    """Apply one stored event to the room.

    The date of an event can be later than `now`, which stands still while the server does.

    Raises:
        Refused, GameError, KeyError, IndexError, TypeError, ValueError: the event is inconsistent
            or malformed; `restore` turns these into `CorruptLog`.
    """
    if event["seq"] != room.seq + 1:
        raise ValueError(f"follows event {room.seq}")
    match = room.match
    if event["type"] == "seated":
        if room.players[event["seat"]] is not None:
            raise ValueError("that seat is taken")
        room.players[event["seat"]] = PlayerInfo.model_validate(event["player"])
    elif event["type"] == "match_started":
        if event["match"] != room.match_number + 1:
            raise ValueError(f"follows match {room.match_number}, which is {room.status}")
        if None in room.players:
            raise ValueError("a seat is free")
        if event["match"] > 1:
            room.players.reverse()
        room.begin(event["at"])
    elif event["type"] == "move" and match is not None:
        seat, action = event["seat"], event["action"]
        match.check_move(seat, event["ply"], action)
        # Moves of the start take no time and can never be taken back.
        if event["ply"] < len(room.settings.start):
            match.place(action)
        else:
            # The clock is stopped in a replay, so it measures nothing; the event says what is left.
            match.play(seat, action, 0)
            match.thought[seat].add(event["elapsed_ms"])
        left = _set_clocks(match, event["clock_ms"])
        if left is not None:
            # The record shows what the mover had left after the move, which only the event knows.
            match.moves[-1] = (action, left[seat])
        if match.state.scores() != tuple(event["scores"]):
            raise ValueError("the scores differ")
        if event.get("takebacks", 0) != match.takebacks.count:
            raise ValueError("takebacks are missing")
        room.move_seqs.append(event["seq"])
    elif event["type"] == "takeback_asked" and match is not None:
        _check_takeback(match, event["seat"], event["ply"])
        # The event has no time, so after a restart the opponent gets the whole time to answer
        # again.
        request = TakebackRequest(event["seat"], event["ply"], event["seq"], now)
        match.takebacks.ask(request, match.ply)
    elif event["type"] == "takeback_declined" and match is not None:
        if match.takebacks.request is None:
            raise ValueError("nobody asked for a takeback")
        match.takebacks.decline(event["seq"])
    elif event["type"] == "takeback" and match is not None:
        _take_back(room, match, event)
    elif event["type"] == "match_finished" and match is not None:
        if event["termination"] not in TERMINATIONS:
            raise ValueError(f"unknown termination {event['termination']}")
        reason = Sentence.read(event["reason"], event.get("phrase"))
        match.finish(event["termination"], event["winner"], reason, 0)
        _set_clocks(match, event["clock_ms"])
        # A date may lie ahead of `now`, and the room would then stay open for longer.
        room.end(event["at"], min(event["at"], now))
    elif event["type"] == "rematch_offered":
        room.rematch[event["seat"]] = True
    elif event["type"] == "rematch_ended":
        room.rematch[event["seat"]] = False
    elif event["type"] == "room_closed":
        room.advance("room_closed")
    else:
        raise ValueError(f"unexpected {event['type']}")
    room.seq = event["seq"]
