"""HTTP requests that one node receives and another one answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from doublecross.server.cluster.web import forwarding
from doublecross.server.cluster.web.forwarding import (
    LATE,
    MOST_BYTES,
    NO_LEADER,
    PLAIN_BYTES,
    TOO_LARGE,
    UNKNOWN,
    Forwarding,
)
from doublecross.server.shell.identity.rights import token_hash
from doublecross.server.shell.web.managing.acting import FROM_HOST
from tests.cluster.network import MemoryNetwork
from tests.fakes.http import plain_client


class Cluster:
    """Two nodes. Which of them is the leader, and the application of the leader, can be changed."""

    def __init__(self, app: ASGIApp) -> None:
        self.network = MemoryNetwork()
        self.leader: str | None = "b"
        self.apps: dict[str, ASGIApp | None] = {"a": None, "b": app}
        self.fronts = {run: self._front(run) for run in "ab"}
        self.a = plain_client(
            "http://node-a",
            transport=httpx.ASGITransport(self.fronts["a"], client=("203.0.113.5", 7)),
        )

    def _front(self, run: str) -> Forwarding:

        def own() -> ASGIApp | None:
            return self.apps[run] if self.leader == run else None

        return Forwarding(
            self.network.calls(run), lambda: self.leader, own, token_hash(f"host of {run}")
        )


async def echo(request: Request) -> Response:
    body = await request.body()
    return JSONResponse(
        {
            "path": request.url.path,
            "query": dict(request.query_params),
            "body": body.decode(),
            "client": list(request.client or ()),
            "header": request.headers.get("x-more"),
            "host": request.headers["host"],
            "from_host": request.scope[FROM_HOST],
        }
    )


def routes(*more: Route) -> Starlette:
    both = ["GET", "POST"]
    paths = ("/api/games/{name}", "/api/login", "/api/admin/rooms")
    return Starlette(routes=[*(Route(path, echo, methods=both) for path in paths), *more])


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forwarding, "WAIT_S", 0.05)
    monkeypatch.setattr(forwarding, "CHECK_S", 0.001)


async def test_a_request_arrives_whole_and_its_answer_returns() -> None:
    cluster = Cluster(routes())
    answer = await cluster.a.get("/api/games/a%20b?x=1&y=%26", headers={"X-More": "m"})
    assert answer.json() == {
        "path": "/api/games/a b",
        "query": {"x": "1", "y": "&"},
        "body": "",
        "client": ["203.0.113.5", 7],
        "header": "m",
        "host": "node-a",
        "from_host": False,
    }
    posted = await cluster.a.post("/api/login", json={"name": "Ann"})
    assert posted.json()["body"] == '{"name":"Ann"}'
    for path, most in (("/api/login", "8192"), ("/api/games/x", "no body")):
        json = {"Content-Type": "application/json"}
        refused = await cluster.a.post(path, content=b"x" * 10_000, headers=json)
        assert (refused.status_code, most in refused.json()["error"]) == (413, True)
    for run, expected in (("a", True), ("b", False)):
        bearer = {"Authorization": f"Bearer host of {run}"}
        admin = (await cluster.a.get("/api/admin/rooms", headers=bearer)).json()
        assert admin["from_host"] is expected
        assert (await cluster.a.get("/api/games/x", headers=bearer)).json()["from_host"] is False
    cluster.leader, cluster.apps["a"] = "a", routes()
    cluster.network.cut("a", "b")
    own = await cluster.a.post("/api/login", json={})
    assert (own.json()["body"], own.json()["from_host"]) == ("{}", False)


async def test_an_answer_is_one_message() -> None:
    shown = bytes(range(256)) * (MOST_BYTES // 128)

    async def long(_: Request) -> Response:
        return Response(shown, headers={"x-two": "1"})

    cluster = Cluster(routes(Route("/long", long)))
    answer = await cluster.a.get("/long")
    assert answer.content == shown
    assert (answer.headers["x-two"], answer.headers["content-length"]) == ("1", str(len(shown)))
    assert cluster.network.longest < PLAIN_BYTES
    shown = Random(1).randbytes(MOST_BYTES + 1)
    answer = await cluster.a.get("/long")
    assert (answer.status_code, answer.json()) == (500, {"error": TOO_LARGE})


async def test_a_request_waits_for_a_leader_a_while() -> None:
    cluster = Cluster(routes())
    cluster.leader = None
    refused = await cluster.a.get("/api/games/x")
    assert (refused.status_code, refused.json()) == (503, {"error": NO_LEADER})
    assert refused.headers["retry-after"] == "1"
    cluster.leader = "b"
    cluster.network.cut("a", "b")
    assert (await cluster.a.post("/api/login", json={})).status_code == 503
    cluster.network.link("a", "b")
    app, cluster.apps["b"] = cluster.apps["b"], None  # it is not open yet
    assert (await cluster.a.get("/api/games/x")).status_code == 503
    waiting = asyncio.ensure_future(cluster.a.post("/api/login", json={}))
    await asyncio.sleep(0)
    cluster.apps["b"] = app
    assert (await waiting).status_code == 200


@pytest.mark.parametrize(("method", "sent"), [("GET", 2), ("POST", 1)])
async def test_what_a_lost_leader_may_have_done_is_not_done_twice(method: str, sent: int) -> None:
    got: list[str] = []
    started = asyncio.Event()

    async def slow(request: Request) -> Response:
        got.append(await _text(request))
        if len(got) == 1:
            started.set()
            await asyncio.Event().wait()
        return JSONResponse({})

    cluster = Cluster(routes(Route("/api/account", slow, methods=["GET", "POST"])))
    json = {} if method == "POST" else None
    waiting = asyncio.ensure_future(cluster.a.request(method, "/api/account", json=json))
    await started.wait()
    cluster.network.reset("a", "b")
    answer = await waiting
    assert len(got) == sent
    assert answer.status_code == (200 if sent == 2 else 503)
    assert sent == 2 or answer.json() == {"error": UNKNOWN}


async def test_nobody_sees_what_a_leader_says_that_has_left() -> None:
    def leaving(cluster: Callable[[], Cluster]) -> ASGIApp:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            cluster().apps["b"] = routes()  # as when its lease lapses; then it comes back
            await JSONResponse({"old": True})(scope, receive, send)

        return app

    made: list[Cluster] = []
    made.append(Cluster(leaving(lambda: made[0])))
    assert "old" not in (await made[0].a.get("/api/games/x")).json()


async def test_a_bug_and_a_slow_leader_are_one_sentence_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def bug(_: Request) -> Response:
        raise RuntimeError

    async def never(_: Request) -> Response:
        await asyncio.Event().wait()
        raise AssertionError

    cluster = Cluster(routes(Route("/bug", bug), Route("/never", never)))
    answer = await cluster.a.get("/bug")
    assert (answer.status_code, answer.json()) == (500, {"error": forwarding.BUG})
    monkeypatch.setattr(forwarding, "ANSWER_S", 0.01)
    late = await cluster.a.get("/never")
    assert (late.status_code, late.json()) == (503, {"error": LATE})


async def _text(request: Request) -> str:
    body: Any = await request.body()
    return str(body)
