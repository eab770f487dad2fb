"""The messages about other people: whom a player follows and blocks, talk in rooms, and reports."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from doublecross.protocol.common import (
    Count,
    GameId,
    Kind,
    Millis,
    PlayerName,
    Request,
    RequestId,
    RoomId,
    Seat,
    WireModel,
)

MOST_WORDS: Final = 200
"""The most characters that somebody says at once."""

Words = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MOST_WORDS,
        pattern=r"^[^\x00-\x1f\x7f]*$",
        description="in one line; characters that do not print become spaces",
    ),
]
Tie = Literal["follow", "block"]
ReportReason = Annotated[
    Literal["insults", "spam", "cheating", "name", "other"], Field(description="what it is about")
]


class SetTie(Request):
    """Follow or block a player, or end that. Of two people, one of whom blocks the other, neither
    can challenge the other, accept an offer of the other, join a room of the other, or read what
    the other says. Tournaments pair them all the same. Only people can do this. Answer: `ties`.
    """

    type: Literal["set_tie"] = "set_tie"
    player: PlayerName
    tie: Tie | None = Field(description="what takes the place of the former tie; null: nothing")


class GetTies(Request):
    """List whom this player follows and blocks. Answer: `ties`."""

    type: Literal["get_ties"] = "get_ties"


class ReportPlayer(Request):
    """Report a player to the admins of the server. With a game in which you were, or which you may
    read, the server itself adds what was said there. A player makes a few reports a day at most.
    Answer: `done`.
    """

    type: Literal["report_player"] = "report_player"
    player: PlayerName
    reason: ReportReason
    words: str = Field(max_length=500, description="what happened, in your own words")
    game_id: GameId | None = Field(
        default=None, description="the game, also one in play: its room, `-` and the match"
    )


class Say(Request):
    """Say something in a room, if `talk` in `welcome` says that the server allows it. Players talk
    to each other, under the rules of `say_phrase` and within its limit; spectators talk to each
    other. Whoever hears it gets `said`, the speaker included. Do not send it again after a lost
    connection: read `get_talk` first. Answer: `done`.
    """

    type: Literal["say"] = "say"
    room: RoomId
    words: Words


class GetTalk(Request):
    """Get what the players of a room have said, as one of them, or else what its spectators have
    said. You must follow the room. Answer: `talk`.
    """

    type: Literal["get_talk"] = "get_talk"
    room: RoomId


class Followed(WireModel):
    """A player whom somebody follows."""

    player: PlayerName
    kind: Kind
    here: bool = Field(description="whether the player is connected")
    watching: RoomId | None = Field(description="a public game that the player watches, if any")


class Ties(WireModel):
    """Answer to get_ties and set_tie."""

    type: Literal["ties"] = "ties"
    id: RequestId
    follows: tuple[Followed, ...] = Field(description="in the order of their names")
    blocks: tuple[PlayerName, ...] = Field(description="in the order of their names")


class Said(WireModel):
    """Notice: somebody said something in a room. Nobody receives it from somebody whom they block,
    or who blocks them. `talk` has it later."""

    type: Literal["said"] = "said"
    room: RoomId
    match: Count = Field(description="the match during which or after which it was said")
    seat: Seat | None = Field(description="the seat of the speaker; null: a spectator")
    player: PlayerName
    words: str = Field(description="what the player said")
    at: Millis = Field(description="when, in milliseconds since 1970, UTC")


class Talk(WireModel):
    """Answer to get_talk: what was said last, oldest first."""

    type: Literal["talk"] = "talk"
    id: RequestId
    room: RoomId
    said: tuple[Said, ...] = Field(description="at most a hundred")
