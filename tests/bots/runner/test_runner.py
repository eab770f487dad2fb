"""Check runners on a real server: matches, refusals, failing bots, names, stops and restarts."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import stat
from pathlib import Path
from random import Random

import pytest

from doublecross.bots.registry import parse_spec
from doublecross.bots.runner import (
    ChallengePlan,
    GameRange,
    GameResult,
    NumberRange,
    Policy,
    Runner,
    RunnerConfig,
    RunnerError,
    run_bot,
)
from doublecross.client.core.errors import Unreachable
from doublecross.client.core.updates import OfferClosed
from doublecross.client.options import Login, Memory
from doublecross.client.transport import Client
from doublecross.protocol.common import MatchSettings, TimeControl
from doublecross.protocol.server_messages import ChallengeSent, MoveMade, RoomState
from tests.bots.bad_bots import HERE
from tests.bots.running import RATED, TINY, human, play_out, running, serving, until


async def test_a_plan_is_played_in_pairs_and_both_sides_agree(tmp_path: Path) -> None:
    moves: list[MoveMade] = []
    seen: list[GameResult] = []
    plan = ChallengePlan.pairs("plan", "greedy", RATED, [(0,), (1,), (2,)], at_once=3)
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with running(url, tmp_path, "greedy") as (other, _):
            async with running(
                url, tmp_path, "rules", plan=plan, on_game=seen.append, on_move=moves.append
            ) as (_, task):
                report = await task
            await until(lambda: other.report.games == 6)
        await until(lambda: not server.authority.lobby.rooms)
    assert report.problem is None
    assert sorted(report.plan) == list(range(6))
    for index, result in report.plan.items():
        assert result.index == index
        assert result.settings.opening == (index // 2,)
        assert result.seat == index % 2
        assert result.termination == "completed"
        assert sum(result.scores) == 4
    assert len(seen) == 6
    assert len(moves) == sum(result.moves for result in report.plan.values())
    assert any(move.expected is not None for move in moves)
    assert not any(move.fallback for move in moves)
    assert (report.won, report.lost, report.drawn) == (
        other.report.lost,
        other.report.won,
        other.report.drawn,
    )


async def test_a_plan_waits_for_its_opponent_until_a_time_limit(tmp_path: Path) -> None:
    plan = ChallengePlan.pairs("plan", "greedy", TINY, [()])
    gone = ChallengePlan("other", "nobody", plan.games, patience_s=0.05)
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with (
            running(url, tmp_path, "rules", plan=plan) as (_, task),
            running(url, tmp_path, "greedy"),
        ):
            assert len((await task).plan) == 2
        async with running(url, tmp_path, "rules", plan=gone) as (runner, task):
            with pytest.raises(RunnerError, match="No player named nobody"):
                await task
            assert runner.report.problem is not None


@pytest.mark.parametrize("base_ms", [1500, 60_000])
async def test_a_hang_costs_one_game_and_not_the_next(tmp_path: Path, base_ms: int) -> None:
    """The next game begins when the worker of the hung bot is replaced, not before."""
    # The bot is stopped by force two seconds after its move: the shorter clock ends before that.
    fast = RATED.model_copy(update={"time": TimeControl(base_ms=base_ms)})
    plan = ChallengePlan.pairs("plan", "hangs", fast, [()])
    spec = f"{HERE}:Hangs:once={tmp_path}/once"
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with (
            running(url, tmp_path / "a", spec, name="hangs", think_s=0.1),
            running(url, tmp_path / "b", "greedy", plan=plan) as (_, task),
        ):
            report = await task
    hung, following = (report.plan[index].termination for index in (0, 1))
    assert hung == "timeout"
    assert following == "completed"


async def test_in_a_casual_match_a_substitute_move_is_marked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "doublecross.bots.runner.seated_room")
    moves: list[MoveMade] = []
    plan = ChallengePlan.pairs("plan", "greedy", TINY, [()])
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with (
            running(url, tmp_path, "greedy"),
            running(
                url,
                tmp_path,
                f"{HERE}:Raises:at=4",
                name="bad",
                plan=plan,
                on_move=moves.append,
            ) as (_, task),
        ):
            report = await task
    assert {result.termination for result in report.plan.values()} == {"completed"}
    assert report.failures == sum(move.fallback for move in moves) > 0
    assert "the bot raised ValueError: no idea; a stand-in moves in its place" in caplog.text


async def test_what_a_bot_wrote_before_it_failed_is_kept(tmp_path: Path) -> None:
    plan = ChallengePlan.pairs("plan", "greedy", RATED, [()])
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with (
            running(url, tmp_path, "greedy"),
            running(url, tmp_path, f"{HERE}:Raises:at=4", name="bad", plan=plan) as (_, task),
        ):
            await task
        assert server.authority is not None
        await server.authority.all_rooms.settled(games=True)
        failures = await server.authority.store.bot_work.failures("bad", 2)
    output = failures[0].output
    assert output is not None
    assert output.startswith("Traceback")
    assert output.endswith("ValueError: no idea\nsecond line")


async def test_challenges_are_declined_with_a_reason(tmp_path: Path) -> None:
    policy = Policy(
        at_once=1, games=(GameRange.parse("any 1x1-3x3"),), base_s=NumberRange(30), rated=False
    )
    big = TINY.model_copy(update={"params": {"rows": 4, "cols": 4}})
    quick = TINY.model_copy(update={"time": TimeControl(base_ms=1000)})
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with running(url, tmp_path, "rules", policy=policy), human(url) as ann:
            reasons = []
            feed = ann.updates()
            for settings in (big, quick, RATED):
                await ann.offers.challenge("rules", settings)
                async for update in feed:
                    if isinstance(update, OfferClosed):
                        reasons.append(update.reason)
                        break
            assert reasons == [
                "I play up to 3x3.",
                "I need 30 s on the clock.",
                "I play casual games only.",
            ]
            await ann.offers.challenge("rules", TINY)
            await until(lambda: any(r.status == "playing" for r in ann.session.rooms.values()))
            await ann.offers.challenge("rules", TINY)
            async for update in feed:
                if isinstance(update, OfferClosed):
                    assert update.reason == "I play 1 at once and no more."
                    break


async def test_a_bot_gets_ready_for_a_new_size_before_the_game_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "ready"
    monkeypatch.setenv("BAD_BOTS_READY", str(notes))
    small = TINY.model_copy(update={"params": {"rows": 1, "cols": 1}})
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        spec = f"{HERE}:NotesReady"
        async with (
            running(url, tmp_path, spec, name="notes", seek=small),
            human(url) as ann,
            human(url, "Bob") as bob,
        ):
            await until(lambda: "1x1" in notes.read_text())
            await _play_with(ann, "notes")
            # Ready for the usual size, for the bot's own seek, and now for the challenge.
            assert [line.split()[1] for line in notes.read_text().splitlines()[:3]] == [
                *("5x5", "1x1", "2x2")
            ]
            # While a game is being played, another process gets ready before the worker does.
            large = TINY.model_copy(update={"params": {"rows": 3, "cols": 3}})
            await _play_with(bob, "notes", large)
            assert notes.read_text().count("3x3") >= 2


async def _play_with(client: Client, opponent: str, settings: MatchSettings = TINY) -> str:
    """Challenge `opponent` and return the room."""
    answer = await client.offers.challenge(opponent, settings, seat=0)
    assert isinstance(answer, ChallengeSent | RoomState)
    rooms = client.session.rooms
    await until(lambda: any(r.status == "playing" for r in rooms.values()))
    return next(r.room for r in rooms.values() if r.status == "playing")


async def test_a_person_gets_a_rematch_and_the_bot_leaves_when_stopped(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with running(url, tmp_path, "rules") as (runner, task), human(url) as ann:
            room = await _play_with(ann, "rules")
            await play_out(ann, room)
            await ann.rematch(room)
            await until(lambda: ann.session.rooms[room].match == 2)
            await play_out(ann, room)
            runner.stop()
            report = await task
            assert report.games == 2
            await ann.leave(room)  # The last player to leave closes the room.
            await until(lambda: room not in server.authority.lobby.rooms)


async def test_a_stopped_runner_takes_no_new_game_and_finishes_those_it_has(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with running(url, tmp_path, "rules") as (runner, task), human(url) as ann:
            room = await _play_with(ann, "rules")
            runner.stop()
            feed = ann.updates()
            await ann.offers.challenge("rules", TINY)
            async for update in feed:
                if isinstance(update, OfferClosed):
                    assert update.reason == "I am about to leave."
                    break
            assert not task.done()
            await play_out(ann, room)
            assert (await task).games == 1


async def test_a_reconnected_runner_continues_its_games(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with human(url) as ann:
            async with running(url, tmp_path, "rules"):
                room = await _play_with(ann, "rules")
            mirror = ann.session.rooms[room]
            await ann.move(room, mirror.state.legal_actions()[0])
            assert mirror.status == "playing"
            async with running(url, tmp_path, "rules", games=1) as (runner, task):
                assert runner.report.name == "rules"
                await play_out(ann, room)
                assert (await task).games == 1


async def test_a_person_who_stays_away_loses_a_rated_match_but_keeps_a_casual_one(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, grace_s=0.1) as server:
        url = server.addresses.ws
        policy = Policy(at_once=1)
        async with running(url, tmp_path, "rules", policy=policy) as (runner, _):
            async with human(url) as ann:
                room = await _play_with(ann, "rules")
                assert ann.session.welcome is not None
                token = ann.session.welcome.token
            # The game of the absent person leaves the bot's only place to others.
            async with human(url, "Bob") as bob:
                await _play_with(bob, "rules", RATED)
            await until(lambda: runner.report.games == 1)
            assert runner.report.won == 1
            back = Client(url, Login("human", token=token), rng=Random(2))
            async with back:
                await until(lambda: room in back.session.rooms)
                assert back.session.rooms[room].status == "playing"
                await play_out(back, room)


async def test_one_player_cannot_keep_a_bot_from_others(tmp_path: Path) -> None:
    slow = TINY.model_copy(update={"time": TimeControl()})
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        policy = Policy(at_once=2, each=1, idle_s=0.0)
        async with running(url, tmp_path, "rules", policy=policy), human(url) as ann:
            await _play_with(ann, "rules", slow)
            feed = ann.updates()
            await ann.offers.challenge("rules", slow)
            reason = await anext(u.reason async for u in feed if isinstance(u, OfferClosed))
            assert reason == "I play 1 at once with one player."
            # Nobody moves, and no clock runs. So the games of these players take no place.
            async with human(url, "Bob") as bob, human(url, "Cat") as cat:
                await _play_with(bob, "rules", slow)
                session = cat.session
                while not session.rooms:  # the bot may still be sitting down with Bob
                    await cat.offers.challenge("rules", slow)
                    await until(lambda: bool(session.rooms or not session.offers))


async def test_a_casual_match_is_claimed_in_the_end(tmp_path: Path) -> None:
    async with serving(tmp_path, grace_s=0.1) as server:
        url = server.addresses.ws
        policy = Policy(absence_s=0.3)
        async with running(url, tmp_path, "rules", policy=policy) as (runner, _):
            async with human(url) as ann:
                await _play_with(ann, "rules")
            await until(lambda: runner.report.games == 1)
            assert runner.report.won == 1


async def test_a_match_without_a_clock_waits_for_its_person(tmp_path: Path) -> None:
    async with serving(tmp_path, grace_s=0.1) as server:
        url = server.addresses.ws
        policy = Policy(absence_s=0.3)
        untimed = TINY.model_copy(update={"time": TimeControl()})
        async with running(url, tmp_path, "rules", policy=policy) as (runner, _):
            tokens: list[str] = []
            login, memory = Login("human", name="Ann"), Memory(on_token=tokens.append)
            async with Client(url, login, rng=Random(1), memory=memory) as ann:
                room = await _play_with(ann, "rules", untimed)
            attendance = server.authority.lobby.rooms[room].attendance
            await until(lambda: not any(attendance.connections))
            async with Client(url, Login("human", token=tokens[-1]), rng=Random(2)) as ann:
                await ann.watch(room)
                await play_out(ann, room)
            await until(lambda: runner.report.games == 1)


async def test_a_bot_stays_for_a_rematch_until_the_person_has_gone(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        policy = Policy(linger_s=0.0)
        async with running(url, tmp_path, "rules", policy=policy) as (runner, _):
            async with human(url) as ann, human(url, "Bob") as bob:
                room, other = await _play_with(ann, "rules"), await _play_with(bob, "rules")
                await play_out(ann, room)
                await play_out(bob, other)
                await bob.leave(other)
                await until(lambda: other not in server.authority.lobby.rooms)
                presence = ann.session.rooms[room].presence
                assert all(seat.connected for seat in presence.seats)
                await ann.rematch(room)
                await until(lambda: ann.session.rooms[room].match == 2)
                await play_out(ann, room)
            await until(lambda: runner.report.games == 3)


async def test_a_bot_stays_in_a_limited_number_of_rooms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.bots.runner.rooms.LINGERING", 1)
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with running(url, tmp_path, "rules"), human(url) as ann:
            first = await _play_with(ann, "rules")
            await play_out(ann, first)
            second = await _play_with(ann, "rules")
            await play_out(ann, second)
            rooms = ann.session.rooms
            await until(lambda: not all(s.connected for s in rooms[first].presence.seats))
            assert all(seat.connected for seat in rooms[second].presence.seats)


async def test_a_seek_is_kept_open_and_others_are_accepted(tmp_path: Path) -> None:
    seen: list[GameResult] = []
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with (
            running(url, tmp_path, "rules", seek=TINY, games=3, on_game=seen.append) as (_, task),
            running(url, tmp_path, "greedy", policy=Policy(seeks_after_s=0.0)),
        ):
            report = await task
    assert report.games == 3 == len(seen)
    assert {result.opponent for result in seen} == {"greedy"}


async def test_a_bot_takes_seeks_that_people_leave_open(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        policy = Policy(seeks_after_s=0.1, seeks_of_bots=False)
        async with (
            running(url, tmp_path, "greedy", seek=TINY.model_copy(update={"rated": True})),
            running(url, tmp_path, "rules", policy=policy),
            human(url) as ann,
        ):
            offers = server.authority.lobby.offers
            await until(lambda: offers.seek_count == 1)
            began = asyncio.get_running_loop().time()
            await ann.offers.quick_match(TINY)
            await until(lambda: bool(ann.session.rooms))
            assert asyncio.get_running_loop().time() - began >= 0.1
            (room,) = ann.session.rooms.values()
            assert {player.name for player in room.players if player} == {"Ann", "rules"}
            assert [seek.owner.name for seek in offers.seeks()] == ["greedy"]


async def test_names_and_tokens(tmp_path: Path) -> None:
    state = tmp_path / "state"
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with human(url, "rules"), running(url, tmp_path, "rules") as (second, _):
            assert second.report.name == "rules-2"
            async with running(url, tmp_path, "rules") as (third, _):
                assert third.report.name == "rules-3"
            files = list(state.glob("*.json"))
            assert len(files) == 2
            assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)
            for name in ("rules", "rules-2"):
                async with running(url, tmp_path, "greedy", name=name) as (_, task):
                    with pytest.raises(RunnerError, match="taken or in use"):
                        await task
        async with running(url, tmp_path, "rules", name="rules-2") as (again, _):
            assert again.report.name == "rules-2"
    (tmp_path / "games.db").unlink()
    # A server that has lost its database gives the name a new token.
    async with (
        serving(tmp_path, port=int(url.rpartition(":")[2])),
        running(url, tmp_path, "rules", name="rules-2") as (again, _),
    ):
        assert again.report.name == "rules-2"


async def test_a_runner_that_cannot_start_says_why(tmp_path: Path) -> None:
    config = RunnerConfig(
        server="127.0.0.1:9",
        spec=parse_spec("rules"),
        state_dir=tmp_path,
        patience_s=0.0,
        signals=False,
    )
    with pytest.raises(Unreachable, match="Nothing listens"):
        await run_bot(config)
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(RunnerError, match="cannot be kept"):
        await run_bot(RunnerConfig(server="x", spec=parse_spec("rules"), state_dir=blocked / "sub"))


async def test_the_first_signal_stops_the_runner_after_its_games(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with running(url, tmp_path, "rules", signals=True) as (_, task), human(url) as ann:
            await _play_with(ann, "rules")
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(0)
            assert not task.done()
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.wait_for(task, 5)


async def test_a_runner_can_be_stopped_before_it_has_found_a_server(tmp_path: Path) -> None:
    runner = Runner(
        RunnerConfig(
            server="127.0.0.1:9",
            spec=parse_spec("rules"),
            state_dir=tmp_path,
            patience_s=60.0,
            signals=False,
        )
    )
    task = asyncio.create_task(runner.run())
    await asyncio.sleep(0)
    runner.stop()
    report = await asyncio.wait_for(task, 5)
    assert report.name == ""
