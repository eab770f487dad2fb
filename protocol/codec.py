"""Bytes to messages and back, once for msgpack and once for JSON.

Theory of operation
-------------------
Both codecs have the same three faces. `decode_request` (the server's side) is strict: unknown
fields, wrong types, NaN, deep nesting and truncated bytes raise `DecodeError` with the code to
answer, and nothing is coerced. `decode_server` (the client's side) skips unknown fields and gives
None for unknown types. `encode` writes a message that is already a plain dict (the server builds
those) or a model. An event is encoded once and sent to everybody; `with_id` splices the request's
id into those bytes for the one who asked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, get_args

import msgpack
from pydantic import TypeAdapter, ValidationError

from protocol.client_messages import ClientMessage
from protocol.common import MAX_INT, WireModel
from protocol.errors import DecodeError, ErrorCode
from protocol.server_messages import Event, ServerMessage
from protocol.version import JSON, MSGPACK

REQUESTS: Final[TypeAdapter[ClientMessage]] = TypeAdapter(ClientMessage)
ANSWERS: Final[TypeAdapter[ServerMessage]] = TypeAdapter(ServerMessage)


class Codec(Protocol):
    """One way to write messages; `text` says whether its websocket frames are text."""

    name: str
    text: bool

    def encode(self, message: Mapping[str, Any] | WireModel) -> bytes:
        """The message as the bytes of one frame."""

    def with_id(self, frame: bytes, request_id: int) -> bytes:
        """The same message with the field `id` added."""

    def decode_request(self, data: bytes | str) -> ClientMessage:
        """A request from a client.

        Raises:
            DecodeError: whatever is wrong with it.
        """

    def decode_server(self, data: bytes | str) -> ServerMessage | None:
        """A message from the server, None when its type is unknown to this client.

        Raises:
            DecodeError: it is malformed.
        """


class MsgpackCodec:
    """msgpack in binary frames; the default."""

    name: str = MSGPACK
    text: bool = False

    def __init__(self) -> None:
        self._pack = msgpack.Packer(autoreset=True).pack

    def encode(self, message: Mapping[str, Any] | WireModel) -> bytes:
        """The message as one msgpack map."""
        if isinstance(message, WireModel):
            message = message.model_dump(exclude_defaults=False)
        return self._pack(message)

    def with_id(self, frame: bytes, request_id: int) -> bytes:
        """The same map with one more key; a fixmap (up to 14 keys) is spliced, not read.

        The first byte of a fixmap is 0x80 plus its number of keys (msgpack specification, map
        format family).
        """
        head = frame[0]
        if 0x80 <= head < 0x8F:
            packed_id = self._pack(request_id)
            return b"".join((_FIXMAP[head + 1], frame[1:], b"\xa2id", packed_id))
        return self.encode({**msgpack.unpackb(frame), "id": request_id})

    def decode_request(self, data: bytes | str) -> ClientMessage:
        """See `Codec`."""
        if isinstance(data, str):
            raise DecodeError(ErrorCode.BAD_MESSAGE, "This connection speaks msgpack, not text.")
        return _validate_request(_unpack(data))

    def decode_server(self, data: bytes | str) -> ServerMessage | None:
        """See `Codec`."""
        if isinstance(data, str):
            raise DecodeError(ErrorCode.BAD_MESSAGE, "This connection speaks msgpack, not text.")
        return _validate_answer(_unpack(data))


class JsonCodec:
    """JSON in text frames, for browsers, other languages and reading along."""

    name: str = JSON
    text: bool = True

    def __init__(self) -> None:
        self._encode = json.JSONEncoder(
            ensure_ascii=False, allow_nan=False, separators=(",", ":")
        ).encode

    def encode(self, message: Mapping[str, Any] | WireModel) -> bytes:
        """The message as one JSON object in UTF-8."""
        if isinstance(message, WireModel):
            message = message.model_dump()
        return self._encode(message).encode()

    def with_id(self, frame: bytes, request_id: int) -> bytes:
        """The same object with one more member (no message of ours is empty)."""
        return b'%b,"id":%d}' % (frame[:-1], request_id)

    def decode_request(self, data: bytes | str) -> ClientMessage:
        """See `Codec`."""
        if isinstance(data, bytes):
            raise DecodeError(ErrorCode.BAD_MESSAGE, "This connection speaks JSON text, not bytes.")
        return _validate_request(_parse_json(data))

    def decode_server(self, data: bytes | str) -> ServerMessage | None:
        """See `Codec`."""
        if isinstance(data, bytes):
            raise DecodeError(ErrorCode.BAD_MESSAGE, "This connection speaks JSON text, not bytes.")
        return _validate_answer(_parse_json(data))


MAX_FIELDS: Final = 64
"""More fields than any request or part of one has."""
MAX_DEPTH: Final = 4
"""Deeper than maps stand in maps in any request."""

_FIXMAP: Final = [bytes((head,)) for head in range(256)]


def codec_for(subprotocol: str | None) -> Codec:
    """A codec for a negotiated subprotocol; None means the default."""
    return JsonCodec() if subprotocol == JSON else MsgpackCodec()


def _unpack(data: bytes) -> object:
    # The lengths that a header may announce are bounded by len(data) inside msgpack, and its C
    # reader stops at a nesting of 1,024 without recursion.
    try:
        return msgpack.unpackb(data, use_list=False, strict_map_key=True, ext_hook=_no_extension)
    except DecodeError:
        raise
    except Exception as error:  # noqa: BLE001 - msgpack raises a dozen kinds for malformed bytes
        raise DecodeError(
            ErrorCode.BAD_MESSAGE, f"These bytes are no msgpack message ({_kind(error)})."
        ) from None


def _no_extension(code: int, data: bytes) -> object:
    raise DecodeError(ErrorCode.BAD_MESSAGE, "Messages have no msgpack extension types.")


def _parse_json(text: str) -> object:
    try:
        return _tuples(json.loads(text, parse_constant=_no_constant), 0)
    except DecodeError:
        raise
    except (ValueError, RecursionError) as error:
        raise DecodeError(
            ErrorCode.BAD_MESSAGE, f"This text is no JSON message ({_kind(error)})."
        ) from None


def _no_constant(name: str) -> object:
    raise DecodeError(ErrorCode.BAD_MESSAGE, f"{name} is no number of a message.")


def _tuples(value: object, depth: int) -> object:
    """`value` with its lists as tuples, as the models want them."""
    if depth > 32:
        raise DecodeError(ErrorCode.BAD_MESSAGE, "The message is nested too deeply.")
    if isinstance(value, list):
        return tuple(_tuples(item, depth + 1) for item in value)
    if isinstance(value, dict):
        return {key: _tuples(item, depth + 1) for key, item in value.items()}
    return value


def _kind(error: Exception) -> str:
    return type(error).__name__


_validate: Final[Callable[[object], ClientMessage]] = REQUESTS.validator.validate_python
"""`TypeAdapter.validate_python` without its handling of arguments, which costs as much again."""


def _validate_request(value: object) -> ClientMessage:
    # Most messages are flat and short: those need no walk through their parts.
    if type(value) is dict and (len(value) > MAX_FIELDS or dict in map(type, value.values())):
        _check_maps(value, value, 0)
    try:
        return _validate(value)
    except ValidationError as error:
        raise _decode_error(value, error) from None


def _check_maps(request: dict[Any, Any], found: dict[Any, Any], depth: int) -> None:
    """Refuse maps that are too large or deep before pydantic reports every field of them."""
    if len(found) > MAX_FIELDS or depth > MAX_DEPTH:
        raise DecodeError(
            ErrorCode.BAD_MESSAGE,
            "The message has too many fields, or is nested too deeply.",
            _request_id(request),
        )
    for part in found.values():
        if type(part) is dict:
            _check_maps(request, part, depth + 1)


def _validate_answer(value: object) -> ServerMessage | None:
    try:
        return ANSWERS.validate_python(value, extra="ignore")
    except ValidationError as error:
        decode_error = _decode_error(value, error)
        if decode_error.code is ErrorCode.UNKNOWN_TYPE:
            return None
        known = _without_unknown_events(value)
        if known is not None:
            return _validate_answer(known)
        raise decode_error from None


_EVENT_TYPES: Final = frozenset(
    get_args(kind.model_fields["type"].annotation)[0] for kind in get_args(get_args(Event)[0])
)


def _without_unknown_events(value: object) -> object | None:
    """A `room_state` without those missed events that this client does not know; None when there
    are none of them."""
    if not isinstance(value, dict) or not isinstance(events := value.get("events"), tuple):
        return None
    known = tuple(
        event
        for event in events
        if not isinstance(event, dict)
        or not isinstance(kind := event.get("type"), str)
        or kind in _EVENT_TYPES
    )
    return None if len(known) == len(events) else {**value, "events": known}


def _decode_error(value: object, error: ValidationError) -> DecodeError:
    """The validation error as one sentence, with the request's id where it can be read."""
    if not isinstance(value, dict):
        return DecodeError(ErrorCode.BAD_MESSAGE, "A message is a map with a type and an id.")
    request_id = _request_id(value)
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] in ("union_tag_invalid", "union_tag_not_found") and not first["loc"]:
        kind = value.get("type")
        if isinstance(kind, str):
            return DecodeError(
                ErrorCode.UNKNOWN_TYPE, f"There is no message type {kind[:40]!r}.", request_id
            )
        return DecodeError(ErrorCode.BAD_MESSAGE, "The message has no type.", request_id)
    where = ".".join(str(part) for part in first["loc"][1:]) or "the message"
    # Names of fields are the peer's: no line breaks and escape sequences of it in our sentence.
    shown = "".join(c if c.isprintable() else "?" for c in where[:80])
    return DecodeError(ErrorCode.BAD_MESSAGE, f"Field {shown}: {first['msg'][:200]}.", request_id)


def _request_id(value: Mapping[Any, Any]) -> int | None:
    """The request's id, where it can be read."""
    found = value.get("id")
    return found if type(found) is int and 0 <= found <= MAX_INT else None
