"""Commands that ask a server with several addresses over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from doublecross.cli.shared.console import Problem
from doublecross.cli.shared.remote.http import (
    HttpServer,
    UnreachableError,
    http_address,
    is_open_road,
)
from doublecross.cli.shared.remote.reading import http_of
from doublecross.processes.ports import free_port


class Node(ThreadingHTTPServer):
    """A server that answers every request, or closes the connection instead."""

    def __init__(self, *, answers: bool) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = answers
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Node

    def _answer(self) -> None:
        self.server.asked.append(f"{self.command} {self.path}")
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.server.answers:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"games": []}')

    do_GET = do_POST = _answer  # noqa: N815 - http.server calls these names

    def log_message(self, *_: object) -> None:
        """Write nothing to standard error."""


@pytest.fixture
def nodes() -> Iterator[tuple[Node, Node]]:
    """Yield a node that does not answer, and one that does."""
    pair = Node(answers=False), Node(answers=True)
    threads = [threading.Thread(target=node.serve_forever, args=(0.01,)) for node in pair]
    for thread in threads:
        thread.start()
    yield pair
    for node in pair:
        node.shutdown()
        node.server_close()
    for thread in threads:
        thread.join()


def test_a_request_goes_to_the_next_address_if_that_is_safe(nodes: tuple[Node, Node]) -> None:
    mute, good = nodes
    closed = f"http://127.0.0.1:{free_port()}"
    behind = HttpServer(f"{closed},{good.address}")
    assert behind.post("/api/a", x=1) == behind.get("/api/b") == {"games": []}
    assert good.asked == ["POST /api/a", "GET /api/b"]
    unsure = HttpServer(f"{mute.address},{good.address}")
    assert unsure.get("/api/c") == {"games": []}
    with pytest.raises(UnreachableError, match=f"at {mute.address} cannot be reached"):
        unsure.post("/api/d", x=1)
    assert mute.asked == ["GET /api/c", "POST /api/d"]
    assert good.asked[2:] == ["GET /api/c"]
    with pytest.raises(UnreachableError, match=f"at {closed} cannot be reached"):
        HttpServer(f"{mute.address},{closed}").get("/api/e")


def test_exports_come_from_the_first_address_that_answers(nodes: tuple[Node, Node]) -> None:
    mute, good = nodes
    assert http_of(f"{mute.address}, {good.address},http://nowhere") == good.address
    assert http_of(good.address) == good.address
    assert good.asked == ["GET /api/games?limit=1"]


def test_all_addresses_are_checked() -> None:
    assert http_address("wss://a,https://b:8443") == "https://a:443,https://b:8443"
    with pytest.raises(Problem, match="Some of these addresses are encrypted"):
        http_address("wss://a,b")
    assert not is_open_road("http://127.0.0.1:1,http://localhost:2")
    assert not is_open_road("https://a:443,https://b:443")
    assert is_open_road("http://127.0.0.1:1,http://a:2")
