"""Carry an open websocket: short whole frames directly, everything else in turns.

Theory of operation
-------------------
`websockets` puts incoming frames into a queue and wakes the task that waits for them. For short
messages that costs more than handling them. So when the received bytes are exactly one short data
frame, `Wire` unmasks them and passes the message on in the same call.

Everything else waits for a turn, see `ReadingTurns`; meanwhile nothing more is read. In each turn
the wire handles `STEP_BYTES`. Several short frames in one read need no more than that. Fragments,
control frames, cut and long frames, and the closing handshake go to a `FrameParser`, which a wire
makes when it needs one, and drops when nothing is incomplete.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Final, Protocol

from websockets.protocol import OPEN

from doublecross.protocol.version import CloseCode
from doublecross.server.shell.wire.parsing import NOT_UTF8, FrameParser
from doublecross.server.shell.wire.turns import ReadingTurns
from doublecross.server.shell.wire.websocket import Receive

try:
    from websockets.speedups import apply_mask
except ImportError:  # the library was built without a C compiler
    from websockets.utils import apply_mask

STEP_BYTES: Final = 512
"""How many bytes of a connection are parsed before another connection has its turn."""
CLOSE_S: Final = 2.0
"""How long a client may take for its part of the closing handshake, in seconds."""


class Owner(Protocol):
    """The object that serves the wires of a server."""

    def admit_frame(self, peer: Any) -> bool:
        """Charge a peer for a control frame or a fragment; return whether it is within its rate."""
        ...

    def lost(self, peer: Any) -> None:
        """Forget a peer whose connection has ended."""
        ...


class Place(Protocol):
    """The object that counts the open connections of each source."""

    def leave(self, source: str) -> None:
        """Count one connection less of a source."""
        ...


class Wire(asyncio.Protocol):
    """An open websocket of this server; `WebSocket` documents its methods.

    It has left its `place`, and its owner has lost its peer, as soon as the connection has ended.
    """

    __slots__ = (
        "__weakref__",
        "_deadline",
        "_is_between",
        "_is_closing",
        "_is_paused",
        "_loop",
        "_owner",
        "_parser",
        "_peer",
        "_place",
        "_receive",
        "_rest",
        "_transport",
        "_turns",
        "ended_with",
        "is_open",
        "source",
        "subprotocol",
        "write",
    )

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        transport: asyncio.Transport,
        subprotocol: str,
        owner: Owner,
        reading_turns: ReadingTurns,
        place: Place,
        source: str,
    ) -> None:
        self.subprotocol = subprotocol
        self.source = source
        self.is_open = True
        self.ended_with = 0
        # The transport's own method, so that a message costs no further call.
        self.write: Callable[[bytes], None] = transport.write
        """Send a frame; while the connection is not open, do nothing."""
        self._transport = transport
        self._loop = loop
        self._turns = reading_turns
        self._owner = owner
        self._place = place
        self._receive: Receive = _ignore
        self._peer: Any = None
        """The peer at this connection."""
        self._is_between = True
        """True when the next byte begins a frame that may be handled at once."""
        self._parser: FrameParser | None = None
        self._rest = b""
        """Received bytes that wait for their turn. Meanwhile reading is paused."""
        self._is_closing = False
        """True once the server has ended the connection, so that messages are ignored."""
        self._is_paused = False
        """True between `pause` and `resume`: nothing may be read."""
        self._deadline: asyncio.TimerHandle | None = None

    # -- incoming ------------------------------------------------------------------------------

    def deliver_to(self, receive: Receive, peer: Any) -> None:
        """Call `receive(peer, message)` for each message from now on."""
        self._receive = receive
        self._peer = peer

    def data_received(self, data: bytes) -> None:
        """Handle received bytes; a single short data frame skips the library's parser."""
        if self._is_between:
            size = len(data)
            # The first byte is FIN and the opcode. The second is the mask bit (0x80) and the length
            # of the payload, which is `size` less two header and four key bytes: 0x7A + size.
            if 6 <= size < 132 and data[1] == 0x7A + size:
                if data[0] == 0x82:
                    self._receive(self._peer, apply_mask(data[6:], data[2:6]))
                    return
                if data[0] == 0x81:
                    self._receive_text(apply_mask(data[6:], data[2:6]))
                    return
            # The same with 126 in place of the length, which follows in two more bytes.
            elif (
                134 <= size <= STEP_BYTES
                and data[1] == 0xFE
                and data[0] in (0x81, 0x82)
                and (data[2] << 8) + data[3] == size - 8
            ):
                payload = apply_mask(data[8:], data[4:8])
                if data[0] == 0x81:
                    self._receive_text(payload)
                else:
                    self._receive(self._peer, payload)
                return
            self._is_between = False
        if not self._rest:
            self._hold()
        self._rest += data

    def _receive_text(self, payload: bytes) -> None:
        try:
            message = payload.decode()
        except UnicodeDecodeError:
            self.end(CloseCode.NOT_UTF8, NOT_UTF8)
        else:
            self._receive(self._peer, message)

    def pause(self) -> None:
        """Read nothing more until `resume`."""
        self._is_paused = True
        if not self._transport.is_closing():
            self._transport.pause_reading()

    def resume(self) -> None:
        """Read again."""
        self._is_paused = False
        if not self._rest and not self._transport.is_closing():
            self._transport.resume_reading()

    def _hold(self) -> None:
        """Stop reading until it is this connection's turn to parse what it has sent."""
        if not self._transport.is_closing():
            self._transport.pause_reading()
        self._turns.wait(self._loop, self._step)

    def _step(self) -> None:
        """Handle the first of the received bytes; leave the others for the next turn."""
        if not self._rest:
            return  # the connection was lost
        if self._parser is not None or not self._take_short_frames():
            step = STEP_BYTES
            data, self._rest = self._rest[:step], self._rest[step:]
            self._parse(self._parser or self._make_parser(), data)
        if self._rest:
            self._hold()
            return
        parser = self._parser
        # Nothing is incomplete any more, so the next short frame may skip the parser again.
        if parser is not None and parser.is_between:
            self._give_up(parser)
        self._is_between = self._parser is None
        if not self._is_paused and not self._transport.is_closing():
            self._transport.resume_reading()

    def _take_short_frames(self) -> bool:
        """Handle the short data frames at the start of the bytes; return whether there were any.

        A handler may end the connection. Further bytes are then left to the parser.
        """
        data, at = self._rest, 0
        try:
            while at < STEP_BYTES and self._parser is None and not self._is_closing:
                head = data[at : at + 6]
                if len(head) < 6 or head[0] not in (0x81, 0x82) or not 0x80 <= head[1] <= 0xFD:
                    break
                end = at + head[1] - 0x7A
                if end > len(data):
                    break
                payload, at = apply_mask(data[at + 6 : end], head[2:]), end
                if head[0] == 0x81:
                    self._receive_text(payload)
                else:
                    self._receive(self._peer, payload)
        finally:
            # Even if a handler has failed, because no message may be handled twice.
            self._rest = data[at:]
        return at > 0

    def _parse(self, parser: FrameParser, data: bytes) -> None:
        """Receive the messages in these bytes, then send the answers of the library."""
        for message in parser.messages(data):
            if self._is_closing:
                break
            self._receive(self._peer, message)
        if parser.is_abused:
            self.abort()
        self._flush()
        if parser.state is not OPEN:
            self._shut()

    def _make_parser(self) -> FrameParser:
        self._is_between = False
        self._parser = parser = FrameParser(self._admit)
        return parser

    def _admit(self) -> bool:
        return self._owner.admit_frame(self._peer)

    def _give_up(self, parser: FrameParser) -> None:
        self._parser = None
        parser.finish()

    # -- outgoing and the end ------------------------------------------------------------------

    def buffered(self) -> int:
        """Return the number of bytes that wait in the write buffer."""
        return self._transport.get_write_buffer_size()

    def close(self, code: int, reason: str) -> None:
        """Begin the closing handshake; a client that does not answer is disconnected."""
        parser = self._end()
        if parser is not None:
            parser.send_close(code, reason)
            self._flush()

    def end(self, code: int, reason: str) -> None:
        """Send a close frame, end the stream, and ignore everything else that arrives.

        A client that does not end its side within `CLOSE_S` seconds is disconnected.
        """
        parser = self._end()
        if parser is not None:
            parser.fail(code, reason)
            self._flush()

    def _end(self) -> FrameParser | None:
        """Return the parser with which to end the connection, or None if it has ended."""
        parser = self._parser or (self._make_parser() if self.is_open else None)
        if parser is None or parser.state is not OPEN or not self.is_open:
            return None
        self._is_closing = True
        self._shut()
        return parser

    def _shut(self) -> None:
        """Send no more messages, and end the connection when the client does not."""
        self._silence()
        # The first deadline counts, so that nobody puts the end off.
        if self._deadline is None:
            self._deadline = self._loop.call_later(CLOSE_S, self._transport.abort)

    def _silence(self) -> None:
        self.is_open = False
        self.write = _nothing

    def _flush(self) -> None:
        """Write what the library has to send, unless the connection is gone."""
        if self._parser is None:
            return
        transport = self._transport
        for data in self._parser.data_to_send():
            if transport.is_closing():
                return
            if data:
                transport.write(data)
            elif transport.can_write_eof():
                # uvloop raises RuntimeError when the connection ends at this moment.
                with contextlib.suppress(OSError, RuntimeError):
                    transport.write_eof()
            else:
                transport.close()  # TLS has no half-closed connections

    def abort(self) -> None:
        """End the connection at once, without a close frame."""
        self._is_closing = True
        self._silence()
        self._transport.abort()

    def eof_received(self) -> None:
        """Send no more messages; asyncio closes the connection, because this returns None.

        It closes when the client has read everything that was sent, within `CLOSE_S` seconds.
        """
        self._shut()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget all objects that refer back to this connection.

        Without circles its memory is freed at once, and not by a collection of garbage.
        """
        self._silence()
        self._rest = b""
        parser = self._parser
        if parser is not None:
            # Keep it, because whoever logs the end asks after the parser is gone.
            self.ended_with = parser.ended_with
            self._give_up(parser)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._receive = _ignore
        peer, self._peer = self._peer, None
        self._place.leave(self.source)
        self._owner.lost(peer)


def _nothing(frame: bytes, /) -> None:
    pass


def _ignore(peer: Any, message: bytes | str) -> None:
    pass
