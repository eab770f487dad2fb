"""Peers without a network. They decode and keep the messages of the server in order."""

from __future__ import annotations

from collections import Counter
from typing import Any

from websockets.frames import TEXT, Frame
from websockets.protocol import Protocol, Side

from doublecross.protocol.codec import codec_for
from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.version import JSON, MSGPACK
from doublecross.server.core.limits import ServerLimits
from doublecross.server.shell.identity.rights import Rights
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.rooms.channel import read_frame
from doublecross.server.shell.wire.websocket import Receive


class FakeWebSocket:
    """A websocket whose other side reads all messages at once.

    The parser of the websockets library reads the frames that are written to it.
    """

    is_open = True
    ended_with = 0

    def __init__(self, subprotocol: str) -> None:
        self.subprotocol = subprotocol
        self.codec = codec_for(subprotocol)
        self.sent: list[dict[str, Any]] = []
        self._client = Protocol(Side.CLIENT, max_size=None)

    def deliver_to(self, receive: Receive, peer: Any) -> None:
        """Deliver nothing, because nothing arrives."""

    def pause(self) -> None:
        """Read nothing, as before."""

    def resume(self) -> None:
        """Read nothing, as before."""

    def close(self, code: int, reason: str) -> None:
        self.end(code, reason)

    def end(self, code: int, reason: str) -> None:
        self.is_open, self.ended_with = False, code

    def abort(self) -> None:
        self.is_open = False

    def buffered(self) -> int:
        return 0

    def write(self, data: bytes) -> None:
        self._client.receive_data(data)
        for frame in self._client.events_received():
            assert isinstance(frame, Frame)
            assert frame.fin
            assert (frame.opcode is TEXT) == self.codec.text
            payload = bytes(frame.data)
            self._keep(payload.decode() if self.codec.text else payload)

    def _keep(self, data: bytes | str) -> None:
        model = self.codec.decode_server(data)  # every message fits the wire's models
        assert model is not None
        self.sent.append({**read_frame(data)} if isinstance(data, bytes) else model.model_dump())


class FakePeer(Peer):
    """A peer that is logged in as `name`."""

    def __init__(
        self, name: str = "", *, text: bool = False, limits: ServerLimits | None = None
    ) -> None:
        self.socket = FakeWebSocket(JSON if text else MSGPACK)
        refusals: Counter[str] = Counter()
        super().__init__(self.socket, limits or ServerLimits(), 0.0, 1, refusals)
        self.rights = Rights(f"account of {name}")
        if name:
            self.log_in(PlayerInfo(name=name, kind="human"))

    def take(self) -> list[dict[str, Any]]:
        """Return and forget all messages since the last call."""
        sent, self.socket.sent = self.socket.sent, []
        return sent

    def take_types(self) -> list[str]:
        return [message["type"] for message in self.take()]
