"""Check the logs of a cluster: their rooms, like those of a journal, and the leader's offers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from doublecross.server.core.lobby.offer_log import OpenOffers
from doublecross.server.core.storage import JournalEntry
from doublecross.server.core.terms import RoomTimes
from doublecross.server.shell.journal.retention import ROSTER
from doublecross.server.shell.rooms.channel import split_frames
from doublecross.server.shell.verifying.problem import Wrong
from doublecross.server.shell.verifying.rooms import OpenRooms, check_rooms
from doublecross.server.store.whole.logs import belongs, has_offers

_LOST: Final = "No process of a cluster runs its rooms; compare with a backup."
_FEWER: Final = "Moves of its rooms may be missing; compare with a backup."
_MISPLACED: Final = "Nobody can play in it; compare with a backup."
_OFFER: Final = "Its owner can post it again."


async def check_log(
    log: str,
    entries: AsyncIterator[JournalEntry],
    rooms: OpenRooms,
    times: RoomTimes,
    now_ms: int,
    number: int | None,
) -> None:
    """Check a log, and add its rooms and problems to `rooms`.

    It should have `number` entries; that is None for a log without a row, which each log needs.
    """
    before = rooms.entries
    await _check_entries(log, entries, rooms, times, now_ms)
    read = rooms.entries - before
    if number is None:
        rooms.wrong.append(Wrong("log", log, "its row is missing", _LOST))
    elif number != read:
        why = f"the number of its entries is {read:,}, but should be {number:,}"
        rooms.wrong.append(Wrong("log", log, why, _FEWER))


async def _check_entries(
    log: str,
    entries: AsyncIterator[JournalEntry],
    rooms: OpenRooms,
    times: RoomTimes,
    now_ms: int,
) -> None:
    if has_offers(log):
        await _check_offers(entries, rooms)
        return
    found = await check_rooms(entries, times, now_ms, f"entry of the log {log}")
    for room in found.ids:
        if room in rooms.ids:
            why = "it is in several logs, or in a log and in the journal"
            found.wrong.append(Wrong("room", room, why, _MISPLACED))
        elif not belongs(room, log):
            why = f"it is in the log {log}, to which it does not belong"
            found.wrong.append(Wrong("room", room, why, _MISPLACED))
    rooms.add(found)


async def _check_offers(entries: AsyncIterator[JournalEntry], rooms: OpenRooms) -> None:
    offers = OpenOffers()
    async for entry in entries:
        rooms.entries += 1
        try:
            for event, _ in split_frames(entry.frames):
                if event["type"] != ROSTER:
                    offers.apply(event, entry.entry_id)
        except (KeyError, TypeError, ValueError) as error:
            why = f"it cannot be read ({error})"
            which = str(entry.entry_id)
            rooms.wrong.append(Wrong("entry of the log leader", which, why, _OFFER))
