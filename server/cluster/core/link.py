"""Number the batches between two runs, so that a loss never goes unnoticed.

A *run* is one start of a node. NATS delivers at most once: a message can be lost when a connection
breaks or a queue is full, and neither side hears of it. So two runs that talk keep a `Link` each,
as the two ends of a TCP connection do. What is sent is a *batch*, a msgpack array of the fields

    run        the sender
    session    the sender's session; a later session of one run has a larger number
    known      the receiver's session that the sender knows, or 0
    number     how many batches with items the sender sent before in this session
    items      a list of bytes; it is empty in a *beat*, whose number uncovers the loss of batches

A link comes up by a handshake: both sides beat, and each is up as soon as it hears a header that
knows its own session. Items travel only while a link is up, and count only if both sessions are
those of the handshake and their number is the next one. A gap or a silence ends the session. The
side that sees it begins a new session; the other side sees a session that it did not shake hands
with, and does the same. So each break is one change from up to down on each side that was up. What
arrives late is ignored: its header has a session that has ended, of the sender or of the receiver.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgpack

BEAT_S: Final = 0.5
"""How often a link sends a beat while it has nothing else to send, in seconds."""
SILENCE_S: Final = 2.0
"""A link breaks when its peer says nothing for so many seconds."""
OVERHEAD: Final = 256
"""The most bytes of a batch beside its items, for runs of up to `RUN_BYTES`."""
ITEM_OVERHEAD: Final = 5
"""The most bytes that an item needs beside its own."""
RUN_BYTES: Final = 64
"""The most bytes of the name of a run."""

Batch = tuple[str, int, int, int, list[bytes]]
_BYTES: Final = frozenset((bytes,))
encode: Final[Callable[[Batch], bytes]] = msgpack.Packer().pack
"""Returns a batch as bytes."""


def decode(payload: bytes) -> Batch:
    """Return the batch in `payload`; ignore further fields, which a later version may add.

    Raises:
        ValueError: it has none.
    """
    try:
        run, session, known, number, items = msgpack.unpackb(payload)[:5]
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError("this is no batch") from error
    # A match statement takes twenty times as long.
    if (
        type(run) is str
        and type(session) is type(known) is type(number) is int
        and session > 0 <= known
        and number >= 0
        and type(items) is list
        and _BYTES.issuperset(map(type, items))
    ):
        return run, session, known, number, items
    raise ValueError("this is no batch: a field has the wrong type")


class Link:
    """This run's side of its link to one other run, and the items that wait to be sent over it.

    `new_session` returns a larger number at each call; all links of a run share it. So a link that
    was dropped and made again never uses a session twice. Times are in seconds.
    """

    def __init__(self, new_session: Callable[[], int], now: float) -> None:
        self._new_session = new_session
        self._quiet = True
        self.heard = now
        """When the peer said something in a session that has not ended."""
        self._begin()

    def _begin(self) -> None:
        """Begin a session; the link is down."""
        self.up = False
        """True while both sides know each other's session, so that items can be sent."""
        self.mine = self._new_session()
        """This side's session."""
        self.theirs = 0
        """The peer's session, or 0; the one of the handshake while the link is up."""
        self._number = self._expected = 0
        self.owes = True
        """True when a header must be sent to the peer now."""
        self.items: list[bytes] = []
        self.size = 0
        """How many bytes the items need."""

    def take(self) -> tuple[int, int, int, list[bytes]]:
        """Return what is sent now: session, known, number and the items; without items, a beat."""
        number, items = self._number, self.items
        if items:
            self._number = number + 1
            self.items, self.size = [], 0
        self.owes = self._quiet = False
        return self.mine, self.theirs, number, items

    def receive(self, session: int, known: int, number: int, items: bool, now: float) -> bool:
        """Take a header, with items or a beat; return whether its items count.

        The link may have come up or broken afterwards.
        """
        if session < self.theirs:
            return False  # late, from a session that has ended
        self.heard = now
        if self.up and session == self.theirs:
            if known != self.mine:
                self.owes = True  # the peer does not know this side's session yet
            elif number == self._expected:
                self._expected = number + items
                return items
            elif number > self._expected:
                self._begin()
            return False  # a smaller number is a copy
        if self.up:
            self._begin()  # the peer has seen the link break
        self.theirs = session
        self.owes = True
        if known != self.mine:
            return False
        if number > 0:
            self._begin()
            return False
        self.up = True
        self._expected = int(items)
        return items

    def tick(self, now: float) -> None:
        """Let time pass: call this every `BEAT_S`."""
        if now - self.heard >= SILENCE_S:
            self.cut()
        if self._quiet or not self.up:
            self.owes = True
        self._quiet = True

    def cut(self) -> None:
        """Break the link if it is up."""
        if self.up:
            self._begin()
