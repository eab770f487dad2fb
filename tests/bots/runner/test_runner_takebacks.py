"""People take back moves against a bot: it stops thinking, and plays on from the new position."""

from __future__ import annotations

from pathlib import Path

import pytest

from doublecross.bots.runner.core.policy import Policy
from doublecross.client.core.errors import RequestRefused
from doublecross.client.core.room import RoomMirror
from doublecross.client.transport import Client
from doublecross.protocol.common import MatchSettings, TimeControl
from doublecross.protocol.room_events import TakenBack
from tests.bots.bad_bots import HERE
from tests.bots.running import human, play_out, running, serving, until

SETTINGS = MatchSettings(
    game="dots-and-boxes",
    params={"rows": 2, "cols": 2},
    time=TimeControl(base_ms=600_000),
)


async def begin(client: Client, opponent: str) -> RoomMirror:
    """Challenge a bot, take seat 0, and return the room."""
    await client.offers.challenge(opponent, SETTINGS, seat=0)
    rooms = client.session.rooms
    await until(lambda: any(room.status == "playing" for room in rooms.values()))
    return next(iter(rooms.values()))


async def take_back(client: Client, room: RoomMirror, ply: int) -> TakenBack:
    """Return to `ply`, which the bot allows at once."""
    answer = await client.ask_takeback(room.room, room.match, ply, room.takebacks)
    assert isinstance(answer, TakenBack)
    return answer


async def test_a_bot_plays_on_after_takebacks(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with running(url, tmp_path, "rules") as (runner, _), human(url) as ann:
            room = await begin(ann, "rules")
            for count in range(3):
                await ann.move(room.room, count)
                await until(lambda: room.my_turn and room.state.ply >= 2)
                done = await take_back(ann, room, 0)
                assert (done.takebacks, room.state.ply, room.my_turn) == (count + 1, 0, True)
            await play_out(ann, room.room)
            await until(lambda: runner.report.games == 1)
            assert runner.report.failures == 0
            record = await ann.get_record(f"{room.room}-1")
            assert '[Takebacks "3"]' in record.text


async def test_a_takeback_stops_a_bot_that_thinks(tmp_path: Path) -> None:
    """The bot would think for ten minutes about its first move, and plays all others at once."""
    thinks = tmp_path / "thinks"
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        spec = f"{HERE}:Waits:once={thinks}"
        async with running(url, tmp_path, spec, think_s=600.0), human(url) as ann:
            room = await begin(ann, "waits")
            await ann.move(room.room, 0)
            await until(thinks.exists)
            await take_back(ann, room, 0)
            await ann.move(room.room, 3)
            await until(lambda: room.my_turn)
            assert room.state.history() == (3, 0)


async def test_a_bot_may_allow_no_takebacks(tmp_path: Path) -> None:
    policy = Policy(takebacks=False)
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with running(url, tmp_path, "rules", policy=policy), human(url) as ann:
            room = await begin(ann, "rules")
            await ann.move(room.room, 0)
            with pytest.raises(RequestRefused, match="a program without takebacks"):
                await take_back(ann, room, 0)
            assert not room.presence.seats[1].takebacks
