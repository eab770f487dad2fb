"""The players who are connected, by name, and notices to them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from server.shell.journal.committer import Committer
from server.shell.peer import Peer, tell_all


class ConnectedPeers:
    """Hold the connection of every player who has said hello."""

    def __init__(self, committer: Committer) -> None:
        self._committer = committer
        self.by_name: dict[str, Peer] = {}
        self.reserved: set[str] = set()
        """Casefolded names of players who are being stored right now."""

    def tell(self, player: str, message: Mapping[str, Any]) -> None:
        """Send a notice to a player who is connected, after the welcome if that waits still."""
        peer = self.by_name.get(player)
        if peer is not None:

            def deliver() -> None:
                peer.send(message)

            self._committer.after(deliver, deliver)

    def tell_all(self, players: Collection[str], message: Mapping[str, Any]) -> None:
        """Send a notice, encoded only once, to those of the players who are connected then."""
        if not players:
            return

        def deliver() -> None:
            peers = self.by_name
            tell_all((peers[name] for name in players if name in peers), message)

        # After the welcome of those who have just come; what it says is stored already.
        self._committer.after(deliver, deliver)
