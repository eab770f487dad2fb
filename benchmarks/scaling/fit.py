"""Compare the model with three real nodes: `python -m benchmarks.scaling fit`.

PostgreSQL, NATS, the nodes and the load run on this machine. Players make moves at random moments,
one of two from another node than that of the room. People come with their tokens, look at the
lobby, play a quick match and go. The model computes what exactly that costs. What an idle cluster
uses is taken off on both sides.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
import time
import tomllib
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from benchmarks.cluster.measure import LOAD_CORE
from benchmarks.cluster.world import Node, World
from benchmarks.processes import Process
from benchmarks.scaling import model
from benchmarks.scaling.costs import Costs
from benchmarks.scaling.load import Load
from benchmarks.scaling.visitors import MOVES_EACH
from benchmarks.server.measure import VAR
from benchmarks.server.meter import cpu_s
from doublecross.processes.ports import free_port

FILE: Final = Path(__file__).with_name("fit.toml")
NODES: Final = 3
NAMES: Final = {
    "node": "processor of a node without the leader, cores",
    "leader": "what the leader's node uses more, cores",
    "nats": "processor of NATS, cores",
    "postgresql": "processor of PostgreSQL, cores",
    "messages": "NATS: messages a second",
    "kilobytes": "NATS: KB a second",
    "commits": "commits a second",
    "wal": "WAL, KB a second",
}
"""What is compared."""
_WAL: Final = "SELECT pg_current_wal_insert_lsn() - '0/0'"
_COMMITS: Final = re.compile(r"^doublecross_commit_seconds_(sum|count)\S* (\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to measure. `rate` is in moves, and `pairs` in pairs of visitors a second."""

    seconds: float = 8.0
    warm_s: float = 2.0
    rate: float = 1200.0
    pairs: float = 40.0
    rooms: int = 120
    followers: int = 30
    people: int = 200
    play: bool = True


@dataclass(frozen=True, slots=True)
class Fit:
    """The load of a measurement, each second, and what it used more than an idle cluster."""

    rooms: float
    followers: float
    moves: float
    logins: float
    opened: float
    commit_ms: float
    used: Mapping[str, float]

    @property
    def load(self) -> Load:
        """The assumptions of the model for exactly this load."""
        matches = self.moves / MOVES_EACH + self.opened
        connections = round(2 * self.rooms + self.followers)
        return replace(
            Load(),
            processes=NODES,
            nats_servers=1,
            connections=connections,
            playing=2 * self.rooms / connections,
            watching=0.0,
            lobby=self.followers / connections,
            moves_per_s=self.moves / self.rooms,
            moves_each=self.moves / matches,
            new_rooms=self.opened / matches,
            kinds=1,
            elsewhere=0.5,
            tournaments=0.0,
            visit_s=connections / self.logins,
            newcomers=0.0,
            commit_ms=self.commit_ms,
            # Most items wait for a commit, and leave together after it.
            turns_per_s=self.used["commits"] / NODES,
        )


def read(path: Path = FILE) -> Fit:
    """Return the measurement that is kept in a file."""
    return Fit(**tomllib.loads(path.read_text()))


def text(fit: Fit) -> str:
    """Return a measurement as the file keeps it."""
    load = [f"{name} = {getattr(fit, name):.5g}" for name in _LOAD]
    used = [f"{name} = {value:.5g}" for name, value in fit.used.items()]
    return "\n".join((_HEAD, *load, "", "[used]", *used, ""))


_LOAD: Final = ("rooms", "followers", "moves", "logins", "opened", "commit_ms")
_HEAD: Final = (
    "# What three real nodes used for a known load, each second, less what they use when idle.\n"
    "# python -m benchmarks.scaling fit --keep writes it."
)


def computed(load: Load, costs: Costs) -> dict[str, float]:
    """Return what the model says for the names of `NAMES`."""
    messages, size, nats = model.nats(load, costs)
    _, wal, postgres = model.postgres(load, costs)
    return {
        "node": sum(model.node(load, costs).values()),
        "leader": sum(model.leader(load, costs).values()),
        "nats": nats,
        "postgresql": postgres,
        "messages": messages,
        "kilobytes": size / 1000,
        "commits": model.stored(load),
        "wal": wal / 1000,
    }


def expected(fit: Fit, costs: Costs) -> dict[str, float]:
    """Return what the model says for a measurement, less what it says of an idle cluster."""
    busy = computed(fit.load, costs)
    idle = computed(replace(fit.load, connections=0), costs)
    return {name: busy[name] - idle[name] for name in NAMES}


class _Counters:
    """What the processes of a cluster have used so far."""

    def __init__(
        self, world: World, nodes: Mapping[str, Node], monitor: str, database: str
    ) -> None:
        self._pids = {name: [node.pid] for name, node in nodes.items()} | world.pids()
        self._monitor = monitor
        self._nodes = nodes
        self._world = world
        self._database = database

    def read(self) -> dict[str, float]:
        """Return seconds of processors, messages, bytes and entries."""
        found = {name: sum(map(cpu_s, pids)) for name, pids in self._pids.items()}
        with urllib.request.urlopen(f"{self._monitor}/varz", timeout=5) as answer:
            varz: dict[str, Any] = json.load(answer)
        found["messages"], found["kilobytes"] = varz["in_msgs"], varz["in_bytes"] / 1000
        found["wal"] = asyncio.run(self._wal())
        found["commits"] = found["committing"] = 0.0
        for node in self._nodes.values():
            with urllib.request.urlopen(f"{node.http}/metrics", timeout=5) as answer:
                for what, value in _COMMITS.findall(answer.read().decode()):
                    found["committing" if what == "sum" else "commits"] += float(value)
        return found

    async def _wal(self) -> float:
        connection = await self._world.postgresql.connect(self._database)
        try:
            return float(await connection.fetchval(_WAL)) / 1000
        finally:
            await connection.close()


def measured(plan: Plan) -> Fit:
    """Start a cluster, give it the load, and return what it has used."""
    port = free_port()
    VAR.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=VAR, prefix="bench-") as folder:
        world = World(Path(folder), ("-m", str(port)))
        try:
            with world.nodes(a=2, b=2, c=2) as nodes, _load() as generator:
                return _run(plan, world, nodes, generator, f"http://127.0.0.1:{port}")
        finally:
            world.close()


def _load() -> Process:
    return Process("benchmarks.scaling.visitors", str(LOAD_CORE))


def _run(
    plan: Plan, world: World, nodes: Mapping[str, Node], generator: Process, monitor: str
) -> Fit:
    generator.ask(
        "settle_in",
        urls=[node.url for node in nodes.values()],
        rooms=plan.rooms,
        followers=plan.followers,
        people=plan.people,
    )
    order = {"rate": plan.rate, "pairs": plan.pairs, "play": plan.play}
    generator.ask("mixed", seconds=plan.warm_s, **order)
    counters = _Counters(world, nodes, monitor, world.newest)
    idle, _, _ = _rates(counters, lambda: time.sleep(plan.seconds / 2))
    busy, took_s, done = _rates(
        counters,
        lambda: generator.ask("mixed", seconds=plan.seconds, **order),
    )
    more = {name: busy[name] - idle[name] for name in busy}
    others = (more["b"] + more["c"]) / 2
    used = {"node": others, "leader": more["a"] - others}
    used |= {name: more[name] for name in NAMES if name not in used}
    rates = {name: value / took_s for name, value in done.items()}
    commit_ms = 1000 * busy["committing"] / busy["commits"]
    return Fit(plan.rooms, plan.followers, used=used, commit_ms=commit_ms, **rates)


def _rates(
    counters: _Counters, work: Callable[[], Any]
) -> tuple[dict[str, float], float, dict[str, float]]:
    """Return what was used in each second of some work, its seconds, and its result."""
    before, began = counters.read(), time.perf_counter()
    done = work()
    took_s = time.perf_counter() - began
    after = counters.read()
    return {name: (after[name] - before[name]) / took_s for name in after}, took_s, done or {}
