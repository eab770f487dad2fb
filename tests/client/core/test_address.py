"""Check the address of a server as people type it."""

from __future__ import annotations

import pytest

from doublecross.client.core.address import http_url, is_loopback, server_url, shown_address


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("play.example", "http://play.example:8765"),
        ("wss://play.example", "https://play.example:443"),
        ("https://play.example/room/r1", "https://play.example:443"),
        ("[::1]:99", "http://[::1]:99"),
        ("ws://host:80/games/", "http://host:80/games"),
    ],
)
def test_requests_go_to_the_address_of_the_websocket(text: str, url: str) -> None:
    assert http_url(server_url(text)) == url


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("play.example", "ws://play.example:8765"),
        ("play.example:1234", "ws://play.example:1234"),
        (" localhost ", "ws://localhost:8765"),
        ("ws://host", "ws://host:8765"),
        ("WS://Host:80/games", "ws://host:80/games"),
        ("wss://host", "wss://host:443"),
        ("[::1]", "ws://[::1]:8765"),
        ("ws://[::1]:99", "ws://[::1]:99"),
        ("10.0.0.7:8765", "ws://10.0.0.7:8765"),
        ("http://10.0.0.7:8765", "ws://10.0.0.7:8765"),
        ("HTTP://host:9000/room/abc#code", "ws://host:9000"),
        ("http://host", "ws://host:80"),
        ("http://[::1]:9/?a=b", "ws://[::1]:9"),
        ("https://host/", "wss://host:443"),
        ("https://host:8443/ratings", "wss://host:8443"),
    ],
)
def test_addresses_become_urls(text: str, url: str) -> None:
    assert server_url(text) == url
    assert server_url(url) == url


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "not a server address"),
        ("host:port", "not a server address"),
        ("host:99999", "not a server address"),
        ("two words", "not a server address"),
        ("host:0", "port 0"),
        ("ftp://host", "begins with ftp,"),
        ("ws://me:secret@host", "more than a host"),
        ("ws://host/?a=b", "more than a host"),
        ("http://me:secret@host", "more than a host"),
        ("http://host:0", "port 0"),
        ("http://", "not a server address"),
        ("[::1", "not a server address"),
    ],
)
def test_other_text_is_refused_with_a_sentence(text: str, part: str) -> None:
    with pytest.raises(ValueError, match=r"\.$") as caught:
        server_url(text)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("ws://play.example:8765", "play.example"),
        ("ws://192.168.1.5:9000", "192.168.1.5:9000"),
        ("wss://play.example:443/games/", "play.example/games"),
        ("wss://play.example:8765", "play.example:8765"),
        ("ws://[::1]:8765", "[::1]"),
    ],
)
def test_an_address_is_shown_without_its_scheme(url: str, shown: str) -> None:
    assert shown_address(url) == shown


def test_loopback() -> None:
    assert is_loopback("ws://127.0.0.1:1")
    assert is_loopback("ws://[::1]:1")
    assert is_loopback("ws://localhost:1")
    assert is_loopback("ws://game.localhost:1")
    assert not is_loopback("ws://notlocalhost:1")
    assert not is_loopback("ws://10.0.0.1:1")
    assert not is_loopback("ws://example.org:1")
