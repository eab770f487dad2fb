"""A connected peer: its websocket, codec and player, and the rooms that it follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.codec import Codec, JsonCodec, MsgpackCodec
from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.version import JSON
from doublecross.server.core.errors import Refused
from doublecross.server.core.limits import Allowance, ServerLimits
from doublecross.server.shell.identity.rights import Rights
from doublecross.server.shell.wire.frames import framed
from doublecross.server.shell.wire.websocket import WebSocket

FREE_BYTES: Final = 1024
"""Longer answers count against the player's rate of answers, once for each so many bytes."""
MAX_WAITING: Final = 512
"""The most answers to one peer that may wait for a commit or for the database."""
MAX_BUFFERED: Final = 4 * 1024 * 1024
"""A peer with more unread bytes than this is dropped at the next long message."""

MOST_REASON: Final = 123
"""The most bytes of the reason in a close frame (RFC 6455, 5.5)."""

# All peers share these two, so `is` tells which one a peer has.
MSGPACK_CODEC = MsgpackCodec()
JSON_CODEC = JsonCodec()


NOBODY: Final = Rights()


class Peer:
    """Hold one connection, before and after its hello.

    `send` never waits. The write buffer of a peer that does not read grows until the server drops
    the connection.

    A peer pays for the long answers to its own requests, at a rate of their own. It pays when the
    request is admitted (`pay`), so it cannot order more than it may receive. Nobody pays for
    messages without a request: `send` charges only messages with an `id`.
    """

    # Slots, because thousands of idle connections must take little memory.
    __slots__ = (
        "address",
        "allowance",
        "boards",
        "client",
        "codec",
        "exclusive",
        "followed",
        "is_aborted",
        "is_closing",
        "is_limited",
        "last_message_s",
        "may_play",
        "name",
        "number",
        "player",
        "queued",
        "refusals",
        "replaced",
        "rights",
        "since_s",
        "source",
        "takebacks",
        "waiting",
        "websocket",
    )

    def __init__(
        self,
        websocket: WebSocket,
        limits: ServerLimits,
        now_s: float,
        number: int,
        refusals: Counter[str],
        source: str = "",
        address: str = "",
    ) -> None:
        self.websocket = websocket
        self.number = number
        """Names the connection in the log."""
        self.refusals = refusals
        """How many requests the server has refused with each code."""
        self.codec: Codec = JSON_CODEC if websocket.subprotocol == JSON else MSGPACK_CODEC
        self.player: PlayerInfo | None = None
        self.name = ""
        """The player's name; empty before hello."""
        self.rights = NOBODY
        """The rights of the token with which the player has logged in."""
        self.boards = False
        """True when it does not know the rules, so that it receives positions."""
        self.takebacks = False
        """True when it understands takebacks."""
        self.client = ""
        """The name of the client program, for the server's log."""
        self.exclusive = False
        """True when the player wants no other connection beside this one."""
        self.allowance = Allowance(limits, now_s)
        """What it may still send and ask for, which all connections of the player share."""
        self.waiting = 0
        """Its answers that wait for a commit or for the database."""
        self.queued = 0
        """Its requests that wait for their turn."""
        self.followed: dict[str, None] = {}
        """The ids of the rooms that it follows, oldest first."""
        self.since_s = now_s
        """When it connected, in seconds of the event loop's clock."""
        self.last_message_s = now_s
        """When its last message arrived, in seconds of the event loop's clock."""
        self.source = source
        """Where it comes from, see `server/shell/addresses`; empty: no limits for its address."""
        self.address = address
        """The address from which it comes, for the log."""
        self.replaced = False
        """True when a newer connection of the same player has taken its place."""
        self.is_closing = False
        """True when the connection is being closed, so that its messages are ignored."""
        self.is_limited = False
        """True when its token does not allow every request."""
        self.may_play = False
        """True when the connection is its player's; false when it may only organise, for example.

        In the latter case it takes no place of the player's own connection.
        """
        self.is_aborted = False
        """True when the server has dropped the connection."""

    def log_in(self, player: PlayerInfo) -> None:
        """Note whose connection this is."""
        self.player = player
        self.name = player.name

    def facts(self) -> dict[str, Any]:
        """Return what identifies the connection in the log."""
        return {"connection": self.number, "address": self.address, "player": self.name}

    def allow(self, rights: Rights) -> None:
        """Let the player do what these rights allow from now on."""
        self.rights = rights
        if self.player is not None:
            self.may_play = rights.may_play(self.player.kind)
            self.is_limited = not (self.may_play and "organise" in rights.scopes)

    def check_paid(self) -> None:
        """Check that the peer may ask for another long answer.

        Raises:
            Refused: earlier answers have used up the rate.
        """
        # The request that asks is the last message, so its time stands for now.
        if self.allowance.answers.tokens(self.last_message_s) < 1.0:
            raise Refused(
                ErrorCode.RATE_LIMITED,
                "You have asked for more than you may receive a second; send this one again later.",
            )

    def pay(self, size: int) -> None:
        """Charge a long answer of about `size` bytes, before it is made.

        A single answer may cost more than the peer has left; then the next one has to wait.

        Raises:
            Refused: earlier answers have used up the rate.
        """
        if size > FREE_BYTES:
            self.check_paid()
            self.allowance.answers.charge(size / FREE_BYTES)

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message to this peer alone."""
        frame = self.codec.encode(message)
        if len(frame) <= FREE_BYTES:
            self.send_frame(frame)
        else:
            self.send_long(frame, 0 if "id" in message else len(frame))

    def answer(self, message: Mapping[str, Any], paid: int) -> None:
        """Send an answer of which `paid` bytes are charged already."""
        self.send_long(self.codec.encode(message), paid)

    def send_long(self, frame: bytes, paid: int) -> None:
        """Send an encoded message and settle its price; drop a peer that reads no long messages."""
        size = len(frame)
        if size > FREE_BYTES:
            # The price was an estimate; a shorter answer gives nothing back.
            if size > paid:
                self.allowance.answers.charge((size - paid) / FREE_BYTES)
            # The sweep looks only now and then, and long messages could fill the memory before.
            if self.buffered() > MAX_BUFFERED:
                self.abort()
                return
        self.send_frame(frame)

    def send_frame(self, frame: bytes) -> None:
        """Send a message that is already encoded with this peer's codec."""
        self.websocket.write(framed(frame, self.codec.text))

    def refuse(
        self, request_id: int | None, code: ErrorCode, sentence: str, *values: object
    ) -> None:
        """Answer a request with an error; `values` fill the template of its sentence."""
        self.refusals[code.value] += 1
        text = Sentence(sentence, *values)
        error = {"type": "error", "id": request_id, "code": code.value, "message": text}
        self.send({**error, "phrase": text.phrase})

    def buffered(self) -> int:
        """Return the number of bytes that wait in the write buffer."""
        return self.websocket.buffered()

    def end(self, code: int, reason: str) -> None:
        """Close the connection; what still arrives is ignored. A long reason is cut."""
        self.is_closing = True
        if Sentence(reason).values:
            # A close frame has no room for what translations need.
            self.refuse(None, ErrorCode.ENDED, reason)
        self.websocket.end(code, shortened(reason))

    def abort(self) -> None:
        """Drop the connection at once, without a close frame; the player may resume."""
        self.is_aborted = True
        self.websocket.abort()


def shortened(reason: str) -> str:
    """Return the beginning of a text that fits into a close frame."""
    if len(reason.encode()) <= MOST_REASON:
        return reason
    # The ellipsis takes three bytes. A character that is cut in the middle is left out.
    cut = reason.encode()[: MOST_REASON - 3].decode(errors="ignore")
    return f"{cut.rstrip()}…"


def send_to_all(peers: Iterable[Peer], message: Mapping[str, Any]) -> None:
    """Send a message that answers nobody to all these peers, framed once for each codec.

    Websockets to another node send a frame once for all its connections, if it is the same object.
    """
    frames: dict[bool, bytes] = {}
    for peer in peers:
        text = peer.codec.text
        if text not in frames:
            codec = JSON_CODEC if text else MSGPACK_CODEC
            frames[text] = framed(codec.encode(message), text)
        peer.websocket.write(frames[text])
