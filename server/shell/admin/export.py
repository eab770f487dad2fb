"""Export what is stored about a player."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Sequence
from typing import Any, Final

from doublecross.server.core.people.accounts import Login
from doublecross.server.core.storage import Store

_SECRET: Final = frozenset({"password_hash", "token_hash", "credential_id", "secret"})


async def player_data(store: Store, login: Login, *, own: bool = False) -> bytes:
    """Return everything that is stored about a player, except hashes, as JSON.

    The player's `own` data do not have what admins did and what others have reported.

    Raises:
        StoreError: the database failed.
    """
    accounts, player, account = store.accounts, login.player, login.account
    bots = await accounts.bots_of(account.account_id)
    tokens = await accounts.tokens([account.account_id])
    credentials = await accounts.credentials([account.account_id])
    bans = [b for b in await accounts.bans() if b.account_id == account.account_id]
    games: dict[str, dict[str, Any]] = {}
    async for page in accounts.games_of(player):
        games.update((row["game_id"], row) for row in page)
    tournaments = await accounts.tournaments_of(player)
    audit = await accounts.audit_about(player)
    pushes = await store.pushes.of_account(account.account_id)
    progress = await store.progress.documents(account.account_id)
    found: dict[str, Any] = {
        "player": _open(dataclasses.asdict(player)),
        "account": {
            **_open(dataclasses.asdict(account)),
            "claimed": account.is_claimed,
            "has_password": account.password_hash is not None,
            "bots": [bot.player.name for bot in bots],
        },
        "tokens": _all_open(tokens),
        "credentials": _all_open(credentials),
        "pushes": [{"endpoint": p.endpoint, "made_ms": p.made_ms} for p in pushes],
        "bans": _all_open(bans),
        "games": list(games.values()),
        "tournaments": tournaments,
        "audit": _all_open(audit),
        "progress": dict(progress),
        "plans": await store.plans.of_player(account.account_id),
        "notes": await store.notes.of_player(account.account_id),
        **await store.social.of_player(account.account_id),
    }
    if own:
        found |= {"audit": [], "reported": []}
    # Use a thread, because there may be thousands of games.
    return await asyncio.to_thread(lambda: json.dumps(found, ensure_ascii=False).encode())


def _open(values: dict[str, Any]) -> dict[str, Any]:
    """Return values without the secret ones."""
    return {key: value for key, value in values.items() if key not in _SECRET}


def _all_open(rows: Sequence[Any]) -> list[dict[str, Any]]:
    return [_open(dataclasses.asdict(row)) for row in rows]
