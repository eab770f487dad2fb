"""Serve websocket connections: require a hello in time, then pass each message to its handler.

A peer gets exactly one answer for each message, and no message stops the server:

- A message that cannot be decoded is answered with `bad_message`.
- A message beyond the peer's rate is answered with `rate_limited`, and so is one while too many
  answers wait for their commit.
- A control frame beyond the rate is ignored.
- A request that the rules of the game or of the room forbid is answered with its own code.
- A bug of the server is logged and answered with `internal`.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, Final

import structlog
from structlog.contextvars import bind_contextvars

from protocol.client_messages import Hello, Request
from protocol.errors import DecodeError, ErrorCode
from protocol.version import CloseCode
from server.background import BackgroundTasks
from server.core.errors import Refused
from server.shell.authority import Authority
from server.shell.handlers import handlers_of
from server.shell.hello import hello
from server.shell.peer import MAX_WAITING, Peer
from server.shell.wire.early import EarlyMessages
from server.shell.wire.line import Line, LineEndedError

_log = structlog.get_logger("connection")

_CLOSE_REASON: Final = {
    CloseCode.REPLACED: "you have connected again elsewhere",
    CloseCode.REFUSED: "no valid hello",
    CloseCode.ABUSE: "too many bad messages",
    CloseCode.SILENT: "no message for too long",
    CloseCode.RESTART: "the server is stopping",
}
_DROPPED: Final = {
    CloseCode.REPLACED: "replaced",
    CloseCode.REFUSED: "no_hello",
    CloseCode.ABUSE: "abuse",
    CloseCode.SILENT: "silent",
    CloseCode.REVOKED: "revoked",
    CloseCode.RESTART: "restart",
    1002: "protocol_error",
    1007: "protocol_error",
    1009: "too_long",
    1011: "failure",
}
"""Why the server has ended a connection, by its close code."""
SLOW: Final = "slow"
DROP_REASONS: Final = (*dict.fromkeys(_DROPPED.values()), SLOW)
_IDS: Final = ("room", "match", "tournament", "game_id")
"""The fields of requests that a line of the log repeats."""
_INTERNAL_ERROR: Final = "Something went wrong in the server; its log has the details."
ABORT_S: Final = 1.0
"""How long the end of connections that are dropped may take when the server stops, in seconds."""
_MAX_HELLOS: Final = 20
"""Attempts that a connection has to send a valid hello."""


class Connections:
    """Serve all connections of a server, and drop those that are silent or slow.

    `hello_s` is how long a new connection may take for its hello, `silence_s` how long a player may
    send nothing, both in seconds. `write_buffer` is how many unread bytes a peer may have.
    """

    def __init__(
        self,
        authority: Authority,
        *,
        hello_s: float,
        silence_s: float,
        write_buffer: int,
    ) -> None:
        self.authority = authority
        self._handlers = handlers_of(authority)
        self.peers: set[Peer] = set()
        self.http: str | None = None
        """The HTTP address that the welcome message gives to clients."""
        self.page: Callable[[], str | None] = lambda: None
        """Returns the version of the browser page that the server has."""
        self._hello_s = hello_s
        self._silence_s = silence_s
        self._write_buffer = write_buffer
        self._loop = asyncio.get_running_loop()
        self._time = self._loop.time
        self._tasks = BackgroundTasks()
        self._greetings = BackgroundTasks()
        self._early: dict[Peer, EarlyMessages] = {}
        """The messages of the peers whose hello is not answered yet."""
        self._lines = 0
        """How many lines are not lost yet."""
        self._all_lost: asyncio.Future[None] | None = None
        self.opened = 0
        """How many connections there were since the start."""
        self.dropped: Counter[str] = Counter()
        """How many of them the server has ended, for each of `DROP_REASONS`."""
        self.refusals: Counter[str] = Counter()
        """How many requests were refused with each error code."""
        self.hits: Counter[str] = Counter()
        """How many messages were refused by each limit on the messages of one peer."""

    def open(self, line: Line, source: str, address: str) -> None:
        """Serve a line until it is lost; `source` and `address` say where it comes from."""
        self.opened += 1
        limits = self.authority.config.limits
        peer = Peer(line, limits, self._time(), self.opened, self.refusals, source, address)
        self.peers.add(peer)
        self._lines += 1
        early = self._early[peer] = EarlyMessages(line)
        line.deliver_to(early.put, peer)
        self._greetings.start(self._greet(peer, early))

    async def _greet(self, peer: Peer, early: EarlyMessages) -> None:
        """Wait for the hello of a peer and answer it; then let its messages go to `_receive`."""
        # This task has a context of its own, so each line from it names the connection.
        bind_contextvars(connection=peer.number, address=peer.address)
        try:
            if await self._receive_hello(peer, early):
                assert peer.player is not None
                _log.info("joined", player=peer.name, kind=peer.player.kind, client=peer.client)
                for data in early.rest():
                    self._receive(peer, data)
                if not early.has_ended:
                    peer.line.deliver_to(self._receive, peer)
            else:
                self._close(peer, CloseCode.REFUSED)
        except LineEndedError:
            pass
        except Exception:  # noqa: BLE001 - a bug here must not stop the server
            _log.exception("connection_failed")
            peer.line.close(1011, "")
        finally:
            del self._early[peer]
            if early.has_ended:
                self._leave(peer)

    def lost(self, peer: Peer) -> None:
        """Forget a peer whose line has ended, as soon as its hello is dealt with."""
        self._lines -= 1
        early = self._early.get(peer)
        if early is None:
            self._leave(peer)
        else:
            early.end()
        if not self._lines and self._all_lost is not None and not self._all_lost.done():
            self._all_lost.set_result(None)

    def _leave(self, peer: Peer) -> None:
        """Take a peer that is gone out of everything."""
        self.peers.discard(peer)
        if not peer.replaced:
            self.authority.depart(peer)
        dropped = _drop_reason(peer)
        if dropped:
            self.dropped[dropped] += 1
        _log.info(
            "left",
            connection=peer.number,
            address=peer.address,
            player=peer.name,
            why=dropped or "the client ended the connection",
            seconds=round(self._time() - peer.since_s, 1),
        )

    async def _receive_hello(self, peer: Peer, early: EarlyMessages) -> bool:
        """Wait for a valid hello; return whether it came in time.

        After a refused hello the peer may send another, with a different name for example, until
        the deadline.

        Raises:
            LineEndedError: the connection has ended.
        """
        deadline = self._loop.time() + self._hello_s
        for _ in range(_MAX_HELLOS):
            try:
                async with asyncio.timeout_at(deadline):
                    data = await early.get()
            except TimeoutError:
                return False
            peer.last_message_s = self._loop.time()
            try:
                message = peer.codec.decode_request(data)
            except DecodeError as error:
                peer.refuse(error.request_id, error.code, error.sentence)
                continue
            if not isinstance(message, Hello):
                peer.refuse(message.id, ErrorCode.HELLO_FIRST, "The first message must be a hello.")
                continue
            try:
                self.authority.doors.check_open()
                replaced = await hello(
                    self.authority,
                    peer,
                    message,
                    self.http,
                    self.page(),
                    round(self._silence_s * 1000),
                )
            except Refused as refused:
                peer.refuse(message.id, refused.code, refused.sentence)
                if refused.code is ErrorCode.UNSUPPORTED_VERSION:
                    return False
                continue
            except Exception:  # noqa: BLE001 - a bug here must not stop the server
                _log.exception("hello_failed")
                peer.refuse(message.id, ErrorCode.INTERNAL, _INTERNAL_ERROR)
                return False
            if replaced is not None:
                self._close(replaced, CloseCode.REPLACED)
            return True
        return False

    def _receive(self, peer: Peer, data: bytes | str) -> None:
        """Decode one message and carry it out, or refuse it when the peer sends too many."""
        if peer.is_closing:
            return
        peer.last_message_s = now = self._time()
        within_rate = peer.bucket.take(now)
        try:
            message = peer.codec.decode_request(data)
        except DecodeError as error:
            peer.refuse(error.request_id, error.code, error.sentence)
            self._count_offence(peer, now)
            return
        if not within_rate:
            self.hits["message_rate"] += 1
            rate = self.authority.config.limits.messages_per_s
            peer.refuse(
                message.id,
                ErrorCode.RATE_LIMITED,
                f"You may send {rate:g} messages a second; send this one again later.",
            )
            self._count_offence(peer, now)
            return
        if peer.waiting >= MAX_WAITING:
            self.hits["waiting_answers"] += 1
            peer.refuse(
                message.id,
                ErrorCode.RATE_LIMITED,
                "Too many of your requests wait for their answers; send this one again later.",
            )
            return
        self._carry_out(peer, message)

    def admit_frame(self, peer: Peer) -> bool:
        """Charge a peer for a control frame or a fragment; return whether it is within its rate."""
        now = self._time()
        if peer.bucket.take(now):
            return True
        self.hits["message_rate"] += 1
        self._count_offence(peer, now)
        return False

    def _carry_out(self, peer: Peer, message: Request) -> None:
        """Carry out a request that was admitted.

        The handler answers at once or after a commit. If it is a coroutine, a task finishes it.
        """
        handler = self._handlers.get(type(message))
        try:
            if handler is None:
                raise Refused(ErrorCode.HELLO_FIRST, "Send hello only once, as the first message.")
            if peer.is_limited:
                assert peer.player is not None
                peer.rights.check(type(message), peer.player.kind)
            waiting = handler(peer, message)
        except Exception as error:  # noqa: BLE001 - every request gets an answer
            self._answer_failure(peer, message, error)
            return
        if waiting is not None:
            peer.waiting += 1
            self._tasks.start(self._finish(peer, message, waiting))

    async def _finish(self, peer: Peer, message: Request, waiting: Awaitable[None]) -> None:
        """Await a handler that is a coroutine, and answer for it if it fails."""
        bind_contextvars(**_facts(peer, message))
        try:
            await waiting
        except Exception as error:  # noqa: BLE001 - every request gets an answer
            self._answer_failure(peer, message, error)
        finally:
            peer.waiting -= 1

    @staticmethod
    def _answer_failure(peer: Peer, message: Request, error: Exception) -> None:
        """Answer a request that was refused, or that failed by a bug, which is logged."""
        if isinstance(error, Refused):
            peer.refuse(message.id, error.code, error.sentence)
            _log.debug("refused", code=error.code.value, **_facts(peer, message))
            return
        _log.error("handler_failed", client=peer.client, exc_info=error, **_facts(peer, message))
        peer.refuse(message.id, ErrorCode.INTERNAL, _INTERNAL_ERROR)

    def _count_offence(self, peer: Peer, now: float) -> None:
        """Count a malformed or excess message; cut the connection off after too many of them."""
        if not peer.offences.take(now):
            peer.end(CloseCode.ABUSE, _CLOSE_REASON[CloseCode.ABUSE])

    def sweep(self, *, silent: bool = True) -> None:
        """Drop peers that do not read, who may resume, and if `silent` peers that send nothing."""
        now = self._loop.time()
        silent_since = now - self._silence_s
        for peer in list(self.peers):
            if peer.buffered() > self._write_buffer:
                _log.warning("slow_peer_dropped", client=peer.client, **peer.facts())
                peer.abort()
            elif silent and peer.last_message_s < silent_since and peer.player is not None:
                peer.last_message_s = now
                self._close(peer, CloseCode.SILENT)

    def _close(self, peer: Peer, code: int) -> None:
        """Close a connection with one of the protocol's close codes and its reason."""
        peer.is_closing = True
        peer.line.close(code, _CLOSE_REASON[code])

    async def close_all(self, grace_s: float) -> None:
        """Close all connections; after `grace_s` seconds abort those that are still open."""
        for peer in list(self.peers):
            self._close(peer, CloseCode.RESTART)
        if not await self._are_lost(max(grace_s, 0.01)):
            for peer in list(self.peers):
                peer.abort()
            await self._are_lost(ABORT_S)
        self._tasks.cancel()

    async def _are_lost(self, within_s: float) -> bool:
        """Wait until all lines are lost; return whether they are in time."""
        if self._lines:
            self._all_lost = asyncio.get_running_loop().create_future()
            await asyncio.wait((self._all_lost,), timeout=within_s)
        return not self._lines

    async def all_left(self) -> None:
        """Wait until the hellos of connections that were lost are dealt with."""
        await self._greetings.ended()


def _facts(peer: Peer, message: Request) -> dict[str, Any]:
    """Return what identifies a request in the log; never what is in it, which may be secret."""
    facts = {**peer.facts(), "message": type(message).__name__}
    for name in _IDS:
        found = getattr(message, name, None)
        if found is not None:
            facts[name.removesuffix("_id")] = found
    return facts


def _drop_reason(peer: Peer) -> str:
    """Return why the server has ended a connection, one of `DROP_REASONS`; empty: it has not."""
    if peer.line.ended_with:
        return _DROPPED.get(peer.line.ended_with, "")
    return SLOW if peer.is_aborted else ""
