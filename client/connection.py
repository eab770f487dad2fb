"""Run one welcomed websocket: read messages, send queued requests and pings.

Three tasks share the connection: a reader, a writer that sends the requests of the queue within
the server's rate limit, and one that pings at intervals. The pings keep the server from closing a
silent connection. When the server leaves one of them unanswered for too long, the client breaks
the connection.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from doublecross.client.core.pacing import RequestPacer
from doublecross.client.core.requests import RequestQueue
from doublecross.client.core.resend import RETRIED
from doublecross.client.core.sentences import sentence_of
from doublecross.client.core.updates import Update
from doublecross.client.options import Waiting
from doublecross.games.api.sentence import Sentence
from doublecross.protocol.codec import Codec
from doublecross.protocol.common import Phrase
from doublecross.protocol.errors import DecodeError, ErrorCode
from doublecross.protocol.server_messages import Failed, Limits

log = logging.getLogger(__name__)

PING_S: Final = 10.0
"""The interval of pings in seconds; shorter if a third of the server's silence limit is."""


class Connection:
    """Carries the requests of `queue` and the server's messages over `ws` until it breaks.

    `changed` receives what each message changed. It is also called, with nothing, when the queue
    may have new answers.
    """

    def __init__(
        self,
        ws: ClientConnection,
        codec: Codec,
        queue: RequestQueue,
        limits: Limits,
        *,
        url: str,
        waiting: Waiting,
        changed: Callable[[Sequence[Update]], None],
    ) -> None:
        self.open = True
        self._ws = ws
        self._codec = codec
        self._queue = queue
        self._limits = limits
        self._url = url
        self._waiting = waiting
        self._changed = changed
        self.farewell: Sentence | None = None
        """The reason that the server has sent before it closes the connection."""
        self._wake = asyncio.Event()
        self._writing_since: float | None = None

    def wake(self) -> None:
        """Make the writer check the queue for requests."""
        self._wake.set()

    def abort(self) -> None:
        """Break the connection at once."""
        self._ws.transport.abort()

    async def serve(self) -> ConnectionClosed:
        """Serve the connection until it breaks; return the exception that ended it."""
        self._queue.begin()
        # The wire allows a limit of 0, which must not become an interval of 0.
        third = self._limits.silence_ms / 3000
        try:
            async with asyncio.TaskGroup() as group:
                writer = group.create_task(self._write())
                pinger = group.create_task(self._ping(min(PING_S, third or PING_S)))
                try:
                    return await self._read()
                finally:
                    # First, so that nobody queues a request for a connection that has ended.
                    self.open = False
                    self._queue.end()
                    writer.cancel()
                    pinger.cancel()
        finally:
            await self._ws.close()
        raise AssertionError("a task group swallows no error")

    async def _read(self) -> ConnectionClosed:
        """Receive messages until the connection breaks."""
        count = 0
        while True:
            try:
                data = await self._ws.recv()
            except ConnectionClosed as closed:
                return closed
            self._take(data)
            count += 1
            if count % 64 == 0:
                await asyncio.sleep(0)  # recv does not yield while frames wait; let other tasks run

    def _take(self, data: str | bytes) -> None:
        try:
            message = self._codec.decode_server(data)
        except DecodeError as error:
            log.warning("Ignored an unreadable message from %s: %s", self._url, error.sentence)
            self._changed(self._queue.receive_unreadable(error, self._waiting.clock()))
        else:
            if message is None:
                return
            if type(message) is Failed:
                if message.code == ErrorCode.ENDED:
                    self.farewell = sentence_of(message)
                self._log(message)
            self._changed(self._queue.receive(message, self._waiting.clock()))
        if self._queue.wait_s(self._waiting.clock()) is not None:
            self._wake.set()

    def _log(self, failed: Failed) -> None:
        """Log a refusal that answers no pending request."""
        if failed.id not in self._queue.pending and failed.code not in RETRIED:
            log.info("The server refused something: %s", failed.message)

    async def _write(self) -> None:
        """Send the requests that are due, within the server's rate limit."""
        # A tenth below the limit, because the two clocks and the network are not exact.
        pacer = RequestPacer(self._limits.messages_per_s * 0.9, self._waiting.clock())
        while True:
            await self._until_due()
            if (wait := pacer.delay(self._waiting.clock())) > 0:
                await self._waiting.sleep(wait)
            now = self._waiting.clock()
            request = self._queue.next_to_send(now)
            self._changed(())  # the queue may have found answers in the mirrors
            if request is None:
                continue
            frame, most = self._codec.encode(request), self._limits.frame_bytes
            if len(frame) > most:
                # The server would end the connection, and get the same again after a reconnect.
                why = Sentence(
                    "The request has {size} bytes, but the server takes up to {most}.",
                    len(frame),
                    most,
                )
                phrase, code = Phrase(**why.fields), ErrorCode.BAD_MESSAGE
                failed = Failed(id=request.id, code=code, message=why, phrase=phrase)
                self._changed(self._queue.receive(failed, now))
                continue
            pacer.spend(now)
            # A send that blocks for long counts as silence: the server does not read.
            self._writing_since = now
            try:
                await self._ws.send(frame, text=self._codec.text)
            except ConnectionClosed:
                return  # the reader gets the same exception and reports it
            self._writing_since = None

    async def _until_due(self) -> None:
        """Wait until a request of the queue is due."""
        while (wait := self._queue.wait_s(self._waiting.clock())) != 0:
            # There is no await since the check above, so no call of `wake` is lost.
            self._wake.clear()
            timer = None if wait is None else asyncio.create_task(self._wake_in(wait))
            try:
                await self._wake.wait()
            finally:
                if timer is not None:
                    timer.cancel()

    async def _wake_in(self, seconds: float) -> None:
        await self._waiting.sleep(seconds)
        self._wake.set()

    async def _ping(self, interval: float) -> None:
        """Ping every `interval` seconds; break the connection when the server stops answering."""
        while True:
            await self._waiting.sleep(interval)
            since = (self._writing_since, self._queue.unanswered_since)
            oldest = min((at for at in since if at is not None), default=None)
            if oldest is not None and self._waiting.clock() - oldest > self._waiting.silence_s:
                log.info("%s did not answer for %g s.", self._url, self._waiting.silence_s)
                self.abort()
                return
            self._queue.ping()
            self._wake.set()
