"""Keep two people apart, one of whom blocks the other."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.storage import Store
from doublecross.server.shell.answers import reading
from doublecross.server.shell.peer import Peer


async def apart_from(
    store: Store, peer: Peer, among: Collection[PlayerInfo | None] | None = None
) -> frozenset[str]:
    """Return the names of all whom a player blocks, or who block the player.

    `among` are those who matter, if that is known: without any, nothing is read. Bots block nobody,
    so among them nothing is read either. The storage keeps an answer for a second only, so the
    nodes of a cluster need not tell each other.

    Raises:
        Refused: the storage does not answer.
    """
    if among is not None:
        everybody = (peer.player, *among)
        if not any(among) or all(each is None or each.kind == "bot" for each in everybody):
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
