"""Measure what correspondence games cost that nobody looks at.

`python -m benchmarks.correspondence` fills a database with games that are in the middle, and
compares a server on it with one on an empty database, each in a process of its own: the time until
it is ready, its memory, and its processor time while nobody does anything. Then players come one
after another, ask for one of the games and move in it. `--database` takes the URL of an empty
PostgreSQL database instead of SQLite. With `--cluster`, the server is the node of a cluster.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from websockets.asyncio.client import connect

from benchmarks import command, figures
from benchmarks.cluster.world import Node, World, wait_for_leader
from benchmarks.command import Markdown, Out
from benchmarks.logins import used_ms
from benchmarks.machine import describe
from benchmarks.server.processes import Subject
from doublecross.protocol.common import DAY_MS, MatchSettings, PlayerInfo, TimeControl
from doublecross.protocol.version import JSON, PROTOCOL_VERSION
from doublecross.server.core.events import Event
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.sleeping import SleepingRoom, asleep
from doublecross.server.core.storage import Batch, JournalEntry
from doublecross.server.core.terms import RoomTerms, RoomTimes
from doublecross.server.shell.peer import MSGPACK_CODEC
from doublecross.server.store.sql import SqlStore, database_url

SETTINGS = MatchSettings(
    game="dots-and-boxes", params={"rows": 5, "cols": 5}, time=TimeControl(move_ms=3 * DAY_MS)
)
PLIES = 20
PAGE = 2000
PLAYERS_FOR_EACH_GAME = 0.2
IDLE_S = 10.0
MOST_MIB = 60.0
MOST_START_S = 10.0
MOST_MOVE_MS = 20.0


def games(count: int, now: int) -> Iterator[SleepingRoom]:
    """Yield the rows of games after some random moves, with five games for each player."""
    rng = random.Random(1)
    people = max(2, round(count * PLAYERS_FOR_EACH_GAME))
    for number in range(count):
        first = number % people
        names = f"P{first}", f"P{(first + 1 + number // people) % people}"
        terms = RoomTerms(f"{number:010x}"[-10:], SETTINGS)
        room, events = Room.open(terms, RoomTimes(), now)
        for seat, name in enumerate(names):
            events += room.sit(PlayerInfo(name=name, kind="human"), seat, now)
        events += _moves(room, rng, now)
        room.start_clock(now + rng.randrange(DAY_MS))
        yield asleep(room, [MSGPACK_CODEC.encode(event) for event in events])


def _moves(room: Room, rng: random.Random, now: int) -> list[Event]:
    assert room.match is not None
    events: list[Event] = []
    for ply in range(PLIES):
        state = room.match.state
        player = room.players[state.current_player()]
        assert player is not None
        action = rng.choice(list(state.legal_actions()))
        events += room.move(player.name, 1, ply, action, None, False, now, 0)
    return events


async def fill(url: str, count: int) -> list[tuple[str, str]]:
    """Store games; return the room and the player to move of each."""
    store = await SqlStore.open(database_url(url))
    found, page = [], []
    now = time.time_ns() // 1_000_000
    entry = await store.last_entry_id()
    for row in games(count, now):
        found.append((row.room, row.to_move))
        page.append(row)
        if len(page) == PAGE or len(found) == count:
            entry += 1
            await store.commit(Batch(JournalEntry(entry, now, b""), asleep=page))
            page = []
    await store.close()
    return found


Server: TypeAlias = Subject | Node


def single(url: str) -> Server:
    """Start a single server on a database."""
    settings = {"database": url, "stop_s": 1, "messages_per_s": 1e6, "burst": 1_000_000}
    return Subject("doublecross", 0, settings)


def mib(server: Server) -> float:
    """Return the memory of a server that it shares with nobody, in MiB."""
    text = Path(f"/proc/{server.pid}/smaps_rollup").read_text()
    lines = [line.split() for line in text.splitlines()]
    return sum(int(line[1]) for line in lines if line[0].startswith("Private_")) / 1024


def idle(server: Server) -> float:
    """Return how much of a processor a server uses while nobody does anything, in percent."""
    before = used_ms(server.pid, whole=True)
    time.sleep(IDLE_S)
    return (used_ms(server.pid, whole=True) - before) / IDLE_S / 10


async def move(url: str, room: str, player: str) -> float:
    """Let a player come, see a game and move; return how long both take, in milliseconds."""
    async with connect(url, subprotocols=[JSON]) as ws:  # type: ignore[list-item]

        async def ask(type_: str, /, **fields: Any) -> dict[str, Any]:
            await ws.send(json.dumps({"type": type_, "id": 1, **fields}))
            while True:
                answer: dict[str, Any] = json.loads(await ws.recv())
                if answer.get("id") == 1:
                    return answer

        key = f"key-of-{player:->12}"
        hello = {"protocol": PROTOCOL_VERSION, "kind": "human", "name": player, "key": key}
        assert (await ask("hello", boards=True, **hello))["type"] == "welcome"
        began = time.monotonic()
        shown = await ask("resume", room=room, seq=0)
        action = shown["board"]["legal"].index("1")
        moved = await ask("move", room=room, match=1, ply=PLIES, action=action, takebacks=0)
        assert moved["type"] == "move", moved
        return (time.monotonic() - began) * 1000


def measure(
    count: int, moves: int, empty: str, url: str, start: Callable[[str], Server]
) -> dict[str, dict[str, float]]:
    """Return all figures of servers on two empty databases; the second one gets the games."""

    def started(url: str) -> tuple[Server, float]:
        began = time.monotonic()
        return start(url), time.monotonic() - began

    found: dict[str, list[float]] = {}
    # A first start makes the tables.
    start(empty).stop()
    server, start_s = started(empty)
    memory, quiet = mib(server), idle(server)
    server.stop()
    rows = asyncio.run(fill(url, count))
    server, full_s = started(url)
    found["ready, empty"], found["ready, with the games"] = [start_s], [full_s]
    more = mib(server) - memory
    found["memory, empty"], found["memory more, with the games"] = [memory], [more]
    try:
        found["processor of an idle server, empty"] = [quiet]
        found["processor of an idle server, with the games"] = [idle(server)]
        chosen = random.Random(2).sample(rows, moves)
        found["see a game and move in it"] = [
            asyncio.run(move(server.url, *each)) for each in chosen
        ]
    finally:
        server.stop()
    return {name: figures.summary(values) for name, values in found.items()}


def measure_in(
    folder: Path, count: int, moves: int, database: str, cluster: bool
) -> dict[str, dict[str, float]]:
    """Return all figures; make the databases that are missing."""
    if not cluster:
        empty, url = str(folder / "empty.db"), database or str(folder / "games.db")
        return measure(count, moves, empty, url, single)
    world = World(folder)
    try:

        def node(url: str) -> Node:
            started = Node("a", url, world.nats.url, 2)
            wait_for_leader(started)
            return started

        return measure(count, moves, world.database(), world.database(), node)
    finally:
        world.close()


def _lines(results: Mapping[str, Any]) -> list[figures.Figure]:
    limits = {
        "ready, with the games": MOST_START_S,
        "memory more, with the games": MOST_MIB,
        "see a game and move in it": MOST_MOVE_MS,
    }
    units = {"ready": "s", "memory": "MiB", "processor": "%", "see": "ms"}
    lines = []
    for name, values in results["correspondence"].items():
        unit = next(unit for begin, unit in units.items() if name.startswith(begin))
        text = figures.spread(values, unit, 2)
        if name in limits:
            met = values["median"] <= limits[name]
            lines.append(figures.Figure(name, text, f"at most {limits[name]:g} {unit}", met))
        else:
            lines.append(figures.Figure(name, text))
    return lines


def main(
    count: Annotated[int, typer.Option(help="Games that nobody looks at.")] = 100_000,
    moves: Annotated[int, typer.Option(help="Games in which somebody moves.")] = 200,
    database: Annotated[str, typer.Option(help="An empty database; SQLite without it.")] = "",
    cluster: Annotated[bool, typer.Option(help="Measure the node of a cluster.")] = False,
    out: Out = Path("var/benchmarks"),
    markdown: Markdown = False,
) -> None:
    """Measure what correspondence games cost that nobody looks at."""
    with tempfile.TemporaryDirectory() as folder:
        command.measure(
            "Correspondence",
            ["correspondence"],
            lambda _: measure_in(Path(folder), count, moves, database, cluster),
            describe(out),
            _lines,
            out,
            markdown,
        )


if __name__ == "__main__":
    typer.run(main)
