"""The HTTP application: the server's health, the open rooms and the finished games."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import StoreError
from doublecross.server.pictures.service import PictureService
from doublecross.server.shell.addresses.origins import Origins
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.page.reply import CLOSED_POLICY, SAFE
from doublecross.server.shell.web.below_path import BelowPath
from doublecross.server.shell.web.boards.catalogue import catalogue_endpoints
from doublecross.server.shell.web.boards.positions import position_endpoints
from doublecross.server.shell.web.boards.values import values_endpoint
from doublecross.server.shell.web.cross_origin import CrossOrigin
from doublecross.server.shell.web.endpoints import Endpoint, error
from doublecross.server.shell.web.games import game_endpoints
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
from doublecross.server.shell.web.links.previews import Previews, preview_endpoints
from doublecross.server.shell.web.managing.account import account_endpoints
from doublecross.server.shell.web.managing.classes import class_endpoints
from doublecross.server.shell.web.managing.logins import login_endpoints
from doublecross.server.shell.web.managing.notes import note_endpoint
from doublecross.server.shell.web.managing.notices import notice_endpoints
from doublecross.server.shell.web.openapi import described
from doublecross.server.shell.web.pictures import FairPictures, picture_endpoints
from doublecross.server.shell.web.profiles import profile_endpoint
from doublecross.server.shell.web.ratings import rating_endpoints
from doublecross.server.shell.web.small_boards import boards_endpoint
from doublecross.server.shell.web.tournaments import tournament_endpoints

if TYPE_CHECKING:
    from doublecross.server.signing.records import RecordSigner

STORED_S: Final = 5.0
"""How many seconds an answer waits until everything that it shows is stored."""


def make_http(
    authority: Authority,
    sources: Sources,
    pictures: PictureService,
    probes: Sequence[Endpoint],
    admin: Sequence[Endpoint],
    origins: Origins,
    hits: Counter[str],
    signer: RecordSigner | None,
    base: str,
) -> ASGIApp:
    """Return the HTTP application of one server.

    `origins` says which pages may do more than read what is public, and `hits` counts refused ones.
    `sources` finds the source of a request. `probes` are the addresses by which programs watch the
    server, and `admin` those for its host. `signer` signs records, if the server does
    that. `base` is the path below which a proxy may ask.
    """

    async def stored(*, games: bool = False) -> None:
        """Wait until everything that may be shown is stored; with `games`, finished games too.

        Raises:
            StoreError: it could not be stored, or not in time.
        """
        try:
            async with asyncio.timeout(STORED_S):
                await authority.all_rooms.settled(games=games)
        except TimeoutError:
            raise StoreError("The server's storage does not answer; try again later.") from None

    def rooms() -> Iterator[Room]:
        return iter(authority.lobby.rooms.values())

    def source(request: Request) -> str:
        return source_of(sources, request.scope)

    fair = FairPictures(pictures, sources)
    endpoints = [
        *probes,
        *game_endpoints(authority, stored, signer),
        boards_endpoint(authority, stored),
        keys_endpoint(signer),
        invitation_endpoint(authority, stored),
        *preview_endpoints(Previews(authority, stored), fair),
        *picture_endpoints(authority, stored, fair),
        *tournament_endpoints(authority, stored, signer),
        *rating_endpoints(authority, stored),
        profile_endpoint(authority, stored),
        *catalogue_endpoints(authority.advice),
        *position_endpoints(authority.advice, source),
        *lesson_endpoints(),
        *move_endpoints(),
        values_endpoint(authority.advice, rooms, source),
        *puzzle_endpoints(),
        *solving_endpoints(authority, sources),
        *account_endpoints(authority, stored, sources),
        note_endpoint(authority, stored, sources),
        *login_endpoints(authority, sources, origins),
        *notice_endpoints(authority, sources),
        *class_endpoints(authority, stored, sources),
        *admin,
    ]
    listing = authority.lobby_feed.listing
    application = Starlette(
        exception_handlers={HTTPException: refused},
        routes=[endpoint.route() for endpoint in described(endpoints)],
        middleware=[
            Middleware(CrossOrigin, origins=origins, hits=hits),
            Middleware(
                PageLimits,
                sources=sources,
                admission=authority.admission,
                version=lambda: listing.version,
                now_s=time.monotonic,
            ),
            # The innermost one, so that the answers that `PageLimits` keeps are compressed once.
            Middleware(Squeeze, minimum_size=1024, compresslevel=5),
        ],
    )
    # A redirect to the address with or without a slash would repeat the header Host.
    application.router.redirect_slashes = False
    return BelowPath(SafeHeaders(application), base, sources)


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
