"""What players see of their own accounts, and everything that is stored about them."""

from __future__ import annotations

import re
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from doublecross.games.quoting import unquote
from doublecross.server.core.storage import Store
from doublecross.server.shell.accounts.issuing import check_session
from doublecross.server.shell.accounts.tokens import own_bot, tokens_of
from doublecross.server.shell.addresses.admission import Action
from doublecross.server.shell.admin.export import player_data
from doublecross.server.shell.lobby.titles import title_of
from doublecross.server.shell.web.endpoints import Endpoint, values
from doublecross.server.shell.web.limits import source_of
from doublecross.server.shell.web.managing import account_answers as answers
from doublecross.server.shell.web.managing.account import (
    OF_BOT,
    account_answer,
    endpoint,
    identified,
    private,
    token_answer,
)
from doublecross.server.shell.web.managing.admin_answers import PlayerData
from doublecross.server.shell.web.reading import Reading

_FAILURES: Final = 30
"""So many of the games that a bot lost by an error are shown."""
_REASON: Final = re.compile(r'^\[Reason "((?:[^"\\]|\\.)*)"\]$', re.MULTILINE)


def own_account_endpoints(reading: Reading) -> list[Endpoint]:
    """Return the endpoints."""
    store, sources = reading.store, reading.sources

    async def show(request: Request) -> Response:
        login, rights = await identified(reading.accounts, sources, request)
        return private(await account_answer(store, login, rights))

    async def list_tokens(request: Request) -> Response:
        login, rights = await identified(reading.accounts, sources, request)
        found = await tokens_of(store.accounts, login)
        shown = [token_answer(name, token, rights) for name, token in found]
        return private(answers.TokensAnswer(tokens=shown))

    async def work(request: Request) -> Response:
        login, _ = await identified(reading.accounts, sources, request)
        bot = await own_bot(store.accounts, login, values(request)["bot"])
        await reading.matches.settled(here=True)
        return private(await _work(store, bot.player.name))

    async def data(request: Request) -> Response:
        login, _ = await identified(reading.accounts, sources, request)
        if login.account.is_claimed:  # a guest has no session
            check_session(login)
        reading.admission.check(source_of(sources, request.scope), Action.RECORD)
        async with reading.record_turns.turn(login.account.account_id):
            await reading.matches.settled()
            found = await player_data(store, login, own=True)
        headers = {"cache-control": "no-store"}
        return Response(found, media_type="application/json", headers=headers)

    return [
        endpoint("/api/account", show, "Your account.", answers.AccountAnswer),
        endpoint(
            "/api/account/tokens",
            list_tokens,
            "Your sessions and API tokens, and those of your bots.",
            answers.TokensAnswer,
        ),
        endpoint(
            "/api/account/bots/work",
            work,
            "What a bot that you run did, and the games that it lost by errors.",
            answers.BotWorkAnswer,
            parameters=(OF_BOT,),
        ),
        endpoint(
            "/api/account/data",
            data,
            "Everything that is stored about you.",
            PlayerData,
        ),
    ]


async def _work(store: Store, name: str) -> answers.BotWorkAnswer:
    games = (await store.bot_work.games([name]))[name]
    failures = [
        answers.FailureAnswer(
            game=failure.game_id,
            code=failure.code,
            output=failure.output or "",
            title=title_of(failure.game, failure.size),
            opponent=failure.opponent,
            finished_ms=failure.finished_ms,
            termination=failure.termination,
            reason=_reason(failure.record),
        )
        for failure in await store.bot_work.failures(name, _FAILURES)
    ]
    return answers.BotWorkAnswer(
        name=name,
        won=games.won,
        drawn=games.drawn,
        lost=games.lost,
        errors=dict(games.errors),
        moves=games.moves,
        mean_ms=games.thought_ms / games.moves if games.moves else None,
        longest_ms=games.longest_ms,
        failures=failures,
    )


def _reason(record: str) -> str:
    """Return why a game ended, as its record says."""
    found = _REASON.search(record)
    return "" if found is None else unquote(found[1])
