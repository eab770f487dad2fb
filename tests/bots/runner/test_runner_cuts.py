"""Check that a plan survives lost connections and killed servers: each game is played once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import cast

import pytest

from doublecross.bots.registry import parse_spec
from doublecross.bots.runner import (
    ChallengePlan,
    GameResult,
    Runner,
    RunnerConfig,
    RunnerError,
    RunnerReport,
)
from doublecross.bots.runner.config import Engine
from doublecross.bots.runner.ready import PlayedBot
from doublecross.bots.runner.tasks import StopRequests
from doublecross.bots.runner.visit import ServerVisit
from doublecross.bots.workers.pool import WorkerPool
from doublecross.client.transport import Client
from doublecross.games.record import Record, RecordedMove, format_record
from doublecross.protocol.client_messages import Challenge, GetRecord, Leave, Move, Request, Resume
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import ChallengeSent, Done, RecordFound
from tests.bots.running import until
from tests.fakes.rooms import SMALL, FakeRoom, room_in_play
from tests.fakes.server import FakeServer, Peer

PLAN = ChallengePlan.pairs("plan-7", "Bob", SMALL, [()])
ONE = ChallengePlan("plan-7", "Bob", PLAN.games[:1], patience_s=5.0)


@contextlib.asynccontextmanager
async def planning(
    server: FakeServer, folder: Path, plan: ChallengePlan = ONE
) -> AsyncIterator[asyncio.Task[RunnerReport]]:
    config = RunnerConfig(
        server=server.url,
        spec=parse_spec("rules"),
        name="Ann",
        seed=1,
        plan=plan,
        state_dir=folder,
        signals=False,
    )
    runner = Runner(config)
    task = asyncio.create_task(runner.run())
    try:
        yield task
    finally:
        runner.stop()
        runner.stop()
        await asyncio.gather(task, return_exceptions=True)


def bob_moves(fake: FakeRoom) -> list[object]:
    """Play the first legal actions while it is Bob's turn, and return their events."""
    events: list[object] = []
    while not fake.state.is_terminal() and fake.state.current_player() == 1:
        events.append(fake.play(fake.state.legal_actions()[0]))
    if fake.state.is_terminal() and fake.status == "playing":
        first, second = fake.state.returns()
        events.append(fake.finish(winner=None if first == second else int(second > first)))
    return events


def record_of(fake: FakeRoom) -> str:
    first, second = fake.state.returns()
    return format_record(
        Record(
            game=fake.game,
            players=("Ann", "Bob"),
            moves=tuple(RecordedMove(action) for action in fake.state.history()),
            result="1-0" if first > second else "0-1" if second > first else "1/2-1/2",
            termination="completed",
        )
    )


async def play_room(peer: Peer, fake: FakeRoom) -> None:
    """Serve the room until Ann has left it."""
    while True:
        request = await peer.next(Request)
        match request:
            case Move(action=action, ply=ply):
                assert ply == fake.state.ply
                move = fake.play(action)
                await peer.send(move.model_copy(update={"id": request.id}))
                await peer.send(*bob_moves(fake))  # type: ignore[arg-type]
            case Resume() | Challenge():
                await peer.send(fake.room_state(request.id))
            case Leave():
                await peer.send(Done(id=request.id))
                return
            case _:
                raise AssertionError(request)


async def test_the_challenge_is_sent_again_under_its_key(tmp_path: Path) -> None:
    async with FakeServer() as server, planning(server, tmp_path) as task:
        peer = await server.accept()
        await peer.welcome()
        first = await peer.next(Challenge)
        assert (first.key, first.player, first.seat) == ("plan-7.0", "Bob", 0)
        peer.cut()  # before the answer

        peer = await server.accept()
        await peer.welcome(epoch="e2")
        second = await peer.next(Challenge)
        assert second.key == first.key
        await peer.send(ChallengeSent(id=second.id, challenge="c1"))
        await until(lambda: not peer.requests.qsize())
        peer.cut()  # while it is open; the restarted server has forgotten it

        peer = await server.accept()
        await peer.welcome(epoch="e3")
        third = await peer.next(Challenge)
        assert third.key == first.key
        fake = room_in_play()
        await peer.send(ChallengeSent(id=third.id, challenge="c2"))
        await peer.send(fake.room_state(origin="c2"))  # the notice that it was accepted
        await play_room(peer, fake)
        report = await task
    assert report.plan[0].room == "r1"
    assert report.plan[0].game_id == "r1-1"
    assert report.games == 1


async def test_a_room_whose_notice_was_cut_off_is_found_by_its_key(tmp_path: Path) -> None:
    fake = room_in_play()
    async with FakeServer() as server, planning(server, tmp_path) as task:
        peer = await server.accept()
        await peer.welcome()
        challenge = await peer.next(Challenge)
        await peer.send(ChallengeSent(id=challenge.id, challenge="c1"))
        peer.cut()  # accepted, but the notice of the room is never sent

        peer = await server.accept()
        await peer.welcome("r1", epoch="e2")
        await play_room(peer, fake)
        report = await task
    assert report.plan[0].termination == "completed"
    assert report.games == 1


async def test_a_result_that_was_cut_off_is_read_from_the_record(tmp_path: Path) -> None:
    fake = room_in_play()
    async with FakeServer() as server, planning(server, tmp_path) as task:
        peer = await server.accept()
        await peer.welcome()
        challenge = await peer.next(Challenge)
        await peer.send(fake.room_state(challenge.id))
        while True:
            request = await peer.next(Move)
            event = fake.play(request.action).model_copy(update={"id": request.id})
            rest = bob_moves(fake)
            if fake.status == "finished":
                break
            await peer.send(event, *rest)  # type: ignore[arg-type]
        peer.cut()  # the last move was made; neither its answer nor the end is ever sent

        peer = await server.accept()
        await peer.welcome(epoch="e2")
        resume = await peer.next(Resume)
        await peer.refuse(resume, ErrorCode.UNKNOWN_ROOM)
        asked = await peer.next(GetRecord)
        assert asked.game_id == "r1-1"
        await peer.send(RecordFound(id=asked.id, game_id="r1-1", text=record_of(fake)))
        report = await task
    result = report.plan[0]
    assert result.scores == fake.state.scores()
    assert result.moves == fake.state.ply
    assert report.games == 1


async def test_a_room_without_a_record_ends_the_plan(tmp_path: Path) -> None:
    fake = room_in_play()
    async with FakeServer() as server, planning(server, tmp_path) as task:
        peer = await server.accept()
        await peer.welcome()
        challenge = await peer.next(Challenge)
        await peer.send(fake.room_state(challenge.id))
        await peer.next(Move)
        peer.cut()
        peer = await server.accept()
        await peer.welcome(epoch="e2")
        await peer.refuse(await peer.next(Resume), ErrorCode.UNKNOWN_ROOM)
        await peer.refuse(await peer.next(GetRecord), ErrorCode.UNKNOWN_RECORD)
        with pytest.raises(RunnerError, match="is gone"):
            await task


async def test_a_void_game_is_played_again_under_another_key(tmp_path: Path) -> None:
    async with FakeServer() as server, planning(server, tmp_path) as task:
        peer = await server.accept()
        await peer.welcome()
        challenge = await peer.next(Challenge)
        lost = room_in_play("r0")
        lost.finish("void")
        await peer.send(lost.room_state(challenge.id))
        again = await peer.next(Challenge)
        assert again.key == "plan-7.0.1"
        fake = room_in_play("r1")
        await peer.send(fake.room_state(again.id))
        await play_room(peer, fake)
        report = await task
    assert (report.void, report.games, report.plan[0].room) == (1, 1, "r1")


async def test_a_game_that_ends_before_its_challenge_is_answered_is_counted_once_with_its_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A bot that fails at once can end a game while the answer to the challenge is on its way.
    counted: list[GameResult] = []
    config = RunnerConfig(
        server="127.0.0.1", spec=parse_spec("random"), plan=ONE, on_game=counted.append
    )
    report, bot = RunnerReport(), PlayedBot((Engine(parse_spec("random")),), 1)
    visit = ServerVisit(
        config,
        bot,
        cast(Client, None),
        cast(WorkerPool, None),
        report,
        StopRequests(),
        Random(1),
        Path("unused"),
    )

    async def stay(room: str) -> None:
        return None

    monkeypatch.setattr(visit._rooms, "leave", stay)
    assert visit._campaign is not None
    result = GameResult(
        game_id="g",
        room="r",
        match=1,
        settings=SMALL,
        opponent="Bob",
        seat=0,
        winner=1,
        termination="crash",
        scores=(0, 0),
        moves=0,
    )
    visit._rooms.match_ended(result)
    assert counted == []
    visit._campaign._index["r"] = 0  # the answer is there
    visit._planned(0, result)
    visit._rooms.match_ended(result)
    await asyncio.sleep(0)
    assert [(game.game_id, game.index) for game in counted] == [("g", 0)]
    assert report.games == 1
