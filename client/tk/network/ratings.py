"""Fetch how a match has changed a player's rating from the server's HTTP address."""

from __future__ import annotations

import json
from typing import Final
from urllib.parse import quote

from doublecross.client.language import tr
from doublecross.client.tk.models.room.rating import RatingChange, RatingRequest
from doublecross.client.tk.network.http import fetch_text
from doublecross.client.tk.refusal import Refusal

_NO_ADDRESS: Final = tr("This server shows no ratings: it has no HTTP address.")
_FAILED: Final = tr("The new rating cannot be fetched: {why}.")


async def rating_change(http: str | None, request: RatingRequest) -> RatingChange:
    """Return the requested rating and the one before it.

    Raises:
        Refusal: the server does not answer, or its answer has no such rating.
    """
    path = f"/api/players/{quote(request.player, safe='')}"
    text = await fetch_text(http, path, no_address=_NO_ADDRESS, failed=_FAILED)
    try:
        return RatingChange.parse(json.loads(text)["ratings"], request)
    except (LookupError, TypeError, ValueError):
        raise Refusal(tr("The server's list of ratings cannot be read.")) from None
