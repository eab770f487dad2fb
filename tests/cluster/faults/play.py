"""The players of the failure tests: pairs, quick matches and a tournament, all without pause."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Coroutine
from random import Random
from typing import Any, Final

from doublecross.games.registry import make_game
from doublecross.protocol.common import DAY_MS
from tests.cluster.faults.book import Book, Message
from tests.cluster.faults.client import Client, RefusedError, View

PAUSE_S: Final = 0.3
"""The mean time before a move."""
START_S: Final = 120.0
CASUAL: Final[Message] = {"game": "dots-and-boxes", "params": {"rows": 3, "cols": 3}}
RATED: Final[Message] = {**CASUAL, "rated": True}
DAYS: Final[Message] = {**CASUAL, "time": {"move_ms": DAY_MS}}
KINDS: Final = (CASUAL, RATED, DAYS)
SOUGHT: Final[Message] = {**CASUAL, "params": {"rows": 2, "cols": 2}}


class Load:
    """All players, and what they do."""

    def __init__(self, ways: list[list[str]], seed: int, pause_s: float = PAUSE_S) -> None:
        self.book = Book()
        self.clients: list[Client] = []
        self.ending = False
        """Whether no new game begins."""
        self.live: dict[str, float] = {}
        """The rooms in which a match is in play, and when the last answered move was sent."""
        self.sizes: dict[str, tuple[int, int]] = {}
        self.openings: dict[str, list[int]] = {}
        self.finished = 0
        self.tournaments: dict[str, int] = {}
        """How many games each tournament has that has ended."""
        self._since = 0.0
        self._answered: dict[str, float] = {}
        """When the last move of each room was answered, since `begin`."""
        self._waits: dict[str, float] = {}
        self._ways = ways
        self._rng = Random(seed)
        self._pause_s = pause_s
        self._tasks: set[asyncio.Task[None]] = set()
        self._games: set[asyncio.Task[None]] = set()
        self.broken: list[BaseException] = []
        self._keys = 0

    def _begin_task(self, work: Coroutine[Any, Any, None], among: set[asyncio.Task[None]]) -> None:
        task = asyncio.create_task(work)
        among.add(task)

        def ended(done: asyncio.Task[None]) -> None:
            among.discard(done)
            if not done.cancelled() and done.exception() is not None:
                error = done.exception()
                assert error is not None
                self.broken.append(error)
                self.book.blame(f"A player has given up: {error!r}")

        task.add_done_callback(ended)

    def client(self, name: str, *, bot: bool = True) -> Client:
        """Add a player, who has the next list of addresses."""
        urls = self._ways[len(self.clients) % len(self._ways)]
        client = Client(name, urls, self.book, Random(self._rng.random()), self._played, bot=bot)
        self.clients.append(client)
        self._begin_task(client.run(), self._tasks)
        return client

    def key(self) -> str:
        """Return a new idempotency key."""
        self._keys += 1
        return f"key-{self._keys}"

    # -- what they play ------------------------------------------------------------------------

    async def start(self, pairs: int, seekers: int, entrants: int) -> None:
        """Let pairs play, some players seek quick matches, and some play tournaments.

        Return when everybody is connected and plays.
        """
        for index in range(pairs):
            one, other = self.client(f"one{index}"), self.client(f"other{index}")
            self._begin_task(self._pair(one, other, KINDS[index % len(KINDS)]), self._games)
        for index in range(seekers):
            self._begin_task(self._seek(self.client(f"seeker{index}")), self._games)
        if entrants:
            bots = [self.client(f"entrant{index}") for index in range(entrants)]
            organiser = self.client("organiser", bot=False)
            self._begin_task(self._tournaments(organiser, bots), self._games)
        self.watcher = self.client("watcher", bot=False)
        async with asyncio.timeout(START_S):
            for client in self.clients:
                await client.connected.wait()
            while len(self.live) < pairs:  # noqa: ASYNC110 - the games have no common event
                await asyncio.sleep(0.02)

    async def ratings(self) -> list[Message]:
        """Return the ratings of everybody in the lobby."""
        state = await self.watcher.ask({"type": "follow_lobby"})
        ratings: list[Message] = state.get("ratings", [])
        return ratings

    async def _pair(self, one: Client, other: Client, settings: Message) -> None:
        await one.connected.wait()
        await other.connected.wait()
        while not self.ending:
            opened = await one.ask({"type": "create_room", "key": self.key(), "settings": settings})
            room = opened["room"]
            try:
                await other.ask({"type": "join_room", "room": room})
            except RefusedError as refused:
                # The first answer was lost, and this player has the seat.
                if refused.code not in ("wrong_state", "room_full") or room not in other.views:
                    raise
            for client in (one, other):
                await self._until_finished(client, room)
            for client in (one, other):
                with contextlib.suppress(RefusedError):  # the other one has closed the room
                    await client.ask({"type": "leave", "room": room})
                client.views[room].status = "closed"

    async def _seek(self, client: Client) -> None:
        await client.connected.wait()
        while not self.ending:
            before = set(client.views)
            request = {"type": "quick_match", "key": self.key(), "settings": SOUGHT}
            answer = await client.ask(request)
            while answer["type"] == "seek_posted":
                asked = client.connections
                new = None
                while new is None and client.connections == asked:
                    await asyncio.sleep(0.05)
                    new = next(iter(client.views.keys() - before), None)
                    if self.ending:
                        with contextlib.suppress(RefusedError):
                            await client.ask({"type": "cancel_seek", "seek": answer["seek"]})
                            return
                if new is not None:
                    answer = {"type": "room_state", "room": new}
                else:
                    answer = await client.ask(request)
            room = answer["room"]
            new_rooms = client.views.keys() - before
            if len(new_rooms) > 1:
                self.book.blame(f"{client.name} asked for one quick match, and got {new_rooms}.")
            await self._until_finished(client, room)
            with contextlib.suppress(RefusedError):
                await client.ask({"type": "leave", "room": room})
            client.views[room].status = "closed"

    async def _tournaments(self, organiser: Client, bots: list[Client]) -> None:
        """Let some players play one round robin after another."""
        for client in (organiser, *bots):
            await client.connected.wait()
        while not self.ending:
            terms = {
                "name": "Faults",
                "format": "round-robin",
                "settings": {**SOUGHT, "rated": True},
                "seed": 7,
                "patience": 1000,
            }
            create = {"type": "create_tournament", "key": self.key(), "terms": terms}
            tournament = (await organiser.ask(create))["tournament"]
            named = {"tournament": tournament}
            for bot in bots:
                await bot.ask({"type": "join_tournament", **named, "at_once": 2})
            state = await self._begin(organiser, named)
            while state["status"] == "running":
                await asyncio.sleep(0.3)
                state = await organiser.ask({"type": "get_tournament", **named})
            self.tournaments[tournament] = len(bots) * (len(bots) - 1)
            if (
                state["status"] != "finished"
                or state["games_played"] != self.tournaments[tournament]
            ):
                self.book.blame(f"The tournament has ended early: {state}")

    async def _begin(self, organiser: Client, named: Message) -> Message:
        try:
            return await organiser.ask({"type": "start_tournament", **named})
        except RefusedError as refused:
            if refused.code != "wrong_state":
                raise
            # It has begun already, and the answer was lost.
            return await organiser.ask({"type": "get_tournament", **named})

    async def _until_finished(self, client: Client, room: str) -> None:
        while room not in client.views:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        view = client.views[room]
        while view.status not in ("finished", "closed"):
            view.changed.clear()
            await view.changed.wait()

    # -- how they play -------------------------------------------------------------------------

    def _played(self, client: Client, view: View) -> None:
        self.sizes[view.room], self.openings[view.room] = view.size, view.opening
        self._begin_task(self._play(client, view), self._games)

    async def _play(self, client: Client, view: View) -> None:
        """Make this player's moves in a room until its match is over."""
        while view.status in ("waiting", "playing"):
            view.changed.clear()
            if view.status == "playing" and view.room not in self.live:
                self.live[view.room] = 0.0
                self._answered[view.room] = time.monotonic()
            if view.status == "playing" and view.to_move != view.seat and view.by_days:
                await client.look_away(view, self._pause_s * 2 * self._rng.random())
            if view.status != "playing" or view.to_move != view.seat:
                await view.changed.wait()
                continue
            await asyncio.sleep(self._pause_s * 2 * self._rng.random())
            if view.status != "playing" or view.to_move != view.seat:
                continue
            await self._move(client, view)
        self.live.pop(view.room, None)
        self.finished += 1

    async def _move(self, client: Client, view: View) -> None:
        game = make_game("dots-and-boxes", {"rows": view.size[0], "cols": view.size[1]})
        state = game.replay(view.opening, view.moves)
        request = {
            "type": "move",
            "room": view.room,
            "match": view.match,
            "ply": len(view.moves),
            "action": self._rng.choice(state.legal_actions()),
        }
        sent = time.monotonic()
        try:
            answer = await client.ask(request)
        except RefusedError as refused:
            self.book.blame(f"{client.name} may move, and was refused: {request} {refused}")
            raise
        if answer["type"] != "move":
            self.book.blame(f"{client.name} moved, and was answered {answer}")
            return
        self.book.acknowledged(client.name, request, answer)
        self._note(view.room, sent)

    # -- what a test waits for -----------------------------------------------------------------

    async def spread(self, patience_s: float) -> None:
        """Let the players use all nodes again, for a node that was away has none."""
        for client in self.clients:
            client.come_home()
        await self.all_go_on(patience_s)

    def begin(self) -> None:
        """Measure from now on how long games wait."""
        self._since = time.monotonic()
        self._answered.clear()
        self._waits = dict.fromkeys(self.live, 0.0)

    async def all_go_on(self, patience_s: float = 60.0) -> list[float]:
        """Wait until each match in play has an answered move that is sent from now on.

        Return for each the longest time without an answer since `begin`, in seconds. That contains
        the time that a player thinks.
        """
        since = time.monotonic()
        deadline = since + patience_s
        missing = set(self.live)
        while missing:
            missing = {room for room in missing if self.live.get(room, since) < since}
            if time.monotonic() > deadline:
                for room in sorted(missing):
                    self.book.blame(f"No move was answered in {room}: {self._describe(room)}")
                break
            await asyncio.sleep(0.02)
        return list(self._waits.values())

    def _note(self, room: str, sent: float) -> None:
        """Note that a move was answered."""
        now = time.monotonic()
        self._waits[room] = max(
            self._waits.get(room, 0.0), now - self._answered.get(room, self._since)
        )
        self._answered[room] = now
        if room in self.live:
            self.live[room] = sent

    def _describe(self, room: str) -> str:
        views = [(c, c.views[room]) for c in self.clients if room in c.views]
        return "; ".join(
            f"{client.name} at {client.url} knows event {view.seq}, seat {view.seat}, to move"
            f" {view.to_move}, {view.status}, {'resumes, ' if view.resumes else ''}{client.asked}"
            for client, view in views
        )

    async def finish(self, patience_s: float = 90.0) -> None:
        """Let all games in play end, and begin no new ones."""
        self.ending = True
        deadline = time.monotonic() + patience_s
        while self._games:
            await asyncio.sleep(0.05)
            if time.monotonic() > deadline:
                waiting = [str(task.get_coro()) for task in self._games]
                self.book.blame(f"Games do not end: {sorted(self.live)}, {waiting}")
                return

    async def close(self) -> None:
        """Let all players go."""
        for task in [*self._games, *self._tasks]:
            task.cancel()
        await asyncio.gather(*self._games, *self._tasks, return_exceptions=True)
