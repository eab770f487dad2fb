"""Check that both codecs encode and decode every message with the same result."""

from __future__ import annotations

import json
from typing import Any

import msgpack
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doublecross.protocol.client_messages import ClientMessage
from doublecross.protocol.codec import Codec, JsonCodec, MsgpackCodec, codec_for
from doublecross.protocol.common import MAX_INT, WireModel
from doublecross.protocol.documentation.schema import members
from doublecross.protocol.server_messages import ServerMessage
from doublecross.protocol.version import JSON, MSGPACK
from tests.protocol.strategies import answers, requests, wire_answers, wire_requests

CODECS: tuple[Codec, ...] = (JsonCodec(), MsgpackCodec())
FEW = settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def frame(codec: Codec, data: bytes) -> bytes | str:
    """Return the bytes in the form in which the websocket delivers them."""
    return data.decode() if codec.text else data


@pytest.mark.parametrize("model", members(ClientMessage), ids=lambda model: model.__name__)
def test_requests_survive_both_codecs(model: type[WireModel]) -> None:
    @FEW
    @given(requests(model))
    def survives(message: WireModel) -> None:
        assert type(message) is model
        for codec in CODECS:
            assert codec.decode_request(frame(codec, codec.encode(message))) == message

    survives()


@pytest.mark.parametrize("model", members(ServerMessage), ids=lambda model: model.__name__)
def test_answers_survive_both_codecs(model: type[WireModel]) -> None:
    @FEW
    @given(answers(model))
    def survives(message: WireModel) -> None:
        assert type(message) is model
        for codec in CODECS:
            assert codec.decode_server(frame(codec, codec.encode(message))) == message

    survives()


@FEW
@given(st.one_of(wire_requests(), wire_answers()))
def test_plain_maps_are_written_as_models_are(message: dict[str, Any]) -> None:
    """The server sends maps, clients send models."""
    binary, text = MsgpackCodec().encode(message), JsonCodec().encode(message)
    assert json.loads(text) == msgpack.unpackb(binary)
    assert msgpack.unpackb(binary, use_list=False) == message


@pytest.mark.parametrize("keys", [1, 13, 14, 15, 16, 17, 40])
@pytest.mark.parametrize("request_id", [0, 127, 128, 2**16, 2**32, MAX_INT])
def test_an_id_is_spliced_into_maps_of_every_size(keys: int, request_id: int) -> None:
    message = {f"k{i}": i for i in range(keys)}
    for codec in CODECS:
        with_id = codec.with_id(codec.encode(message), request_id)
        assert with_id == codec.encode({**message, "id": request_id})


def test_codecs_are_found_by_subprotocol() -> None:
    assert isinstance(codec_for(JSON), JsonCodec)
    assert isinstance(codec_for(MSGPACK), MsgpackCodec)
    assert isinstance(codec_for(None), MsgpackCodec)


@pytest.mark.parametrize("codec", [MsgpackCodec(), JsonCodec()], ids=["msgpack", "json"])
@pytest.mark.parametrize("count", [0, 1, 15, 16, 70_000])
def test_a_list_of_encoded_items_is_added_to_an_encoded_message(codec: Codec, count: int) -> None:
    parts = [{"n": number % 100} for number in range(count)]
    frame = codec.with_list(
        codec.encode({"type": "x"}), "parts", [codec.encode(part) for part in parts]
    )
    assert frame == codec.encode({"type": "x", "parts": parts})


def test_a_message_with_too_many_keys_takes_no_list() -> None:
    codec = MsgpackCodec()
    full = codec.encode({str(number): number for number in range(15)})
    with pytest.raises(ValueError, match="no room"):
        codec.with_list(full, "parts", [])
