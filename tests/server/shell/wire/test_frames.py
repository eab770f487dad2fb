"""Frames: where those of a client end, and those of the server as the library reads them."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import BINARY, TEXT, Frame
from websockets.protocol import Protocol, Side

from doublecross.server.shell.wire.frames import framed, missing_after


def masked(payload: bytes, opcode: int = 2, fin: bool = True) -> bytes:
    head = (0x80 if fin else 0) | opcode
    size = len(payload)
    if size < 126:
        start = struct.pack("!BB", head, 0x80 | size)
    elif size < 1 << 16:
        start = struct.pack("!BBH", head, 0x80 | 126, size)
    else:
        start = struct.pack("!BBQ", head, 0x80 | 127, size)
    key = bytes((1, 2, 3, 4))
    return start + key + bytes(b ^ key[i % 4] for i, b in enumerate(payload))


@given(st.lists(st.integers(0, 70_000) | st.integers(0, 300), max_size=4), st.data())
def test_the_missing_bytes_of_a_cut_frame_are_counted(
    sizes: list[int], data: st.DataObject
) -> None:
    stream = b"".join(masked(bytes(size)) for size in sizes)
    ends, at = {0}, 0
    for size in sizes:
        at += len(masked(bytes(size)))
        ends.add(at)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=5)))
    owed, head, start = 0, b"", 0
    for cut in [*cuts, len(stream)]:
        owed, head = missing_after(stream[start:cut], owed, head)
        start = cut
        assert (not owed and not head) == (cut in ends)
        if not head:
            assert cut + owed in ends
        else:
            assert cut - len(head) in ends


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (slice(1), (0, b"\x82")),
        (slice(3), (0, b"\x82\xfe\x00")),
        (slice(4), (204, b"")),
    ],
)
def test_a_cut_header_is_kept(start: slice, expected: tuple[int, bytes]) -> None:
    assert missing_after(masked(bytes(200))[start]) == expected


def test_a_frame_without_a_mask_is_no_frame_of_a_client() -> None:
    assert missing_after(b"\x82\x05hello") == (0, b"\x82\x05hello")


@given(st.binary(max_size=70_000), st.booleans())
def test_frames_equal_those_of_the_library(payload: bytes, text: bool) -> None:
    client = Protocol(Side.CLIENT, max_size=None)
    client.receive_data(framed(payload, text))
    (frame,) = client.events_received()
    assert isinstance(frame, Frame)
    assert (frame.opcode, bytes(frame.data)) == (TEXT if text else BINARY, payload)
    assert frame.fin
