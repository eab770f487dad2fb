"""Fast paths for websockets: incoming messages go straight to a function, frames are built once.

Theory of operation
-------------------
`websockets` puts incoming frames into a queue and wakes the task that waits in `recv`. For short
messages that costs more than handling them. The library passes each frame that it has parsed and
checked to `process_event`, so `PushConnection` overrides that method and passes whole messages to
its `sink`. `data_received` goes one step further: when the received bytes are exactly one short
binary frame, it unmasks them itself. Before the hello there is no sink, and the library's own code
runs.

For outgoing messages, `websockets.broadcast` builds the same frame again for each connection. A
server's frames are not masked and this server compresses nothing, so the bytes are the same for
every connection (RFC 6455, 5.1 and 5.2). `framed` builds them once, and `write` sends them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from websockets.asyncio.server import ServerConnection
from websockets.frames import BINARY, CONT, TEXT, Frame
from websockets.http11 import Request, Response
from websockets.protocol import CONNECTING, OPEN

try:
    from websockets.speedups import apply_mask
except ImportError:  # no C compiler where it was built
    from websockets.utils import apply_mask

Sink = Callable[[bytes | str], None]

MAX_FRAGMENTS: Final = 64
"""The most frames of one message. A message has 8 KiB at most, so more frames are abuse."""


class PushConnection(ServerConnection):
    """A websocket that passes each whole message to `sink` as soon as it arrives."""

    sink: Sink | None = None
    _parts: list[bytes] | None = None
    _text = False
    _owed = 0
    """Bytes that are missing from the current frame; 0 between frames, -1 when unknown."""

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
        if self.protocol.state is CONNECTING:
            self._owed = 0 if data.endswith(b"\r\n\r\n") else -1
        elif self._owed >= 0:
            self._owed = owed_after(data, self._owed)
        super().data_received(data)

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
        header = data[at : at + 10]
        if len(header) < 2 or not header[1] & 0x80:
            return -1
        payload = header[1] & 0x7F
        size = {126: 4, 127: 10}.get(payload, 2)
        if len(header) < size:
            return -1
        if size > 2:
            payload = int.from_bytes(header[2:size], "big")
        at += size + 4 + payload  # four bytes of masking key
    return at - length


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
