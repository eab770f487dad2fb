"""Count the moves that our server still has after it was killed."""

from __future__ import annotations

import json
import sqlite3
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.server.processes import doublecross


def stored_moves(core: int, database: Path, root: Path) -> int:
    """Start the server again on its database; return the moves of its games, finished or not."""
    server = doublecross(core, database, root)
    try:
        rooms = _answer(f"{server.http}/api/rooms")["rooms"]
        live = [room["room"] for room in rooms if room["status"] == "playing"]
        games = [_answer(f"{server.http}/api/rooms/{room}") for room in live]
        played = sum(len(game["moves"]) for game in games)
        _answer(f"{server.http}/api/games?limit=1")  # waits until the rows of all games are there
    finally:
        server.stop()
    with closing(sqlite3.connect(database)) as stored:
        (finished,) = stored.execute("SELECT coalesce(sum(plies), 0) FROM games").fetchone()
    return played + int(finished)


def _answer(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return json.load(answer)
