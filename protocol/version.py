"""The protocol's version, subprotocol names, frame sizes and close codes."""

from __future__ import annotations

from typing import Final

PROTOCOL_VERSION: Final = 2
"""The protocol version. A change that breaks clients that follow the documentation raises it."""

MSGPACK: Final = "doublecross.v1.msgpack"
JSON: Final = "doublecross.v1.json"
SUBPROTOCOLS: Final = (MSGPACK, JSON)
"""The websocket subprotocols, the server's preferred one first."""

DEFAULT_PORT: Final = 8765
"""The port on which a server listens for websockets by default."""

MAX_INBOUND_BYTES: Final = 8 * 1024
"""The largest frame that the server reads from a client."""

MAX_OUTBOUND_BYTES: Final = 1024 * 1024
"""The largest frame that the server sends; a full lobby or a long record comes near it."""


class CloseCode:
    """Websocket close codes that the protocol defines.

    A client must not reconnect by itself after REPLACED, REFUSED, ABUSE or REVOKED. After every
    other code it may.
    """

    REPLACED: Final = 4001
    """A newer connection took the place of this one: a person may have 16, a bot usually one."""
    REFUSED: Final = 4002
    """The client sent no valid hello in time (wrong version, bad token or name taken)."""
    ABUSE: Final = 4003
    """The client sent too many malformed or excess messages."""
    SILENT: Final = 4004
    """The client sent no message for longer than `silence_ms`."""
    REVOKED: Final = 4005
    """The token was revoked or has ended, or an admin has ended the connection."""
    NOT_UTF8: Final = 1007
    """A text message is not UTF-8."""
    RESTART: Final = 1012
    """The server is shutting down. Reconnect in a moment."""
