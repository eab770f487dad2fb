"""Let players speak JSON to a server, to write a database and to continue with it."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Mapping
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

PATIENCE_S: Final = 20.0
EDGES: Final = 7
"""Of Dots and Boxes in one row of two boxes."""
SETTINGS: Final[Mapping[str, Any]] = {
    "game": "dots-and-boxes",
    "params": {"rows": 1, "cols": 2},
    "time": {"base_ms": 600_000},
    "rated": True,
}
KEY: Final = "everybody-in-here"
"""With it a hello of the same name is the same player again."""

Message = dict[str, Any]


class JsonPlayer:
    """A connected player, which drops messages other than answers."""

    def __init__(self, ws: ClientConnection, name: str) -> None:
        self.ws = ws
        self.name = name
        self.welcome: Message = {}
        self._ids = itertools.count(1)

    @classmethod
    async def arrive(cls, url: str, name: str, *, bot: bool = False) -> JsonPlayer:
        """Connect and say hello; bots run version 1 of the engine ``old``."""
        ws = await connect(url, subprotocols=[Subprotocol("doublecross.v1.json")], compression=None)
        player = cls(ws, name)
        hello: Message = {"type": "hello", "protocol": 2, "kind": "human", "name": name, "key": KEY}
        if bot:
            hello |= {"kind": "bot", "engine": {"name": "old", "version": "1"}}
        player.welcome = await player.ask(hello)
        assert player.welcome["type"] == "welcome", player.welcome
        return player

    async def ask(self, message: Message) -> Message:
        """Send a request and wait for its answer."""
        request_id = next(self._ids)
        await self.ws.send(json.dumps({**message, "id": request_id}))
        async with asyncio.timeout(PATIENCE_S):
            while True:
                answer: Message = json.loads(await self.ws.recv())
                if answer.get("id") == request_id:
                    return answer

    async def create(self, key: str, **more: Any) -> str:
        """Open a room in seat 0 and return its id."""
        made = await self.ask({"type": "create_room", "key": key, "seat": 0, **more})
        assert made["type"] == "room_state", made
        room: str = made["room"]
        return room

    async def close(self) -> None:
        await self.ws.close()


async def play(players: Mapping[str, JsonPlayer], room: str, most: int = EDGES) -> Message:
    """Play `most` moves of a match, or all of them; return the snapshot after them."""
    names: list[str] = []
    for count in range(most + 1):
        watcher = players[names[0]] if names else next(iter(players.values()))
        state = await watcher.ask({"type": "watch", "room": room})
        assert state["type"] == "room_state", state
        shown: Message = state["snapshot"]
        names = [player["name"] for player in shown["players"]]
        if count == most or shown["to_move"] is None:
            break
        played = [*shown["settings"]["opening"], *shown["moves"]]
        answer = await players[names[shown["to_move"]]].ask(
            {
                "type": "move",
                "room": room,
                "match": shown["match"],
                "ply": len(shown["moves"]),
                "action": min(set(range(EDGES)) - set(played)),
            }
        )
        assert answer["type"] == "move", answer
    return shown


async def games_in_play(watcher: JsonPlayer) -> list[str]:
    """Return the ids of rooms in which tournament games are played, from the lobby."""
    lobby = await watcher.ask({"type": "follow_lobby", "on": True})
    found = []
    for line in lobby["rooms"]:
        if line["status"] == "playing":
            state = await watcher.ask({"type": "watch", "room": line["room"]})
            if state["type"] == "room_state" and state["snapshot"].get("tag"):
                found.append(line["room"])
    return sorted(found)
