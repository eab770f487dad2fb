"""Decide who may read the record of a private game."""

from __future__ import annotations

import hmac

from doublecross.server.core.storage import GameRow


def may_read(
    row: GameRow, *, account_id: str = "", code: str | None = None, room: bool = False
) -> bool:
    """Return whether somebody may read a finished game.

    Everybody may read public games. A private one is for the accounts of its two players, for those
    who give the join code of its room, and for those who follow the room now (`room`).
    """
    if not row.private or room or (account_id and account_id in row.accounts):
        return True
    if code is None or row.code is None:
        return False
    return hmac.compare_digest(code.encode(), row.code.encode())
