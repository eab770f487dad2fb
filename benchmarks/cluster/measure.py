"""Run the measurements of a cluster, and summarise their results."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.cluster.world import Node, World
from benchmarks.figures import summary
from benchmarks.processes import Process
from benchmarks.server.meter import cpu_s

LOAD_CORE: Final = 1

Say = Callable[[str], None]
Numbers = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to measure; `rate` is in moves a second, and rooms are boards of `size` squares."""

    rounds: int = 5
    seconds: float = 4.0
    lead_s: float = 1.0
    rate: float = 5000.0
    rooms: int = 100
    size: int = 5
    spectators: int = 1000
    crowd_seconds: float = 2.0
    lives: int = 3
    live_rooms: int = 1000
    live_size: int = 10
    live_rate: float = 1000.0


QUICK: Final = Plan(
    rounds=2,
    seconds=1.0,
    lead_s=0.5,
    rate=1000.0,
    spectators=90,
    crowd_seconds=0.5,
    lives=1,
    live_rooms=40,
    live_rate=200.0,
)


@contextmanager
def load() -> Iterator[Process]:
    """Start the load generator on its core."""
    with Process("benchmarks.cluster.load", str(LOAD_CORE)) as generator:
        yield generator


def _cpu(pids: Iterable[int]) -> float:
    return sum(cpu_s(pid) for pid in pids)


class _Spent:
    """The CPU that the processes of a cluster use, from its making on."""

    def __init__(self, world: World, nodes: Mapping[str, Node]) -> None:
        self._pids = {f"node {node.label}": [node.pid] for node in nodes.values()} | world.pids()
        self._before = {place: _cpu(pids) for place, pids in self._pids.items()}

    def each_us(self, count: int) -> dict[str, float]:
        """Return the microseconds since then, divided by `count`, for each process and in all."""
        spent = {
            place: (_cpu(pids) - self._before[place]) / count * 1e6
            for place, pids in self._pids.items()
        }
        return {**spent, "all": sum(spent.values())}


def _summaries(rows: list[dict[str, float]]) -> dict[str, dict[str, float]]:
    return {key: summary([row[key] for row in rows]) for key in rows[0]}


def forward(plan: Plan, world: World, say: Say) -> Numbers:
    """Compare moves of players at the node of their rooms with those of players at another one."""
    return _compare(plan, world, say, "elsewhere", "b")


def apart(plan: Plan, world: World, say: Say) -> Numbers:
    """Compare the same with moves of two players at two nodes, neither of which has the room."""
    return _compare(plan, world, say, "apart", "bc")


def _compare(plan: Plan, world: World, say: Say, what: str, places: str) -> Numbers:
    """Compare players at node a, which has all rooms, with players at the nodes `places`.

    The rounds alternate, at the same rate.
    """
    rows: dict[str, list[dict[str, float]]] = {"here": [], what: []}
    with world.nodes(a=2, **dict.fromkeys(places, 0)) as nodes, load() as generator:
        for name, at in (("here", "a"), (what, places)):
            generator.ask(
                "split",
                name=name,
                urls=[nodes[place].url for place in at],
                pid=nodes["a"].pid,
                rooms=plan.rooms,
                size=plan.size,
                tag=name,
            )
        for number in range(plan.rounds):
            for name, found in rows.items():
                spent = _Spent(world, nodes)
                before = generator.ask("done", name=name)["done"]
                paced = generator.ask(
                    "pace", name=name, rate=plan.rate, seconds=plan.seconds, lead_s=plan.lead_s
                )
                moves = generator.ask("done", name=name)["done"] - before
                found.append(
                    {
                        **spent.each_us(moves),
                        **{key: paced[key] for key in ("rate", "p50_ms", "p99_ms")},
                    }
                )
            here, there = rows["here"][-1], rows[what][-1]
            say(
                f"round {number + 1}: {here['all']:.1f} us here, {there['all']:.1f} us {what},"
                f" p50 {here['p50_ms']:.2f} and {there['p50_ms']:.2f} ms"
            )
    pairs = list(zip(rows["here"], rows[what], strict=True))
    return {
        **{name: _summaries(found) for name, found in rows.items()},
        "ratio": summary([there["all"] / here["all"] for here, there in pairs]),
        "added_p50_ms": summary([there["p50_ms"] - here["p50_ms"] for here, there in pairs]),
    }


def watch(plan: Plan, world: World, say: Say) -> Numbers:
    """Compare spectators of one room at its node with spectators at three nodes."""
    rows: dict[str, list[dict[str, float]]] = {"one": [], "three": []}
    with world.nodes(a=2, b=0, c=0) as nodes, load() as generator:
        a, b, c = (nodes[name].url for name in "abc")
        for number in range(plan.rounds):
            for name, urls in (("one", [a]), ("three", [a, b, c])):
                generator.ask(
                    "watch",
                    name=name,
                    url=urls,
                    pid=nodes["a"].pid,
                    spectators=plan.spectators,
                    size=plan.size,
                    tag=f"{name}{number}-",
                )
                spent = _Spent(world, nodes)
                got = generator.ask("round", name=name, seconds=plan.crowd_seconds, lead_s=0.0)
                rows[name].append({**spent.each_us(got["copies"]), "copies": got["copies"]})
                generator.ask("close", name=name)
                time.sleep(1.0)  # until the nodes have noticed that the connections are gone
            one, three = rows["one"][-1], rows["three"][-1]
            say(f"round {number + 1}: {one['all']:.2f} us a copy, over three {three['all']:.2f} us")
    pairs = list(zip(rows["one"], rows["three"], strict=True))
    return {
        **{name: _summaries(found) for name, found in rows.items()},
        "ratio": summary([three["all"] / one["all"] for one, three in pairs]),
    }


def _ordeals(plan: Plan, world: World, say: Say, how: signal.Signals) -> Numbers:
    """End the node that has all rooms and the leader, while the players are at two others."""
    rows = []
    for number in range(plan.lives):
        with world.nodes(a=2, b=0, c=0) as nodes, load() as generator:
            a = nodes["a"]
            generator.ask(
                "checked",
                name="rooms",
                urls=[nodes["b"].url, nodes["c"].url],
                pid=a.pid,
                rooms=plan.live_rooms,
                size=plan.live_size,
            )
            got = generator.ask(
                "ordeal", name="rooms", rate=plan.live_rate, lead_s=2.0, pid=a.pid, how=int(how)
            )
            say(
                f"round {number + 1}: all {plan.live_rooms} rooms answered after"
                f" {got['all_s']:.2f} s, longest wait {got['longest_s']:.2f} s"
            )
            rows.append({key: got[key] for key in ("all_s", "longest_s", "p50_ms")})
    return {"rooms": plan.live_rooms, **_summaries(rows)}


def kill(plan: Plan, world: World, say: Say) -> Numbers:
    """Kill the node that has all rooms."""
    return _ordeals(plan, world, say, signal.SIGKILL)


def drain(plan: Plan, world: World, say: Say) -> Numbers:
    """Let the node that has all rooms leave in order."""
    return _ordeals(plan, world, say, signal.SIGTERM)
