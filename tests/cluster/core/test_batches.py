from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.server.cluster.core.batches import (
    ITEM_OVERHEAD,
    OVERHEAD,
    RUN_BYTES,
    MalformedError,
    Said,
    Word,
    decode,
    encode,
    encode_word,
    split,
)


def test_batches_and_words_survive_the_way() -> None:
    assert decode(encode("A", (1, 0, 0), [b"x", b""], [b"y"])) == (
        *("A", 1, 0, 0),
        [b"x", b""],
        [b"y"],
    )
    for word in Word:
        assert decode(encode_word("A", word)) == Said("A", word)


def test_readers_ignore_fields_of_a_later_version() -> None:
    later = msgpack.packb(("A", 1, 2, 3, [b"x"], [], {"more": 1}))
    assert decode(later) == ("A", 1, 2, 3, [b"x"], [])


@pytest.mark.parametrize(
    "fields",
    [
        *(7, [], ["A"], [1, 1], ["A", 9], ["A", True], ["A", "1"], ["A", 1, 2]),
        *(["A", 0, 0, 0, [], []], ["A", 1, -1, 0, [], []], ["A", 1, 0, -1, [], []]),
        *([b"A", 1, 0, 0, [], []], ["A", True, 0, 0, [], []], ["A", 1, 0, 0.0, [], []]),
        *(["A", 1, 0, 0, ["x"], []], ["A", 1, 0, 0, [], [None]], ["A", 1, 0, 0, b"", []]),
    ],
)
def test_what_is_no_batch_is_refused(fields: Any) -> None:
    with pytest.raises(MalformedError):
        decode(msgpack.packb(fields))


@given(st.binary(max_size=60))
def test_any_bytes_are_decoded_or_refused(payload: bytes) -> None:
    try:
        decode(payload)
    except MalformedError:
        return


@given(st.lists(st.binary(max_size=200), max_size=30), st.integers(205, 600))
def test_parts_keep_the_order_and_fit(items: list[bytes], most: int) -> None:
    parts = split(items, most)
    assert [item for part in parts for item in part] == items
    largest = 2**64 - 1
    for part in parts:
        # As many bytes as a message may have beside its items.
        message = encode("r" * RUN_BYTES, (largest, largest, largest), part, [])
        assert len(message) <= most + OVERHEAD
    for part, following in pairwise(parts):
        assert sum(len(item) + ITEM_OVERHEAD for item in [*part, following[0]]) > most


def test_an_item_that_fits_nowhere_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        split([b"x" * 100], 100)
