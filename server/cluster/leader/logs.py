"""The logs of a cluster as the leader knows them: their owners, and the state of their rooms."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

from doublecross.server.cluster.core.sharing import USED_LOGS, in_use
from doublecross.server.cluster.items import Ask, Send, pack
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.errors import storage_silent

State = Literal["missing", "asked", "reading", "known"]


@dataclass(slots=True)
class LogView:
    """A log: its owner, whether its rooms are known, and their ids.

    An empty `owner` means that there is none. `held` are the reports that wait until the rooms are
    read from the storage, each after the function that handles it.
    """

    owner: str
    state: State = "missing"
    rooms: set[str] = field(default_factory=set)
    held: list[tuple[Callable[[Any], None], Any]] = field(default_factory=list)


class LeaderLogs:
    """Ask the owners of logs for reports, and choose logs for new rooms.

    `token` is the fencing token of the leader. `send` sends an item to a run.
    """

    def __init__(self, token: int, send: Send) -> None:
        self._token = token
        self.send = send
        self._views: dict[str, LogView] = {}
        self._in_use: dict[str, Collection[str]] = {}
        """The logs of each run that get new rooms. There are many logs, and choices are often."""
        self.used = USED_LOGS
        """How many logs of each run get new rooms; see `server/cluster/core/sharing.py`."""
        self._all_known = asyncio.Event()
        self.changes = 0
        """How often the rooms of a log were found unknown."""

    # -- questions -----------------------------------------------------------------------------

    @property
    def missing(self) -> list[str]:
        """The logs whose rooms are not known, in the order of their ids."""
        return sorted(log for log, view in self._views.items() if view.state != "known")

    @property
    def owners(self) -> set[str]:
        """The runs that own logs."""
        return {view.owner for view in self._views.values() if view.owner}

    def owner(self, room_id: str) -> str | None:
        """Return the run that can carry out a command for a room now, or None."""
        view = self._views.get(log_of_room(room_id))
        return view.owner if view is not None and view.state == "known" else None

    def owned_by(self, run: str, log: str) -> LogView | None:
        """Return a log if this run owns it and has been asked about it, else None."""
        view = self._views.get(log)
        return view if view and view.owner == run and view.state != "missing" else None

    def choose(self, runs: Iterable[str]) -> str:
        """Return the log for a new room: one of the first of these runs that has any, or another.

        Of several logs, choose the one with the fewest rooms. A log that its owner will delete when
        it is empty gets no new rooms while another log can take them.

        Raises:
            Refused: no log can take a room now.
        """
        used = self._in_use
        for logs in chain(
            (used.get(run, ()) for run in runs), [chain(*used.values())], [self._views]
        ):
            views = ((log, self._views[log]) for log in logs)
            known = [(len(view.rooms), log) for log, view in views if view.state == "known"]
            if known:
                return min(known)[1]
        raise storage_silent()

    async def known(self) -> None:
        """Wait until the rooms of all logs are known."""
        await self._all_known.wait()

    # -- changes -------------------------------------------------------------------------------

    def owners_changed(self, owners: Mapping[str, str | None]) -> set[str]:
        """Note the run that owns each log, or None, and ask new owners.

        Returns the rooms of logs that are gone.
        """
        rooms = set[str]()
        for log in [log for log in self._views if log not in owners]:
            gone = self._views.pop(log)
            self._miss(gone)  # a reading that is under way does not count any more
            rooms |= gone.rooms
        by_owner: dict[str, list[str]] = {}
        for log, run in owners.items():
            owner = run or ""
            by_owner.setdefault(owner, []).append(log)
            view = self._views.get(log)
            if view is None:
                self._views[log] = LogView(owner)
            elif view.owner != owner:
                view.owner = owner
                self._miss(view)
        self._in_use = {run: in_use(logs, self.used) for run, logs in by_owner.items()}
        self._count()
        for each in {self._views[log].owner for log in self.missing}:
            self.ask(each)
        return rooms

    def reset(self, run: str) -> None:
        """Note that a link has broken."""
        for view in self._views.values():
            if view.owner == run:
                self._miss(view)
        self._count()

    def _miss(self, view: LogView) -> None:
        view.state = "missing"
        view.held = []

    def ask(self, run: str) -> None:
        """Ask a run about its logs, if it can be reached now."""
        logs = [i for i, v in self._views.items() if v.owner == run and v.state == "missing"]
        if logs and self.send(run, pack(Ask(self._token, tuple(logs)))):
            for log in logs:
                self._views[log].state = "asked"

    def _count(self) -> None:
        if self.missing:
            self._all_known.clear()
            self.changes += 1
        elif self._views:
            self._all_known.set()

    def answered(self, view: LogView) -> bool:
        """Note that the owner of a log reports from now on; return whether to read its rooms now.

        An answer that was not asked for does not count: rooms that the leader sent before may reach
        the owner after it. So ask the owner again. The next answer then comes after these rooms.
        """
        if view.state == "asked":
            view.state = "reading"
            return True
        self.ask_again(view)
        return False

    def ask_again(self, view: LogView) -> None:
        """Ask the owner of a log once more, because something may be missing."""
        self._miss(view)
        self._count()
        self.ask(view.owner)

    def is_read(self, view: LogView) -> None:
        """Note that the rooms of a log are known."""
        view.state = "known"
        self._count()

    def add(self, room_id: str) -> None:
        """Note a room."""
        self._views[log_of_room(room_id)].rooms.add(room_id)

    def drop(self, room_id: str) -> None:
        """Forget a room."""
        view = self._views.get(log_of_room(room_id))
        if view is not None:
            view.rooms.discard(room_id)
