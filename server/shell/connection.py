"""Serve connections: require a hello in time, then pass each message to its handler."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import structlog
from structlog.contextvars import bind_contextvars

from doublecross.protocol.client_messages import Hello
from doublecross.protocol.errors import DecodeError, ErrorCode
from doublecross.protocol.version import CloseCode
from doublecross.server.background import BackgroundTasks
from doublecross.server.core.errors import Refused
from doublecross.server.core.limits import Patience
from doublecross.server.shell.addresses.admission import Action
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.handlers.hello import Place, hello
from doublecross.server.shell.handlers.table import handlers_of
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.traffic import INTERNAL_ERROR, PeerTraffic
from doublecross.server.shell.wire.websocket import WebSocket, WebSocketEndedError

_log = structlog.get_logger("connection")

_MAX_HELLOS: Final = 20
"""Attempts that a connection has to send a valid hello."""
MAX_EARLY: Final = 512
"""The most messages that may wait for the answer to the hello."""
MANY: Final = 16
"""Nothing more is read from a connection while more messages than this wait."""
FEW: Final = 4
"""It is read again when only so many wait."""


class EarlyMessages:
    """The messages that wait until the hello is answered, oldest first."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._messages: deque[bytes | str] = deque()
        self._arrived: asyncio.Future[None] | None = None
        self._is_paused = False
        self.has_ended = False
        """True when the websocket has ended, so that no more messages come."""

    def put(self, _: Any, message: bytes | str) -> None:
        """Keep a message; end the websocket when there are too many."""
        # More may come after the pause, because bytes that were read before it are still parsed.
        if len(self._messages) >= MAX_EARLY:
            self._websocket.end(CloseCode.ABUSE, "too many messages before the answer to the hello")
            return
        self._messages.append(message)
        if len(self._messages) > MANY and not self._is_paused:
            self._is_paused = True
            self._websocket.pause()
        self._wake()

    def end(self) -> None:
        """Say that no more messages come."""
        self.has_ended = True
        self._wake()

    def _wake(self) -> None:
        # It may be done already, or the deadline of the hello has cancelled it.
        if self._arrived is not None and not self._arrived.done():
            self._arrived.set_result(None)

    async def get(self) -> bytes | str:
        """Return the next message, and wait for it if necessary.

        Raises:
            WebSocketEndedError: no more messages come.
        """
        while not self._messages:
            if self.has_ended:
                raise WebSocketEndedError
            self._arrived = asyncio.get_running_loop().create_future()
            await self._arrived
        return self._take()

    def rest(self) -> list[bytes | str]:
        """Return all messages that wait."""
        return [self._take() for _ in range(len(self._messages))]

    def _take(self) -> bytes | str:
        message = self._messages.popleft()
        if self._is_paused and len(self._messages) <= FEW:
            self._is_paused = False
            self._websocket.resume()
        return message


class Connections(PeerTraffic):
    """Serve all connections of one authority.

    `place` returns the HTTP address that a welcome gives to clients, and the version of the browser
    page there.
    """

    def __init__(
        self,
        authority: Authority,
        patience: Patience,
        place: Callable[[], tuple[str | None, str | None]] = lambda: (None, None),
    ) -> None:
        super().__init__(authority.config.limits, patience, handlers_of(authority))
        self.authority = authority
        self._place = place
        self._greetings = BackgroundTasks()
        self._turn = asyncio.Lock()
        """The turn of a hello."""
        self._early: dict[Peer, EarlyMessages] = {}
        """The messages of the peers whose hello is not answered yet."""

    def open(self, websocket: WebSocket, source: str, address: str) -> Peer:
        """Serve a websocket until it is lost; `source` and `address` say where it comes from."""
        self.opened += 1
        early = EarlyMessages(websocket)
        peer = Peer(
            websocket, self.limits, self._time(), self.opened, self.refusals, source, address
        )
        self.peers.add(peer)
        self._websockets += 1
        self._early[peer] = early
        websocket.deliver_to(early.put, peer)
        self._greetings.start(self._greet(peer, early))
        return peer

    async def _greet(self, peer: Peer, early: EarlyMessages) -> None:
        """Wait for the hello of a peer and answer it; then let its messages go to `_receive`."""
        # This task has a context of its own, so each line from it names the connection.
        bind_contextvars(connection=peer.number, address=peer.address)
        try:
            if await self._receive_hello(peer, early):
                assert peer.player is not None
                _log.info("joined", player=peer.name, kind=peer.player.kind, client=peer.client)
                # Nothing is awaited from here to `deliver_to`, so no message overtakes another.
                for data in early.rest():
                    self._receive(peer, data)
                if not early.has_ended:
                    # A websocket that has ended must not refer to its peer again, or only the
                    # garbage collector would free the two.
                    peer.websocket.deliver_to(self._receive, peer)
            else:
                self._close(peer, CloseCode.REFUSED)
        except WebSocketEndedError:
            # The client has gone, and the lines below forget it.
            pass
        except Exception:  # noqa: BLE001 - a bug here must not stop the server
            _log.exception("connection_failed")
            peer.websocket.close(1011, "")
        finally:
            del self._early[peer]
            # `lost` left this to the end of the hello, which may have let the player in meanwhile.
            if early.has_ended:
                self._leave(peer)

    def _place_of(self, peer: Peer) -> Place:
        """Return what the welcome of a peer says of its place."""
        return Place(*self._place(), round(self._patience.silence_s * 1000))

    def _joined(self, peer: Peer) -> None:
        """Handle that a player was welcomed, before it is sent anything else.

        Subclasses may override this.
        """

    def lost(self, peer: Peer) -> None:
        """Forget a peer whose websocket has ended, as soon as its hello is dealt with."""
        early = self._early.get(peer)
        if early is None:
            self._leave(peer)
        else:
            early.end()
        self._websocket_lost()

    def _leave(self, peer: Peer) -> None:
        """Take a peer that is gone out of everything."""
        # `Authority.arrive` has done it already for a peer that was replaced.
        if not peer.replaced:
            self.authority.depart(peer)
        self._note_left(peer)

    async def _receive_hello(self, peer: Peer, early: EarlyMessages) -> bool:
        """Wait for a valid hello; return whether it came in time.

        After a refused hello the peer may send another, with a different name for example, until
        the deadline.

        Raises:
            WebSocketEndedError: the connection has ended.
        """
        deadline = self._time() + self._patience.hello_s
        for _ in range(_MAX_HELLOS):
            try:
                # The answer to the hello has no deadline here, because it may wait for the storage.
                async with asyncio.timeout_at(deadline):
                    data = await early.get()
            except TimeoutError:
                return False
            async with self._turn:
                await asyncio.sleep(0)  # so that each turn of the loop begins one login
            peer.last_message_s = self._time()
            place = self._place_of(peer)
            try:
                message = peer.codec.decode_request(data)
            except DecodeError as error:
                peer.refuse(error.request_id, error.code, error.sentence)
                continue
            if not isinstance(message, Hello):
                peer.refuse(message.id, ErrorCode.HELLO_FIRST, "The first message must be a hello.")
                continue
            try:
                self.authority.availability.check_open()
                # Before the database is asked, because logins must not flood it.
                self.authority.admission.check(peer.source, Action.LOGIN)
                self.authority.accounts.bans.check_address(peer.address)
                joined = partial(self._joined, peer)
                surplus = await hello(self.authority, peer, message, place, joined)
            except Refused as refused:
                peer.refuse(message.id, refused.code, refused.sentence)
                # The next hello of this client would have the same version.
                if refused.code is ErrorCode.UNSUPPORTED_VERSION:
                    return False
                continue
            except Exception:  # noqa: BLE001 - a bug here must not stop the server
                _log.exception("hello_failed")
                peer.refuse(message.id, ErrorCode.INTERNAL, INTERNAL_ERROR)
                return False
            for old in surplus:
                self._close(old, CloseCode.REPLACED)
            return True
        return False

    async def all_left(self) -> None:
        """Wait until the hellos of connections that were lost are dealt with."""
        await self._greetings.ended()
