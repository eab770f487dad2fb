"""Connect to NATS, or say in one sentence for each server why that fails."""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import nats.aio.client
import nats.errors
import structlog

CONNECT_S: Final = 2
"""How long a NATS server may take for each step of connecting, in seconds."""
MOST_WAITING: Final = 16 << 20
"""The most bytes that wait for a NATS server. With more, the connection is dropped."""
PING_S: Final = 1
"""The time between two pings of the NATS server, in seconds; after three it counts as lost."""
NAME: Final = "doublecross"

_log = structlog.get_logger("links")


class ConnectError(Exception):
    """No NATS server can be used. The message tells the host why, and what to do."""


@dataclass(frozen=True, slots=True)
class Access:
    """The addresses of a cluster's NATS servers, and how to log in.

    A URL is `nats://host:port` or `tls://host:port`, with `user:password@` or `token@` before the
    host if necessary. `credentials` is a file as `nsc` writes it, with a JWT and a seed. `tls_ca`
    has the certificates to trust instead of the system's.
    """

    urls: tuple[str, ...] = field(repr=False)
    credentials: Path | None = None
    tls_ca: Path | None = None


class Client(nats.aio.client.Client):
    """nats-py's client for one connection, with a short way for the messages of one subject.

    It leaves a silent server at once, and never logs in without the encryption that a URL asks for.
    For this it replaces three methods of nats-py that are not documented.
    """

    def __init__(self, at: str) -> None:
        super().__init__()
        self.at = at
        self._direct = b""
        self._take: Callable[[bytes], None]
        self.failure: Exception | None = None
        """The last error."""

    async def note(self, error: Exception) -> None:
        """Note an error; log it unless it prevents the connection."""
        self.failure = error
        if self.is_connected:
            _log.warning("nats_error", at=self.at, error=str(error))

    async def listen(self, subject: str, take: Callable[[bytes], None]) -> None:
        """Let `take` have the messages of a subject at once; it must not raise."""
        self._direct, self._take = subject.encode(), take
        await self.subscribe(subject)

    def send(self, subject: str, payload: bytes) -> None:
        """Publish at once. Drop the connection if the server does not take `MOST_WAITING` bytes."""
        pipe = self._transport._io_writer.transport  # type: ignore[union-attr]
        pipe.write(b"PUB %b %d\r\n%b\r\n" % (subject.encode(), len(payload), payload))
        if pipe.get_write_buffer_size() > MOST_WAITING:
            _log.error("nats_too_slow", waiting=pipe.get_write_buffer_size())
            pipe.abort()

    async def stop(self) -> None:
        """Send what waits, as far as the server takes it soon, and close the connection."""
        with contextlib.suppress(nats.errors.Error, OSError):
            await self.flush(CONNECT_S)
        self.abort()
        await self.close()

    def abort(self) -> None:
        """Drop the connection, and what waits to be sent."""
        self._pending, self._pending_data_size = [], 0
        if self._transport:
            self._transport._io_writer.transport.abort()  # type: ignore[attr-defined]

    async def _process_msg(
        self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes
    ) -> None:
        # nats-py's queue and task for a message cost as much as all the rest.
        if subject == self._direct:
            self._take(data)
        else:
            await super()._process_msg(sid, subject, reply, data, headers)

    def _connect_command(self) -> bytes:
        # nats-py encrypts only if the server asks for it.
        assert self._current_server is not None
        uri = self._current_server.uri
        if uri.scheme == "tls" and not self._server_info.get("tls_required"):
            raise ConnectError(
                f"The NATS server at {uri.hostname}:{uri.port} does not encrypt. Give it a "
                "certificate, or begin its URL with nats:// in a network that you trust."
            )
        return super()._connect_command()

    async def _process_op_err(self, e: Exception) -> None:
        self.abort()  # nats-py would wait until a silent server has read everything
        await super()._process_op_err(e)


async def connect(access: Access, on_lost: Callable[[], Awaitable[None]] | None = None) -> Client:
    """Connect to the first server that can be used.

    `on_lost` is called when the connection is lost or closed. nats-py does not connect again,
    because it stops after some errors and keeps sockets and old addresses.

    Raises:
        ConnectError: no server can be used; the message has a sentence about each.
    """
    addresses = [_address(url) for url in access.urls or ("",)]
    files = _files(access)
    reasons = []
    for url, at in zip(access.urls, addresses, strict=True):
        client = Client(at)
        try:
            await client.connect(
                [url],
                name=NAME,
                error_cb=client.note,
                closed_cb=on_lost,
                allow_reconnect=False,
                # nats-py counts from zero, and takes 0 for "without end".
                max_reconnect_attempts=1,
                reconnect_time_wait=0,
                connect_timeout=CONNECT_S,
                ping_interval=PING_S,
                max_outstanding_pings=2,
                inbox_prefix=f"{NAME}.inbox",
                **files,
            )
            return client
        except BaseException as error:
            client.abort()
            if not isinstance(error, Exception):
                raise
            all_failed = isinstance(error, nats.errors.NoServersError)
            reasons.append(_sentence(client.failure if all_failed else error, at))
    raise ConnectError(" ".join(reasons))


def _address(url: str) -> str:
    """Return the host and port of a URL, without its password."""
    with contextlib.suppress(ValueError):
        parts = urlsplit(url)
        if parts.scheme in ("nats", "tls") and parts.hostname and parts.port != 0:
            return parts.netloc.rpartition("@")[2]
    raise ConnectError(
        "The URL of a NATS server is missing or wrong. Write it as nats://host:4222, or as "
        "tls://host:4222 for an encrypted connection."
    )


def _files(access: Access) -> dict[str, Any]:
    """Return the options of nats-py for the files, if they can be used."""
    options: dict[str, Any] = {}
    path: Path | None = None
    try:
        if (path := access.credentials) is not None:
            text = path.read_text(encoding="utf-8", errors="replace")
            if not ("BEGIN NATS USER JWT" in text and "BEGIN USER NKEY SEED" in text):
                raise ConnectError(
                    f"The file {path} has no NATS credentials. "
                    "Name one that `nsc generate creds` wrote."
                )
            options["user_credentials"] = str(path)
        if (path := access.tls_ca) is not None:
            options["tls"] = ssl.create_default_context(cafile=str(path))
    except ssl.SSLError as error:
        raise ConnectError(
            f"The file {path} has no certificates in the format PEM. Name the file of the "
            "authority that signed the certificate of the NATS server."
        ) from error
    except OSError as error:
        raise ConnectError(
            f"The file {path} for NATS cannot be read ({error.strerror}). "
            "Check its path and permissions."
        ) from error
    return options


_CLOSED: Final = "The NATS server at {at} closed the connection. Look into its log."
_NOT_NATS: Final = "What listens at {at} is no NATS server. Check the host and port of its URL."
_REFUSED: Final = (
    "The NATS server at {at} refuses the login. "
    "Check the user and password, the token, or the file of credentials."
)
_SENTENCES: Final = {
    socket.gaierror: "The host of the NATS server {at} is unknown. Check the name in its URL.",
    ssl.SSLCertVerificationError: "The certificate of the NATS server at {at} is not trusted "
    "({error.verify_message}). Name the authority that signed it.",
    ssl.SSLError: "The NATS server at {at} cannot be reached by TLS ({error.reason}). "
    "Check whether its URL must begin with nats:// instead of tls://.",
    ConnectionRefusedError: "No NATS server listens at {at}. Start it, or check its URL.",
    TimeoutError: "The NATS server at {at} does not answer within {wait_s} s. "
    "Check its URL, the firewall, and whether the server is overloaded.",
    ConnectionError: _CLOSED,
    nats.errors.UnexpectedEOF: _CLOSED,
    ImportError: "A file of NATS credentials needs the package nkeys. "
    "Install the extra cluster to have it.",
    ValueError: _NOT_NATS,
    AttributeError: _NOT_NATS,
}
"""What each class of error means. The first one that fits counts."""


def _sentence(error: Exception | None, at: str) -> str:
    """Return a sentence for the host: why the connection failed, and what to do."""
    text = str(error)
    if isinstance(error, ConnectError):
        return text
    sentence = next((said for kind, said in _SENTENCES.items() if isinstance(error, kind)), "")
    if "authorization" in text.lower():
        sentence = _REFUSED
    elif "INFO" in text or "info message" in text:
        sentence = _NOT_NATS
    if sentence:
        return sentence.format(at=at, error=error, wait_s=CONNECT_S)
    what = text.removeprefix("nats: ").strip("'") or type(error).__name__
    return f"The NATS server at {at} cannot be used: {what}. Look into its log."
