"""Connect to a NATS server, or say in one sentence why that fails."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import socket
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import nats.errors
import structlog

from doublecross.server.cluster.links.transport import (
    Client,
    NoNatsError,
    NotEncryptedError,
    OnLost,
    OnMessage,
    Transport,
)

CONNECT_S: Final = 2
"""How long a NATS server may take for each step of connecting, in seconds."""
PING_S: Final = 1
"""The time between two pings of the NATS server, in seconds."""
PORT: Final = 4222
NAME: Final = "doublecross"

_log = structlog.get_logger("links")


class ConnectError(Exception):
    """No NATS server can be used. The message tells the host why, and what to do."""


@dataclass(frozen=True, slots=True)
class Access:
    """The addresses of a cluster's NATS servers, and how to log in.

    A URL is `nats://host:port` or `tls://host:port`. It may contain `user:password@` or `token@`
    instead of the fields here.
    """

    urls: tuple[str, ...]
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)
    credentials: Path | None = None
    """A file as `nsc` writes it, with a JWT and a seed."""
    tls_ca: Path | None = None
    """The certificates to trust instead of the system's, for `tls://`."""


class Connection:
    """One connection to a NATS server, until it is lost."""

    def __init__(self, client: Client, transport: Transport, lost: asyncio.Event, at: str) -> None:
        self._client = client
        self._transport = transport
        self.lost = lost
        """Set when the connection is lost or closed."""
        self.at = at
        """The host and port of the server."""
        self.send = transport.send
        self.max_payload = client.max_payload
        """The most bytes of one message."""
        self.abort = transport.abort
        self.take_heard = transport.take_heard
        self.buffered = transport.buffered
        """Returns how many bytes wait until the server takes them."""

    async def close(self) -> None:
        """Write what waits, as far as the server takes it soon, and close the connection."""
        with contextlib.suppress(TimeoutError, nats.errors.Error, OSError):
            async with asyncio.timeout(CONNECT_S):
                await self._client.close()
        self._transport.abort()
        with contextlib.suppress(OSError):
            await self._transport.wait_closed()


async def connect(
    access: Access, subjects: tuple[str, ...], on_message: OnMessage, on_lost: OnLost
) -> Connection:
    """Connect to the first server that can be used, and subscribe to the subjects.

    `on_message` gets the payload of every message, in the callback that read it. `on_lost` is
    called once, when the connection is lost or closed.

    Raises:
        ConnectError: no server can be used; the message has a sentence about each.
    """
    if not access.urls:
        raise ConnectError(
            "No NATS server is named. Give the URL of one, such as nats://host:4222."
        )
    reasons = []
    for url in access.urls:
        at = _address(url)
        try:
            return await _connect(access, url, at, subjects, on_message, on_lost)
        except ConnectError as error:
            reasons.append(str(error))
    raise ConnectError(" ".join(reasons))


def _address(url: str) -> str:
    """Return the host and port of a URL, without its password.

    Raises:
        ConnectError: it is no URL of a NATS server.
    """
    advice = "Write it as nats://host:4222, or as tls://host:4222 for an encrypted connection."
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or PORT
    except ValueError as error:
        raise ConnectError(f"A URL of a NATS server is wrong ({error}). {advice}") from None
    if parts.scheme not in ("nats", "tls") or not host:
        raise ConnectError(f"The URL of a NATS server must begin with nats:// or tls://. {advice}")
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def _connect(
    access: Access,
    url: str,
    at: str,
    subjects: tuple[str, ...],
    on_message: OnMessage,
    on_lost: OnLost,
) -> Connection:
    lost = asyncio.Event()
    ready = False

    def note_lost() -> None:
        if not lost.is_set():
            lost.set()
            if ready:
                on_lost()

    transport = Transport(on_message, note_lost, must_encrypt=url.startswith("tls:"))
    client = Client(transport)
    errors: list[Exception] = []
    credentials = _check(access.credentials) if access.credentials else None

    async def note_error(error: Exception) -> None:
        errors.append(error)
        if ready:
            errors.clear()
            _log.warning("nats_error", at=at, error=str(error) or type(error).__name__)

    try:
        await client.connect(
            [url],
            name=NAME,
            error_cb=note_error,
            allow_reconnect=False,
            # nats-py counts from zero, and takes 0 for "without end".
            max_reconnect_attempts=1,
            reconnect_time_wait=0,
            connect_timeout=CONNECT_S,
            ping_interval=PING_S,
            # The hub notices a silent server by itself, even while writes wait (`Timing.deaf_s`).
            max_outstanding_pings=1 << 30,
            user=access.user,
            password=access.password,
            token=access.token,
            user_credentials=str(credentials) if credentials else None,
            tls=_trust(access.tls_ca) if access.tls_ca or url.startswith("tls:") else None,
        )
        for subject in subjects:
            await client.subscribe(subject)
        await client.flush(CONNECT_S)
    except Exception as error:
        transport.abort()
        # nats-py asserts that the connection has begun before it is closed.
        with contextlib.suppress(OSError, nats.errors.Error, AssertionError):
            await client.close()
        if isinstance(error, ConnectError):
            raise
        first = errors[0] if isinstance(error, nats.errors.NoServersError) and errors else error
        raise ConnectError(_sentence(first, at)) from error
    except BaseException:
        transport.abort()
        raise
    if lost.is_set():
        raise ConnectError(f"The NATS server at {at} closed the connection. Look into its log.")
    ready = True
    errors.clear()
    return Connection(client, transport, lost, at)


def _read(path: Path, what: str) -> Path:
    """Return the path of a file that can be read."""
    try:
        path.read_bytes()
    except OSError as error:
        raise ConnectError(
            f"The file of NATS {what} {path} cannot be read ({error.strerror}). "
            "Check its path and permissions."
        ) from error
    return path


def _check(path: Path) -> Path:
    """Return the path of a file with credentials, if nats-py can use it."""
    text = _read(path, "credentials").read_text(encoding="utf-8", errors="replace")
    if importlib.util.find_spec("nkeys") is None:
        raise ConnectError(
            "A file of NATS credentials needs the package nkeys. "
            "Install the extra cluster to have it."
        )
    if not ("BEGIN NATS USER JWT" in text and "BEGIN USER NKEY SEED" in text):
        raise ConnectError(
            f"The file {path} has no NATS credentials. Name one that `nsc generate creds` wrote."
        )
    return path


def _trust(ca: Path | None) -> ssl.SSLContext:
    """Return which certificates of servers to trust."""
    if ca is None:
        return ssl.create_default_context()
    try:
        return ssl.create_default_context(cafile=str(_read(ca, "certificates")))
    except ssl.SSLError as error:
        raise ConnectError(
            f"The file {ca} has no certificates in the format PEM. Name the file of the authority "
            "that signed the certificate of the NATS server."
        ) from error


def _sentence(error: BaseException, at: str) -> str:
    """Return a sentence for the host: why the connection failed, and what to do."""
    text = str(error)
    match error:
        case socket.gaierror():
            return f"The host of the NATS server {at} is unknown. Check the name in its URL."
        case ssl.SSLCertVerificationError():
            return (
                f"The certificate of the NATS server at {at} is not trusted "
                f"({error.verify_message}). Name the authority that signed it."
            )
        case ssl.SSLError():
            return (
                f"The NATS server at {at} cannot be reached by TLS ({error.reason}). "
                "Check whether its URL must begin with nats:// instead of tls://."
            )
        case ConnectionRefusedError():
            return f"No NATS server listens at {at}. Start it, or check its URL."
        case TimeoutError() | nats.errors.TimeoutError():
            return (
                f"The NATS server at {at} does not answer within {CONNECT_S} s. "
                "Check its URL, the firewall, and whether the server is overloaded."
            )
        case nats.errors.AuthorizationError():
            return _REFUSED.format(at=at)
        case NotEncryptedError():
            return (
                f"The NATS server at {at} does not encrypt. Give it a certificate, "
                "or begin its URL with nats:// in a network that you trust."
            )
        case NoNatsError():
            return _NOT_NATS.format(at=at)
        case nats.errors.Error() if "authorization" in text.lower():
            return _REFUSED.format(at=at)
        case nats.errors.Error() if "INFO" in text or "info message" in text:
            return _NOT_NATS.format(at=at)
        case ConnectionError() | nats.errors.UnexpectedEOF():
            return f"The NATS server at {at} closed the connection. Look into its log."
        case _:
            what = text.removeprefix("nats: ").strip("'") or type(error).__name__
            return f"The NATS server at {at} cannot be used: {what}. Look into its log."


_REFUSED: Final = (
    "The NATS server at {at} refuses the login. "
    "Check the user and password, the token, or the file of credentials."
)
_NOT_NATS: Final = "What listens at {at} is no NATS server. Check the host and port of its URL."
