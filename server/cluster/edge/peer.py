"""A connection of this node, and what other nodes have to know of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from protocol.client_messages import FollowLobby, Request
from server.cluster.lines.items import Introduction
from server.shell.peer import Peer

NOWHERE: Final = ""
"""The run of a request that was not sent, and of a room that is not shown."""


@dataclass(slots=True)
class Asked:
    """A request without an answer. `log` is the log whose owner must have it.

    `data` are the client's bytes, `run` is where it was sent, and `at_s` when it came, in seconds
    of the event loop's clock.
    """

    log: str
    message: Request
    data: bytes | str
    at_s: float
    run: str = NOWHERE


class EdgePeer(Peer):
    """A connection of a client to this node."""

    __slots__ = ("asked", "attached", "elsewhere", "hall", "introduction", "lobby")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.introduction: Introduction | None = None
        """Who it is; None before the hall has admitted it."""
        self.asked: dict[int, Asked] = {}
        """The requests that other nodes answer, by id, oldest first."""
        self.elsewhere: dict[str, str] = {}
        """The rooms that it follows on other nodes, each with the run that shows it."""
        self.attached: set[str] = set()
        """The runs with rooms that know it."""
        self.hall = NOWHERE
        """The run of the hall that knows it."""
        self.lobby: tuple[FollowLobby, bytes | str] | None = None
        """Its last request to follow the lobby, while it follows."""
