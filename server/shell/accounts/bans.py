"""The bans of a server, in memory: who may not come in, and until when."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from ipaddress import ip_network

from protocol.errors import ErrorCode
from server.core.accounts import Ban
from server.core.errors import Refused


class Bans:
    """Find the ban of an account or of an address. `date` returns milliseconds since 1970, UTC."""

    def __init__(self, date: Callable[[], int]) -> None:
        self._date = date
        self._by_id: dict[str, Ban] = {}

    def load(self, bans: Iterable[Ban]) -> None:
        """Replace all bans by these."""
        self._by_id = {ban.ban_id: ban for ban in bans}

    def add(self, ban: Ban) -> None:
        """Add a ban that is stored."""
        self._by_id[ban.ban_id] = ban

    def lift(self, ban_id: str) -> None:
        """Forget a ban that is no longer stored."""
        self._by_id.pop(ban_id, None)

    @property
    def current(self) -> list[Ban]:
        """The bans that have not ended."""
        now = self._date()
        return [ban for ban in self._by_id.values() if ban.until_ms is None or ban.until_ms > now]

    def get(self, ban_id: str) -> Ban | None:
        """Return a ban by its id, or None."""
        return self._by_id.get(ban_id)

    def check_account(self, account_id: str) -> None:
        """Check that an account may log in.

        Raises:
            Refused: it is banned.
        """
        for ban in self.current if self._by_id else ():
            if ban.account_id == account_id:
                raise Refused(ErrorCode.BANNED, sentence(ban))

    def of_address(self, address: str) -> Ban | None:
        """Return the ban of an address or of a network, such as that of a source, or None."""
        networks = [ban for ban in self.current if ban.network] if self._by_id else []
        if not networks or not address:
            return None
        try:
            own = ip_network(address, strict=False)
        except ValueError:
            return None
        for ban in networks:
            banned = ip_network(ban.network or "")
            # Networks of different versions cannot be compared.
            if own.version == banned.version and own.subnet_of(banned):  # type: ignore[arg-type]
                return ban
        return None

    def why_not(self, address: str) -> str:
        """Return why nobody from an address may come in, as a sentence; empty if they may."""
        ban = self.of_address(address)
        return "" if ban is None else sentence(ban)

    def check_address(self, address: str) -> None:
        """Check that connections from an address may come in.

        Raises:
            Refused: the address is banned.
        """
        ban = self.of_address(address)
        if ban is not None:
            raise Refused(ErrorCode.BANNED, sentence(ban))


def sentence(ban: Ban) -> str:
    """Return what a banned visitor is told."""
    reason = ban.reason.rstrip(".") or "no reason given"
    if ban.until_ms is None:
        if ban.account_id is None:
            return f"Your address is banned for good: {reason}."
        return f"Your account is banned for good: {reason}."
    until = f"{datetime.fromtimestamp(ban.until_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
    if ban.account_id is None:
        return f"Your address is banned until {until}: {reason}."
    return f"Your account is banned until {until}: {reason}."
