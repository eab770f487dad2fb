"""Fetch what only the server's HTTP address has."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from typing import Final

from doublecross.client.certificates import why_insecure
from doublecross.client.language import known, tr
from doublecross.client.tk.refusal import Refusal

_PATIENCE_S: Final = 20.0
"""Seconds to wait for an answer."""
_MOST_BYTES: Final = 64 * 1024 * 1024
"""The largest answer that is read."""


async def fetch_text(http: str | None, path: str, *, no_address: str, failed: str) -> str:
    """Return the answer of the server at the address `http` for a path.

    `no_address` is the sentence for a server without such an address, and `failed` that for an
    answer that does not come; its ``{why}`` is replaced by the reason.

    Raises:
        Refusal: the server does not answer.
    """
    if not http or not http.startswith(("http://", "https://")):
        raise Refusal(no_address)
    return await asyncio.to_thread(_read, http.rstrip("/") + path, failed)


def _read(url: str, failed: str) -> str:
    try:
        with urllib.request.urlopen(url, timeout=_PATIENCE_S) as answer:
            data: bytes = answer.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise Refusal(tr("The server's answer is too large."))
        return data.decode()
    except (OSError, ValueError) as error:
        why = getattr(error, "reason", None) or error
        insecure = (
            why_insecure(why, url.partition("/api/")[0]) if isinstance(why, OSError) else None
        )
        if insecure is not None:
            raise Refusal(known(insecure)) from None
        raise Refusal(failed.format(why=why)) from None
