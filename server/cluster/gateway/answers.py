"""Find out which request a frame answers, without decoding most frames."""

from __future__ import annotations

import json
from typing import Any, Final

import msgpack

_MSGPACK_KEY: Final = b"\xa2id"
_JSON_KEY: Final = b'"id":'
_LONG: Final = 126


def payload_of(frame: bytes) -> bytes:
    """Return the message in a whole unmasked websocket frame (RFC 6455, 5.2)."""
    length = frame[1]
    if length < _LONG:
        return frame[2:]
    return frame[4:] if length == _LONG else frame[10:]


def answered_by(payload: bytes, text: bool) -> int | None:
    """Return the id of the request that this message answers; None when it answers none.

    `text` says whether it is JSON. Otherwise it is msgpack.
    """
    if (_JSON_KEY if text else _MSGPACK_KEY) not in payload:
        return None
    message: Any = json.loads(payload) if text else msgpack.unpackb(payload)
    found = message.get("id")
    return found if type(found) is int else None
