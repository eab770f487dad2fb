"""Check the codecs at their limits: ids, sizes of maps, depths, and the texts of errors."""

from __future__ import annotations

import json

import msgpack
import pytest

from doublecross.protocol.codec import JSON, MSGPACK, Codec, codec_for
from doublecross.protocol.common import MAX_INT
from doublecross.protocol.errors import DecodeError, ErrorCode

CODECS = [codec_for(MSGPACK), codec_for(JSON)]


def frame_of(codec: Codec, value: object) -> bytes | str:
    return json.dumps(value) if codec.text else msgpack.packb(value)


def failure(codec: Codec, value: object) -> DecodeError:
    with pytest.raises(DecodeError) as error:
        codec.decode_request(frame_of(codec, value))
    return error.value


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (0, 0),
        (7, 7),
        (MAX_INT, MAX_INT),
        (MAX_INT + 1, None),
        (-1, None),
        (True, None),
        ("7", None),
    ],
)
def test_an_error_names_the_request_where_its_id_can_be_read(
    codec: Codec, sent: object, read: int | None
) -> None:
    for message in ({"type": "nonsense", "id": sent}, {"type": "move", "id": sent, "room": 5}):
        assert failure(codec, message).request_id == read


def test_text_may_nest_lists_32_deep() -> None:
    codec = codec_for(JSON)

    def nested(lists: int) -> str:
        return f'{{"type": "ping", "id": 1, "x": {"[" * lists}{"]" * lists}}}'

    for lists, deep in ((31, False), (32, False), (33, True)):
        with pytest.raises(DecodeError) as error:
            codec.decode_request(nested(lists))
        assert ("too deeply" in error.value.sentence) is deep


@pytest.mark.parametrize("codec", CODECS)
def test_errors_repeat_only_so_much_of_what_came(codec: Codec) -> None:
    unknown = failure(codec, {"type": "t" * 100, "id": 1})
    assert unknown.code is ErrorCode.UNKNOWN_TYPE
    assert ("t" * 40 in unknown.sentence, "t" * 41 in unknown.sentence) == (True, False)
    field = failure(codec, {"type": "ping", "id": 1, "f" * 100: 0})
    assert ("f" * 80 in field.sentence, "f" * 81 in field.sentence) == (True, False)
    assert field.sentence.startswith("Field f")
    control = failure(codec, {"type": "ping", "id": 1, "a\nb": 0})
    assert control.sentence.startswith("Field a?b: ")


@pytest.mark.parametrize("codec", CODECS)
def test_what_is_no_message_at_all(codec: Codec) -> None:
    for value in (5, "text", [1, 2], None):
        error = failure(codec, value)
        assert (error.code, error.request_id) == (ErrorCode.BAD_MESSAGE, None)
    for value in ({"id": 3}, {"id": 3, "type": 5}):
        error = failure(codec, value)
        assert (error.code, error.request_id) == (ErrorCode.BAD_MESSAGE, 3)
        assert error.sentence == "The message has no type."


def test_numbers_that_json_does_not_have_are_refused() -> None:
    for text in ("NaN", "Infinity", "-Infinity"):
        with pytest.raises(DecodeError, match=r"NaN|Infinity"):
            codec_for(JSON).decode_request(f'{{"type": "ping", "id": {text}}}')
    with pytest.raises(ValueError):
        codec_for(JSON).encode({"x": float("nan")})


@pytest.mark.parametrize("keys", range(15))
def test_an_id_joins_a_small_map_without_decoding_it(
    monkeypatch: pytest.MonkeyPatch, keys: int
) -> None:
    codec = codec_for(MSGPACK)
    message = {f"key{at}": at for at in range(keys)}
    frame = codec.encode(message)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    with monkeypatch.context() as patch:
        patch.setattr(msgpack, "unpackb", refuse)
        joined = codec.with_id(frame, 7)
    assert msgpack.unpackb(joined) == {**message, "id": 7}


def test_text_is_written_as_utf8() -> None:
    message = {"type": "pong", "who": "Zoë \U0001f600"}
    assert codec_for(JSON).encode(message) == '{"type":"pong","who":"Zoë \U0001f600"}'.encode()


@pytest.mark.parametrize(
    ("codec", "data", "sentence"),
    [
        (CODECS[0], "{}", "This connection speaks msgpack, not text."),
        (CODECS[1], b"{}", "This connection speaks JSON text, not bytes."),
        (CODECS[0], b"\xc1", "These bytes are not a msgpack message (FormatError)."),
        (CODECS[0], b"", "These bytes are not a msgpack message (ValueError)."),
        (CODECS[1], "{", "This text is not a JSON message."),
        (CODECS[1], "[" * 8000, "This text is not a JSON message."),
    ],
)
def test_sentences_say_what_is_wrong_with_a_frame(
    codec: Codec, data: bytes | str, sentence: str
) -> None:
    for decode in (codec.decode_request, codec.decode_server):
        with pytest.raises(DecodeError) as error:
            decode(data)
        assert (error.value.sentence, error.value.code) == (sentence, ErrorCode.BAD_MESSAGE)
        assert error.value.request_id is None


@pytest.mark.parametrize("codec", CODECS)
def test_an_error_names_the_field_by_its_place(codec: Codec) -> None:
    settings = {"game": "g", "time": {"base_ms": 1}}
    inner = failure(codec, {"type": "seek", "id": 1, "key": "k", "settings": settings})
    assert inner.sentence.startswith("Field settings.time.base_ms: ")
    missing = failure(codec, {"type": "join_room", "id": 1})
    assert missing.sentence == "Field room: Field required."
