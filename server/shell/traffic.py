"""Decode the messages of connected peers, refuse what is too much, and carry out the others.

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
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, partial
from typing import Any, Final

import structlog
from structlog.contextvars import bind_contextvars

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.client_messages import FollowLobby, Request, Resume, Watch
from doublecross.protocol.errors import DecodeError, ErrorCode
from doublecross.protocol.version import CloseCode
from doublecross.server.background import BackgroundTasks
from doublecross.server.core.errors import Refused
from doublecross.server.core.limits import Patience, ServerLimits
from doublecross.server.shell.addresses.sources import EXEMPT
from doublecross.server.shell.peer import MAX_WAITING, Peer
from doublecross.server.shell.wire.turns import ReadingTurns
from doublecross.server.shell.wire.websocket import WebSocket

_log = structlog.get_logger("connection")

CLOSE_REASON: Final = {
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
SECOND_HELLO: Final = Sentence("Send hello only once, as the first message.")
INTERNAL_ERROR: Final = Sentence("Something went wrong in the server; its log has the details.")
_IDS: Final = ("room", "match", "tournament", "game_id")
"""The fields of requests that a line of the log repeats."""
_LONG: Final = (FollowLobby, Resume, Watch)
"""Requests with long answers, which all connections get one after the other.

Later requests of a peer wait behind them, so that their order stays.
"""
STEP: Final = 500
"""How many peers a sweep looks at before others have a turn, which takes half a millisecond."""
ABORT_S: Final = 1.0
"""How long the end of connections that are dropped may take when the server stops, in seconds."""


BoundHandler = Callable[[Peer, Any], Awaitable[None] | None]
"""Answers a request of a peer, at once or after a commit, or returns a coroutine that does."""


class PeerTraffic(ABC):
    """All connections of a server, and their messages.

    `handlers` are by the type of a request; subclasses may handle requests in another way.
    """

    def __init__(
        self,
        limits: ServerLimits,
        patience: Patience,
        handlers: Mapping[type[Request], BoundHandler] | None = None,
    ) -> None:
        self.limits = limits
        self._handlers = handlers or {}
        self.peers: set[Peer] = set()
        self._patience = patience
        self._loop = asyncio.get_running_loop()
        self._time = self._loop.time
        self.turns = ReadingTurns(patience.turn_s)
        """The turns of requests with long answers."""
        self._tasks = BackgroundTasks()
        self._websockets = 0
        """How many websockets are not lost yet."""
        self._all_lost: asyncio.Future[None] | None = None
        self.opened = 0
        """How many connections there were since the start."""
        self.dropped: Counter[str] = Counter()
        """How many of them the server has ended, for each of `DROP_REASONS`."""
        self.refusals: Counter[str] = Counter()
        """How many requests were refused with each error code."""
        self.hits: Counter[str] = Counter()
        """How many messages were refused by each limit on the messages of one peer."""

    @abstractmethod
    def open(self, websocket: WebSocket, source: str, address: str) -> Peer:
        """Serve a websocket until it is lost; `source` and `address` say where it comes from."""

    @abstractmethod
    def lost(self, peer: Peer) -> None:
        """Forget a peer whose websocket has ended."""

    def _handle(self, peer: Peer, message: Request, data: bytes | str) -> None:
        """Carry out a request that was admitted; `data` is the message that it came in."""
        carry_out(self._handlers.get(type(message)), peer, message, self._tasks)

    def _websocket_lost(self) -> None:
        """Count a websocket that has ended."""
        self._websockets -= 1
        if not self._websockets and self._all_lost is not None and not self._all_lost.done():
            self._all_lost.set_result(None)

    def _note_left(self, peer: Peer) -> None:
        """Take a peer that is gone out of the list, and log why it is gone."""
        self.peers.discard(peer)
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

    def _receive(self, peer: Peer, data: bytes | str) -> None:
        """Decode one message and carry it out, or refuse it when the peer sends too many."""
        if peer.is_closing:
            return
        peer.last_message_s = now = self._time()
        # The message is decoded even beyond the rate, because its refusal needs the request's id.
        within_rate = peer.allowance.messages.take(now)
        try:
            message = peer.codec.decode_request(data)
        except DecodeError as error:
            peer.refuse(error.request_id, error.code, error.sentence)
            self._count_offence(peer, now)
            return
        if not within_rate:
            self.hits["message_rate"] += 1
            refuse_excess(peer, message, self.limits)
            self._count_offence(peer, now)
            return
        if peer.waiting + peer.queued >= MAX_WAITING:
            self.hits["waiting_answers"] += 1
            peer.refuse(
                message.id,
                ErrorCode.RATE_LIMITED,
                "Too many of your requests wait for their answers; send this one again later.",
            )
            return
        if peer.queued or type(message) in _LONG:
            peer.queued += 1
            self.turns.wait(self._loop, partial(self._handle_queued, peer, message, data))
        else:
            self._handle(peer, message, data)

    def _handle_queued(self, peer: Peer, message: Request, data: bytes | str) -> None:
        """Carry out a request whose turn it is."""
        peer.queued -= 1
        if not peer.is_closing:
            self._handle(peer, message, data)

    def admit_frame(self, peer: Peer) -> bool:
        """Charge a peer for a control frame or a fragment; return whether it is within its rate."""
        now = self._time()
        if peer.allowance.messages.take(now):
            return True
        self.hits["message_rate"] += 1
        self._count_offence(peer, now)
        return False

    def _count_offence(self, peer: Peer, now: float) -> None:
        """Count a malformed or excess message; cut the connection off after too many of them."""
        if not peer.allowance.offences.take(now):
            peer.end(CloseCode.ABUSE, CLOSE_REASON[CloseCode.ABUSE])

    def sweep(self, *, silent: bool = True) -> None:
        """Drop peers that do not read, who may resume, and if `silent` peers that send nothing.

        Those of one address may together have no more unread than one address is allowed.
        """
        self._sweep_part(list(self.peers), [], silent)

    def _sweep_part(self, peers: list[Peer], limited: list[Peer], silent: bool) -> None:
        """Look at the first `STEP` of `peers`, and at the others in the next turns of the loop.

        `limited` are those so far with something unread whose address has limits.
        """
        now = self._time()
        silent_since = now - self._patience.silence_s
        for peer in peers[:STEP]:
            unread = peer.buffered()
            if unread > self._patience.write_buffer:
                self._drop_slow(peer)
                continue
            if unread and peer.source != EXEMPT:
                limited.append(peer)
            # A peer without a player has the deadline of the hello.
            if silent and peer.last_message_s < silent_since and peer.player is not None:
                # So the next sweeps leave it alone while it closes.
                peer.last_message_s = now
                self._close(peer, CloseCode.SILENT)
        if len(peers) > STEP:
            self._loop.call_soon(self._sweep_part, peers[STEP:], limited, silent)
        else:
            self._drop_excess(limited)

    def _drop_excess(self, peers: list[Peer]) -> None:
        """Drop some of these peers where one address has more unread than it may have."""
        unread = Counter[str]()
        # The least first, so that those with the most are dropped.
        for peer in sorted(peers, key=Peer.buffered):
            unread[peer.source] += peer.buffered()
            if unread[peer.source] > self._patience.unread:
                self.hits["unread_per_address"] += 1
                self._drop_slow(peer)

    def _drop_slow(self, peer: Peer) -> None:
        _log.warning("slow_peer_dropped", client=peer.client, **peer.facts())
        peer.abort()

    def _close(self, peer: Peer, code: int) -> None:
        """Close a connection with one of the protocol's close codes and its reason."""
        peer.is_closing = True
        peer.websocket.close(code, CLOSE_REASON[code])

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
        """Wait until all websockets are lost; return whether they are in time."""
        if self._websockets:
            self._all_lost = self._loop.create_future()
            await asyncio.wait((self._all_lost,), timeout=within_s)
        return not self._websockets


def _drop_reason(peer: Peer) -> str:
    """Return why the server has ended a connection, one of `DROP_REASONS`; empty: it has not."""
    if peer.websocket.ended_with:
        return _DROPPED.get(peer.websocket.ended_with, "")
    return SLOW if peer.is_aborted else ""


def refuse_excess(peer: Peer, message: Request, limits: ServerLimits) -> None:
    """Refuse a request beyond the rate of its player."""
    peer.refuse(
        message.id,
        ErrorCode.RATE_LIMITED,
        "You may send {rate} messages a second; send this one again later.",
        f"{limits.messages_per_s:g}",
    )


def carry_out(
    handler: BoundHandler | None, peer: Peer, message: Request, tasks: BackgroundTasks
) -> asyncio.Task[None] | None:
    """Carry out a request that was admitted; without a handler it is a second hello.

    If the handler returns a coroutine, one of `tasks` finishes it, which is returned.
    """
    try:
        if handler is None:
            raise Refused(ErrorCode.HELLO_FIRST, SECOND_HELLO)
        # Few tokens are limited, and every request comes this way, so a flag is asked first.
        if peer.is_limited:
            # `Peer.allow` limits only peers with a player.
            assert peer.player is not None
            peer.rights.check(type(message), peer.player.kind)
        waiting = handler(peer, message)
    except Exception as error:  # noqa: BLE001 - every request gets an answer
        _answer_failure(peer, message, error)
        return None
    if waiting is None:
        return None
    # The task counts as an answer that waits, so `MAX_WAITING` bounds the tasks of a peer.
    peer.waiting += 1
    return tasks.start(_finish(peer, message, waiting))


async def _finish(peer: Peer, message: Request, waiting: Awaitable[None]) -> None:
    """Await a handler that is a coroutine, and answer for it if it fails."""
    bind_contextvars(**_facts(peer, message))
    try:
        await waiting
    except Exception as error:  # noqa: BLE001 - every request gets an answer
        _answer_failure(peer, message, error)
    finally:
        peer.waiting -= 1


def _answer_failure(peer: Peer, message: Request, error: Exception) -> None:
    """Answer a request that was refused, or that failed by a bug, which is logged."""
    if isinstance(error, Refused):
        peer.refuse(message.id, error.code, error.sentence)
        _log.debug("refused", code=error.code.value, **_facts(peer, message))
        return
    _log.error("handler_failed", client=peer.client, exc_info=error, **_facts(peer, message))
    peer.refuse(message.id, ErrorCode.INTERNAL, INTERNAL_ERROR)


@cache
def _ids_of(kind: type[Request]) -> list[str]:
    """Return those of `_IDS` that a request has; pydantic's look for them is slow."""
    return [name for name in _IDS if name in kind.model_fields]


def _facts(peer: Peer, message: Request) -> dict[str, Any]:
    """Return what identifies a request in the log; never what is in it, which may be secret."""
    facts = {**peer.facts(), "message": type(message).__name__}
    for name in _ids_of(type(message)):
        found = getattr(message, name)
        if found is not None:
            facts[name.removesuffix("_id")] = found
    return facts
