"""Give players other names, and delete them.

Theory of operation
-------------------
Rights belong to account ids, so a player with another name keeps them, and a player who takes the
old name gets none. Names are the keys in the memory of a running server: of rooms, offers, ratings
and tournaments. So a player can get another name only while no unfinished room or tournament has
it.

1. The account is marked (`AccountService.moving`), so that nobody logs in with it meanwhile.
2. The player is disconnected, its offers end, and the rooms of its finished matches close.
3. All its rows are stored, then all names in them change in one transaction.
4. The ratings and the tournaments in memory get the new name.

A deleted player gets the name ``deleted-`` and random letters, because its games stay for the
opponents. Its account and tokens are gone, and nobody can log in as this player any more.
"""

from __future__ import annotations

import asyncio
import dataclasses
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused, wrong_state
from doublecross.server.core.lobby.lobby import ID_LETTERS
from doublecross.server.core.people.accounts import Login, Renaming
from doublecross.server.core.rooms.status import STATUS_WORDS
from doublecross.server.shell.admin.audit import Actor, AuditLog
from doublecross.server.shell.admin.service import AdminService, drop
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.identity.names import look_of
from doublecross.server.shell.identity.newcomers import taken
from doublecross.server.tournaments.running import RunningTournament

NO_REASON: Final = Sentence("A player of this room has another name now.")


class PlayerService:
    """Rename and delete players."""

    def __init__(self, authority: Authority, service: AdminService, log: AuditLog) -> None:
        self._authority = authority
        self._service = service
        self._log = log
        self._store = authority.store.accounts
        self._one = asyncio.Lock()
        """Held while a name changes."""

    async def rename(self, actor: Actor, name: str, to: str) -> None:
        """Give a player another name.

        Raises:
            Refused: there is no such player, the new name is not allowed or taken, or the player
                has an unfinished room or tournament.
            StoreError: the database failed.
        """
        async with self._one:
            login = await self._service.find(name)
            newcomers, player = self._authority.accounts.newcomers, login.player
            # Random bytes, because no hello with a token may share this reservation.
            async with newcomers.reserve(to, secrets.token_bytes(32)) as found:
                # The new name may look like the player's own, for example in another case.
                others = [row for row in found if row.account_id != player.account_id]
                if others and others[0].name.casefold() == to.casefold():
                    raise taken(to)
                newcomers.check_name(to, others)
                if player.name == to:
                    return
                renaming = Renaming(player, to, look_of(to))
                reason = Sentence("Your name is {to} now; connect again.", to)
                async with self._moving(player.account_id):
                    self._check_free(login)
                    async with self._log.noted(actor, "rename", player.name, f"to {to}"):
                        await self._carry_out(login, renaming, reason)

    async def delete(self, actor: Actor, name: str, *, lift_bans: bool) -> str:
        """Delete a player, whose games stay under another name; return that name.

        Raises:
            Refused: there is no such player, it has an unfinished room or tournament, runs bots, or
                is the last admin.
            StoreError: the database failed.
        """
        async with self._one, self._service.leaving(name) as login:
            player = login.player
            bots = [bot.player.name for bot in await self._store.bots_of(player.account_id)]
            if bots:
                raise wrong_state(
                    "{name} runs the bots {bots}; delete them first.", player.name, ", ".join(bots)
                )
            to = await self._unused_name()
            renaming = Renaming(player, to, look_of(to), secrets.token_bytes(32))
            async with self._moving(player.account_id):
                self._check_free(login)
                async with self._log.noted(actor, "delete_player", player.name, f"now {to}"):
                    await self._carry_out(login, renaming, Sentence("Your account was deleted."))
                    if lift_bans:
                        for ban in self._authority.accounts.bans.current:
                            if ban.account_id == player.account_id:
                                await self._authority.accounts.lift(ban.ban_id)
        return to

    async def _unused_name(self) -> str:
        while True:
            name = f"deleted-{''.join(secrets.choice(ID_LETTERS) for _ in range(6))}"
            if not await self._authority.store.players_like(name, look_of(name)):
                return name

    @asynccontextmanager
    async def _moving(self, account_id: str) -> AsyncIterator[None]:
        """Keep an account out, and wait for requests that change it."""
        accounts = self._authority.accounts
        async with accounts.turns.of(account_id):
            with accounts.moving(account_id):
                yield

    # -- other names -------------------------------------------------------------------------

    def _check_free(self, login: Login) -> None:
        """Check that no unfinished room or tournament has the player's name.

        Raises:
            Refused: one has it.
        """
        authority, name = self._authority, login.player.name
        for room in authority.lobby.rooms.seated(name):
            if room.status in ("waiting", "playing"):
                raise wrong_state(
                    "{name} has a seat in the room {room}, which is {status}; close it first,"
                    " or wait for its end.",
                    name,
                    room.id,
                    STATUS_WORDS[room.status],
                )
        sleeping = authority.lobby.rooms.sleeping[name]
        if sleeping:
            raise wrong_state(
                "{name} has {count} correspondence games; wait until they have ended.",
                name,
                sleeping,
            )
        for running in authority.tournaments.running.values():
            if _names(running, name):
                raise wrong_state(
                    "{name} is in the tournament {tournament}; wait until it has ended.",
                    name,
                    running.row.name,
                )
            if running.stale and running.row.owner_id == login.account.account_id:
                raise Refused(
                    ErrorCode.STORAGE_FAILED,
                    "The server's storage is behind; try again in a moment.",
                )

    async def _carry_out(self, login: Login, renaming: Renaming, reason: str) -> None:
        authority, old, new = self._authority, login.player.name, renaming.name
        self._check_free(login)  # again, because other tasks had a turn meanwhile
        for peer in authority.peers.of(old):
            drop(authority, peer, reason)
        account_id = login.account.account_id
        authority.accounts.end_connections(lambda each: each.rights.account_id == account_id)
        authority.reviews.forget(old)
        for offer in authority.lobby.offers.of_player(old):
            authority.lobby.offers.remove(offer)
            authority.offers.ended(offer, "cancelled", offer.target)
        # Only rooms of finished matches are left. A copy, because closed rooms leave the index.
        for room in list(authority.lobby.rooms.seated(old)):
            authority.all_rooms.close(room, NO_REASON)
        await authority.all_rooms.settled(games=True)
        # All rows with the old name must be there before it changes in all of them.
        await self._store.rename(renaming)
        # Only now, because the database may refuse.
        authority.ratings.rename(old, new)
        authority.turn_messages.rename(old, new)
        for running in authority.tournaments.running.values():
            if running.row.owner_id == login.account.account_id:
                running.row = dataclasses.replace(running.row, owner=new)
                # A change that waited for its commit meanwhile has stored the old name.
                authority.director.writer.store(running, None, whole=True)
        for name in (old, new):
            authority.lobby_feed.listing.player_changed(name)


def _names(running: RunningTournament, name: str) -> bool:
    """Return whether a player is in a tournament or invited to it."""
    invited = [*(running.wire.invited or ()), running.wire.hero or ""]
    return name in running.numbers or name.casefold() in map(str.casefold, invited)
