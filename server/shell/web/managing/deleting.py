"""The address by which players delete their own accounts."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from doublecross.server.core.errors import bad_parameter
from doublecross.server.shell.accounts.issuing import check_session
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.admin.audit import Actor
from doublecross.server.shell.admin.players import PlayerService
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.web.endpoints import Endpoint, Handler, read_body
from doublecross.server.shell.web.limits import address_of, source_of
from doublecross.server.shell.web.managing import account_answers as answers
from doublecross.server.shell.web.managing.account import endpoint, identified, private
from doublecross.server.shell.web.managing.admin_answers import RenamedAnswer


def delete_endpoint(
    authority: Authority,
    players: PlayerService,
    sources: Sources,
    whole: Callable[[Handler], Handler],
) -> Endpoint:
    """Return the endpoint; `whole` lets a handler go on when its connection has ended."""

    async def delete(request: Request) -> Response:
        asked = await read_body(request, answers.DeleteQuestion)
        login, _ = await identified(authority.accounts, sources, request)
        name = login.player.name
        if login.account.is_claimed:  # a guest has no session
            check_session(login)
        if asked.confirm != name:
            raise bad_parameter("Type your name, {name}, to delete your account.", name)
        if login.account.is_claimed:
            source = source_of(sources, request.scope)
            async with authority.accounts.confirmed(login, asked.current, source):
                pass  # the player service waits for the account's turn itself
        actor = Actor(login.account.account_id, name, address_of(sources, request.scope))
        return private(RenamedAnswer(name=await players.delete(actor, name, lift_bans=False)))

    return endpoint(
        "/api/account/delete",
        whole(delete),
        "Delete your account. Your games stay for your opponents, under another name.",
        RenamedAnswer,
        answers.DeleteQuestion,
    )
