"""The questions and answers about accounts, as pydantic models."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from doublecross.protocol.common import Kind, Phrase, PlayerName
from doublecross.protocol.review_messages import ReviewedMove
from doublecross.server.core.people.accounts import Scope, TokenKind
from doublecross.server.core.people.notes import MOST_LETTERS

Password = Annotated[str, Field(max_length=1000)]
"""Longer ones are refused before they are read; the server says how long one may be."""
Secret = Annotated[str, Field(max_length=200)]
TokenLabel = Annotated[str, Field(min_length=1, max_length=60)]
Code = Annotated[str, Field(max_length=60)]
Days = Annotated[int, Field(ge=1, le=366)]


class Question(BaseModel):
    """The body of a request."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)


class LoginQuestion(Question):
    """The name and the password of an account."""

    name: PlayerName
    password: Password
    label: TokenLabel = Field(default="login", description="what the session is for")
    code: Code | None = Field(default=None, description="of the app, or a recovery code")


class PasswordQuestion(Question):
    """A new password."""

    password: Password
    current: Password | None = Field(
        default=None, description="the present password, if there is one"
    )


class DeleteQuestion(Question):
    """The end of an account. `confirm` is its name, exactly as it is."""

    confirm: str
    current: Password = Field(default="", description="the password, if there is one")


class NewTokenQuestion(Question):
    """An API token to make."""

    label: TokenLabel
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=4)]
    days: Days = Field(default=90, description="when it ends")
    player: PlayerName | None = Field(default=None, description="a bot that you run; null: you")


class TokenQuestion(Question):
    """A token that ends; null: the one that the request carries."""

    token_id: Annotated[str, Field(max_length=40)] | None = None


class NoteQuestion(Question):
    """A note about a game; without words it asks for the present one."""

    game_id: Annotated[str, Field(max_length=80, description="the room, `-`, the match")]
    words: Annotated[str, Field(max_length=MOST_LETTERS)] | None = None


class NoteAnswer(BaseModel):
    """The note about a game, empty if there is none."""

    words: str


class NewBotQuestion(Question):
    """A new bot, or one that plays as a guest with `token`."""

    name: PlayerName | None = None
    token: Secret | None = Field(default=None, description="the token of a bot without an account")
    days: Days = Field(default=90, description="when the first token of a new bot ends")


class AccountAnswer(BaseModel):
    """An account."""

    account_id: str
    name: str
    kind: Kind
    claimed: bool = Field(description="false: a guest")
    has_password: bool
    admin: bool
    run_by: str | None = Field(description="the account id of the person who runs this bot")
    created_ms: int
    scopes: list[Scope] = Field(description="what the token of this request allows")
    session: bool = Field(description="whether the request carries a login with a password")
    bots: list[str] = Field(description="the names of the bots that this person runs")


class TokenAnswer(BaseModel):
    """A token, without its secret."""

    token_id: str
    player: str
    kind: TokenKind
    label: str
    scopes: list[Scope]
    created_ms: int
    used_ms: int
    expires_ms: int | None
    current: bool = Field(description="whether the request carries this token")


class TokensAnswer(BaseModel):
    """The tokens of a person and of the person's bots, newest first."""

    tokens: list[TokenAnswer]


class IssuedAnswer(BaseModel):
    """A new token. Nobody can see the secret again."""

    secret: str
    token: TokenAnswer


class BotAnswer(BaseModel):
    """A bot that the person runs now. `issued` is null for one that keeps its token."""

    name: str
    issued: IssuedAnswer | None


class FailureAnswer(BaseModel):
    """A game that a bot lost by an error of its own."""

    game: str = Field(description="the id of the game")
    code: str | None = Field(description="the join code of its room; null: the game is public")
    title: str
    opponent: str
    finished_ms: int
    termination: str
    reason: str
    output: str = Field(description="the last lines that the bot had written")


class CostlyMoveAnswer(BaseModel):
    """A move of a bot that cost something, with the same fields as in the review of its game."""

    game: str = Field(description="the id of the game")
    code: str | None = Field(description="the join code of its room; null: the game is public")
    title: str
    opponent: str
    unit: str = Field(description="what the scores count, such as `boxes`; empty: nothing")
    played: str = Field(description="the name of the move")
    better: str = Field(description="the name of the best move")
    move: ReviewedMove


class CostlyMovesAnswer(BaseModel):
    """The moves that cost a bot most in its newest games, the costliest first."""

    moves: list[CostlyMoveAnswer]
    games: int = Field(description="how many games count")
    judged: int = Field(description="how many of them have a review, and so are in `moves`")
    working: bool = Field(description="whether another one is being reviewed: ask again")
    reason: str = Field(description="why the other games have no review; may be empty")
    phrase: Phrase | None = Field(description="what translations of `reason` need")


class BotWorkAnswer(BaseModel):
    """What a bot that you run did in its finished games."""

    name: str
    won: int
    drawn: int
    lost: int
    errors: dict[str, int] = Field(description="games lost by timeout, illegal moves or crashes")
    moves: int
    mean_ms: float | None = Field(description="the mean time for a move; null without moves")
    longest_ms: int
    failures: list[FailureAnswer] = Field(description="the newest games lost by an error")


class DoneAnswer(BaseModel):
    """The request was carried out."""

    done: bool = True
