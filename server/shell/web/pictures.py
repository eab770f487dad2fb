"""Pictures of finished games over HTTP, and as animations."""

from __future__ import annotations

from typing import Any, Final, get_args

from starlette.requests import Request
from starlette.responses import Response

from doublecross.games.colours import Theme
from doublecross.server.pictures.layout import LEAST_WIDTH, MOST_WIDTH
from doublecross.server.pictures.make import ANIMATED, MEDIA, Format, most_width
from doublecross.server.pictures.service import PATIENCE_S, BusyError, PictureOrder, PictureService
from doublecross.server.shell.addresses.admission import OpenConnections
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.web import answers
from doublecross.server.shell.web.endpoints import Endpoint, QueryParameter, busy, error, values
from doublecross.server.shell.web.games import JOIN_CODE, KEEP_NOTHING, NO_GAME, no_game
from doublecross.server.shell.web.limits import PICTURE, REPLAY, source_of
from doublecross.server.shell.web.reading import Reading

MOST_EACH: Final = 2
"""How many pictures one address may wait for."""
_WIDTHS: Final = {"png": 720, "svg": 720, "gif": 480, "webp": 480}
"""The usual widths of pictures, in pixels."""
_MOST_PLIES: Final = 100_000


class FairPictures:
    """Make pictures for requests, a few at once for each address."""

    def __init__(self, service: PictureService, sources: Sources) -> None:
        self._service = service
        self._sources = sources
        # A large animation takes seconds, so nobody may fill the queue alone.
        self._asking = OpenConnections(MOST_EACH)

    async def make(self, request: Request, order: PictureOrder) -> bytes:
        """Return a picture.

        Raises:
            BusyError: it cannot be made now.
        """
        source = source_of(self._sources, request.scope)
        try:
            # Inside of `try`, because `enter` counts even when it refuses.
            if not self._asking.enter(source):
                raise BusyError("Your last pictures are not made yet; try again in a moment.")
            return await self._service.make(order, source)
        finally:
            self._asking.leave(source)


def picture_endpoints(reading: Reading, pictures: FairPictures) -> list[Endpoint]:
    """Return the endpoints."""

    async def picture(request: Request) -> Response:
        chosen = values(request)
        return await answer(request, chosen["format"], chosen["ply"])

    async def replay(request: Request) -> Response:
        kind: Format = "gif" if request.url.path.endswith(".gif") else "webp"
        return await answer(request, kind, None)

    async def answer(request: Request, kind: Format, asked: int | None) -> Response:
        chosen = values(request)
        width = chosen["size"] or _WIDTHS[kind]
        if width > most_width(kind):
            return error(400, f"size must be at most {most_width(kind)} for a {kind}.")
        row = await reading.readable_game(request)
        if row is None:
            return no_game(request)
        ply = row.plies if asked is None else asked
        if ply > row.plies:
            return error(400, f"ply must be at most {row.plies}: the game has no more moves.")
        order = PictureOrder(row.record, kind, ply, width, chosen["theme"])
        try:
            made = await pictures.make(request, order)
        except BusyError as refusal:
            return busy(str(refusal))
        shown = "" if ply == row.plies else f"-{ply}"
        return Response(made, headers=_headers(kind, f"{row.game_id}{shown}", row.private))

    def size(most: int) -> QueryParameter:
        about = f"the width in pixels; {most_width('gif')} at most for an animation"
        return QueryParameter("size", about, LEAST_WIDTH, most)

    theme = QueryParameter("theme", "the colours", choices=get_args(Theme), default="light")
    deadline_s = PATIENCE_S + 10  # the game is read before the picture is made
    still = Endpoint(
        f"/api/games/{{game_id}}{PICTURE}",
        picture,
        "A picture of a finished game. GIF and WebP show it move by move. Private games are for "
        "the same people as their records.",
        answers.Picture,
        (
            QueryParameter(
                "format",
                f"the format; {' and '.join(ANIMATED)} are animations",
                choices=get_args(Format),
                default="png",
            ),
            QueryParameter(
                "ply",
                "the position after so many moves, or the last one of an animation",
                0,
                _MOST_PLIES,
            ),
            size(MOST_WIDTH),
            theme,
            JOIN_CODE,
        ),
        NO_GAME,
        media=tuple(MEDIA.values()),
        deadline_s=deadline_s,
    )
    moving = [
        Endpoint(
            f"/api/games/{{game_id}}{REPLAY}{kind}",
            replay,
            "The same animation at an address that ends like a file, for messengers that show only "
            "those.",
            answers.Picture,
            (size(most_width(kind)), theme, JOIN_CODE),
            NO_GAME,
            media=(MEDIA[kind],),
            deadline_s=deadline_s,
        )
        for kind in ANIMATED
    ]
    return [still, *moving]


def _headers(kind: Format, name: str, private: bool) -> dict[str, Any]:
    return {
        "Content-Type": MEDIA[kind],
        # An SVG that is opened as a page could run scripts, so forbid everything.
        "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
        "Content-Disposition": f'inline; filename="doublecross-{name}.{kind}"',
        # A finished game does not change.
        "Cache-Control": KEEP_NOTHING if private else "public, max-age=86400",
    }
