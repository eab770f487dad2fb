"""Find out whether the server can do its work, for `/health` and for its own end."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from doublecross.server.core.storage import StoreError
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.upkeep.service_time import ServiceTime
from doublecross.server.supervisor import Supervisor

STALLED_S: Final = 5.0
"""A commit that takes longer is a problem of the server."""
ANSWER_S: Final = 2.0
"""How many seconds the database may take to answer."""


class Health:
    """Find the problems of a running server."""

    def __init__(self, authority: Authority, supervisor: Supervisor, service: ServiceTime) -> None:
        self._authority = authority
        self._service = service
        self._supervisor = supervisor

    @property
    def can_store(self) -> bool:
        """True while commits succeed, as far as it is known."""
        writer = self._authority.committer.writer
        return (
            not writer.trouble
            and writer.busy_s() <= STALLED_S
            and "committer" not in self._supervisor.down
        )

    def tasks(self) -> Mapping[str, str]:
        """Return the state of each long-lived task: ``running``, or why it has ended."""
        down = self._supervisor.down
        return {name: down.get(name, "running") for name in self._supervisor.tasks}

    async def problem(self) -> str:
        """Return what is wrong in one sentence, or an empty string."""
        writer = self._authority.committer.writer
        if self._authority.availability.closing:
            return "the server is stopping"
        for name, reason in self._supervisor.down.items():
            return f"the task {name} is down: {reason}"
        if writer.trouble:
            return f"nothing can be stored: {writer.trouble}"
        busy_s = writer.busy_s()
        if busy_s > STALLED_S:
            return f"a commit has been waiting for {busy_s:.0f} s"
        try:
            # Last, because the rest is known without the database.
            async with asyncio.timeout(ANSWER_S):
                await self._authority.store.ping()
        except StoreError as error:
            return str(error)
        except TimeoutError:
            return "the database does not answer"
        return ""

    async def report(self) -> dict[str, Any]:
        """Return the parts of the answer of `/health` that describe problems."""
        problem = await self.problem()
        return {
            "status": "failing" if problem else "ok",
            "problem": problem,
            "storage": self._authority.committer.writer.trouble or "ok",
            "tasks": self.tasks(),
            "stalls_ms": self._service.spared_ms(),
        }
