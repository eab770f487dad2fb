"""The audit log: each action of an admin, written before it is carried out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import structlog

from doublecross.protocol.text import one_line
from doublecross.server.core.errors import Refused
from doublecross.server.core.people.accounts import AccountStore, AuditEntry
from doublecross.server.core.storage import StoreError

HOST: Final = "host"
"""The name of the host in the audit log; it has no account."""

_log = structlog.get_logger("admin")


@dataclass(frozen=True, slots=True)
class Actor:
    """The person who acts: an admin, or the host with an empty `account_id`."""

    account_id: str
    name: str
    address: str


class AuditLog:
    """Write the audit log. `date` returns milliseconds since 1970, UTC."""

    def __init__(self, store: AccountStore, date: Callable[[], int]) -> None:
        self._store = store
        self._date = date

    @asynccontextmanager
    async def noted(
        self, actor: Actor, action: str, target: str, detail: str = ""
    ) -> AsyncIterator[None]:
        """Write an entry, then carry out the `with` block; when that fails, write so too.

        Raises:
            StoreError: the entry could not be stored, so nothing is carried out.
        """
        await self._write(actor, action, target, detail)
        try:
            yield
        # The entry says that the action was carried out, so a failure of any kind needs another.
        except Exception as error:
            reason = "The server has a bug, which it has logged."
            if isinstance(error, Refused):
                reason = error.sentence
            elif isinstance(error, StoreError):
                reason = str(error)
            await self._write(actor, f"{action}_failed", target, reason)
            raise

    async def _write(self, actor: Actor, action: str, target: str, detail: str) -> None:
        detail = one_line(detail)
        await self._store.add_audit(
            AuditEntry(
                self._date(), actor.account_id, actor.name, actor.address, action, target, detail
            )
        )
        _log.info(
            "admin_action",
            action=action,
            actor=actor.name,
            address=actor.address,
            target=target,
            detail=detail,
        )
