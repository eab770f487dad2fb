"""A client that is connected to this node, with its requests and rooms on other nodes."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, Final

from doublecross.protocol.client_messages import Request
from doublecross.server.cluster.far_clients.items import Introduction
from doublecross.server.cluster.gateway.answers import answered_by
from doublecross.server.shell.peer import Peer

REMEMBERED: Final = 16
"""How many answered requests of a client are remembered, to recognise a second answer."""
NOWHERE: Final = ""
"""The run of a request that was not sent, and of a room that is not shown."""


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
