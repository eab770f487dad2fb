"""Remember what the leader has asked about logs, until they run here, or run here again.

The leader asks an owner once. The owner may begin to run the log later, or it may lose the log and
get it back before the leader hears of that.
"""

from __future__ import annotations

from doublecross.server.cluster.items import Ask


class AskedLogs:
    """The run and the fencing token of the leader that has asked about each log."""

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
