"""Peers without a network. They decode and keep the messages of the server in order."""

from __future__ import annotations

from collections import Counter
from typing import Any

from websockets.frames import TEXT, Frame
from websockets.protocol import OPEN, Protocol, Side

from protocol.codec import codec_for
from protocol.common import PlayerInfo
from protocol.version import JSON, MSGPACK
from server.core.limits import ServerLimits
from server.shell.accounts.rights import Rights
from server.shell.peer import Peer
from server.shell.rooms.channel import read_frame


class FakeSocket:
    """The part of a `ServerConnection` that the server needs for sending.

    The parser of the websockets library reads the frames that are written to it.
    """

    def __init__(self, subprotocol: str) -> None:
        self.subprotocol = subprotocol
        self.codec = codec_for(subprotocol)
        self.protocol = self
        self.transport = self
        self.state = OPEN
        self.sent: list[dict[str, Any]] = []
        self._client = Protocol(Side.CLIENT, max_size=None)

    def get_write_buffer_size(self) -> int:
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
        self.sent.append(read_frame(data) if isinstance(data, bytes) else model.model_dump())


class FakePeer(Peer):
    """A peer that is logged in as `name`."""

    def __init__(
        self, name: str = "", *, text: bool = False, limits: ServerLimits | None = None
    ) -> None:
        self.socket = FakeSocket(JSON if text else MSGPACK)
        refusals: Counter[str] = Counter()
        super().__init__(self.socket, limits or ServerLimits(), 0.0, 1, refusals)  # type: ignore[arg-type]
        self.rights = Rights(f"account of {name}")
        if name:
            self.player = PlayerInfo(name=name, kind="human")

    def take(self) -> list[dict[str, Any]]:
        """Return and forget all messages since the last call."""
        sent, self.socket.sent = self.socket.sent, []
        return sent

    def take_types(self) -> list[str]:
        return [message["type"] for message in self.take()]
