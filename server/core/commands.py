"""What players and the server ask of a room besides seats and moves.

Each command names the player, is checked, changes the room and returns the events that say so; a
command that is refused changes nothing. `now` is milliseconds since 1970.
"""

from __future__ import annotations

from typing import Final

from protocol.errors import ErrorCode
from protocol.server_messages import Termination
from server.core import events
from server.core.errors import Refused
from server.core.events import Event
from server.core.room import Room

MAX_MATCHES: Final = 50
"""Matches in one room; the journal keeps a room's events until it closes, so it must close."""

# -- ending a match before the game is over ----------------------------------------------------


def resign(room: Room, player: str, now: int) -> list[Event]:
    """Let the player give up; the other wins.

    Raises:
        Refused: a stranger, or no match is in play.
    """
    seat = room.seat_or_refuse(player)
    room.match_or_refuse()
    return [room.finish("resigned", 1 - seat, "", now)]


def abort(room: Room, player: str, now: int) -> list[Event]:
    """Call the match off for the player; only before both have moved.

    Raises:
        Refused: a stranger, no match is in play, both have moved, or a game of a tournament.
    """
    seat = room.seat_or_refuse(player)
    match = room.match_or_refuse()
    if room.terms.tag is not None:
        raise Refused(ErrorCode.WRONG_STATE, "A game of a tournament is not called off.")
    if all(match.moved):
        raise Refused(ErrorCode.WRONG_STATE, "Both have moved: resign instead of aborting.")
    info = room.players[seat]
    who = info.name if info else ""
    return [room.finish("aborted", None, f"Called off by {who}.", now)]


def crash(
    room: Room,
    player: str,
    number: int,
    ply: int,
    message: str,
    now: int,
    *,
    illegal: bool = False,
) -> list[Event]:
    """Take note that the player's bot failed; it loses a rated match or a game of a tournament.

    `illegal` says that it failed by choosing an illegal action.

    Raises:
        Refused: a stranger, no match is in play, a casual match, or not its turn at that ply.
    """
    seat = room.seat_or_refuse(player)
    match = room.match_or_refuse()
    if number != room.match_number or ply != match.ply or seat != match.to_move:
        raise Refused(ErrorCode.STALE_PLY, "It is not your turn at that ply.")
    if not room.settings.rated and room.terms.tag is None:
        raise Refused(
            ErrorCode.WRONG_STATE, "The match is casual: play another legal action instead."
        )
    how: Termination = "illegal" if illegal and room.terms.tag is not None else "crash"
    return [room.finish(how, 1 - seat, message, now)]


def claim(room: Room, player: str, now: int) -> list[Event]:
    """Give the player the win over an opponent who stays away beyond the grace.

    Raises:
        Refused: a stranger, no match is in play, or the opponent is there or has time left.
    """
    seat = room.seat_or_refuse(player)
    room.match_or_refuse()
    wait = room.attendance.claim_in_ms(1 - seat, room.times.grace_ms, now)
    if wait is None:
        raise Refused(ErrorCode.WRONG_STATE, "Your opponent is connected.")
    if wait > 0:
        raise Refused(
            ErrorCode.TOO_EARLY,
            f"Your opponent has another {(wait + 999) // 1000} s to come back.",
        )
    return [room.finish("disconnect", seat, "", now)]


def forfeit(room: Room, player: str, reason: str, now: int) -> list[Event]:
    """End the match of a player who is gone for good, as the server knows; the other wins.

    Raises:
        Refused: a stranger, or no match is in play.
    """
    seat = room.seat_or_refuse(player)
    room.match_or_refuse()
    return [room.finish("disconnect", 1 - seat, reason, now)]


def void(room: Room, reason: str, now: int) -> list[Event]:
    """End the match without a result, and close the room: the server cannot keep it."""
    said = [room.finish("void", None, reason, now)] if room.status == "playing" else []
    return said + room.close(reason)


# -- what both players have to agree to --------------------------------------------------------


def offer_rematch(room: Room, player: str, now: int) -> list[Event]:
    """Note that the player would play again; when both would, the next match starts.

    Raises:
        Refused: a stranger, a game of a tournament, the room is not finished, the opponent has
            left, there were too many matches, or the player has offered already.
    """
    seat = room.seat_or_refuse(player)
    if room.terms.tag is not None:
        raise Refused(ErrorCode.WRONG_STATE, "The tournament says who plays whom next.")
    if room.status != "finished":
        raise Refused(ErrorCode.WRONG_STATE, f"The room is {room.status}; no rematch now.")
    if room.attendance.left[1 - seat]:
        raise Refused(ErrorCode.WRONG_STATE, "Your opponent has left the room.")
    if room.match_number >= MAX_MATCHES:
        raise Refused(
            ErrorCode.TOO_MANY, f"This room has seen {MAX_MATCHES} matches; open a new one."
        )
    if room.rematch[seat]:
        raise Refused(ErrorCode.WRONG_STATE, "You have offered a rematch already.")
    if room.rematch[1 - seat]:
        return [room.start_match(now)]
    room.rematch[seat] = True
    return [events.rematch_offered(room.id, room.next_seq(), seat)]
