"""Play one side of a match, as a child process.

The first line of its input is the job as JSON (see `doublecross.bots.hosting.series.SeriesJob`). It
answers with lines of JSON. Their ``what`` is ``ready`` (with its name on the server), ``began`` and
``move`` (on request), ``game``, ``storage`` (whether the server can store moves), ``done``, or
``problem`` with a sentence and the bot's traceback. It ends when its input is closed.
"""

from __future__ import annotations

import asyncio
import json
import queue
import sys
from pathlib import Path
from typing import Any

from doublecross.bots.api import BotError
from doublecross.bots.hosting.until_closed import LAST_S, RunnerFailed, run_until_closed
from doublecross.bots.registry import checked_spec
from doublecross.bots.runner import (
    ChallengePlan,
    GameRange,
    GameResult,
    Pause,
    PlannedGame,
    Policy,
    Runner,
    RunnerConfig,
)
from doublecross.client.core.room import RoomMirror
from doublecross.games.registry import make_game
from doublecross.processes.logs import quiet_logs
from doublecross.processes.parent import Parent
from doublecross.protocol.common import MatchSettings
from doublecross.protocol.server_messages import MoveMade


class MatchPlayer:
    """Runs a bot as its job says, and reports its games to the parent process."""

    def __init__(self, job: dict[str, Any], parent: Parent) -> None:
        self._parent = parent
        self._seen: set[tuple[str, int]] = set()
        settings = MatchSettings.model_validate_json(json.dumps(job["settings"]))
        plan = None
        if job["opponent"] is not None:
            plan = ChallengePlan(
                job["plan_id"],
                job["opponent"],
                tuple(
                    PlannedGame(settings.model_copy(update={"opening": tuple(opening)}), seat)
                    for opening in job["openings"]
                    for seat in (1, 0)  # the opponent, who is named first, begins
                )[: job["games"]],
                at_once=job["at_once"],
            )
        self._runner = Runner(
            RunnerConfig(
                server=job["server"],
                spec=checked_spec(job["spec"]),
                seed=job["seed"],
                # A finished game keeps its place until this process has seen its end. Twice as many
                # places let the next game begin meanwhile.
                policy=Policy(
                    games=(GameRange(settings.game),), at_once=2 * job["at_once"], rematches=False
                ),
                workers=job["at_once"],
                state_dir=Path(job["state_dir"]) if job["state_dir"] else None,
                kept_for=job["kept_for"],
                patience_s=job["patience_s"],
                grace_s=0.0,
                pause=Pause(job["pause_s"], always=True) if job["pause_s"] else None,
                plan=plan,
                game=make_game(settings.game, settings.params),
                signals=False,
                on_ready=lambda name: self._report("ready", name=name),
                on_began=self._report_began if job["moves"] else None,
                on_game=self._report_game,
                on_move=self._report_move if job["moves"] else None,
                on_storage=lambda works: self._report("storage", works=works),
            )
        )

    async def run(self) -> int:
        """Play until the plan is done or the parent closes the input; return the exit code."""
        try:
            report = await run_until_closed(self._runner, self._parent)
        except RunnerFailed as error:
            self._report("problem", sentence=str(error), trace=error.trace)
            return 1
        if report is None:
            return 0
        client = self._runner.client
        # The latest welcome, because a restart of the server may change its HTTP address.
        welcome = None if client is None else client.session.welcome
        http = None if welcome is None else welcome.http
        self._report("done", problem=report.problem, http=http)
        return 0

    def _report_game(self, result: GameResult) -> None:
        self._report(
            "game",
            index=result.index,
            room=result.room,
            game_id=result.game_id,
            seat=result.seat,
            winner=result.winner,
            termination=result.termination,
            scores=list(result.scores),
            moves=result.moves,
            failures=result.failures,
            outcome=result.outcome,
        )

    def _report_began(self, mirror: RoomMirror) -> None:
        if (mirror.room, mirror.match) in self._seen:
            return
        self._seen.add((mirror.room, mirror.match))
        names = [player.name if player else "" for player in mirror.players]
        opening = list(mirror.settings.opening)
        self._report("began", room=mirror.room, players=names, opening=opening)

    def _report_move(self, event: MoveMade) -> None:
        assert self._runner.client is not None
        mirror = self._runner.client.session.rooms.get(event.room)
        if mirror is not None:
            self._report_began(mirror)
        self._report(
            "move",
            room=event.room,
            ply=event.ply,
            seat=event.seat,
            action=event.action,
            scores=list(event.scores),
            expected=event.expected,
            fallback=event.fallback,
            elapsed_ms=event.elapsed_ms,
        )

    def _report(self, what: str, **fields: Any) -> None:
        self._parent.send({"what": what, **fields})


def main() -> int:
    """Read the job, play it, and return the exit code."""
    parent = Parent(grace_s=LAST_S)
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    # The input may end before the first line; this ends the wait for it.
    parent.on_end = lambda: lines.put(b"")
    parent.listen(lines.put)
    line = lines.get()
    if not line:
        return 0
    job = json.loads(line)
    quiet_logs(job["verbose"])
    try:
        player = MatchPlayer(job, parent)
    except (BotError, ValueError) as error:
        trace = getattr(error, "trace", "")
        parent.send({"what": "problem", "sentence": str(error), "trace": trace})
        return 1
    return asyncio.run(player.run())


if __name__ == "__main__":
    sys.exit(main())
