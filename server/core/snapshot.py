"""How a room is shown to one who comes in: the snapshot, the presence notice, the lobby's line."""

from __future__ import annotations

from typing import Any

from server.core.events import player_dict, settings_dict
from server.core.room import Room


def snapshot(room: Room, now: int) -> dict[str, Any]:
    """The room as of its last event; the shape of `protocol.server_messages.Snapshot`."""
    match = room.match
    result = None if match is None else match.result
    shown = {
        "seq": room.seq,
        "settings": settings_dict(room.settings),
        "private": room.terms.private,
        "status": room.status,
        "players": tuple(player_dict(p) for p in room.players),
        "match": room.match_number,
        "moves": () if match is None else tuple(action for action, _ in match.moves),
        "to_move": None if match is None else match.to_move,
        "scores": (0, 0) if match is None else match.state.scores(),
        "clock_ms": room.clock_ms(now),
        "clock_runs": room.clock_runs,
        "started_at": room.started_at,
        "rematch": tuple(room.rematch),
        "result": None
        if result is None
        else {
            "termination": result.termination,
            "winner": result.winner,
            "returns": result.returns,
            "game_id": room.game_id,
            "reason": result.reason,
        },
    }
    if room.terms.tag is not None:
        shown["tag"] = room.terms.tag.model_dump()
    return shown


def presence(room: Room, spectators: int, now: int) -> dict[str, Any]:
    """The notice of who is there."""
    return {
        "type": "presence",
        "room": room.id,
        "seats": tuple(
            {"connected": room.attendance.connected[s], "claim_in_ms": room.claim_in_ms(s, now)}
            for s in (0, 1)
        ),
        "spectators": spectators,
    }


def lobby_room(room: Room) -> dict[str, Any]:
    """The room's line in the lobby; an opening may be long and is left out."""
    return {
        "room": room.id,
        "settings": {**settings_dict(room.settings), "opening": ()},
        "status": room.status,
        "players": tuple(player_dict(p) for p in room.players),
    }
