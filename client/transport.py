"""The client's connection: connects, comes back when it breaks, answers every request once.

Theory of operation
-------------------
One task owns the connection: it reads, and when the connection breaks, connects again after a
random delay that grows from try to try. Beside it, while connected, one task writes what waits in
the outbox, within the server's rate, and one pings, so that neither side takes the other for
dead; a server that leaves a request of the client's own unanswered is given up for lost.

Requests live at the desk (`client.desk`) from their making until their answer, whatever happens to
connections meanwhile.

Consumers read `session`, which is as new as the last message, and `updates()`, which says where
to look. They can never hold up the connection.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
import time
import weakref
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Final, Self

from pydantic import ValidationError
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from client.calls import Calls
from client.core.address import server_url
from client.core.build import Build
from client.core.errors import ConnectionEnded, RequestRefused, Unreachable
from client.core.pacing import TokenBucket, reconnect_delay
from client.core.session import Session
from client.core.updates import ConnectionLost, SessionEnded, Update
from client.desk import Desk
from client.feed import FEED_BOUND, Feed
from client.handshake import greet, open_socket, why_ended
from protocol.client_messages import Hello
from protocol.codec import Codec, codec_for
from protocol.common import Engine, Kind
from protocol.errors import DecodeError, ErrorCode
from protocol.server_messages import ServerMessage, Welcome
from protocol.version import MSGPACK, PROTOCOL_VERSION

__all__ = ["Client", "ConnectionEnded", "RequestRefused", "Unreachable"]

log = logging.getLogger(__name__)

MAX_PENDING: Final = 4096
"""Requests without an answer; one more is refused here."""
PING_S: Final = 10.0
"""The longest this client stays silent, in seconds; a third of the server's limit if shorter."""
STABLE_S: Final = 1.0
"""A connection that held this long, in seconds, was a success: the next delay is short again."""


class Client(Calls):
    """A player's connection to a server.

    `url` is read by `client.core.address.server_url`. `name` makes a new player, `token` brings a
    known one back; `on_token` is called with each new token. `codec` is a subprotocol of
    `protocol.version`. `rng` draws the delays. Times are in seconds: `connect_timeout` for one
    try to connect, `request_timeout` for requests that do not say their own, `silence_s` until a
    server that answers nothing is given up. `clock`, `sleep` and `new_key` are there for tests.

    Raises:
        ValueError: the address or the name is malformed; one sentence for people.
    """

    def __init__(
        self,
        url: str,
        *,
        kind: Kind,
        rng: Random,
        name: str | None = None,
        token: str | None = None,
        engine: Engine | None = None,
        client: str = "",
        codec: str = MSGPACK,
        on_token: Callable[[str], None] | None = None,
        reconnect: bool = True,
        connect_timeout: float = 10.0,
        request_timeout: float = 120.0,
        silence_s: float = 20.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        new_key: Callable[[], str] | None = None,
    ) -> None:
        self.url = server_url(url)
        self.session = Session()
        self._rng = rng
        self._codec: Codec = codec_for(codec)
        self._on_token = on_token
        self._reconnect = reconnect
        self._connect_timeout = connect_timeout
        self._request_timeout = request_timeout
        self._silence_s = silence_s
        self._clock = clock
        self._sleep = sleep
        self._new_key = new_key or (lambda: secrets.token_hex(12))
        try:
            self._hello = Hello(
                id=0,
                protocol=PROTOCOL_VERSION,
                kind=kind,
                name=name,
                token=token,
                key=self._new_key() if token is None else None,
                engine=engine,
                client=client,
            )
        except ValidationError as error:
            raise ValueError(_sentence(error)) from None
        self._ws: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._desk = Desk(self.session, rng, clock, sleep)
        self._writing_since: float | None = None
        self._next_try_at: float | None = None
        self._feeds: weakref.WeakSet[Feed] = weakref.WeakSet()
        self._ended: ConnectionEnded | None = None

    # -- life --------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.close()

    async def start(self, *, patience_s: float = 0.0) -> None:
        """Connect and say hello; keep trying for `patience_s` seconds while nobody is there.

        Raises:
            Unreachable: nobody is there, or nobody who speaks this protocol.
            RequestRefused: the server refused the hello, such as `name_taken` or `bad_token`.
            ConnectionEnded: it threw this client out.
        """
        if self._task is not None or self._ended is not None:
            raise RuntimeError("A client is started once.")
        until = self._clock() + patience_s
        for attempt in itertools.count():
            try:
                ws = await self._open()
                break
            except Unreachable as error:
                if error.lasting or self._clock() >= until:
                    raise
                await self._sleep(reconnect_delay(attempt, self._rng))
        self._ws = ws
        self._task = asyncio.create_task(self._run(ws), name="client connection")

    async def close(self) -> None:
        """End the connection; requests that wait fail with `ConnectionEnded`."""
        task, self._task = self._task, None
        self._end(ConnectionEnded("This client was closed."))
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if self._ws is not None:  # the task had not begun to serve it
            self._ws.transport.abort()
            self._ws = None

    @property
    def connected(self) -> bool:
        """Whether there is a connection now."""
        return self._ws is not None

    @property
    def ended(self) -> ConnectionEnded | None:
        """Why the connection is over for good; None while it is not."""
        return self._ended

    @property
    def next_try_in(self) -> float | None:
        """Seconds until the next try to connect, 0 during one; None when there is none."""
        if self._next_try_at is None:
            return None
        return max(0.0, self._next_try_at - self._clock())

    # -- requests and updates ----------------------------------------------------------------

    async def request(self, build: Build, *, timeout: float | None = None) -> ServerMessage:
        """Send the request that `build` makes of a new id, and wait for its answer across
        reconnects, at most `timeout` seconds (None: the client's `request_timeout`).

        Raises:
            RequestRefused: the server said no, or the request is malformed.
            TimeoutError: no answer came in time; it may or may not have been done.
            ConnectionEnded: the connection is over for good.
        """
        if self._ended is not None:
            raise ConnectionEnded(self._ended.sentence, self._ended.close_code)
        if self._task is None:
            raise RuntimeError("The client has not been started.")
        if len(self._desk.pending) >= MAX_PENDING:
            raise RequestRefused(ErrorCode.TOO_MANY, "Too many requests wait for their answers.")
        future: asyncio.Future[ServerMessage] = asyncio.get_running_loop().create_future()
        try:
            request = self._desk.add(build, future).request
        except ValidationError as error:
            raise RequestRefused(ErrorCode.BAD_MESSAGE, _sentence(error)) from None
        limit = self._request_timeout if timeout is None else timeout
        try:
            async with asyncio.timeout(limit):
                return await future
        except TimeoutError:
            what = getattr(request, "type", "request")
            raise TimeoutError(f"The server did not answer {what} within {limit:g} s.") from None
        finally:
            self._desk.pending.pop(request.id, None)

    def updates(self, bound: int = FEED_BOUND) -> Feed:
        """What changes from now on; see `Feed`. Several consumers each get everything."""
        feed = Feed(bound)
        if self._ended is None:
            self._feeds.add(feed)
        else:
            feed.put([SessionEnded(str(self._ended))])
            feed.close()
        return feed

    def new_key(self) -> str:
        """A new idempotency key. It comes from the system's randomness, since a program that
        is started twice with one seed must not find its old rooms."""
        return self._new_key()

    # -- the connection ----------------------------------------------------------------------

    async def _open(self) -> ClientConnection:
        """A connection that has been welcomed; see `start` for the errors."""
        ws = await open_socket(self.url, self._codec, self._connect_timeout)
        hello = self._hello.model_copy(update={"id": self._desk.new_id()})
        try:
            welcome = await greet(ws, self.url, self._codec, hello, self._connect_timeout)
            self._welcomed(welcome, hello)
        except BaseException:
            ws.transport.abort()
            raise
        return ws

    def _welcomed(self, welcome: Welcome, hello: Hello) -> None:
        if welcome.token and welcome.token != self._hello.token:
            self._hello = self._hello.model_copy(update={"token": welcome.token})
            if self._on_token is not None:
                self._on_token(welcome.token)
        self._next_try_at = None
        self._publish(self.session.receive(welcome, self._clock(), hello))

    async def _run(self, ws: ClientConnection) -> None:
        """Serve connection after connection, until the end."""
        attempt = 0
        try:
            while True:
                began = self._clock()
                closed = await self._serve(ws)
                if (ended := why_ended(closed)) is not None:
                    return self._end(ended)
                sentence = f"The connection to {self.url} was lost."
                if not self._reconnect:
                    return self._end(ConnectionEnded(sentence))
                if self._clock() - began >= STABLE_S:
                    attempt = 0
                self._publish([ConnectionLost(sentence)])
                ws, attempt = await self._come_back(attempt)
                self._ws = ws
        except ConnectionEnded as error:
            self._end(error)
        except (RequestRefused, Unreachable) as error:
            self._end(ConnectionEnded(error.sentence))
        except Exception:
            log.exception("A bug ended the connection to %s.", self.url)
            self._end(ConnectionEnded("A bug of this client ended the connection; see its log."))

    async def _come_back(self, attempt: int) -> tuple[ClientConnection, int]:
        """The next connection and the number of the next try."""
        while True:
            delay = reconnect_delay(attempt, self._rng)
            attempt += 1
            self._next_try_at = self._clock() + delay
            await self._sleep(delay)
            try:
                return await self._open(), attempt
            except Unreachable as error:
                if error.lasting:
                    raise
                log.info("%s", error)

    async def _serve(self, ws: ClientConnection) -> ConnectionClosed:
        """Use a connection until it breaks."""
        assert self.session.welcome is not None
        limits = self.session.welcome.limits
        third = limits.silence_ms / 3000
        self._writing_since = None
        self._desk.begin()
        try:
            async with asyncio.TaskGroup() as group:
                bucket = TokenBucket(limits.messages_per_s * 0.9, self._clock())
                writer = group.create_task(self._write(ws, bucket))
                pinger = group.create_task(self._ping(ws, min(PING_S, third or PING_S)))
                try:
                    return await self._read(ws)
                finally:
                    self._ws = None
                    self._desk.end()
                    writer.cancel()
                    pinger.cancel()
        finally:
            await ws.close()
        raise AssertionError("a task group swallows no error")

    async def _read(self, ws: ClientConnection) -> ConnectionClosed:
        """Take messages until the connection breaks."""
        count = 0
        while True:
            try:
                data = await ws.recv()
            except ConnectionClosed as closed:
                return closed
            try:
                message = self._codec.decode_server(data)
            except DecodeError as error:
                log.warning("An unreadable message from %s: %s", self.url, error.sentence)
                self._publish(self._desk.take_unreadable(error))
            else:
                if message is not None and (updates := self._desk.take(message)):
                    self._publish(updates)
            count += 1
            if count % 64 == 0:
                await asyncio.sleep(0)  # recv does not yield while frames are waiting

    async def _write(self, ws: ClientConnection, bucket: TokenBucket) -> None:
        """Send what is due, within the server's rate."""
        text = self._codec.text
        while True:
            pending, request = await self._desk.next_to_send()
            if (wait := bucket.take(self._clock())) > 0:
                await self._sleep(wait)
            pending.sends += 1
            pending.sent_at = self._writing_since = self._clock()
            try:
                await ws.send(self._codec.encode(request), text=text)
            except ConnectionClosed:
                return  # the reader sees it too
            self._writing_since = None

    async def _ping(self, ws: ClientConnection, interval: float) -> None:
        """Say something every `interval` seconds, and notice a server that answers nothing."""
        while True:
            await self._sleep(interval)
            since = [self._writing_since, self._desk.unanswered_since]
            oldest = min((at for at in since if at is not None), default=None)
            if oldest is not None and self._clock() - oldest > self._silence_s:
                log.info("%s has been silent for too long.", self.url)
                ws.transport.abort()
                return
            self._desk.ping()

    def _publish(self, updates: Sequence[Update]) -> None:
        for feed in tuple(self._feeds):
            feed.put(updates)

    def _end(self, error: ConnectionEnded) -> None:
        """Nothing goes on from here; everybody who waits is told why."""
        if self._ended is not None:
            return
        self._ended = error
        self._next_try_at = None
        self._desk.fail_all(error)
        self._publish([SessionEnded(str(error))])
        for feed in tuple(self._feeds):
            feed.close()


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"Field {'.'.join(map(str, first['loc']))}: {first['msg']}."
