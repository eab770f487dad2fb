"""The host's file of events: what is wrong in it, when they start, and that each is made once."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from doublecross.server.tournaments.calendar import EventCalendar
from doublecross.server.tournaments.director import TOO_FEW_MS
from doublecross.server.tournaments.event_file import EventFileError, read_events
from tests.server.tournaments.world import TournamentWorld

ARENA = """
[[event]]
name = "Thursday arena"
size = "3x3"
minutes = 60
days = ["thu"]
at = ["19:30"]
zone = "Europe/Berlin"
bots = ["easy"]
players = 4
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "events.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('at = ["19:30"]', 'at = ["7 pm"]', "line 7: at: write times of the day such as 19:30"),
        ("Europe/Berlin", "Berlin", "line 8: zone: there is no such time zone"),
        ('"3x3"', '"3by3"', "line 4: size: "),
        ("minutes = 60", "", "line 2: An arena needs a length"),
        ("minutes", "minuets", "line 5: minuets: extra inputs are not permitted"),
        ('bots = ["easy"]', "", "line 10: players: name the bots that fill in, too"),
        ("[[event]]", "[[event]", "is not TOML"),
        ("minutes = 60", "minutes = 999", "line 5: minutes: "),
    ],
)
def test_a_mistake_is_one_sentence_with_its_line(
    tmp_path: Path, before: str, after: str, said: str
) -> None:
    assert read_events(written(tmp_path, ARENA))
    with pytest.raises(EventFileError, match=r"^[^\n]*$") as caught:
        read_events(written(tmp_path, ARENA.replace(before, after)))
    assert said in str(caught.value)


def test_events_keep_their_local_time_when_clocks_change(tmp_path: Path) -> None:
    (event,) = read_events(written(tmp_path, ARENA))
    saturday = dt.datetime(2027, 3, 20, tzinfo=dt.UTC)
    found = [
        dt.datetime.fromtimestamp(ms / 1000, dt.UTC).strftime("%a %d %H:%M")
        for days in (0, 7)
        for ms in event.starts(round((saturday.timestamp() + days * 86_400) * 1000))
    ]
    assert found == ["Thu 25 18:30", "Thu 01 17:30"]


async def test_each_event_is_created_once_also_after_a_restart(
    world: TournamentWorld, tmp_path: Path
) -> None:
    swiss = ARENA.replace("minutes = 60", 'format = "swiss"\nrounds = 3')
    events = read_events(written(tmp_path, swiss))
    starts_ms = next(events[0].starts(world.time))
    for _ in range(2):
        await EventCalendar(events, world.authority.director).create_due()
        await world.until()
        (running,) = world.authority.director.registry.running.values()
        assert (running.wire.starts_ms, running.row.owner) == (starts_ms, "server")
        world = await world.again()
    await world.tick(starts_ms + TOO_FEW_MS - world.time)
    assert not world.authority.director.registry.running  # nobody has come
    world.crash()
