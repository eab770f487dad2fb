"""The addresses for admins and for the host. All need the scope `admin`, or the host's token."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final, Protocol

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.common import MAX_INT
from doublecross.protocol.text import one_line
from doublecross.server.core.errors import bad_parameter
from doublecross.server.core.people.accounts import Ban
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.admin.audit import Actor, AuditLog
from doublecross.server.shell.admin.players import PlayerService
from doublecross.server.shell.admin.service import AdminService
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.metrics.overview import connected
from doublecross.server.shell.web.endpoints import (
    BadRequestError,
    Endpoint,
    Handler,
    QueryParameter,
    limit,
    read_body,
    values,
)
from doublecross.server.shell.web.managing import admin_answers as answers
from doublecross.server.shell.web.managing.account import private
from doublecross.server.shell.web.managing.account_answers import DoneAnswer
from doublecross.server.shell.web.managing.acting import actor_of, admin_endpoint
from doublecross.server.shell.web.managing.deleting import delete_endpoint
from doublecross.server.shell.web.managing.reports import report_answer, report_line

_SEARCH: Final = QueryParameter("search", "a part of the name", default="")
_REPORT: Final = QueryParameter("report_id", "the id of the report", is_required=True)


class View(Protocol):
    """The view for admins; see `doublecross.server.shell.metrics.overview.ServerView`."""

    async def overview(self) -> dict[str, Any]:
        """Return the fields of `answers.Overview`."""
        ...

    async def rooms(self, limit: int) -> tuple[Sequence[dict[str, Any]], int]:
        """Return the newest rooms as the fields of `answers.RoomLine`, and how many there are."""
        ...


class AdminEndpoints:
    """The endpoints of one server. `host_hash` is the hash of the host's token, if there is one."""

    def __init__(
        self, authority: Authority, view: View, sources: Sources, host_hash: bytes | None
    ) -> None:
        self._view = view
        self._authority = authority
        self._sources = sources
        self._host_hash = host_hash
        self._store = authority.store.accounts
        log = AuditLog(self._store, authority.date)
        self._service = AdminService(authority, log, authority.date)
        self._players = PlayerService(authority, self._service, log)
        self._under_way: set[asyncio.Future[Response]] = set()

    async def _actor(self, request: Request) -> Actor:
        """Return who sends a request.

        Raises:
            Refused: neither the host nor an admin.
            StoreError: the database failed.
        """
        accounts, sources = self._authority.accounts, self._sources
        return await actor_of(accounts, sources, self._host_hash, request)

    # -- seeing ------------------------------------------------------------------------------

    async def _overview(self, request: Request) -> Response:
        await self._actor(request)
        return private(answers.Overview.model_validate(await self._view.overview()))

    async def _connected(self, request: Request) -> Response:
        await self._actor(request)
        asked, now_s = values(request), asyncio.get_running_loop().time()
        found, total = await connected(self._authority, asked["search"], asked["limit"], now_s)
        lines = [answers.ConnectedPlayer.model_validate(each) for each in found]
        return private(answers.PlayersAnswer(players=lines, total=total))

    async def _accounts(self, request: Request) -> Response:
        await self._actor(request)
        asked = values(request)
        bans = self._authority.accounts.bans.current
        lines = []
        found = await self._store.search(asked["search"], asked["limit"])
        known = await self._store.credentials([login.player.account_id for login, _ in found])
        emails = {each.account_id: each.label for each in known if each.kind == "email"}
        with_codes = {each.account_id for each in known if each.kind == "app"}
        for login, runner in found:
            player, account = login.player, login.account
            mine = [ban for ban in bans if ban.account_id == player.account_id]
            lines.append(
                answers.StoredPlayer(
                    name=player.name,
                    account_id=player.account_id,
                    kind=player.kind,
                    claimed=account.is_claimed,
                    admin=account.is_admin,
                    run_by=runner,
                    created_ms=player.created_ms,
                    connected=player.name in self._authority.peers.sessions,
                    email=emails.get(player.account_id),
                    second_factor=player.account_id in with_codes,
                    bans=[_ban(ban, player.name) for ban in mine],
                )
            )
        return private(answers.AccountsAnswer(accounts=lines))

    async def _rooms(self, request: Request) -> Response:
        await self._actor(request)
        found, total = await self._view.rooms(values(request)["limit"])
        lines = [answers.RoomLine.model_validate(each) for each in found]
        return private(answers.RoomsAnswer(rooms=lines, total=total))

    async def _bans(self, request: Request) -> Response:
        await self._actor(request)
        current = sorted(self._authority.accounts.bans.current, key=lambda ban: -ban.made_ms)
        return private(answers.BansAnswer(bans=[await self._named(ban) for ban in current]))

    async def _named(self, ban: Ban) -> answers.BanAnswer:
        login = None if ban.account_id is None else await self._store.account(ban.account_id)
        return _ban(ban, None if login is None else login.player.name)

    async def _audit(self, request: Request) -> Response:
        await self._actor(request)
        asked = values(request)
        found = await self._store.audit(asked["limit"], asked["before"])
        lines = [answers.AuditLine.model_validate(each, from_attributes=True) for each in found]
        more = lines[-1].number if len(lines) == asked["limit"] else None
        return private(answers.AuditAnswer(entries=lines, next=more))

    async def _reports(self, request: Request) -> Response:
        await self._actor(request)
        found = await self._authority.store.social.reports(values(request)["limit"])
        return private(answers.ReportsAnswer(reports=[report_line(each) for each in found]))

    async def _report(self, request: Request) -> Response:
        await self._actor(request)
        return private(await report_answer(self._authority, values(request)["report_id"]))

    async def _note_report(self, request: Request) -> Response:
        asked = await read_body(request, answers.ReportQuestion)
        actor, note = await self._actor(request), one_line(asked.note)
        await self._service.note_report(actor, asked.report_id, note, asked.closed)
        return private(DoneAnswer())

    # -- acting ------------------------------------------------------------------------------

    def _post(
        self,
        name: str,
        handle: Handler,
        about: str,
        question: type[BaseModel],
        answer: type[BaseModel] = DoneAnswer,
    ) -> Endpoint:
        return admin_endpoint(name, self._whole(handle), about, answer, question=question)

    def _whole(self, handle: Handler) -> Handler:
        """Return a handler that goes on even if its request ends before.

        The memory of the server must follow the database.
        """

        async def whole(request: Request) -> Response:
            task = asyncio.ensure_future(handle(request))
            self._under_way.add(task)  # the event loop has only weak references
            task.add_done_callback(self._under_way.discard)
            return await asyncio.shield(task)

        return whole

    async def _kick(self, request: Request) -> Response:
        asked = await read_body(request, answers.KickQuestion)
        actor = await self._actor(request)
        await self._service.kick(actor, asked.player, one_line(asked.reason))
        return private(DoneAnswer())

    async def _ban(self, request: Request) -> Response:
        asked = await read_body(request, answers.BanQuestion)
        actor = await self._actor(request)
        if (asked.player is None) == (asked.network is None):
            raise BadRequestError(Sentence("Send the player or the network to ban, one of them."))
        ban, ended = await self._service.ban(
            actor, asked.player, asked.network, asked.hours, one_line(asked.reason)
        )
        return private(answers.NewBanAnswer(ban=await self._named(ban), ended=ended))

    async def _unban(self, request: Request) -> Response:
        asked = await read_body(request, answers.UnbanQuestion)
        await self._service.unban(await self._actor(request), asked.ban_id)
        return private(DoneAnswer())

    async def _rename(self, request: Request) -> Response:
        asked = await read_body(request, answers.RenameQuestion)
        await self._players.rename(await self._actor(request), asked.player, asked.to)
        return private(answers.RenamedAnswer(name=asked.to))

    async def _close_room(self, request: Request) -> Response:
        asked = await read_body(request, answers.CloseRoomQuestion)
        actor = await self._actor(request)
        await self._service.close_room(actor, asked.room, one_line(asked.reason))
        return private(DoneAnswer())

    async def _announce(self, request: Request) -> Response:
        asked = await read_body(request, answers.AnnounceQuestion)
        actor = await self._actor(request)
        count = await self._service.announce(actor, one_line(asked.text), asked.minutes)
        return private(answers.AnnouncedAnswer(players=count))

    async def _drain(self, request: Request) -> Response:
        asked = await read_body(request, answers.DrainQuestion)
        await self._service.drain(await self._actor(request), asked.on)
        return private(DoneAnswer())

    async def _password(self, request: Request) -> Response:
        asked = await read_body(request, answers.PlayerQuestion)
        link = await self._service.password_link(await self._actor(request), asked.player)
        return private(answers.PasswordLinkAnswer(link=self._authority.config.page + link))

    async def _end_second_factor(self, request: Request) -> Response:
        asked = await read_body(request, answers.PlayerQuestion)
        await self._service.end_second_factor(await self._actor(request), asked.player)
        return private(DoneAnswer())

    async def _grant(self, request: Request) -> Response:
        asked = await read_body(request, answers.GrantQuestion)
        await self._service.grant(await self._actor(request), asked.player, asked.admin)
        return private(DoneAnswer())

    async def _end_tokens(self, request: Request) -> Response:
        asked = await read_body(request, answers.PlayerQuestion)
        await self._service.end_tokens(await self._actor(request), asked.player)
        return private(DoneAnswer())

    async def _delete(self, request: Request) -> Response:
        asked = await read_body(request, answers.DeletePlayerQuestion)
        actor = await self._actor(request)
        login = await self._service.find(asked.player)
        if asked.confirm != login.player.name:
            raise bad_parameter(
                "Nothing was deleted: confirm must be the name {name}.", login.player.name
            )
        name = await self._players.delete(actor, login.player.name, lift_bans=asked.lift_bans)
        return private(answers.RenamedAnswer(name=name))

    # -- the list ----------------------------------------------------------------------------

    def endpoints(self) -> list[Endpoint]:
        """Return all endpoints."""
        before = QueryParameter("before", "continue a list; `next` of an answer has it", 1, MAX_INT)
        seen, listed = (_SEARCH, limit(1000, 100)), (limit(1000, 100),)
        return [
            admin_endpoint("overview", self._overview, "What the server does.", answers.Overview),
            admin_endpoint(
                "players", self._connected, "Who is connected.", answers.PlayersAnswer, seen
            ),
            admin_endpoint(
                "accounts", self._accounts, "All players by name.", answers.AccountsAnswer, seen
            ),
            admin_endpoint("rooms", self._rooms, "All open rooms.", answers.RoomsAnswer, listed),
            admin_endpoint("bans", self._bans, "All bans.", answers.BansAnswer),
            admin_endpoint("reports", self._reports, "Reports.", answers.ReportsAnswer, listed),
            admin_endpoint("report", self._report, "A report.", answers.ReportAnswer, (_REPORT,)),
            self._post(
                "note-report",
                self._note_report,
                "Write the note of a report, and close it or open it again.",
                answers.ReportQuestion,
            ),
            admin_endpoint(
                "audit",
                self._audit,
                "What admins did.",
                answers.AuditAnswer,
                (*listed, before),
            ),
            self._post("kick", self._kick, "End a player's connection.", answers.KickQuestion),
            self._post(
                "ban",
                self._ban,
                "Keep a player or a network out, and end the connections at once.",
                answers.BanQuestion,
                answers.NewBanAnswer,
            ),
            self._post("unban", self._unban, "Lift a ban.", answers.UnbanQuestion),
            self._post(
                "rename",
                self._rename,
                "Give a player another name, in finished games too. The player must connect again.",
                answers.RenameQuestion,
                answers.RenamedAnswer,
            ),
            self._post(
                "close-room",
                self._close_room,
                "Close a room; a match in play ends without a result.",
                answers.CloseRoomQuestion,
            ),
            self._post(
                "announce",
                self._announce,
                "Show a text to all players.",
                answers.AnnounceQuestion,
                answers.AnnouncedAnswer,
            ),
            self._post(
                "drain",
                self._drain,
                "Begin nothing new, so that the server can stop when the games in play are over.",
                answers.DrainQuestion,
            ),
            self._post(
                "password",
                self._password,
                "Make a link by which a player sets a new password. The former one ends, and so do"
                " all sessions.",
                answers.PlayerQuestion,
                answers.PasswordLinkAnswer,
            ),
            self._post(
                "end-second-factor",
                self._end_second_factor,
                "Ask a player for no codes at logins any more.",
                answers.PlayerQuestion,
            ),
            self._post(
                "grant", self._grant, "Make a player an admin, or not.", answers.GrantQuestion
            ),
            self._post(
                "end-tokens",
                self._end_tokens,
                "End all sessions and API tokens of a player.",
                answers.PlayerQuestion,
            ),
            self._post(
                "delete-player",
                self._delete,
                "Delete a player. The games stay for the opponents, under another name.",
                answers.DeletePlayerQuestion,
                answers.RenamedAnswer,
            ),
            delete_endpoint(self._authority, self._players, self._sources, self._whole),
        ]


def _ban(ban: Ban, player: str | None) -> answers.BanAnswer:
    return answers.BanAnswer(
        ban_id=ban.ban_id,
        account_id=ban.account_id,
        player=player,
        network=ban.network,
        until_ms=ban.until_ms,
        reason=ban.reason,
        made_ms=ban.made_ms,
        made_by=ban.made_by,
    )
