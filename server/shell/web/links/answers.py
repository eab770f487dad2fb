"""The answers about links, as the OpenAPI document describes them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from doublecross.protocol.common import MatchSettings, PlayerInfo
from doublecross.server.shell.web.answers import HttpAnswer


class Invitation(HttpAnswer):
    """A room or a seek that somebody passes on by its link."""

    kind: Literal["room", "seek"]
    state: Literal["open", "playing", "finished", "closed", "taken", "cancelled", "expired"] = (
        Field(description="open: a player is wanted; taken: the match is in `room`")
    )
    players: list[PlayerInfo | None] = Field(
        min_length=2, max_length=2, description="by seat; a seek lists its player first"
    )
    seat: int | None = Field(description="the seat that is left; null: a random one, or none")
    settings: MatchSettings
    room: str | None = Field(description="where to play or to watch")


class LinkPreview(HttpAnswer):
    """What a messenger shows of a link."""

    title: str
    text: str
    picture: str = Field(description="the address of its picture; empty: the sign of the program")
    board: str = Field(description="the query of the geometry that its page draws; empty: unknown")
