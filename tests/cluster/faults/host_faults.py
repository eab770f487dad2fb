"""What can break when everything has a host of its own; `faults` has what can break anywhere.

A cut loses packets: no host is told. So most of these faults end only by deadlines.
"""

from __future__ import annotations

import asyncio
import signal
from random import Random
from typing import Final

from doublecross.processes.network import Host
from tests.cluster.faults import faults
from tests.cluster.faults.faults import LONG_S, LONGEST_S, SHORT_S, Fault, Struck
from tests.cluster.faults.hosts import HostWorld
from tests.cluster.faults.world import Node, World

DIRECTIONS: Final = ("both", "to", "from")


def _hosts(world: World) -> HostWorld:
    assert isinstance(world, HostWorld)
    return world


def _some_time(rng: Random) -> float:
    return rng.choice((SHORT_S, LONG_S, LONGEST_S))


async def _cut(
    world: World, host: Host, other: Host | None, direction: str, seconds: float
) -> None:
    """Lose what goes to a host, what comes from it, or both, for a while."""
    network = _hosts(world).network
    if direction != "from":
        network.cut(other, host)
    if direction != "to":
        network.cut(host, other)
    await asyncio.sleep(seconds)
    network.heal()


async def _cut_node(
    world: World, rng: Random, node: Node, other: Host | None, direction: str = ""
) -> Struck:
    """Cut a node off another host or all others; without a direction choose one."""
    direction, seconds = direction or rng.choice(DIRECTIONS), _some_time(rng)
    await _cut(world, node.host, other, direction, seconds)
    return Struck(f"{direction} {node.name}, {seconds:g} s")


async def cut_node(world: World, rng: Random) -> Struck:
    """Cut a node off everything, in both directions."""
    return await _cut_node(world, rng, faults._any(world, rng), None, "both")


async def cut_to_node(world: World, rng: Random) -> Struck:
    """Lose everything that is sent to a node; what it sends arrives."""
    return await _cut_node(world, rng, faults._any(world, rng), None, "to")


async def cut_from_node(world: World, rng: Random) -> Struck:
    """Lose everything that a node sends; what is sent to it arrives."""
    return await _cut_node(world, rng, faults._any(world, rng), None, "from")


async def cut_leader(world: World, rng: Random) -> Struck:
    """Cut the leader off everything, in one direction or both."""
    return await _cut_node(world, rng, await faults._leader(world), None)


async def cut_nats(world: World, rng: Random) -> Struck:
    """Cut a node off NATS, while it reaches PostgreSQL."""
    return await _cut_node(world, rng, faults._any(world, rng), world.nats.host)


async def cut_postgresql(world: World, rng: Random) -> Struck:
    """Cut a node off PostgreSQL, while it reaches NATS."""
    return await _cut_node(world, rng, faults._any(world, rng), world.postgresql.host)


async def cut_crosswise(world: World, rng: Random) -> Struck:
    """Cut one node off NATS and another one off PostgreSQL at the same time."""
    one, other = rng.sample(list(world.nodes.values()), 2)
    _hosts(world).network.cut_both(one.host, world.nats.host)
    await _cut(world, other.host, world.postgresql.host, "both", LONG_S)
    return Struck(f"{one.name}, {other.name}")


async def cut_proxy(world: World, rng: Random) -> Struck:
    """Cut a node off the proxy."""
    return await _cut_node(world, rng, faults._any(world, rng), _hosts(world).proxy)


async def cut_players(world: World, rng: Random) -> Struck:
    """Cut a node off the players who know its address."""
    return await _cut_node(world, rng, faults._any(world, rng), _hosts(world).players)


async def cut_postgresql_off(world: World, rng: Random) -> Struck:
    """Cut PostgreSQL off all nodes, in one direction or both."""
    direction = rng.choice(DIRECTIONS)
    await _cut(world, world.postgresql.host, None, direction, LONG_S)
    return Struck(direction)


async def cut_nats_off(world: World, rng: Random) -> Struck:
    """Cut NATS off all nodes, in one direction or both."""
    direction = rng.choice(DIRECTIONS)
    await _cut(world, world.nats.host, None, direction, LONG_S)
    return Struck(direction)


async def unplug_node(world: World, rng: Random) -> Struck:
    """Take the link of a node down, which its programs notice at once."""
    node, seconds = faults._any(world, rng), _some_time(rng)
    _hosts(world).network.unplug(node.host)
    await asyncio.sleep(seconds)
    _hosts(world).network.plug(node.host)
    return Struck(f"{node.name}, {seconds:g} s")


async def move_node(world: World, rng: Random) -> Struck:
    """Give a node another address while it runs; its connections say nothing any more."""
    node = faults._any(world, rng)
    await _hosts(world).move(node)
    return Struck(f"{node.name}, to {node.host.address}")


async def return_elsewhere(world: World, rng: Random) -> Struck:
    """Kill a node, and let it come back at another address."""
    node = faults._any(world, rng)
    await node.end(signal.SIGKILL)
    await _hosts(world).move(node)
    await node.start()
    return Struck(f"{node.name}, to {node.host.address}")


async def move_nats(world: World, rng: Random) -> Struck:
    """Let NATS's machine go away; another one gets its address."""
    await _hosts(world).move_nats()
    return Struck()


_WITH_PROXIES: Final = ("lose-commit", "cut-nats-short", "cut-postgresql-short")
"""These need proxies between the nodes and the servers, which know what passes."""

HOST_FAULTS: Final[dict[str, Fault]] = {
    name: fault for name, fault in faults.FAULTS.items() if name not in _WITH_PROXIES
} | {
    function.__name__.replace("_", "-"): function
    for function in (
        *(cut_node, cut_to_node, cut_from_node, cut_leader, cut_nats, cut_postgresql),
        *(cut_crosswise, cut_proxy, cut_players, cut_postgresql_off, cut_nats_off),
        *(unplug_node, move_node, return_elsewhere, move_nats),
    )
}
