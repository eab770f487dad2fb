"""The addresses for accounts. A request names its account by `Authorization: Bearer` alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused, wrong_state
from doublecross.server.core.people.accounts import Login, Scope, Token
from doublecross.server.core.storage import Store
from doublecross.server.shell.accounts.identification import Identification
from doublecross.server.shell.accounts.issuing import Issued
from doublecross.server.shell.accounts.tokens import own_bot
from doublecross.server.shell.addresses.admission import Action
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.identity.rights import OF_PEOPLE, Rights, bearer
from doublecross.server.shell.web.endpoints import (
    BadRequestError,
    Endpoint,
    QueryParameter,
    read_body,
    values,
)
from doublecross.server.shell.web.limits import address_of, source_of
from doublecross.server.shell.web.managing import account_answers as answers
from doublecross.server.shell.web.managing.costly_moves import costly_moves

OF_BOT: Final = QueryParameter("bot", "the name of the bot", is_required=True)
"""The parameter of addresses about a bot that somebody runs."""
NO_TOKEN: Final = Sentence("Send your token in the header Authorization, as: Bearer TOKEN.")
_ERRORS: Final = {
    401: "The token is missing, unknown or has ended.",
    403: "The token does not allow this, or the account or the address is banned.",
    429: "Too many requests or passwords; wait as the sentence says.",
}


def private(model: BaseModel) -> Response:
    """Return an answer that nobody may keep."""
    return JSONResponse(model.model_dump(mode="json"), headers={"cache-control": "no-store"})


def endpoint(
    path: str,
    handle: Callable[[Request], Awaitable[Response]],
    about: str,
    answer: type[BaseModel],
    question: type[BaseModel] | None = None,
    parameters: tuple[QueryParameter, ...] = (),
) -> Endpoint:
    """Return an endpoint for one person only."""
    return Endpoint(path, handle, about, answer, parameters, _ERRORS, question=question)


async def identified(
    accounts: Identification, sources: Sources, request: Request
) -> tuple[Login, Rights]:
    """Return the account that a request names, and the rights of its token.

    Raises:
        Refused: it names none, or the account or the address is banned.
        StoreError: the database failed.
    """
    accounts.bans.check_address(address_of(sources, request.scope))
    secret = bearer(request.headers)
    if not secret:
        raise Refused(ErrorCode.BAD_TOKEN, NO_TOKEN)
    return await accounts.identify(secret)


def account_endpoints(
    authority: Authority, stored: Callable[..., Awaitable[None]], sources: Sources
) -> list[Endpoint]:
    """Return the endpoints; `sources` finds the source of a request.

    `stored(games=True)` waits until all finished games are stored.
    """
    service, tokens = authority.accounts, authority.tokens

    async def log_in(request: Request) -> Response:
        asked = await read_body(request, answers.LoginQuestion)
        service.bans.check_address(address_of(sources, request.scope))
        source = source_of(sources, request.scope)
        issued = await service.log_in(asked.name, asked.password, asked.label, source, asked.code)
        return private(issued_answer(issued))

    async def set_password(request: Request) -> Response:
        asked = await read_body(request, answers.PasswordQuestion)
        login, _ = await identified(service, sources, request)
        await service.set_password(
            login, asked.password, asked.current, source_of(sources, request.scope)
        )
        # Ask again, because the token of a guest is that of a session now.
        return private(
            await account_answer(authority.store, *await identified(service, sources, request))
        )

    async def new_token(request: Request) -> Response:
        asked = await read_body(request, answers.NewTokenQuestion)
        login, _ = await identified(service, sources, request)
        issued = await tokens.new_token(login, asked.player, asked.label, asked.scopes, asked.days)
        return private(issued_answer(issued))

    async def revoke(request: Request) -> Response:
        asked = await read_body(request, answers.TokenQuestion)
        login, rights = await identified(service, sources, request)
        token_id = asked.token_id or rights.token_id
        if not token_id:
            raise wrong_state(
                "A guest's token is all that keeps the name; set a password before you end it."
            )
        await tokens.revoke(login, token_id)
        return private(answers.DoneAnswer())

    async def new_bot(request: Request) -> Response:
        asked = await read_body(request, answers.NewBotQuestion)
        login, _ = await identified(service, sources, request)
        if (asked.name is None) == (asked.token is None):
            raise BadRequestError(
                Sentence("Send the name of a new bot, or the token of one that plays.")
            )
        if asked.token is not None:
            bot = await tokens.adopt(login, asked.token)
            return private(answers.BotAnswer(name=bot.player.name, issued=None))
        assert asked.name is not None
        issued = await tokens.new_bot(
            login, asked.name, source_of(sources, request.scope), asked.days
        )
        return private(answers.BotAnswer(name=asked.name, issued=issued_answer(issued)))

    async def costly(request: Request) -> Response:
        login, _ = await identified(service, sources, request)
        bot = await own_bot(authority.store.accounts, login, values(request)["bot"])
        await stored(games=True)
        source = source_of(sources, request.scope)

        def admit() -> None:
            authority.admission.check(source, Action.REVIEW)

        owner = login.account.account_id
        return private(await costly_moves(authority.reviews, authority.store, bot, owner, admit))

    return [
        endpoint(
            "/api/login",
            log_in,
            "Begin a session with a name and a password.",
            answers.IssuedAnswer,
            answers.LoginQuestion,
        ),
        endpoint(
            "/api/account/password",
            set_password,
            "Set your password. A guest becomes an account, and the guest's token a session. "
            "Otherwise all other sessions end.",
            answers.AccountAnswer,
            answers.PasswordQuestion,
        ),
        endpoint(
            "/api/account/tokens/new",
            new_token,
            "Make an API token for you or for a bot that you run.",
            answers.IssuedAnswer,
            answers.NewTokenQuestion,
        ),
        endpoint(
            "/api/account/tokens/revoke",
            revoke,
            "End a token and the connections that use it; without an id, log out.",
            answers.DoneAnswer,
            answers.TokenQuestion,
        ),
        endpoint(
            "/api/account/bots/new",
            new_bot,
            "Make the account of a bot that you run, or make a bot that plays as a guest yours.",
            answers.BotAnswer,
            answers.NewBotQuestion,
        ),
        endpoint(
            "/api/account/bots/moves",
            costly,
            "The moves that cost a bot that you run most in its newest games. Each request lets "
            "the server review one more of them.",
            answers.CostlyMovesAnswer,
            parameters=(OF_BOT,),
        ),
    ]


async def account_answer(store: Store, login: Login, rights: Rights) -> answers.AccountAnswer:
    """Return what a player sees of the own account."""
    account, player = login.account, login.player
    bots = await store.accounts.bots_of(account.account_id)
    order: tuple[Scope, ...] = ("bot", *OF_PEOPLE)
    return answers.AccountAnswer(
        account_id=account.account_id,
        name=player.name,
        kind=player.kind,
        claimed=account.is_claimed,
        has_password=account.password_hash is not None,
        admin=account.is_admin,
        run_by=account.run_by,
        created_ms=player.created_ms,
        scopes=[scope for scope in order if scope in rights.scopes],
        session=rights.is_session,
        bots=[bot.player.name for bot in bots],
    )


def token_answer(name: str, token: Token, rights: Rights) -> answers.TokenAnswer:
    """Return a token as its owner sees it, who asks with these rights."""
    return answers.TokenAnswer(
        token_id=token.token_id,
        player=name,
        kind=token.kind,
        label=token.label,
        scopes=list(token.scopes),
        created_ms=token.created_ms,
        used_ms=token.used_ms,
        expires_ms=token.expires_ms,
        current=token.token_id == rights.token_id,
    )


def issued_answer(issued: Issued) -> answers.IssuedAnswer:
    """Return the answer that shows a new token, once."""
    # The new token is never the "current" one of the request, so pass rights without a token.
    token = token_answer(issued.login.player.name, issued.token, Rights())
    return answers.IssuedAnswer(secret=issued.secret, token=token)
