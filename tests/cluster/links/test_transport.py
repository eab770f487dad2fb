from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.server.cluster.links.transport import LONGEST_LINE, NoNatsError, Splitter

PAYLOADS = [b"one", b"", b"MSG x 1 3\r\nabc\r\n", b"\r\n" * 50, b"x" * 5000]
LINES = [b'INFO {"a":1}\r\n', b"PING\r\n", b"-ERR 'x'\r\n"]


def stream() -> bytes:
    first, second, third = LINES
    plain = [b"MSG doublecross.c.A 2 %d\r\n%b\r\n" % (len(p), p) for p in PAYLOADS]
    reply = b"MSG doublecross.c.A 2 _INBOX.x 3\r\nend\r\n"
    return first + plain[0] + plain[1] + second + b"".join(plain[2:]) + third + reply


@given(st.lists(st.integers(0, len(stream())), max_size=20))
def test_messages_and_lines_are_divided_wherever_the_bytes_are_cut(cuts: list[int]) -> None:
    messages: list[bytes] = []
    lines: list[bytes] = []
    splitter = Splitter(messages.append, lines.append)
    data = stream()
    places = [0, *sorted(cuts), len(data)]
    for begin, end in pairwise(places):
        splitter.feed(data[begin:end])
    assert messages == [*PAYLOADS, b"end"]
    assert lines == LINES


@pytest.mark.parametrize("data", [b"MSG a b c\r\n", b"MSG\r\nMSG \r\n", b"x" * (LONGEST_LINE + 1)])
def test_what_no_nats_server_says_is_refused(data: bytes) -> None:
    splitter = Splitter(lambda _: None, lambda _: None)
    with pytest.raises(NoNatsError):
        splitter.feed(data)
