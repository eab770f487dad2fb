"""Browsers that want to be told something while no page is open, and the storage for them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

MOST_SUBSCRIPTIONS: Final = 10
"""How many browsers of one account are told; a further one takes the place of the oldest."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser: the address of its push service, and the keys that only the browser can use.

    It ends with the token `token_id`, which is empty for that of a guest. `public_key` is a point
    of P-256 (65 bytes), and `secret` has 16 bytes. `made_ms` is in milliseconds since 1970, UTC.
    """

    endpoint: str = field(repr=False)
    account_id: str
    token_id: str
    public_key: bytes
    secret: bytes = field(repr=False)
    made_ms: int


class PushStore(Protocol):
    """Store and read subscriptions. All methods raise `StoreError` when the database fails.

    They end with their token or account; see `AccountStore`.
    """

    async def add(self, subscription: Subscription) -> None:
        """Store a subscription, in place of one with the same endpoint, whosever it is."""

    async def remove(self, endpoints: Collection[str], account_id: str) -> None:
        """Delete subscriptions of an account."""

    async def of_account(self, account_id: str) -> Sequence[Subscription]:
        """Return the subscriptions of an account, oldest first."""

    async def reachable(self) -> Sequence[str]:
        """Return the names of all players with a subscription, or who want mails about turns."""
