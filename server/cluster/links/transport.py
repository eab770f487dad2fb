"""Carry the bytes between nats-py and a NATS server, and take messages out on their way.

nats-py does everything that happens once for each connection: it logs in, encrypts, subscribes and
answers pings. Its parser, queue and tasks would cost several times the CPU that a message itself
needs. So the hub reads and writes messages here: it writes whole `PUB` commands to the socket, and
every `MSG` that arrives goes to one function, in the callback of the event loop that read it. All
other lines go on to nats-py.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import Callable, Iterable
from typing import Final
from urllib.parse import ParseResult

import nats.aio.client
import nats.aio.transport

_END: Final = b"\r\n"
LONGEST_LINE: Final = 1 << 16
"""The most bytes of one line of the server; NATS itself keeps to 4,096, INFO excepted."""

CLOSE_S: Final = 1.0
"""How long a connection may take to close, in seconds."""

OnMessage = Callable[[bytes], None]
OnLost = Callable[[], None]


class NoNatsError(ConnectionError):
    """The server does not speak the protocol of NATS."""


class NotEncryptedError(ConnectionError):
    """The server does not encrypt although its URL says so."""


class Splitter:
    """Divide the bytes of a NATS server into messages and all other lines."""

    __slots__ = ("_needed", "_on_line", "_on_message", "_rest")

    def __init__(self, on_message: OnMessage, on_line: OnMessage) -> None:
        self._on_message = on_message
        self._on_line = on_line
        self._rest = bytearray()
        self._needed = 0

    def feed(self, data: bytes) -> None:
        """Pass on all complete messages and lines, and keep the rest.

        Raises:
            NoNatsError: a line is longer than any of NATS, or a message has no size.
        """
        if self._rest:
            self._rest += data
            if len(self._rest) < self._needed:
                return
            data = bytes(self._rest)
            self._rest.clear()
        at, size = 0, len(data)
        self._needed = 0
        while at < size:
            end = data.find(_END, at)
            if end < 0:
                if size - at > LONGEST_LINE:
                    raise NoNatsError("a line of the server is too long")
                break
            if not data.startswith(b"MSG ", at):
                self._on_line(data[at : end + 2])
                at = end + 2
                continue
            try:
                # MSG subject id [reply] size; what follows the last blank is the size.
                stop = end + 2 + int(data[data.rindex(b" ", at, end) : end])
            except ValueError as error:
                raise NoNatsError("a message of the server has no size") from error
            if size < stop + 2:
                self._needed = stop + 2 - at
                break
            self._on_message(data[end + 2 : stop])
            at = stop + 2
        if at < size:
            self._rest += data[at:]


class _Protocol(asyncio.StreamReaderProtocol):
    """Read a connection through a `Splitter`; lines that are no messages go to the reader."""

    def __init__(
        self, reader: asyncio.StreamReader, on_message: OnMessage, on_lost: OnLost
    ) -> None:
        super().__init__(reader)
        self._on_lost = on_lost
        self._splitter = Splitter(on_message, super().data_received)
        self._socket: asyncio.BaseTransport | None = None
        self.heard = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._socket = transport

    def data_received(self, data: bytes) -> None:
        self.heard = True
        try:
            self._splitter.feed(data)
        except NoNatsError as error:
            reader: asyncio.StreamReader = self._stream_reader  # type: ignore[attr-defined]
            reader.set_exception(error)
            assert isinstance(self._socket, asyncio.Transport)
            self._socket.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._on_lost()


class Transport(nats.aio.transport.Transport):
    """A connection by TCP, with or without TLS, that keeps messages from nats-py.

    With `must_encrypt` nothing, and so no password, is written before TLS.
    """

    def __init__(
        self, on_message: OnMessage, on_lost: OnLost, *, must_encrypt: bool = False
    ) -> None:
        self._must_encrypt = must_encrypt
        self._on_message = on_message
        self._on_lost = on_lost
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._protocol: _Protocol | None = None
        self._plain: asyncio.StreamWriter | None = None

    # -- for the hub ------------------------------------------------------------------------------

    def take_heard(self) -> bool:
        """Return whether the server has said something since the last call."""
        assert self._protocol is not None
        heard, self._protocol.heard = self._protocol.heard, False
        return heard

    @property
    def buffered(self) -> Callable[[], int]:
        """The function that returns how many bytes wait until the server takes them."""
        assert self._writer is not None
        return self._writer.transport.get_write_buffer_size

    @property
    def send(self) -> Callable[[bytes], None]:
        """The function that writes bytes to the socket."""
        assert self._writer is not None
        return self._writer.transport.write

    def abort(self) -> None:
        """Close the connection at once; bytes that wait to be written are lost."""
        if self._writer is not None:
            self._writer.transport.abort()

    # -- for nats-py ------------------------------------------------------------------------------

    async def connect(self, uri: ParseResult, buffer_size: int, connect_timeout: int) -> None:
        """Connect without TLS."""
        loop = asyncio.get_running_loop()
        host, port = uri.hostname, uri.port
        assert host is not None
        assert port is not None
        reader = asyncio.StreamReader(limit=max(buffer_size, LONGEST_LINE))
        async with asyncio.timeout(connect_timeout):
            socket, protocol = await loop.create_connection(
                lambda: _Protocol(reader, self._on_message, self._on_lost), host, port
            )
        self._use(socket, protocol, reader)

    async def connect_tls(
        self,
        uri: str | ParseResult,
        ssl_context: ssl.SSLContext,
        buffer_size: int,
        connect_timeout: int,
    ) -> None:
        """Encrypt the connection."""
        assert self._writer is not None
        loop = asyncio.get_running_loop()
        name = uri if isinstance(uri, str) else uri.hostname
        reader = asyncio.StreamReader(limit=max(buffer_size, LONGEST_LINE))
        protocol = _Protocol(reader, self._on_message, self._on_lost)
        # Keep the writer, because a writer that is collected as garbage closes its socket.
        self._plain, self._writer = self._writer, None
        try:
            async with asyncio.timeout(connect_timeout):
                socket = await loop.start_tls(
                    self._plain.transport, protocol, ssl_context, server_hostname=name
                )
            if socket is None:
                raise ConnectionResetError("the connection was lost while it was encrypted")
        except BaseException:
            self._plain.transport.abort()
            raise
        protocol.connection_made(socket)
        self._must_encrypt = False
        self._use(socket, protocol, reader)

    def _use(
        self, socket: asyncio.Transport, protocol: _Protocol, reader: asyncio.StreamReader
    ) -> None:
        loop = asyncio.get_running_loop()
        self._reader, self._protocol = reader, protocol
        self._writer = asyncio.StreamWriter(socket, protocol, reader, loop)

    def write(self, payload: bytes) -> None:
        """Write bytes to the socket."""
        assert self._writer is not None
        if self._must_encrypt:
            # nats-py encrypts only if the server asks for it.
            raise NotEncryptedError("the server does not encrypt")
        self._writer.write(payload)

    def writelines(self, payload: Iterable[bytes]) -> None:
        """Write pieces to the socket."""
        assert self._writer is not None
        self._writer.write(b"".join(payload))

    async def read(self, buffer_size: int) -> bytes:
        """Return bytes of whole lines that are no messages."""
        assert self._reader is not None
        return await self._reader.read(buffer_size)

    async def readline(self) -> bytes:
        """Return the next line that is no message."""
        assert self._reader is not None
        return await self._reader.readline()

    async def drain(self) -> None:
        """Wait until the socket takes more."""
        assert self._writer is not None
        await self._writer.drain()

    async def wait_closed(self) -> None:
        """Wait until the connection is closed, but not for long."""
        if self._writer is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_S):
                    await self._writer.wait_closed()

    def close(self) -> None:
        """Close the connection after what waits is written."""
        if self._writer is not None:
            self._writer.close()

    def at_eof(self) -> bool:
        """Return whether no line will come any more."""
        return self._reader is None or self._reader.at_eof()

    def __bool__(self) -> bool:
        return True  # otherwise nats-py would make a transport of its own


class Client(nats.aio.client.Client):
    """A NATS client on a given transport."""

    def __init__(self, transport: Transport) -> None:
        super().__init__()
        self._transport = transport
