"""The client's connection: connects, comes back when it breaks, answers every request once.

Theory of operation
-------------------
One task owns the connection: it serves one websocket (`client.connection`), and when that breaks,
connects again after a random delay that grows from try to try. Requests live in the queue of
`client.core.requests` from their making until their answer, whatever happens to connections
meanwhile; here a future waits for each.

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

from client.calls import Calls
from client.connection import Connection
from client.core.address import server_url
from client.core.build import Build
from client.core.errors import ConnectionEnded, RequestRefused, Unreachable
from client.core.pacing import reconnect_delay
from client.core.requests import RequestQueue
from client.core.session import Session
from client.core.updates import ConnectionLost, SessionEnded, Update
from client.feed import FEED_BOUND, Feed
from client.handshake import greet, open_socket, why_ended
from protocol.client_messages import Hello
from protocol.codec import codec_for
from protocol.common import EngineInfo, Kind
from protocol.errors import ErrorCode
from protocol.server_messages import Failed, ServerMessage, Welcome
from protocol.version import MSGPACK, PROTOCOL_VERSION

__all__ = ["Client", "ConnectionEnded", "RequestRefused", "Unreachable"]

log = logging.getLogger(__name__)

MAX_PENDING: Final = 4096
"""Requests without an answer; one more is refused here."""
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
        engine: EngineInfo | None = None,
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
        super().__init__()
        self.url = server_url(url)
        self.session = Session()
        self._rng = rng
        self._codec = codec_for(codec)
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
        self._queue = RequestQueue(self.session, rng)
        self._waiters: dict[int, asyncio.Future[ServerMessage]] = {}
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None
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
                connection = await self._open()
                break
            except Unreachable as error:
                if error.lasting or self._clock() >= until:
                    raise
                await self._sleep(reconnect_delay(attempt, self._rng))
        self._connection = connection
        self._task = asyncio.create_task(self._run(connection), name="client connection")

    async def close(self) -> None:
        """End the connection; requests that wait fail with `ConnectionEnded`."""
        task, self._task = self._task, None
        self._end(ConnectionEnded("This client was closed."))
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if self._connection is not None and self._connection.open:
            self._connection.abort()  # the task had not begun to serve it
            self._connection = None

    @property
    def connected(self) -> bool:
        """Whether there is a connection now."""
        return self._connection is not None and self._connection.open

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
        if len(self._queue.pending) >= MAX_PENDING:
            raise RequestRefused(ErrorCode.TOO_MANY, "Too many requests wait for their answers.")
        try:
            request = self._queue.add(build)
        except ValidationError as error:
            raise RequestRefused(ErrorCode.BAD_MESSAGE, _sentence(error)) from None
        future: asyncio.Future[ServerMessage] = asyncio.get_running_loop().create_future()
        self._waiters[request.id] = future
        if self._connection is not None:
            self._connection.wake()
        limit = self._request_timeout if timeout is None else timeout
        try:
            async with asyncio.timeout(limit):
                return await future
        except TimeoutError:
            what = getattr(request, "type", "request")
            raise TimeoutError(f"The server did not answer {what} within {limit:g} s.") from None
        finally:
            self._queue.drop(request.id)
            self._waiters.pop(request.id, None)

    def updates(self, bound: int = FEED_BOUND) -> Feed:
        """Return what changes from now on; see `Feed`. Several consumers each get everything."""
        feed = Feed(bound)
        if self._ended is None:
            self._feeds.add(feed)
        else:
            feed.put([SessionEnded(str(self._ended))])
            feed.close()
        return feed

    def new_key(self) -> str:
        """Return a new idempotency key. It comes from the system's randomness, since a program that
        is started twice with one seed must not find its old rooms."""
        return self._new_key()

    # -- the connection ----------------------------------------------------------------------

    async def _open(self) -> Connection:
        """Return a connection that has been welcomed; see `start` for the errors."""
        ws = await open_socket(self.url, self._codec, self._connect_timeout)
        hello = self._hello.model_copy(update={"id": self._queue.new_id()})
        try:
            welcome = await greet(ws, self.url, self._codec, hello, self._connect_timeout)
            self._welcomed(welcome, hello)
        except BaseException:
            ws.transport.abort()
            raise
        return Connection(
            ws,
            self._codec,
            self._queue,
            welcome.limits,
            url=self.url,
            silence_s=self._silence_s,
            clock=self._clock,
            sleep=self._sleep,
            changed=self._changed,
        )

    def _welcomed(self, welcome: Welcome, hello: Hello) -> None:
        if welcome.token and welcome.token != self._hello.token:
            self._hello = self._hello.model_copy(update={"token": welcome.token})
            if self._on_token is not None:
                self._on_token(welcome.token)
        self._next_try_at = None
        self._changed(self.session.receive(welcome, self._clock(), hello))

    async def _run(self, connection: Connection) -> None:
        """Serve connection after connection, until the end."""
        attempt = 0
        try:
            while True:
                began = self._clock()
                closed = await connection.serve()
                if (ended := why_ended(closed)) is not None:
                    return self._end(ended)
                sentence = f"The connection to {self.url} was lost."
                if not self._reconnect:
                    return self._end(ConnectionEnded(sentence))
                if self._clock() - began >= STABLE_S:
                    attempt = 0
                self._changed([ConnectionLost(sentence)])
                connection, attempt = await self._come_back(attempt)
                self._connection = connection
        except ConnectionEnded as error:
            self._end(error)
        except (RequestRefused, Unreachable) as error:
            self._end(ConnectionEnded(error.sentence))
        except Exception:
            log.exception("A bug ended the connection to %s.", self.url)
            self._end(ConnectionEnded("A bug of this client ended the connection; see its log."))

    async def _come_back(self, attempt: int) -> tuple[Connection, int]:
        """Return the next connection and the number of the next try."""
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

    def _changed(self, updates: Sequence[Update]) -> None:
        """Hand out answers that have come, and updates to all consumers."""
        for request_id, answer in self._queue.take_answers():
            waiter = self._waiters.get(request_id)
            if waiter is None or waiter.done():
                continue
            if isinstance(answer, Failed):
                waiter.set_exception(RequestRefused(answer.code, answer.message))
            else:
                waiter.set_result(answer)
        if updates:
            for feed in tuple(self._feeds):
                feed.put(updates)

    def _end(self, error: ConnectionEnded) -> None:
        """End for good and fail all who wait with `error`."""
        if self._ended is not None:
            return
        self._ended = error
        self._next_try_at = None
        self._queue.end()
        for waiter in self._waiters.values():
            if not waiter.done():
                waiter.set_exception(error)
        self._changed([SessionEnded(str(error))])
        for feed in tuple(self._feeds):
            feed.close()


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"Field {'.'.join(map(str, first['loc']))}: {first['msg']}."
