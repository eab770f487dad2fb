"""Check the arena with real worker processes: fair pairs, repeatable games, failing bots."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from random import Random

import psutil
import pytest

from doublecross.bots.api import BotError
from doublecross.bots.arena import deadlines, worker
from doublecross.bots.arena.arena import MOST_REPLAYS, Arena, ArenaError
from doublecross.bots.arena.job import (
    ArenaGame,
    ArenaJob,
    bootstrap_rng,
    match_tasks,
    record_of,
    round_robin,
)
from doublecross.bots.arena.moves import MoveBudget
from doublecross.bots.arena.report import report
from doublecross.bots.arena.tally import PairTally
from doublecross.bots.registry import parse_spec
from doublecross.games.record import format_records, parse_records
from doublecross.games.registry import make_game
from tests.bots.bad_bots import HERE

GAME = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
BUDGET = MoveBudget(time_s=0.5, margin_s=60.0)


def job_of(*bots: str, pairs: int = 3, seed: int = 1, budget: MoveBudget = BUDGET) -> ArenaJob:
    openings = GAME.openings(Random(seed), pairs).found
    assert len(openings) == pairs
    return ArenaJob(tuple(map(parse_spec, bots)), GAME, match_tasks(openings), budget, seed)


async def played(
    job: ArenaJob,
    workers: int = 2,
    grace_s: float = 2.0,
    on_game: Callable[[Arena, ArenaGame], None] = lambda _, __: None,
    clock: Callable[[], float] | None = None,
) -> tuple[PairTally, list[str]]:
    tally, notes = PairTally(), list[str]()

    def take(game: ArenaGame) -> None:
        tally.add(game)
        on_game(arena, game)

    arena = Arena(
        job, workers=workers, on_game=take, on_note=notes.append, grace_s=grace_s, clock=clock
    )
    await arena.run()
    assert arena.pids == ()
    assert workers_of_this_process() == []
    return tally, notes


def workers_of_this_process() -> list[int]:
    return [
        child.pid
        for child in psutil.Process().children()
        if child.status() != psutil.STATUS_ZOMBIE
        and "doublecross.bots.arena.child" in str(child.cmdline())
    ]


def line_of(game: ArenaGame) -> object:
    return game.task, game.game, game.moves, game.winner, game.termination, game.scores


async def test_each_opening_is_played_with_both_colours_and_the_rules_are_kept() -> None:
    job = job_of("greedy", "random", pairs=4)
    tally, notes = await played(job)
    assert notes == []
    games = tally.games
    assert [(game.task.number, game.game) for game in games] == [
        (pair, game) for pair in range(4) for game in (0, 1)
    ]
    for game in games:
        assert game.players == ((0, 1) if game.game == 0 else (1, 0))
        assert game.task.opening == job.tasks[game.task.number].opening
        state = GAME.replay(game.task.opening, (move.action for move in game.moves))
        assert state.is_terminal()
        assert state.scores() == game.scores
        first, second = game.scores
        assert game.winner == (None if first == second else int(second > first))
        assert sum(effort.moves for effort in game.efforts) == len(game.moves)
        assert all(effort.seconds > 0 for effort in game.efforts if effort.moves)


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
async def test_workers_have_the_memory_and_core_of_the_job() -> None:
    job = replace(job_of("random", "random", pairs=1), memory_mb=2000, pin=True)
    found = []

    def look(_: ArenaGame) -> None:
        (process,) = map(psutil.Process, arena.pids)
        found.append((process.cpu_affinity(), process.rlimit(psutil.RLIMIT_DATA)))

    arena = Arena(job, workers=1, on_game=look)
    await arena.run()
    assert found == [([min(os.sched_getaffinity(0))], (2000 << 20, 2000 << 20))] * 2
    with pytest.raises(ValueError, match="fewer cores than workers"):
        Arena(job, workers=10_000, on_game=look)


async def test_bots_get_ready_before_the_first_game() -> None:
    tally, notes = await played(job_of(f"{HERE}:GetsReady", "random", pairs=1))
    assert notes == []
    assert [game.termination for game in tally.games] == ["completed"] * 2


async def test_the_same_seed_plays_the_same_games_on_any_number_of_workers() -> None:
    one, _ = await played(job_of("random", "random"), workers=1)
    two, _ = await played(job_of("random", "random"), workers=2)
    assert [line_of(game) for game in one.games] == [line_of(game) for game in two.games]
    other, _ = await played(replace(job_of("random", "random"), seed=2))
    assert [game.moves for game in one.games] != [game.moves for game in other.games]


def test_a_bot_draws_alike_in_both_games_of_a_pair_and_else_on_its_own() -> None:
    job = job_of("rules:seed=5", "rules:seed=5", "greedy", pairs=3)
    job = ArenaJob(job.bots, GAME, round_robin(3, [t.opening for t in job.tasks]), BUDGET, 9)
    first = [job.seed_of(task, 0, seat) for task in job.tasks for seat in (0, 1)]
    assert len(set(first)) == len(first) == 9 * 2
    assert first == [job.seed_of(task, 1, 1 - seat) for task in job.tasks for seat in (0, 1)]
    assert job.names == ("rules:seed=5 #1", "rules:seed=5 #2", "greedy")
    moved = ArenaJob(job.bots, GAME, job.tasks, BUDGET, 10)
    task = job.tasks[0]
    assert moved.seed_of(task, 0, 0) == job.seed_of(task, 0, 0)  # the bot's own seed
    last = job.tasks[1]
    assert last.players == (0, 2)
    assert moved.seed_of(last, 0, 1) != job.seed_of(last, 0, 1)


@pytest.mark.parametrize(
    ("bot", "termination", "says"),
    [
        ("Raises:at=2", "crash", "it raised ValueError: no idea at ply"),
        ("Illegal:at=2", "illegal", "which is not legal at ply"),
        ("Dies:at=2", "crash", "the worker process was killed by SIGKILL at ply"),
    ],
)
async def test_a_bot_that_fails_loses_each_game_that_it_fails_in(
    bot: str, termination: str, says: str
) -> None:
    job = job_of(f"{HERE}:{bot}", "random", pairs=2)
    tally, notes = await played(job)
    assert len(notes) == len(tally.games) == 4
    for game in tally.games:
        assert game.termination == termination
        assert game.loser is not None
        assert game.players[game.loser] == 0
        assert says in game.failure
        state = GAME.replay(game.task.opening, (move.action for move in game.moves))
        assert state.current_player() == game.loser  # The loser is the bot whose turn it was.
        assert state.ply >= 2
    assert all(f"{HERE}:{bot} loses to random" in note and says in note for note in notes)
    assert tally.terminations(0) == {termination: 4}
    assert tally.terminations(1) == {}
    assert tally.pentanomial.counts == (2, 0, 0, 0, 0)


async def test_a_bot_that_never_answers_is_stopped_and_loses_on_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker, "SLACK_S", 0.1)
    job = job_of(f"{HERE}:Hangs:at=1", "random", pairs=1, budget=MoveBudget(time_s=0.05))
    tally, notes = await played(job, grace_s=0.1)
    assert tally.terminations(0) == {"timeout": 2}
    assert len(notes) == 2
    assert all("did not answer and it was stopped by force at ply" in note for note in notes)
    # It has moved before in one of the games.
    assert sorted(note.endswith("; perhaps it sleeps.") for note in notes) == [False, True]


@pytest.fixture
def restless_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[], float]:
    """A clock of a machine that sleeps for an hour between any two looks at it."""
    # There are many looks while a process starts.
    monkeypatch.setattr(deadlines, "MOST_RESTARTS", 10_000)
    return itertools.count(step=3600.0).__next__


async def test_nobody_loses_by_a_crash_because_the_machine_slept(
    restless_clock: Callable[[], float],
) -> None:
    job = job_of(f"{HERE}:Waits", "random", pairs=1, budget=MoveBudget(time_s=0.01, margin_s=60.0))
    tally, notes = await played(job, clock=restless_clock)
    assert notes == []
    assert [game.termination for game in tally.games] == ["completed"] * 2


async def test_a_game_that_was_lost_on_time_in_a_sleep_is_played_again_but_not_for_ever(
    restless_clock: Callable[[], float],
) -> None:
    budget = MoveBudget(time_s=0.01)
    job = job_of("tests.bots.late_bots:Sleeps", "random", pairs=1, budget=budget)
    tally, notes = await played(job, workers=1, grace_s=0.1, clock=restless_clock)
    assert tally.terminations(0) == {"timeout": 2}
    again = [note for note in notes if note.endswith("because this computer stood still.")]
    assert (len(again), len(notes)) == (2 * MOST_REPLAYS, 2 * MOST_REPLAYS + 2)
    # What counts is processor time here, which no sleep takes away.
    tally, notes = await played(replace(job, cpu=True), grace_s=0.1, clock=restless_clock)
    assert notes == []


async def test_a_killed_worker_costs_one_game_and_is_replaced() -> None:
    job = job_of(f"{HERE}:Waits", "random", pairs=3, budget=MoveBudget(time_s=0.02, margin_s=60.0))
    seen: list[int] = []

    def kill_once(arena: Arena, game: ArenaGame) -> None:
        if not seen:
            seen.extend(arena.pids)
            os.kill(arena.pids[0], signal.SIGKILL)

    tally, notes = await played(job, workers=1, on_game=kill_once)
    assert len(seen) == 1
    assert len(tally.pairs) == 3
    crashed = [game for game in tally.games if game.termination != "completed"]
    # The kill comes during the second game or just before it.
    assert [(game.task.number, game.game) for game in crashed] in ([(0, 1)], [])
    assert len(notes) == 1
    assert "killed by SIGKILL" in notes[0]


async def test_the_rest_of_a_pair_is_played_by_another_worker(tmp_path: object) -> None:
    job = job_of(f"{HERE}:Dies:at=1,once={tmp_path}/once", "random", pairs=2)
    tally, notes = await played(job, workers=1)
    assert [game.termination for game in tally.games] == ["crash", *["completed"] * 3]
    assert len(notes) == 1


@pytest.mark.parametrize(
    ("bot", "says"),
    [
        ("Unmakeable", "cannot be made .*table"),
        ("Hungry", "cannot be made .MemoryError.; --memory allows it 2000 MiB, which may be too"),
        ("Refuses", "wants a table that is not there"),
    ],
)
async def test_a_bot_that_cannot_be_made_stops_the_arena_at_once(bot: str, says: str) -> None:
    with pytest.raises(BotError, match=says):
        await played(replace(job_of("random", f"{HERE}:{bot}"), memory_mb=2000))
    assert workers_of_this_process() == []


async def test_workers_that_do_not_start_stop_the_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/no/such/python")
    with pytest.raises(ArenaError, match="do not stay up"):
        await played(job_of("random", "random"))


async def test_cancelling_keeps_the_finished_games_and_leaves_no_process() -> None:
    job = job_of(f"{HERE}:Waits", "random", pairs=5, budget=MoveBudget(time_s=0.02, margin_s=60.0))
    tally = PairTally()
    three = asyncio.Event()

    def take(game: ArenaGame) -> None:
        tally.add(game)
        if len(tally.games) == 3:
            three.set()

    task = asyncio.create_task(Arena(job, workers=1, on_game=take).run())
    await asyncio.wait_for(three.wait(), 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert workers_of_this_process() == []
    games = len(tally.games)
    assert 3 <= games < 10  # on a busy machine one more may have ended before the cancelling
    assert (len(tally.pairs), tally.leftover) == divmod(games, 2)
    result = report(job, tally, bootstrap_rng(1))
    assert (result.games, result.leftover) == (games - games % 2, games % 2)
    assert result.won + result.drawn + result.lost == result.games


async def test_an_error_of_the_callback_for_games_is_raised() -> None:
    def fail(_: Arena, __: ArenaGame) -> None:
        raise TimeoutError("of the taker")

    with pytest.raises(TimeoutError, match="of the taker"):
        await played(job_of("random", "random"), on_game=fail)
    assert workers_of_this_process() == []


async def test_a_round_robin_shares_the_workers() -> None:
    openings = GAME.openings(Random(1), 2).found
    bots = tuple(map(parse_spec, ("random", "greedy", "rules")))
    job = ArenaJob(bots, GAME, round_robin(3, openings), BUDGET, 1)
    seen: list[tuple[int, int]] = []
    arena = Arena(job, workers=2, on_game=lambda game: seen.append(game.task.players))
    await arena.run()
    assert sorted(seen) == sorted([(0, 1), (0, 2), (1, 2)] * 4)


async def test_the_report_and_the_records_contain_all_games() -> None:
    job = job_of("rules", f"{HERE}:Raises:at=4", pairs=3, budget=MoveBudget(clock_s=30.0))
    tally, _ = await played(job)
    result = report(job, tally, bootstrap_rng(1))
    assert (result.won, result.games, result.figures.score) == (6, 6, 1.0)
    assert result.figures.pairs.counts == (0, 0, 0, 0, 3)
    assert result.second.terminations == {"crash": 6}
    nets = [game.net(0) for game in tally.games]
    assert result.net == pytest.approx(sum(nets) / 6)
    assert result.net_interval.low <= result.net <= result.net_interval.high
    data = result.as_json()
    assert data["elo"] is None
    assert data["elo_interval"][1] is None
    assert data["first"]["effort"]["moves"] == sum(
        game.efforts[game.players.index(0)].moves for game in tally.games
    )
    text = format_records(record_of(game, job, "2026-01-01T00:00:00+00:00") for game in tally.games)
    records = parse_records(text)
    assert [record.moves for record in records] == [game.moves for game in tally.games]
    for record, game in zip(records, tally.games, strict=True):
        assert record.players[game.players.index(0)] == "rules"
        assert record.termination == "crash"
        assert record.result == ("1-0" if game.players[0] == 0 else "0-1")
        assert record.time_control == "30+0"
        assert ("Reason", game.failure) in record.tags
        assert all(move.clock_ms is not None for move in record.moves)
