"""Decide who may read the record of a private game."""

from __future__ import annotations

import hmac

from server.core.storage import GameRow


def may_read(
    row: GameRow, *, player: str = "", code: str | None = None, room: bool = False
) -> bool:
    """Return whether somebody may read a finished game.

    Everybody may read public games. A private one is for its two players, for those who give the
    join code of its room, and for those who follow the room now (`room`).
    """
    if not row.private or room or (player and player in row.players):
        return True
    if code is None or row.code is None:
        return False
    return hmac.compare_digest(code.encode(), row.code.encode())
