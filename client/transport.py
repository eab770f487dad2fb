"""Connect to a server, reconnect when the connection breaks, and answer every request once.

Theory of operation
-------------------
One task owns the connection. It serves one websocket at a time (`doublecross.client.connection`).
When that breaks, the task reconnects after a random delay, which grows with each failed attempt. If
the server has several addresses (`doublecross.client.core.address`), all of them are tried between
two delays. A request stays in the queue of `doublecross.client.core.requests` until its answer
arrives, even when connections break meanwhile; in this module a future waits for each answer.

Consumers read `session`, which shows the state after the last message, and iterate over
`updates()`, which names what changed. A slow consumer never holds up the connection.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
import weakref
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, Self

from pydantic import ValidationError

from doublecross.client.account import AccountCalls
from doublecross.client.calls import Calls
from doublecross.client.connection import Connection
from doublecross.client.core.address import Addresses, shown_address
from doublecross.client.core.build import Build
from doublecross.client.core.errors import ConnectionEnded, RequestRefused, Unreachable
from doublecross.client.core.pacing import reconnect_delay
from doublecross.client.core.requests import RequestQueue
from doublecross.client.core.sentences import sentence_of
from doublecross.client.core.session import Session
from doublecross.client.core.updates import ConnectionLost, SessionEnded, Update
from doublecross.client.feed import FEED_BOUND, Feed
from doublecross.client.handshake import greet, open_socket, why_ended
from doublecross.client.options import Login, Memory, Waiting
from doublecross.games.api.sentence import Sentence
from doublecross.protocol.client_messages import Hello
from doublecross.protocol.codec import codec_for
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import Failed, ServerMessage, Welcome
from doublecross.protocol.text import refused_because
from doublecross.protocol.version import MSGPACK, PROTOCOL_VERSION

__all__ = [
    *("Client", "ConnectionEnded", "Login", "Memory", "RequestRefused", "Unreachable", "Waiting"),
]

log = logging.getLogger(__name__)

MAX_PENDING: Final = 4096
"""The most requests without an answer; the client refuses a further one."""
STABLE_S: Final = 1.0
"""A connection that lasted this long, in seconds, resets the delay to the shortest one."""


_NO_MEMORY: Final = Memory()
_USUAL: Final = Waiting()


class Client(Calls):
    """A player's connection to a server.

    `url` has the addresses of the server, between commas
    (`doublecross.client.core.address.server_urls`). `codec` is a subprotocol of
    `doublecross.protocol.version`. `rng` draws the delays. Tests replace `new_key`. `account` has
    the requests about the player's account.

    Raises:
        ValueError: the address or the name is malformed. The message is one sentence for people.
    """

    def __init__(
        self,
        url: str,
        login: Login,
        *,
        rng: Random,
        codec: str = MSGPACK,
        memory: Memory = _NO_MEMORY,
        waiting: Waiting = _USUAL,
        reconnect: bool = True,
        new_key: Callable[[], str] = lambda: secrets.token_hex(12),
    ) -> None:
        super().__init__()
        self._addresses = Addresses(url, rng, memory.servers)
        self.session = Session()
        self._rng = rng
        self._codec = codec_for(codec)
        self._memory = memory
        self._waiting = waiting
        self._reconnect = reconnect
        self._new_key = new_key
        try:
            self._hello = Hello(
                id=0,
                protocol=PROTOCOL_VERSION,
                kind=login.kind,
                name=login.name,
                token=login.token,
                key=new_key() if login.token is None else None,
                engine=login.engine,
                client=login.client,
                takebacks=login.takebacks,
                exclusive=login.exclusive,
            )
        except ValidationError as error:
            raise ValueError(_sentence(error)) from None
        self._queue = RequestQueue(self.session, rng)
        self._waiters: dict[int, asyncio.Future[ServerMessage]] = {}
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None
        self._next_try_at: float | None = None
        # A consumer may drop its feed without a word; the feed is then removed.
        self._feeds: weakref.WeakSet[Feed] = weakref.WeakSet()
        self._ended: ConnectionEnded | None = None

    # -- life --------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.close()

    async def start(self, *, patience_s: float = 0.0) -> None:
        """Connect and exchange hello and welcome; retry for `patience_s` seconds if no one answers.

        Raises:
            Unreachable: no server answers, or it does not speak this protocol.
            RequestRefused: the server refused the hello, for example `name_taken` or `bad_token`.
            ConnectionEnded: the server ended the connection for good.
            RuntimeError: the client was started or closed before.
        """
        if self._task is not None or self._ended is not None:
            raise RuntimeError("A client can be started only once.")
        until = self._waiting.clock() + patience_s
        for attempt in itertools.count():
            try:
                connection = await self._open_any()
                break
            except Unreachable as error:
                if error.lasting or self._waiting.clock() >= until:
                    raise
                await self._waiting.sleep(reconnect_delay(attempt, self._rng))
        self._connection = connection
        self._task = asyncio.create_task(self._run(connection), name="client connection")

    async def close(self) -> None:
        """End the connection; waiting requests fail with `ConnectionEnded`."""
        task, self._task = self._task, None
        # First, so that waiting requests fail with this reason.
        self._end(ConnectionEnded("This client was closed."))
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if self._connection is not None and self._connection.open:
            self._connection.abort()  # the cancelled task never began to serve it
            self._connection = None

    @property
    def url(self) -> str:
        """The websocket URL of the server: the address in use, or the next to try."""
        return self._addresses.current

    @property
    def account(self) -> AccountCalls:
        """The requests about the player's account, at the address in use."""
        return AccountCalls(self.url, lambda: self._hello.token)

    @property
    def connected(self) -> bool:
        """Return whether the connection is open."""
        return self._connection is not None and self._connection.open

    @property
    def ended(self) -> ConnectionEnded | None:
        """The error that ended the connection for good, or None while it lasts."""
        return self._ended

    @property
    def next_try_in(self) -> float | None:
        """Seconds until the next attempt to connect (0 during one), or None if none is due."""
        if self._next_try_at is None:
            return None
        return max(0.0, self._next_try_at - self._waiting.clock())

    # -- requests and updates ----------------------------------------------------------------

    async def request(self, build: Build, *, timeout: float | None = None) -> ServerMessage:
        """Send the request that `build` makes with a new id, and return the answer.

        Wait across reconnects, for at most `timeout` seconds (None for `Waiting.request_s`).

        Raises:
            RequestRefused: the server refused, or the request is malformed.
            TimeoutError: no answer came in time. The server may have carried the request out.
            ConnectionEnded: the connection is over for good.
            RuntimeError: the client was not started.
        """
        if self._ended is not None:
            # A new exception for each caller, because an exception keeps the traceback of its
            # raise.
            ended = self._ended
            raise ConnectionEnded(ended.sentence, ended.close_code, ended.code)
        if self._task is None:
            raise RuntimeError("The client has not been started.")
        if len(self._queue.pending) >= MAX_PENDING:
            raise RequestRefused(
                ErrorCode.TOO_MANY, "Too many requests wait for an answer; try again later."
            )
        try:
            request = self._queue.add(build)
        except ValidationError as error:
            raise RequestRefused(ErrorCode.BAD_MESSAGE, _sentence(error)) from None
        future: asyncio.Future[ServerMessage] = asyncio.get_running_loop().create_future()
        self._waiters[request.id] = future
        if self._connection is not None:
            self._connection.wake()
        limit = self._waiting.request_s if timeout is None else timeout
        try:
            async with asyncio.timeout(limit):
                return await future
        except TimeoutError:
            what = getattr(request, "type", "request")
            raise TimeoutError(
                Sentence("The server did not answer {what} within {limit} s.", what, f"{limit:g}")
            ) from None
        finally:
            self._queue.drop(request.id)
            self._waiters.pop(request.id, None)

    def updates(self, bound: int = FEED_BOUND) -> Feed:
        """Return a feed of all updates from now on. Every consumer gets a feed of its own."""
        feed = Feed(bound)
        if self._ended is None:
            self._feeds.add(feed)
        else:
            feed.put([SessionEnded(str(self._ended))])
            feed.close()
        return feed

    def new_key(self) -> str:
        """Return a new idempotency key.

        It comes from the operating system's randomness, not from `rng`: a program that runs twice
        with the same seed must not get the rooms of its first run.
        """
        return self._new_key()

    # -- the connection ----------------------------------------------------------------------

    async def _open_any(self) -> Connection:
        """Return a welcomed connection at the first address that has one; see `start`.

        Raises:
            Unreachable: all addresses have failed. The error is the first that need not last, or
                else the first.
        """
        errors: list[Unreachable] = []
        while True:
            try:
                return await self._open()
            except Unreachable as error:
                errors.append(error)
                if self._addresses.failed():
                    break
                log.info("%s", error)
        raise next((error for error in errors if not error.lasting), errors[0])

    async def _open(self) -> Connection:
        """Return a welcomed connection at the current address; see `start` for the errors."""
        ws = await open_socket(self.url, self._codec, self._waiting.connect_s)
        # Ids are never reused, so each hello needs a new one.
        hello = self._hello.model_copy(update={"id": self._queue.new_id()})
        try:
            welcome = await greet(ws, self.url, self._codec, hello, self._waiting.connect_s)
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
            waiting=self._waiting,
            changed=self._changed,
        )

    def _welcomed(self, welcome: Welcome, hello: Hello) -> None:
        """Apply a welcome, and keep the new token for later connections."""
        if welcome.token and welcome.token != self._hello.token:
            self._hello = self._hello.model_copy(update={"token": welcome.token})
            self._memory.on_token(welcome.token)
        self._addresses.welcomed(welcome.servers)
        self._memory.on_servers(self._addresses.learned)
        self._next_try_at = None
        self._changed(self.session.receive(welcome, self._waiting.clock(), hello))

    async def _run(self, connection: Connection) -> None:
        """Serve one connection after the other until the client ends."""
        attempt = 0
        try:
            while True:
                began = self._waiting.clock()
                closed = await connection.serve()
                if (ended := why_ended(closed, connection.farewell)) is not None:
                    return self._end(ended)
                sentence = Sentence("The connection to {server} was lost.", shown_address(self.url))
                if not self._reconnect:
                    return self._end(ConnectionEnded(sentence))
                if self._waiting.clock() - began >= STABLE_S:
                    attempt = 0
                self._addresses.lost()
                self._changed([ConnectionLost(sentence)])
                connection, attempt = await self._connect_again(attempt)
                self._connection = connection
        except ConnectionEnded as error:
            self._end(error)
        except RequestRefused as error:
            self._end(ConnectionEnded(error.sentence, code=error.code))
        except Unreachable as error:
            self._end(ConnectionEnded(error.sentence))
        except Exception:
            log.exception("An unexpected error ended the connection to %s.", self.url)
            self._end(ConnectionEnded("Something went wrong. Details are in the log."))

    async def _connect_again(self, attempt: int) -> tuple[Connection, int]:
        """Return the next connection and the number of the next attempt."""
        while True:
            delay = reconnect_delay(attempt, self._rng)
            attempt += 1
            self._next_try_at = self._waiting.clock() + delay
            await self._waiting.sleep(delay)
            try:
                return await self._open_any(), attempt
            except Unreachable as error:
                if error.lasting:
                    raise
                log.info("%s", error)

    def _changed(self, updates: Sequence[Update]) -> None:
        """Deliver new answers to their waiters, and `updates` to all feeds."""
        for request_id, answer in self._queue.take_answers():
            waiter = self._waiters.get(request_id)
            # The caller may have stopped waiting.
            if waiter is None or waiter.done():
                continue
            if isinstance(answer, Failed):
                waiter.set_exception(RequestRefused(answer.code, sentence_of(answer)))
            else:
                waiter.set_result(answer)
        if updates:
            for feed in tuple(self._feeds):
                feed.put(updates)

    def _end(self, error: ConnectionEnded) -> None:
        """End the client for good; all waiting requests fail with `error`."""
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


def _sentence(error: ValidationError) -> Sentence:
    """Return the first problem of `error` as a sentence for people."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    why = refused_because(first["type"], first["msg"])
    return Sentence("Field {field}: {problem}.", ".".join(map(str, first["loc"])), why)
