"""Number the batches between two runs, so that a loss never goes unnoticed.

A *run* is one start of a node. NATS delivers at most once: a message can be lost when a connection
breaks or a queue is full, and neither side hears of it. So two runs that talk keep a `Link` each,
as the two ends of a TCP connection do. What is sent has the header

    session    the sender's session; a later session of one run has a larger number
    known      the receiver's session that the sender knows, or `UNKNOWN`
    number     how many batches the sender sent before in this session

A *beat* is a header without items. Its number is that of the next batch, so it uncovers the loss
of the batches before it.

A link comes up by a handshake: both sides beat, and each is up as soon as it hears a header that
knows its own session. Items travel only while a link is up, and count only if both sessions are
those of the handshake and their number is the next one. A gap or a silence ends the session. The
side that sees it begins a new session; the other side sees a session that it did not shake hands
with, and does the same. So each break is one change from up to down on each side that was up. What
arrives late is ignored: its header has a session that has ended, of the sender or of the receiver.

`TRANSITIONS` lists all changes of state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

UNKNOWN: Final = 0
"""Stands for the session of a peer that is not known. Sessions are larger."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of a run's links, in seconds: how often it sends, and how long it waits."""

    beat_s: float = 0.5
    """How often a link sends a beat while it has nothing else to send."""
    silence_s: float = 2.0
    """A link breaks when its peer says nothing for this long."""
    hello_s: float = 5.0
    """How often a run sends a hello to all others."""
    forget_s: float = 60.0
    """A link that was down for this long is dropped; a hello makes a new one."""
    deaf_s: float = 3.0
    """A NATS server that says nothing for this long, not even to a ping, counts as lost."""
    gather_s: float = 0.0008
    """The least time between two batches, below 1; 0: send one after each turn with items.

    A message costs mostly the wake-ups of three processes, so gathering items halves its cost.
    """


TIMING: Final = Timing()


class State(Enum):
    """The state of a link: up while both sides know each other's session."""

    DOWN = "down"
    UP = "up"


class Cause(Enum):
    """The causes of a change of a link's state."""

    OPENED = "opened"
    """The peer knows this side's session, and no batch is missing."""
    GAP = "gap"
    """A batch is missing."""
    REPLACED = "replaced"
    """The peer has begun another session: it has seen the link break."""
    SILENT = "silent"
    """The peer has said nothing for `silence_s`."""
    CUT = "cut"
    """The connection that carries the link is lost, or the peer has left."""


TRANSITIONS: Final[Mapping[tuple[State, Cause], State]] = {
    (State.DOWN, Cause.OPENED): State.UP,
    (State.DOWN, Cause.GAP): State.DOWN,
    (State.UP, Cause.GAP): State.DOWN,
    (State.UP, Cause.REPLACED): State.DOWN,
    (State.UP, Cause.SILENT): State.DOWN,
    (State.UP, Cause.CUT): State.DOWN,
}
"""The state after each cause. Every cause except `OPENED` begins a new session of this side."""


class Link:
    """This run's side of its link to one other run.

    `new_session` returns a larger number at each call; all links of a run share it. So a link that
    was dropped and made again never uses a session twice.
    """

    __slots__ = (
        "_expected",
        "_new_session",
        "_quiet",
        "_silence_s",
        "changed",
        "heard",
        "mine",
        "number",
        "owes",
        "state",
        "theirs",
        "up",
    )

    def __init__(self, new_session: Callable[[], int], now: float, timing: Timing = TIMING) -> None:
        self._new_session = new_session
        self._silence_s = timing.silence_s
        self.state = State.DOWN
        self.up = False
        """True while the state is up, so items can be sent; an attribute, because that is fast."""
        self.mine = new_session()
        """This side's session."""
        self.theirs = UNKNOWN
        """The peer's session; the one of the handshake while the link is up."""
        self.number = 0
        """The number of the next batch to send."""
        self.heard = now
        """When the peer said something in a session that has not ended, in seconds."""
        self.changed = now
        """When the state changed, in seconds."""
        self._expected = 0
        self.owes = True
        """True when a header must be sent to the peer now."""
        self._quiet = True

    def stamp(self, items: bool) -> tuple[int, int, int]:
        """Return the header (session, known, number) of what is sent now: items, or a beat."""
        number = self.number
        if items:
            if not self.up:
                raise ValueError("items can be sent only while the link is up")
            self.number = number + 1
        self.owes = self._quiet = False
        return self.mine, self.theirs, number

    def receive(self, session: int, known: int, number: int, now: float, items: bool) -> bool:
        """Take a header, with items or a beat; return whether its items count.

        The state may have changed afterwards, from down to up or from up to down.
        """
        if session == self.theirs and known == self.mine and self.up:
            self.heard = now
            if number == self._expected:
                self._expected = number + items
                return items
            if number > self._expected:
                self._change(Cause.GAP, now)
            return False  # a smaller number is a copy
        return self._shake_hands(session, known, number, now, items)

    def _shake_hands(self, session: int, known: int, number: int, now: float, items: bool) -> bool:
        """Take a header that is not of the two sessions that are up."""
        if session < self.theirs:
            return False  # late, from a session that has ended
        self.heard = now
        if self.state is State.UP:
            if session == self.theirs:
                self.owes = True  # the peer does not know this side's session yet
                return False
            self._change(Cause.REPLACED, now)
        self.theirs = session
        self.owes = True
        if known != self.mine:
            return False
        if number > 0:
            self._change(Cause.GAP, now)
            return False
        self._change(Cause.OPENED, now)
        self._expected = number + items
        return items

    def tick(self, now: float) -> None:
        """Let time pass: call this every `beat_s`."""
        if self.state is State.UP and now - self.heard >= self._silence_s:
            self._change(Cause.SILENT, now)
        if self._quiet or self.state is State.DOWN:
            self.owes = True
        self._quiet = True

    def cut(self, now: float) -> None:
        """Break the link if it is up, because what carries it is lost."""
        if self.state is State.UP:
            self._change(Cause.CUT, now)

    def _change(self, cause: Cause, now: float) -> None:
        """Change the state according to `TRANSITIONS`.

        Raises:
            KeyError: the table has no such change; our mistake.
        """
        self.state = TRANSITIONS[self.state, cause]
        self.up = self.state is State.UP
        self.changed = now
        if cause is Cause.OPENED:
            return
        self.theirs = UNKNOWN
        self.mine = self._new_session()
        self.number = self._expected = 0
        self.owes = True
