"""Know what the leader of the cluster has asked, and report to it what happens in rooms."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from doublecross.server.cluster.items import Ask, Happened, Left, Send, Stored, pack
from doublecross.server.core.events import Event
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.rooms.subscribers import RoomSubscriber


class AskedLogs:
    """The run and the fencing token of the leader that has asked about each log.

    The leader asks an owner once. The owner may begin to run the log later, or it may lose the log
    and get it back before the leader hears of that.
    """

    def __init__(self) -> None:
        self._asked: dict[str, tuple[str, int]] = {}

    def note(self, run: str, item: Ask) -> None:
        """Note a question, unless a newer leader has asked about the same log."""
        for log in item.logs:
            if self._asked.get(log, ("", 0))[1] <= item.token:
                self._asked[log] = run, item.token

    def reset(self, run: str) -> None:
        """Note that the link to a run has broken: if it is the leader, it asks again."""
        self._asked = {log: asked for log, asked in self._asked.items() if asked[0] != run}

    def of(self, log: str) -> tuple[str, Ask] | None:
        """Return the run of the leader, and what it has asked about a log; None: nothing."""
        found = self._asked.get(log)
        return None if found is None else (found[0], Ask(found[1], (log,)))


class Reporter(RoomSubscriber):
    """Know the leader that this node obeys, and report the events of rooms to it.

    It is the leader with the highest fencing token that has asked. An older one, whose lease has
    lapsed, may still send orders, which are ignored. While no leader can be reached, nothing is
    reported: the next leader reads it from the storage.
    """

    def __init__(self, send: Send, committer: Committer) -> None:
        self._send = send
        self._committer = committer
        self._token = 0
        self._session = object()
        """A new object for each leader and after each break of the link to it."""
        self.leader: str | None = None
        """The run of the leader; None while it cannot be reached."""
        self.opening: dict[str, int] = {}
        """The number of the last of the leader's events of each room that is not stored yet."""
        self.silent: set[str] = set()
        """The tournaments whose players may say no phrases."""

    def obey(self, run: str, token: int) -> bool:
        """Obey a leader that asks from now on; return False if there is a newer one."""
        if token < self._token:
            return False
        if run != self.leader:
            self._session = object()
        self._token, self.leader = token, run
        return True

    def reset(self, run: str) -> None:
        """Report nothing to a run any more, because its link has broken."""
        if self.leader == run:
            self.leader = None
            self._session = object()

    def report(self, item: NamedTuple) -> None:
        """Send an item to the leader, if it can be reached."""
        if self.leader is not None and not self._send(self.leader, pack(item)):
            self.leader = None

    def replier(self) -> Callable[[NamedTuple], None]:
        """Return a function that sends the leader an item in reply to an order of this moment.

        The function sends nothing when there is another leader by then, or when the link has broken
        since. The leader expects no reply then, and messages to players may be lost as well.
        """
        session = self._session

        def reply(item: NamedTuple) -> None:
            if session is self._session:
                self.report(item)

        return reply

    def happened(self, room: Room, event: Event) -> None:
        """Report an event, but those that the leader has made all at once."""
        last = self.opening.get(room.id)
        if last is None:
            self.report(Happened(event))
        elif event["seq"] >= last:
            del self.opening[room.id]
            self.report(Stored(room.id, room.started_at))

    def player_left(self, room: Room) -> None:
        """Report who has left a room, after all events that are queued now."""

        def report() -> None:
            names = [player.name for player in room.players if player is not None]
            gone = tuple(name for name in names if room.left_by(name))
            self.report(Left(room.id, gone))

        # If a commit fails, its rooms are rebuilt, and then reported again.
        self._committer.after(report, report)

    def allows_phrases(self, tournament_id: str) -> bool:
        """Return whether the players of a tournament may say phrases to each other."""
        return tournament_id not in self.silent
