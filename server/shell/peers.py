"""The connected players, notices and announcements to them, and their used rates.

All connections of a player share an `Allowance`. When the last of them ends, what the player has
used is kept by name, and the player's next connection begins with it. So connecting again does not
refill the allowance.

A client that comes back after a crash does not know of that and may send as many messages at
once as before. So its welcome waits until most of that rate has come back, which takes a second at
most with the usual settings. For long answers nobody has to wait: a request beyond their rate is
only refused for a moment, which is no offence.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final

from doublecross.server.core.limits import ServerLimits
from doublecross.server.shell.addresses.sources import EXEMPT
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.peer import Peer, send_to_all
from doublecross.server.shell.sessions import Sessions

MOST_PLAYERS: Final = 10_000
"""For how many players it is kept; the one that was kept for the longest time goes first."""
ENOUGH: Final = 0.9
"""The part of a burst that a player has at least after the welcome."""
MOST_WAIT_S: Final = 5.0
"""The longest time that a welcome waits, in seconds."""


class ConnectedPeers:
    """Hold all connections whose hello was accepted."""

    def __init__(self, committer: Committer) -> None:
        self._committer = committer
        self.sessions = Sessions()
        """The players who are online, and their connections."""
        self.helpers: set[Peer] = set()
        """The connections whose tokens do not let them play, such as those of organisers."""

    @property
    def all(self) -> list[Peer]:
        """All connections, in a list of its own."""
        return [*self.sessions.peers(), *self.helpers]

    def __contains__(self, peer: Peer) -> bool:
        return peer in self.helpers or peer in self.of(peer.name)

    def of(self, player: str) -> tuple[Peer, ...]:
        """Return the connections of a player, the newest last; empty: the player is offline."""
        return self.sessions.of(player)

    def notify(self, player: str, message: Mapping[str, Any]) -> None:
        """Send a notice to all connections of a player.

        The notice waits for the commits that are queued, so it follows a welcome that waits too.
        """
        for peer in self.of(player):
            deliver = partial(peer.send, message)
            self._committer.after(deliver, deliver)

    def notify_all(self, players: Collection[str], message: Mapping[str, Any]) -> None:
        """Send a notice, encoded once for each codec, to those players who are connected.

        Like `notify`, the notice waits for queued commits. A connection that comes meanwhile gets
        none, because its welcome waits too, behind it.
        """
        peers = [peer for name in players for peer in self.of(name)]
        if peers:
            deliver = partial(send_to_all, peers, message)
            # The content is stored already, so the notice also goes out if a queued commit fails.
            self._committer.after(deliver, deliver)


class Announcements:
    """Send an announcement, and keep it for newcomers until it ends. A new one replaces it.

    `date` returns milliseconds since 1970, UTC.
    """

    def __init__(self, peers: ConnectedPeers, date: Callable[[], int]) -> None:
        self._peers = peers
        self._date = date
        self.kept: dict[str, Any] | None = None
        """The message for newcomers, which may have ended."""
        self.on_change: Callable[[], None] = lambda: None
        """Called after each announcement."""

    def announce(self, text: str, minutes: int) -> int:
        """Send an announcement to all players, and to those who come within `minutes`.

        Returns how many players are connected now. An empty text only ends the former one.
        """
        until_ms = self._date() + minutes * 60_000 if minutes and text else None
        message = {"type": "announcement", "text": text, "until_ms": until_ms}
        self.kept = message if until_ms is not None else None
        # Those of now: whoever comes later gets it with the welcome, and must not get it twice.
        names = list(self._peers.sessions)
        self._peers.notify_all(names, message)
        self.on_change()
        return len(names)

    def for_newcomer(self) -> dict[str, Any] | None:
        """Return the message for a player who has just come, or None."""
        # Nothing else takes it away when its time is over.
        if self.kept is not None and self.kept["until_ms"] <= self._date():
            self.kept = None
        return self.kept


class UsedRates:
    """Keep by name what disconnected players have used up, and where they came from.

    Times are seconds of the event loop's clock.
    """

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._kept: OrderedDict[str, tuple[float, float, str]] = OrderedDict()
        """When the two buckets of a player are full again, and the player's source."""

    def keep(self, peer: Peer) -> None:
        """Keep what a player has used up whose last connection ends."""
        # Insert it anew, so that the first one is the one that was kept for the longest time.
        self._kept.pop(peer.name, None)
        used = peer.allowance
        self._kept[peer.name] = used.messages.full_at(), used.answers.full_at(), peer.source
        if len(self._kept) > MOST_PLAYERS:
            self._kept.popitem(last=False)

    def wait_s(self, player: str, peers: Sequence[Peer], now: float) -> float:
        """Return how long the welcome of a player who comes at `now` should wait.

        `peers` are the other connections of this player.
        """
        full_at = self._kept[player][0] if player in self._kept else now
        if peers:
            full_at = peers[0].allowance.messages.full_at()
        rate, burst = self._limits.messages_per_s, self._limits.burst
        # Clients send as many messages at once as one second allows.
        enough = min(ENOUGH * burst, rate)
        # So long before `full_at` there are `enough` tokens.
        return min(MOST_WAIT_S, max(0.0, full_at - now - (burst - enough) / rate))

    def charge(self, peer: Peer) -> None:
        """Charge a new connection with what its player has used up."""
        kept = self._kept.pop(peer.name, None)
        if kept is not None:
            peer.allowance.owe_until(*kept[:2])

    def source(self, player: str) -> str:
        """Return where a disconnected player came from; exempt if it is not kept."""
        kept = self._kept.get(player)
        return EXEMPT if kept is None else kept[2]
