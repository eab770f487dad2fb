"""Run the demo of a cluster: bots play on all nodes, one node is lost, and the games go on."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from doublecross.cli.cluster.checking import Findings, check
from doublecross.cli.cluster.journal import Journal, Played, longest_pause
from doublecross.cli.cluster.nodes import DemoNode, owners
from doublecross.cli.cluster.players import PATIENCE_S, Pace, Pair, demo_client
from doublecross.cli.cluster.screen import RATE_S, ClusterStatus, NodeStatus, Screen
from doublecross.cli.shared.console import FAILED, Problem
from doublecross.client.core.errors import ClientError, RequestRefused
from doublecross.processes.network import Network
from doublecross.protocol.common import MatchSettings
from doublecross.server.cluster.core.lease import PERIOD_S
from doublecross.server.core.cluster_storage import LEADER

MEET_S: Final = 4 * PERIOD_S
"""Seconds until all nodes know that a node has started: each renewal of a lease tells them."""
LOOK_S: Final = 0.5
"""Seconds between two readings of the nodes."""
CHECK_S: Final = 0.05
"""Seconds between two checks whether something has happened."""
GO_ON_S: Final = 60.0
"""Seconds within which all games must go on after a node has died."""
END_S: Final = 60.0
"""Seconds within which all games must end once nobody thinks any more."""
RECORD_S: Final = 15.0
"""Seconds within which the record of a game must be stored after its end."""
AWAY_S: Final = 5.0
"""Seconds until a node starts again that the host has killed."""
UNCHECKED: Final = 500
"""The most games that may wait for the check of their records."""


@dataclass(frozen=True, slots=True)
class Hosts:
    """Nodes that have hosts of their own in a network; `proxy` is the address in front of them."""

    network: Network
    proxy: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a demo. `seconds` is how long each of its parts lasts.

    With `keep` it goes on until Ctrl-C. `pause_s` is how long the bots think about a move.
    """

    games: int
    seconds: float
    keep: bool
    settings: MatchSettings
    pause_s: float = 0.3


class ClusterDemo:
    """Plays a demo on nodes that run. Use it as a context, which ends the players."""

    def __init__(
        self, plan: Plan, nodes: Sequence[DemoNode], screen: Screen, hosts: Hosts | None = None
    ) -> None:
        self._plan = plan
        self._nodes = nodes
        self._hosts = hosts
        self._screen = screen
        self._journal = Journal()
        self._pace = Pace(plan.pause_s)
        self._pairs: list[asyncio.Task[None]] = []
        self._background: list[asyncio.Task[None]] = []
        self._states: dict[str, str] = {}
        self._findings = Findings()
        self._archivist = demo_client("archivist", None, self._addresses(nodes, 0))

    async def __aenter__(self) -> ClusterDemo:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        tasks = [*self._pairs, *self._background]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._archivist.close()

    async def play(self) -> Findings:
        """Play the whole demo, and return what the check of all records has found.

        Raises:
            Problem: the cluster does not do what it should.
        """
        try:
            await self._archivist.start(patience_s=PATIENCE_S)
        except ClientError as error:
            raise Problem(f"The nodes let nobody in: {error}", FAILED) from None
        self._background.append(asyncio.create_task(self._keep_drawing()))
        await self._pass(MEET_S)
        await self._open(self._plan.games, self._nodes)
        await self._pass(self._plan.seconds)
        await self._crash(await self._find_victim())
        await self._pass(self._plan.seconds)
        if self._hosts is not None:
            await self._cut_off(await self._find_victim(), self._hosts.network)
            await self._pass(self._plan.seconds)
        if self._plan.keep:
            await self._keep_on()
        return await self._finish()

    # -- the parts of the demo -----------------------------------------------------------------

    async def _open(self, games: int, nodes: Sequence[DemoNode]) -> None:
        """Let pairs of bots begin to play; the two bots of a pair are at different nodes."""
        before = len(self._pairs)
        for number in range(before, before + games):
            pair = Pair(
                number + 1,
                (self._addresses(nodes, number), self._addresses(nodes, number + 1)),
                self._plan.settings,
                self._journal,
                self._pace,
            )
            self._pairs.append(asyncio.create_task(pair.play()))
        await self._until(lambda: len(self._journal.running) >= before + games, GO_ON_S, "begin")
        where = "at all nodes" if len(nodes) > 1 else f"at node {nodes[0].name}"
        if self._hosts is not None:
            where = "through the proxy"
        self._tell(f"{2 * games} bots have joined {where}, two for each game.")
        await self._read()

    def _addresses(self, nodes: Sequence[DemoNode], first: int) -> list[str]:
        """Return that of the proxy, or those of all nodes, beginning with one of `nodes`."""
        if self._hosts is not None:
            return [self._hosts.proxy]
        chosen = nodes[first % len(nodes)]
        return [chosen.ws, *(node.ws for node in self._nodes if node is not chosen)]

    async def _find_victim(self) -> DemoNode:
        """Return the node whose loss is the hardest: the leader."""
        await self._read()
        victim = max(self._nodes, key=lambda node: (LEADER in node.logs, len(self._games_of(node))))
        self._screen.table(self._status())
        return victim

    async def _crash(self, node: DemoNode) -> None:
        """Kill a node, see its games go on, and start it again."""
        what = ", the leader" if LEADER in node.logs else ""
        self._tell(f"kill -9 {node.pid} ends node {node.name}{what}.", "bold red")
        await node.kill()
        await self._take_over(node, "killed")
        self._screen.table(self._status())
        await self._pass(self._plan.seconds)
        await self._start_again(node)
        await self._pass(MEET_S)
        await self._open(max(1, self._plan.games // len(self._nodes)), [node])

    async def _cut_off(self, node: DemoNode, network: Network) -> None:
        """Let nothing reach a node and nothing leave it, see its games go on, and end that."""
        what = ", the leader," if LEADER in node.logs else ""
        self._tell(f"Node {node.name}{what} is cut off: it runs, and reaches nobody.", "bold red")
        network.cut_both(node.host, None)
        node.is_cut_off = True
        await self._take_over(node, "cut off")
        self._screen.table(self._status())
        await self._pass(self._plan.seconds)
        network.heal()
        node.is_cut_off = False
        self._tell(f"Node {node.name} can be reached again.", "bold")
        await self._pass(MEET_S)

    async def _take_over(self, node: DemoNode, state: str) -> None:
        """Wait until all games go on without a node that was just lost, and tell how it went."""
        died_at = _now()
        self._states[node.name] = state
        games = list(self._journal.running.values())
        theirs, had_leader = self._games_of(node), LEADER in node.logs
        node.forget()
        await self._until(
            lambda: self._gone() or all(p.last_at > died_at or p.game_id for p in games),
            GO_ON_S,
            "go on",
        )
        await self._until(
            lambda: self._gone() or self._all_owned(had_leader), GO_ON_S, "find a node", read=True
        )
        if self._gone():
            self._tell("No node is left, so the games wait until one starts again.")
            return
        others = [played for played in games if played not in theirs]
        self._tell(self._moved(node, theirs, had_leader), "bold")
        pause = longest_pause(others, died_at)
        if theirs:
            within = _last_of(theirs, died_at)
            self._tell(
                f"Each went on within {within:.1f} s. Other games paused {pause:.1f} s at most."
            )
        else:
            self._tell(f"The longest pause of a game was {pause:.1f} s.")

    def _moved(self, node: DemoNode, games: Sequence[Played], had_leader: bool) -> str:
        """Return where the games of a node are now, and the leader if it was there."""
        now = owners(self._nodes)
        counts = Counter(now[played.log].name for played in games if played.log in now)
        where = " and ".join(f"{count} to {name}" for name, count in sorted(counts.items()))
        text = f"The games of node {node.name} moved: {where}." if where else "It ran no game."
        return f"{text} Node {now[LEADER].name} is the leader now." if had_leader else text

    async def _start_again(self, node: DemoNode) -> None:
        await node.start()
        self._states.pop(node.name, None)
        self._tell(f"Node {node.name} has started again and is part of the cluster.", "bold")

    async def _keep_on(self) -> None:
        """Let the host kill nodes until Ctrl-C; start them again after a while."""
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        usual = signal.getsignal(signal.SIGINT)
        loop.add_signal_handler(signal.SIGINT, stop.set)
        waiting = {node: asyncio.create_task(node.ended()) for node in self._nodes}
        try:
            self._tell(
                "Now kill nodes yourself, in another terminal. Ctrl-C ends the demo.", "bold"
            )
            self._tell_pids()
            while not stop.is_set():
                for node, ending in list(waiting.items()):
                    if ending.done():
                        self._tell(f"Node {node.name} {ending.result()}.", "bold red")
                        await self._survive(node, ending.result())
                        waiting[node] = asyncio.create_task(node.ended())
                        self._tell_pids()
                if len(self._journal.finished) > UNCHECKED:
                    await self._check()
                self._fail_if_broken()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(CHECK_S):
                        await stop.wait()
        finally:
            # A second Ctrl-C ends the demo at once.
            loop.remove_signal_handler(signal.SIGINT)
            signal.signal(signal.SIGINT, usual)
            for ending in waiting.values():
                ending.cancel()
            await asyncio.gather(*waiting.values(), return_exceptions=True)

    async def _survive(self, node: DemoNode, how: str) -> None:
        """Wait until the games go on after the end of a node, and start it again."""
        await self._take_over(node, "killed" if how.endswith("SIGKILL") else "ended")
        if not self._gone():
            await asyncio.sleep(AWAY_S)
        await self._start_again(node)

    def _gone(self) -> bool:
        """Return whether no node can be reached."""
        return not any(node.can_be_reached for node in self._nodes)

    def _tell_pids(self) -> None:
        pids = ", ".join(f"kill -9 {node.pid} ({node.name})" for node in self._nodes if node.runs)
        self._tell(pids)

    async def _finish(self) -> Findings:
        """Let all games end, and check all records."""
        self._tell("The bots finish their games now.")
        self._pace.finish()
        await self._until(lambda: all(task.done() for task in self._pairs), END_S, "end")
        await self._check()
        await self._read()
        self._screen.table(self._status())
        return self._findings

    # -- the check -----------------------------------------------------------------------------

    async def _check(self) -> None:
        """Compare the records of all games that have ended with what their players were told."""
        games = self._journal.take_finished()
        self._findings.add(check([(played, await self._record(played)) for played in games]))
        self._findings.problems += self._journal.given_up
        self._journal.given_up.clear()

    async def _record(self, played: Played) -> str:
        """Return the record of a game, which is stored a moment after the end of the game."""
        until = _now() + RECORD_S
        while True:
            try:
                return (await self._archivist.get_record(played.game_id)).text
            except RequestRefused as refused:
                if _now() > until:
                    self._findings.problems.append(f"Room {played.room}: {refused.sentence}")
                    return ""
                await asyncio.sleep(LOOK_S)

    # -- waiting -------------------------------------------------------------------------------

    async def _pass(self, seconds: float) -> None:
        """Let time pass."""
        until = _now() + seconds
        await self._until(lambda: _now() >= until, seconds + GO_ON_S, "go on")

    async def _until(
        self, reached: Callable[[], bool], seconds: float, what: str, *, read: bool = False
    ) -> None:
        """Wait until something is so; with `read` ask the nodes again and again.

        Raises:
            Problem: it is not so in time, or a player could not go on.
        """
        until = _now() + seconds
        while not reached():
            self._fail_if_broken()
            if _now() > until:
                raise Problem(f"The games did not {what} within {seconds:g} s.", FAILED)
            await asyncio.sleep(CHECK_S)
            if read:
                await self._read()

    def _fail_if_broken(self) -> None:
        """Raise what has ended a player or the drawing."""
        for task in (*self._pairs, *self._background):
            if task.done() and not task.cancelled() and (error := task.exception()) is not None:
                if isinstance(error, ClientError):
                    raise Problem(f"A bot had to leave the cluster: {error}", FAILED) from None
                raise error

    # -- the status ---------------------------------------------------------------------------

    async def _read(self) -> None:
        await asyncio.gather(*(node.read() for node in self._nodes))

    async def _keep_drawing(self) -> None:
        while True:
            await self._read()
            self._screen.draw(self._status())
            await asyncio.sleep(LOOK_S)

    def _games_of(self, node: DemoNode) -> list[Played]:
        return [played for played in self._journal.running.values() if played.log in node.logs]

    def _all_owned(self, need_leader: bool) -> bool:
        """Return whether each game has an owner, and the leader as well."""
        owned = owners(self._nodes)
        games = all(played.log in owned for played in self._journal.running.values())
        return games and (not need_leader or LEADER in owned)

    def _status(self) -> ClusterStatus:
        recent = self._journal.moves_since(_now() - RATE_S)
        running = Counter(played.log for played in self._journal.running.values())
        owned = owners(self._nodes)

        def of(node: DemoNode, logs: Counter[str]) -> int:
            return sum(count for log, count in logs.items() if owned.get(log) is node)

        rows = [
            NodeStatus(
                node.name,
                str(node.pid) if node.can_be_reached else self._states.get(node.name, "ended"),
                node.http,
                of(node, running),
                node.connections if node.can_be_reached else 0,
                of(node, recent) / RATE_S,
                owned.get(LEADER) is node,
            )
            for node in self._nodes
        ]
        moving = sum(count for log, count in running.items() if log not in owned)
        return ClusterStatus(
            rows, moving, running.total(), self._journal.ended, self._journal.moves
        )

    def _tell(self, sentence: str, style: str | None = None) -> None:
        self._screen.tell(sentence, style)


def _last_of(games: Iterable[Played], since: float) -> float:
    """Return when the last of some games had its first move after a time, in seconds after it."""
    firsts = [
        min((end for _, end in played.pauses if end > since), default=since) for played in games
    ]
    return max(firsts, default=since) - since


def _now() -> float:
    return asyncio.get_running_loop().time()
