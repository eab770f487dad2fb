"""Keep two people apart, one of whom blocks the other."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.storage import Store
from doublecross.server.shell.answers import reading
from doublecross.server.shell.peer import Peer


def may_be_apart(store: Store, peer: Peer, among: Iterable[PlayerInfo | None]) -> bool:
    """Return whether a player may be kept apart from one of these. Bots block nobody."""
    kinds = {each.kind for each in among if each is not None}
    if not kinds or (kinds == {"bot"} and peer.player is not None and peer.player.kind == "bot"):
        return False
    return store.social.may_block(peer.rights.account_id)


async def apart_from(
    store: Store, peer: Peer, among: Iterable[PlayerInfo | None] | None = None
) -> frozenset[str]:
    """Return the names of all whom a player blocks, or who block the player.

    `among` are those who matter, if that is known: then nothing is read in vain. The storage keeps
    an answer for a second only, so the nodes of a cluster need not tell each other.

    Raises:
        Refused: the storage does not answer.
    """
    if among is not None and not may_be_apart(store, peer, among):
        return frozenset()
    async with reading():
        return await store.social.apart(peer.rights.account_id)


def check_together(apart: Collection[str], others: Iterable[PlayerInfo | None]) -> None:
    """Check that a player may have to do with others; `apart` is what `apart_from` returns.

    Raises:
        Refused: one of them blocks the other. The sentence does not tell who.
    """
    for other in others:
        if other is not None and other.name in apart:
            raise Refused(ErrorCode.NOT_YOURS, "You cannot play or talk with {name}.", other.name)
