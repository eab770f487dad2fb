"""Fetch the tournaments that have ended, and their games, from the server's HTTP address.

The lobby lists only open and running tournaments. The others are in the server's database, which
HTTP reads.
"""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from typing import Any, Final

from pydantic import ValidationError

from client.language import tr
from client.tk.files import RecordFile, parsed_records
from client.tk.models.lobby.past import PastTournament
from client.tk.network.thread import Refusal

_PATIENCE_S: Final = 20.0
"""Seconds to wait for an answer."""
_MOST_BYTES: Final = 64 * 1024 * 1024
"""The largest answer that is read."""
_NO_ADDRESS: Final = tr("This server shows no tournaments that are over: it has no HTTP address.")


async def past_tournaments(http: str | None) -> tuple[PastTournament, ...]:
    """Return the tournaments that have ended, the newest first.

    Raises:
        Refusal: the server does not answer, or its answer cannot be read.
    """
    text = await _fetch(http, "/api/tournaments")
    try:
        rows: list[dict[str, Any]] = json.loads(text)["tournaments"]
        # The terms of a tournament that an older server stored may be unreadable.
        found = [PastTournament.parse(row) for row in rows if row.get("terms")]
    except (ValidationError, ValueError, LookupError, TypeError, AttributeError):
        raise Refusal(tr("The server's list of tournaments cannot be read.")) from None
    return tuple(each for each in found if each.ended)


async def tournament_records(http: str | None, tournament: str, name: str) -> RecordFile:
    """Return the games of a tournament called `name`.

    Raises:
        Refusal: the server does not answer, or there are no games yet.
    """
    text = await _fetch(http, f"/api/tournaments/{tournament}/records")
    if not text.strip():
        raise Refusal(tr("No game of {name} is over yet.", name=name))
    return await asyncio.to_thread(
        parsed_records, text, tr("The list of games of {name}", name=name), name
    )


async def _fetch(http: str | None, path: str) -> str:
    if not http:
        raise Refusal(_NO_ADDRESS)
    return await asyncio.to_thread(_read, http.rstrip("/") + path)


def _read(url: str) -> str:
    if not url.startswith(("http://", "https://")):
        raise Refusal(_NO_ADDRESS)
    try:
        with urllib.request.urlopen(url, timeout=_PATIENCE_S) as answer:
            data: bytes = answer.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise Refusal(tr("The server's answer is too large."))
        return data.decode()
    except (OSError, ValueError) as error:
        why = getattr(error, "reason", None) or error
        raise Refusal(
            tr("The server's list of tournaments cannot be fetched: {why}.", why=why)
        ) from None
