"""Which protocol this is, and the two ways to write it on a websocket."""

from __future__ import annotations

from typing import Final

PROTOCOL_VERSION: Final = 1
"""Raised when a change would break a client that follows the documentation."""

MSGPACK: Final = "doublecross.v1.msgpack"
JSON: Final = "doublecross.v1.json"
SUBPROTOCOLS: Final = (MSGPACK, JSON)
"""In the order in which the server prefers them."""

DEFAULT_PORT: Final = 8765
"""Where a server listens for websockets if nothing else is said."""

MAX_INBOUND_BYTES: Final = 8 * 1024
"""Largest frame that the server reads from a client."""

MAX_OUTBOUND_BYTES: Final = 1024 * 1024
"""Largest frame that a client needs to accept from the server (a lobby, a long record)."""


class CloseCode:
    """Websocket close codes with a meaning of ours; a client does not reconnect after REPLACED,
    REFUSED or ABUSE, and does after everything else."""

    REPLACED: Final = 4001
    """The same player connected again elsewhere; that connection has taken over."""
    REFUSED: Final = 4002
    """No valid hello (wrong version, bad token, name taken) within its deadline."""
    ABUSE: Final = 4003
    """Too many malformed or excess messages."""
    SILENT: Final = 4004
    """Nothing was heard for longer than the deadline."""
    RESTART: Final = 1012
    """The server is going down; come back in a moment."""
