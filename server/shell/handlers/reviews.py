"""The requests for finished games: their list, records and reviews, and who may make them."""

from __future__ import annotations

import hmac
from typing import Any, Final

from doublecross.protocol.client_messages import GetGames, GetRecord, GetReview
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused, wrong_state
from doublecross.server.core.rooms.match import NO_RESULT
from doublecross.server.core.storage import GameRow
from doublecross.server.shell.addresses.admission import Action
from doublecross.server.shell.analysis.review_sending import REVIEW_BYTES
from doublecross.server.shell.answers import reading
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.identity.records import may_read
from doublecross.server.shell.lobby.titles import title_of
from doublecross.server.shell.peer import Peer

RECORD_BYTES: Final = 8 * 1024
"""The price of a record when it is requested: nobody knows its length, and the database works."""

GAME_BYTES: Final = 256
"""The price of each game of a list when it is requested, about its size."""


async def get_games(authority: Authority, peer: Peer, message: GetGames) -> None:
    """Answer with a page of the player's finished games, newest first."""
    if message.before_id is not None and message.before_ms is None:
        raise Refused(
            ErrorCode.BAD_MESSAGE,
            "The last game of a page needs its time, too; send before_ms with before_id.",
        )
    authority.admission.check(peer.source, Action.RECORD)
    price = message.limit * GAME_BYTES
    peer.pay(price)
    async with reading(), authority.record_turns.turn(peer):
        # A game that has just ended may wait to be stored.
        await authority.all_rooms.settled(games=True)
        # One more than asked for shows whether there is a next page.
        rows = await authority.store.own_games(
            peer.name,
            peer.rights.account_id,
            limit=message.limit + 1,
            before_ms=message.before_ms,
            before_id=message.before_id or "",
        )
    shown = [own_game(row, peer.name) for row in rows[: message.limit]]
    more = len(rows) > len(shown)
    peer.answer({"type": "games", "id": message.id, "games": shown, "more": more}, price)


def own_game(row: GameRow, player: str) -> dict[str, Any]:
    """Return a finished game of `player` as the wire shows it."""
    seat = [name.casefold() for name in row.players].index(player.casefold())
    if row.termination in NO_RESULT:
        outcome = "none"
    else:
        outcome = {None: "drawn", seat: "won"}.get(row.winner, "lost")
    return {
        "game_id": row.game_id,
        "game": row.game,
        "size": row.size,
        "title": title_of(row.game, row.size),
        "seat": seat,
        "players": list(row.players),
        "engines": list(row.engines),
        "rated": row.rated,
        "private": row.private,
        "finished_ms": row.finished_ms,
        "termination": row.termination,
        "outcome": outcome,
        "scores": list(row.scores),
        "plies": row.plies,
    }


async def get_record(authority: Authority, peer: Peer, message: GetRecord) -> None:
    """Answer with the record of a finished game."""
    row = await _find(authority, peer, message, RECORD_BYTES)
    record = {"type": "record", "id": message.id, "game_id": row.game_id, "text": row.record}
    peer.answer(record, RECORD_BYTES)


async def get_review(authority: Authority, peer: Peer, message: GetReview) -> None:
    """Answer with the review of a finished game, or with how far it is."""
    authority.availability.check_open()
    # A game in play has no row yet. Without this, the answer would be that there is no such game.
    if _is_in_play(authority, peer, message):
        raise wrong_state("This game is still in play; ask for its review when it is over.")
    row = await _find(authority, peer, message, REVIEW_BYTES)

    def admit() -> None:
        authority.admission.check(peer.source, Action.REVIEW)

    async with reading():
        # `admit` is called only if a new review is made, because that is what costs.
        standing = await authority.reviews.ask(peer.name, row, admit)
    if peer not in authority.peers:
        # The player has disconnected meanwhile, and so waits only for as long as others who do.
        authority.reviews.depart(peer.name, authority.now())
    await authority.review_mail.answer(peer, message.id, row.game_id, standing)


async def _find(
    authority: Authority, peer: Peer, message: GetRecord | GetReview, price: int
) -> GameRow:
    """Return a finished game which the peer may read, at this price.

    Raises:
        Refused: there is none, or the peer asks for too many.
    """
    authority.admission.check(peer.source, Action.RECORD)
    peer.pay(price)
    async with reading(), authority.record_turns.turn(peer):
        await authority.all_rooms.settled(games=True)
        row = await authority.store.game(message.game_id)
    # One answer for both, so that nobody learns which private games there are.
    if row is None or not may_read(
        row,
        account_id=peer.rights.account_id,
        code=message.code,
        room=row.room in peer.followed,
    ):
        raise Refused(
            ErrorCode.UNKNOWN_RECORD, "There is no finished game {game_id}.", message.game_id
        )
    return row


def _is_in_play(authority: Authority, peer: Peer, message: GetReview) -> bool:
    """Return whether the game is in play, in a room of which the peer may know."""
    room = authority.lobby.rooms.get(message.game_id.rpartition("-")[0])
    if room is None or room.match is None or room.match.result is not None:
        return False
    code = room.terms.code
    may_know = (
        code is None
        or room.seat_of(peer.name) is not None
        or room.id in peer.followed
        or hmac.compare_digest((message.code or "").encode(), code.encode())
    )
    return room.game_id == message.game_id and may_know
