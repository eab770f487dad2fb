"""What can break: each fault is a function that breaks it, by name.

A fault returns when it is over, or when only time ends it. `running.strike` then waits until all
games go on, and starts the nodes again that the fault has ended. The wait counts from the beginning
of the fault.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from tests.cluster.faults.world import Node, World

LONG_S: Final = 4.0
"""Longer than a lease."""
SHORT_S: Final = 1.5
"""Shorter than a lease."""
LONGEST_S: Final = 10.0
AHEAD_S: Final = 30.0


@dataclass
class Struck:
    """What a fault did: whom it struck, for people, and what must be started again."""

    whom: str = ""
    ended: list[Node] = field(default_factory=list)


Fault = Callable[[World, Random], Awaitable[Struck]]


def _any(world: World, rng: Random) -> Node:
    return rng.choice(list(world.nodes.values()))


async def _leader(world: World) -> Node:
    await world.until(lambda: world.owner("leader"))
    node = await world.owner("leader")
    assert node is not None
    return node


async def _kill(node: Node) -> Struck:
    await node.end(signal.SIGKILL)
    return Struck(node.name, [node])


async def kill_node(world: World, rng: Random) -> Struck:
    """Kill a node, which owns some of the rooms."""
    return await _kill(_any(world, rng))


async def kill_leader(world: World, rng: Random) -> Struck:
    """Kill the node of the leader, during quick matches and a tournament."""
    return await _kill(await _leader(world))


async def kill_two(world: World, rng: Random) -> Struck:
    """Kill two nodes at once."""
    nodes = rng.sample(list(world.nodes.values()), 2)
    for node in nodes:
        await node.end(signal.SIGKILL)
    return Struck(" and ".join(node.name for node in nodes), nodes)


async def _freeze(node: Node, seconds: float) -> Struck:
    node.send(signal.SIGSTOP)
    await asyncio.sleep(seconds)
    node.send(signal.SIGCONT)
    return Struck(node.name)


async def freeze(world: World, rng: Random) -> Struck:
    """Let a node stand still until others have its logs; its clients' moves wait in its sockets."""
    return await _freeze(_any(world, rng), LONG_S)


async def freeze_long(world: World, rng: Random) -> Struck:
    """Let a node stand still for ten seconds."""
    return await _freeze(_any(world, rng), LONGEST_S)


async def freeze_leader(world: World, rng: Random) -> Struck:
    """Let the node of the leader stand still until another one has the leader."""
    return await _freeze(await _leader(world), LONG_S)


async def freeze_short(world: World, rng: Random) -> Struck:
    """Let a node stand still for less than its lease."""
    return await _freeze(_any(world, rng), SHORT_S)


async def lose_commit(world: World, rng: Random) -> Struck:
    """Break the connection to PostgreSQL between a commit and its answer."""
    node = _any(world, rng)
    logs = [log for log in await world.logs_of(node) if log != "leader"]
    if not logs:
        return Struck(f"{node.name}, which owns nothing")
    log = rng.choice(logs)
    # Statements are prepared: a commit has nothing but their values, such as the log.
    node.database.lose_answer(log.encode())
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LONG_S):
            await node.database.lost.wait()
    lost = node.database.lost.is_set()
    return Struck(f"{log} of {node.name}" + ("" if lost else ", no commit"))


async def restart_postgresql(world: World, rng: Random) -> Struck:
    """Stop PostgreSQL in order, and start it again."""
    await world.call(world.postgresql.restart)
    return Struck()


async def kill_postgresql(world: World, rng: Random) -> Struck:
    """Let PostgreSQL crash, and start it again."""
    await world.call(world.postgresql.crash)
    await world.call(world.postgresql.start)
    return Struck()


async def freeze_postgresql(world: World, rng: Random) -> Struck:
    """Let PostgreSQL stand still until all leases have lapsed."""
    await world.call(world.postgresql.freeze)
    await asyncio.sleep(LONG_S)
    await world.call(world.postgresql.thaw)
    return Struck()


async def fail_over(world: World, rng: Random) -> Struck:
    """Let PostgreSQL's machine fail, and go on with its synchronous standby."""
    await world.fail_over()
    return Struck()


async def restart_nats(world: World, rng: Random) -> Struck:
    """Stop NATS in order, and start it again."""
    await world.call(world.nats.stop)
    await world.call(world.nats.start)
    return Struck()


async def kill_nats(world: World, rng: Random) -> Struck:
    """Kill NATS, and start it again a second later."""
    await world.call(world.nats.kill)
    await asyncio.sleep(1)
    await world.call(world.nats.start)
    return Struck()


async def _cut(node: Node, what: str, how: str, seconds: float) -> Struck:
    cuts = node.nats if what == "nats" else node.database
    if how == "hang":
        cuts.hang()
    else:
        cuts.refuse()
    await asyncio.sleep(seconds)
    cuts.heal()
    return Struck(f"{node.name}, {how}")


async def cut_nats(world: World, rng: Random) -> Struck:
    """Cut a node off NATS, while it reaches PostgreSQL."""
    return await _cut(_any(world, rng), "nats", rng.choice(("hang", "refuse")), LONG_S)


async def cut_nats_short(world: World, rng: Random) -> Struck:
    """Cut the connections of a node to NATS once."""
    node = _any(world, rng)
    node.nats.drop()
    return Struck(node.name)


async def cut_postgresql(world: World, rng: Random) -> Struck:
    """Cut a node off PostgreSQL, while it reaches NATS."""
    return await _cut(_any(world, rng), "postgresql", rng.choice(("hang", "refuse")), LONG_S)


async def cut_postgresql_short(world: World, rng: Random) -> Struck:
    """Cut the connections of a node to PostgreSQL once."""
    node = _any(world, rng)
    node.database.drop()
    return Struck(node.name)


async def _claim(world: World, node: Node, log: str, rng: Random) -> Struck:
    other = rng.choice([each for each in world.nodes.values() if each is not node])
    await world.fetch(
        "WITH taken AS (UPDATE logs SET token = token + 1,"
        " owner = (SELECT run FROM nodes WHERE node = $2) WHERE log = $1)"
        " UPDATE counters SET value = value + 1 WHERE name = 'cluster'",
        log,
        other.name,
    )
    return Struck(f"{log} of {node.name}, to {other.name}")


async def claim_twice(world: World, rng: Random) -> Struck:
    """Give a log of rooms to another node while its owner lives and believes in its lease."""
    node = _any(world, rng)
    logs = [log for log in await world.logs_of(node) if log != "leader"]
    if not logs:
        return Struck(f"{node.name}, which owns nothing")
    return await _claim(world, node, rng.choice(logs), rng)


async def claim_leader_twice(world: World, rng: Random) -> Struck:
    """Give the leader to another node while its owner lives and believes in its lease."""
    return await _claim(world, await _leader(world), "leader", rng)


async def set_clocks(world: World, rng: Random) -> Struck:
    """Set two clocks a minute apart, and kill a node, so that rooms change between them."""
    nodes = list(world.nodes.values())
    rng.shuffle(nodes)
    nodes[0].set_clock(AHEAD_S)
    nodes[1].set_clock(-AHEAD_S)
    return await _kill(nodes[2])


async def right_clocks(world: World) -> None:
    """Let all clocks be right again."""
    for node in world.nodes.values():
        if node.runs:
            node.set_clock(0)


async def roll(world: World, rng: Random) -> Struck:
    """Restart one node after the other in order, as a host does for a new version."""
    for node in world.nodes.values():
        await node.end(signal.SIGTERM)
        await node.start()
    return Struck("all")


async def other_version(world: World, rng: Random) -> Struck:
    """Let one node come back in another version, beside the others."""
    node = _any(world, rng)
    await node.end(signal.SIGTERM)
    node.version = str(int(node.version) + 1)
    await node.start()
    return Struck(f"{node.name}, version {node.version}")


FAULTS: Final[dict[str, Fault]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        *(kill_node, kill_leader, kill_two, freeze, freeze_long, freeze_leader, freeze_short),
        *(lose_commit, restart_postgresql, kill_postgresql, freeze_postgresql, fail_over),
        *(restart_nats, kill_nats, cut_nats, cut_nats_short, cut_postgresql),
        *(cut_postgresql_short, claim_twice, claim_leader_twice, set_clocks, roll, other_version),
    )
}
