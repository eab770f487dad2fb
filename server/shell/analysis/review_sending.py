"""Send players how a review stands, with its report if there is one.

A report is decompressed in a thread and inserted into the message as it is. So the event loop does
not encode it.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from doublecross.protocol.codec import Codec
from doublecross.server.background import BackgroundTasks
from doublecross.server.shell.analysis.reviews import MadeReport, Standing
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.peer import JSON_CODEC, MSGPACK_CODEC, Peer
from doublecross.server.shell.sessions import Sessions

REVIEW_BYTES: Final = 32 * 1024
"""The price of a request for a review, in bytes; a longer report costs its length."""

AT_ONCE: Final = 8
"""The number of players to whom a report is sent in one step of the event loop."""


class ReviewMail:
    """Send reviews to players."""

    def __init__(self, committer: Committer, sessions: Sessions) -> None:
        self._committer = committer
        self._sessions = sessions
        self._tasks = BackgroundTasks()

    async def answer(self, peer: Peer, request_id: int, game_id: str, standing: Standing) -> None:
        """Answer a request that has paid `REVIEW_BYTES` already."""
        message = {**standing.message(game_id), "id": request_id}
        if standing.report is None:
            peer.answer(message, REVIEW_BYTES)
            return
        frame = await _frame(message, standing.report, peer.codec)
        peer.send_long(frame, REVIEW_BYTES)

    def notify(self, players: Collection[str], game_id: str, standing: Standing) -> None:
        """Send a notice to those players who are connected; it costs them nothing."""
        # Spare the encoding, and a report its thread.
        if not any(player in self._sessions for player in players):
            return
        message = standing.message(game_id)
        # Most notices are about progress. Those need no thread.
        if standing.report is None:
            self._send(
                players,
                {codec.text: codec.encode(message) for codec in (MSGPACK_CODEC, JSON_CODEC)},
            )
        else:
            self._tasks.start(self._notify(tuple(players), message, standing.report))

    async def _notify(
        self, players: Sequence[str], message: Mapping[str, Any], report: MadeReport
    ) -> None:
        frames = {
            codec.text: await _frame(message, report, codec)
            for codec in (MSGPACK_CODEC, JSON_CODEC)
        }
        for start in range(0, len(players), AT_ONCE):
            self._send(players[start : start + AT_ONCE], frames)
            await asyncio.sleep(0)  # let others have the event loop in between

    def _send(self, players: Collection[str], frames: Mapping[bool, bytes]) -> None:
        def deliver() -> None:
            for player in players:
                for peer in self._sessions.of(player):
                    frame = frames[peer.codec.text]
                    peer.send_long(frame, len(frame))

        # A welcome may still wait for a commit, and no notice may come before it.
        self._committer.after(deliver, deliver)

    async def close(self) -> None:
        """Send nothing more."""
        await self._tasks.close()


async def _frame(message: Mapping[str, Any], report: MadeReport, codec: Codec) -> bytes:
    """Return the message with the report, encoded."""
    packed = report.text if codec.text else report.packed
    part = await asyncio.to_thread(zlib.decompress, packed)
    return codec.with_part(codec.encode(message), "report", part)
