"""Heads of HTTP requests: which are read here, and which are left to a library."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.server.shell.addresses.heads import (
    MAX_HEAD,
    accepts,
    may_be_request,
    read_head,
)

PLAIN = b"GET /room/x?a=1 HTTP/1.1\r\nHost: x\r\nAccept: a\r\naccept:b \r\n\r\n"


def test_a_plain_head_is_read() -> None:
    head = read_head(PLAIN)
    assert head is not None
    assert (head.method, head.path, head.is_11) == ("GET", "/room/x", True)
    assert head.headers == {"host": "x", "accept": "a, b"}
    assert (head.has_body, head.wants_websocket, head.keeps_open) == (False, False, True)


@pytest.mark.parametrize(
    ("line", "has_body", "wants_websocket", "keeps_open"),
    [
        (b"Content-Length: 0", False, False, True),
        (b"Content-Length: 5", True, False, True),
        (b"content-length: 0\r\nContent-Length: 5", True, False, True),
        (b"Transfer-Encoding: chunked", True, False, True),
        (b"Expect: 100-continue", True, False, True),
        (b"UPGRADE: WebSocket", False, True, True),
        (b"Upgrade: h2c", False, False, True),
        (b"Connection: Close", False, False, False),
    ],
)
def test_what_a_head_asks_for(
    line: bytes, has_body: bool, wants_websocket: bool, keeps_open: bool
) -> None:
    head = read_head(PLAIN[:-2] + line + b"\r\n\r\n")
    assert head is not None
    found = (head.has_body, head.wants_websocket, head.keeps_open)
    assert found == (has_body, wants_websocket, keeps_open)


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\n\r\n",  # no host
        b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length\x0b: 5\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding\xa0: chunked\r\n\r\n",
        b"get / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.2\r\nHost: x\r\n\r\n",
        b"GET  / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n y: z\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\nContent-Length: 5\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\rContent-Length: 5\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding\t: chunked\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: \0\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * MAX_HEAD + b"\r\n\r\n",
    ],
)
def test_odd_heads_are_left_to_a_library(head: bytes) -> None:
    assert read_head(head) is None


def test_an_old_request_needs_no_host() -> None:
    head = read_head(b"GET /health HTTP/1.0\r\n\r\n")
    assert head is not None
    assert (head.path, head.keeps_open) == ("/health", False)


@pytest.mark.parametrize(
    ("accepted", "allowed"),
    [
        ("", False),
        ("gzip", True),
        ("br, GZIP ;q=0.5", True),
        ("deflate;q=0.5,gzip; q=1.000", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000, br", False),
        ("*", True),
        ("*;q=0", False),
        ("*;q=0, gzip", True),
        ("*, gzip;q=0", False),
        ("identity, br", False),
        ("gzipped", False),
    ],
)
def test_what_a_reader_accepts(accepted: str, allowed: bool) -> None:
    assert accepts(accepted, "gzip") is allowed


def test_a_head_is_recognised_while_it_arrives() -> None:
    assert all(may_be_request(PLAIN[:size], size - 1) for size in range(1, len(PLAIN) - 3))
    for garbage in (
        b"\x16\x03",
        b"GET /\x00",
        b"hello",
        b"GET / FTP",
        b"GET / HTTP/1.1\n",
        b"X" * 20,
    ):
        assert not may_be_request(garbage)
    assert not may_be_request(PLAIN[:-2] + b"x\n", len(PLAIN) - 2)
    assert not may_be_request(b"GET / HTTP/1.1\r\n" + b"y" * MAX_HEAD)


@given(st.binary(max_size=200))
def test_no_bytes_break_it(data: bytes) -> None:
    may_be_request(data)
    read_head(data + b"\r\n\r\n")
    read_head(b"GET / HTTP/1.1\r\nHost: x\r\n" + data + b"\r\n\r\n")
