"""Keep a room without its moves: as a card, and as a shadow that follows the room's events.

Theory of operation
-------------------
Whoever does not run a room, but lists it, rates it or counts it in a tournament, needs no moves. A
*shadow* is an ordinary `Room` whose match has no moves. A *card* is all that a shadow knows, as a
dict of plain values for msgpack. `apply_report` applies an event to a shadow. Moves are not
reported, so the numbers of the events may skip.

A shadow is right in its terms, status, players, dates, match number, offered rematches, the result
of a finished match, and the number of the last event that was reported. It knows nothing that needs
moves: `Match.ply`, the position, the clocks, the takebacks, and who is to move. It also does not
know who is connected. It learns that a player has left by choice only when a card or the room's
owner says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.server_messages import Termination
from doublecross.server.core.events import (
    Event,
    MatchFinishedEvent,
    PlayerDict,
    RoomCreatedEvent,
    player_dict,
    room_created,
)
from doublecross.server.core.rooms.match import MatchEnd
from doublecross.server.core.rooms.replay import opened_by
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.status import Status
from doublecross.server.core.terms import RoomTimes


class ResultCard(TypedDict):
    """How the last match of a room ended; see `MatchEnd`."""

    termination: Termination
    winner: int | None
    returns: tuple[float, float]
    scores: tuple[int, int]
    reason: str
    phrase: NotRequired[dict[str, Any] | None]
    both_moved: NotRequired[bool]


class Card(TypedDict):
    """A room without its moves, after event `seq`.

    `opened` is the room's first event. `players` are by the seats of the current match, `match` is
    its number. `left` says which seats have left by choice.
    """

    opened: RoomCreatedEvent
    seq: int
    status: Status
    players: tuple[PlayerDict | None, PlayerDict | None]
    match: int
    started_at: int | None
    finished_at: int | None
    rematch: tuple[bool, bool]
    left: tuple[bool, bool]
    result: NotRequired[ResultCard]


def card_of(room: Room) -> Card:
    """Return the card of a room, or of a shadow."""
    terms, (first, second) = room.terms, room.players
    card: Card = {
        "opened": room_created(
            terms.room,
            terms.settings,
            terms.private,
            room.created_at,
            terms.code,
            terms.origin,
            terms.keys,
            terms.tag,
            terms.asked_by,
            terms.asked_key,
        ),
        "seq": room.seq,
        "status": room.status,
        "players": (
            None if first is None else player_dict(first),
            None if second is None else player_dict(second),
        ),
        "match": room.match_number,
        "started_at": room.started_at,
        "finished_at": room.finished_at,
        "rematch": (room.rematch[0], room.rematch[1]),
        "left": (room.attendance.left[0], room.attendance.left[1]),
    }
    end = None if room.match is None else room.match.result
    if end is not None:
        card["result"] = {
            "termination": end.termination,
            "winner": end.winner,
            "returns": end.returns,
            "scores": end.scores,
            "reason": end.reason,
            "phrase": end.reason.phrase,
            "both_moved": end.both_moved,
        }
    return card


def shadow_of(card: Card, times: RoomTimes, now: int) -> Room:
    """Return a shadow of the room with this card.

    Raises:
        Refused: this program does not know the game, or not these settings.
        KeyError, TypeError, ValueError: the card is malformed.
    """
    room = opened_by(card["opened"], times, now)
    refresh(room, card, now)
    return room


def shadow_after(events: Sequence[Event], times: RoomTimes, now: int) -> Room:
    """Return a shadow of the room with this history, in which moves may be missing.

    Raises:
        Refused: this program does not know the game, or the events contradict each other.
        IndexError, KeyError, TypeError, ValueError: an event is malformed.
    """
    room = opened_by(events[0], times, now)
    for event in events[1:]:
        apply_report(room, event, now)
    return room


def refresh(room: Room, card: Card, now: int) -> None:
    """Bring a shadow to the state of a newer card of its room.

    Raises:
        Refused: the card contradicts itself.
        KeyError, TypeError, ValueError: the card is malformed.
    """
    room.players = [None if p is None else PlayerInfo.model_validate(p) for p in card["players"]]
    # Begin anew and go to the state of the card by the usual transitions, which refuse nonsense.
    room.status, room.match = "waiting", None
    if card["match"]:
        room.match_number = card["match"] - 1
        match = room.begin(card["started_at"] or 0)
        if "result" in card:
            result = card["result"]
            match.result = MatchEnd(
                result["termination"],
                result["winner"],
                result["returns"],
                result["scores"],
                Sentence.read(result["reason"], result.get("phrase")),
                result.get("both_moved", True),
            )
            finished_at = card["finished_at"] or 0
            room.end(finished_at, min(finished_at, now))
    if card["status"] == "closed":
        room.advance("room_closed")
    room.rematch = list(card["rematch"])
    room.attendance.left = list(card["left"])
    room.seq = card["seq"]


def apply_report(room: Room, event: Event, now: int) -> None:
    """Apply an event, other than a move, to a shadow.

    An event that the shadow has already changes only the date of its match, which the publisher of
    the room sets later than the room itself.

    Raises:
        Refused: the room cannot have this event now.
        IndexError, KeyError, TypeError, ValueError: the event is malformed.
    """
    kind = event["type"]
    if event["seq"] <= room.seq:
        if event["type"] == "match_started" and event["match"] == room.match_number:
            room.started_at = event["at"]
        return
    if event["type"] == "seated":
        room.players[event["seat"]] = PlayerInfo.model_validate(event["player"])
    elif event["type"] == "match_started":
        # Each rematch swaps the seats, and the events of earlier matches may be missing.
        if (event["match"] - max(room.match_number, 1)) % 2:
            room.players.reverse()
            room.attendance.swap()
        # `begin` adds one.
        room.match_number = event["match"] - 1
        room.begin(event["at"])
    elif event["type"] == "match_finished":
        _finish(room, event, now)
    elif event["type"] == "rematch_offered":
        room.rematch[event["seat"]] = True
    elif event["type"] == "rematch_ended":
        room.rematch[event["seat"]] = False
    elif event["type"] == "room_closed":
        room.advance("room_closed")
    # A shadow has no moves, so takebacks change only the number of its last event.
    elif not kind.startswith("takeback"):
        raise ValueError(f"unexpected {kind}")
    room.seq = event["seq"]


def _finish(room: Room, event: MatchFinishedEvent, now: int) -> None:
    match = room.match_or_refuse()
    returns, scores = event["returns"], event["scores"]
    # Not by `Match.finish`: without moves, the match cannot compute the scores.
    match.result = MatchEnd(
        event["termination"],
        event["winner"],
        (returns[0], returns[1]),
        (scores[0], scores[1]),
        Sentence.read(event["reason"], event.get("phrase")),
        event.get("both_moved", True),
    )
    room.end(event["at"], min(event["at"], now))
