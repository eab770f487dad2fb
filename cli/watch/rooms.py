"""List rooms, seeks and players of a server: `doublecross rooms`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from doublecross.cli.shared.board import game_name
from doublecross.cli.shared.console import out, say, say_json
from doublecross.cli.shared.options import AsJson, Server
from doublecross.cli.shared.parsing import DEFAULT_SERVER
from doublecross.cli.shared.tables import rows_table
from doublecross.processes.logs import quiet_logs

if TYPE_CHECKING:
    from doublecross.client.core.lobby import LobbyMirror
    from doublecross.protocol.common import PlayerInfo


def rooms(
    server: Server = DEFAULT_SERVER,
    as_json: AsJson = False,
) -> None:
    """List the open rooms, the seeks and the players of a server.

    Example: doublecross rooms --server 192.168.1.5
    """
    quiet_logs(verbose=False)
    lobby, me = asyncio.run(_lobby(server))
    lobby.players.pop(me, None)
    if as_json:
        say_json(_plain(lobby))
    else:
        _print(lobby)


async def _lobby(server: str) -> tuple[LobbyMirror, str]:
    from doublecross.cli.shared.remote.connection import connected_client

    async with connected_client(server) as client:
        await client.follow_lobby(timeout=20.0)
        assert client.session.lobby is not None
        assert client.session.player is not None
        return client.session.lobby, client.session.player.name


def _plain(lobby: LobbyMirror) -> dict[str, Any]:
    return {
        "rooms": [room.model_dump(mode="json") for room in lobby.rooms.values()],
        "seeks": [seek.model_dump(mode="json") for seek in lobby.seeks.values()],
        "players": [player.model_dump(mode="json") for player in lobby.players.values()],
    }


def _print(lobby: LobbyMirror) -> None:
    if lobby.rooms:
        names = ("Room", "Status", "Game", "Time", "First", "Second")
        rows = [
            (
                *(each.room, each.status, game_name(each.settings), each.settings.time.text),
                *map(_name, each.players),
            )
            for each in lobby.rooms.values()
        ]
        out().print(rows_table(names, rows, whole=names[:2]))
    else:
        say("No room is open.")
    for seek in lobby.seeks.values():
        settings = seek.settings
        say(
            f"Seek: {_name(seek.player)} wants {game_name(settings)}, {settings.time.text},"
            f" {'rated' if settings.rated else 'casual'}"
        )
    players = sorted(lobby.players.values(), key=lambda player: player.name.casefold())
    if players:
        say()
        out().print(f"Here: {', '.join(map(_name, players))}")
    if lobby.rooms:
        say("Watch a room with: doublecross watch ROOM", "dim")


def _name(player: PlayerInfo | None) -> str:
    if player is None:
        return "(free)"
    return player.name if player.engine is None else f"{player.name} (bot)"
