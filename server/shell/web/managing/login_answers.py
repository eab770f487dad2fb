"""The questions and answers about the ways to log in, as pydantic models."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from doublecross.server.shell.identity.mail import EMAIL
from doublecross.server.shell.web.managing.account_answers import (
    Code,
    Password,
    Question,
    Secret,
    TokenLabel,
)

Email = Annotated[str, Field(max_length=254, pattern=EMAIL)]
Current = Annotated[Password, Field(description="the password; empty if there is none")]


class NothingQuestion(Question):
    """An empty object."""


class ForgottenQuestion(Question):
    """A name, or an e-mail address."""

    who: Annotated[str, Field(min_length=1, max_length=254, pattern=r"^[^\x00-\x1f\x7f]*$")]


class LinkQuestion(Question):
    """The secret behind the `#` of a link that was mailed."""

    link: Secret


class ResetQuestion(LinkQuestion):
    """A new password, and the secret of the link that allows it."""

    password: Password


class PasskeyQuestion(Question):
    """What a browser answers to the options, as `PublicKeyCredential.toJSON` makes it."""

    credential: dict[str, Any]
    label: TokenLabel = Field(default="login", description="of the session, or of a new passkey")


class CurrentQuestion(Question):
    """The password, before something that the login depends on changes."""

    current: Current


class EmailQuestion(CurrentQuestion):
    """An e-mail address to confirm; null: the one that there is goes."""

    email: Email | None


class AppQuestion(CurrentQuestion):
    """The key that an app has got, and its first code."""

    key: Annotated[str, Field(pattern=r"^[A-Z2-7]{32}$")]
    code: Code


class RemovedPasskeyQuestion(Question):
    """The passkey to remove."""

    id: Annotated[str, Field(max_length=1400, pattern="^[A-Za-z0-9_-]+$")]


class WaysAnswer(BaseModel):
    """What this server offers to visitors."""

    mail: bool = Field(description="whether it mails links for lost passwords")


class NameAnswer(BaseModel):
    """The name of the account."""

    name: str


class OptionsAnswer(BaseModel):
    """The options for `navigator.credentials` of a browser, in WebAuthn's JSON form."""

    options: dict[str, Any]


class PasskeyLine(BaseModel):
    """A passkey."""

    id: str
    label: str
    made: int = Field(description="milliseconds since 1970, UTC")


class LoginsAnswer(WaysAnswer):
    """How the owner of the account logs in, beside the password."""

    email: str | None
    unconfirmed: str | None = Field(description="an address whose link nobody has opened yet")
    second_factor: bool = Field(description="whether a login needs a code")
    recovery_codes: int = Field(description="how many of them are left")
    passkeys: list[PasskeyLine]


class AppKeyAnswer(BaseModel):
    """A key for an app, and the link by which apps take it."""

    key: str
    uri: str


class CodesAnswer(BaseModel):
    """The recovery codes. Nobody can see them again."""

    codes: list[str]
