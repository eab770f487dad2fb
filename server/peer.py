"""One connected peer: its websocket, its codec, who it is and what it follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from websockets.asyncio.server import ServerConnection, broadcast

from protocol.codec import Codec, JsonCodec, MsgpackCodec, codec_for
from protocol.common import PlayerInfo
from protocol.errors import ErrorCode
from server.limits import Limits, TokenBucket

if TYPE_CHECKING:
    from server.channel import Channel

MSGPACK_CODEC = MsgpackCodec()
JSON_CODEC = JsonCodec()


class Peer:
    """A connection, before and after its hello. `send` never waits: a peer that does not read
    fills its write buffer until the server drops it."""

    __slots__ = (
        "bucket",
        "client",
        "codec",
        "followed",
        "heard",
        "lobby",
        "offences",
        "player",
        "replaced",
        "ws",
    )

    def __init__(self, ws: ServerConnection, limits: Limits, now_s: float) -> None:
        self.ws = ws
        codec = codec_for(ws.subprotocol)
        self.codec: Codec = JSON_CODEC if codec.text else MSGPACK_CODEC
        self.player: PlayerInfo | None = None
        self.client = ""
        self.bucket = TokenBucket(limits.messages_per_s, limits.burst, now_s)
        self.followed: dict[str, Channel] = {}
        self.lobby = False
        self.heard = now_s
        """When it last said anything, in seconds of the loop's clock."""
        self.offences = 0
        self.replaced = False

    @property
    def name(self) -> str:
        """The player's name; empty before hello."""
        return "" if self.player is None else self.player.name

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message to this peer alone."""
        broadcast((self.ws,), self.codec.encode(message), text=self.codec.text)

    def send_frame(self, frame: bytes) -> None:
        """Send what this peer's codec has encoded."""
        broadcast((self.ws,), frame, text=self.codec.text)

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
