"""Make finished games as the server lists them for one of their players."""

from __future__ import annotations

from typing import Any

from doublecross.protocol.history_messages import OwnGame
from doublecross.server.shell.lobby.titles import title_of


def own(number: int, **changes: Any) -> OwnGame:
    """Return game `number`, which Ann has lost against Wong, with some fields replaced."""
    values: dict[str, Any] = {
        "game_id": f"g{number}",
        "game": "dots-and-boxes",
        "size": "5x5",
        "seat": 0,
        "players": ("Ann", "Wong"),
        "engines": ("", ""),
        "rated": False,
        "private": False,
        "finished_ms": 1_767_225_600_000 + number * 86_400_000,
        "termination": "completed",
        "outcome": "lost",
        "scores": (12, 13),
        "plies": 60,
    }
    values |= changes
    values.setdefault("title", title_of(values["game"], values["size"]))
    return OwnGame(**values)
