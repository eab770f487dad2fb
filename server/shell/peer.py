"""One connected peer: its websocket, its codec, who it is and what it follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from websockets.asyncio.server import ServerConnection

from protocol.codec import Codec, JsonCodec, MsgpackCodec, codec_for
from protocol.common import PlayerInfo
from protocol.errors import ErrorCode
from server.core.limits import ServerLimits, TokenBucket
from server.shell.push import framed, write

FREE_BYTES: Final = 1024
"""An answer costs one more message of the peer's rate for each of these."""
MAX_BUFFERED: Final = 4 * 1024 * 1024
"""With that much unread, a peer gets no more long answers: it is dropped."""

MSGPACK_CODEC = MsgpackCodec()
JSON_CODEC = JsonCodec()


class Peer:
    """A connection, before and after its hello. `send` never waits: a peer that does not read
    fills its write buffer until the server drops it."""

    __slots__ = (
        "bucket",
        "client",
        "codec",
        "deaf",
        "followed",
        "heard",
        "offences",
        "player",
        "replaced",
        "ws",
    )

    def __init__(self, ws: ServerConnection, limits: ServerLimits, now_s: float) -> None:
        self.ws = ws
        codec = codec_for(ws.subprotocol)
        self.codec: Codec = JSON_CODEC if codec.text else MSGPACK_CODEC
        self.player: PlayerInfo | None = None
        self.client = ""
        """The client program, for the host's logs."""
        self.bucket = TokenBucket(limits.messages_per_s, limits.burst, now_s)
        self.followed: dict[str, None] = {}
        """The ids of the rooms that it follows, in the order in which it came to them."""
        self.heard = now_s
        """When it last said anything, in seconds of the loop's clock."""
        self.offences = TokenBucket(limits.offences_per_s, limits.offences, now_s)
        self.replaced = False
        """Whether the same player is connected elsewhere now."""
        self.deaf = False
        """Whether what it says is not listened to any more: it is being closed."""

    @property
    def name(self) -> str:
        """The player's name; empty before hello."""
        return "" if self.player is None else self.player.name

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message to this peer alone. Long ones count against its rate, so that small
        requests with large answers are not cheap; one who does not read them is dropped."""
        frame = self.codec.encode(message)
        if len(frame) > FREE_BYTES:
            self.bucket.charge(len(frame) / FREE_BYTES)
            if self.buffered() > MAX_BUFFERED:
                self.abort()
                return
        self.send_frame(frame)

    def send_frame(self, frame: bytes) -> None:
        """Send what this peer's codec has encoded."""
        write(self.ws, framed(frame, self.codec.text))

    def refuse(self, request_id: int | None, code: ErrorCode, sentence: str) -> None:
        """Answer a request with an error."""
        self.send({"type": "error", "id": request_id, "code": code.value, "message": sentence})

    def buffered(self) -> int:
        """Bytes that wait in the write buffer."""
        transport = self.ws.transport
        return 0 if transport is None else transport.get_write_buffer_size()

    def abort(self) -> None:
        """Drop the connection now, without a word; the peer may resume."""
        self.ws.transport.abort()


def tell_all(peers: Iterable[Peer], message: Mapping[str, Any]) -> None:
    """Send a notice to all of them, encoded once for each codec."""
    frames: dict[bool, bytes] = {}
    for peer in peers:
        text = peer.codec.text
        if text not in frames:
            frames[text] = (JSON_CODEC if text else MSGPACK_CODEC).encode(message)
        peer.send_frame(frames[text])
