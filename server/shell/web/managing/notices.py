"""The addresses by which players choose how they are told of their turns while they are away.

The docstring of each handler describes its address to users.
"""

from __future__ import annotations

import base64
import binascii
import inspect
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from doublecross.server.core.people.accounts import Login
from doublecross.server.shell.addresses.admission import Action
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.rooms.turn_messages import STOP
from doublecross.server.shell.web.endpoints import (
    Endpoint,
    Handler,
    QueryParameter,
    read_body,
    values,
)
from doublecross.server.shell.web.limits import address_of, source_of
from doublecross.server.shell.web.managing.account import endpoint, identified, private
from doublecross.server.shell.web.managing.account_answers import DoneAnswer, Question
from doublecross.server.shell.web.managing.login_answers import NothingQuestion


def _raw(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def _readable_key(text: str) -> str:
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey

    EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _raw(text))
    return text


def _readable_secret(text: str) -> str:
    if len(_raw(text)) != 16:
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


def notice_endpoints(authority: Authority, sources: Sources) -> list[Endpoint]:
    """Return the endpoints; `sources` finds the source of a request."""
    messages, turns = authority.turn_messages, authority.accounts.turns

    async def shown(login: Login) -> Response:
        can, wants = await messages.mails(login)
        key = messages.pusher.public_key
        return private(NoticesAnswer(push_key=key, can_mail=can, mails=can and wants))

    async def show(request: Request) -> Response:
        """Tell how you are told of your turns in games by days while you are away."""
        login, _ = await identified(authority, sources, request)
        return await shown(login)

    async def subscribe(request: Request) -> Response:
        """Push a message to this browser at your turns, until this login ends."""
        asked = await read_body(request, SubscriptionQuestion)
        login, rights = await identified(authority, sources, request)
        keys = _raw(asked.p256dh), _raw(asked.auth)
        async with turns.of(login.account.account_id):
            await messages.subscribe(login, rights, asked.endpoint, *keys)
        return await shown(login)

    async def unsubscribe(request: Request) -> Response:
        """Push no more messages to this browser."""
        asked = await read_body(request, BrowserQuestion)
        login, _ = await identified(authority, sources, request)
        await messages.unsubscribe(login, asked.endpoint)
        return await shown(login)

    async def mails(request: Request) -> Response:
        """Send you mails at your turns, or no more of them."""
        asked = await read_body(request, SwitchQuestion)
        login, _ = await identified(authority, sources, request)
        async with turns.of(login.account.account_id):
            await messages.want_mails(login, asked.on)
        return await shown(login)

    async def stop(request: Request) -> Response:
        """End the mails about turns, with the link of one of them; the body is ignored."""
        authority.accounts.bans.check_address(address_of(sources, request.scope))
        authority.admission.check(source_of(sources, request.scope), Action.PASSWORD)
        await messages.stop_mails(values(request)["link"])
        return private(DoneAnswer())

    def at(
        path: str,
        handle: Handler,
        question: type[BaseModel] | None,
        answer: type[BaseModel] = NoticesAnswer,
        parameters: tuple[QueryParameter, ...] = (),
    ) -> Endpoint:
        about = inspect.getdoc(handle) or ""
        return endpoint(f"/api/{path}", handle, about, answer, question, parameters)

    link = QueryParameter("link", "what stands in the link", is_required=True)
    return [
        at("account/notices", show, None),
        at("account/notices/push", subscribe, SubscriptionQuestion),
        at("account/notices/push/off", unsubscribe, BrowserQuestion),
        at("account/notices/mail", mails, SwitchQuestion),
        at(STOP.removeprefix("/api/"), stop, NothingQuestion, DoneAnswer, (link,)),
    ]
