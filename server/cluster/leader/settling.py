"""Wait until all nodes have stored everything that was queued."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Final

from doublecross.server.cluster.items import Finish, Settle, Settled, pack
from doublecross.server.cluster.leader.logs import LeaderLogs
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.journal.committer import Committer

SETTLE_S: Final = 20.0
"""How long the nodes may take, in seconds; a node may die meanwhile and another take over."""

RETRY_S: Final = 0.02
"""How long to wait after a lost reply, in seconds, until the loss of its node is known too."""


class Settling:
    """Ask all owners of logs to store what is queued, and collect their replies."""

    def __init__(self, logs: LeaderLogs, committer: Committer) -> None:
        self._logs = logs
        self._send = logs.send
        self._committer = committer
        self._numbers = count(1)
        self._waiting: dict[int, tuple[str, asyncio.Future[bool | None]]] = {}
        """By number, the run that was asked, and whether it has stored; None: its reply is lost."""

    async def settled(self, *, games: bool = False) -> None:
        """Wait until everything queued at any node is stored; see `Rooms.settled`.

        Raises:
            StoreError: it could not be stored, or not in time.
        """
        await self._committer.settled(games=games)
        try:
            async with asyncio.timeout(SETTLE_S):
                while True:
                    await self._logs.known()
                    seen = self._logs.changes
                    stored = await self._ask_all(games)
                    if False in stored:
                        raise StoreError(
                            "A node could not store the requests before this one; try again."
                        )
                    # When a node is lost, its logs get a new owner, which must be asked too.
                    if None not in stored and seen == self._logs.changes:
                        return
                    await asyncio.sleep(RETRY_S)
        except TimeoutError:
            raise StoreError("A node of the cluster does not answer; try again later.") from None

    async def _ask_all(self, games: bool) -> list[bool | None]:
        asked: dict[int, asyncio.Future[bool | None]] = {}
        try:
            for run in sorted(self._logs.owners):
                number = next(self._numbers)
                asked[number] = asyncio.get_running_loop().create_future()
                self._waiting[number] = run, asked[number]
                if not self._send(run, pack(Settle(number, games))):
                    asked[number].set_result(None)
            return await asyncio.gather(*asked.values())
        finally:
            for number in asked:
                self._waiting.pop(number, None)

    def reply(self, run: str, item: Settled) -> None:
        """Note the reply of a node."""
        asked, future = self._waiting.get(item.number, ("", None))
        if future is not None and asked == run and not future.done():
            future.set_result(item.stored)

    def reset(self, run: str) -> None:
        """Note that a node cannot be reached any more."""
        for asked, future in self._waiting.values():
            if asked == run and not future.done():
                future.set_result(None)

    def finish_soon(self) -> None:
        """Store all finished games in the next commit of each node."""
        self._committer.games_due()
        for run in self._logs.owners:
            self._send(run, pack(Finish()))
