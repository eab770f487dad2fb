"""Say and draw what a messenger shows of a link to this server.

Whatever is private has the same preview as what does not exist, so a link tells nothing that its
reader may not know. Messengers ask without any rights.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doublecross.analysis.puzzles.kinds import KINDS
from doublecross.analysis.puzzles.puzzle import GAME
from doublecross.analysis.shipped.puzzles import puzzles
from doublecross.games.api import GameError
from doublecross.games.record import Record, RecordedMove, format_record, parse_record
from doublecross.games.registry import game_class, make_game
from doublecross.games.sentences import record_sentence
from doublecross.protocol.common import MatchSettings, TimeControl
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import Store
from doublecross.server.core.terms import span
from doublecross.server.pictures.make import MEDIA
from doublecross.server.pictures.service import PATIENCE_S, BusyError, PictureOrder
from doublecross.server.shell.lobby.titles import title_of, title_of_settings
from doublecross.server.shell.page.document import ABOUT, TITLE
from doublecross.server.shell.web.answers import Picture
from doublecross.server.shell.web.endpoints import Endpoint, busy, error
from doublecross.server.shell.web.limits import PICTURE
from doublecross.server.shell.web.links.answers import LinkPreview
from doublecross.server.shell.web.pictures import FairPictures
from doublecross.server.tournaments.messages import parse_terms

WIDTH: Final = 1200
"""The width of the pictures, in pixels: that which messengers ask for."""


@dataclass(frozen=True, slots=True)
class Preview:
    """A title, a line of text, and the record of the position in the picture, if it has one.

    `board` is the query with which the page asks for its geometry, for pages that draw it at once.
    See `doublecross.server.pictures.drawing.GameDrawings` about `swaps`.
    """

    title: str = TITLE
    text: str = ABOUT
    record: str = ""
    board: str = ""
    swaps: bool = False


_POSITION: Final = re.compile(r"[a-z-]{1,40}:[0-9x]{1,40}(:[0-9,]{0,4000}){2}(:[01][0-9.]{0,8})?")
NOTHING: Final = Preview()
"""The preview of what is private, and of what does not exist."""


class Previews:
    """Make the previews of all that the database or a file has.

    `store` has what is stored. `LivePreviews` makes all others too.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.kinds: dict[str, Callable[[str], Awaitable[Preview | None]]] = {
            "game": self._game,
            "puzzle": self._puzzle,
            "analysis": self._position,
            "tournament": self._tournament,
        }
        """The kinds of links."""

    async def of(self, kind: str, key: str) -> Preview:
        """Return the preview of a link, such as that of the room `key`.

        Raises:
            StoreError: the database fails.
        """
        find = self.kinds.get(kind)
        return NOTHING if find is None else await find(key) or NOTHING

    async def _game(self, key: str) -> Preview | None:
        row = await self._store.game(key)
        if row is None or row.private:
            return None
        first, second = row.players
        text = f"{title_of(row.game, row.size)}. {record_sentence(parse_record(row.record))}"
        board = f"game={row.game}&size={row.size}"
        return Preview(f"{first} against {second}", text, row.record, board)

    async def _puzzle(self, key: str) -> Preview | None:
        book = await asyncio.to_thread(puzzles)  # the first call reads a file
        today = book.of_day(datetime.now(UTC).date())
        puzzle = today if key == "today" else book.by_id.get(key)
        if puzzle is None:
            return None
        kind = KINDS[puzzle.kind]
        moves = tuple(map(RecordedMove, puzzle.actions))
        text = f"{kind.question} Dots and Boxes {puzzle.size}."
        record = Record(make_game(GAME, puzzle.game.params), ("A", "B"), moves)
        return Preview(f"Puzzle: {kind.title}", text, format_record(record))

    async def _position(self, key: str) -> Preview | None:
        # The key is that of `client/web/models/analysis/address.js`.
        words = key.split(":")
        if _POSITION.fullmatch(key) is None:
            return None
        (name, size), lists = words[:2], [each.split(",") if each else [] for each in words[2:4]]
        swaps = bool(words[4:]) and words[4][0] == "1"
        players = ("B", "A") if swaps else ("A", "B")
        opening, moves = [tuple(map(int, each)) for each in lists]
        try:
            game = make_game(name, game_class(name).parse_size(size))
            record = Record(game, players, tuple(map(RecordedMove, moves)), opening)
            text = await asyncio.to_thread(format_record, record)
        except GameError:
            return None
        title, about = f"A position of {game.full_title}", "What is it worth, and why?"
        return Preview(title, about, text, swaps=swaps)

    async def _tournament(self, key: str) -> Preview | None:
        found = await self._store.tournament(key)
        if found is None:
            return None
        row, entrants, _ = found
        try:
            settings = parse_terms(row.terms).settings
        except (LookupError, TypeError, ValueError):
            return Preview(row.name)
        players = sum(each.state != "left" for each in entrants)
        text = f"{row.format.replace('-', ' ').capitalize()} tournament, {row.status}. "
        text += f"{title_of_settings(settings)} · {players} players"
        return Preview(row.name, text, record_of(settings))


def preview_endpoints(previews: Previews, pictures: FairPictures) -> list[Endpoint]:
    """Return the endpoints of previews and of their pictures."""

    async def preview(request: Request) -> Response:
        kind, key = request.path_params["kind"], request.path_params["key"]
        found = await previews.of(kind, key)
        address = f"/api/previews/{quote(kind, '')}/{quote(key, '')}{PICTURE}"
        shown = {"title": found.title, "text": found.text}
        picture = address if found.record else ""
        return JSONResponse({**shown, "picture": picture, "board": found.board})

    async def picture(request: Request) -> Response:
        found = await previews.of(request.path_params["kind"], request.path_params["key"])
        if not found.record:
            return error(404, "There is no picture for this link.")
        card = (found.title, found.text)
        name = blake2b("\n".join((*card, found.record)).encode(), digest_size=12).hexdigest()
        headers = {"ETag": f'"{name}"', "Cache-Control": "public, max-age=300"}
        if headers["ETag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        order = PictureOrder(found.record, "png", None, WIDTH, "light", card, found.swaps)
        try:
            made = await pictures.make(request, order)
        except BusyError as refusal:
            return busy(str(refusal))
        return Response(made, media_type=MEDIA["png"], headers=headers)

    return [
        Endpoint(
            "/api/previews/{kind}/{key}",
            preview,
            "What a messenger shows of a link, such as that of `room` and its id. What is private "
            "looks like what does not exist.",
            LinkPreview,
        ),
        Endpoint(
            f"/api/previews/{{kind}}/{{key}}{PICTURE}",
            picture,
            "The picture of a preview, 1200 x 630 pixels.",
            Picture,
            errors={404: "There is no picture for this link."},
            media=(MEDIA["png"],),
            deadline_s=PATIENCE_S + 10,
        ),
    ]


def terms_of(settings: MatchSettings, seat: int | None = None) -> str:
    """Describe a match, and which `seat` is left for the reader."""
    parts = [title_of_settings(settings), _clock(settings.time)]
    parts.append("rated" if settings.rated else "casual")
    if seat is not None:
        parts.append("they move first" if seat else "you move first")
    return " · ".join(parts)


def _clock(time: TimeControl) -> str:
    parts = []
    if time.base_ms is not None:
        added = f" + {span(time.increment_ms)}" if time.increment_ms else ""
        parts.append(f"{span(time.base_ms)}{added}")
    if time.move_ms is not None:
        parts.append(f"{span(time.move_ms)} a move")
    return ", ".join(parts) or "no clock"


def board_of(settings: MatchSettings) -> str:
    """Return the query of the geometry of a match; empty if its game is unknown."""
    try:
        return f"game={settings.game}&size={make_game(settings.game, settings.params).size}"
    except GameError:
        return ""


def record_of(settings: MatchSettings, room: Room | None = None) -> str:
    """Return the position of a room, or the one with which a match begins; empty if unknown."""
    match = None if room is None else room.match
    played = settings.start if match is None else [action for action, _ in match.moves]
    players = (None, None) if room is None else room.players
    names = tuple(str(seat) if p is None else p.name for seat, p in enumerate(players))
    try:
        game = make_game(settings.game, settings.params)
        moves = tuple(map(RecordedMove, played))
        return format_record(Record(game, (names[0], names[1]), moves, settings.opening))
    except GameError:
        return ""
