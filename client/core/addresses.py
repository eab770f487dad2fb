"""Choose which address of a server to try next.

Theory of operation
-------------------
The nodes of a cluster form one server, and each has an address. A person names one or several of
them, and each welcome can name all. A client stays at the address where it is connected. When that
connection breaks, it tries the others in random order, so that the clients of a dead node do not
all arrive at the same other one. The address of the broken connection comes last. When all
addresses have failed, the next round tries them in the same order, after the usual delay.

A token opens a connection as its player, so it goes only to addresses that the person named, or
that the server named over a connection that was as safe: an encrypted connection is never followed
by one that is not, and a server elsewhere cannot name an address of this machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from urllib.parse import urlsplit

from client.core.address import MOST_ADDRESSES, is_loopback, server_url, server_urls


class Addresses:
    """The addresses of one server, of which `current` is in use or the next to try.

    `text` has the addresses that the person named, between commas, and `known` those that the
    server named in an earlier welcome. `rng` draws the order after a break.

    Raises:
        ValueError: `text` has a malformed address. The message is one sentence for people.
    """

    def __init__(self, text: str, rng: Random, known: Sequence[str] = ()) -> None:
        self._named = tuple(server_urls(text).split(","))
        self._rng = rng
        self._order = list(self._named)
        self._failed = 0
        self.learned: tuple[str, ...] = ()
        self._learn(self._named[0], known)

    @property
    def current(self) -> str:
        """The address in use, or the next to try."""
        return self._order[0]

    def __len__(self) -> int:
        return len(self._order)

    def welcomed(self, servers: Sequence[str]) -> None:
        """Note that the current address answered, and which addresses of the server it named."""
        self._failed = 0
        self._learn(self.current, servers)

    def lost(self) -> None:
        """Put the others first, in random order, because the current connection broke."""
        self._failed = 0
        current, *others = self._order
        self._rng.shuffle(others)
        self._order = [*others, current]

    def failed(self) -> bool:
        """Go to the next address, because the current one failed; return whether all have."""
        self._order.append(self._order.pop(0))
        self._failed += 1
        if self._failed < len(self._order):
            return False
        self._failed = 0
        return True

    def _learn(self, teller: str, servers: Sequence[str]) -> None:
        """Replace the addresses that the server named before by those that may be used."""
        self.learned = trusted(teller, servers)
        wanted = dict.fromkeys([*self._named, *self.learned])
        kept = [url for url in self._order if url in wanted or url == teller]
        new = [url for url in wanted if url not in kept]
        self._order = [*kept, *new][:MOST_ADDRESSES]


def trusted(teller: str, servers: Sequence[str]) -> tuple[str, ...]:
    """Return the URLs of those `servers` to which the player's token at `teller` may go.

    `teller` is the websocket URL of the server that named them.
    """
    scheme, here = urlsplit(teller).scheme, is_loopback(teller)
    found: dict[str, None] = {}
    for text in servers[:MOST_ADDRESSES]:
        try:
            url = server_url(text)
        except ValueError:
            continue  # an address of a newer server, perhaps
        if urlsplit(url).scheme == scheme and (here or not is_loopback(url)):
            found[url] = None
    return tuple(found)
