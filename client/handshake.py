"""Open the websocket and exchange hello and welcome; describe each failure in one sentence."""

from __future__ import annotations

import asyncio
import socket
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    InvalidProxy,
    InvalidStatus,
    InvalidURI,
    NegotiationError,
)
from websockets.typing import Subprotocol

from doublecross.client.certificates import why_insecure
from doublecross.client.core.address import is_loopback
from doublecross.client.core.errors import ConnectionEnded, RequestRefused, Unreachable
from doublecross.client.core.resend import RETRIED
from doublecross.client.core.sentences import refusal_in, sentence_of
from doublecross.games.api.sentence import Sentence
from doublecross.protocol.client_messages import Hello
from doublecross.protocol.codec import Codec
from doublecross.protocol.errors import DecodeError
from doublecross.protocol.server_messages import Failed, Welcome
from doublecross.protocol.text import one_line
from doublecross.protocol.version import MAX_OUTBOUND_BYTES, CloseCode

CLOSE_S: Final = 2.0
"""How long the closing handshake of a websocket may take, in seconds."""

_ENDINGS: Final = {
    CloseCode.REPLACED: Sentence(
        "A newer connection of this player has taken the place of this one."
    ),
    CloseCode.REFUSED: Sentence("The server refused this client."),
    CloseCode.ABUSE: Sentence(
        "The server disconnected this client for too many or malformed messages."
    ),
    CloseCode.REVOKED: Sentence("The server has ended this login."),
}
"""The close codes after which a client does not reconnect, and the sentences for people."""


def why_ended(closed: ConnectionClosed, farewell: Sentence | None = None) -> ConnectionEnded | None:
    """Return why the connection is over for good, or None if the client may reconnect.

    `farewell` is the reason that the server has sent before it closed the connection.
    """
    if closed.rcvd is None or closed.rcvd.code not in _ENDINGS:
        return None
    code, reason = closed.rcvd.code, one_line(closed.rcvd.reason)
    if code not in (CloseCode.REFUSED, CloseCode.REVOKED):
        reason = ""
    return ConnectionEnded(farewell or reason or _ENDINGS[code], code)


async def open_socket(url: str, codec: Codec, timeout: float) -> ClientConnection:
    """Open a websocket to `url` with the subprotocol of `codec`, within `timeout` seconds.

    Raises:
        Unreachable: no server answers, or it does not speak this protocol.
    """
    try:
        ws = await connect(
            url,
            subprotocols=[Subprotocol(codec.name)],
            compression=None,
            open_timeout=timeout,
            close_timeout=CLOSE_S,
            ping_interval=None,  # the protocol has pings of its own, see `Connection`
            max_size=MAX_OUTBOUND_BYTES,
            proxy=None if is_loopback(url) else True,
        )
    except TimeoutError:
        raise Unreachable(
            "{url} does not answer (waited {seconds} s).", url, f"{timeout:g}"
        ) from None
    except ConnectionRefusedError:
        raise Unreachable("Nothing listens at {url}.", url) from None
    except socket.gaierror:
        raise Unreachable("The host of {url} is not known; check the address.", url) from None
    except (OSError, InvalidProxy) as error:
        sentence = why_insecure(error, url)
        raise Unreachable(
            sentence or Sentence("{url} cannot be reached: {error}.", url, error)
        ) from None
    except InvalidStatus as error:
        if error.response.status_code in _EXPLAINED:
            text = (error.response.body or b"").decode(errors="replace")
            try:
                sentence, _ = refusal_in(text)
            except ValueError:
                sentence = Sentence(one_line(text)[:200])
            raise Unreachable(
                sentence or Sentence("{url} accepts no more connections now.", url)
            ) from None
        raise Unreachable(
            "What answers at {url} is not a game server of this version (HTTP {status}).",
            url,
            error.response.status_code,
        ) from None
    except NegotiationError:
        raise Unreachable(_OTHER_VERSION, url, lasting=True) from None
    except (InvalidHandshake, InvalidMessage, InvalidURI, ConnectionClosed, EOFError, ValueError):
        raise Unreachable("What answers at {url} is not a websocket server.", url) from None
    if ws.subprotocol != codec.name:
        # A closing handshake could take long with a server of another kind.
        ws.transport.abort()
        raise Unreachable(_OTHER_VERSION, url, lasting=True)
    return ws


async def greet(
    ws: ClientConnection, url: str, codec: Codec, hello: Hello, timeout: float
) -> Welcome:
    """Send `hello` and return the welcome, within `timeout` seconds.

    Raises:
        RequestRefused: the server refused the hello.
        Unreachable: the server refused temporarily, or does not speak this protocol.
        ConnectionEnded: the server ended the connection for good.
    """
    try:
        async with asyncio.timeout(timeout):
            await ws.send(codec.encode(hello), text=codec.text)
            while True:
                message = codec.decode_server(await ws.recv())
                if isinstance(message, Welcome) and message.id == hello.id:
                    return message
                # An error without an id can only concern the hello, the only message so far.
                if isinstance(message, Failed) and message.id in (hello.id, None):
                    if message.code in RETRIED:
                        raise Unreachable(sentence_of(message))
                    raise RequestRefused(message.code, sentence_of(message))
    except TimeoutError:
        raise Unreachable(
            "{url} does not answer the hello (waited {seconds} s).", url, f"{timeout:g}"
        ) from None
    except DecodeError:
        raise Unreachable(_OTHER_VERSION, url, lasting=True) from None
    except ConnectionClosed as closed:
        ended = why_ended(closed)
        if ended is not None:
            raise ended from None
        raise Unreachable("{url} closed the connection.", url) from None


_EXPLAINED: Final = (426, 429, 503)
"""The HTTP statuses whose answers have a sentence: of a server that encrypts, of one that limits
connections from one address, and of a full one."""
_OTHER_VERSION: Final = Sentence(
    "What answers at {url} does not speak this version of the protocol; use a"
    " client and a server of the same version."
)
