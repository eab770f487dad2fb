"""Check that any bytes decode with little work, to a valid message or to a `DecodeError`."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from doublecross.protocol import codec as codec_module
from doublecross.protocol.client_messages import ClientMessage
from doublecross.protocol.codec import MAX_FIELDS, Codec, JsonCodec, MsgpackCodec
from doublecross.protocol.documentation.schema import members
from doublecross.protocol.errors import DecodeError, ErrorCode
from doublecross.protocol.version import MAX_INBOUND_BYTES
from tests.protocol.strategies import wire_requests
from tests.protocol.test_roundtrip import CODECS, FEW, frame

JSON_CODEC, MSGPACK_CODEC = JsonCodec(), MsgpackCodec()
MANY = settings(FEW, max_examples=150)
REQUESTS = members(ClientMessage)


def check(codec: Codec, data: bytes | str) -> DecodeError | None:
    """Decode as server and as client; return the server's error, None for a valid request."""
    for codec_face in (codec.decode_server, codec.decode_request):
        try:
            message = codec_face(data)
        except DecodeError as error:
            refused: DecodeError | None = error
            check_error(error)
        else:
            refused = None
            if codec_face == codec.decode_request:
                assert type(message) in REQUESTS
    return refused


def check_error(error: DecodeError) -> None:
    """Check that both codecs can encode the answer, and that it is short and printable."""
    answer = {
        "type": "error",
        "id": error.request_id,
        "code": error.code.value,
        "message": error.sentence,
    }
    for codec in CODECS:
        codec.decode_server(frame(codec, codec.encode(answer)))
    assert len(error.sentence) <= 320
    assert error.sentence.isprintable()
    assert error.sentence.endswith(".")
    assert error.request_id is None or type(error.request_id) is int


# -- bytes -------------------------------------------------------------------------------------


@MANY
@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    check(MSGPACK_CODEC, data)
    check(JSON_CODEC, data.decode("utf-8", "surrogateescape"))
    check(JSON_CODEC, data.decode("latin-1"))


def test_a_refused_name_shows_no_regular_expression() -> None:
    request = b'{"type": "create_room", "id": 1, "key": "\xc3\xa9", "settings": {}}'
    refused = check(JSON_CODEC, request.decode())
    assert refused is not None
    assert refused.sentence == "Field key: It has characters that are not allowed there."


def test_a_refused_name_shows_no_words_of_the_library() -> None:
    request = '{"type": "hello", "id": 1, "protocol": 2, "kind": "human", "name": "Ann  Lee"}'
    refused = check(JSON_CODEC, request)
    assert refused is not None
    assert refused.sentence == (
        "Field name: the name has characters that look like others, or doubled spaces."
    )


@MANY
@given(wire_requests(), st.data())
def test_truncated_and_mutated_frames(message: dict[str, Any], data: st.DataObject) -> None:
    for codec in CODECS:
        whole = bytearray(codec.encode(message))
        cut = data.draw(st.integers(0, len(whole) - 1))
        refused = check(codec, frame(codec, bytes(whole[:cut])) if not codec.text else "")
        assert refused is not None
        for _ in range(data.draw(st.integers(1, 4))):
            place = data.draw(st.integers(0, len(whole) - 1))
            whole[place] = data.draw(st.integers(0, 255))
        text = bytes(whole).decode("utf-8", "replace")
        check(codec, text if codec.text else bytes(whole))


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=8)
    | st.binary(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=8) | st.binary(max_size=4), inner, max_size=4)
    ),
    max_leaves=10,
)


@MANY
@given(wire_requests(), st.data(), anything)
def test_any_value_in_any_field(message: dict[str, Any], data: st.DataObject, value: Any) -> None:
    name = data.draw(st.sampled_from(sorted(message)))
    check(MSGPACK_CODEC, msgpack.packb({**message, name: value}))


# -- wrong types -------------------------------------------------------------------------------

WRONG: dict[type, list[Any]] = {
    int: [True, False, 1.0, "1", None, [1], {"a": 1}, -(2**63), 2**64 - 1],
    str: [1, True, None, 1.5, ["a"], {"a": 1}],
    bool: [0, 1, "true", None, 1.0],
    dict: [[], "a", 1, None, True],
    tuple: [1, "ab", {"a": 1}, None, True],
}
NULLABLE = {
    *("seat", "code", "name", "token", "key", "engine", "expected"),
    *("before_ms", "before_id", "takebacks", "players"),
    *("exclusive", "game_id", "tie", "word"),
}


@settings(FEW, max_examples=200)
@given(wire_requests(), st.data())
def test_nothing_is_coerced(message: dict[str, Any], data: st.DataObject) -> None:
    fields = [name for name, value in message.items() if type(value) in WRONG]
    name = data.draw(st.sampled_from(sorted(fields)))
    wrong = data.draw(st.sampled_from(WRONG[type(message[name])]))
    if wrong is None and name in NULLABLE:
        return
    spoilt = {**message, name: wrong}
    if name == "type" and isinstance(wrong, str):
        return
    for codec in CODECS:
        refused = check(codec, frame(codec, codec.encode(spoilt)))
        assert refused is not None, spoilt
        assert refused.code is ErrorCode.BAD_MESSAGE
        assert refused.request_id == (None if name == "id" else message["id"])


@settings(FEW, max_examples=100)
@given(wire_requests(), st.data())
def test_missing_fields_are_refused(message: dict[str, Any], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(("id", "type")))
    spoilt = {key: value for key, value in message.items() if key != name}
    for codec in CODECS:
        refused = check(codec, frame(codec, codec.encode(spoilt)))
        assert refused is not None
        assert refused.code is ErrorCode.BAD_MESSAGE
        assert refused.request_id == (None if name == "id" else message["id"])


MOVE: dict[str, Any] = {
    "type": "move",
    "id": 7,
    "room": "r",
    "match": 1,
    "ply": 0,
    "action": 3,
}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_no_number_is_refused(value: float) -> None:
    refused = check(MSGPACK_CODEC, msgpack.packb({**MOVE, "expected": value}))
    assert refused is not None
    assert refused.request_id == 7
    assert check(JSON_CODEC, json.dumps({**MOVE, "expected": value})) is not None


def test_a_number_too_large_for_a_float_is_refused() -> None:
    text = json.dumps({**MOVE, "expected": 5}).replace("5", "1e999")
    refused = check(JSON_CODEC, text)
    assert refused is not None
    assert refused.request_id == 7


@pytest.mark.parametrize("digits", [16, 17, 100, 4000, 4300, 4301, 8000])
@pytest.mark.parametrize("name", ["id", "ply", "action", "expected"])
def test_huge_numbers_are_refused(digits: int, name: str) -> None:
    text = json.dumps({**MOVE, name: "@"}).replace('"@"', "9" * digits)
    assert check(JSON_CODEC, text) is not None


# -- what only one of the formats has ----------------------------------------------------------


def test_msgpack_has_no_extension_types() -> None:
    for value in (
        msgpack.ExtType(5, b"x"),
        msgpack.Timestamp(1, 2),
        {"type": msgpack.ExtType(1, b"")},
    ):
        assert check(MSGPACK_CODEC, msgpack.packb(value)) is not None
    refused = check(MSGPACK_CODEC, msgpack.packb({**MOVE, "ply": msgpack.Timestamp(1, 2)}))
    assert refused is not None
    # A timestamp whose nanoseconds are out of range.
    check(MSGPACK_CODEC, b"\xd7\xff\xff\xff\xff\xff\x00\x00\x00\x00")


@pytest.mark.parametrize("key", [1, None, True, 1.5, b"type", (1, 2)])
def test_keys_that_are_no_strings_are_refused(key: Any) -> None:
    assert check(MSGPACK_CODEC, msgpack.packb({**MOVE, key: 1})) is not None
    assert check(MSGPACK_CODEC, msgpack.packb({key: MOVE})) is not None


def test_the_last_of_repeated_keys_counts_in_both_codecs() -> None:
    text = '{"type":"ping","id":1,"id":2}'
    binary = b"\x83\xa4type\xa4ping\xa2id\x01\xa2id\x02"
    assert JSON_CODEC.decode_request(text) == MSGPACK_CODEC.decode_request(binary)
    assert JSON_CODEC.decode_request(text).id == 2


def test_more_than_one_message_in_a_frame_is_refused() -> None:
    ping = {"type": "ping", "id": 1}
    assert check(MSGPACK_CODEC, msgpack.packb(ping) * 2) is not None
    assert check(JSON_CODEC, json.dumps(ping) * 2) is not None


def test_invalid_utf8_is_refused() -> None:
    packed = msgpack.packb({**MOVE, "room": "@@@"}).replace(b"@@@", b"\xff\xfe\xed")
    assert check(MSGPACK_CODEC, packed) is not None
    surrogate = msgpack.packb({**MOVE, "room": "@@@"}).replace(b"@@@", b"\xed\xa0\x80")
    assert check(MSGPACK_CODEC, surrogate) is not None


@pytest.mark.parametrize(
    "text",
    [
        r'{"type":"\ud800","id":1}',
        r'{"type":"ping","id":1,"\ud800":2}',
        r'{"type":"hello","id":1,"protocol":2,"kind":"human","name":"\udfff"}',
        r'{"type":"crash","id":1,"room":"a","match":1,"ply":1,"message":"\ud800"}',
        r'{"type":"seek","id":1,"key":"k","settings":{"game":"\ud800"}}',
        r'{"type":"seek","id":1,"key":"k","settings":{"game":"g","params":{"\ud800":1}}}',
        r'{"type":"seek","id":1,"key":"k","settings":{"game":"g","\ud800":1}}',
        r'{"type":"ping\u0000\n\u001b[1m","id":1}',
        r'{"type":"ping","id":1,"\u001b[1m\n\u202e":2}',
    ],
)
def test_strings_that_cannot_be_sent_back(text: str) -> None:
    refused = check(JSON_CODEC, text)
    assert refused is not None
    assert refused.request_id == 1


@given(st.text(st.characters(), max_size=60), st.booleans())
@MANY
def test_unusual_names_of_types_and_fields_get_a_valid_answer(name: str, as_type: bool) -> None:
    """`st.characters()` has surrogates, control characters and the like."""
    message = {"type": name, "id": 1} if as_type else {"type": "ping", name: 5, "id": 1}
    check(JSON_CODEC, json.dumps(message))
    try:
        packed = msgpack.packb(message)
    except UnicodeEncodeError:
        return
    check(MSGPACK_CODEC, packed)


# -- how large and how deep --------------------------------------------------------------------

TOO_LARGE = "too many fields, or is nested too deeply"


def fields(count: int) -> dict[str, int]:
    return {f"f{i}": 1 for i in range(count)}


def nested(depth: int) -> dict[str, Any]:
    """Return `depth` nested maps."""
    return {"m": nested(depth - 1)} if depth > 1 else {}


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.name)
@pytest.mark.parametrize(
    ("request_", "too_large"),
    [
        ({"type": "ping", "id": 7, **fields(62)}, False),
        ({"type": "ping", "id": 7, **fields(63)}, True),
        ({"type": "ping", "id": 7, "x": fields(64)}, False),
        ({"type": "ping", "id": 7, "x": fields(65)}, True),
        ({"type": "ping", "id": 7, "x": {"y": fields(65)}}, True),
        ({"type": "ping", "id": 7, "x": nested(4)}, False),
        ({"type": "ping", "id": 7, "x": nested(5)}, True),
    ],
)
def test_the_fields_and_levels_of_maps_are_limited(
    codec: Codec, request_: dict[str, Any], too_large: bool
) -> None:
    """Maps within the limits are refused for their unknown fields, by name."""
    with pytest.raises(DecodeError) as refused:
        codec.decode_request(frame(codec, codec.encode(request_)))
    assert (TOO_LARGE in refused.value.sentence) == too_large
    assert refused.value.code is ErrorCode.BAD_MESSAGE
    assert refused.value.request_id == 7


# -- work --------------------------------------------------------------------------------------

HALF = MAX_INBOUND_BYTES // 2


def filled(head: str, unit: str, tail: str) -> str:
    """Return as many units as fit into a frame."""
    return head + unit * ((MAX_INBOUND_BYTES - len(head) - len(tail)) // len(unit)) + tail


def numbered(head: str, unit: str, tail: str) -> str:
    """Return as many numbered units, separated by commas, as fit into a frame."""
    parts: list[str] = []
    size = len(head) + len(tail)
    while size < MAX_INBOUND_BYTES - len(unit) - 5:
        parts.append(unit.replace("#", f"{len(parts):x}"))
        size += len(parts[-1]) + 1
    return head + ",".join(parts) + tail


SEEK = '{"type":"seek","id":1,"key":"k","settings":{"game":"g",'
JSON_BOMBS = {
    "lists": "[" * MAX_INBOUND_BYTES,
    "closed lists": "[" * HALF + "]" * HALF,
    "maps": filled("", '{"a":', ""),
    "lists in a field": '{"type":"ping","id":1,"x":' + "[" * 3000 + "]" * 3000 + "}",
    "unknown fields": numbered('{"type":"ping","id":1,', '"#":1', "}"),
    "unknown fields inside": numbered(SEEK, '"#":1', "}}"),
    "unknown fields deep inside": numbered(SEEK + '"time":{', '"#":1', "}}}"),
    "parameters": numbered(SEEK + '"params":{', '"#":1', "}}}"),
    "wrong parameters": numbered(SEEK + '"params":{', '"#":""', "}}}"),
    "opening": filled(SEEK + '"opening":[', "1,", "1]}}"),
    "wrong opening": filled(SEEK + '"opening":[', '"",', '""]}}'),
    "digits": filled('{"type":"ping","id":', "9", "}"),
    "fraction": filled('{"type":"ping","id":0.', "9", "}"),
    "spaces": filled("{", " ", '"type":"ping","id":1}'),
    "a long type": filled('{"id":1,"type":"', "\u2028", '"}'),
    "a long name": filled(
        '{"type":"hello","id":1,"protocol":2,"kind":"human","name":"', "a ", '"}'
    ),
    "escapes": filled('{"id":1,"type":"', "\\ud800", '"}'),
}
OPENING = {"type": "seek", "id": 1, "key": "k"}
MSGPACK_BOMBS = {
    "lists": b"\x91" * MAX_INBOUND_BYTES,
    "maps": b"\x81\xa1a" * (MAX_INBOUND_BYTES // 3),
    "maps that end": b"\x81\xa1a" * 1000 + b"\xc0",
    "maps in a request": msgpack.packb({"type": "ping", "id": 1, "x": 1})[:-1]
    + b"\x81\xa1a" * 900
    + b"\xc0",
    "a list said to be long": b"\xdd\xff\xff\xff\xff" + b"\xc0" * 100,
    "a map said to be long": b"\xdf\xff\xff\xff\xff" + b"\xa1a\xc0" * 100,
    "a string said to be long": b"\xdb\xff\xff\xff\xff" + b"a" * 100,
    "unknown fields": msgpack.packb(
        {"id": 1, "type": "ping", **{f"{i:x}": 0 for i in range(1600)}}
    ),
    "bytes as keys": msgpack.packb(
        {**OPENING, "settings": {"game": "g", **{b"%x" % i: 0 for i in range(1500)}}}
    ),
    "wrong opening": msgpack.packb(
        {**OPENING, "settings": {"game": "g", "opening": [None] * 8000}}
    ),
    "opening": msgpack.packb({**OPENING, "settings": {"game": "g", "opening": [1] * 8000}}),
}
BOMBS: list[tuple[str, Codec, bytes | str]] = [
    *((f"json {name}", JSON_CODEC, text) for name, text in JSON_BOMBS.items()),
    *((f"msgpack {name}", MSGPACK_CODEC, data) for name, data in MSGPACK_BOMBS.items()),
]


@pytest.mark.parametrize(
    ("codec", "data"), [bomb[1:] for bomb in BOMBS], ids=[bomb[0] for bomb in BOMBS]
)
def test_a_frame_of_the_largest_size_is_refused_with_little_work(
    codec: Codec, data: bytes | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Count the calls, and the faults that pydantic finds: one for each field would take long."""
    check(codec, data)
    faults, calls = 0, 0
    describe = codec_module._decode_error

    def counted(value: object, error: ValidationError) -> DecodeError:
        nonlocal faults
        faults += error.error_count()
        return describe(value, error)

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    monkeypatch.setattr(codec_module, "_decode_error", counted)
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        with contextlib.suppress(DecodeError):
            codec.decode_request(data)
    finally:
        sys.setprofile(before)
    assert 0 < calls <= 2 * len(data) + 100
    assert faults <= MAX_FIELDS
