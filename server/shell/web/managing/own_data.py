"""The addresses by which players take out or delete what is stored about themselves."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from doublecross.server.core.errors import bad_parameter
from doublecross.server.core.people.accounts import Login
from doublecross.server.shell.accounts.issuing import check_session
from doublecross.server.shell.addresses.admission import Action
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.admin.audit import Actor
from doublecross.server.shell.admin.players import PlayerService
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.web.endpoints import Endpoint, Handler, read_body
from doublecross.server.shell.web.limits import address_of, source_of
from doublecross.server.shell.web.managing import account_answers as answers
from doublecross.server.shell.web.managing.account import endpoint, identified, private
from doublecross.server.shell.web.managing.admin_answers import PlayerData, RenamedAnswer


def own_data_endpoints(
    authority: Authority,
    players: PlayerService,
    sources: Sources,
    whole: Callable[[Handler], Handler],
) -> list[Endpoint]:
    """Return the endpoints; `whole` lets a handler go on when its connection has ended."""

    async def asker(request: Request) -> Login:
        """Return who asks: a guest, or somebody who has logged in."""
        login, _ = await identified(authority, sources, request)
        if login.account.is_claimed:
            check_session(login)
        return login

    async def data(request: Request) -> Response:
        login, source = await asker(request), source_of(sources, request.scope)
        authority.admission.check(source, Action.RECORD)
        async with authority.record_turns.turn(login.account.account_id):
            found = await players.export(login.player.name, own=True)
        headers = {"cache-control": "no-store"}
        return Response(found, media_type="application/json", headers=headers)

    async def delete(request: Request) -> Response:
        asked = await read_body(request, answers.DeleteQuestion)
        login, source = await asker(request), source_of(sources, request.scope)
        name = login.player.name
        if asked.confirm != name:
            raise bad_parameter("Type your name, {name}, to delete your account.", name)
        if login.account.is_claimed:
            async with authority.accounts.confirmed(login, asked.current, source):
                pass  # the player service waits for the account's turn itself
        actor = Actor(login.account.account_id, name, address_of(sources, request.scope))
        return private(RenamedAnswer(name=await players.delete(actor, name, lift_bans=False)))

    return [
        endpoint(
            "/api/account/data",
            data,
            "Everything that is stored about you.",
            PlayerData,
        ),
        endpoint(
            "/api/account/delete",
            whole(delete),
            "Delete your account. Your games stay for your opponents, under another name.",
            RenamedAnswer,
            answers.DeleteQuestion,
        ),
    ]
