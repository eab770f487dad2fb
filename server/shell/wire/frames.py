"""Find the ends of a client's websocket frames, and make those of a server (RFC 6455, 5.2).

A server's frames are not masked and this server compresses nothing, so the bytes of a message are
the same for every connection. `framed` makes them once.
"""

from __future__ import annotations

from typing import Final

MAX_FRAGMENTS: Final = 64
"""The most frames of one message. A message has 8 KiB at most, so more frames are abuse."""
_LONGEST_HEADER: Final = 10
"""Two bytes, and eight for the length of a very long frame; the key is not counted."""
# Made once, because nearly all messages are short.
_SHORT: Final = {
    text: tuple(bytes((0x81 if text else 0x82, length)) for length in range(126))
    for text in (False, True)
}


def framed(payload: bytes, text: bool) -> bytes:
    """Return `payload` as one whole unmasked frame (RFC 6455, 5.2).

    FIN and opcode come first, then the length: in seven bits, or 126 and two bytes, or 127 and
    eight bytes.
    """
    length = len(payload)
    if length < 126:
        return _SHORT[text][length] + payload
    first = 0x81 if text else 0x82
    if length < 1 << 16:
        return bytes((first, 126)) + length.to_bytes(2, "big") + payload
    return bytes((first, 127)) + length.to_bytes(8, "big") + payload


def missing_after(data: bytes, owed: int = 0, head: bytes = b"") -> tuple[int, bytes]:
    """Return how many bytes are missing from the last frame in `data`, and its header if cut.

    `owed` and `head` are what this function has returned for the bytes before. The stream is
    between two frames when it returns no missing bytes and an empty header. A header that is not
    the masked one of a client counts as cut.
    """
    data = head + data
    at, length = owed, len(data)
    while at < length:
        frame = _frame_length(data[at : at + _LONGEST_HEADER])
        if frame < 0:
            return 0, data[at:]
        at += frame
    return at - length, b""


def _frame_length(header: bytes) -> int:
    """Return the length of a client's frame that begins with these bytes.

    Returns -1 when the header is incomplete or not masked.
    """
    if len(header) < 2 or not header[1] & 0x80:
        return -1
    payload = header[1] & 0x7F
    size = {126: 4, 127: 10}.get(payload, 2)
    if len(header) < size:
        return -1
    if size > 2:
        payload = int.from_bytes(header[2:size], "big")
    return size + 4 + payload  # four bytes of masking key
