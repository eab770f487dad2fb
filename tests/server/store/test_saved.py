"""Check that a database that was made before opens, loses nothing, and can be played on."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import pytest
import sqlalchemy as sa

from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.store import migrate
from tests.fakes.clock import StoppedClock
from tests.protocol.wire import serving
from tests.server.store.saved.players import JsonPlayer, games_in_play, play

FOLDER = Path(__file__).parent / "saved"
"""The databases by revision of their tables. See `write.py` in it for what they have."""
REVISIONS = sorted(path.stem.removeprefix("r") for path in FOLDER.glob("r*.sql"))


def build(path: Path, revision: str | None = None) -> StoppedClock:
    """Make a database; return a clock that is stopped at the time when it was written.

    Without a revision, it has the tables of this version.
    """
    with closing(sqlite3.connect(path)) as connection:
        script = FOLDER / f"r{revision or REVISIONS[-1]}.sql"
        connection.executescript(script.read_text(encoding="utf-8"))
        (written_ms,) = connection.execute("select max(at_ms) from journal").fetchone()
    if revision is None:
        upgrade(path)
    clock = StoppedClock()
    clock.later(written_ms - clock())
    return clock


def upgrade(path: Path) -> None:
    """Give a database the tables of this version."""
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.begin() as upgraded:
        migrate.upgrade(upgraded)
    engine.dispose()


async def arrive(
    server: DoublecrossServer, names: Iterable[str], *, bots: bool
) -> dict[str, JsonPlayer]:
    return {name: await JsonPlayer.arrive(server.addresses.ws, name, bot=bots) for name in names}


async def http(server: DoublecrossServer, path: str) -> dict[str, object]:
    def get() -> dict[str, object]:
        with urlopen(f"{server.addresses.http}{path}") as answer:
            found: dict[str, object] = json.load(answer)
            return found

    return await asyncio.to_thread(get)


def test_the_oldest_revision_has_a_database() -> None:
    assert migrate.revisions()[0] == REVISIONS[0]


def test_the_offers_of_a_cluster_stay_in_the_log_of_its_leader(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    build(path, REVISIONS[-1])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO logs (log, token, last_entry) VALUES ('hall', 4, 0)")
        connection.execute("INSERT INTO log_entries VALUES ('hall', 9, 0, x'80')")
    upgrade(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT log, token FROM logs").fetchall() == [(LEADER, 4)]
        entries = connection.execute("SELECT log, entry_id FROM log_entries").fetchall()
        assert entries == [(LEADER, 9)]


@pytest.mark.parametrize("revision", REVISIONS)
async def test_players_rooms_moves_results_and_ratings_are_restored(
    tmp_path: Path, revision: str
) -> None:
    clock = build(tmp_path / "games.db", revision)
    async with serving(tmp_path, now=clock) as server:
        people = await arrive(server, ("Ann", "Ben"), bots=False)
        ann = people["Ann"]
        waiting, playing = await rooms_of(ann)
        shown = await play(people, playing, 0)
        assert shown["moves"] == [0, 1, 2]
        assert (shown["status"], shown["match"]) == ("playing", 1)
        finished = await play(people, playing)
        assert finished["status"] == "finished"
        assert finished["moves"][:3] == [0, 1, 2]
        assert len(finished["moves"]) == 7
        joined = await people["Ben"].ask({"type": "join_room", "room": waiting})
        assert joined["snapshot"]["status"] == "playing"
        listed = (await http(server, "/api/games"))["games"]
        assert isinstance(listed, list)
        ended = [(game["players"], game["termination"], game["rated"]) for game in listed]
        assert ended.count((["Cid", "Dee"], "completed", True)) >= 1
        assert ended.count((["Ann", "Ben"], "resigned", False)) == 1
        assert ended.count((["Ann", "Ben"], "completed", True)) == 1
        ratings = (await http(server, "/api/ratings?game=dots-and-boxes&size=1x2"))["ratings"]
        assert isinstance(ratings, list)
        games = {line["player"]: line["games"] for line in ratings}
        assert games["Ann"] == games["Ben"] == 1
        # The two bots', two of the tournament, and the last.
        assert sum(games.values()) == 2 * 4
        for player in people.values():
            await player.close()


async def rooms_of(player: JsonPlayer) -> tuple[str, str]:
    """Return the room in which Ann waits and the one in which she plays."""
    by_status = {}
    for room in player.welcome["rooms"]:
        state = await player.ask({"type": "watch", "room": room})
        by_status[state["snapshot"]["status"]] = room
    return by_status["waiting"], by_status["playing"]


@pytest.mark.parametrize("revision", REVISIONS)
async def test_the_tournament_is_played_to_its_end(tmp_path: Path, revision: str) -> None:
    clock = build(tmp_path / "games.db", revision)
    async with serving(tmp_path, now=clock) as server:
        (ann,) = (await arrive(server, ("Ann",), bots=False)).values()
        lobby = await ann.ask({"type": "follow_lobby", "on": True})
        ((tournament, status),) = [(t["tournament"], t["status"]) for t in lobby["tournaments"]]
        assert status == "running"
        ask = {"type": "get_tournament", "tournament": tournament}
        state = await ann.ask(ask)
        assert (state["owner"], state["games_played"], state["games_planned"]) == ("Ann", 2, 6)
        bots = await arrive(server, ("Cid", "Dee", "Eve"), bots=True)
        (room,) = await games_in_play(ann)
        assert len((await play(bots, room, 0))["moves"]) == 2
        while (state := await ann.ask(ask))["status"] == "running":
            for room in await games_in_play(ann):
                await play({"Ann": ann, **bots}, room)
        assert (state["status"], state["games_played"]) == ("finished", 6)
        assert sum(line["points"] for line in state["entrants"]) == 6
        whole = await http(server, f"/api/tournaments/{tournament}")
        found = whole["games"]
        assert isinstance(found, list)
        assert {(g["pair"], g["game"], g["attempt"]) for g in found} == {
            (pair, game, 1) for pair in range(3) for game in (0, 1)
        }
        for player in (ann, *bots.values()):
            await player.close()
