"""The open offers: seeks for anybody, and challenges for one player.

Offers are only in memory. After a restart of the server, clients post their offers again with the
same idempotency keys. `OfferBook` contains every search through the offers, so that an index can
be added in one place.

`now` is milliseconds since 1970.
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
    """A seek (`target` is None) or a challenge to the player named `target`.

    `seat` is the seat that the owner wants, or None for a random seat.
    """

    offer_id: str
    owner: PlayerInfo
    key: str
    settings: MatchSettings
    seat: int | None
    target: str | None


class OfferBook(Mapping[str, Offer]):
    """The open offers by id, oldest first, with their idempotency keys.

    The offers of a player expire when the player is disconnected for longer than `grace_ms`.
    """

    def __init__(self, limits: ServerLimits, grace_ms: int) -> None:
        self._limits = limits
        self._grace_ms = grace_ms
        self._offers: dict[str, Offer] = {}
        self._keys: dict[tuple[str, str], str] = {}
        """The id of the offer that each (player, idempotency key) created."""
        self._away: dict[str, int] = {}
        """The time of disconnection of each disconnected player with offers."""

    def __getitem__(self, offer_id: str) -> Offer:
        return self._offers[offer_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._offers)

    def __len__(self) -> int:
        return len(self._offers)

    # -- searches ------------------------------------------------------------------------------

    def created_by(self, player: str, key: str) -> Offer | None:
        """Return the open offer that this player's idempotency key created, or None."""
        offer_id = self._keys.get((player, key))
        return None if offer_id is None else self._offers.get(offer_id)

    def find(self, offer_id: str, challenge: bool) -> Offer:
        """Return an open challenge (`challenge` true) or an open seek by its id.

        Raises:
            Refused: no such challenge or seek is open.
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
            Refused: the player has too many offers.
        """
        owned = self._owned_by(player)
        if owned >= self._limits.offers_per_player:
            raise Refused(
                ErrorCode.TOO_MANY,
                f"You have {owned} open offers, which is the limit; withdraw one first.",
            )

    def add(self, offer: Offer) -> None:
        """Add an open offer."""
        self._offers[offer.offer_id] = offer
        self._keys[offer.owner.name, offer.key] = offer.offer_id

    def remove(self, offer: Offer) -> None:
        """Remove an offer that was accepted, cancelled or declined, or has expired."""
        del self._offers[offer.offer_id]
        if self._keys.get((offer.owner.name, offer.key)) == offer.offer_id:
            del self._keys[offer.owner.name, offer.key]

    # -- disconnected owners -------------------------------------------------------------------

    def owner_connected(self, player: str) -> None:
        """Keep the offers of a player who is connected again."""
        self._away.pop(player, None)

    def owner_disconnected(self, player: str, now: int) -> None:
        """Begin the grace period of a disconnected player's offers, if there are any."""
        if self._owned_by(player):
            self._away.setdefault(player, now)

    def expire(self, now: int) -> list[Offer]:
        """Remove and return the offers whose owner has been away for the grace period."""
        gone = {p for p, since in self._away.items() if now >= since + self._grace_ms}
        expired = [o for o in self._offers.values() if o.owner.name in gone]
        for offer in expired:
            self.remove(offer)
        for player in gone:
            del self._away[player]
        return expired
