"""The requests for records and reviews of finished games, and who may make them."""

from __future__ import annotations

import hmac
from typing import Final

from protocol.client_messages import GetRecord, GetReview
from protocol.errors import ErrorCode
from server.core.errors import Refused
from server.core.storage import GameRow
from server.shell.addresses.admission import Action
from server.shell.answers import reading
from server.shell.authority import Authority
from server.shell.identity.records import may_read
from server.shell.peer import Peer
from server.shell.reviews.sending import REVIEW_BYTES

RECORD_BYTES: Final = 8 * 1024
"""What a record costs when it is requested: its length is not known yet, and the database works."""


async def get_record(authority: Authority, peer: Peer, message: GetRecord) -> None:
    """See `GetRecord`."""
    row = await _find(authority, peer, message, RECORD_BYTES)
    record = {"type": "record", "id": message.id, "game_id": row.game_id, "text": row.record}
    peer.answer(record, RECORD_BYTES)


async def get_review(authority: Authority, peer: Peer, message: GetReview) -> None:
    """See `GetReview`."""
    authority.check_open()
    if _is_in_play(authority, peer, message):
        raise Refused(
            ErrorCode.WRONG_STATE, "This game is still in play; ask for its review when it is over."
        )
    row = await _find(authority, peer, message, REVIEW_BYTES)

    def admit() -> None:
        authority.admission.check(peer.source, Action.REVIEW)

    async with reading():
        standing = await authority.reviews.ask(peer.name, row, admit)
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
        await authority.committer.settled(games=True)
        row = await authority.store.game(message.game_id)
    if row is None or not may_read(
        row, player=peer.name, code=message.code, room=row.room in peer.followed
    ):
        raise Refused(ErrorCode.UNKNOWN_RECORD, f"There is no finished game {message.game_id}.")
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
