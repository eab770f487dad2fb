"""Runs one resident bot of a server; runs as a child process until its input closes.

Its arguments are ``check`` and a JSON list of bot specs, or ``play`` and the JSON object of
`cli.serve.residents.play_options`. With ``check`` it only looks whether these bots exist and under
which names they would play. It answers with lines of JSON. Their ``what`` is ``checked``, ``ready``
(with its name on the server and its process id), or ``problem`` with a sentence.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from bots.api import BotError
from bots.registry import bot_class
from bots.runner import Pause, Policy, Runner, RunnerConfig
from bots.runner.identity import numbered, player_name
from cli.shared.console import FAILED, Problem, quiet_logs
from cli.shared.parsing import spec_of
from cli.shared.runner_child import LAST_S, RunnerFailed, run_until_closed
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
            self._parent.send({"what": "problem", "sentence": str(error)})
            return FAILED
        if report is None:
            return 0
        if report.problem is not None:
            self._parent.send({"what": "problem", "sentence": report.problem})
        return 0

    def _say_ready(self, name: str) -> None:
        self._parent.send({"what": "ready", "name": name, "pid": os.getpid()})


def names_of(specs: Iterable[str]) -> list[str]:
    """Return names for bots that play on one server: their own, with a number from the second on.

    Raises:
        Problem: a bot does not exist or does not have these options, or there are too many alike.
    """
    names: list[str] = []
    for text in specs:
        spec = spec_of(text)
        name = player_name(bot_class(spec.name).name if ":" in spec.name else spec.name)
        taken = {other.casefold() for other in names}
        free = next((n for n in numbered(name) if n.casefold() not in taken), None)
        if free is None:
            raise Problem(f"There are too many bots with the name {name}.")
        names.append(free)
    return names


def main() -> int:
    """Do what the arguments say and return the exit code."""
    parent = Parent(grace_s=LAST_S)
    parent.listen()
    what, given = sys.argv[1], json.loads(sys.argv[2])
    try:
        if what == "check":
            parent.send({"what": "checked", "names": names_of(given)})
            return 0
        quiet_logs(given["verbose"])
        if hasattr(os, "nice"):
            os.nice(_NICENESS)
        resident = ResidentRunner(given, parent)
    except (Problem, BotError) as error:
        parent.send({"what": "problem", "sentence": str(error)})
        return FAILED
    return asyncio.run(resident.run())


if __name__ == "__main__":
    sys.exit(main())
