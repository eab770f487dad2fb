"""The questions and answers about classes, as pydantic models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from doublecross.protocol.common import PlayerName
from doublecross.server.shell.web.managing.account_answers import (
    IssuedAnswer,
    Password,
    Question,
)

ClassName = Annotated[str, Field(min_length=1, max_length=60)]
Code = Annotated[str, Field(min_length=1, max_length=20)]
Label = Annotated[str, Field(min_length=1, max_length=80)]
ClassId = Annotated[str, Field(min_length=1, max_length=40)]


class NewClassQuestion(Question):
    """A class to make."""

    name: ClassName


class ChangeClassQuestion(Question):
    """Changes of a class; what is null stays."""

    id: ClassId
    open: bool | None = None
    new_code: bool = False


class JoinQuestion(Question):
    """A person who joins a class; a guest also chooses a password."""

    code: Code
    label: Label = Field(description="who you are, for the organiser alone")
    bot: PlayerName = Field(description="the name of your bot, which everybody sees")
    password: Password | None = None


class ClassBotQuestion(Question):
    """What happens to the bot of a member."""

    id: ClassId
    bot: PlayerName
    action: Literal["token", "aside", "back"]


class ClassAnswer(BaseModel):
    """A class."""

    id: str
    name: str
    code: str
    open: bool
    created_ms: int


class ClassesAnswer(BaseModel):
    """The classes that you organise, newest first."""

    classes: list[ClassAnswer]


class CodeAnswer(BaseModel):
    """The class with a code."""

    name: str


class JoinedAnswer(BaseModel):
    """The class that you have joined, and the token of your new bot."""

    name: str
    bot: str
    issued: IssuedAnswer


class MemberAnswer(BaseModel):
    """A member with the games of the member's bot since the time that was asked for."""

    label: str
    player: str
    bot: str
    aside: bool
    online: bool
    joined_ms: int
    games: int
    won: int
    drawn: int
    lost: int
    points: float
    errors: dict[str, int] = Field(description="games lost by timeout, illegal moves or crashes")
    rating: float | None = Field(description="in the game and size with most rated games")
    deviation: float | None
    pool: str = Field(description="that game and size; empty without a rating")


class MembersAnswer(ClassAnswer):
    """A class with its members."""

    members: list[MemberAnswer]


class ClassBotAnswer(BaseModel):
    """What was done; a new token if one was asked for."""

    issued: IssuedAnswer | None
