"""Remember the questions of the hall about logs whose rooms do not run here yet.

The hall asks an owner for the rooms of its logs once. A log that begins to run later, or that comes
back, answers what was asked before.
"""

from __future__ import annotations

from collections.abc import Container

from doublecross.server.cluster.items import Ask


class Censuses:
    """The last hall that has asked, and the logs whose rooms it must hear of."""

    def __init__(self) -> None:
        self._asker: tuple[str, int] | None = None
        """The run and the fencing token of the hall."""
        self._asked: set[str] = set()

    def asked(self, run: str, item: Ask, running: Container[str]) -> None:
        """Keep what a hall asks, but not of logs that run and have answered."""
        if self._asker is not None and item.token < self._asker[1]:
            return
        if self._asker != (run, item.token):
            self._asker, self._asked = (run, item.token), set()
        self._asked.update(log for log in item.logs if log not in running)

    def owe(self, log: str) -> None:
        """Report the rooms of a lost log to the hall when the log comes back to this node.

        The hall asks only when it sees another owner, and it may not hear of this loss.
        """
        if self._asker is not None:
            self._asked.add(log)

    def reset(self, run: str) -> None:
        """Note that the link to a run has broken: if it is the hall, it asks again."""
        if self._asker is not None and self._asker[0] == run:
            self._asked.clear()

    def due(self, log: str) -> tuple[str, Ask] | None:
        """Return the hall's run and its question for a log that begins to run; None without a hall.

        The log learns from it who the hall is, even when the hall has asked nothing of this log.
        """
        if self._asker is None:
            return None
        run, token = self._asker
        logs = (log,) if log in self._asked else ()
        self._asked.discard(log)
        return run, Ask(token, logs)
