"""Parse everything but single short frames, with the websockets library.

The library checks every rule of RFC 6455, but its objects take much memory, and a frame costs ten
times as much time. So a connection has these objects only while something is incomplete: a frame or
a message that is cut, bytes that wait for their turn, the closing handshake. Afterwards they are
dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from websockets.frames import BINARY, CLOSE, CONT, PING, PONG, TEXT, Frame
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from doublecross.protocol.version import MAX_INBOUND_BYTES, CloseCode
from doublecross.server.shell.wire.frames import MAX_FRAGMENTS, missing_after

NOT_UTF8: Final = "a text message is not UTF-8"
"""The reason with which a websocket ends, as RFC 6455 (8.1) demands."""


class FrameParser(ServerProtocol):
    """The library's protocol of one open websocket, which begins between two frames.

    The library answers pings by itself, and it accepts any number of them, of pongs and of
    fragments. So `admit` is asked first: it charges the peer for such a frame, and returns whether
    that is within its rate.
    """

    def __init__(self, admit: Callable[[], bool]) -> None:
        super().__init__(state=OPEN, max_size=MAX_INBOUND_BYTES)
        self._admit = admit
        self._parts: list[bytes] | None = None
        """The fragments of a message that is not whole yet."""
        self._is_text = False
        """True when that message is text."""
        self._owed = 0
        """How many bytes of the current frame have not arrived."""
        self._head = b""
        """The bytes of a frame whose header has not arrived."""
        self.is_abused = False
        """True when a message has more than `MAX_FRAGMENTS` frames."""

    def messages(self, data: bytes) -> list[bytes | str]:
        """Receive bytes, and return the messages that are whole now.

        The library's answers are in `data_to_send`.
        """
        if self.state is OPEN:
            # After the end of the websocket nothing is counted, because nobody asks `is_between`
            # then.
            self._owed, self._head = missing_after(data, self._owed, self._head)
        self.receive_data(data)
        found = []
        for event in self.events_received():
            # After the handshake the library has no other events.
            assert isinstance(event, Frame)
            try:
                message = self._message(event)
            except UnicodeDecodeError:
                if self.state is OPEN:
                    self.fail(CloseCode.NOT_UTF8, NOT_UTF8)
                break
            if message is not None:
                found.append(message)
        return found

    @property
    def is_between(self) -> bool:
        """True when nothing is incomplete, so that a new parser would read the same from here."""
        return not self._owed and not self._head and self._parts is None and self.state is OPEN

    @property
    def ended_with(self) -> int:
        """The close code with which the server has ended the connection; 0 when it has not."""
        if self.close_sent is None or self.close_rcvd_then_sent:
            return 0
        return self.close_sent.code

    def finish(self) -> None:
        """Break the circle between this object and its parser, so that its memory is freed."""
        self.parser.close()

    def recv_frame(self, frame: Frame) -> None:
        """Pass a frame to the library, which may answer it, unless the peer sends too many."""
        opcode = frame.opcode
        if opcode is PING or opcode is PONG:
            if not self._admit():
                return
        elif (opcode is CONT or (not frame.fin and opcode is not CLOSE)) and not self._admit():
            # The rest of the message would make no sense without this fragment.
            if self.state is OPEN:
                self.fail(CloseCode.ABUSE, "too many fragments")
            return
        super().recv_frame(frame)

    def _message(self, frame: Frame) -> bytes | str | None:
        """Return the message that ends with this frame, if one does."""
        opcode = frame.opcode
        if opcode is TEXT or opcode is BINARY:
            self._is_text = opcode is TEXT
        elif opcode is not CONT:
            return None
        data = bytes(frame.data)
        if self._parts is not None or not frame.fin:
            whole = self._joined(data, frame.fin)
            if whole is None:
                return None
            data = whole
        return data.decode() if self._is_text else data

    def _joined(self, data: bytes, fin: bool) -> bytes | None:
        """Return the message that ends with this fragment, or None when more fragments follow."""
        parts = self._parts = self._parts or []
        parts.append(data)
        if len(parts) > MAX_FRAGMENTS:
            self.is_abused = True
            return None
        if not fin:
            return None
        self._parts = None
        return b"".join(parts)
