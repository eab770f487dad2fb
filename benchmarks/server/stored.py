"""Count the moves that our server still has after it was killed."""

from __future__ import annotations

import json
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import closing
from http.client import NOT_FOUND
from pathlib import Path
from typing import Any

from benchmarks.server.processes import doublecross


def stored_moves(core: int, database: Path, root: Path, rooms: Sequence[str]) -> int:
    """Start the server again on its database; return all moves of games, with those of `rooms`.

    A room whose match is over shows no game.
    """
    server = doublecross(core, database, root)
    try:
        games = [_answer(f"{server.http}/api/rooms/{room}") for room in rooms]
        played = sum(len(game["moves"]) for game in games if game is not None)
        _answer(f"{server.http}/api/games?limit=1")  # waits until the rows of all games are there
    finally:
        server.stop()
    with closing(sqlite3.connect(database)) as stored:
        (finished,) = stored.execute("SELECT coalesce(sum(plies), 0) FROM games").fetchone()
    return played + int(finished)


def _answer(url: str) -> Any:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code != NOT_FOUND:
            raise
        return None
