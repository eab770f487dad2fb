"""A tiny page for problems that arise before the browser page is loaded."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterable
from typing import Final

from doublecross.server.shell.page.reply import Header, Reply

_STYLE: Final = (
    ":root{color-scheme:light dark}"
    "body{font:1.125rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem}"
    "h1{font-size:1.5rem}"
)
_POLICY: Final = (
    "default-src 'none'; style-src 'sha256-"
    + base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_TITLES: Final = {
    404: "Nothing here",
    405: "That does not work here",
    429: "Too many requests",
    503: "The server is busy",
}


def problem(
    status: int, sentence: str, accept: str, more: Iterable[Header] = (), start: str = ""
) -> Reply:
    """Return an answer that says what is wrong: a page for browsers, else JSON.

    The page links to the start page if `start` has its address.
    """
    headers = [("cache-control", "no-store"), ("vary", "accept"), *more]
    if "text/html" not in accept:
        body = json.dumps({"error": sentence}).encode()
        return Reply.made(status, "application/json", body, headers)
    title = _TITLES[status]
    link = f'<p><a href="{start}">Go to the start page</a></p>' if start else ""
    text = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title} - Doublecross</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style><main><h1>{title}</h1><p>{html.escape(sentence)}</p>{link}"
        "</main></html>\n"
    )
    return Reply.made(status, "text/html; charset=utf-8", text.encode(), headers, _POLICY)
