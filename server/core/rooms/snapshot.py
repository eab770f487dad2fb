"""Build the views of a room: the snapshot, the board, the presence and the entry in the lobby.

They are plain dicts for the same reason as events; see `server/core/events.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, NotRequired, TypedDict

from doublecross.games.api import State
from doublecross.protocol.server_messages import Termination
from doublecross.server.core.events import (
    Event,
    PairTagDict,
    PlayerDict,
    SettingsDict,
    pair_tag_dict,
    player_dict,
    settings_dict,
)
from doublecross.server.core.rooms.match import Match
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.status import Status


class ResultDict(TypedDict):
    """How the current match ended; see `doublecross.protocol.server_messages.MatchResult`."""

    termination: Termination
    winner: int | None
    returns: tuple[float, float]
    game_id: str
    reason: str
    phrase: dict[str, Any] | None


class OpenTakebackDict(TypedDict):
    """A request to take back moves; see `doublecross.protocol.server_messages.OpenTakeback`."""

    seat: int
    ply: int


class SnapshotDict(TypedDict):
    """A room after its last event; see `doublecross.protocol.server_messages.Snapshot`."""

    seq: int
    settings: SettingsDict
    private: bool
    status: Status
    players: tuple[PlayerDict | None, ...]
    match: int
    moves: tuple[int, ...]
    movers: str
    to_move: int | None
    scores: tuple[int, int]
    clock_ms: tuple[int, int] | None
    clock_runs: bool
    started_at: int | None
    rematch: tuple[bool, ...]
    result: ResultDict | None
    takebacks: NotRequired[int]
    takeback: NotRequired[OpenTakebackDict]
    tag: NotRequired[PairTagDict]
    asked_by: NotRequired[str]


class BoardDict(TypedDict):
    """A position for clients without rules; see `doublecross.protocol.room_events.BoardState`."""

    cells: str
    legal: str
    winning: tuple[int, ...]


class SeatPresenceDict(TypedDict):
    """The presence of a seat's player in the room.

    See `doublecross.protocol.server_messages.SeatPresence`.
    """

    connected: bool
    claim_in_ms: int | None
    left: bool
    takebacks: bool


class PresenceDict(TypedDict):
    """The notice of who follows the room; see `doublecross.protocol.server_messages.Presence`."""

    type: Literal["presence"]
    room: str
    seats: tuple[SeatPresenceDict, SeatPresenceDict]
    spectators: int
    first_move_in_ms: NotRequired[int]


class LobbyRoomDict(TypedDict):
    """A room's entry in the lobby; see `doublecross.protocol.lobby_messages.LobbyRoom`."""

    room: str
    settings: SettingsDict
    status: Status
    players: tuple[PlayerDict | None, ...]


def snapshot(room: Room, now: int) -> SnapshotDict:
    """Return the room after its last event, with its clocks at `now`."""
    match = room.match
    shown: SnapshotDict = {
        "seq": room.seq,
        "settings": settings_dict(room.settings),
        "private": room.terms.private,
        "status": room.status,
        "players": _players(room),
        "match": room.match_number,
        "moves": () if match is None else tuple(action for action, _ in match.moves),
        "movers": "" if match is None else "".join(["01"[seat] for seat in match.movers]),
        "to_move": None if match is None else match.to_move,
        "scores": (0, 0) if match is None else match.state.scores(),
        "clock_ms": room.clock_ms(now),
        "clock_runs": room.clock_runs,
        "started_at": room.started_at,
        "rematch": tuple(room.rematch),
        "result": _result(room),
    }
    if room.terms.tag is not None:
        shown["tag"] = pair_tag_dict(room.terms.tag)
    if room.terms.asked_by is not None:
        shown["asked_by"] = room.terms.asked_by
    if match is not None and match.takebacks.count:
        shown["takebacks"] = match.takebacks.count
    if match is not None and match.takebacks.request is not None:
        request = match.takebacks.request
        shown["takeback"] = {"seat": request.seat, "ply": request.ply}
    return shown


def _players(room: Room) -> tuple[PlayerDict | None, ...]:
    return tuple(None if p is None else player_dict(p) for p in room.players)


def _result(room: Room) -> ResultDict | None:
    if room.match is None or room.match.result is None:
        return None
    end = room.match.result
    return {
        "termination": end.termination,
        "winner": end.winner,
        "returns": end.returns,
        "game_id": room.game_id,
        "reason": end.reason,
        "phrase": end.reason.phrase,
    }


def board(state: State, *, in_play: bool = True) -> BoardDict:
    """Return the position for clients without rules; nothing is legal unless it is `in_play`."""
    legal = bytearray(b"0" * state.game.num_actions)
    if in_play:
        for action in state.legal_actions():
            legal[action] = _LEGAL
    return {
        # An owner of -1 is the last of these characters.
        "cells": "".join(["01."[owner] for owner in state.owners()]),
        "legal": legal.decode(),
        "winning": state.winning_cells(),
    }


_LEGAL: Final = ord("1")


def drawers(num_actions: int, actions: Iterable[int], movers: Sequence[int]) -> str:
    """Return a character for each action: the seat that played it, or a point."""
    seats = ["."] * num_actions
    for action, seat in zip(actions, movers, strict=True):
        seats[action] = str(seat)
    return "".join(seats)


def board_at(match: Match, ply: int, takebacks: int) -> BoardDict:
    """Return the position before the move at `ply`, also when the match has gone on since.

    `takebacks` is the number of takebacks at that time.
    """
    state = match.state
    # The event waited for its commit, and the match has gone on meanwhile.
    if ply != len(match.moves) or takebacks != match.takebacks.count:
        state = state.game.replay(state.opening, match.actions_with(takebacks)[:ply])
    return board(state)


def board_after(event: Event, match: Match) -> BoardDict | None:
    """Return the position after an event of `match`, or None if the event has none."""
    if event["type"] == "move":
        return board_at(match, event["ply"] + 1, event.get("takebacks", 0))
    if event["type"] == "takeback":
        return board_at(match, event["ply"], event["takebacks"])
    return board_at(match, 0, 0) if event["type"] == "match_started" else None


def room_board(room: Room) -> BoardDict:
    """Return the room's position now. Before the first match it is that of the opening."""
    if room.match is None:
        return board(room.game.initial_state(room.settings.opening), in_play=False)
    return board(room.match.state, in_play=room.status == "playing")


def presence(room: Room, spectators: int, now: int) -> PresenceDict:
    """Return the notice of who follows the room."""
    shown: PresenceDict = {
        "type": "presence",
        "room": room.id,
        "seats": (_seat_presence(room, 0, now), _seat_presence(room, 1, now)),
        "spectators": spectators,
    }
    clock = None if room.match is None else room.match.clock
    if clock is not None and clock.first_ms is not None:
        shown["first_move_in_ms"] = max(0, clock.first_ms - clock.elapsed(now))
    return shown


def _seat_presence(room: Room, seat: int, now: int) -> SeatPresenceDict:
    attendance = room.attendance
    is_here = attendance.connections[seat] > 0
    # Between two matches there is nothing to claim.
    claimable = room.status == "playing" and not is_here and not room.by_days
    return {
        "connected": is_here,
        "claim_in_ms": (
            attendance.claim_in_ms(seat, room.times.grace_ms, now) if claimable else None
        ),
        "left": attendance.left[seat],
        "takebacks": attendance.takebacks[seat],
    }


def lobby_room(room: Room) -> LobbyRoomDict:
    """Return the room's entry in the lobby, without opening and start, which may be long."""
    return {
        "room": room.id,
        "settings": {**settings_dict(room.settings), "opening": (), "start": ()},
        "status": room.status,
        "players": _players(room),
    }
