"""The addresses for classes: the organiser's, and those of people who join."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from doublecross.protocol.common import MAX_INT
from doublecross.protocol.spreadsheet import csv_text
from doublecross.server.core.bot_work import ERRORS
from doublecross.server.core.errors import wrong_state
from doublecross.server.core.people.classrooms import Classroom
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.web.endpoints import Endpoint, QueryParameter, read_body, values
from doublecross.server.shell.web.limits import source_of
from doublecross.server.shell.web.managing import class_answers as answers
from doublecross.server.shell.web.managing.account import (
    endpoint,
    identified,
    issued_answer,
    private,
)

_COLUMNS: Final = (
    *("name", "player", "bot", "games", "won", "drawn", "lost", "points"),
    *("rating", "deviation", "pool", *ERRORS, "set aside"),
)
"""The columns of the grades as CSV."""


def class_endpoints(
    authority: Authority, stored: Callable[..., Awaitable[None]], sources: Sources
) -> list[Endpoint]:
    """Return the endpoints; `sources` finds the source of a request.

    `stored(games=True)` waits until all finished games are stored.
    """
    service = authority.classrooms

    async def mine(request: Request) -> Response:
        login, _ = await identified(authority.accounts, sources, request)
        found = [_class(each) for each in await service.owned(login)]
        return private(answers.ClassesAnswer(classes=found))

    async def make(request: Request) -> Response:
        asked = await read_body(request, answers.NewClassQuestion)
        login, _ = await identified(authority.accounts, sources, request)
        return private(_class(await service.make(login, asked.name)))

    async def change(request: Request) -> Response:
        asked = await read_body(request, answers.ChangeClassQuestion)
        login, _ = await identified(authority.accounts, sources, request)
        return private(_class(await service.change(login, asked.id, asked.open, asked.new_code)))

    async def show(request: Request) -> Response:
        login, _ = await identified(authority.accounts, sources, request)
        asked = values(request)
        found = await service.mine(login, asked["id"])
        await stored(games=True)
        members = await _members(authority, found, asked["since_ms"])
        if asked["format"] == "csv":
            return Response(_grades(members), media_type="text/csv; charset=utf-8", headers=_KEPT)
        return private(answers.MembersAnswer(**_class(found).model_dump(), members=members))

    async def named(request: Request) -> Response:
        source = source_of(sources, request.scope)
        found = await service.of_code(values(request)["code"], source)
        return private(answers.CodeAnswer(name=found.name))

    async def join(request: Request) -> Response:
        asked = await read_body(request, answers.JoinQuestion)
        login, _ = await identified(authority.accounts, sources, request)
        source = source_of(sources, request.scope)
        await service.of_code(asked.code, source)
        if not login.account.is_claimed:
            if asked.password is None:
                raise wrong_state("Choose a password to join the class.")
            await authority.accounts.set_password(login, asked.password, None, source)
            login, _ = await identified(authority.accounts, sources, request)
        found, issued = await service.join(login, asked.code, asked.label, asked.bot, source)
        return private(
            answers.JoinedAnswer(name=found.name, bot=asked.bot, issued=issued_answer(issued))
        )

    async def act(request: Request) -> Response:
        asked = await read_body(request, answers.ClassBotQuestion)
        login, _ = await identified(authority.accounts, sources, request)
        issued = None
        if asked.action == "token":
            issued = issued_answer(await service.new_token(login, asked.id, asked.bot))
        else:
            await service.put_aside(login, asked.id, asked.bot, asked.action == "aside")
        return private(answers.ClassBotAnswer(issued=issued))

    shown = endpoint(
        "/api/classes/members",
        show,
        "A class that you organise, with its members, their bots, and the figures for grades.",
        answers.MembersAnswer,
    )
    return [
        endpoint("/api/classes", mine, "The classes that you organise.", answers.ClassesAnswer),
        replace(
            shown,
            or_text=True,
            parameters=(
                QueryParameter("id", "the id of the class", is_required=True),
                QueryParameter("since_ms", "only games after this time", 0, MAX_INT, default=0),
                QueryParameter(
                    "format", "CSV for a spreadsheet", choices=("json", "csv"), default="json"
                ),
            ),
        ),
        endpoint(
            "/api/classes/code",
            named,
            "The class with a code.",
            answers.CodeAnswer,
            parameters=(QueryParameter("code", "the code of the class", is_required=True),),
        ),
        endpoint(
            "/api/classes/new",
            make,
            "Make a class that you organise.",
            answers.ClassAnswer,
            answers.NewClassQuestion,
        ),
        endpoint(
            "/api/classes/change",
            change,
            "Open or close a class, or give it another code.",
            answers.ClassAnswer,
            answers.ChangeClassQuestion,
        ),
        endpoint(
            "/api/classes/join",
            join,
            "Join a class. You get a bot and its token; a guest becomes an account.",
            answers.JoinedAnswer,
            answers.JoinQuestion,
        ),
        endpoint(
            "/api/classes/bot",
            act,
            "Make a new token for the bot of a member, set it aside, or take that back.",
            answers.ClassBotAnswer,
            answers.ClassBotQuestion,
        ),
    ]


_KEPT: Final = {
    "cache-control": "no-store",
    "content-disposition": 'attachment; filename="class.csv"',
}


def _class(found: Classroom) -> answers.ClassAnswer:
    return answers.ClassAnswer(
        id=found.classroom_id,
        name=found.name,
        code=found.code,
        open=found.is_open,
        created_ms=found.created_ms,
    )


async def _members(
    authority: Authority, classroom: Classroom, since_ms: int
) -> list[answers.MemberAnswer]:
    members = await authority.store.classrooms.members(classroom.classroom_id)
    games = await authority.store.bot_work.games([each.bot for each in members], since_ms)
    now, found = authority.date(), []
    for each in members:
        played, ratings = games[each.bot], authority.ratings.of(each.bot)
        rated = ratings[0] if ratings else None
        now_rated = None if rated is None else rated.now(now)
        found.append(
            answers.MemberAnswer(
                label=each.member.label,
                player=each.player,
                bot=each.bot,
                aside=each.member.is_aside,
                online=each.bot in authority.peers.sessions,
                joined_ms=each.member.joined_ms,
                games=played.games,
                won=played.won,
                drawn=played.drawn,
                lost=played.lost,
                points=played.points,
                errors=dict(played.errors),
                rating=None if now_rated is None else round(now_rated.rating, 1),
                deviation=None if now_rated is None else round(now_rated.deviation, 1),
                pool="" if rated is None else f"{rated.game} {rated.size}",
            )
        )
    return found


def _grades(members: list[answers.MemberAnswer]) -> str:
    """Return the figures as CSV, with a line for each member."""
    return csv_text(
        _COLUMNS,
        (
            (
                *(each.label, each.player, each.bot),
                *(each.games, each.won, each.drawn, each.lost, each.points),
                *(each.rating, each.deviation, each.pool),
                *(each.errors.get(kind, 0) for kind in ERRORS),
                "yes" if each.aside else "",
            )
            for each in members
        ),
    )
