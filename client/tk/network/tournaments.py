"""Fetch the tournaments that have ended, and their games, from the server's HTTP address.

The lobby lists only open and running tournaments. The others are in the server's database, which
HTTP reads.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

from pydantic import ValidationError

from doublecross.client.language import tr
from doublecross.client.tk.files import RecordFile, parsed_records
from doublecross.client.tk.models.lobby.past import PastTournament
from doublecross.client.tk.network.http import fetch_text
from doublecross.client.tk.refusal import Refusal

_NO_ADDRESS: Final = tr("This server shows no tournaments that are over: it has no HTTP address.")
_FAILED: Final = tr("The server's list of tournaments cannot be fetched: {why}.")


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
    return await fetch_text(http, path, no_address=_NO_ADDRESS, failed=_FAILED)
