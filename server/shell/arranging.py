"""Answer the person and the two bots of an arranged match, once the bots have decided.

Theory of operation
-------------------
The person's request and the first acceptance wait for their answers until the second bot has
accepted or declined, or the time is over. So a room is opened only with both bots in it, and a
server that crashes in between has acknowledged nothing. A client that loses its connection sends
its request again with the same key. The acceptance of a bot counts again only then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.events import player_dict, settings_dict
from doublecross.server.core.lobby.arrangements import Arrangement
from doublecross.server.core.lobby.lobby import Lobby
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.peers import ConnectedPeers
from doublecross.server.shell.rooms.api import Rooms

NO_MATCH: Final = Sentence("The other bot does not play.")
"""The reason for a bot whose match does not begin; the person gets the details."""


def arranged_challenge(arrangement: Arrangement, bot: str) -> dict[str, Any]:
    """Return the notice of an arranged match to one of the two bots."""
    other = 1 - arrangement.seat_of(bot)
    return {
        "type": "challenged",
        "challenge": arrangement.arrangement_id,
        "player": player_dict(arrangement.bots[other]),
        "settings": settings_dict(arrangement.settings),
        "seat": other,
        "asked_by": arrangement.asker,
    }


class BotMatchService:
    """Send the notices and answers when a match of two bots is requested, accepted or ended."""

    def __init__(
        self, lobby: Lobby, peers: ConnectedPeers, rooms: Rooms, now: Callable[[], int]
    ) -> None:
        self._lobby = lobby
        self._book = lobby.arrangements
        self._peers = peers
        self._rooms = rooms
        self._now = now
        self._waiting: dict[str, list[tuple[Peer, int]]] = {}
        """The requests without an answer, by the id of their arrangement."""

    def post(self, arrangement: Arrangement, peer: Peer, request_id: int) -> None:
        """Offer a new match to both bots. The request `request_id` of `peer` is answered later."""
        self.wait(arrangement, peer, request_id)
        for bot in arrangement.bots:
            self._peers.notify(bot.name, arranged_challenge(arrangement, bot.name))

    def wait(self, arrangement: Arrangement, peer: Peer, request_id: int) -> None:
        """Let a request of `peer` wait until the bots have decided whether they play."""
        peer.waiting += 1
        self._waiting.setdefault(arrangement.arrangement_id, []).append((peer, request_id))

    def accept(self, arrangement: Arrangement, peer: Peer, key: str, request_id: int) -> None:
        """Note that a bot accepts; the match begins if the other one has accepted already.

        Raises:
            Refused: the match is for other bots.
        """
        arrangement.seat_of(peer.name)
        arrangement.accepted.setdefault(peer.name, key)
        # Even the last acceptance waits, so that the opening or its refusal answers all three
        # alike.
        self.wait(arrangement, peer, request_id)
        if arrangement.missing:
            return
        try:
            opened = self._lobby.open_arranged(arrangement, self._now())
        except Refused as refused:
            self._book.remove(arrangement)
            self._end(arrangement, refused.sentence)
            return
        self._rooms.open(opened.room, opened.events, self._take_waiting(arrangement))

    def decline(self, arrangement: Arrangement, peer: Peer, reason: str) -> None:
        """End an arrangement, because one of its bots does not play; `reason` may be empty.

        Raises:
            Refused: the match is for other bots.
        """
        arrangement.seat_of(peer.name)
        self._book.remove(arrangement)
        if reason:
            why = Sentence("{name} declined the match: {reason}", peer.name, reason)
        else:
            why = Sentence("{name} declined the match.", peer.name)
        self._end(arrangement, why, peer.name)

    def depart(self, peer: Peer) -> None:
        """Forget the requests and the acceptance of a peer whose connection is gone."""
        for arrangement in self._book.asked_by(peer.name) + self._book.with_bot(peer.name):
            # A bot that comes back gets the challenge again with its welcome.
            arrangement.accepted.pop(peer.name, None)
            waiting = self._waiting.get(arrangement.arrangement_id, [])
            # In place, because the list belongs to `_waiting`.
            waiting[:] = [each for each in waiting if each[0] is not peer]

    def expire(self) -> None:
        """End the arrangements that a bot has not answered in time."""
        for arrangement in self._book.expire(self._now()):
            who = " and ".join(arrangement.missing)
            why = Sentence("{who} did not answer; choose another bot, or try again.", who)
            self._end(arrangement, why)

    def _end(self, arrangement: Arrangement, sentence: str, by: str = "") -> None:
        """Answer all peers that wait for a match that does not begin, and notify the other bots.

        `sentence` is for the person. `by` is the bot that has declined; it needs no notice.
        """
        # Whoever waits gets an answer, so only the others need a notice.
        answered = {by}
        for peer, request_id in self._take_waiting(arrangement):
            if peer.name == arrangement.asker:
                peer.refuse(request_id, ErrorCode.DECLINED, sentence)
            else:
                peer.refuse(request_id, ErrorCode.UNKNOWN_CHALLENGE, NO_MATCH)
                answered.add(peer.name)
        ended = {
            "type": "offer_ended",
            "offer": arrangement.arrangement_id,
            "outcome": "cancelled" if by else "expired",
            "reason": NO_MATCH if by else "",
        }
        for bot in arrangement.bots:
            if bot.name not in answered:
                self._peers.notify(bot.name, ended)

    def _take_waiting(self, arrangement: Arrangement) -> list[tuple[Peer, int]]:
        """Remove and return the requests that wait for the arrangement."""
        waiting = self._waiting.pop(arrangement.arrangement_id, [])
        for peer, _ in waiting:
            peer.waiting -= 1
        return waiting
