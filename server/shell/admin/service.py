"""Act for admins: end connections, ban, close rooms, announce, drain, and manage rights.

Each method checks, writes the audit log, and only then changes something. `players.py` renames and
deletes players.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.text import one_line
from doublecross.protocol.version import CloseCode
from doublecross.server.core.errors import Refused, bad_parameter, wrong_state
from doublecross.server.core.people.accounts import AccountStore, Ban, Login
from doublecross.server.shell.admin.audit import Actor, AuditLog
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.identity.rights import new_id, rights_of
from doublecross.server.shell.peer import Peer

HOUR_MS: Final = 3_600_000
WIDEST: Final = {4: 8, 6: 16}
"""The shortest prefixes of networks that may be banned, by IP version.

Without a limit, one wrong number could ban nearly everybody.
"""
LOOPBACK: Final = tuple(map(ipaddress.ip_network, ("127.0.0.0/8", "::1/128")))
HOME_PREFIX: Final = 64
"""An IPv6 address stands for the network of its home or machine; see `addresses/sources.py`."""


async def find_player(accounts: AccountStore, name: str) -> Login:
    """Return a player by name; see `AdminService.find`."""
    login = await accounts.account_named(name)
    if login is None:
        raise Refused(ErrorCode.UNKNOWN_PLAYER, "There is no player {name}.", one_line(name))
    return login


class AdminService:
    """Act on a running server. `date` returns milliseconds since 1970, UTC."""

    def __init__(self, authority: Authority, log: AuditLog, date: Callable[[], int]) -> None:
        self._authority = authority
        self._accounts = authority.accounts
        self._store = authority.store.accounts
        self._log = log
        self._date = date
        self._leaving = asyncio.Lock()
        """Held while somebody stops being an admin, so that two cannot go at once."""

    async def find(self, name: str) -> Login:
        """Return a player by name, without regard to case.

        Raises:
            Refused: there is no such player.
            StoreError: the database failed.
        """
        return await find_player(self._store, name)

    # -- connections -------------------------------------------------------------------------

    async def kick(self, actor: Actor, name: str, reason: str) -> None:
        """End the connections of a player, who may connect again.

        Raises:
            Refused: the player is not connected.
            StoreError: the database failed.
        """
        login = await self.find(name)
        if not self._authority.peers.of(login.player.name):
            raise Refused(ErrorCode.UNKNOWN_PLAYER, "{name} is not connected.", login.player.name)
        async with self._log.noted(actor, "kick", login.player.name, reason):
            account_id = login.account.account_id
            # By account and not by peer: the player may have connected again during the await.
            self._accounts.end_connections(
                lambda each: each.rights.account_id == account_id,
                Sentence("An admin has ended your connection: {reason}.", told(reason)),
            )

    async def ban(
        self,
        actor: Actor,
        name: str | None,
        network: str | None,
        hours: float | None,
        reason: str,
    ) -> tuple[Ban, int]:
        """Ban a player or a network, and return the ban and how many connections it ended.

        Raises:
            Refused: there is no such player, it is an admin, or the network is too large, contains
                the admin, or is that of the server's machine.
            StoreError: the database failed.
        """
        account_id, target = None, ""
        if name is not None:
            login = await self.find(name)
            account_id, target = login.account.account_id, login.player.name
            if login.account.is_admin:
                raise wrong_state("{target} is an admin; take that right away first.", target)
        if network is not None:
            network = target = bannable(network, actor.address)
        now = self._date()
        until_ms = None if hours is None else now + round(hours * HOUR_MS)
        ban = Ban(new_id(), account_id, network, until_ms, reason, now, actor.name)
        until = "for good" if hours is None else f"for {hours:g} hours"
        async with self._log.noted(actor, "ban", target, f"{until}: {reason}" if reason else until):
            ended = await self._accounts.ban(ban)
        return ban, ended

    async def unban(self, actor: Actor, ban_id: str) -> None:
        """Lift a ban.

        Raises:
            Refused: there is no ban with this id.
            StoreError: the database failed.
        """
        ban = self._accounts.bans.get(ban_id)
        if ban is None:
            raise Refused(ErrorCode.UNKNOWN_BAN, "There is no ban with that id.")
        async with self._log.noted(actor, "unban", await self.banned(ban), ban.reason):
            await self._accounts.lift(ban_id)

    async def banned(self, ban: Ban) -> str:
        """Return whom a ban concerns: a name, a network, or an id if the account is gone.

        Raises:
            StoreError: the database failed.
        """
        if ban.account_id is None:
            return ban.network or ""
        login = await self._store.account(ban.account_id)
        return ban.account_id if login is None else login.player.name

    # -- the server --------------------------------------------------------------------------

    async def close_room(self, actor: Actor, room_id: str, reason: str) -> None:
        """Close a room; a match in play ends without a result.

        Raises:
            Refused: there is no such room.
            StoreError: the database failed.
        """
        room = self._authority.lobby.rooms.find(room_id)
        names = [player.name for player in room.players if player is not None]
        why = Sentence("An admin has closed the room: {reason}.", told(reason))
        async with self._log.noted(
            actor, "close_room", room_id, f"{' and '.join(names)}: {reason}".removesuffix(": ")
        ):
            self._authority.availability.check_open()
            # Find the room again: it may have closed, or may have been rebuilt, during the await.
            room = self._authority.lobby.rooms.find(room_id)
            self._authority.all_rooms.close(room, why)
            # The answer says that the room is closed, so its end must be stored.
            await self._authority.all_rooms.settled()

    async def announce(self, actor: Actor, text: str, minutes: int) -> int:
        """Send an announcement to all players; return how many are connected.

        Raises:
            StoreError: the database failed.
        """
        detail = f"{text} (for {minutes} minutes)" if minutes else text
        async with self._log.noted(actor, "announce", "", detail):
            return self._authority.announcements.announce(text, minutes)

    async def drain(self, actor: Actor, on: bool) -> None:
        """Begin nothing new on this server, or begin new things again.

        Raises:
            StoreError: the database failed.
        """
        async with self._log.noted(actor, "drain", "", "on" if on else "off"):
            self._authority.drain(on)

    # -- rights ------------------------------------------------------------------------------

    async def password_link(self, actor: Actor, name: str) -> str:
        """Return a link by which a player sets a new password; the former one and all sessions end.

        The link is a path of the page. It counts once, within a day.

        Raises:
            Refused: there is no such player, or it is a bot.
            StoreError: the database failed.
        """
        login = await self.find(name)
        player, account = login.player, login.account
        if account.run_by is not None or (player.kind == "bot" and not account.is_claimed):
            raise Refused(
                ErrorCode.WRONG_KIND, "{name} is a bot, and has no password.", player.name
            )
        async with self._log.noted(actor, "password", player.name):
            return await self._authority.recovery.host_link(login)

    async def end_second_factor(self, actor: Actor, name: str) -> None:
        """Let a player who has lost phone and recovery codes log in with the password alone.

        Raises:
            Refused: there is no such player.
            StoreError: the database failed.
        """
        login = await self.find(name)
        async with (
            self._log.noted(actor, "end_second_factor", login.player.name),
            self._accounts.turns.of(login.account.account_id),
        ):
            await self._accounts.second_factor.turn_off(login)

    async def grant(self, actor: Actor, name: str, is_admin: bool) -> None:
        """Make a player an admin, or end that.

        Raises:
            Refused: there is no such player, it is a bot or a guest, or the last admin.
            StoreError: the database failed.
        """
        if not is_admin:
            async with self.leaving(name) as login:
                if login.account.is_admin:
                    await self._set_admin(actor, login, False)
            return
        login = await self.find(name)
        account, player = login.account, login.player
        if account.run_by is not None or player.kind == "bot":
            raise Refused(
                ErrorCode.WRONG_KIND, "{name} is a bot; an admin must be a person.", player.name
            )
        if not account.is_claimed:
            raise wrong_state("{name} is a guest, who must set a password first.", player.name)
        if not account.is_admin:
            await self._set_admin(actor, login, True)

    async def _set_admin(self, actor: Actor, login: Login, is_admin: bool) -> None:
        account_id, what = login.account.account_id, "admin" if is_admin else "none"
        async with self._log.noted(actor, "grant", login.player.name, what):
            await self._store.set_admin(account_id, is_admin)
            await self._refresh(account_id)

    async def note_report(self, actor: Actor, report_id: str, note: str, is_closed: bool) -> None:
        """Write the note of a report, and close the report or open it again.

        Raises:
            Refused: there is no such report.
            StoreError: the database failed.
        """
        social = self._authority.store.social
        found = await social.report(report_id)
        if found is None:
            raise bad_parameter("There is no report with that id.")
        closed_ms = (found.closed_ms or self._date()) if is_closed else None
        closed_by = (found.closed_by or actor.name) if is_closed else ""
        action = "close_report" if is_closed else "note_report"
        async with self._log.noted(actor, action, found.about, note):
            await social.note(replace(found, note=note, closed_ms=closed_ms, closed_by=closed_by))

    @asynccontextmanager
    async def leaving(self, name: str) -> AsyncIterator[Login]:
        """Yield a player who stops being an admin in the block, if the player is one.

        Raises:
            Refused: there is no such player, or nobody else is an admin.
            StoreError: the database failed.
        """
        async with self._leaving:
            login = await self.find(name)
            if login.account.is_admin and len(await self._store.admins()) < 2:
                raise wrong_state(
                    "{name} is the last admin; make somebody else an admin first.",
                    login.player.name,
                )
            yield login

    async def _refresh(self, account_id: str) -> None:
        """Give the connections of an account the rights that its tokens have now."""
        login = await self._store.account(account_id)
        tokens = {token.token_id: token for token in await self._store.tokens([account_id])}
        # A hello that is under way has read the former rights.
        self._accounts.changes += 1
        for peer in self._authority.peers.all:
            if login is not None and peer.rights.account_id == account_id:
                token = tokens.get(peer.rights.token_id)
                peer.allow(rights_of(Login(login.player, login.account, token)))
                self._accounts.on_rights(peer)

    async def end_tokens(self, actor: Actor, name: str) -> None:
        """End all sessions and API tokens of a player.

        Raises:
            Refused: there is no such player, or it is a guest.
            StoreError: the database failed.
        """
        login = await self.find(name)
        if not login.account.is_claimed:
            raise wrong_state(
                "{name} is a guest, whose token is all that keeps the name; ban or delete"
                " the player instead.",
                login.player.name,
            )
        async with self._log.noted(actor, "end_tokens", login.player.name):
            await self._accounts.end_all(login.account.account_id)


def drop(authority: Authority, peer: Peer, reason: str) -> None:
    """End a connection and forget its player at once, without waiting for the other side."""
    peer.replaced = True  # so that the end of the connection changes nothing more
    authority.depart(peer)
    peer.end(CloseCode.REVOKED, reason)


def bannable(text: str, own: str) -> str:
    """Return the network of a ban of an address or network, in its usual form.

    An IPv6 network is at least that of a home, because its machines can choose among all addresses
    in it. `own` is the address of the admin, or a network around it.

    Raises:
        Refused: it is no network, or nobody should ban it.
    """
    try:
        network = ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        raise bad_parameter(
            "That is no address or network; write it like 192.0.2.7 or 192.0.2.0/24."
        ) from None
    if isinstance(network, ipaddress.IPv6Network) and network.network_address.ipv4_mapped:
        raise bad_parameter("Write this address in its IPv4 form.")
    if network.version == 6 and network.prefixlen > HOME_PREFIX:
        network = network.supernet(new_prefix=HOME_PREFIX)
    if network.prefixlen < WIDEST[network.version]:
        raise bad_parameter(
            "{network} is too large; the prefix must be at least {prefix}.",
            network,
            WIDEST[network.version],
        )
    if any(network.version == each.version and network.overlaps(each) for each in LOOPBACK):
        raise bad_parameter(
            "{network} is the server's own machine. If it is a proxy, name it with"
            " --trusted-proxy, and ban the addresses behind it.",
            network,
        )
    try:
        mine = ipaddress.ip_network(own, strict=False)
    except ValueError:
        # The admin has no address, for example at a Unix socket.
        return str(network)
    if mine.version == network.version and mine.overlaps(network):
        raise bad_parameter("{network} contains your own address.", network)
    return str(network)


def told(reason: str) -> str:
    """Return a reason as a part of a sentence."""
    return reason.rstrip(".") or "no reason given"
