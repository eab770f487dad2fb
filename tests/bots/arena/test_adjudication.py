"""Check that games end by their exact value, and that no bot pays for the search."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from doublecross.bots.arena.adjudication import Adjudicator
from doublecross.bots.arena.arena import Arena
from doublecross.bots.arena.deadlines import StandstillWatch
from doublecross.bots.arena.job import ArenaJob, bootstrap_rng, match_tasks, record_of
from doublecross.bots.arena.moves import MoveBudget
from doublecross.bots.arena.report import report
from doublecross.bots.arena.tally import PairTally
from doublecross.bots.arena.worker import Worker, WorkerEnded, WorkerEvent, WorkerFree
from doublecross.bots.registry import parse_spec
from doublecross.games.api import State
from doublecross.games.record import format_record, parse_record
from doublecross.games.registry import make_game
from doublecross.games.sentences import record_sentence

GAME = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
JOB = ArenaJob(
    (parse_spec("random"), parse_spec("greedy")),
    GAME,
    match_tasks(GAME.openings(Random(1), 2).found),
    MoveBudget(time_s=60.0),
    seed=1,
    adjudicate=5,
)


def best_end(state: State) -> tuple[int, int]:
    """Return the final scores if both play best, by trying everything."""
    if state.is_terminal():
        return state.scores()
    seat, ends = state.current_player(), []
    for action in state.legal_actions():
        state.apply(action)
        ends.append(best_end(state))
        state.undo()
    return max(ends, key=lambda scores: scores[seat])


def test_scores_are_those_of_best_play() -> None:
    rng, adjudicator = Random(1), Adjudicator(GAME)
    for _ in range(30):
        state = GAME.initial_state()
        while len(state.legal_actions()) > 6:
            state.apply(rng.choice(state.legal_actions()))
        assert adjudicator.scores(state) == best_end(state)


async def test_games_end_by_their_value_and_say_so() -> None:
    tally = PairTally()
    await Arena(JOB, on_game=tally.add, on_note=pytest.fail).run()
    assert report(JOB, tally, bootstrap_rng(1)).adjudicated == 4
    for game in tally.games:
        record = parse_record(format_record(record_of(game, JOB)))
        state = record.final_state()
        assert (len(state.legal_actions()), game.scores) == (5, best_end(state))
        tags = dict(record.tags)
        assert (record.termination, tags["Adjudication"]) == (
            "adjudicated",
            "exact value from 5 free edges",
        )
        first, second = game.scores
        assert tags["Reason"] == f"best play from ply {len(game.moves)} ends {first}:{second}"
        assert record.result == (
            "1-0" if first > second else "0-1" if second > first else "1/2-1/2"
        )
        assert record_sentence(record).endswith(" by adjudication.")


async def test_a_game_whose_solver_dies_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def messages() -> Iterator[dict[str, Any] | None]:
        yield {"what": "ready"}
        yield {"what": "game", "number": 0}
        yield {"what": "start"}
        for action in GAME.replay(JOB.tasks[0].opening, ()).legal_actions()[:-5]:
            yield {"what": "move", "seat": 0, "action": action, "seconds": 0.0, "limit_s": 1.0} | {
                "nodes": 1
            }
        yield None

    class DyingChild:
        def __init__(self) -> None:
            self._messages = messages()

        async def receive(self) -> dict[str, Any] | None:
            return next(self._messages)

        async def how_it_ended(self) -> str:
            return "was killed"

        async def stop(self, _: float) -> None: ...

        def send(self, _: object) -> None: ...

    async def start(*_: object, **__: object) -> DyingChild:
        return DyingChild()

    monkeypatch.setattr("doublecross.bots.arena.worker.Child.start", start)
    games = [(JOB.tasks[0], 0), (JOB.tasks[0], 1)]
    events: asyncio.Queue[WorkerEvent] = asyncio.Queue()

    def post(event: WorkerEvent) -> None:
        if isinstance(event, WorkerFree):
            event.worker.play(games)
        else:
            events.put_nowait(event)

    worker = Worker(JOB, 1.0, post, lambda: 0.0, StandstillWatch(0.0))
    ended = await events.get()
    assert ended == WorkerEnded(worker, "idle", "the worker process was killed", tuple(games))
    await worker.close()
