"""Builders of the numbered events of a room: plain dicts in the shape of the wire's models.

They are dicts because an event is built once and then only packed: to the journal, to both
seats and to every spectator. `protocol.server_messages` defines the shapes, a test holds every
event against them.
"""

from __future__ import annotations

from typing import Any

from protocol.common import MatchSettings, PairTag, PlayerInfo

Event = dict[str, Any]
"""An event as it is stored and sent; at most 14 keys (see `Codec.with_id`)."""


def settings_dict(settings: MatchSettings) -> dict[str, Any]:
    """The settings as they stand in messages."""
    return settings.model_dump()


def player_dict(player: PlayerInfo | None) -> dict[str, Any] | None:
    """The player as it stands in messages."""
    return None if player is None else player.model_dump()


def room_created(
    room: str,
    settings: MatchSettings,
    private: bool,
    at: int,
    code: str | None,
    origin: str | None,
    keys: tuple[str | None, str | None],
    tag: PairTag | None = None,
) -> Event:
    """Event 1 of every room."""
    event: Event = {
        "type": "room_created",
        "room": room,
        "seq": 1,
        "settings": settings_dict(settings),
        "private": private,
        "at": at,
        "code": code,
        "origin": origin,
        "keys": keys,
    }
    if tag is not None:
        event["tag"] = tag.model_dump()
    return event


def seated(room: str, seq: int, seat: int, player: PlayerInfo) -> Event:
    """A player took a seat."""
    return {
        "type": "seated",
        "room": room,
        "seq": seq,
        "seat": seat,
        "player": player_dict(player),
    }


def match_started(
    room: str,
    seq: int,
    match: int,
    players: tuple[str, str],
    to_move: int,
    clock_ms: tuple[int, int] | None,
    at: int,
) -> Event:
    """A match began."""
    return {
        "type": "match_started",
        "room": room,
        "seq": seq,
        "match": match,
        "players": players,
        "to_move": to_move,
        "clock_ms": clock_ms,
        "at": at,
    }


def match_finished(
    room: str,
    seq: int,
    match: int,
    termination: str,
    winner: int | None,
    returns: tuple[float, float],
    scores: tuple[int, int],
    clock_ms: tuple[int, int] | None,
    game_id: str,
    at: int,
    reason: str,
) -> Event:
    """A match ended."""
    return {
        "type": "match_finished",
        "room": room,
        "seq": seq,
        "match": match,
        "termination": termination,
        "winner": winner,
        "returns": returns,
        "scores": scores,
        "clock_ms": clock_ms,
        "game_id": game_id,
        "at": at,
        "reason": reason,
    }


def rematch_offered(room: str, seq: int, seat: int) -> Event:
    """A seat would play again."""
    return {"type": "rematch_offered", "room": room, "seq": seq, "seat": seat}


def room_closed(room: str, seq: int, reason: str) -> Event:
    """The room is gone."""
    return {"type": "room_closed", "room": room, "seq": seq, "reason": reason}
