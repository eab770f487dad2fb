"""The channel of a room: its committed events as bytes, and the peers that receive them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

import msgpack

from doublecross.server.core.events import Event
from doublecross.server.core.rooms.match import Match
from doublecross.server.core.rooms.plans import Plans
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import (
    BoardDict,
    SnapshotDict,
    board,
    board_after,
    room_board,
    snapshot,
)
from doublecross.server.shell.peer import JSON_CODEC, MSGPACK_CODEC, Peer
from doublecross.server.shell.wire.frames import framed

HISTORY: Final = 4096
"""Committed events that a room keeps for reconnecting peers; who missed more gets a snapshot."""
OPENING_BYTES: Final = 64 * 1024
"""More than the first event of a room has."""
_MOVE: Final = b"\xa4type\xa4move"
"""The bytes of an encoded move after its first one, in msgpack."""
JSON_STEP: Final = 128
"""How many events are encoded in JSON at once, so that nothing else waits for long."""


class Channel:
    """A room, the peers that follow it, and its latest committed events.

    `frames[i]` is the msgpack encoding of the event with number `first + i`.
    """

    __slots__ = (
        "_board",
        "_of_match",
        "_opening",
        "_snapshot",
        "_texts",
        "asleep",
        "awaited",
        "boards",
        "first",
        "frames",
        "has_row",
        "peers",
        "plans",
        "presence",
        "room",
        "scheduled",
    )

    def __init__(self, room: Room) -> None:
        self.room = room
        self.first = 1
        self.frames: list[bytes] = []
        self._opening: list[bytes] = []
        """The events before the first match."""
        self._of_match: list[bytes] = []
        """Those since the latest match began."""
        self.peers: dict[Peer, None] = {}
        self.awaited = 0
        """How many peers will be shown the room after a commit."""
        self.asleep = False
        """True when the journal does not count: the row of a room that sleeps has the events, or a
        commit is under way that stores this row."""
        self.has_row = False
        """True when that row is stored."""
        self.plans: Plans | None = [None, None]
        """The conditional moves of each seat; None when only the database knows them."""
        self.boards = 0
        """How many of the peers receive positions."""
        self.scheduled: int | None = None
        """When the scheduler checks the room's deadlines next, in milliseconds; None: never."""
        self.presence: Mapping[str, Any] = {}
        """The presence that was sent last."""
        self._texts: dict[int, bytes] = {}
        """The JSON encoding of those events that a peer has missed, by number."""
        self._snapshot: tuple[Room, SnapshotDict] | None = None
        """The last snapshot and its room."""
        self._board: tuple[Room, int, BoardDict] | None = None
        """The last position that was asked for, with its room and the number of its event."""

    @property
    def last_seq(self) -> int:
        """The number of the last committed event."""
        return self.first + len(self.frames) - 1

    def add(self, peer: Peer) -> None:
        """Send the room's events to `peer` from now on."""
        if peer.boards and peer not in self.peers:
            self.boards += 1
        self.peers[peer] = None
        peer.followed[self.room.id] = None

    def remove(self, peer: Peer) -> None:
        """Stop sending the room's events to `peer`."""
        if peer.boards and peer in self.peers:
            self.boards -= 1
        self.peers.pop(peer, None)
        peer.followed.pop(self.room.id, None)

    def attend(self, seat: int, peers: Iterable[Peer]) -> None:
        """Note with which of the `peers` of its player a seat follows the room, one at least."""
        here = [peer for peer in peers if peer in self.peers]
        takebacks = all(peer.takebacks for peer in here)
        self.room.attendance.connect(seat, takebacks, len(here))

    @property
    def spectators(self) -> int:
        """The number of peers that follow the room without a seat."""
        return self.room.attendance.spectators(len(self.peers))

    def release(
        self,
        event: Event,
        frame: bytes,
        match: Match | None,
        asker: Peer | None,
        request_id: int | None,
    ) -> None:
        """Send a committed event to all followers.

        The peer that requested it gets its copy as the answer, with the request's id. `match` is
        the one to which the event belongs.
        """
        frames = self.frames
        self.keep(event, frame)
        # Delete many at once, because all others have to move up.
        if len(frames) > HISTORY:
            del frames[: HISTORY // 4]
            self.first += HISTORY // 4
            self._texts = {seq: text for seq, text in self._texts.items() if seq >= self.first}
        # A position costs more than an event, so make it only if somebody here needs it.
        if self.boards and match is not None:
            shown = with_board(event, match)
            if shown is not event:
                self._send_with_boards(frame, event, shown, asker, request_id)
                return
        # The answer has an id that nobody else may see, so the asker gets bytes of its own.
        if asker is not None and request_id is not None:
            asker.send_frame(
                asker.codec.with_id(frame, request_id)
                if asker.codec is MSGPACK_CODEC
                else JSON_CODEC.encode({**event, "id": request_id})
            )
        else:
            asker = None
        self.send(event, frame, asker)

    def keep(self, event: Event, frame: bytes) -> None:
        """Add a committed event to those in memory."""
        self.frames.append(frame)
        if event.get("type") == "match_started":
            self._of_match = [frame]
        elif self._of_match:
            self._of_match.append(frame)
        else:
            self._opening.append(frame)

    def essential_frames(self) -> list[bytes]:
        """Return the committed events from which the room can be rebuilt, however many it has.

        These are all but those of the matches before the latest one; see `restore`.
        """
        return self._opening + self._of_match

    def keep_all(self, events: Sequence[Event], frames: Sequence[bytes]) -> None:
        """Add stored events; those of the matches before the latest one may be missing."""
        for event, frame in zip(events, frames, strict=True):
            self.keep(event, frame)
        if self.room.seq != self.last_seq:
            # Only those after the gap have numbers that follow each other.
            self.frames = list(self._of_match)
            self.first = self.room.seq - len(self.frames) + 1

    def send(
        self,
        message: Mapping[str, Any],
        frame: bytes | None = None,
        exclude: Peer | None = None,
    ) -> None:
        """Send a message to all followers except one, encoded and framed once for each codec.

        `frame` is the message in msgpack, if it is encoded already.
        """
        if not self.peers:
            return
        binary = framed(MSGPACK_CODEC.encode(message) if frame is None else frame, False)
        text: bytes | None = None
        for peer in self.peers:
            if peer is exclude:
                continue
            if peer.codec is MSGPACK_CODEC:
                peer.websocket.write(binary)
            else:
                if text is None:
                    text = framed(JSON_CODEC.encode(message), True)
                peer.websocket.write(text)

    def _send_with_boards(
        self,
        frame: bytes,
        event: Event,
        shown: Mapping[str, Any],
        asker: Peer | None,
        request_id: int | None,
    ) -> None:
        """Send an event to all followers; those with boards get `shown`, which has the position.

        `frame` is the event in msgpack. Each variant is encoded once.
        """
        encoded: dict[tuple[bool, bool], bytes] = {(False, False): frame}
        frames: dict[tuple[bool, bool], bytes] = {}

        def payload(peer: Peer) -> bytes:
            kind = peer.codec.text, peer.boards
            if kind not in encoded:
                encoded[kind] = peer.codec.encode(shown if peer.boards else event)
            return encoded[kind]

        if asker is not None and request_id is not None:
            asker.send_frame(asker.codec.with_id(payload(asker), request_id))
        else:
            asker = None
        for peer in self.peers:
            if peer is not asker:
                kind = peer.codec.text, peer.boards
                if kind not in frames:
                    frames[kind] = framed(payload(peer), peer.codec.text)
                peer.websocket.write(frames[kind])

    def size_since(self, seq: int) -> int:
        """Return the number of bytes of the committed events after number `seq`, in msgpack."""
        return sum(map(len, self.frames[max(0, seq - self.first + 1) :]))

    def encoded_since(self, seq: int, text: bool) -> Sequence[bytes] | None:
        """Return the encoded events after `seq`, which must be in memory; `text` means JSON.

        JSON is encoded once, and only `JSON_STEP` events at a time. Returns None when some are
        not encoded yet: call this again a moment later.
        """
        start = seq - self.first + 1
        if not text:
            return self.frames[start:]
        texts = self._texts
        numbers = range(seq + 1, self.last_seq + 1)
        missing = [number for number in numbers if number not in texts]
        for number in missing[:JSON_STEP]:
            texts[number] = JSON_CODEC.encode(read_frame(self.frames[number - self.first]))
        return None if len(missing) > JSON_STEP else [texts[number] for number in numbers]

    def snapshot(self, now: int) -> SnapshotDict:
        """Return a snapshot of the room as it is; all who ask between two events share it.

        Its clocks are those of the first who asked, so each message sets its own.
        """
        # A rebuilt room uses the numbers of the lost events again, so the number alone is not
        # enough.
        last = self._snapshot
        if last is None or last[0] is not self.room or last[1]["seq"] != self.room.seq:
            last = self._snapshot = (self.room, snapshot(self.room, now))
        return last[1]

    def board(self) -> BoardDict:
        """Return the position of the room as it is; all who ask between two events share it."""
        last = self._board
        if last is None or last[0] is not self.room or last[1] != self.room.seq:
            last = self._board = (self.room, self.room.seq, room_board(self.room))
        return last[2]

    def stored_board(self) -> BoardDict | None:
        """Return the position after the last committed event.

        Returns None when it is not known any more, because the room plays another match, whose
        first event waits for its commit.
        """
        room = self.room
        if room.seq == self.last_seq:
            return self.board()
        # Newer events wait for their commit, so look for the last stored one that has a position.
        for frame in reversed(self.frames):
            event = read_frame(frame)
            if event["type"] in ("match_started", "move", "takeback", "match_finished"):
                if room.match is None or event["match"] != room.match_number:
                    return None
                if event["type"] == "match_finished":
                    return board(room.match.state, in_play=False)
                return board_after(event, room.match)
        # That event may be among those which are no longer in memory.
        if self.first > 1:
            return None
        return board(room.game.initial_state(room.settings.opening), in_play=False)

    def event(self, seq: int) -> Event | None:
        """Return the committed event with this number, or None when it is not in memory."""
        index = seq - self.first
        return read_frame(self.frames[index]) if 0 <= index < len(self.frames) else None


def with_board(event: Event, match: Match) -> Mapping[str, Any]:
    """Return the event with the position after it, if it is one that has a position.

    The moves of the start come at once, so only the last of them has one.
    """
    if event["type"] == "move" and event["ply"] + 1 < match.placed:
        return event
    shown = board_after(event, match)
    return event if shown is None else {**event, "board": shown}


def read_frame(frame: bytes) -> Event:
    """Decode an event that this server has encoded."""
    event: Event = msgpack.unpackb(frame, use_list=False)
    return event


def split_events(packed: bytes) -> tuple[list[Event], list[bytes]]:
    """Return the events of a room that sleeps, and the bytes of each.

    Raises:
        ValueError: the bytes are damaged.
    """
    try:
        found = split_frames(zlib.decompress(packed))
    except zlib.error as error:
        raise ValueError(str(error)) from error
    return [cast(Event, event) for event, _ in found], [frame for _, frame in found]


def opening_event(packed: bytes) -> dict[str, Any]:
    """Return the first event of a room that sleeps, without reading the others.

    Raises:
        ValueError: the bytes are damaged.
    """
    unpacker = msgpack.Unpacker(use_list=False)
    try:
        unpacker.feed(zlib.decompressobj().decompress(packed, OPENING_BYTES))
        event = unpacker.unpack()
    # msgpack raises errors of several kinds.
    except Exception as error:
        raise ValueError("no event at byte 0") from error
    if not isinstance(event, dict):
        raise ValueError("no event at byte 0")
    return event


def split_frames(stream: bytes, *, moves: bool = True) -> list[tuple[dict[str, Any], bytes]]:
    """Return the events of a journal entry, perhaps without its moves, each with its own bytes.

    Raises:
        ValueError: the bytes are no msgpack stream of maps.
    """
    unpacker = msgpack.Unpacker(use_list=False, max_buffer_size=len(stream) + 1)
    unpacker.feed(stream)
    found: list[tuple[dict[str, Any], bytes]] = []
    start = 0
    while start < len(stream):
        event: Any = None
        skips = not moves and stream.startswith(_MOVE, start + 1)
        try:
            if skips:
                unpacker.skip()
            else:
                event = unpacker.unpack()
        # msgpack raises errors of several kinds.
        except Exception as error:
            raise ValueError(f"no msgpack at byte {start}") from error
        end = unpacker.tell()
        if not skips:
            if not isinstance(event, dict):
                raise ValueError(f"no event at byte {start}")
            found.append((event, stream[start:end]))
        start = end
    return found
