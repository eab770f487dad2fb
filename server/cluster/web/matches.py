"""Ask the nodes that run rooms about finished games and games in play."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any, Final

from doublecross.games.api import Game
from doublecross.games.registry import make_game
from doublecross.server.cluster.links.calls import (
    CallError,
    LinkDownError,
    LinkResetError,
    NodeCalls,
    RefusedError,
)
from doublecross.server.cluster.node import Node
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.web.reading import STORED_S, OwnMatches

ASK_S: Final = 2.0
"""How long nodes may take to say whether a position is played; others count as not playing it."""
CHECK_S: Final = 0.05
"""Seconds until the owner of a log is asked again that did not answer."""
MATCHES: Final = "matches"
PLAYED: Final = "is played"
"""The names of the calls."""


class NodeMatches:
    """The matches of all nodes; `doublecross.server.shell.web.reading.Matches` has the methods."""

    def __init__(self, node: Node, calls: NodeCalls) -> None:
        self._node = node
        self._calls = calls
        calls.serve(MATCHES, self._answer)
        calls.serve(PLAYED, self._is_played)

    async def settled(self, room: str = "", *, here: bool = False) -> None:
        """Wait for the owner of the room or for those of all rooms, also while these move.

        Without a wait, other nodes store their finished games within a fraction of a second.
        """
        if here:
            for rooms in self._node.logs.rooms:
                await OwnMatches(rooms).settled()
        else:
            logs = [room] if room else self._node.owners()
            await asyncio.gather(*(self._ask([each], over=True) for each in logs))

    async def live(self, rooms: Sequence[str]) -> list[dict[str, Any]]:
        """Ask the owner of each room."""
        logs: dict[str, list[str]] = {}
        for room in rooms:
            logs.setdefault(log_of_room(room), []).append(room)
        found = await asyncio.gather(*(self._ask(each, over=False) for each in logs.values()))
        return [shown for each in found for shown in each]

    async def is_played(self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> bool:
        """Ask all nodes that can be reached."""
        value = (game.key, dict(game.params), opening, moves)
        return any((await self._calls.ask_all(PLAYED, value, ASK_S)).values())

    async def _ask(self, rooms: Sequence[str], *, over: bool) -> Sequence[dict[str, Any]]:
        """Return what `_answer` says at the owner of these rooms; nothing without such a log.

        Raises:
            StoreError: no owner answers in time.
        """
        log = log_of_room(rooms[0])
        try:
            async with asyncio.timeout(STORED_S):
                while log in (owners := self._node.owners()):
                    run = owners[log]
                    if run is not None:
                        with contextlib.suppress(LinkDownError, LinkResetError, RefusedError):
                            shown = await self._calls.call(run, MATCHES, (rooms, over), STORED_S)
                            return list(shown)
                    await asyncio.sleep(CHECK_S)  # the log moves, or its owner cannot store
        except (TimeoutError, CallError):
            raise StoreError("The node that runs this room does not answer; try again.") from None
        return ()

    # -- for other nodes -----------------------------------------------------------------------

    async def _answer(self, run: str, value: Any) -> Sequence[dict[str, Any]]:
        """Return the games in play in these rooms, or wait until the finished ones are stored.

        Raises:
            RefusedError: another node may run them, or they could not be stored.
        """
        rooms, over = value
        log, found = log_of_room(rooms[0]), self._node.logs.of(rooms[0])
        shown: Sequence[dict[str, Any]] = ()
        if found is not None and self._node.logs.owns(log):
            try:
                if over:
                    await OwnMatches(found).settled()
                else:
                    shown = await OwnMatches(found).live(rooms)
            except StoreError as error:
                raise RefusedError(str(error)) from None
        if not self._node.logs.owns(log):
            raise RefusedError("The rooms are not here.")
        return shown

    async def _is_played(self, run: str, value: Any) -> bool:
        key, params, *asked = value
        game, (opening, moves) = make_game(key, params), map(tuple, asked)
        own = [OwnMatches(rooms) for rooms in self._node.logs.rooms]
        return any([await each.is_played(game, opening, moves) for each in own])
