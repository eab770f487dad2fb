"""Fetch how a match has changed a player's rating from the server's HTTP address."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from typing import Final
from urllib.parse import quote

from doublecross.client.language import tr
from doublecross.client.tk.models.room.rating import RatingChange, RatingRequest
from doublecross.client.tk.refusal import Refusal

_PATIENCE_S: Final = 20.0
"""Seconds to wait for an answer."""
_MOST_BYTES: Final = 1024 * 1024
"""How much of an answer is read."""


async def rating_change(http: str | None, request: RatingRequest) -> RatingChange:
    """Return the requested rating and the one before it.

    Raises:
        Refusal: the server does not answer, or its answer has no such rating.
    """
    # The address comes from the server, and `urlopen` opens other kinds of addresses, too.
    address = (http or "").rstrip("/")
    try:
        if not address.startswith(("http://", "https://")):
            raise OSError("The server has no HTTP address.")
        path = f"/api/players/{quote(request.player, safe='')}"
        text = await asyncio.to_thread(_read, address + path)
        return RatingChange.parse(json.loads(text)["ratings"], request)
    except (OSError, LookupError, TypeError, ValueError):
        raise Refusal(tr("The new rating cannot be fetched.")) from None


def _read(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=_PATIENCE_S) as answer:
        data: bytes = answer.read(_MOST_BYTES)
    return data
