"""Measure the stores one after another, in rounds in which they take turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.journals.servers import Server, disk_bytes, running
from benchmarks.processes import BenchmarkError, Process
from benchmarks.server.meter import cpu_s

LOGS: Final = 2
"""The logs of a node, as many as a node of a new cluster has."""
Say = Callable[[str], None]
Rows = dict[str, list[dict[str, float]]]
Entries = Mapping[str, Sequence[tuple[int, int, int]]]
"""For each log the number, moves and checksum of its entries."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to measure. A rate is in moves a second; 0 is as fast as possible."""

    rounds: int = 9
    seconds: float = 1.0
    rates: Sequence[float] = (300.0, 3000.0, 0.0)
    rooms: int = 40
    entries: int = 2000
    entry_moves: int = 10
    lives: int = 3
    flood: int = 5000


QUICK: Final = Plan(rounds=1, seconds=0.5, entries=300, lives=1, flood=500)


@contextmanager
def node(kind: str, server: Server, name: str) -> Iterator[Process]:
    """Run a node's process."""
    with Process("benchmarks.journals.node", kind, server.url, name) as process:
        process.read()
        yield process


def rates(kinds: Sequence[str], plan: Plan, say: Say) -> dict[str, Any]:
    """Measure commits at each rate, in rounds in which the stores take turns."""
    found: dict[str, Rows] = {_named(rate): {kind: [] for kind in kinds} for rate in plan.rates}
    with ExitStack() as stack:
        pairs = {}
        for kind in kinds:
            server = stack.enter_context(running(kind))
            pairs[kind] = server, stack.enter_context(node(kind, server, "a"))
            pairs[kind][1].ask("create", logs=LOGS)
            pairs[kind][1].ask("store", rooms=plan.rooms, rate=0, seconds=plan.seconds / 4)
        for number in range(plan.rounds):
            for rate in plan.rates:
                for kind, (server, process) in pairs.items():
                    row = _stored(server, process, rate, plan)
                    found[_named(rate)][kind].append(row)
                    shown = ", ".join(f"{name} {value:.4g}" for name, value in row.items())
                    say(f"round {number + 1}, {_named(rate)}, {kind}: {shown}")
    return found


def _named(rate: float) -> str:
    return f"{rate:,.0f} moves/s" if rate else "as fast as possible"


def _stored(server: Server, process: Process, rate: float, plan: Plan) -> dict[str, float]:
    before, own, disk = server.used_s(), cpu_s(process.pid), disk_bytes()
    got = process.ask("store", rooms=plan.rooms, rate=rate, seconds=plan.seconds)
    own, disk = cpu_s(process.pid) - own, disk_bytes() - disk
    after = server.used_s()
    used = sum(after[pid] - before[pid] for pid in before.keys() & after.keys())
    moves, commits = got["moves"], got["commits"]
    return {
        "commits": commits / got["seconds"],
        "moves": moves / got["seconds"],
        "p50_ms": got["p50_ms"],
        "p99_ms": got["p99_ms"],
        "node_move_us": 1e6 * own / moves,
        "node_commit_us": 1e6 * own / commits,
        "server_move_us": 1e6 * used / moves,
        "disk_bytes": disk / moves,
    }


def owners(kinds: Sequence[str], plan: Plan, say: Say) -> dict[str, Any]:
    """Measure how long a new owner takes until it has read the log."""
    found: Rows = {kind: [] for kind in kinds}
    with ExitStack() as stack:
        nodes, logs = {}, {}
        for kind in kinds:
            server = stack.enter_context(running(kind))
            nodes[kind] = [stack.enter_context(node(kind, server, name)) for name in "ab"]
            filled = nodes[kind][0].ask("fill", entries=plan.entries, moves=plan.entry_moves)
            logs[kind] = filled["log"]
        for number in range(plan.rounds):
            for kind in kinds:
                old, new = nodes[kind] if number % 2 == 0 else nodes[kind][::-1]
                old.ask("give_up", log=logs[kind])
                got = new.ask("take", log=logs[kind])
                # Later rounds have the entries of the new owners too.
                if got["entries"] != plan.entries + number:
                    raise BenchmarkError(f"{kind}: the new owner found {got['entries']} entries.")
                number_of_next = plan.entries + number + 1
                if not old.ask("add", log=logs[kind], number=number_of_next)["refused"]:
                    raise BenchmarkError(f"{kind}: the former owner could still write.")
                new.ask("add", log=logs[kind], number=number_of_next)
                found[kind].append({"ms": got["ms"]})
                say(f"round {number + 1}, {kind}: {got['ms']:.1f} ms")
    return {"entries": plan.entries, "entry_moves": plan.entry_moves, "rows": found}


def kills(kinds: Sequence[str], plan: Plan, say: Say) -> dict[str, Any]:
    """Count the moves that were acknowledged and are not there after the server was killed."""
    found: Rows = {kind: [] for kind in kinds}
    for number in range(plan.lives):
        for kind in kinds:
            with running(kind) as server:
                with node(kind, server, "a") as process:
                    process.ask("create", logs=LOGS)
                    process.ask("flood", rooms=plan.rooms, moves=plan.flood)
                    server.kill()
                    killed = time.perf_counter()
                    told = process.ask("report")["logs"]
                server.start()
                with node(kind, server, "b") as process:
                    kept = {log: process.ask("read", log=log)["entries"] for log in told}
                row = lost(told, kept)
                row["back_s"] = time.perf_counter() - killed
            found[kind].append(row)
            shown = ", ".join(f"{name} {value:.4g}" for name, value in row.items())
            say(f"round {number + 1}, {kind}: {shown}")
    return found


def lost(told: Entries, kept: Entries) -> dict[str, float]:
    """Compare number, moves and checksum of acknowledged entries with those that are there."""
    moves = lost = more = 0
    for log, entries in told.items():
        there = {number: checksum for number, _, checksum in kept[log]}
        moves += sum(count for _, count, _ in entries)
        lost += sum(count for number, count, checksum in entries if there.get(number) != checksum)
        more += len(there.keys() - {number for number, _, _ in entries})
    return {"acknowledged": moves, "lost": lost, "entries_more": more}
