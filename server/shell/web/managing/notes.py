"""The address of what a player notes about a game, for nobody else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.text import escaped
from doublecross.server.core.errors import Refused, too_many
from doublecross.server.core.people.accounts import Login
from doublecross.server.core.people.notes import MOST_NOTES
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.web.endpoints import Endpoint, read_body
from doublecross.server.shell.web.limits import NOTE
from doublecross.server.shell.web.managing.account import endpoint, identified, private
from doublecross.server.shell.web.managing.account_answers import NoteAnswer, NoteQuestion


def note_endpoint(
    authority: Authority, stored: Callable[..., Awaitable[None]], sources: Sources
) -> Endpoint:
    """Return the endpoint; `stored(games=True)` waits until all finished games are stored."""
    accounts = authority.accounts

    async def note(request: Request) -> Response:
        notes = authority.store.notes
        asked = await read_body(request, NoteQuestion)
        login, _ = await identified(authority.accounts, sources, request)
        mine, game_id = login.account.account_id, asked.game_id
        if asked.words is None:
            return private(NoteAnswer(words=await notes.note(mine, game_id)))
        words = escaped(asked.words, keep="\n\t").strip()
        # One after the other, so that the limit holds, and nobody writes who is being deleted.
        async with accounts.turns.of(mine):
            await accounts.anew(login)
            if words:
                if not await _played(login, game_id):
                    raise Refused(ErrorCode.UNKNOWN_RECORD, "You play no game {game_id}.", game_id)
                if not await notes.has_room(mine, game_id, MOST_NOTES):
                    raise too_many(
                        "You have notes about {count} games, which is the limit.", MOST_NOTES
                    )
            await notes.write(mine, game_id, words, authority.date())
        return private(NoteAnswer(words=words))

    async def _played(login: Login, game_id: str) -> bool:
        """Return whether a player plays a game, or has played it."""
        room_id, _, match = game_id.rpartition("-")
        room = authority.lobby.rooms.get(room_id)
        if room is not None and match == str(room.match_number):
            return room.seat_of(login.player.name) is not None
        await stored(games=True)
        row = await authority.store.game(game_id)
        if row is not None:
            return login.account.account_id in row.accounts
        sleeper = await authority.store.sleeping.room(room_id)
        return sleeper is not None and match.isdecimal() and login.player.name in sleeper.players

    return endpoint(
        NOTE,
        note,
        "Your note about a game that you play or have played. Only you can read it. With words it "
        "takes the place of the former one; empty words end it.",
        NoteAnswer,
        NoteQuestion,
    )
