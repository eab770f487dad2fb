"""The takebacks of one match.

Theory of operation
-------------------
A takeback names the ply to which it returns: the number of moves that stay. A player may take back
a move of their own, together with all moves that followed it. So this player is to move afterwards.
Clients name the player's last move. It may be a capture within the player's own turn, because each
capture is a choice; whoever wants more asks again.

People answer each other: the request is an event, and it ends when it is answered, when a move is
made or after `ANSWER_MS`. A bot agrees at once.

After a takeback the same ply is played again. So the number of takebacks before a move belongs to
the key of the move. A repeated request for a takeback, or its repeated answer, gets the original
event.

The clocks keep what is left: nobody gets time back.

`server/core/rooms/takeback_commands.py` has the commands, `Match.take_back` changes the position.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

ANSWER_MS: Final = 60_000
"""How long a request for a takeback waits for an answer, in milliseconds."""

MAX_UNDONE: Final = 500
"""The most moves of one match that may be taken back. The journal keeps these moves, too."""


@dataclass(frozen=True, slots=True)
class TakebackRequest:
    """A request by `seat` to return to `ply`, which event `seq` announced at `at` milliseconds."""

    seat: int
    ply: int
    seq: int
    at: int


@dataclass(frozen=True, slots=True)
class TakebackAnswer:
    """The last answer to a request by `seat` to return to `ply`: event `seq`.

    `count` is the number of takebacks before it. `agreed` says whether moves were taken back.
    """

    seat: int
    ply: int
    count: int
    agreed: bool
    seq: int


class Takebacks:
    """The takebacks that were made in a match, and the request that waits for an answer."""

    __slots__ = ("actions_before", "answer", "asked", "count", "request", "undone")

    def __init__(self) -> None:
        self.count = 0
        """How many takebacks were made."""
        self.undone = 0
        """How many moves they took back."""
        self.actions_before: list[tuple[int, ...]] = []
        """The actions of the match before each takeback."""
        self.request: TakebackRequest | None = None
        self.answer: TakebackAnswer | None = None
        self.asked: list[tuple[int, int] | None] = [None, None]
        """By seat, the position in which it last asked: the numbers of moves and of takebacks."""

    def ask(self, request: TakebackRequest, ply: int) -> None:
        """Note a request in the position after `ply` moves."""
        self.request = request
        self.asked[request.seat] = (ply, self.count)

    def decline(self, seq: int) -> None:
        """End the request without a takeback, by event `seq`."""
        assert self.request is not None
        self.answer = TakebackAnswer(
            self.request.seat, self.request.ply, self.count, agreed=False, seq=seq
        )
        self.request = None

    def note(self, seat: int, ply: int, seq: int, actions: tuple[int, ...]) -> None:
        """Note a takeback of `seat` to `ply` by event `seq`, after these actions."""
        self.answer = TakebackAnswer(seat, ply, self.count, agreed=True, seq=seq)
        self.request = None
        self.actions_before.append(actions)
        self.undone += len(actions) - ply
        self.count += 1

    def move_made(self) -> None:
        """End the request, because a move was made; from now on the same seat may ask again."""
        self.request = None
        if self.answer is not None and not self.answer.agreed:
            self.answer = None
