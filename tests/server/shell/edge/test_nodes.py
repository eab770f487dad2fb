"""The addresses of the nodes of a cluster: the setting, and what it allows to pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from doublecross.server.shell.addresses.nodes import MOST, node_addresses
from doublecross.server.shell.settings import ServerSettings
from tests.protocol.wire import serving
from tests.server.shell.page.wiring import get, write_page


@pytest.mark.parametrize(
    ("text", "websocket", "origin"),
    [
        ("ws://A.example", "ws://a.example:8765", "http://a.example:8765"),
        ("http://a.example", "ws://a.example:80", "http://a.example:80"),
        ("wss://a.example/", "wss://a.example:443", "https://a.example:443"),
        ("https://a.example:8443", "wss://a.example:8443", "https://a.example:8443"),
        ("WS://[::1]:9", "ws://[::1]:9", "http://[::1]:9"),
    ],
)
def test_an_address_has_a_socket_and_an_origin(text: str, websocket: str, origin: str) -> None:
    (found,) = node_addresses(text)
    assert (found.websocket, found.origin) == (websocket, origin)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a.example", "'a.example' is no address of a node; write it like wss://a.example.org"),
        ("ws://a,ws://b/path", "'ws://b/path' is no address"),
        ("ws://me:secret@a", "is no address"),
        ("ws://a:0", "is no address"),
        ("ws://a:x", "is no address"),
        ("ftp://a", "is no address"),
        ("ws://a,https://b", "some of these addresses are encrypted and some are not"),
        (",".join(f"ws://a{n}" for n in range(MOST + 1)), "can name 32 addresses at most"),
    ],
)
def test_other_text_is_refused_with_a_sentence(text: str, part: str) -> None:
    with pytest.raises(ValidationError) as caught:
        ServerSettings(cluster=True, cluster_addresses=text)
    assert part in str(caught.value)


def test_the_setting_is_for_nodes() -> None:
    both = ServerSettings(cluster=True, cluster_addresses=" ws://a , ws://b:1,ws://a:8765,")
    assert [node.websocket for node in both.nodes] == ["ws://a:8765", "ws://b:1"]
    assert ServerSettings().nodes == ()
    with pytest.raises(ValidationError, match="for the nodes of a cluster"):
        ServerSettings(cluster_addresses="ws://a")


async def test_the_pages_of_all_nodes_may_use_each(tmp_path: Path) -> None:
    nodes = "wss://a.example,wss://b.example:444"
    page = write_page(tmp_path / "page")
    async with serving(tmp_path, page=page, cluster=True, cluster_addresses=nodes) as server:
        origins = server.settings.origins
        for origin, allowed in [
            ("https://a.example", True),
            ("https://b.example:444", True),
            ("http://a.example", False),
            ("https://b.example", False),
            ("https://c.example", False),
        ]:
            assert origins.allows(origin, "b.example:444", "192.0.2.1") == allowed, origin
        policy = (await get(server, "/")).headers["content-security-policy"]
        assert " connect-src 'self' wss://a.example:443 wss://b.example:444;" in policy
    async with serving(tmp_path, page=page) as server:
        policy = (await get(server, "/")).headers["content-security-policy"]
        assert " connect-src 'self';" in policy
