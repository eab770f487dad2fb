"""A client that is connected to this node, with its requests and rooms on other nodes."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass
from typing import Any, Final

import msgpack

from doublecross.protocol.client_messages import Request
from doublecross.server.cluster.far_clients.items import Introduction
from doublecross.server.shell.peer import Peer

REMEMBERED: Final = 16
"""How many answered requests of a client are remembered, to recognise a second answer."""
NOWHERE: Final = ""
"""The run of a request that was not sent, and of a room that is not shown."""

_MSGPACK_KEY: Final = b"\xa2id"
_JSON_KEY: Final = b'"id":'
_LONG: Final = 126


@dataclass(slots=True)
class Asked:
    """A request without an answer. `log` is the log whose owner has to answer it.

    `data` are the client's bytes, `run` is where it was sent, and `at_s` when it came, in seconds
    of the event loop's clock. When the leader has answered that a room is to be shown, `room` is
    its id, else empty.
    """

    log: str
    message: Request
    data: bytes | str
    at_s: float
    run: str = NOWHERE
    room: str = ""


class GatewayPeer(Peer):
    """A connection of a client to this node."""

    __slots__ = (
        "answered",
        "asked",
        "attached",
        "early",
        "elsewhere",
        "heard",
        "introduction",
        "leader",
        "offered",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.introduction: Introduction | None = None
        """The player and the client's abilities; None before the leader has admitted the player."""
        self.early: list[bytes | str] = []
        """What the client has said before its login."""
        self.heard = False
        """True when it has had an answer before its login."""
        self.asked: dict[int, Asked] = {}
        """The requests that other nodes answer, by id, oldest first."""
        self.answered: deque[int] | None = None
        """The ids of the last of them that were answered; None at first."""
        self.elsewhere: dict[str, str] = {}
        """The rooms that it follows on other nodes, each with the run that shows it."""
        self.offered: set[str] = set()
        """Those of them that it has perhaps not seen before."""
        self.attached: set[str] = set()
        """The runs with rooms that know it."""
        self.leader = NOWHERE
        """The run of the leader that knows it, or that was told of it."""

    def asks(self, request_id: int) -> None:
        """Expect an answer to a request. A client sends one again as it was that was refused."""
        if self.answered is not None and request_id in self.answered:
            self.answered.remove(request_id)

    def settle(self, request_id: int) -> None:
        """Forget a request that has its answer."""
        if self.asked.pop(request_id, None) is None:
            return
        self.waiting -= 1
        if self.answered is None:
            self.answered = deque(maxlen=REMEMBERED)
        self.answered.append(request_id)

    def is_news(self, payload: bytes) -> bool:
        """Note a message to the client; return False if it is a second answer to a request.

        The former owner of a log may have answered too, before it lost the log.
        """
        if not self.asked and self.answered is None and self.introduction is not None:
            return True
        found = answered_by(payload, self.codec.text)
        if found is None:
            return True
        if found in self.asked:
            self.settle(found)
            return True
        if self.introduction is None:  # the last one is its hello, which two leaders may answer
            self.answered = deque((found,), maxlen=REMEMBERED)
            return True
        return self.answered is None or found not in self.answered

    def send_frame(self, frame: bytes) -> None:
        """Send a message, unless it is a second answer.

        This node may answer a request that another node had before.
        """
        if self.is_news(frame):
            super().send_frame(frame)


def payload_of(frame: bytes) -> bytes:
    """Return the message in a whole unmasked websocket frame (RFC 6455, 5.2)."""
    length = frame[1]
    if length < _LONG:
        return frame[2:]
    return frame[4:] if length == _LONG else frame[10:]


def answered_by(payload: bytes, text: bool) -> int | None:
    """Return the id of the request that this message answers; None when it answers none.

    `text` says whether it is JSON. Otherwise it is msgpack.
    """
    if (_JSON_KEY if text else _MSGPACK_KEY) not in payload:
        return None
    message: Any = json.loads(payload) if text else msgpack.unpackb(payload)
    found = message.get("id")
    return found if type(found) is int else None
