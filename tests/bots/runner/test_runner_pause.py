"""Check pauses before moves: their length, and that they end early when nobody can see the move."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.bots.runner import ChallengePlan, Pause, Runner, RunnerConfig, RunnerReport
from doublecross.bots.runner.core.pause import Moment, moment_before
from doublecross.cli.main import main
from doublecross.client.core.room import RoomMirror
from doublecross.client.transport import Client
from doublecross.protocol.common import EngineInfo, MatchSettings, PlayerInfo, TimeControl
from doublecross.protocol.server_messages import ChallengeSent, MoveMade, RoomState
from tests.bots.running import TINY, human, play_out, running, serving, until
from tests.fakes.rooms import ANN, FakeRoom

BOT = PlayerInfo(name="Rob", kind="bot", engine=EngineInfo(name="rules", version="1"))
OTHER_BOT = PlayerInfo(name="Gus", kind="bot", engine=EngineInfo(name="greedy", version="1"))
UNLIMITED = MatchSettings(
    game="dots-and-boxes", params={"rows": 2, "cols": 2}, time=TimeControl(base_ms=None)
)

seconds = st.floats(0.0, 1000.0, allow_nan=False)
moments = st.builds(
    Moment,
    watched=st.booleans(),
    run=st.integers(0, 80),
    captures=st.booleans(),
    thought_s=seconds,
    clock_s=st.none() | seconds,
    increment_s=seconds,
    move_s=st.none() | seconds,
)


@dataclasses.dataclass(frozen=True)
class Noted(Pause):
    """Record pauses without waiting; `asked` has those that were started."""

    most_s: float = 900.0
    asked: list[float] = dataclasses.field(default_factory=list)

    def before(self, moment: Moment, rng: Random) -> float:
        self.asked.append(super().before(moment, rng))
        return self.asked[-1]


def drawn(moment: Moment, pause: Pause | None = None) -> list[float]:
    rng = Random(1)
    pause = pause or Pause()
    return [pause.before(moment, rng) for _ in range(500)]


def spread(moment: Moment) -> tuple[float, float]:
    """Return the shortest and longest of many pauses, rounded to a tenth of a second."""
    found = drawn(moment)
    return round(min(found), 1), round(max(found), 1)


# -- how long ----------------------------------------------------------------------------------


def test_a_decision_takes_longer_than_the_next_capture_of_a_run() -> None:
    assert spread(Moment(watched=True)) == (0.4, 1.2)
    assert spread(Moment(watched=True, captures=True)) == (0.4, 1.2)
    assert spread(Moment(watched=True, run=3)) == (0.4, 1.2)  # This move ends the turn.
    captures = drawn(Moment(watched=True, run=3, captures=True))
    assert 0.25 <= min(captures) < 0.27
    assert 0.33 < max(captures) <= 0.35


def test_a_long_run_goes_faster_and_faster() -> None:
    rng = Random(1)
    run = [Pause().before(Moment(watched=True, run=n, captures=True), rng) for n in range(1, 100)]
    assert sum(run[:10]) > 2.5
    assert sum(run) < 15.0
    assert max(run[60:]) < min(run[:12])


@given(moments, st.integers())
def test_pauses_have_bounds(moment: Moment, seed: int) -> None:
    taken = Pause().before(moment, Random(seed))
    whole = Pause().before(dataclasses.replace(moment, thought_s=0.0), Random(seed))
    # The time spent thinking is part of the pause.
    assert taken == max(0.0, whole - moment.thought_s)
    assert 0.0 <= whole <= 1.2
    if not moment.watched:
        assert whole == 0.0
    if moment.clock_s is not None:
        assert whole <= 0.02 * moment.clock_s + 0.5 * moment.increment_s
        if moment.clock_s < 5.0:
            assert whole == 0.0
    if moment.move_s is not None:
        assert whole <= 0.2 * moment.move_s


def test_a_short_clock_shortens_the_pause() -> None:
    on_clock = [
        max(drawn(Moment(watched=True, clock_s=clock_s, increment_s=increment_s)))
        for clock_s, increment_s in ((300.0, 0.0), (20.0, 0.0), (20.0, 1.0), (5.0, 0.0), (4.9, 9.0))
    ]
    assert on_clock == [pytest.approx(1.2, abs=0.01), 0.4, 0.9, 0.1, 0.0]
    assert max(drawn(Moment(watched=True, move_s=2.0))) == 0.4


def test_pauses_can_be_limited_or_turned_off() -> None:
    assert max(drawn(Moment(watched=True), Pause(0.1))) <= 0.1
    assert drawn(Moment(watched=True), Pause(0.0)) == [0.0] * 500
    for wrong in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="A pause takes zero seconds or more"):
            Pause(wrong)


def room_of(other: PlayerInfo, time: TimeControl) -> FakeRoom:
    """Return a room of 1x2 boxes in which Rob, a bot, moves second."""
    settings = MatchSettings(game="dots-and-boxes", params={"rows": 1, "cols": 2}, time=time)
    fake = FakeRoom("r1", settings)
    fake.sit(other, 0)
    fake.sit(BOT, 1)
    fake.start()
    return fake


def moment_of(fake: FakeRoom, action: int, now: float = 10.0) -> Moment:
    mirror = RoomMirror(fake.room_state(me="Rob"), 10.0)
    return moment_before(mirror, mirror.state, action, now=now, since=10.0)


def test_the_kind_of_move_is_read_from_the_room() -> None:
    fake = room_of(ANN, TimeControl(base_ms=60_000, increment_ms=500, move_ms=9_000))
    # These are the edges around the first box except the middle one.
    for action in (0, 1, 2, 3, 4):
        fake.play(action)
    # Rob completes both boxes with edge 5; the other two edges capture nothing.
    assert fake.state.current_player() == 1
    moment = moment_of(fake, 5, now=11.5)
    assert moment == Moment(
        watched=True,
        run=0,
        captures=True,
        thought_s=1.5,
        clock_s=58.5,
        increment_s=0.5,
        move_s=7.5,
    )
    assert not moment_of(fake, 6).captures
    fake.play(5)
    assert moment_of(fake, 6) == Moment(
        watched=True,
        run=1,
        captures=True,
        thought_s=0.0,
        clock_s=60.0,
        increment_s=0.5,
        move_s=9.0,
    )
    bots = room_of(OTHER_BOT, TimeControl(base_ms=None))
    bots.play(0)
    assert moment_of(bots, 1) == Moment(watched=False)


def test_bots_pause_in_a_match_that_a_person_has_arranged() -> None:
    fake = room_of(OTHER_BOT, TimeControl(base_ms=None))
    fake.play(0)
    mirror = RoomMirror(fake.room_state(me="Rob"), 10.0)
    mirror.asked_by = "Zoe"
    moment = moment_before(mirror, mirror.state, 1, now=10.0, since=10.0)
    assert moment == Moment(watched=True)


@pytest.mark.parametrize(("options", "pause"), [([], None), (["--pause"], Pause())])
def test_a_bot_of_the_command_line_pauses_if_asked(
    options: list[str], pause: Pause | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[RunnerConfig] = []

    async def run(runner: Runner) -> RunnerReport:
        seen.append(runner._config)
        return runner.report

    monkeypatch.setattr(Runner, "run", run)
    assert main(["bot", "rules", *options]) == 0
    assert [config.pause for config in seen] == [pause]
    assert main(["bot", "rules", "--no-takebacks"]) == 0
    assert [config.policy.takebacks for config in seen] == [True, False]


# -- in a runner -------------------------------------------------------------------------------


async def challenge(ann: Client, settings: MatchSettings) -> str:
    """Start a match against `rules` in which Ann moves first."""
    answer = await ann.offers.challenge("rules", settings, seat=0)
    assert isinstance(answer, ChallengeSent | RoomState)
    rooms = ann.session.rooms
    await until(lambda: any(r.status == "playing" for r in rooms.values()))
    return next(r.room for r in rooms.values() if r.status == "playing")


def is_playing(room: str) -> bool:
    """Return whether the bot is about to move in the room: it thinks or pauses."""
    return any(task.get_name() == f"play {room}" for task in asyncio.all_tasks())


async def test_the_bot_pauses_against_people_only(tmp_path: Path) -> None:
    moves: list[MoveMade] = []
    plan = ChallengePlan.pairs("plan", "rules", TINY, [()])
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with (
            running(url, tmp_path, "rules", pause=Pause(0.09), on_move=moves.append) as (bot, _),
            human(url) as ann,
        ):
            room = await challenge(ann, TINY)
            await play_out(ann, room)
            await until(lambda: bot.report.games == 1)
        mine = [move for move in moves if move.seat == 1]
        before = {move.ply: move for move in moves}
        decisions = [move for move in mine if before[move.ply - 1].seat == 0]
        assert decisions
        # Time in which the server is late costs no player anything, so it may count a little less.
        assert min(move.elapsed_ms for move in decisions) >= 20
        # Bots do not pause against bots: with these pauses the two games would take hours.
        async with (
            running(url, tmp_path, "rules", pause=Noted()),
            running(url, tmp_path, "greedy", pause=(pause := Noted()), plan=plan) as (_, task),
        ):
            assert (await task).games == 2
            assert set(pause.asked) == {0.0}


async def test_a_pause_delays_no_other_game_and_ends_with_its_match(tmp_path: Path) -> None:
    plan = ChallengePlan.pairs("plan", "rules", TINY, [()])
    pause = Noted()
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with running(url, tmp_path, "rules", pause=pause) as (bot, _), human(url) as ann:
            room = await challenge(ann, UNLIMITED)
            await ann.move(room, 0)
            await until(lambda: max(pause.asked, default=0.0) > 100.0)
            async with running(url, tmp_path, "greedy", plan=plan) as (_, task):
                assert (await task).games == 2
            await until(lambda: bot.report.games == 2)
            assert is_playing(room)
            assert ann.session.rooms[room].state.ply == 1
            await ann.resign(room)
            await until(lambda: bot.report.games == 3)
            assert not is_playing(room)


async def test_a_pause_ends_when_the_connection_breaks(tmp_path: Path) -> None:
    pause = Noted()
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with running(url, tmp_path, "rules", pause=pause), human(url) as ann:
            room = await challenge(ann, UNLIMITED)
            mirror = ann.session.rooms[room]
            await ann.move(room, 0)
            await until(lambda: bool(pause.asked))
            assert pause.asked[0] > 100.0
            for peer in server.connections.peers:
                peer.abort()
            await until(lambda: mirror.my_turn)
            assert mirror.state.ply == 2
