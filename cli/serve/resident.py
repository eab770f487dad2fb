"""Runs one resident bot of a server; runs as a child process until its input closes.

Its argument is the JSON object of `cli.serve.residents.play_options`. It answers with lines of
JSON. Their ``what`` is ``ready`` (with its name on the server and its process id), or ``problem``
with a sentence and, in ``unusable``, whether the bot cannot be made.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any, Final

from bots.api import BotError
from bots.runner import Pause, Policy, Runner, RunnerConfig
from cli.shared.console import FAILED, Problem, quiet_logs
from cli.shared.parsing import spec_of
from cli.shared.runner_child import LAST_S, BotUnusable, RunnerFailed, run_until_closed
from processes.parent import Parent

_NICENESS: Final = 5
"""Bots run at lower priority, because the server beside them must answer everybody at once."""


class ResidentRunner:
    """Runs a bot until the parent process closes its input."""

    def __init__(self, orders: dict[str, Any], parent: Parent) -> None:
        self._parent = parent
        pause_s = orders["pause_s"]
        self._runner = Runner(
            RunnerConfig(
                server=orders["server"],
                spec=spec_of(orders["spec"]),
                name=orders["name"],
                insist=False,
                name_wait_s=orders["name_wait_s"],
                policy=Policy(at_once=orders["games"]),
                tournament=orders.get("tournament"),
                workers=orders["workers"],
                state_dir=Path(orders["state_dir"]),
                kept_for=orders["kept_for"],
                patience_s=orders["patience_s"],
                grace_s=0.0,
                think_s=orders["think_s"],
                pause=Pause(pause_s) if pause_s > 0 else None,
                signals=False,
                on_ready=self._say_ready,
            )
        )

    async def run(self) -> int:
        """Play until the input closes; return the exit code."""
        try:
            report = await run_until_closed(self._runner, self._parent)
        except RunnerFailed as error:
            unusable = isinstance(error, BotUnusable)
            self._parent.send({"what": "problem", "sentence": str(error), "unusable": unusable})
            return FAILED
        if report is None:
            return 0
        if report.problem is not None:
            self._parent.send({"what": "problem", "sentence": report.problem})
        return 0

    def _say_ready(self, name: str) -> None:
        self._parent.send({"what": "ready", "name": name, "pid": os.getpid()})


def main() -> int:
    """Play as the argument says and return the exit code."""
    # Before anything slow, so that this process ends with its parent from the start.
    parent = Parent(grace_s=LAST_S)
    parent.listen()
    orders = json.loads(sys.argv[1])
    try:
        quiet_logs(orders["verbose"])
        if hasattr(os, "nice"):
            os.nice(_NICENESS)
        resident = ResidentRunner(orders, parent)
    except (Problem, BotError) as error:
        parent.send({"what": "problem", "sentence": str(error), "unusable": True})
        return FAILED
    return asyncio.run(resident.run())


if __name__ == "__main__":
    sys.exit(main())
