"""What can break: each fault is a function that breaks it, by name.

A fault returns whom it struck, for people, when it is over or when only time ends it.
`running.strike` then waits until all games go on, and starts the nodes again that the fault has
ended. The wait counts from the beginning of the fault.

`OF_MACHINE` needs proxies in front of the servers, which know what passes. `OF_HOSTS` needs a
cluster on hosts of their own: there a cut loses packets and no host is told, so most of these
faults end only by deadlines.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from tests.cluster.faults.hosts import HostWorld
from tests.cluster.faults.world import Node, World

LONG_S: Final = 4.0
"""Longer than a lease."""
SHORT_S: Final = 1.5
"""Shorter than a lease."""
LONGEST_S: Final = 10.0
AHEAD_S: Final = 30.0
BOTH: Final = (True, True)
TO: Final = (True, False)
FROM: Final = (False, True)
DIRECTIONS: Final = {BOTH: "both", TO: "to", FROM: "from"}
"""Whether packets to a host are lost, and those that come from it."""

Fault = Callable[[Any, Random], Awaitable[str]]
"""Strikes a `World`, or a `HostWorld` where it needs one."""
Choice = Callable[[World, Random], Awaitable[Sequence[Node]]]


def some(number: int) -> Choice:
    async def choose(world: World, rng: Random) -> Sequence[Node]:
        return rng.sample(list(world.nodes.values()), number)

    return choose


async def leader(world: World, rng: Random) -> Sequence[Node]:
    await world.until(lambda: world.owner("leader"))
    node = await world.owner("leader")
    assert node is not None
    return [node]


def nodes(choice: Choice, deed: Callable[..., Awaitable[str | None]], *how: Any) -> Fault:
    """Return a fault that does something to the nodes of a choice: `deed(world, rng, *nodes)`."""

    async def fault(world: World, rng: Random) -> str:
        chosen = await choice(world, rng)
        said = await deed(world, rng, *chosen, *how)
        return " ".join([*(node.name for node in chosen), said or ""])

    return fault


def server(name: str, *deeds: str | float) -> Fault:
    """Return a fault that calls methods of PostgreSQL or NATS, with pauses between them."""

    async def fault(world: World, _: Random) -> str:
        for deed in deeds:
            if isinstance(deed, str):
                await world.call(getattr(getattr(world, name), deed))
            else:
                await asyncio.sleep(deed)
        return ""

    return fault


# -- nodes -------------------------------------------------------------------------------------


async def kill(world: World, rng: Random, *killed: Node) -> None:
    for node in killed:
        await node.end(signal.SIGKILL)


async def freeze(world: World, rng: Random, node: Node, seconds: float) -> None:
    """Let a node stand still; its clients' moves wait in its sockets."""
    node.send(signal.SIGSTOP)
    await asyncio.sleep(seconds)
    node.send(signal.SIGCONT)


async def claim(world: World, rng: Random, node: Node, log: str = "") -> str:
    """Give a log to another node while its owner lives and believes in its lease."""
    logs = [log] if log else await world.logs_of_rooms(node)
    if not logs:
        return "owns nothing"
    log = rng.choice(logs)
    other = rng.choice([each for each in world.nodes.values() if each is not node])
    await world.fetch(
        "WITH taken AS (UPDATE logs SET token = token + 1,"
        " owner = (SELECT run FROM nodes WHERE node = $2) WHERE log = $1)"
        " UPDATE counters SET value = value + 1 WHERE name = 'cluster'",
        log,
        other.name,
    )
    return f"loses {log} to {other.name}"


async def set_clocks(world: World, rng: Random, ahead: Node, behind: Node, killed: Node) -> None:
    """Set two clocks a minute apart, and kill a node, so that rooms change between them."""
    ahead.set_clock(AHEAD_S)
    behind.set_clock(-AHEAD_S)
    await kill(world, rng, killed)


async def roll(world: World, rng: Random, *rolled: Node) -> None:
    """Restart one node after the other in order, as a host does for a new version."""
    for node in rolled:
        await node.end(signal.SIGTERM)
        await node.start()


async def other_version(world: World, rng: Random, node: Node) -> str:
    """Let a node come back in another version, beside the others."""
    node.version = str(int(node.version) + 1)
    await roll(world, rng, node)
    return f"version {node.version}"


async def cut(world: World, rng: Random, node: Node, what: str) -> str:
    """Cut a node off one of the servers, while it reaches the other one."""
    if isinstance(world, HostWorld):
        return await lose(world, rng, node, what)
    how = rng.choice(("hang", "refuse"))
    getattr(node.proxies[what], how)()
    await asyncio.sleep(LONG_S)
    node.proxies[what].heal()
    return how


async def fail_over(world: World, rng: Random) -> str:
    """Let PostgreSQL's machine fail, and go on with its synchronous standby."""
    await world.fail_over()
    return ""


FAULTS: Final[Mapping[str, Fault]] = {
    "kill-node": nodes(some(1), kill),
    "kill-leader": nodes(leader, kill),
    "kill-two": nodes(some(2), kill),
    "freeze": nodes(some(1), freeze, LONG_S),
    "freeze-long": nodes(some(1), freeze, LONGEST_S),
    "freeze-leader": nodes(leader, freeze, LONG_S),
    "freeze-short": nodes(some(1), freeze, SHORT_S),
    "restart-postgresql": server("postgresql", "restart"),
    "kill-postgresql": server("postgresql", "crash", "start"),
    "freeze-postgresql": server("postgresql", "freeze", LONG_S, "thaw"),
    "fail-over": fail_over,
    "restart-nats": server("nats", "stop", "start"),
    "kill-nats": server("nats", "kill", 1.0, "start"),
    "cut-nats": nodes(some(1), cut, "nats"),
    "cut-postgresql": nodes(some(1), cut, "postgresql"),
    "claim-twice": nodes(some(1), claim),
    "claim-leader-twice": nodes(leader, claim, "leader"),
    "set-clocks": nodes(some(3), set_clocks),
    "roll": nodes(some(3), roll),
    "other-version": nodes(some(1), other_version),
}
"""What can break anywhere."""

# -- what proxies do ---------------------------------------------------------------------------


async def lose_commit(world: World, rng: Random, node: Node) -> str:
    """Break the connection to PostgreSQL between a commit and its answer."""
    logs = await world.logs_of_rooms(node)
    if not logs:
        return "owns nothing"
    proxy, log = node.proxies["postgresql"], rng.choice(logs)
    # Statements are prepared: a commit has nothing but their values, such as the log.
    proxy.lose_answer(log.encode())
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LONG_S):
            await proxy.lost.wait()
    return log if proxy.lost.is_set() else f"{log}, no commit"


async def drop(world: World, rng: Random, node: Node, what: str) -> None:
    """Cut the connections of a node to one of the servers once."""
    node.proxies[what].drop()


OF_MACHINE: Final[Mapping[str, Fault]] = {
    "lose-commit": nodes(some(1), lose_commit),
    "cut-nats-short": nodes(some(1), drop, "nats"),
    "cut-postgresql-short": nodes(some(1), drop, "postgresql"),
}

# -- what happens to hosts ---------------------------------------------------------------------


async def lose(
    world: HostWorld,
    rng: Random,
    node: Node,
    other: str = "",
    directions: Sequence[tuple[bool, bool]] = tuple(DIRECTIONS),
) -> str:
    """Cut a node off another host or all others, for some time."""
    direction = rng.choice(directions)
    seconds = rng.choice((SHORT_S, LONG_S, LONGEST_S))
    await world.lose(node.host, world.host(other), direction, seconds)
    return f"{DIRECTIONS[direction]}, {seconds:g} s"


def cut_off(name: str) -> Fault:
    """Return a fault that cuts a server off all nodes, in one direction or both."""

    async def fault(world: HostWorld, rng: Random) -> str:
        direction = rng.choice(tuple(DIRECTIONS))
        host = world.host(name)
        assert host is not None
        await world.lose(host, None, direction, LONG_S)
        return DIRECTIONS[direction]

    return fault


async def cut_crosswise(world: HostWorld, rng: Random, one: Node, other: Node) -> None:
    """Cut one node off NATS and another one off PostgreSQL at the same time."""
    world.network.cut_both(one.host, world.nats.host)
    await world.lose(other.host, world.postgresql.host, BOTH, LONG_S)


async def unplug(world: HostWorld, rng: Random, node: Node) -> str:
    """Take the link of a node down, which its programs notice at once."""
    seconds = rng.choice((SHORT_S, LONG_S, LONGEST_S))
    world.network.unplug(node.host)
    await asyncio.sleep(seconds)
    world.network.plug(node.host)
    return f"{seconds:g} s"


async def move(world: HostWorld, rng: Random, node: Node) -> str:
    """Give a node another address while it runs; its connections say nothing any more."""
    await world.move(node)
    return f"to {node.host.address}"


async def return_elsewhere(world: HostWorld, rng: Random, node: Node) -> str:
    """Kill a node, and let it come back at another address."""
    await kill(world, rng, node)
    said = await move(world, rng, node)
    await node.start()
    return said


async def move_nats(world: HostWorld, rng: Random) -> str:
    """Let NATS's machine go away; another one gets its address."""
    await world.move_nats()
    return ""


OF_HOSTS: Final[Mapping[str, Fault]] = {
    "cut-node": nodes(some(1), lose, "", [BOTH]),
    "cut-to-node": nodes(some(1), lose, "", [TO]),
    "cut-from-node": nodes(some(1), lose, "", [FROM]),
    "cut-leader": nodes(leader, lose),
    "cut-proxy": nodes(some(1), lose, "proxy"),
    "cut-players": nodes(some(1), lose, "players"),
    "cut-crosswise": nodes(some(2), cut_crosswise),
    "cut-postgresql-off": cut_off("postgresql"),
    "cut-nats-off": cut_off("nats"),
    "unplug-node": nodes(some(1), unplug),
    "move-node": nodes(some(1), move),
    "return-elsewhere": nodes(some(1), return_elsewhere),
    "move-nats": move_nats,
}


def faults(*, hosts: bool) -> Mapping[str, Fault]:
    """Return all faults, those of a cluster on hosts of their own or those of one machine."""
    return {**FAULTS, **(OF_HOSTS if hosts else OF_MACHINE)}
