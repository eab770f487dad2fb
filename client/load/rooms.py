"""One room of the load: two players who play scripted games at a steady pace.

Theory of operation
-------------------
Moves are due at fixed moments that do not depend on the server. The time of a move lasts from the
moment when it is due until its answer. So a late answer also counts for the moves that wait behind
it, as it would for people who want to move. A new match begins with the first due moment after it
has started.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from doublecross.client.load.latency import Latencies
from doublecross.client.load.wire import ANSWER_S, LoadFailure, Message, Peer
from doublecross.games.api import Game

Script = Sequence[tuple[int, int]]
"""A game as pairs of seat and action."""

MATCHES: Final = 40
"""The most matches in one room. The server has a limit, too."""
_SCRIPTS: Final = 32


def make_scripts(game: Game, rng: Random) -> list[Script]:
    """Return random games."""
    found: list[Script] = []
    for _ in range(_SCRIPTS):
        state = game.initial_state()
        script = []
        while not state.is_terminal():
            seat, action = state.current_player(), rng.choice(state.legal_actions())
            script.append((seat, action))
            state.apply(action)
        found.append(script)
    return found


class Measure:
    """The times of the moves that are due in one interval, and everything that failed in it."""

    def __init__(self, start: float = math.inf, end: float = math.inf) -> None:
        self.start, self.end = start, end
        self.answers = Latencies()
        """From the moment when a move is due to its answer."""
        self.deliveries = Latencies()
        """From the same moment until the opponent has the move."""
        self.own_delays = Latencies()
        """The delays of the load itself when it sent moves. The other times include these."""
        self.open = 0
        """Moves that have not reached the opponent."""
        self.failures: Counter[str] = Counter()

    def covers(self, due: float) -> bool:
        """Return whether a move that is due at this moment counts."""
        return self.start <= due < self.end


class LoadRoom:
    """Two players in one room, who play until `stop`."""

    def __init__(
        self,
        players: tuple[Peer, Peer],
        settings: Message,
        scripts: list[Script],
        every_s: float,
        rng: Random,
    ) -> None:
        self._players = players
        self._settings = settings
        self._scripts = scripts
        self._every_s = every_s
        self._rng = rng
        self._loop = asyncio.get_running_loop()
        self._script: Script = ()
        self._match = self._ply = 0
        self._started = self._finished = 0
        """The last match that has started, and the last that has finished."""
        self._news = asyncio.Event()
        self._free_at = 0.0
        """When the last answer came; no move can leave before."""
        self._seen: dict[tuple[int, int], tuple[float, Measure]] = {}
        """The moves that have not reached the opponent."""
        self._task: asyncio.Task[None] | None = None
        self._stopping = self._sleeping = False
        self.room = ""
        self.games = 0
        """The games that have ended."""
        self.measure = Measure()

    async def open(self) -> None:
        """Open a room, which starts its first match.

        Raises:
            LoadFailure: the server refused, or did not answer.
        """
        first, second = self._players
        # A private room is in no list, so the load stays out of the sight of visitors.
        create = {"type": "create_room", "settings": self._settings, "private": True}
        key = f"{self._rng.getrandbits(64):x}"
        state = await first.ask({**create, "key": key, "seat": 0})
        self.room = state["room"]
        for player in self._players:
            player.rooms[self.room] = self.handle
        await second.ask({"type": "join_room", "room": self.room, "code": state["code"]})

    def handle(self, message: Message) -> None:
        """Handle an event of this room that answers no request."""
        kind = message["type"]
        if kind == "move":
            sent = self._seen.pop((message["match"], message["ply"]), None)
            if sent is not None:
                due, measure = sent
                measure.deliveries.add(self._loop.time() - due)
                measure.open -= 1
        elif kind == "match_finished":
            self._finish(message)
        elif kind == "match_started":
            self._started = message["match"]
            self._news.set()

    def start(self, at: float) -> None:
        """Play one move every interval, the first one at the moment `at`."""
        self._stopping = False
        self._task = asyncio.create_task(self._play(at))

    async def stop(self) -> None:
        """Stop playing."""
        self._stopping = True
        if self._task is not None:
            # A request that was sent must get its answer: it cannot be sent a second time.
            if self._sleeping:
                self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    def _finish(self, message: Message) -> None:
        if message["match"] == self._finished:
            return  # the other player has received it, too
        self._finished = message["match"]
        self.games += 1
        if message["termination"] != "completed":
            self.measure.failures[f"a game ended by {message['termination']}"] += 1
        self._news.set()

    async def _play(self, due: float) -> None:
        """Play for ever; after a failure, repeat the same move at the next due moment."""
        while not self._stopping:
            self._sleeping = True
            await asyncio.sleep(due - self._loop.time())
            self._sleeping = False
            try:
                if self._ply == len(self._script) or self._finished == self._match:
                    await self._next_match()
                    # Moments without a match to play in are nobody's delay.
                    missed = math.ceil((self._loop.time() - due) / self._every_s)
                    due += max(0, missed) * self._every_s
                    continue
                await self._move(due)
            except LoadFailure as failure:
                self.measure.failures[str(failure)] += 1
                if any(player.lost for player in self._players):
                    return
                due = max(due, self._loop.time())
            due += self._every_s

    async def _move(self, due: float) -> None:
        """Play the next move of the script.

        Raises:
            LoadFailure: the server refused, did not answer, or had ended the game.
        """
        measure = self.measure
        counts = measure.covers(due)
        seat, action = self._script[self._ply]
        place = (self._match, self._ply)
        if counts:
            measure.own_delays.add(max(0.0, self._loop.time() - max(due, self._free_at)))
            if place not in self._seen:
                self._seen[place] = due, measure
                measure.open += 1
        mover = self._players[seat if self._match % 2 else 1 - seat]
        move = {"type": "move", "room": self.room, "match": self._match, "ply": self._ply}
        answer = await mover.ask({**move, "action": action})
        self._free_at = self._loop.time()
        if answer["type"] == "match_finished":
            self._finish(answer)
            return
        if counts:
            measure.answers.add(self._free_at - due)
        self._ply += 1

    async def _next_match(self) -> None:
        """Wait for the end of a match and start the next one.

        Raises:
            LoadFailure: the server refused, or nothing happened.
        """
        if self._match:
            await self._until(lambda: self._finished == self._match)
            if self._match < MATCHES:
                await self._both("rematch")
            else:
                await self._both("leave")
                self._match = self._started = self._finished = 0
                await self.open()
        await self._until(lambda: self._started > self._match)
        self._match += 1
        self._script, self._ply = self._rng.choice(self._scripts), 0
        self._seen.clear()

    async def _both(self, request: str) -> None:
        for player in self._players:
            await player.ask({"type": request, "room": self.room})

    async def _until(self, reached: Callable[[], bool]) -> None:
        try:
            async with asyncio.timeout(ANSWER_S):
                while not reached():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise LoadFailure("a match did not start or end") from None
