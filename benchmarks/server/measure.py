"""Run the rounds of each measurement against its servers, and summarise the results."""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.figures import summary
from benchmarks.processes import ROOT, Process
from benchmarks.server.against import Other, others
from benchmarks.server.meter import median, rss_bytes
from benchmarks.server.node import install, versions
from benchmarks.server.processes import Subject, doublecross, load
from benchmarks.server.stored import stored_moves

SERVER_CORE: Final = 0
LOAD_CORE: Final = 1
VAR: Final = ROOT / "var"
DATABASE: Final = "bench.db"

Say = Callable[[str], None]
Numbers = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to measure; `root` is the source tree of the server.

    `against` has the names of other servers that play the same games.
    """

    rounds: int = 7
    seconds: float = 3.0
    lead_s: float = 0.5
    rooms: int = 100
    size: int = 5
    pace_s: float = 10.0
    idle: tuple[int, ...] = (1000, 5000)
    spectators: int = 1000
    crowd_seconds: float = 1.5
    settle_s: float = 1.0
    root: Path = ROOT
    against: tuple[str, ...] = ()
    more_rooms: int = 500
    """How many rooms are opened to see what a connection takes, beside other servers."""


QUICK: Final = Plan(
    rounds=3,
    seconds=0.8,
    lead_s=0.2,
    pace_s=2,
    idle=(300, 1000),
    spectators=300,
    crowd_seconds=0.5,
    settle_s=0.3,
    more_rooms=100,
)


@contextmanager
def session(plan: Plan) -> Iterator[tuple[Subject, Process]]:
    """Start a server with an empty database on disk, and a load generator; stop both at the end."""
    raise_open_files(2 * max(*plan.idle, plan.spectators) + 500)
    VAR.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=VAR, prefix="bench-") as folder,
        doublecross(SERVER_CORE, Path(folder) / DATABASE, plan.root) as server,
        load(LOAD_CORE) as generator,
    ):
        yield server, generator


def play(plan: Plan, server: Subject, generator: Process, say: Say) -> Numbers:
    """Compare moves of many rooms with messages of an echo, in alternating rounds.

    Then measure the latency of moves at half the rate.
    """
    with (
        Subject("echo", SERVER_CORE) as echo,
        others(plan.against, SERVER_CORE, generator, server.folder) as compared,
    ):
        say(f"{plan.rooms} rooms of two against an echo, {plan.rounds} rounds each")
        generator.ask(
            "play", name="game", url=server.url, pid=server.pid, rooms=plan.rooms, size=plan.size
        )
        # The first round shows how long messages are, and warms up the server.
        first = generator.ask("round", name="game", seconds=plan.lead_s, lead_s=plan.lead_s)
        length = round(first["event_bytes"])
        generator.ask(
            "echo", name="echo", url=echo.url, pid=echo.pid, pairs=plan.rooms, length=length
        )
        memory = _memory(plan, server, generator) if compared else 0.0
        for each in compared:
            each.open(plan.rooms, plan.size, plan.seconds, plan.more_rooms)
        games: list[Numbers] = []
        echoes: list[Numbers] = []
        for _ in range(plan.rounds):
            for name, rows in (("game", games), ("echo", echoes)):
                row = generator.ask("round", name=name, seconds=plan.seconds, lead_s=plan.lead_s)
                rows.append(_per_message(row, row["messages"]))
            say(
                f"  {games[-1]['cpu_us']:.1f} us a move, {echoes[-1]['cpu_us']:.1f} us an echo,"
                f" {games[-1]['per_s']:.0f} moves/s, server {games[-1]['busy']:.0%} busy"
            )
            for each in compared:
                each.round(plan.seconds, plan.lead_s)
        rate = median(row["per_s"] for row in games) / 2
        say(f"latency at {rate:.0f} moves/s")
        paced = _paced(plan, generator, compared, rate)
        beside = _beside(plan, server, generator, compared, games, paced, memory, say)
        generator.ask("close", name="echo")
    pairs = list(zip(games, echoes, strict=True))
    return {
        "rooms": plan.rooms,
        "request_bytes": first["request_bytes"],
        "event_bytes": first["event_bytes"],
        "echo_bytes": length,
        "move": _summary(games),
        "echo": _summary(echoes),
        "cpu_ratio": median(r["cpu_us"] for r in echoes) / median(r["cpu_us"] for r in games),
        "cpu_ratios": [echo["cpu_us"] / game["cpu_us"] for game, echo in pairs],
        "rate_ratio": median(r["per_s"] for r in games) / median(r["per_s"] for r in echoes),
        "latency": _latency(paced["here"]),
        "rounds": {"move": games, "echo": echoes},
        "against": beside,
    }


def _paced(
    plan: Plan, generator: Process, compared: list[Other], rate: float
) -> dict[str, list[Numbers]]:
    """Measure the latency of all servers at the same rate of moves, in alternating rounds.

    The machine stands still now and then, which a median over the rounds leaves out.
    """
    found: dict[str, list[Numbers]] = {"here": [], **{each.name: [] for each in compared}}
    seconds = plan.pace_s / plan.rounds
    for _ in range(plan.rounds):
        row = generator.ask("pace", name="game", rate=rate, seconds=seconds, lead_s=plan.lead_s)
        found["here"].append(row)
        for each in compared:
            found[each.name].append(each.pace(rate, seconds, plan.lead_s))
    return found


def _latency(rows: list[Numbers]) -> Numbers:
    """Return the summaries of paced rounds."""
    times = ("rate", "p50_ms", "p99_ms", "p999_ms", "max_ms")
    return {"moves": sum(row["moves"] for row in rows), **_summary(rows, times)}


def _beside(
    plan: Plan,
    server: Subject,
    generator: Process,
    compared: list[Other],
    games: list[Numbers],
    paced: dict[str, list[Numbers]],
    memory: float,
    say: Say,
) -> Numbers:
    """Return what other servers need for the same moves, and drop the connections.

    In the end each is killed while it plays.
    """
    if not compared:
        generator.ask("close", name="game")
        return {"servers": {}}
    found: Numbers = {}
    for each in compared:
        rows = [_per_message(row, row["messages"]) for row in each.rows]
        found[each.name] = {
            **_summary(rows),
            "ratios": [
                row["cpu_us"] / game["cpu_us"] for row, game in zip(rows, games, strict=True)
            ],
            "request_bytes": rows[-1]["request_bytes"],
            "event_bytes": rows[-1]["event_bytes"],
            "rounds": rows,
            "latency": _latency(paced[each.name]),
            "memory": each.bytes_each,
            "lost": each.lost(plan.seconds),
        }
        say(f"  {each.name}: {found[each.name]['lost']} moves lost by a kill")
    killed = generator.ask("kill", name="game", seconds=plan.seconds)
    stored = stored_moves(SERVER_CORE, server.folder / DATABASE, plan.root, killed["rooms"])
    lost = max(0, killed["answered"] - stored)
    return {"versions": versions(install()), "servers": found, "memory": memory, "lost": lost}


def _memory(plan: Plan, server: Subject, generator: Process) -> float:
    """Return the bytes that a connection in a room takes, for so many rooms."""
    before = rss_bytes(server.pid)
    generator.ask(
        "play",
        name="more",
        url=server.url,
        pid=server.pid,
        rooms=plan.more_rooms,
        size=plan.size,
        tag="more",
    )
    grown = rss_bytes(server.pid) - before
    generator.ask("close", name="more")
    return grown / (2 * plan.more_rooms)


def tournament(plan: Plan, server: Subject, generator: Process, say: Say) -> Numbers:
    """Compare the CPU of games in plain rooms and in tournaments, in alternating rounds."""
    say(f"{plan.rooms} games at once, in plain rooms and in tournaments, {plan.rounds} rounds each")
    rows: dict[str, list[Numbers]] = {kind: [] for kind in ("plain", "round-robin", "ladder")}
    for kind in rows:
        generator.ask(
            "games",
            name=kind,
            url=server.url,
            pid=server.pid,
            players=2 * plan.rooms,
            size=plan.size,
            kind=kind,
        )
        generator.ask("round", name=kind, seconds=plan.lead_s, lead_s=plan.lead_s)
    for _ in range(plan.rounds):
        for kind, found in rows.items():
            row = generator.ask("round", name=kind, seconds=plan.seconds, lead_s=plan.lead_s)
            found.append(_per_message(row, row["messages"]))
        say(
            "  " + ", ".join(f"{kind} {found[-1]['cpu_us']:.0f} us" for kind, found in rows.items())
        )
    for kind in rows:
        generator.ask("close", name=kind)
    plain = rows.pop("plain")
    return {
        "rooms": plan.rooms,
        "plain": _summary(plain),
        "formats": {kind: _summary(found) for kind, found in rows.items()},
        "ratios": {
            kind: [row["cpu_us"] / base["cpu_us"] for row, base in zip(found, plain, strict=True)]
            for kind, found in rows.items()
        },
        "rounds": {"plain": plain, **rows},
    }


def watch(plan: Plan, server: Subject, generator: Process, say: Say) -> Numbers:
    """Compare a room with many spectators with a bare broadcast, by CPU for each copy."""
    count = plan.spectators
    with Subject("broadcast", SERVER_CORE) as bare:
        say(f"a room with {count} spectators against a bare broadcast, {plan.rounds} rounds each")
        generation = 0

        def open_room() -> None:
            generator.ask(
                "watch",
                name="room",
                url=server.url,
                pid=server.pid,
                spectators=count,
                size=plan.size,
                tag=f"g{generation}",
            )
            time.sleep(plan.settle_s)  # until all have received who is present

        open_room()
        first = generator.ask("round", name="room", seconds=plan.lead_s, lead_s=plan.lead_s)
        length = round(first["event_bytes"])
        generator.ask(
            "broadcast", name="bare", url=bare.url, pid=bare.pid, listeners=count, length=length
        )
        rooms: list[Numbers] = []
        bares: list[Numbers] = []
        for _ in range(plan.rounds):
            for name, rows in (("room", rooms), ("bare", bares)):
                row = generator.ask(
                    "round", name=name, seconds=plan.crowd_seconds, lead_s=plan.lead_s
                )
                rows.append(_per_message(row, row["copies"]))
                if name == "room" and row["used_up"]:
                    generator.ask("close", name="room")
                    generation += 1
                    open_room()
            say(f"  {rooms[-1]['cpu_us']:.2f} us a copy, bare {bares[-1]['cpu_us']:.2f} us")
        for name in ("room", "bare"):
            generator.ask("close", name=name)
    return {
        "spectators": count,
        "bytes": length,
        "room": _summary(rooms),
        "bare": _summary(bares),
        "ratio": median(r["cpu_us"] for r in rooms) / median(r["cpu_us"] for r in bares),
        "rounds": {"room": rooms, "bare": bares},
    }


def idle(plan: Plan, server: Subject, generator: Process, say: Say) -> Numbers:
    """Measure the memory of an idle connection after its hello."""
    found: dict[str, float] = {}
    # Ten players connect first, because the first hello loads modules that all connections share.
    generator.ask("idle", url=server.url, count=10, tag="early")
    time.sleep(plan.settle_s)
    before, there = rss_bytes(server.pid), 0
    for count in plan.idle:
        say(f"{count} idle connections")
        generator.ask("idle", url=server.url, count=count - there, tag=f"idle{count}-")
        there = count
        time.sleep(plan.settle_s)
        found[str(count)] = (rss_bytes(server.pid) - before) / count / 1024
        say(f"  {found[str(count)]:.1f} KiB each")
    return {"kib_per_connection": found, "rss_before": before}


def raise_open_files(wanted: int) -> None:
    """Allow this process and its children to open so many files, if the system permits it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def _per_message(row: Numbers, messages: int) -> Numbers:
    count = max(1, messages)
    return {
        **row,
        "cpu_us": row["subject_s"] / count * 1e6,
        "per_s": messages / row["wall_s"],
        "busy": row["subject_s"] / row["wall_s"],
        "load_busy": row["load_s"] / row["wall_s"],
    }


def _summary(
    rows: list[Numbers], keys: Sequence[str] = ("cpu_us", "per_s", "busy", "load_busy")
) -> Numbers:
    """Return the median, the least and the most of each figure."""
    return {key: summary([row[key] for row in rows]) for key in keys}
