"""The open offers: seeks for anybody, and challenges for one player.

Offers live in memory: after a restart the clients post them again with the same idempotency key.
Every search through the offers stands in `OfferBook`, so an index has one place to go.

`now` is milliseconds, as everywhere in the core.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from protocol.common import MatchSettings, PlayerInfo
from protocol.errors import ErrorCode
from server.core.errors import Refused
from server.core.limits import ServerLimits


@dataclass(frozen=True, slots=True)
class Offer:
    """A seek (`target` None) or a challenge to the player named `target`.

    `seat` is the one that its owner wants, None for chance.
    """

    offer_id: str
    owner: PlayerInfo
    key: str
    settings: MatchSettings
    seat: int | None
    target: str | None


class OfferBook(Mapping[str, Offer]):
    """The open offers by id, oldest first, with their idempotency keys; they expire with time."""

    def __init__(self, limits: ServerLimits, grace_ms: int) -> None:
        self._limits = limits
        self._grace_ms = grace_ms
        self._offers: dict[str, Offer] = {}
        self._keys: dict[tuple[str, str], str] = {}
        """(player, idempotency key) to the id of the offer that it created."""
        self._away: dict[str, int] = {}
        """Owners of offers who are disconnected, since when."""

    def __getitem__(self, offer_id: str) -> Offer:
        return self._offers[offer_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._offers)

    def __len__(self) -> int:
        return len(self._offers)

    # -- searches ------------------------------------------------------------------------------

    def created_by(self, player: str, key: str) -> Offer | None:
        """Return the open offer that this player's idempotency key has created."""
        offer_id = self._keys.get((player, key))
        return None if offer_id is None else self._offers.get(offer_id)

    def find(self, offer_id: str, challenge: bool) -> Offer:
        """Return an open challenge, or an open seek, by its id.

        Raises:
            Refused: there is none of that kind.
        """
        offer = self._offers.get(offer_id)
        if offer is None or (offer.target is not None) != challenge:
            what, code = (
                ("challenge", ErrorCode.UNKNOWN_CHALLENGE)
                if challenge
                else ("seek", ErrorCode.UNKNOWN_SEEK)
            )
            raise Refused(code, f"This {what} is not open any more.")
        return offer

    def challenges_to(self, player: str) -> list[Offer]:
        """Return the open challenges to the player, oldest first."""
        return [o for o in self._offers.values() if o.target == player]

    def seeks(self) -> list[Offer]:
        """Return the open seeks, newest first."""
        return [o for o in reversed(self._offers.values()) if o.target is None]

    def seeks_for(self, player: str, settings: MatchSettings) -> Iterator[Offer]:
        """Return the seeks of other players with these settings, oldest first."""
        return (
            o
            for o in self._offers.values()
            if o.target is None and o.settings == settings and o.owner.name != player
        )

    def _owned_by(self, player: str) -> int:
        """Return how many open offers the player has."""
        return sum(o.owner.name == player for o in self._offers.values())

    # -- changes -------------------------------------------------------------------------------

    def check_space(self, player: str) -> None:
        """Check that the player may have one more offer.

        Raises:
            Refused: it has too many.
        """
        mine = self._owned_by(player)
        if mine >= self._limits.offers_per_player:
            raise Refused(ErrorCode.TOO_MANY, f"You have {mine} open offers, which is the limit.")

    def add(self, offer: Offer) -> None:
        """Enter an offer."""
        self._offers[offer.offer_id] = offer
        self._keys[offer.owner.name, offer.key] = offer.offer_id

    def remove(self, offer: Offer) -> None:
        """Forget an open offer: it was accepted, cancelled, declined, or has expired."""
        del self._offers[offer.offer_id]
        if self._keys.get((offer.owner.name, offer.key)) == offer.offer_id:
            del self._keys[offer.owner.name, offer.key]

    # -- owners who come and go ----------------------------------------------------------------

    def owner_came(self, player: str) -> None:
        """Keep the offers of a player who is connected (again)."""
        self._away.pop(player, None)

    def owner_left(self, player: str, now: int) -> None:
        """Let the offers of a player expire who is disconnected, if there are any."""
        if self._owned_by(player):
            self._away.setdefault(player, now)

    def expire(self, now: int) -> list[Offer]:
        """Withdraw the offers of players who have been gone longer than the grace."""
        gone = {p for p, since in self._away.items() if now >= since + self._grace_ms}
        expired = [o for o in self._offers.values() if o.owner.name in gone]
        for offer in expired:
            self.remove(offer)
        for player in gone:
            del self._away[player]
        return expired
