"""Turn the updates of one connection into snapshots for Tk's thread."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Coroutine
from typing import Any, Final

from doublecross.client.core.address import shown_address
from doublecross.client.core.updates import (
    Announced,
    ChallengeReceived,
    ConnectionLost,
    LobbyUpdated,
    Missed,
    OfferClosed,
    OfferRenewed,
    PhraseHeard,
    PresenceChanged,
    Reconnected,
    RoomChanged,
    RoomLeft,
    RoomLost,
    SeatedByOffer,
    SessionEnded,
    TournamentChanged,
    Update,
)
from doublecross.client.language import said, tr
from doublecross.client.tk.models.snapshots import (
    AnnouncementSnapshot,
    LinkSnapshot,
    LinkState,
    OfferOver,
    OffersSnapshot,
    RoomGone,
    SaidPhrase,
    SeatTaken,
    TournamentNews,
    WindowUpdate,
    lobby_snapshot,
    offers_snapshot,
    room_snapshot,
)
from doublecross.client.tk.network.inbox import Inbox, Visit
from doublecross.client.transport import Client
from doublecross.protocol.server_messages import RoomEvent

log = logging.getLogger(__name__)

LOBBY_S: Final = 0.1
"""The shortest time between two snapshots of the lobby, in seconds; a busy lobby always changes."""
_CHECK_S: Final = 0.1
"""How often to check when a lost connection is next tried, in seconds."""


class Link:
    """Watches the connection of `who` and puts snapshots of it into `inbox`, for `visit`.

    `clock` is the client's clock. All methods run in the network thread.
    """

    def __init__(
        self, who: str, client: Client, inbox: Inbox, visit: Visit, clock: Callable[[], float]
    ) -> None:
        self.who = who
        self.client = client
        self._inbox = inbox
        self._visit = visit
        self._clock = clock
        self._left = False
        self._seen: dict[str, int] = {}
        self._offers: OffersSnapshot | None = None
        self._lobby_due: asyncio.TimerHandle | None = None
        self._lobby_at = -math.inf
        self._first_url = client.url
        self._lost = tr("The connection to {server} was lost.", server=shown_address(client.url))
        self._watching: asyncio.Task[None] | None = None
        # Subscribe before the first snapshots, so that no change is missed in between.
        self._updates = client.updates()
        self.show_all()
        self._feeding = self._spawn(self._feed(), "snapshots")

    def leave(self) -> None:
        """Stop putting snapshots into the inbox."""
        self._left = True
        self._cancel_lobby()

    async def close(self) -> None:
        """End the connection."""
        tasks = [task for task in (self._feeding, self._watching) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.client.close()

    @property
    def snapshot(self) -> LinkSnapshot:
        """The state of the connection."""
        client, session = self.client, self.client.session
        welcome = session.welcome
        next_try = client.next_try_in
        ended = client.ended
        state: LinkState
        if ended is not None:
            state, sentence = "ended", said(ended.sentence)
        elif client.connected:
            state, sentence = "connected", ""
        else:
            state, sentence = "lost", said(self._lost)
        return LinkSnapshot(
            self.who,
            state,
            sentence,
            None if next_try is None else self._clock() + next_try,
            session.player,
            None if welcome is None else welcome.http,
            () if welcome is None else welcome.rooms,
            ended is not None and ended.logged_out,
            client.url if state == "connected" and client.url != self._first_url else "",
        )

    def show_all(self) -> None:
        """Put snapshots of everything into the inbox."""
        self._show_link()
        for room in self.client.session.rooms:
            self._show_room(room)
        self._offers = None  # so that the offers are sent even if they have not changed
        self.show_offers()
        self._show_lobby()
        if self.client.session.announcement is not None:
            self._show_announcement()

    def _show_announcement(self) -> None:
        told = self.client.session.announcement
        text, until_ms = ("", None) if told is None else (told.text, told.until_ms)
        self._put(AnnouncementSnapshot(self.who, text, until_ms))

    def show_offers(self) -> None:
        """Put a snapshot of the offers into the inbox if they have changed."""
        offers = offers_snapshot(self.who, self.client.session)
        if offers != self._offers:
            self._offers = offers
            self._put(offers)

    async def _feed(self) -> None:
        async for update in self._updates:
            try:
                self._show(update)
            except Exception:
                # One failure must not stop the snapshots of later updates.
                log.exception("No snapshot of %s because of an error.", type(update).__name__)

    def _show(self, update: Update) -> None:
        match update:
            case RoomChanged(room=room, event=None):
                self._show_room(room)
                self.show_offers()  # a challenge may have led to this room
            case RoomChanged(event=event) if event is not None and self._shows(event):
                pass  # events that arrive together share the snapshot of the first
            case RoomChanged(room=room) | PresenceChanged(room=room):
                self._show_room(room)
            case PhraseHeard(room=room, seat=seat, phrase=phrase):
                self._put(SaidPhrase(self.who, room, seat, phrase))
            case RoomLeft(room=room):
                self._seen.pop(room, None)
                self._put(RoomGone(self.who, room))
            case RoomLost(room=room, sentence=sentence):
                self._seen.pop(room, None)
                self._put(RoomGone(self.who, room, said(sentence)))
            case SeatedByOffer(room=room, origin=origin):
                self._put(SeatTaken(self.who, room, origin))
                self.show_offers()
            case LobbyUpdated():
                self._lobby_soon()
            case OfferClosed(offer=offer, outcome=outcome, reason=reason):
                self._put(OfferOver(self.who, offer, outcome, reason))
                self.show_offers()
            case ChallengeReceived() | OfferRenewed():
                self.show_offers()
            case TournamentChanged(state=state) if state.id is None:
                self._put(TournamentNews(self.who, state))  # with an id, it is an answer
            case Announced():
                self._show_announcement()
            case ConnectionLost(sentence=sentence):
                self._lost = sentence
                self._show_link()
                self._lobby_soon()
            case Reconnected() | SessionEnded():
                self._show_link()
                self._lobby_soon()
            case Missed():
                self.show_all()

    def _shows(self, event: RoomEvent) -> bool:
        """Return whether the last snapshot of its room already includes `event`."""
        return event.seq <= self._seen.get(event.room, 0)

    def _show_link(self) -> None:
        snapshot = self.snapshot
        self._put(snapshot)
        if snapshot.state == "lost" and (self._watching is None or self._watching.done()):
            self._watching = self._spawn(self._watch_tries(), "tries")

    async def _watch_tries(self) -> None:
        """Report the time of the next attempt to connect, each time that it changes."""
        shown: float | None = None
        while not self.client.connected and self.client.ended is None:
            snapshot, now = self.snapshot, self._clock()
            at = snapshot.next_try_at
            # During an attempt the time is "now"; report that only once.
            if at is not None and (
                shown is None or (abs(at - shown) > _CHECK_S / 2 and max(at, shown) > now)
            ):
                shown = at
                self._put(snapshot)
            await asyncio.sleep(_CHECK_S)

    def _show_room(self, room: str) -> None:
        mirror = self.client.session.rooms.get(room)
        if mirror is not None:
            self._seen[room] = mirror.seq
            self._put(room_snapshot(self.who, mirror, self._clock()))

    def _lobby_soon(self) -> None:
        """Schedule a snapshot of the lobby, at least `LOBBY_S` after the last one."""
        if self._lobby_due is None and not self._left:
            loop = asyncio.get_running_loop()
            wait = max(0.0, self._lobby_at + LOBBY_S - self._clock())
            self._lobby_due = loop.call_later(wait, self._show_lobby)

    def _cancel_lobby(self) -> None:
        if self._lobby_due is not None:
            self._lobby_due.cancel()
            self._lobby_due = None

    def _show_lobby(self) -> None:
        self._cancel_lobby()
        if self.client.session.lobby is not None:
            self._lobby_at = self._clock()
            self._put(lobby_snapshot(self.who, self.client.session, self.client.connected))

    def _put(self, update: WindowUpdate) -> None:
        if not self._left:
            self._inbox.put(update, self._visit)

    def _spawn(self, work: Coroutine[Any, Any, None], what: str) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work, name=f"{what} of {self.who}")
        task.add_done_callback(report)
        return task


def report(task: asyncio.Task[None]) -> None:
    """Log the exception that ended a task, if there was one."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("An error in the network thread (%s).", task.get_name(), exc_info=error)
