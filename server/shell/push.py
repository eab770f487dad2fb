"""Fast paths for websockets: incoming messages go straight to a function, frames are built once.

Theory of operation
-------------------
`websockets` puts incoming frames into a queue and wakes the task that waits in `recv`. For short
messages that costs more than handling them. The library passes each frame that it has parsed and
checked to `process_event`, so `PushConnection` overrides that method and passes whole messages to
its `sink`. `data_received` goes one step further: when the received bytes are exactly one short
binary frame, it unmasks them itself. Before the hello there is no sink, and the library's own code
runs.

A client can put thousands of frames into one write, and thousands of clients can connect at once.
So only a piece of the stream that is one short message is handled at once. All else waits for its
turn: handshakes, control frames, fragments and long writes of all connections together get about a
millisecond, then everything else gets a millisecond. Meanwhile nothing more is read from these
clients. The pause also lets the threads that store events have the interpreter.

The library answers pings by itself, and it accepts any number of them, of pongs and of fragments.
So `_admit` stands before the library's own `recv_frame` and asks `meter` whether the peer may send
another one.

For outgoing messages, `websockets.broadcast` builds the same frame again for each connection. A
server's frames are not masked and this server compresses nothing, so the bytes are the same for
every connection (RFC 6455, 5.1 and 5.2). `framed` builds them once, and `write` sends them.
"""

from __future__ import annotations

import time
from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Callable
from typing import Any, ClassVar, Final

from websockets.asyncio.server import ServerConnection
from websockets.frames import BINARY, CLOSE, CONT, PING, PONG, TEXT, Frame
from websockets.http11 import Request, Response
from websockets.protocol import CLOSED, CONNECTING, OPEN, Protocol

from protocol.version import CloseCode

try:
    from websockets.speedups import apply_mask
except ImportError:  # no C compiler where it was built
    from websockets.utils import apply_mask

Sink = Callable[[bytes | str], None]

MAX_FRAGMENTS: Final = 64
"""The most frames of one message. A message has 8 KiB at most, so more frames are abuse."""
MAX_EARLY: Final = 512
"""The most messages that may wait for the answer to the hello."""
CUT_OFF_S: Final = 2.0
"""How long a client that is cut off may take to end the connection, in seconds."""
STEP_BYTES: Final = 512
"""How many bytes of a connection are parsed before another connection has its turn."""
STEP_S: Final = 0.001
"""How long connections may parse until everybody else gets as much time, in seconds."""


class ReadingTurns:
    """Let connections parse their bytes one after the other, `STEP_S` at a time.

    Short messages need no turn, so floods of all other kinds together delay them by little.
    """

    def __init__(self) -> None:
        self._steps: deque[Callable[[], None]] = deque()
        self._is_due = False

    @property
    def waiting(self) -> int:
        """How many connections wait for their turn."""
        return len(self._steps)

    def wait(self, loop: AbstractEventLoop, step: Callable[[], None]) -> None:
        """Call `step` when it is its turn."""
        self._steps.append(step)
        if not self._is_due:
            self._is_due = True
            loop.call_soon(self._run, loop)

    def _run(self, loop: AbstractEventLoop) -> None:
        until = time.perf_counter() + STEP_S
        try:
            self._steps.popleft()()
            while self._steps and time.perf_counter() < until:
                self._steps.popleft()()
        finally:
            self._is_due = bool(self._steps)
            if self._is_due:
                loop.call_later(STEP_S, self._run, loop)


class PushConnection(ServerConnection):
    """A websocket that passes each whole message to `sink` as soon as it arrives."""

    turns: ClassVar[ReadingTurns]
    """The turns that all connections of a server share."""

    # Slots take less memory than entries of the library's dict, of which there are 30 already.
    __slots__ = ("_owed", "_owed_then", "_parts", "_rest", "_text", "meter", "sink")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sink: Sink | None = None
        self.meter: Callable[[], bool] | None = None
        """Charges the peer for a control frame or a fragment; returns whether that is within its
        rate. The connection's owner sets it as soon as the connection is open."""
        self._parts: list[bytes] | None = None
        self._text = False
        self._owed = 0
        """Bytes that are missing from the current frame; 0 between frames, -1 when unknown."""
        self._rest = b""
        """Received bytes that wait for their turn. Meanwhile reading is paused."""
        self._owed_then = 0
        """The value of `_owed` for that turn; meanwhile it is -1 and no frame overtakes."""
        self.protocol.recv_frame = self._admit  # type: ignore[method-assign]

    def data_received(self, data: bytes) -> None:
        """Handle received bytes; a single short binary frame skips the library's parser."""
        length = len(data)
        if (
            6 <= length < 132
            # FIN and binary; masked, and as long as the data after two header and four key bytes.
            and data[0] == 0x82
            and data[1] == 0x7A + length
            and self._owed == 0
            and self._parts is None
            and self.sink is not None
            and self.protocol.state is OPEN
        ):
            self.sink(apply_mask(data[6:], data[2:6]))
            return
        if not self._rest:
            if self.sink is not None and self._parts is None and self._is_message(data):
                super().data_received(data)
                return
            self._hold()
        elif not self.transport.is_closing():
            # The library has resumed reading, after its queue of early messages was read.
            self.transport.pause_reading()
        self._rest += data

    def _is_message(self, data: bytes) -> bool:
        """Return whether these bytes are one whole and rather short message, and nothing else."""
        return (
            self._owed == 0
            and len(data) <= STEP_BYTES
            and data[0] in (0x81, 0x82)  # FIN, and text or binary
            and _frame_length(data) == len(data)
        )

    def _hold(self) -> None:
        """Stop reading until it is this connection's turn to parse what it has sent."""
        self._owed_then, self._owed = self._owed, -1
        if not self.transport.is_closing():
            self.transport.pause_reading()
        self.turns.wait(self.loop, self._step)

    def _parse(self, data: bytes) -> None:
        """Give received bytes to the library's parser."""
        if self.protocol.state is CONNECTING:
            self._owed = 0 if data.endswith(b"\r\n\r\n") else -1
        elif self._owed >= 0:
            self._owed = owed_after(data, self._owed)
        super().data_received(data)

    def _step(self) -> None:
        """Parse the first of the received bytes; leave the others for the next turn."""
        self._owed = self._owed_then
        data, self._rest = self._rest, b""
        if self.protocol.state is CLOSED:
            return
        # A handshake ends with four bytes, which `_parse` must see at once.
        step = STEP_BYTES if len(data) >= STEP_BYTES + 4 else len(data)
        self._parse(data[:step])
        if len(data) > step:
            self._rest = data[step:]
            self._hold()
        # The library pauses reading too, while many messages wait for the answer to the hello.
        elif not self.transport.is_closing() and not self.recv_messages.paused:
            self.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the bytes that wait, and all that refers back to this connection.

        Without circles its memory is free at once, and not when cycles are collected.
        """
        self._rest = b""
        super().connection_lost(exc)
        self.sink = self.meter = None
        del self.protocol.recv_frame
        self.recv_messages.pause = self.recv_messages.resume = _nothing

    def _admit(self, frame: Frame) -> None:
        """Pass a frame to the library, which may answer it, unless the peer sends too many."""
        opcode = frame.opcode
        if opcode is PING or opcode is PONG:
            if self.meter is not None and not self.meter():
                return
        elif opcode is CONT or (not frame.fin and opcode is not CLOSE):
            if self.meter is not None and not self.meter():
                # The rest of the message would make no sense without this fragment.
                self.cut_off(CloseCode.ABUSE, "too many fragments")
                return
        elif self.sink is None and len(self.recv_messages.frames) >= MAX_EARLY:
            self.cut_off(CloseCode.ABUSE, "too many messages before the answer to the hello")
            return
        Protocol.recv_frame(self.protocol, frame)

    def cut_off(self, code: int, reason: str) -> None:
        """Send a close frame, end the stream, and ignore everything else that arrives.

        A client that does not end its side within `CUT_OFF_S` seconds is disconnected.
        """
        if self.protocol.state is OPEN:
            self.protocol.fail(code, reason)
            self.loop.call_soon(self._flush)
            self.loop.call_later(CUT_OFF_S, self.transport.abort)

    def _flush(self) -> None:
        """Write what the library has to send, unless the connection is gone."""
        if not self.transport.is_closing():
            self.send_data()

    def process_event(self, event: Frame | Request | Response) -> None:
        """Handle a frame or the opening handshake."""
        sink = self.sink
        if sink is None or not isinstance(event, Frame):
            super().process_event(event)
        elif event.opcode is BINARY or event.opcode is TEXT or event.opcode is CONT:
            if self.protocol.state is not OPEN:
                return  # the connection is being closed, so messages are ignored
            if event.opcode is not CONT:
                self._text = event.opcode is TEXT
            data = bytes(event.data)
            if not event.fin or self._parts is not None:
                whole = self._assemble(data, event.fin)
                if whole is None:
                    return
                data = whole
            sink(_text(data) if self._text else data)
        else:
            super().process_event(event)

    def _assemble(self, data: bytes, fin: bool) -> bytes | None:
        """Return the message that ends with this fragment, or None when more fragments follow."""
        parts = self._parts = self._parts or []
        parts.append(data)
        if len(parts) > MAX_FRAGMENTS:
            self.transport.abort()
            return None
        if not fin:
            return None
        self._parts = None
        return b"".join(parts)

    async def push_to(self, sink: Sink) -> None:
        """Pass all messages to `sink` until the connection is closed.

        Messages that wait in the library's queue come first.

        Raises:
            ConnectionClosed: the connection ended while the queue was read.
        """
        while self.recv_messages.frames:
            sink(await self.recv())
        self.sink = sink
        await self.wait_closed()


def owed_after(data: bytes, owed: int) -> int:
    """Return how many bytes are missing from the last frame in `data`.

    `owed` is how many were missing before. Returns -1 when a header is incomplete, or is not the
    masked one of a client.
    """
    at, length = owed, len(data)
    while at < length:
        frame = _frame_length(data[at : at + 10])
        if frame < 0:
            return -1
        at += frame
    return at - length


def _frame_length(header: bytes) -> int:
    """Return how long a client's frame is that begins with these bytes.

    Returns -1 when the header is incomplete or not masked.
    """
    if len(header) < 2 or not header[1] & 0x80:
        return -1
    payload = header[1] & 0x7F
    size = {126: 4, 127: 10}.get(payload, 2)
    if len(header) < size:
        return -1
    if size > 2:
        payload = int.from_bytes(header[2:size], "big")
    return size + 4 + payload  # four bytes of masking key


def _nothing() -> None:
    pass


def _text(data: bytes) -> bytes | str:
    """Decode UTF-8. Return other bytes as they are, because the codec refuses them."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


_SHORT: Final = {
    text: tuple(bytes((0x81 if text else 0x82, length)) for length in range(126))
    for text in (False, True)
}


def framed(payload: bytes, text: bool) -> bytes:
    """Return `payload` as one whole unmasked frame (RFC 6455, 5.2).

    FIN and opcode come first, then the length: in seven bits, or 126 and two bytes, or 127 and
    eight bytes.
    """
    length = len(payload)
    if length < 126:
        return _SHORT[text][length] + payload
    first = 0x81 if text else 0x82
    if length < 1 << 16:
        return bytes((first, 126)) + length.to_bytes(2, "big") + payload
    return bytes((first, 127)) + length.to_bytes(8, "big") + payload


def write(ws: ServerConnection, frame: bytes) -> None:
    """Send a frame from `framed`; do nothing when the connection is closing."""
    if ws.protocol.state is OPEN:
        ws.transport.write(frame)
