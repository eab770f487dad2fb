"""Codecs that turn messages into bytes and back, one for msgpack and one for JSON.

Theory of operation
-------------------
Both codecs have the same methods. `decode_request`, for the server, is strict: unknown fields,
wrong types, NaN, deep nesting and truncated bytes raise `DecodeError` with the error code to
answer, and no value is coerced. `decode_server`, for clients, skips unknown fields and returns
None for unknown types. `encode` takes a plain dict (the server builds these) or a model.

The server encodes an event once and sends the same bytes to everybody in the room. Only the
sender of the request gets a different copy: `with_id` splices the request's id into the bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol, get_args

import msgpack
from pydantic import ConfigDict, TypeAdapter, ValidationError

from doublecross.protocol.client_messages import ClientMessage
from doublecross.protocol.common import MAX_INT, WireModel
from doublecross.protocol.errors import DecodeError, ErrorCode
from doublecross.protocol.server_messages import Event, ServerMessage
from doublecross.protocol.text import refused_because
from doublecross.protocol.version import JSON, MSGPACK

_LATER: Final = ConfigDict(defer_build=True)
"""Build it when it is first used: servers decode only requests, and clients only answers."""
REQUESTS: Final[TypeAdapter[ClientMessage]] = TypeAdapter(ClientMessage, config=_LATER)
ANSWERS: Final[TypeAdapter[ServerMessage]] = TypeAdapter(ServerMessage, config=_LATER)


class Codec(Protocol):
    """Encode and decode messages for one subprotocol."""

    name: str
    """The name of the websocket subprotocol."""
    text: bool
    """True when the websocket frames are text frames; otherwise they are binary."""

    def encode(self, message: Mapping[str, Any] | WireModel) -> bytes:
        """Return the bytes of one frame with the message."""

    def with_id(self, frame: bytes, request_id: int) -> bytes:
        """Return the encoded message with the field `id` added."""

    def with_list(self, frame: bytes, key: str, items: Sequence[bytes]) -> bytes:
        """Return the encoded message with a field `key` added: a list of encoded `items`."""

    def with_part(self, frame: bytes, key: str, part: bytes) -> bytes:
        """Return the encoded message with a field `key` added: an encoded value."""

    def decode_request(self, data: bytes | str) -> ClientMessage:
        """Decode a client's request.

        Raises:
            DecodeError: the request is malformed or does not follow the protocol.
        """

    def decode_server(self, data: bytes | str) -> ServerMessage | None:
        """Decode a message of the server; return None when this client does not know its type.

        Raises:
            DecodeError: the message is malformed.
        """


class MsgpackCodec:
    """Encode messages as msgpack in binary frames; the default."""

    name: str = MSGPACK
    text: bool = False

    def __init__(self) -> None:
        self._packer = msgpack.Packer(autoreset=True)
        self._pack = self._packer.pack

    def encode(self, message: Mapping[str, Any] | WireModel) -> bytes:
        """Return the message as one msgpack map."""
        if isinstance(message, WireModel):
            message = message.model_dump(exclude_defaults=False)
        return self._pack(message)

    def with_id(self, frame: bytes, request_id: int) -> bytes:
        """Return the same map with the key `id` added.

        A fixmap begins with the byte 0x80 plus its number of keys, at most 15 (msgpack
        specification, map format family). If it has room for another key, this method raises that
        byte and appends the key, which is much faster than decoding. Larger maps are decoded and
        encoded again.
        """
        head = frame[0]
        if 0x80 <= head < 0x8F:
            packed_id = self._pack(request_id)
            return b"".join((_FIXMAP[head + 1], frame[1:], b"\xa2id", packed_id))
        return self.encode({**msgpack.unpackb(frame), "id": request_id})

    def with_list(self, frame: bytes, key: str, items: Sequence[bytes]) -> bytes:
        """Return the same map with the key `key` added.

        Raises:
            ValueError: the map has 15 keys already.
        """
        return self.with_part(
            frame, key, b"".join((self._packer.pack_array_header(len(items)), *items))
        )

    def with_part(self, frame: bytes, key: str, part: bytes) -> bytes:
        """Return the same map with the key `key` added.

        Raises:
            ValueError: the map has 15 keys already.
        """
        head = frame[0]
        if not 0x80 <= head < 0x8F:
            raise ValueError("the message has no room for another key")
        return b"".join((_FIXMAP[head + 1], frame[1:], self._pack(key), part))

    def decode_request(self, data: bytes | str) -> ClientMessage:
        """Decode a client's request from msgpack in a binary frame; see `Codec.decode_request`."""
        if isinstance(data, str):
            raise DecodeError(ErrorCode.BAD_MESSAGE, "This connection speaks msgpack, not text.")
        if len(data) <= SHORT_BYTES:
            # Nearly every message comes this way. The long way below finds the error of others.
            try:
                return _validate(
                    msgpack.unpackb(
                        data, use_list=False, strict_map_key=True, ext_hook=_no_extension
                    )
                )
            except Exception:  # noqa: BLE001, S110 - see above
                pass
        return _validate_request(_unpack(data))

    def decode_server(self, data: bytes | str) -> ServerMessage | None:
        """Decode a server's message from msgpack in a binary frame; see `Codec.decode_server`."""
        if isinstance(data, str):
            raise DecodeError(ErrorCode.BAD_MESSAGE, "This connection speaks msgpack, not text.")
        return _validate_answer(_unpack(data))


class JsonCodec:
    """Encode messages as JSON in text frames, for browsers, other languages and debugging."""

    name: str = JSON
    text: bool = True

    def __init__(self) -> None:
        self._encode = json.JSONEncoder(
            ensure_ascii=False, allow_nan=False, separators=(",", ":")
        ).encode

    def encode(self, message: Mapping[str, Any] | WireModel) -> bytes:
        """Return the message as one JSON object in UTF-8."""
        if isinstance(message, WireModel):
            message = message.model_dump()
        return self._encode(message).encode()

    def with_id(self, frame: bytes, request_id: int) -> bytes:
        """Return the same object with the member `id` added."""
        # The comma is valid because every message has at least its type.
        return b'%b,"id":%d}' % (frame[:-1], request_id)

    def with_list(self, frame: bytes, key: str, items: Sequence[bytes]) -> bytes:
        """Return the same object with the member `key` added."""
        return self.with_part(frame, key, b"[%b]" % b",".join(items))

    def with_part(self, frame: bytes, key: str, part: bytes) -> bytes:
        """Return the same object with the member `key` added."""
        return b'%b,"%b":%b}' % (frame[:-1], key.encode(), part)

    def decode_request(self, data: bytes | str) -> ClientMessage:
        """Decode a client's request from JSON in a text frame; see `Codec.decode_request`."""
        if isinstance(data, bytes):
            raise DecodeError(ErrorCode.BAD_MESSAGE, "This connection speaks JSON text, not bytes.")
        return _validate_request(_parse_json(data))

    def decode_server(self, data: bytes | str) -> ServerMessage | None:
        """Decode a server's message from JSON in a text frame; see `Codec.decode_server`."""
        if isinstance(data, bytes):
            raise DecodeError(ErrorCode.BAD_MESSAGE, "This connection speaks JSON text, not bytes.")
        return _validate_answer(_parse_json(data))


MAX_FIELDS: Final = 64
"""The most fields that a map of a request may have; valid requests have fewer."""
MAX_DEPTH: Final = 4
"""How deep maps in a request may be nested; valid requests are flatter."""
SHORT_BYTES: Final = 4 * MAX_FIELDS
"""A message of so many bytes has at most twice `MAX_FIELDS` fields. Only longer ones are counted
before they are decoded; the maps in all of them are checked afterwards."""

_FIXMAP: Final = [bytes((head,)) for head in range(256)]


def codec_for(subprotocol: str | None) -> Codec:
    """Return a codec for a negotiated subprotocol; None means the default."""
    return JsonCodec() if subprotocol == JSON else MsgpackCodec()


def _unpack(data: bytes) -> object:
    # Malicious headers are safe here: msgpack accepts no announced length beyond len(data), and
    # its C reader stops at 1,024 levels of nesting without recursion.
    try:
        return msgpack.unpackb(data, use_list=False, strict_map_key=True, ext_hook=_no_extension)
    except DecodeError:
        raise
    except Exception as error:  # noqa: BLE001 - msgpack raises a dozen kinds for malformed bytes
        raise DecodeError(
            ErrorCode.BAD_MESSAGE, f"These bytes are not a msgpack message ({_kind(error)})."
        ) from None


def _no_extension(code: int, data: bytes) -> object:
    raise DecodeError(ErrorCode.BAD_MESSAGE, "Messages must not use msgpack extension types.")


def _parse_json(text: str) -> object:
    try:
        return _tuples(json.loads(text, parse_constant=_no_constant), 0)
    except DecodeError:
        raise
    except (ValueError, RecursionError):
        # Which one deep nesting raises depends on the version of Python, so do not name it.
        raise DecodeError(ErrorCode.BAD_MESSAGE, "This text is not a JSON message.") from None


def _no_constant(name: str) -> object:
    raise DecodeError(ErrorCode.BAD_MESSAGE, f"Messages must not contain {name}.")


def _tuples(value: object, depth: int) -> object:
    """Return `value` with its lists as tuples, which the strict models require."""
    # This bounds the recursion for hostile input. Valid messages are much flatter.
    if depth > 32:
        raise DecodeError(ErrorCode.BAD_MESSAGE, "The message is nested too deeply.")
    if isinstance(value, list):
        return tuple(_tuples(item, depth + 1) for item in value)
    if isinstance(value, dict):
        return {key: _tuples(item, depth + 1) for key, item in value.items()}
    return value


def _kind(error: Exception) -> str:
    return type(error).__name__


def _validate(value: object) -> ClientMessage:
    # `TypeAdapter.validate_python` has an argument handling that would double the time.
    found: ClientMessage = REQUESTS.validator.validate_python(value)
    return found


def _validate_request(value: object) -> ClientMessage:
    # Most messages are short and contain no maps; they skip the check of nested maps.
    if type(value) is dict and (len(value) > MAX_FIELDS or dict in map(type, value.values())):
        _check_maps(value, value, 0)
    try:
        return _validate(value)
    except ValidationError as error:
        raise _decode_error(value, error) from None


def _check_maps(request: dict[Any, Any], found: dict[Any, Any], depth: int) -> None:
    """Refuse maps that are too large or too deep.

    Pydantic reports an error for every unknown field, which takes long for a huge map.
    """
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
    """Return a `room_state` without the missed events whose type this client does not know.

    Return None when `value` has no such events.
    """
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
    """Return the first validation error as one sentence, with the request's id if readable."""
    if not isinstance(value, dict):
        return DecodeError(ErrorCode.BAD_MESSAGE, "A message must be a map with a type and an id.")
    request_id = _request_id(value)
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] in ("union_tag_invalid", "union_tag_not_found") and not first["loc"]:
        kind = value.get("type")
        if isinstance(kind, str):
            return DecodeError(
                ErrorCode.UNKNOWN_TYPE, f"There is no message type {kind[:40]!r}.", request_id
            )
        return DecodeError(ErrorCode.BAD_MESSAGE, "The message has no type.", request_id)
    # The first part of the location is the type of the message, which the union adds.
    where = ".".join(str(part) for part in first["loc"][1:]) or "the message"
    # The peer chose the names of unknown fields. The sentence may be shown on a terminal, so it
    # must not contain their line breaks and escape sequences.
    shown = "".join(c if c.isprintable() else "?" for c in where[:80])
    why = refused_because(first["type"], first["msg"][:200])
    return DecodeError(ErrorCode.BAD_MESSAGE, f"Field {shown}: {why}.", request_id)


def _request_id(value: Mapping[Any, Any]) -> int | None:
    """Return the request's id, or None when it is not readable."""
    found = value.get("id")
    return found if type(found) is int and 0 <= found <= MAX_INT else None
