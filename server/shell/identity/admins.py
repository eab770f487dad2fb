"""Register the names of admins, which no guest can take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import structlog

from server.core.storage import Batch, PlayerRow, Store
from server.shell.identity.names import look_of
from server.shell.identity.tokens import new_token, token_hash

_log = structlog.get_logger("server")


class NameTakenError(Exception):
    """The name belongs to a player already. The message is one sentence for the host."""


async def register_admin(store: Store, name: str, now_ms: int, *, renew: bool = False) -> str:
    """Register a player with this name, and return the token that logs in as this player.

    With `renew`, a player with this name gets a new token, and the old one ends.

    Raises:
        NameTakenError: there is such a player, and `renew` is false; or there is a player whose
            name differs only in case.
        StoreError: the database failed.
    """
    known = await store.player_by_name(name)
    if known is not None and known.name != name:
        raise NameTakenError(
            f"There is a player {known.name}; name that player as the admin, or another name."
        )
    if known is not None and not renew:
        raise NameTakenError(
            f"The player {name} exists already and has a token."
            " If you do not have it, add --new-token; the old one then ends."
        )
    token = new_token(name, None)
    row = PlayerRow(name, "human", "", "", token_hash(token), now_ms, look_of(name))
    if known is not None:
        row = replace(known, token_hash=row.token_hash, look=row.look)
    await store.commit(Batch(None, players=[row]))
    return token


async def report_missing(store: Store, names: Iterable[str]) -> None:
    """Log which of these admins no player is, so that the host learns what to do."""
    for name in sorted(names):
        known = await store.player_by_name(name)
        if known is None or known.name != name:
            _log.warning(
                "admin_not_registered",
                admin=name,
                player="" if known is None else known.name,
                what="Stop the server and run: doublecross admin NAME --database DATABASE",
            )
