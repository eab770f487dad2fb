"""Runs a bot in a tournament, which prints a line of JSON for each acknowledged move.

    python -m tests.e2e.bot_child '{"server": ..., "bot": ..., "name": ..., "state": ...}'

It waits less than a user's bot before it reconnects, because tests kill its server often.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from pathlib import Path

import doublecross.client.core.pacing
from doublecross.bots.registry import parse_spec
from doublecross.bots.runner import Policy, RunnerConfig, run_bot
from doublecross.protocol.server_messages import MoveMade

RECONNECT_S = 0.3


def on_move(_: MoveMade) -> None:
    sys.stdout.write('{"what": "move"}\n')
    sys.stdout.flush()


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    doublecross.client.core.pacing.CAP_S = RECONNECT_S  # type: ignore[misc]
    options = json.loads(sys.argv[1])
    config = RunnerConfig(
        server=options["server"],
        spec=parse_spec(options["bot"]),
        name=options["name"],
        seed=options["seed"],
        policy=Policy(at_once=options["at_once"]),
        state_dir=Path(options["state"]),
        tournament=options["tournament"],
        patience_s=30.0,
        on_move=on_move,
    )
    asyncio.run(run_bot(config))


if __name__ == "__main__":
    main()
