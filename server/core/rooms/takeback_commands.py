"""The commands about takebacks: ask for one, and answer the opponent.

Each function checks the command, changes the room and returns the events of the change. A refused
command changes nothing. `now` is milliseconds since 1970.
"""

from __future__ import annotations

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core import events
from doublecross.server.core.errors import Refused, Repeated, too_many, wrong_state
from doublecross.server.core.events import Event
from doublecross.server.core.rooms.match import Match
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.takebacks import ANSWER_MS, MAX_UNDONE, TakebackRequest


def ask_takeback(
    room: Room, player: str, number: int, ply: int, count: int, now: int
) -> list[Event]:
    """Ask to take back the player's move at `ply` and all later ones; a bot agrees at once.

    `number` is the match's number in the room, and `count` that of its takebacks so far.

    Raises:
        Repeated: the same request was made already.
        Refused: the player has no seat, no match is in play, it is another match, there were more
            takebacks, the match allows none, the player did not move at `ply`, the match began
            with that move, a request waits for an answer, the player has asked in this position, or
            the opponent cannot answer.
    """
    seat = room.seat_or_refuse(player)
    match = _match(room, number)
    takebacks = match.takebacks
    answer, request = takebacks.answer, takebacks.request
    if (
        answer is not None
        # The count of takebacks has grown by this request, so this comes before `_check_count`.
        and answer.agreed
        and (answer.seat, answer.ply, answer.count) == (seat, ply, count)
    ):
        raise Repeated(answer.seq)
    _check_count(match, count)
    if request is not None and (request.seat, request.ply) == (seat, ply):
        raise Repeated(request.seq)
    _check_allowed(room, seat)
    if request is not None:
        raise wrong_state("A request to take back a move waits for its answer.")
    if ply >= match.ply or match.movers[ply] != seat:
        raise wrong_state("You can take back only a move of your own.")
    if ply < match.placed:
        raise wrong_state("The moves with which this match began stay.")
    # Otherwise a player could ask again at once after each refusal, and annoy the opponent.
    if takebacks.asked[seat] == (match.ply, count):
        raise wrong_state("You have asked already; ask again after the next move.")
    if takebacks.undone + match.ply - ply > MAX_UNDONE:
        raise too_many("In one match at most {most} moves can be taken back.", MAX_UNDONE)
    # The server agrees for a bot, so bots need no way to answer.
    opponent = room.players[1 - seat]
    if opponent is not None and opponent.kind == "bot":
        return [_take_back(room, match, seat, ply, now)]
    seq = room.next_seq()
    takebacks.ask(TakebackRequest(seat, ply, seq, now), match.ply)
    return [events.takeback_asked(room.id, seq, number, seat, ply)]


def answer_takeback(
    room: Room, player: str, number: int, ply: int, count: int, accept: bool, now: int
) -> list[Event]:
    """Answer the request to return to `ply`: accept or decline it, or withdraw one's own.

    `number` and `count` are as in `ask_takeback`.

    Raises:
        Repeated: the request was answered like this already.
        Refused: the player has no seat, no match is in play, it is another match, there were more
            takebacks, no such request waits, or the player would accept a request of their own.
    """
    seat = room.seat_or_refuse(player)
    match = _match(room, number)
    request, answer = match.takebacks.request, match.takebacks.answer
    if answer is not None and (answer.ply, answer.count, answer.agreed) == (ply, count, accept):
        raise Repeated(answer.seq)
    _check_count(match, count)
    if request is None or request.ply != ply:
        raise wrong_state("No such request to take back a move waits any more.")
    if not accept:
        return [decline(room, seat)]
    if request.seat == seat:
        raise wrong_state("Your opponent must answer; wait, or move on.")
    return [_take_back(room, match, request.seat, ply, now)]


def expire(room: Room, now: int) -> list[Event]:
    """End a request that nobody has answered in time, and return the event."""
    until = expires_at(room)
    return [] if until is None or now < until else [decline(room, None)]


def expires_at(room: Room) -> int | None:
    """Return when the request that waits for an answer ends, or None if none does."""
    match = room.match
    if match is None or match.takebacks.request is None:
        return None
    return match.takebacks.request.at + ANSWER_MS


def decline(room: Room, seat: int | None) -> Event:
    """End the request; `seat` declined it or withdrew it, None: nobody answered in time."""
    assert room.match is not None
    seq = room.next_seq()
    room.match.takebacks.decline(seq)
    return events.takeback_declined(room.id, seq, room.match_number, seat)


def _match(room: Room, number: int) -> Match:
    match = room.match_or_refuse()
    if number != room.match_number:
        raise Refused(
            ErrorCode.STALE_PLY,
            "The room is at match {match_number}, not {number}.",
            room.match_number,
            number,
        )
    return match


def _check_count(match: Match, count: int) -> None:
    if count != match.takebacks.count:
        raise Refused(ErrorCode.STALE_PLY, "Moves were taken back meanwhile.")


def _check_allowed(room: Room, seat: int) -> None:
    """Check that the match allows takebacks, and that the opponent can answer.

    Raises:
        Refused: it does not, or the opponent cannot.
    """
    player, opponent = room.players[seat], room.players[1 - seat]
    if room.settings.rated or room.terms.tag is not None or room.terms.asked_by is not None:
        raise wrong_state("Moves can be taken back only in casual matches.")
    if player is None or player.kind == "bot":
        raise wrong_state("Only a person can take back a move.")
    name = "" if opponent is None else opponent.name
    if not room.attendance.connections[1 - seat]:
        raise wrong_state("{name} is away and cannot agree.", name)
    if not room.attendance.takebacks[1 - seat]:
        raise wrong_state("{name} plays with a program without takebacks.", name)


def _take_back(room: Room, match: Match, seat: int, ply: int, now: int) -> Event:
    """Return to `ply` for `seat` and return the event, or that of a match that was lost on time."""
    running = match.clock.running
    # Who has lost on time must not be saved by a takeback before the next check of the deadlines.
    if running is not None and match.clock.is_out_of_time(now):
        return room.lose_on_time(match.clock, running, now)
    seq = room.next_seq()
    room.take_back(seat, ply, seq, now)
    return events.taken_back(
        room.id,
        seq,
        room.match_number,
        seat,
        ply,
        match.takebacks.count,
        match.state.current_player(),
        match.state.scores(),
        match.clock.left,
    )
