"""The logs of a cluster as the hall knows them: their owners, and the state of their censuses."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from doublecross.server.cluster.core.sharing import USED_LOGS, in_use
from doublecross.server.cluster.items import Ask, Send, pack
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.errors import storage_silent

Census = Literal["missing", "asked", "begun", "complete"]


@dataclass(slots=True)
class LogView:
    """A log: its owner, the state of its census, and the ids of its rooms.

    An empty `owner` means that there is none. `counted` are the rooms that were counted or reported
    since the census began.
    """

    owner: str
    census: Census = "missing"
    rooms: set[str] = field(default_factory=set)
    counted: set[str] = field(default_factory=set)


class HallLogs:
    """Ask the owners of logs for their rooms, and choose logs for new ones.

    `token` is the fencing token of the hall. `send` sends an item to a run.
    """

    def __init__(self, token: int, send: Send) -> None:
        self._token = token
        self.send = send
        self._views: dict[str, LogView] = {}
        self.used = USED_LOGS
        """How many logs of each run get new rooms; see `server/cluster/core/sharing.py`."""
        self.reachable: set[str] = set()
        """The runs to which a link is up."""
        self._complete = asyncio.Event()
        self.changes = 0
        """How often the census of a log was found incomplete."""

    # -- questions -----------------------------------------------------------------------------

    @property
    def missing(self) -> list[str]:
        """The logs whose rooms are not known, in the order of their ids."""
        return sorted(log for log, view in self._views.items() if view.census != "complete")

    @property
    def owners(self) -> set[str]:
        """The runs that own logs."""
        return {view.owner for view in self._views.values() if view.owner}

    def view(self, log: str) -> LogView | None:
        """Return what is known of a log, or None."""
        return self._views.get(log)

    def owner(self, room_id: str) -> str | None:
        """Return the run that can carry out a command for a room now, or None."""
        view = self._views.get(log_of_room(room_id))
        return view.owner if view is not None and view.census == "complete" else None

    def choose(self, runs: Iterable[str]) -> str:
        """Return the log for a new room: one of the first of these runs that has any, or another.

        Of several logs, choose the one with the fewest rooms. A log that its owner will delete when
        it is empty gets no new rooms while another log can take them.

        Raises:
            Refused: no log can take a room now.
        """
        by_owner: dict[str, list[str]] = {}
        for log, view in self._views.items():
            by_owner.setdefault(view.owner, []).append(log)
        used = {log for logs in by_owner.values() for log in in_use(logs, self.used)}
        views = [(i, v) for i, v in self._views.items() if v.census == "complete"]
        complete = [(len(view.rooms), log, view.owner) for log, view in views]
        able = [each for each in complete if each[1] in used] or complete
        for run in runs:
            found = [each for each in able if each[2] == run]
            if found:
                return min(found)[1]
        if not able:
            raise storage_silent()
        return min(able)[1]

    async def complete(self) -> None:
        """Wait until the rooms of all logs are known."""
        await self._complete.wait()

    # -- changes -------------------------------------------------------------------------------

    def owners_changed(self, owners: Mapping[str, str | None]) -> tuple[list[str], set[str]]:
        """Note the run that owns each log, or None, and ask new owners.

        Returns the logs with another owner than before, and the rooms of logs that are gone.
        """
        moved, rooms = [], set[str]()
        for log in [log for log in self._views if log not in owners]:
            rooms |= self._views.pop(log).rooms
        for log, run in owners.items():
            owner = run or ""
            view = self._views.get(log)
            if view is None:
                self._views[log] = LogView(owner)
            elif view.owner != owner:
                view.owner, view.census = owner, "missing"
                moved.append(log)
        self._count()
        for each in {self._views[log].owner for log in self.missing} & self.reachable:
            self._ask(each)
        return moved, rooms

    def linked(self, run: str) -> None:
        """Note that a run can be reached, and ask for the rooms of its logs."""
        self.reachable.add(run)
        self._ask(run)

    def reset(self, run: str) -> list[str]:
        """Note that a link has broken; return the logs of this run."""
        self.reachable.discard(run)
        logs = [log for log, view in self._views.items() if view.owner == run]
        for log in logs:
            self._views[log].census = "missing"
        self._count()
        return logs

    def _ask(self, run: str) -> None:
        logs = [i for i, v in self._views.items() if v.owner == run and v.census == "missing"]
        # Ask a node without logs too: it then knows this hall, and obeys no older one any more.
        if self.send(run, pack(Ask(self._token, tuple(logs)))):
            for log in logs:
                self._views[log].census = "asked"

    def _count(self) -> None:
        if self.missing:
            self._complete.clear()
            self.changes += 1
        elif self._views:
            self._complete.set()

    # -- a census ------------------------------------------------------------------------------

    def begin(self, run: str, log: str) -> None:
        """Note that a census of a log begins.

        A census that was not asked for does not count: rooms that the hall sent before the census
        arrived here may reach the owner after it. So ask the owner again. It then counts after
        these rooms.
        """
        view = self._views.get(log)
        if view is None or view.owner != run or view.census == "missing":
            return
        view.counted = set()
        if view.census == "complete":
            view.census = "missing"
            self._count()
            self._ask(run)
        else:
            view.census = "begun"
            self._count()

    def counting(self, run: str, log: str) -> LogView | None:
        """Return the log if this run's census of it is under way, else None."""
        view = self._views.get(log)
        return view if view and view.owner == run and view.census == "begun" else None

    def believed(self, run: str, room_id: str) -> LogView | None:
        """Return the log of a room if the reports of this run about it count, else None."""
        view = self._views.get(log_of_room(room_id))
        if view is None or view.owner != run or view.census not in ("begun", "complete"):
            return None
        return view

    def end(self, view: LogView) -> None:
        """Note that a census is over."""
        view.census = "complete"
        view.counted = set()
        self._count()

    def add(self, room_id: str) -> None:
        """Note a room."""
        self._views[log_of_room(room_id)].rooms.add(room_id)

    def drop(self, room_id: str) -> None:
        """Forget a room."""
        view = self._views.get(log_of_room(room_id))
        if view is not None:
            view.rooms.discard(room_id)
            view.counted.discard(room_id)
