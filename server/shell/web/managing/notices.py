"""The addresses by which players choose how they are told of their turns while they are away.

The docstring of each handler describes its address to users.
"""

from __future__ import annotations

import inspect

from pydantic import BaseModel
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
from doublecross.server.shell.web.managing.account_answers import DoneAnswer
from doublecross.server.shell.web.managing.login_answers import NothingQuestion
from doublecross.server.shell.web.managing.notice_answers import (
    BrowserQuestion,
    NoticesAnswer,
    SubscriptionQuestion,
    SwitchQuestion,
    raw,
)


def notice_endpoints(authority: Authority, sources: Sources) -> list[Endpoint]:
    """Return the endpoints; `sources` finds the source of a request."""
    messages, turns = authority.turn_messages, authority.accounts.turns

    async def shown(login: Login) -> Response:
        can, wants = await messages.mails(login)
        key = messages.pusher.public_key
        return private(NoticesAnswer(push_key=key, can_mail=can, mails=can and wants))

    async def show(request: Request) -> Response:
        """Tell how you are told of your turns in games by days while you are away."""
        login, _ = await identified(authority.accounts, sources, request)
        return await shown(login)

    async def subscribe(request: Request) -> Response:
        """Push a message to this browser at your turns, until this login ends."""
        asked = await read_body(request, SubscriptionQuestion)
        login, rights = await identified(authority.accounts, sources, request)
        keys = raw(asked.p256dh), raw(asked.auth)
        async with turns.of(login.account.account_id):
            await messages.subscribe(login, rights, asked.endpoint, *keys)
        return await shown(login)

    async def unsubscribe(request: Request) -> Response:
        """Push no more messages to this browser."""
        asked = await read_body(request, BrowserQuestion)
        login, _ = await identified(authority.accounts, sources, request)
        await messages.unsubscribe(login, asked.endpoint)
        return await shown(login)

    async def mails(request: Request) -> Response:
        """Send you mails at your turns, or no more of them."""
        asked = await read_body(request, SwitchQuestion)
        login, _ = await identified(authority.accounts, sources, request)
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
