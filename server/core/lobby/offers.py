"""The open offers: seeks for anybody, and challenges for one player.

Offers are only in memory. After a restart of the server, clients post their offers again with the
same idempotency keys. `OfferBook` has an index for each search, because thousands of offers may be
open and players search them at every request.

`now` is milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from doublecross.protocol.common import DAY_MS, MatchSettings, PlayerInfo
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused, too_many
from doublecross.server.core.limits import ServerLimits

AWAY_BY_DAYS_MS: Final = 14 * DAY_MS
"""How long an offer of a correspondence game stays open while its owner is away."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A seek (`target` is None) or a challenge to the player named `target`.

    `seat` is the seat that the owner wants, or None for a random seat. `since` is when a seek was
    posted; None: not known.
    """

    offer_id: str
    owner: PlayerInfo
    key: str
    settings: MatchSettings
    seat: int | None
    target: str | None
    since: int | None = field(default=None, compare=False)


_K = TypeVar("_K", bound=Hashable)


class _Index(Generic[_K]):
    """The offers with each key, oldest first; a key without offers takes no memory."""

    def __init__(self) -> None:
        self._groups: dict[_K, dict[str, Offer]] = {}

    def __getitem__(self, key: _K) -> Collection[Offer]:
        group = self._groups.get(key)
        return () if group is None else group.values()

    def add(self, key: _K, offer: Offer) -> None:
        self._groups.setdefault(key, {})[offer.offer_id] = offer

    def remove(self, key: _K, offer: Offer) -> None:
        group = self._groups[key]
        del group[offer.offer_id]
        if not group:
            del self._groups[key]


def _terms(settings: MatchSettings) -> Hashable:
    """Return a key that is equal for equal settings."""
    params = tuple(sorted(settings.params.items()))
    return settings.game, params, settings.opening, settings.start, settings.time, settings.rated


class OfferBook(Mapping[str, Offer]):
    """The open offers by id, oldest first, with their idempotency keys.

    The offers of a player expire when the player is disconnected for longer than `grace_ms`, and
    those of correspondence games after `AWAY_BY_DAYS_MS`.
    """

    def __init__(self, limits: ServerLimits, grace_ms: int) -> None:
        self._limits = limits
        self._grace_ms = grace_ms
        self._offers: dict[str, Offer] = {}
        self._seeks: dict[str, Offer] = {}
        """The seeks that are listed."""
        self._by_terms: _Index[Hashable] = _Index()
        """The seeks by their settings."""
        self._by_owner: _Index[str] = _Index()
        self._by_target: _Index[str] = _Index()
        self._keys: dict[tuple[str, str], str] = {}
        """The id of the offer that each (player, idempotency key) created."""
        self._away: dict[str, int] = {}
        """The time of disconnection of each disconnected player with offers, earliest first."""
        self._by_days: dict[str, int] = {}
        """The offers of correspondence games whose owners are away longer, with this time."""

    def __getitem__(self, offer_id: str) -> Offer:
        return self._offers[offer_id]

    def __contains__(self, offer_id: object) -> bool:
        return offer_id in self._offers

    def __iter__(self) -> Iterator[str]:
        return iter(self._offers)

    def __len__(self) -> int:
        return len(self._offers)

    # -- searches ------------------------------------------------------------------------------

    def created_by(self, player: str, key: str) -> Offer | None:
        """Return the open offer that this player's idempotency key created, or None."""
        offer_id = self._keys.get((player, key))
        return None if offer_id is None else self._offers.get(offer_id)

    def of_player(self, player: str) -> list[Offer]:
        """Return the open offers of a player, and the challenges to it."""
        return [*self._by_owner[player], *self._by_target[player]]

    def owned_by(self, player: str) -> list[Offer]:
        """Return the open seeks of a player, and the challenges by it."""
        return list(self._by_owner[player])

    def find(self, offer_id: str, challenge: bool) -> Offer:
        """Return an open challenge (`challenge` true) or an open seek by its id.

        Raises:
            Refused: no such challenge or seek is open.
        """
        offer = self._offers.get(offer_id)
        if offer is None or (offer.target is not None) != challenge:
            if challenge:
                raise Refused(ErrorCode.UNKNOWN_CHALLENGE, "This challenge is not open any more.")
            raise Refused(ErrorCode.UNKNOWN_SEEK, "This seek is not open any more.")
        return offer

    def challenges_to(self, player: str) -> list[Offer]:
        """Return the open challenges to the player, oldest first."""
        return list(self._by_target[player])

    @property
    def seek_count(self) -> int:
        """The number of open seeks that are listed."""
        return len(self._seeks)

    def seeks(self) -> Iterator[Offer]:
        """Return the open seeks that are listed, newest first."""
        return reversed(self._seeks.values())

    def seeks_for(self, player: str, settings: MatchSettings) -> Iterator[Offer]:
        """Return the seeks of other players with these settings, oldest first."""
        return (o for o in self._by_terms[_terms(settings)] if o.owner.name != player)

    # -- changes -------------------------------------------------------------------------------

    def check_space(self, player: str, target: str | None = None) -> None:
        """Check that the player may have one more offer; `target` is whom it would challenge.

        Raises:
            Refused: the player, the target or the server has too many offers.
        """
        limits = self._limits
        owned = len(self._by_owner[player])
        if owned >= limits.offers_per_player:
            raise too_many(
                "You have {owned} open offers, which is the limit; withdraw one first.", owned
            )
        if len(self._offers) >= limits.offers:
            raise too_many(
                "The server has {offers} open offers, which is the limit; try again later.",
                limits.offers,
            )
        if target is None:
            return
        challenges = self._by_target[target]
        if len(challenges) >= limits.challenges_per_target:
            raise too_many(
                "{target} has {most} open challenges, which is the limit; try again later.",
                target,
                len(challenges),
            )
        # Checked last, because it looks at every challenge to the target.
        mine = sum(offer.owner.name == player for offer in challenges)
        if mine >= limits.challenges_per_pair:
            raise too_many(
                "You have {mine} open challenges to {target}, which is the limit; withdraw"
                " one first.",
                mine,
                target,
            )

    def add(self, offer: Offer) -> None:
        """Add an open offer."""
        self._offers[offer.offer_id] = offer
        self._keys[offer.owner.name, offer.key] = offer.offer_id
        self._by_owner.add(offer.owner.name, offer)
        if offer.target is None:
            self._seeks[offer.offer_id] = offer
            self._by_terms.add(_terms(offer.settings), offer)
        else:
            self._by_target.add(offer.target, offer)

    def hide(self, offer: Offer) -> None:
        """List an open seek nowhere until `reveal`; a quick match finds it."""
        del self._seeks[offer.offer_id]

    def reveal(self, offer: Offer) -> None:
        """List a seek that was hidden, if it is still open."""
        if offer.offer_id in self._offers:
            self._seeks[offer.offer_id] = offer

    def remove(self, offer: Offer) -> None:
        """Remove an offer that was accepted, cancelled or declined, or has expired."""
        del self._offers[offer.offer_id]
        self._by_days.pop(offer.offer_id, None)
        if self._keys.get((offer.owner.name, offer.key)) == offer.offer_id:
            del self._keys[offer.owner.name, offer.key]
        self._by_owner.remove(offer.owner.name, offer)
        if offer.target is None:
            self._seeks.pop(offer.offer_id, None)
            self._by_terms.remove(_terms(offer.settings), offer)
        else:
            self._by_target.remove(offer.target, offer)

    # -- disconnected owners -------------------------------------------------------------------

    def owner_connected(self, player: str) -> None:
        """Keep the offers of a player who is connected again."""
        self._away.pop(player, None)
        for offer in self._by_owner[player] if self._by_days else ():
            self._by_days.pop(offer.offer_id, None)

    def owner_disconnected(self, player: str, now: int) -> None:
        """Begin the grace period of a disconnected player's offers, if there are any."""
        # Whoever has no offers is not noted, so `_away` stays as short as the list of offers.
        if self._by_owner[player]:
            self._away.setdefault(player, now)

    def expire(self, now: int) -> list[Offer]:
        """Remove and return the offers whose owner has been away for the grace period."""
        expired: list[Offer] = []
        # The first one was disconnected earliest, so the search ends at one who still has time.
        while self._away:
            player, since = next(iter(self._away.items()))
            if now < since + self._grace_ms:
                break
            del self._away[player]
            for offer in self._by_owner[player]:
                if offer.settings.time.by_days:
                    self._by_days[offer.offer_id] = since
                else:
                    expired.append(offer)
        while self._by_days:
            offer_id, since = next(iter(self._by_days.items()))
            if now < since + AWAY_BY_DAYS_MS:
                break
            del self._by_days[offer_id]
            expired.append(self._offers[offer_id])
        for offer in expired:
            self.remove(offer)
        return expired
