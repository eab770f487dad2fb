"""The HTTP application: which endpoints there are, and what is around all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from doublecross.server.shell.addresses.admission import Admission
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.front import Front
from doublecross.server.shell.page.reply import CLOSED_POLICY, SAFE
from doublecross.server.shell.web.below_path import BelowPath
from doublecross.server.shell.web.boards.catalogue import catalogue_endpoints
from doublecross.server.shell.web.boards.positions import position_endpoints
from doublecross.server.shell.web.boards.values import values_endpoint
from doublecross.server.shell.web.cross_origin import CrossOrigin
from doublecross.server.shell.web.endpoints import Endpoint, error
from doublecross.server.shell.web.games import game_endpoints, room_endpoints
from doublecross.server.shell.web.keys import keys_endpoint
from doublecross.server.shell.web.learning.lessons import lesson_endpoints
from doublecross.server.shell.web.learning.moves import move_endpoints
from doublecross.server.shell.web.learning.puzzles import puzzle_endpoints
from doublecross.server.shell.web.learning.solving import solving_endpoints
from doublecross.server.shell.web.limits import (
    PageLimits,
    is_picture,
    source_of,
    wants_gzip,
)
from doublecross.server.shell.web.links.invitations import invitation_endpoint
from doublecross.server.shell.web.links.live_previews import LivePreviews
from doublecross.server.shell.web.links.previews import preview_endpoints
from doublecross.server.shell.web.managing.account import account_endpoints
from doublecross.server.shell.web.managing.acting import player_data_endpoint
from doublecross.server.shell.web.managing.classes import class_endpoints
from doublecross.server.shell.web.managing.logins import login_endpoints
from doublecross.server.shell.web.managing.notes import note_endpoint
from doublecross.server.shell.web.managing.notices import notice_endpoints
from doublecross.server.shell.web.managing.own_account import own_account_endpoints
from doublecross.server.shell.web.pictures import FairPictures, picture_endpoints
from doublecross.server.shell.web.profiles import profile_endpoint
from doublecross.server.shell.web.ratings import rating_endpoints
from doublecross.server.shell.web.reading import Reading, settled
from doublecross.server.shell.web.small_boards import boards_endpoint
from doublecross.server.shell.web.stored_tournaments import stored_tournament_endpoints
from doublecross.server.shell.web.tournaments import tournament_endpoints


def reading_endpoints(
    reading: Reading, pictures: FairPictures, host_hash: bytes | None
) -> list[Endpoint]:
    """Return the endpoints that each node of a cluster answers, without the leader.

    They need only the database, files, computation, and the rooms of the nodes. `host_hash` is the
    hash of the host's token, if there is one.
    """

    def source(request: Request) -> str:
        return source_of(reading.sources, request.scope)

    return [
        *game_endpoints(reading),
        boards_endpoint(reading),
        keys_endpoint(reading.signer),
        *picture_endpoints(reading, pictures),
        *stored_tournament_endpoints(reading),
        profile_endpoint(reading),
        *catalogue_endpoints(reading.advice),
        *position_endpoints(reading.advice, source),
        *lesson_endpoints(),
        *move_endpoints(),
        values_endpoint(reading.advice, reading.matches.is_played, source),
        *puzzle_endpoints(),
        *own_account_endpoints(reading),
        player_data_endpoint(reading, host_hash),
    ]


def leader_endpoints(
    authority: Authority, front: Front, pictures: FairPictures, admin: Sequence[Endpoint]
) -> list[Endpoint]:
    """Return the endpoints that need what the authority of the server has in memory.

    `admin` are those for its host.
    """
    stored, sources = partial(settled, authority.all_rooms), front.sources
    return [
        *room_endpoints(authority, stored),
        invitation_endpoint(authority, stored),
        *preview_endpoints(LivePreviews(authority, stored), pictures),
        *tournament_endpoints(authority, stored),
        *rating_endpoints(authority, stored),
        *solving_endpoints(authority, sources),
        *account_endpoints(authority, stored, sources),
        note_endpoint(authority, stored, sources),
        *login_endpoints(authority, sources, front.origins),
        *notice_endpoints(authority, sources),
        *class_endpoints(authority, stored, sources),
        *admin,
    ]


def make_http(
    endpoints: Sequence[Endpoint],
    front: Front,
    admission: Admission,
    version: Callable[[], int] = int,
) -> ASGIApp:
    """Return the HTTP application with these endpoints.

    `admission` counts the requests of each source. `version` grows with each change of what the
    answers show; see `PageLimits`.
    """
    application = Starlette(
        exception_handlers={HTTPException: refused},
        routes=[endpoint.route() for endpoint in endpoints],
        middleware=[
            Middleware(CrossOrigin, origins=front.origins, hits=front.gate.hits),
            Middleware(
                PageLimits,
                sources=front.sources,
                admission=admission,
                version=version,
                now_s=time.monotonic,
            ),
            # The innermost one, so that the answers that `PageLimits` keeps are compressed once.
            Middleware(Squeeze, minimum_size=1024, compresslevel=5),
        ],
    )
    # A redirect to the address with or without a slash would repeat the header Host.
    application.router.redirect_slashes = False
    return BelowPath(SafeHeaders(application), front.site.base, front.sources)


async def refused(_: Request, refusal: Exception) -> Response:
    """Answer a request for an address that does not exist, or with a wrong method."""
    assert isinstance(refusal, HTTPException)
    posts = (refusal.headers or {}).get("Allow") == "POST"
    sentences = {
        404: "There is nothing at this address. See /api/openapi.json for those that exist.",
        405: f"This address answers only {'POST' if posts else 'GET'} requests.",
    }
    answer = error(refusal.status_code, sentences.get(refusal.status_code, refusal.detail))
    # A refused method must name the allowed ones (RFC 9110, 15.5.6).
    answer.headers.update(refusal.headers or {})
    return answer


class Squeeze(GZipMiddleware):
    """Compress answers, except pictures, most of which are compressed already."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            if is_picture(scope["path"]):
                await self.app(scope, receive, send)
                return
            # The library searches for the word "gzip" alone, also in "gzip;q=0", which refuses it.
            name = b"accept-encoding"
            headers = [pair for pair in scope["headers"] if pair[0] != name]
            if wants_gzip(Headers(scope=scope)):
                headers.append((name, b"gzip"))
            scope = {**scope, "headers": headers}
        await super().__call__(scope, receive, send)


class SafeHeaders:
    """An ASGI application that adds the headers of every answer to those of another one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        headers = {**SAFE, "content-security-policy": CLOSED_POLICY}
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        if scope["type"] == "http":
            # Each request has a task with a context of its own, so this is for its log lines alone.
            client = scope["client"]
            bind_contextvars(address=client[0] if client else "", path=scope["path"])

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                # An answer may have a stricter policy of its own, such as that of a picture.
                given = {name for name, _ in message["headers"]}
                more = [pair for pair in self._headers if pair[0] not in given]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        await self._app(scope, receive, add)
