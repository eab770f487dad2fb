"""Name the pages of a server that the window opens in the browser."""

from __future__ import annotations

from enum import StrEnum
from urllib.parse import quote

from doublecross.client.tk.models.snapshots import LinkSnapshot


class Page(StrEnum):
    """A page of the server; the value is its path."""

    ACCOUNT = "/account"
    LESSONS = "/learn"
    PUZZLES = "/puzzles"
    RECORDS = "/records"
    RULES = "/rules"
    TOURNAMENTS = "/tournaments"
    WALL = "/watch"


def game_page(game_id: str) -> str:
    """Return the path of the page of one finished game."""
    return f"/game/{quote(game_id, safe='')}"


def tournament_page(tournament: str) -> str:
    """Return the path of the page of one tournament."""
    return f"/tournament/{quote(tournament, safe='')}"


def page_server(link: LinkSnapshot | None) -> str | None:
    """Return the HTTP address of the server that the window is connected to.

    Return None if there is no connection, so that a server on this computer is of use, and an empty
    text if the server has no pages.
    """
    if link is None or link.state not in ("connected", "lost"):
        return None
    # The address comes from the server, and the browser opens other kinds of addresses, too.
    http = (link.http or "").rstrip("/")
    return http if http.startswith(("http://", "https://")) else ""
