"""Tell the players of correspondence games that it is their turn."""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import partial
from typing import Any, NamedTuple

from doublecross.server.core.rooms.deadlines import WAIT_MS
from doublecross.server.core.rooms.match import Match
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.sessions import Sessions


class Turn(NamedTuple):
    """Whose turn it is in a correspondence game, and the fields of the notice.

    `begins` is false when the turn goes on after a capture, or a move was only taken back.
    """

    player: str
    room: str
    match: int
    ply: int
    opponent: str
    left_ms: int
    begins: bool


def turn_in(room: Room, now: int, kind: str = "") -> Turn | None:
    """Return whose turn it is, or None if nobody is to move; `kind` is the type of a new event."""
    match = room.match
    seat = None if match is None else match.to_move
    if match is None or seat is None:
        return None
    player, opponent = room.players[seat], room.players[1 - seat]
    if player is None or opponent is None:
        return None
    deadline = match.clock.deadline()
    if deadline is None:
        # Without a clock only a bot that has left needs to be called back.
        if player.kind != "bot":
            return None
        deadline = match.clock.since + WAIT_MS
    return Turn(
        player.name,
        room.id,
        room.match_number,
        match.ply,
        opponent.name,
        max(0, deadline - now),
        _begins(match, seat, kind),
    )


class TurnNotices:
    """Send `your_turn` to those connections of a player that do not follow the room."""

    def __init__(self, sessions: Sessions, committer: Committer, now: Callable[[], int]) -> None:
        self._sessions = sessions
        self._committer = committer
        self._now = now
        self.wanting: Container[str] = frozenset()
        """The players of whose turns `on_turn` hears."""
        self.on_turn: Callable[[str, dict[str, Any]], None] = lambda _, __: None
        """Called once for each turn that begins, with the player to move and the notice."""

    def came(self, room: Room, kind: str) -> None:
        """Tell the player to move, after everything is stored; `kind` is the type of the event."""
        turn = turn_in(room, self._now(), kind)
        if turn is not None:
            self.tell(turn)

    def tell(self, turn: Turn) -> None:
        """Tell the player of a turn."""
        peers = self._sessions.of(turn.player)
        wanting = turn.begins and turn.player in self.wanting
        if peers or wanting:
            notice = {"type": "your_turn", **turn._asdict()}
            del notice["player"], notice["begins"]
            for peer in peers:
                if turn.room not in peer.followed:
                    # A welcome may still wait for a commit, and no notice may come before it.
                    deliver = partial(peer.send, notice)
                    self._committer.after(deliver, deliver)
            if wanting:
                self.on_turn(turn.player, notice)


def _begins(match: Match, seat: int, kind: str) -> bool:
    """Return whether a turn begins: not when it goes on, nor when a move was only taken back."""
    goes_on = bool(match.movers) and match.movers[-1] == seat
    return kind == "match_started" or (kind == "move" and not goes_on)
