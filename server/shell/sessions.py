"""The sessions of each player: the connections that have logged in as this player.

A player may have several: two tabs of a browser, a phone and a window. They share what the player
may send and ask for, so more connections give no larger allowance.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from doublecross.server.shell.peer import Peer

MOST_SESSIONS: Final = 16
"""The most connections of one player; one more ends the one that has been silent for longest."""


class Sessions(dict[str, tuple[Peer, ...]]):
    """The peers of all players who are online, by name; those of one player with the newest last.

    A tuple of one takes little memory, and most players have one connection. A dict, because each
    move and each login asks it.
    """

    def of(self, player: str) -> tuple[Peer, ...]:
        """Return the peers of a player; empty: the player is not connected."""
        return self.get(player, ())

    def peers(self) -> Iterator[Peer]:
        """Return the peers of all players."""
        return (peer for peers in self.values() for peer in peers)

    def rivals(self, peer: Peer) -> list[Peer]:
        """Return the peers of the same player that cannot be connected beside this one."""
        return [
            each
            for each in self.get(peer.name, ())
            if each is not peer and (each.exclusive or peer.exclusive)
        ]

    def surplus(self, peer: Peer) -> list[Peer]:
        """Return the peers that have to go when this one comes: its rivals, and one too many."""
        rivals = self.rivals(peer)
        others = [each for each in self.get(peer.name, ()) if each not in rivals]
        if len(others) >= MOST_SESSIONS:
            rivals.append(min(others, key=lambda each: each.last_message_s))
        return rivals

    def add(self, peer: Peer) -> None:
        """Take a peer in, which shares the player's allowance from now on."""
        before = self.get(peer.name, ())
        if before:
            peer.allowance = before[0].allowance
        self[peer.name] = (*before, peer)

    def remove(self, peer: Peer) -> bool:
        """Take a peer out; return whether it was in."""
        before = self.get(peer.name, ())
        if peer not in before:
            return False
        rest = tuple(each for each in before if each is not peer)
        if rest:
            self[peer.name] = rest
        else:
            del self[peer.name]
        return True
