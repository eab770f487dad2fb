from __future__ import annotations

from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.server.cluster.core.link import (
    ITEM_OVERHEAD,
    OVERHEAD,
    RUN_BYTES,
    decode,
    encode,
)


@given(st.lists(st.binary(max_size=200), max_size=30))
def test_batches_survive_the_way_and_are_not_longer_than_expected(items: list[bytes]) -> None:
    largest = 2**64 - 1
    batch = ("r" * RUN_BYTES, largest, largest, largest, items)
    message = encode(batch)
    assert decode(message) == batch
    assert len(message) <= OVERHEAD + sum(len(item) + ITEM_OVERHEAD for item in items)


def test_readers_ignore_fields_of_a_later_version() -> None:
    later = msgpack.packb(("A", 1, 2, 3, [b"x"], {"more": 1}))
    assert decode(later) == ("A", 1, 2, 3, [b"x"])


@pytest.mark.parametrize(
    "fields",
    [
        *(7, [], ["A"], [1, 1], ["A", 1, 2], "abcde", {}, ["A", 0, 0, 0, []], ["A", 1, -1, 0, []]),
        *(["A", 1, 0, -1, []], [b"A", 1, 0, 0, []], ["A", True, 0, 0, []], ["A", 1, 0, 0.0, []]),
        *(["A", 1, 0, 0, ["x"]], ["A", 1, 0, 0, [None]], ["A", 1, 0, 0, b""]),
    ],
)
def test_what_is_no_batch_is_refused(fields: Any) -> None:
    with pytest.raises(ValueError, match="this is no batch"):
        decode(msgpack.packb(fields))


@given(st.binary(max_size=60))
def test_any_bytes_are_decoded_or_refused(payload: bytes) -> None:
    try:
        decode(payload)
    except ValueError:
        return
