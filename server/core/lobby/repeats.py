"""Tell a request that is repeated from another one with the same idempotency key."""

from __future__ import annotations

from dataclasses import dataclass

from doublecross.protocol.common import MatchSettings
from doublecross.server.core.errors import bad_parameter
from doublecross.server.core.lobby.offers import Offer
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import complete


@dataclass(frozen=True, slots=True)
class Wanted:
    """The content of a request with an idempotency key.

    `accepts` is the id of the offer that it accepts, and `target` is the player whom it challenges.
    `opens` is true for a request for a room without an offer. None means that anything will do.
    """

    settings: MatchSettings | None = None
    seat: int | None = None
    private: bool = False
    target: str | None = None
    accepts: str | None = None
    opens: bool = False


def check_repeated(found: Room | Offer, key: str, wanted: Wanted) -> None:
    """Check that a request asks for what an earlier one with the same key has created.

    Raises:
        Refused: it asks for something else.
    """
    settings = None if wanted.settings is None else complete(wanted.settings)
    target = None if wanted.target is None else wanted.target.casefold()
    if isinstance(found, Offer):
        owned = None if found.target is None else found.target.casefold()
        same = (settings, wanted.seat, target) == (found.settings, found.seat, owned)
        same = same and not wanted.opens
    else:
        terms, seat = found.terms, wanted.seat
        same = (
            key in terms.keys
            and wanted.opens == (terms.origin is None)
            and wanted.private == terms.private
            and wanted.accepts in (None, terms.origin)
            and (settings is None or settings == complete(terms.settings))
            and (seat is None or terms.keys[seat] == key)
            and (target is None or any(p and p.name.casefold() == target for p in found.players))
        )
    if not same:
        refuse_reused()


def refuse_reused() -> None:
    """Refuse a request with the idempotency key of another one.

    Raises:
        Refused: always.
    """
    raise bad_parameter(
        "An earlier request with other content had this idempotency key; use a new key."
    )
