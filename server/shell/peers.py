"""The connected players by name, and notices to them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.peer import Peer, send_to_all


class ConnectedPeers:
    """Hold the connection of every player whose hello was accepted."""

    def __init__(self, committer: Committer) -> None:
        self._committer = committer
        self.by_name: dict[str, Peer] = {}

    def notify(self, player: str, message: Mapping[str, Any]) -> None:
        """Send a notice to a player, if connected.

        The notice waits for the commits that are queued, so it follows a welcome that waits too.
        """
        peer = self.by_name.get(player)
        if peer is not None:

            def deliver() -> None:
                peer.send(message)

            self._committer.after(deliver, deliver)

    def notify_all(self, players: Collection[str], message: Mapping[str, Any]) -> None:
        """Send a notice, encoded once for each codec, to those players who are connected.

        Like `notify`, the notice waits for queued commits; players are looked up after that.
        """
        if not players:
            return

        def deliver() -> None:
            peers = self.by_name
            send_to_all((peers[name] for name in players if name in peers), message)

        # The content is stored already, so the notice also goes out if a queued commit fails.
        self._committer.after(deliver, deliver)
