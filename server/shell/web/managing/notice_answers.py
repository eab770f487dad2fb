"""The questions and answers about messages to players who are away, as pydantic models."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from doublecross.server.shell.web.managing.account_answers import Question


def raw(text: str) -> bytes:
    """Return the bytes of a text in the Base64 of web addresses.

    Raises:
        ValueError: it is none.
    """
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def _readable_key(text: str) -> str:
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey

    EllipticCurvePublicKey.from_encoded_point(SECP256R1(), raw(text))
    return text


def _readable_secret(text: str) -> str:
    if len(raw(text)) != 16:
        raise ValueError("it has 16 bytes")
    return text


class BrowserQuestion(Question):
    """The address that a browser's push service has given it."""

    endpoint: Annotated[str, Field(max_length=1000)]


class SubscriptionQuestion(BrowserQuestion):
    """A subscription, as `PushSubscription.toJSON` of a browser has it."""

    p256dh: Annotated[str, Field(max_length=100), AfterValidator(_readable_key)]
    auth: Annotated[str, Field(max_length=30), AfterValidator(_readable_secret)]


class SwitchQuestion(Question):
    """Whether something is on."""

    on: bool


class NoticesAnswer(BaseModel):
    """How you are told of your turns in games by days while you are away."""

    push_key: str | None = Field(description="the key for pushes; null: the server sends none")
    can_mail: bool = Field(description="whether the server can mail you")
    mails: bool = Field(description="whether you want mails")
