"""Commands to a room, except taking seats and playing moves: end a match early, offer a rematch.

Each function checks the command, changes the room and returns the events of the change. A refused
command changes nothing. `now` is milliseconds since 1970.
"""

from __future__ import annotations

from typing import Final

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import Termination
from doublecross.server.core import events
from doublecross.server.core.errors import Refused, too_many, wrong_state
from doublecross.server.core.events import Event
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.status import STATUS_WORDS

MAX_MATCHES: Final = 50
"""The most matches in one room.

The journal keeps all events of a room until the room closes. The limit makes sure that it does.
"""

# -- ending a match before the game is over ----------------------------------------------------


def resign(room: Room, player: str, now: int) -> list[Event]:
    """Let the player give up; the opponent wins.

    Raises:
        Refused: the player has no seat, or no match is in play.
    """
    seat = room.seat_or_refuse(player)
    room.match_or_refuse()
    return [room.finish("resigned", 1 - seat, "", now)]


def abort(room: Room, player: str, now: int) -> list[Event]:
    """Call the match off without a result, which is possible before one's own first move.

    Raises:
        Refused: the player has no seat, no match is in play, the player has moved, or the match
            is a game of a tournament.
    """
    seat = room.seat_or_refuse(player)
    match = room.match_or_refuse()
    if room.terms.tag is not None:
        raise wrong_state("A game of a tournament cannot be called off: resign it instead.")
    # Who moves wants to play, so from then on leaving costs the game.
    if match.moved[seat]:
        raise wrong_state("You have moved: resign instead of calling the match off.")
    info = room.players[seat]
    who = info.name if info else ""
    return [room.finish("aborted", None, Sentence("Called off by {who}.", who), now)]


def crash(
    room: Room,
    player: str,
    number: int,
    ply: int,
    message: str,
    now: int,
    termination: Termination = "crash",
    output: str = "",
) -> list[Event]:
    """End the match because the player's bot failed; the opponent wins.

    `number` is the match's number in the room. `message` describes the failure for people. `output`
    is what the bot had written, for who runs it.

    Raises:
        Refused: the player has no seat, no match is in play, it is not the player's turn at that
            ply, or the match is casual (neither rated nor a game of a tournament).
    """
    seat = room.seat_or_refuse(player)
    match = room.match_or_refuse()
    # A report that is late must not end a match in which the bot has played on.
    if number != room.match_number or ply != match.ply or seat != match.to_move:
        raise Refused(ErrorCode.STALE_PLY, "It is not your turn at that ply.")
    # Nothing is at stake in a casual match, so its opponent should rather get a game.
    if not room.settings.rated and room.terms.tag is None:
        raise wrong_state("The match is casual: play another legal action instead.")
    room.output = output or None
    return [room.finish(termination, 1 - seat, message, now)]


def claim(room: Room, player: str, now: int) -> list[Event]:
    """Let the player win, because the opponent has been away for longer than the grace period.

    Raises:
        Refused: the player has no seat, no match is in play, or the opponent is connected or still
            has time to come back.
    """
    seat = room.seat_or_refuse(player)
    room.match_or_refuse()
    if room.by_days:
        raise wrong_state("In a correspondence game nobody has to be here; wait for the clock.")
    claimer = room.players[seat]
    if room.waits and claimer is not None and claimer.kind == "bot":
        raise wrong_state("The match has no clock, so it waits for the person.")
    wait = room.attendance.claim_in_ms(1 - seat, room.times.grace_ms, now)
    if wait is None:
        raise wrong_state("Your opponent is connected.")
    if wait > 0:
        raise Refused(
            ErrorCode.TOO_EARLY,
            # Round up, because a claim after the shown time must not be too early.
            "Your opponent has another {seconds} s to come back.",
            (wait + 999) // 1000,
        )
    return [room.finish("disconnect", seat, "", now)]


def forfeit(room: Room, player: str, reason: str, now: int) -> list[Event]:
    """End the match of a player who cannot come back; the opponent wins.

    Raises:
        Refused: the player has no seat, or no match is in play.
    """
    seat = room.seat_or_refuse(player)
    room.match_or_refuse()
    return [room.finish("disconnect", 1 - seat, reason, now)]


def void(room: Room, reason: str, now: int) -> list[Event]:
    """End the match without a result and close the room, because the server cannot continue it."""
    ended = [room.finish("void", None, reason, now)] if room.status == "playing" else []
    return ended + room.close(reason)


def close_by_admin(room: Room, reason: str, now: int) -> list[Event]:
    """Call off the match in play, which then counts for nothing, and close the room."""
    ended = [room.finish("aborted", None, reason, now)] if room.status == "playing" else []
    return ended + room.close(reason)


# -- rematches ---------------------------------------------------------------------------------


def offer_rematch(room: Room, player: str, now: int) -> list[Event]:
    """Offer a rematch, or start it when the opponent has already offered one.

    Raises:
        Refused: the player has no seat, the room belongs to a tournament, the match is not
            finished, the opponent has left, the room has reached `MAX_MATCHES`, or the player has
            already offered a rematch.
    """
    seat = room.seat_or_refuse(player)
    if room.terms.tag is not None:
        raise wrong_state("The tournament chooses the next opponents; no rematch here.")
    if room.status != "finished":
        raise wrong_state("The room is {status}; no rematch now.", STATUS_WORDS[room.status])
    if room.attendance.left[1 - seat]:
        raise wrong_state("Your opponent has left the room.")
    if room.match_number >= MAX_MATCHES:
        raise too_many("This room has had {most} matches; open a new room.", MAX_MATCHES)
    if room.rematch[seat]:
        raise wrong_state("You have already offered a rematch.")
    if room.rematch[1 - seat]:
        return room.start_match(now)
    # The other player accepts by offering one too.
    room.rematch[seat] = True
    return [events.rematch_offered(room.id, room.next_seq(), seat)]


def decline_rematch(room: Room, player: str) -> list[Event]:
    """Decline the opponent's offer of a rematch, or withdraw the player's own.

    Raises:
        Refused: the player has no seat, or nobody offers a rematch.
    """
    seat = room.seat_or_refuse(player)
    if room.rematch[seat]:
        return [room.end_rematch(seat, "withdrawn")]
    if room.rematch[1 - seat]:
        return [room.end_rematch(1 - seat, "declined")]
    raise wrong_state("Nobody offers a rematch now.")


def rematch_elsewhere(room: Room, player: str) -> list[Event]:
    """End the player's offer of a rematch, if there is one: the player begins another match."""
    seat = room.seat_of(player)
    if seat is None or not room.rematch[seat]:
        return []
    return [room.end_rematch(seat, "elsewhere")]
