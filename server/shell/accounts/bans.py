"""The bans of a server, in memory: accounts and networks that may not connect for now."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Final

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.people.accounts import Ban


class Bans:
    """Find the ban of an account or of an address. `date` returns milliseconds since 1970, UTC."""

    def __init__(self, date: Callable[[], int]) -> None:
        self._date = date
        self._by_id: dict[str, Ban] = {}
        # A server under attack has many bans and searches them at each handshake, so use dicts.
        self._of_accounts: dict[str, list[Ban]] = {}
        self._of_networks: dict[tuple[int, int], dict[int, list[Ban]]] = {}
        """By IP version and length of the prefix, and by the prefix as a number."""

    def load(self, bans: Iterable[Ban]) -> None:
        """Replace all bans by these."""
        self._by_id, self._of_accounts, self._of_networks = {}, {}, {}
        for ban in bans:
            self.add(ban)

    def add(self, ban: Ban) -> None:
        """Add a ban that is stored."""
        self._by_id[ban.ban_id] = ban
        self._alike(ban).append(ban)

    def lift(self, ban_id: str) -> None:
        """Forget a ban that is no longer stored."""
        ban = self._by_id.pop(ban_id, None)
        if ban is not None:
            self._alike(ban).remove(ban)

    def _alike(self, ban: Ban) -> list[Ban]:
        """Return the list of all bans of the same account or network."""
        if ban.network is None:
            return self._of_accounts.setdefault(ban.account_id or "", [])
        network = ip_network(ban.network)
        prefixes = self._of_networks.setdefault((network.version, network.prefixlen), {})
        return prefixes.setdefault(_prefix(network, network.prefixlen), [])

    def _current(self, bans: Iterable[Ban]) -> Ban | None:
        """Return the first of these bans that has not ended, or None."""
        for ban in bans:
            if ban.until_ms is None or ban.until_ms > self._date():
                return ban
        return None

    @property
    def current(self) -> list[Ban]:
        """The bans that have not ended."""
        now = self._date()
        return [ban for ban in self._by_id.values() if ban.until_ms is None or ban.until_ms > now]

    def get(self, ban_id: str) -> Ban | None:
        """Return a ban by its id, or None."""
        return self._by_id.get(ban_id)

    def check_account(self, account_id: str, run_by: str | None = None) -> None:
        """Check that an account may log in; `run_by` is the account id of the person behind a bot.

        Raises:
            Refused: one of them is banned.
        """
        for each, is_runner in ((account_id, False), (run_by or "", True)):
            ban = self._current(self._of_accounts.get(each, ()))
            if ban is not None:
                raise Refused(ErrorCode.BANNED, sentence(ban, is_runner=is_runner))

    def of_address(self, address: str) -> Ban | None:
        """Return the ban of an address or of a network, such as that of a source, or None."""
        if not self._of_networks or not address:
            return None
        try:
            # A source can be a network: that of a home with IPv6.
            own = ip_network(address, strict=False)
        except ValueError:
            # A connection without an address has a source that is none.
            return None
        # A look for each length that is banned finds the network among any number of bans.
        for (version, length), prefixes in self._of_networks.items():
            if version == own.version and length <= own.prefixlen:
                found = self._current(prefixes.get(_prefix(own, length), ()))
                if found is not None:
                    return found
        return None

    def why_not(self, address: str) -> Sentence | None:
        """Return why an address is refused; None if it is not."""
        ban = self.of_address(address)
        return None if ban is None else sentence(ban)

    def check_address(self, address: str) -> None:
        """Check that connections from an address are allowed.

        Raises:
            Refused: the address is banned.
        """
        ban = self.of_address(address)
        if ban is not None:
            raise Refused(ErrorCode.BANNED, sentence(ban))


def _prefix(network: IPv4Network | IPv6Network, length: int) -> int:
    """Return the first `length` bits of a network as a number."""
    return int(network.network_address) >> (network.max_prefixlen - length)


def sentence(ban: Ban, *, is_runner: bool = False) -> Sentence:
    """Return the sentence for a banned visitor, or with `is_runner` for a bot of that visitor."""
    whose = 0 if ban.account_id is None else 2 if is_runner else 1
    reason = ban.reason.rstrip(".")
    text = _SENTENCES[whose][(ban.until_ms is not None) + 2 * bool(reason)]
    until = "" if ban.until_ms is None else _shown(ban.until_ms)
    return Sentence(text, *filter(None, (until, reason)))


def _shown(until_ms: int) -> str:
    return f"{datetime.fromtimestamp(until_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"


_SENTENCES: Final = (
    (
        Sentence("Your address is banned for good."),
        Sentence("Your address is banned until {until}."),
        Sentence("Your address is banned for good: {reason}."),
        Sentence("Your address is banned until {until}: {reason}."),
    ),
    (
        Sentence("Your account is banned for good."),
        Sentence("Your account is banned until {until}."),
        Sentence("Your account is banned for good: {reason}."),
        Sentence("Your account is banned until {until}: {reason}."),
    ),
    (
        Sentence("The person who runs this bot is banned for good."),
        Sentence("The person who runs this bot is banned until {until}."),
        Sentence("The person who runs this bot is banned for good: {reason}."),
        Sentence("The person who runs this bot is banned until {until}: {reason}."),
    ),
)
"""The sentences for an address, an account and a bot.

Each has four: for good and until a date, without a reason and with one.
"""
