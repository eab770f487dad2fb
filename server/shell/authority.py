"""The authority: rooms, peers and the committer put together; what every handler works with.

Nothing here waits for the network or the disk. Handlers change rooms through `publish`, which
queues the events for the journal; whatever shows a room to a peer goes through `after_commit`,
so that nothing is shown that is not stored.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import structlog

from protocol.common import PlayerInfo
from protocol.errors import ErrorCode
from server.core import deadlines
from server.core.errors import CorruptLog, Refused
from server.core.events import Event, player_dict, settings_dict
from server.core.limits import ServerLimits
from server.core.lobby.lobby import Lobby, OpenedRoom
from server.core.lobby.offers import Offer
from server.core.rating_book import RatingBook
from server.core.records import game_row, rated_game
from server.core.replay import restore
from server.core.room import Room
from server.core.snapshot import presence, snapshot
from server.core.storage import Store
from server.core.terms import RoomTimes
from server.shell.channel import Channel
from server.shell.journal.committer import Committer
from server.shell.journal.retention import Retention
from server.shell.lobby_feed import LobbyFeed
from server.shell.peer import MSGPACK_CODEC, Peer
from server.tournaments.director import Director

_log = structlog.get_logger("authority")


class EventDelivery:
    """An event that waits for its commit; `asker` gets it as the answer to `request_id`."""

    __slots__ = ("asker", "authority", "channel", "event", "frame", "request_id")

    def __init__(
        self,
        authority: Authority,
        channel: Channel,
        event: Event,
        frame: bytes,
        asker: Peer | None,
        request_id: int | None,
    ) -> None:
        self.authority = authority
        self.channel = channel
        self.event = event
        self.frame = frame
        self.asker = asker
        self.request_id = request_id

    def deliver(self) -> None:
        """It is stored: send it, and let the clock run."""
        channel, event = self.channel, self.event
        channel.release(event, self.frame, self.asker, self.request_id)
        room, kind = channel.room, event["type"]
        if event["seq"] == room.seq and (kind == "move" or kind == "match_started"):
            due = room.start_clock(self.authority.now())
            # Whoever is looked after by then already is looked after again at that time.
            if due is None or channel.scheduled is None or channel.scheduled > due:
                self.authority.schedule(channel)
        if kind != "move":
            self.authority.event_released(channel, event)

    def fail(self) -> None:
        """It is lost: the one who asked for it hears so."""
        if self.asker is not None and self.request_id is not None:
            self.authority.storage_failed(self.asker, self.request_id)


class Authority:
    """See the module's docstring. `now` gives milliseconds since 1970 and never goes back."""

    def __init__(
        self,
        store: Store,
        rng: Random,
        times: RoomTimes,
        limits: ServerLimits,
        epoch: str,
        now: Callable[[], int],
        last_entry_id: int = 0,
        admins: frozenset[str] = frozenset(),
        absence_ms: int = 600_000,
    ) -> None:
        self.store = store
        self.rng = rng
        self.times = times
        self.limits = limits
        self.epoch = epoch
        self.now = now
        self.admins = admins
        """Names of players who may run everybody's tournaments."""
        self.absence_ms = absence_ms
        """How long a player of a tournament may be away when only such players are waited for."""
        self.lobby = Lobby(rng, times, limits)
        self.committer = Committer(store, last_entry_id, now, self._stored, self._rebuild)
        self.retention = Retention(store, self.committer, self._open_rooms)
        self.channels: dict[str, Channel] = {}
        self.peers: dict[str, Peer] = {}
        """Connected players by name."""
        self.reserved: set[str] = set()
        """Casefolded names of players who are being stored right now."""
        self.closing = False
        self._due: list[tuple[int, str]] = []
        self._stranded: set[str] = set()
        """Rooms that only a restart can bring back; their entries stay."""
        self.director = Director(self)
        self.ratings = RatingBook()
        self.lobby_feed = LobbyFeed(self.lobby, self.committer, self.director, self.ratings)
        self.presence_due: set[str] = set()
        """Rooms whose number of spectators has changed."""

    # -- events --------------------------------------------------------------------------------

    def publish(
        self,
        room: Room,
        events: list[Event],
        asker: Peer | None = None,
        request_id: int | None = None,
    ) -> None:
        """Queue events of a room for the journal and then for everybody who follows it; the
        first is the answer to `request_id`."""
        channel = self.channels[room.id]
        for event in events:
            frame = MSGPACK_CODEC.encode(event)
            delivery = EventDelivery(self, channel, event, frame, asker, request_id)
            self.committer.event(room.id, frame, delivery)
            asker = request_id = None
            if event["type"] == "match_finished":
                self.committer.game(game_row(room))
            elif event["type"] == "room_closed":
                self.committer.games_due()

    def event_released(self, channel: Channel, event: Event) -> None:
        """An event other than a move was stored and sent: what follows from it outside."""
        room = channel.room
        self.lobby_feed.room(room)
        if event["type"] == "match_finished":
            self._count_rating(room)
            if room.terms.tag is not None:
                self.director.over(room)
        if event["type"] == "room_closed":
            self._drop(channel)
        else:
            self.schedule(channel)

    def _count_rating(self, room: Room) -> None:
        """A match has ended, and that is stored: what it says of its players' strength."""
        played = rated_game(room)
        if played is not None and self.ratings.add(played):
            for player, engine in zip(played.players, played.engines, strict=True):
                self.lobby_feed.rating(player, engine, played.game, played.size)

    def _drop(self, channel: Channel) -> None:
        """Forget a closed room and the journal entries that only it needed."""
        self._take_out(channel)
        self.retention.let_go(channel.entries)

    def _take_out(self, channel: Channel) -> None:
        for peer in list(channel.peers):
            channel.remove(peer)
        self.channels.pop(channel.room.id, None)
        self.lobby.rooms.drop(channel.room)

    def _open_rooms(self) -> Iterator[str]:
        yield from self.channels
        yield from self._stranded

    def _stored(self, entry_id: int, rooms: set[str]) -> None:
        """A journal entry with events of these rooms was stored."""
        for room_id in rooms:
            self.channels[room_id].entries.append(entry_id)
        if rooms:
            self.retention.hold(entry_id, len(rooms))

    def adopt(self, room: Room, frames: list[bytes], entries: list[int]) -> Channel:
        """Take in a room that was restored from the journal."""
        channel = Channel(room)
        channel.frames = frames
        channel.entries = entries
        for entry_id in entries:
            self.retention.hold(entry_id)
        self.channels[room.id] = channel
        self.lobby.rooms.add(room)
        self.schedule(channel)
        return channel

    def storage_failed(self, peer: Peer, request_id: int) -> None:
        """Answer a request that could not be stored."""
        peer.refuse(
            request_id,
            ErrorCode.STORAGE_FAILED,
            "The server could not store this; nothing was done, send it again.",
        )

    def _rebuild(self, room_ids: set[str]) -> None:
        """A commit failed: put these rooms back to their last stored event."""
        for room_id in room_ids:
            channel = self.channels.get(room_id)
            if channel is None:
                continue
            self.lobby.rooms.drop(channel.room)
            if not channel.frames:
                self._drop(channel)
                if channel.room.terms.tag is not None:
                    self.director.lost(channel.room.terms.tag)
                continue
            try:
                # Rooms whose early history was trimmed cannot be rebuilt in memory; they are
                # rebuilt by a restart, from the whole journal.
                stored = channel.events_since(0)
                if stored is None:
                    raise CorruptLog("its first events are not in memory any more")
                room = restore(stored, self.times, self.now())
            except CorruptLog as error:
                _log.error("room_not_rebuilt", room=room_id, reason=str(error))
                self._take_out(channel)
                self._stranded.add(room_id)
                if channel.room.terms.tag is not None:
                    self.director.lost(channel.room.terms.tag)
                continue
            channel.room = room
            self.lobby.rooms.add(room)
            room.attendance.ready = [True, True]
            for peer in channel.peers:
                seat = room.seat_of(peer.name)
                if seat is not None:
                    room.attendance.come(seat)
            room.start_clock(self.now())
            self.schedule(channel)

    # -- following rooms -----------------------------------------------------------------------

    def after_commit(self, peer: Peer, request_id: int | None, deliver: Callable[[], None]) -> None:
        """Call `deliver` once what it shows is stored; if that fails, answer the request so."""

        def fail() -> None:
            if request_id is not None:
                self.storage_failed(peer, request_id)

        self.committer.after(deliver, fail)

    def show_room(
        self,
        peer: Peer,
        room: Room,
        request_id: int | None,
        *,
        seq: int | None = None,
        origin: str | None = None,
    ) -> None:
        """Let `peer` follow `room`: send what it missed after `seq`, or a snapshot."""
        channel = self.channels[room.id]
        seat = room.seat_of(peer.name)
        shown = snapshot(room, self.now())
        message: dict[str, Any] = {
            "type": "room_state",
            "room": room.id,
            "seat": seat,
            "snapshot": shown,
            "clock_ms": shown["clock_ms"],
            "clock_runs": shown["clock_runs"],
        }
        if request_id is not None:
            message["id"] = request_id
        if origin is not None:
            message["origin"] = origin
        if seat is not None and room.terms.code is not None:
            message["code"] = room.terms.code

        def deliver() -> None:
            if self.peers.get(peer.name) is not peer:
                return  # it is gone, or was replaced, while the commit was under way
            if self.channels.get(room.id) is not channel:
                if request_id is not None:
                    peer.refuse(request_id, ErrorCode.UNKNOWN_ROOM, f"Room {room.id} was closed.")
                return
            missed = None if seq is None else channel.events_since(seq)
            if missed is not None:
                message["events"] = missed
                del message["snapshot"]
            known = peer in channel.peers
            channel.add(peer)
            current, now = channel.room, self.now()
            seat_now = current.seat_of(peer.name)
            if seat_now is not None:
                current.attendance.come(seat_now)
            if current.seq == channel.last_seq:
                # Nothing newer waits for its commit, so the clock may run, and is shown.
                current.start_clock(now)
                message["clock_ms"] = shown["clock_ms"] = current.clock_ms(now)
                message["clock_runs"] = shown["clock_runs"] = current.clock_runs
            self.schedule(channel)
            message["presence"] = presence(current, channel.spectators, now)
            peer.send(message)
            if not known:
                self._presence_changed(channel, seat)

        self.after_commit(peer, request_id, deliver)

    def unfollow(self, peer: Peer, channel: Channel) -> None:
        """`peer` follows the room no more (it left, or its connection is gone)."""
        channel.remove(peer)
        seat = channel.room.seat_of(peer.name)
        if seat is not None:
            channel.room.attendance.go(seat, self.now())
            self.schedule(channel)
        self._presence_changed(channel, seat)

    def _presence_changed(self, channel: Channel, seat: int | None) -> None:
        if seat is None:
            self.presence_due.add(channel.room.id)  # counted at the next sweep, with all others
        else:
            self.send_presence(channel)

    def send_presence(self, channel: Channel) -> None:
        """Tell everybody in the room who is there."""
        self.presence_due.discard(channel.room.id)
        channel.notify(presence(channel.room, channel.spectators, self.now()))

    # -- rooms from the lobby ------------------------------------------------------------------

    def open_room(self, opened: OpenedRoom, peer: Peer, request_id: int) -> None:
        """A room was opened by `peer`: store it, show it to its players."""
        room = opened.room
        self.channels[room.id] = Channel(room)
        self.publish(room, opened.events)
        offer = opened.offer
        self.show_room(peer, room, request_id, origin=None if offer is None else offer.offer_id)
        if offer is not None:
            self.lobby_feed.seek(offer, False)
            self.committer.after(lambda: None, lambda: self._take_back(offer))
            owner = self.peers.get(offer.owner.name)
            if owner is not None:
                self.show_room(owner, room, None, origin=offer.offer_id)

    def _take_back(self, offer: Offer) -> None:
        self.lobby.reopen(offer, self.now())
        self.lobby_feed.seek(offer, True)

    def offer_posted(self, offer: Offer) -> None:
        """A seek or challenge is open."""
        self.lobby_feed.seek(offer, True)
        if offer.target is not None:
            self.tell(offer.target, challenged(offer))

    def offer_ended(self, offer: Offer, outcome: str, to: str | None, reason: str = "") -> None:
        """A seek or challenge ended without a match; `to` hears so."""
        self.lobby_feed.seek(offer, False)
        if to is not None:
            self.tell(
                to,
                {
                    "type": "offer_ended",
                    "offer": offer.offer_id,
                    "outcome": outcome,
                    "reason": reason,
                },
            )

    def tell(self, player: str, message: Mapping[str, Any]) -> None:
        """Send a notice to a player who is connected, after the welcome if that waits still."""
        peer = self.peers.get(player)
        if peer is not None:

            def deliver() -> None:
                peer.send(message)

            self.committer.after(deliver, deliver)

    # -- coming and going ----------------------------------------------------------------------

    def arrive(self, peer: Peer, player: PlayerInfo) -> Peer | None:
        """`peer` has said hello as `player`; returns the connection that it replaces."""
        old = self.peers.get(player.name)
        if old is not None:
            old.replaced = old.deaf = True
            self.depart(old)
        peer.player = player
        self.peers[player.name] = peer
        self.lobby.arrive(player)
        self.lobby_feed.player(player.name, player)
        self.director.turnout.came(player.name)
        return old

    def depart(self, peer: Peer) -> None:
        """The connection is gone."""
        for channel in list(peer.followed.values()):
            self.unfollow(peer, channel)
        self.lobby_feed.follow(peer, False)
        if self.peers.get(peer.name) is peer:
            del self.peers[peer.name]
            self.lobby.depart(peer.name, self.now())
            self.lobby_feed.player(peer.name, None)
            self.director.turnout.look_at(peer.name)

    # -- time ----------------------------------------------------------------------------------

    def schedule(self, channel: Channel) -> None:
        """Look after the room's deadline in time."""
        due = deadlines.next_due(channel.room)
        if due is not None and (channel.scheduled is None or due < channel.scheduled):
            channel.scheduled = due
            heapq.heappush(self._due, (due, channel.room.id))
            if len(self._due) > 2 * len(self.channels) + 16:
                self._due = [d for d in self._due if self._is_due(*d)]
                heapq.heapify(self._due)

    def _is_due(self, due: int, room_id: str) -> bool:
        """Whether that entry of the schedule still counts; the others await their time there."""
        channel = self.channels.get(room_id)
        return channel is not None and channel.scheduled == due

    def tick(self) -> None:
        """Carry out what is due in rooms (flags, rooms that nobody comes back to) and in
        tournaments."""
        now = self.now()
        self.director.tick(now)
        while self._due and self._due[0][0] <= now:
            due, room_id = heapq.heappop(self._due)
            if not self._is_due(due, room_id):
                continue
            channel = self.channels[room_id]
            channel.scheduled = None
            events = deadlines.tick(channel.room, now)
            if events:
                self.publish(channel.room, events)
            self.schedule(channel)

    def expire_offers(self) -> None:
        """Withdraw offers of players who do not come back."""
        for offer in self.lobby.offers.expire(self.now()):
            self.offer_ended(offer, "expired", offer.target)

    def check_open(self) -> None:
        """Whether the server takes requests that change something.

        Raises:
            Refused: it is going down, or its storage is far behind.
        """
        if self.closing:
            raise Refused(ErrorCode.CLOSING, "The server is going down; come back in a moment.")
        if self.committer.full:
            raise Refused(ErrorCode.STORAGE_FAILED, "The server's storage is behind; try again.")


def challenged(offer: Offer) -> dict[str, Any]:
    """The notice of a challenge to its target."""
    return {
        "type": "challenged",
        "challenge": offer.offer_id,
        "player": player_dict(offer.owner),
        "settings": settings_dict(offer.settings),
        "seat": offer.seat,
    }
