"""Keep the offers of a cluster in the leader's log, so that they outlive the leader's node.

Theory of operation
-------------------
A seek or a challenge is acknowledged once it is stored. When it is withdrawn, declined or expires,
its end is stored before the answer. When it is accepted, its end is stored only after the owner of
the new room has reported the room. If the leader dies in between, its successor ends the offer when
it finds the room in the storage. If there is no such room, the offer is still open.

Entries of the journal are deleted as those of rooms are (`server/shell/journal/retention.py`). Open
offers count there as open rooms do.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial

import structlog

from doublecross.server.core.lobby.offer_log import OpenOffers, offer_ended, offer_posted
from doublecross.server.core.lobby.offers import Offer
from doublecross.server.core.storage import JournalEntry, StoreError
from doublecross.server.shell.answers import after_commit
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.journal.retention import ROSTER, Retention
from doublecross.server.shell.peer import MSGPACK_CODEC, Peer
from doublecross.server.shell.rooms.channel import split_frames

_log = structlog.get_logger("leader")


class StoredOffers:
    """Store in the leader's log that offers are posted and ended.

    `doublecross.server.shell.lobby.offers.OfferLog` documents the methods. The committer must be
    the one of the leader's log.
    """

    def __init__(self, committer: Committer) -> None:
        self._committer = committer
        self._entries: dict[str, int] = {}
        """The journal entry of each open offer that is stored."""
        self._ends: list[int] = []
        """The entries with ends of offers since the last cleaning."""
        self._unsaid: set[str] = set()
        """The offers whose end could not be stored; it is tried again."""
        self.retention = Retention(committer, self._open)

    def _open(self) -> Iterator[str]:
        return iter(tuple(self._entries))

    def __contains__(self, offer_id: str) -> bool:
        return offer_id in self._entries

    def posted(self, offer: Offer, deliver: Callable[[], None], fail: Callable[[], None]) -> None:
        """Store that an offer is posted, then call `deliver`, or `fail`; see `OfferLog.posted`."""

        def stored() -> None:
            self._hold(offer.offer_id, self._committer.writer.entry_id)
            deliver()

        self._committer.queue_note(MSGPACK_CODEC.encode(offer_posted(offer)), stored, fail)

    def _hold(self, offer_id: str, entry_id: int) -> None:
        self._entries[offer_id] = entry_id
        self.retention.hold(entry_id)

    def ended(self, offer_id: str) -> None:
        """Store that an offer has ended; try again later if that fails."""
        self._unsaid.discard(offer_id)
        self._committer.queue_note(
            MSGPACK_CODEC.encode(offer_ended(offer_id)),
            partial(self._released, offer_id),
            partial(self._unsaid.add, offer_id),
        )

    def _released(self, offer_id: str) -> None:
        # The same entry may have other offers that are delivered later, so hold it until `clean`.
        entry_id = self._committer.writer.entry_id
        self.retention.hold(entry_id)
        self._ends.append(entry_id)
        posted = self._entries.pop(offer_id, None)
        if posted is not None:
            self.retention.release((posted,))

    async def clean(self) -> None:
        """Delete the journal entries that no open offer needs.

        Raises:
            StoreError: what is queued could not be stored.
        """
        ends, self._ends = self._ends, []
        try:
            await self._committer.settled()
        except StoreError:
            self._ends += ends
            raise
        self.retention.release(ends)
        await self.retention.clean()

    def accepted(self, offer_id: str | None) -> None:
        """End an open offer whose room is stored; ignore what is no open offer."""
        if offer_id is not None and offer_id in self._entries:
            self.ended(offer_id)

    def when_stored(self, peer: Peer, request_id: int, act: Callable[[], None]) -> None:
        """Call `act` once everything queued so far is stored; refuse the request if that fails."""
        after_commit(self._committer, peer, request_id, act)

    def sweep(self) -> None:
        """Store the ends of offers again that could not be stored."""
        for offer_id in tuple(self._unsaid):
            self.ended(offer_id)

    async def load(self, entries: AsyncIterator[JournalEntry]) -> list[Offer]:
        """Return the open offers of a journal, oldest first; log and skip what cannot be read.

        Raises:
            StoreError: the database fails.
        """
        found, ids, roster = OpenOffers(), list[int](), None
        async for entry in entries:
            ids.append(entry.entry_id)
            try:
                events = [event for event, _ in split_frames(entry.frames)]
            except ValueError as error:
                _log.error("journal_entry_unreadable", entry=entry.entry_id, reason=str(error))
                continue
            for event in events:
                try:
                    if event["type"] == ROSTER:
                        found.keep(set(event["rooms"]))
                        roster = entry.entry_id
                    else:
                        found.apply(event, entry.entry_id)
                except (KeyError, TypeError, ValueError) as error:
                    _log.error("offer_unreadable", entry=entry.entry_id, reason=str(error))
        if roster is not None:
            self.retention.keep_roster(roster)
        for offer_id, entry_id in found.entries.items():
            self._hold(offer_id, entry_id)
        self.retention.unneeded += [i for i in ids if not self.retention.needs(i)]
        return found.offers
