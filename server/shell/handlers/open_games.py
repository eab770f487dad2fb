"""The list of a player's games in play."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Container, Mapping
from typing import Any, Final

from doublecross.protocol.client_messages import GetOpenGames
from doublecross.protocol.open_games_messages import MOST_OPEN_GAMES
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import drawers, lobby_room, room_board
from doublecross.server.shell.answers import after_commit, reading
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.peer import Peer

OPEN_GAME_BYTES: Final = 512
"""The price of each game of the list, about its size."""


def get_open_games(
    authority: Authority, peer: Peer, message: GetOpenGames
) -> Awaitable[None] | None:
    """Answer with the games in play of a player, those first that wait for the player."""
    index, here = authority.lobby.rooms, authority.rooms.registry.channels
    rooms = {room.id: room for room in index.of_player(peer.name) if _is_played(room)}
    asleep = index.sleeping[peer.name]
    price = OPEN_GAME_BYTES * min(MOST_OPEN_GAMES, len(rooms) + asleep)
    peer.pay(price)
    # A room that another node has woken has its row until something happens in it.
    rows = any(room.waits and room_id not in here for room_id, room in rooms.items())
    if asleep or rows:
        return _read_and_answer(authority, peer, message, rooms, price)
    _answer(authority, peer, message, rooms, price, here.keys())
    return None


async def _read_and_answer(
    authority: Authority, peer: Peer, message: GetOpenGames, rooms: dict[str, Room], price: int
) -> None:
    """Answer with these games, and those that sleep in the storage."""
    found = set[str]()
    # A bot may have very many that wait for people.
    is_bot = peer.player is not None and peer.player.kind == "bot"
    async with reading(), authority.record_turns.turn(peer):
        async for room in authority.rooms.sleeping.of_player(peer.name, waiting=is_bot):
            if _is_played(room):
                rooms[room.id] = room
                found.add(room.id)
            # Each one takes the time of its moves.
            await asyncio.sleep(0)
    here = authority.rooms.registry.channels.keys()
    _answer(authority, peer, message, rooms, price, found | (here & rooms.keys()))


def _answer(
    authority: Authority,
    peer: Peer,
    message: GetOpenGames,
    rooms: Mapping[str, Room],
    price: int,
    known: Container[str],
) -> None:
    """Answer with these games; `known` are those whose moves are here."""
    now = authority.now()
    shown = [_shown(room, peer.name, now, room_id in known) for room_id, room in rooms.items()]
    shown.sort(key=_urgency)

    def deliver() -> None:
        games = tuple(shown[:MOST_OPEN_GAMES])
        peer.answer({"type": "open_games", "id": message.id, "games": games}, price)

    after_commit(authority.committer, peer, message.id, deliver)


def _is_played(room: Room) -> bool:
    return room.status == "playing" and None not in room.players


def _urgency(game: dict[str, Any]) -> tuple[bool, bool, int, str]:
    left = game["left_ms"]
    return game["to_move"] != game["seat"], left is None, left or 0, game["room"]


def _shown(room: Room, player: str, now: int, known: bool) -> dict[str, Any]:
    """Return a game for the list; `known` says whether the moves of the room are here."""
    listed, match = lobby_room(room), room.match if known else None
    shown: dict[str, Any] = {
        "room": room.id,
        "match": room.match_number,
        "settings": listed["settings"],
        "players": listed["players"],
        "seat": room.seat_of(player),
        "to_move": None,
        "plies": None,
        "scores": None,
        "left_ms": None,
        "board": None,
        "drawers": "",
    }
    # In a cluster the nodes have the matches, and the leader only who plays.
    if match is not None:
        deadline = match.clock.deadline()
        shown |= {
            "to_move": match.to_move,
            "plies": match.ply,
            "scores": match.state.scores(),
            "left_ms": None if deadline is None else max(0, deadline - now),
            "board": room_board(room),
            "drawers": drawers(
                match.state.game.num_actions, (action for action, _ in match.moves), match.movers
            ),
        }
    return shown
