"""Runs a bot that prints one JSON line for each acknowledged move and each game.

    python -m tests.e2e.bot_child '{"server": ..., "bot": ..., "name": ..., "state": ...}'

With `opponent` it challenges that player to `pairs` game pairs; otherwise it accepts challenges.
It waits less than a user's bot before it reconnects, because tests kill its server often.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from pathlib import Path
from random import Random

import doublecross.client.core.pacing
from doublecross.bots.registry import parse_spec
from doublecross.bots.runner import ChallengePlan, GameResult, Policy, RunnerConfig, run_bot
from doublecross.games.registry import make_game
from doublecross.protocol.common import MatchSettings, TimeControl
from doublecross.protocol.server_messages import MoveMade

RECONNECT_S = 0.3


def write_line(**line: object) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def on_move(event: MoveMade) -> None:
    write_line(
        what="move",
        room=event.room,
        match=event.match,
        ply=event.ply,
        seat=event.seat,
        action=event.action,
    )


def on_game(result: GameResult) -> None:
    write_line(what="game", game=result.game_id, index=result.index, ended=result.termination)


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    doublecross.client.core.pacing.CAP_S = RECONNECT_S  # type: ignore[misc]
    options = json.loads(sys.argv[1])
    plan = None
    if "opponent" in options:
        game = make_game("dots-and-boxes", {"rows": options["rows"], "cols": options["cols"]})
        settings = MatchSettings(
            game=game.key, params=dict(game.params), time=TimeControl.parse(options["time"])
        )
        openings = game.openings(
            Random(options["seed"]), options["pairs"], options["opening"]
        ).found
        plan = ChallengePlan.pairs(
            options["plan"], options["opponent"], settings, openings, at_once=options["at_once"]
        )
    config = RunnerConfig(
        server=options["server"],
        spec=parse_spec(options["bot"]),
        name=options["name"],
        seed=options["seed"],
        policy=Policy(at_once=options.get("tournament_games", 16)),
        state_dir=Path(options["state"]),
        plan=plan,
        tournament=options.get("tournament"),
        patience_s=30.0,
        on_move=on_move,
        on_game=on_game,
    )
    report = asyncio.run(run_bot(config))
    write_line(what="end", won=report.won, lost=report.lost, drawn=report.drawn, void=report.void)


if __name__ == "__main__":
    main()
