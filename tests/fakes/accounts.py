"""Accounts in memory, beside the players of a `FakeStore`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from doublecross.server.core.people.accounts import (
    Account,
    AuditEntry,
    Ban,
    Credential,
    Login,
    PlayerRow,
    Token,
)


class FakeAccounts:
    """Implement `AccountStore` of `doublecross.server.core.people.accounts`.

    `players` are by casefolded name.
    """

    def __init__(self, players: dict[str, PlayerRow]) -> None:
        self._players = players
        self.by_id: dict[str, Account] = {}
        self.tokens_by_id: dict[str, Token] = {}
        self.bans_by_id: dict[str, Ban] = {}
        self.entries: list[AuditEntry] = []

    def _login(self, player: PlayerRow, token: Token | None = None) -> Login:
        account = self.by_id.get(player.account_id, Account(player.account_id))
        return Login(player, account, token)

    async def login(self, token_hash: bytes) -> Login | None:
        for player in self._players.values():
            if player.token_hash == token_hash:
                return self._login(player)
        for token in self.tokens_by_id.values():
            if token.token_hash == token_hash:
                found = await self.account(token.account_id)
                return found and replace(found, token=token)
        return None

    async def account(self, account_id: str) -> Login | None:
        for player in self._players.values():
            if player.account_id == account_id:
                return self._login(player)
        return None

    async def account_named(self, name: str) -> Login | None:
        player = self._players.get(name.casefold())
        return player and self._login(player)

    def _chosen(self, accounts: Collection[str]) -> Sequence[Login]:
        return [
            self._login(player)
            for _, player in sorted(self._players.items())
            if player.account_id in accounts
        ]

    async def bots_of(self, account_id: str) -> Sequence[Login]:
        return self._chosen([id_ for id_, a in self.by_id.items() if a.run_by == account_id])

    async def admins(self) -> Sequence[Login]:
        return self._chosen([id_ for id_, a in self.by_id.items() if a.is_admin])

    def _change(self, account_id: str, **values: object) -> None:
        known = self.by_id.get(account_id, Account(account_id))
        self.by_id[account_id] = replace(known, **values)  # type: ignore[arg-type]

    async def set_password(self, account_id: str, password_hash: str) -> None:
        self._change(account_id, password_hash=password_hash)

    async def claim(self, account: Account, unused_hash: bytes, token: Token | None) -> None:
        self.by_id[account.account_id] = account
        for key, player in self._players.items():
            if player.account_id == account.account_id:
                self._players[key] = replace(player, token_hash=unused_hash)
        if token is not None:
            await self.add_token(token)

    async def add_bot(self, player: PlayerRow, account: Account, token: Token) -> None:
        self._players[player.name.casefold()] = player
        self.by_id[account.account_id] = account
        await self.add_token(token)

    async def set_admin(self, account_id: str, is_admin: bool) -> None:
        self._change(account_id, is_admin=is_admin)

    async def add_token(self, token: Token) -> None:
        self.tokens_by_id[token.token_id] = token

    async def tokens(self, account_ids: Collection[str]) -> Sequence[Token]:
        found = [token for token in self.tokens_by_id.values() if token.account_id in account_ids]
        return sorted(found, key=lambda token: (-token.created_ms, token.token_id))

    async def use_token(self, token_id: str, used_ms: int, expires_ms: int | None) -> None:
        known = self.tokens_by_id[token_id]
        self.tokens_by_id[token_id] = replace(known, used_ms=used_ms, expires_ms=expires_ms)

    async def delete_tokens(self, token_ids: Collection[str]) -> None:
        for token_id in token_ids:
            self.tokens_by_id.pop(token_id, None)

    async def credentials(self, _: Collection[str]) -> Sequence[Credential]:
        return []

    async def newest_date(self) -> int | None:
        used = [token.used_ms for token in self.tokens_by_id.values()]
        return max([*used, *(ban.made_ms for ban in self.bans_by_id.values())], default=None)

    async def delete_expired(self, now_ms: int) -> None:
        for token in list(self.tokens_by_id.values()):
            if token.expires_ms is not None and token.expires_ms < now_ms:
                del self.tokens_by_id[token.token_id]
        for ban in list(self.bans_by_id.values()):
            if ban.until_ms is not None and ban.until_ms < now_ms:
                del self.bans_by_id[ban.ban_id]

    async def bans(self) -> Sequence[Ban]:
        return sorted(self.bans_by_id.values(), key=lambda ban: (-ban.made_ms, ban.ban_id))

    async def add_ban(self, ban: Ban) -> None:
        self.bans_by_id[ban.ban_id] = ban

    async def delete_ban(self, ban_id: str) -> None:
        self.bans_by_id.pop(ban_id, None)

    async def add_audit(self, entry: AuditEntry) -> None:
        self.entries.append(replace(entry, number=len(self.entries) + 1))

    async def audit(self, limit: int, before: int | None = None) -> Sequence[AuditEntry]:
        newest = [e for e in reversed(self.entries) if before is None or e.number < before]
        return newest[:limit]


class FakeClassrooms:
    """No classes at all."""

    async def is_aside(self, bot_id: str) -> bool:
        return False


class FakeSocial:
    """Nobody follows, blocks or says anything, except who blocks whom in `blocks`, by name."""

    def __init__(self) -> None:
        self.blocks: set[tuple[str, str]] = set()

    async def keep_blocks(self, since_ms: int) -> None:
        pass

    def may_block(self, account_id: str) -> bool:
        return True

    async def apart(self, account_id: str) -> frozenset[str]:
        name = account_id.removeprefix("account of ")
        pairs = [pair for pair in self.blocks if name in pair]
        return frozenset(each for pair in pairs for each in pair if each != name)
