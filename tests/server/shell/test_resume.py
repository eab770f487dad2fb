"""Lost connections: a returning client gets exactly the missed events, wherever the cut was."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed

from doublecross.games.registry import make_game
from doublecross.protocol.codec import JsonCodec, MsgpackCodec
from doublecross.protocol.server_messages import Snapshot
from doublecross.server.core.rooms.replay import restore
from doublecross.server.core.rooms.snapshot import snapshot
from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.rooms.channel import read_frame
from tests.protocol.wire import EVENTS, Message, WireClient, serving
from tests.server.playing import TIMES

SETTINGS: Message = {"game": "dots-and-boxes", "params": {"rows": 2, "cols": 2}}


class Player:
    """A client that loses its connection again and again, and resumes with its token."""

    def __init__(self, server: DoublecrossServer, name: str, rng: Random) -> None:
        self.server = server
        self.name = name
        self.rng = rng
        self.token = ""
        self.room = ""
        self.events: list[Message] = []
        """Every event of the room in order; none may be missing or occur twice."""
        self.cuts = 0
        self.client: WireClient

    async def connect(self) -> None:
        codec = self.rng.choice([MsgpackCodec(), JsonCodec()])
        self.client = await WireClient.open(self.server, codec)
        who = {"token": self.token} if self.token else {"name": self.name}
        welcome = await self.client.ask({"type": "hello", "protocol": 2, "kind": "human", **who})
        self.token = welcome["token"]
        if self.room:
            assert welcome["rooms"] == (self.room,)
            seen = len(self.events)
            resume = {"type": "resume", "room": self.room, "seq": seen}
            shown = await self.client.ask(resume)
            if seen:
                assert "snapshot" not in shown
                for event in shown["events"]:
                    self.keep(event)
            else:
                self.fill(shown)

    def fill(self, shown: Message) -> None:
        """Take the events before a snapshot from the server, and check that they fit together."""
        channel = self.server.authority.rooms.registry.channels[self.room]
        self.events = [read_frame(frame) for frame in channel.frames[: shown["snapshot"]["seq"]]]
        then = snapshot(restore(self.events, TIMES, 0), 0)
        assert Snapshot.model_validate(shown["snapshot"]).moves == then["moves"]
        assert shown["snapshot"]["to_move"] == then["to_move"]

    def keep(self, message: Message) -> None:
        event = {k: v for k, v in message.items() if k != "id"}
        if event["seq"] <= len(self.events):
            assert "id" in message  # only as the answer to a move that was sent again
            assert self.events[event["seq"] - 1] == event
            return
        assert event["seq"] == len(self.events) + 1
        self.events.append(event)

    async def receive(self) -> Message:
        message = await self.client.receive()
        if message["type"] in EVENTS:
            self.keep(message)
        return message

    async def until(self, ply: int) -> None:
        """Receive events until the room has that many moves."""
        while sum(e["type"] == "move" for e in self.events) < ply:
            try:
                await self.receive()
            except ConnectionClosed:
                await self.connect()
            self.maybe_cut(0.3)

    def maybe_cut(self, chance: float) -> None:
        if self.rng.random() < chance:
            self.cuts += 1
            self.client.ws.transport.abort()

    async def play(self, ply: int, action: int) -> Message:
        """Play a move; after a cut nobody knows whether it was played, so it is sent again."""
        while True:
            request = self.rng.randrange(10**6)
            try:
                await self.client.send(
                    {
                        "type": "move",
                        "room": self.room,
                        "match": 1,
                        "ply": ply,
                        "action": action,
                        "id": request,
                    }
                )
                self.maybe_cut(0.5)
                while (answer := await self.receive()).get("id") != request:
                    pass
            except ConnectionClosed:
                await self.connect()
                continue
            assert (answer["type"], answer["ply"], answer["action"]) == ("move", ply, action)
            return answer


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_after_a_cut_at_any_point_nothing_is_missed_or_played_twice(
    tmp_path: Path, seed: int
) -> None:
    rng = Random(seed)
    async with serving(tmp_path, messages_per_s=1e6) as server:
        ann, bob, cat = (Player(server, name, rng) for name in ("Ann", "Bob", "Cat"))
        for player in (ann, bob, cat):
            await player.connect()
        create = {"type": "create_room", "key": "k", "settings": SETTINGS, "seat": 0}
        made = await ann.client.ask(create)
        ann.room = bob.room = made["room"]
        ann.fill(made)
        bob.fill(await bob.client.ask({"type": "join_room", "room": bob.room}))
        state = make_game("dots-and-boxes", SETTINGS["params"]).initial_state()
        seats = (ann, bob)
        while not state.is_terminal():
            mover = seats[state.current_player()]
            action, ply = rng.choice(state.legal_actions()), state.ply
            await mover.play(ply, action)
            state.apply(action)
            for player in seats:
                await player.until(ply + 1)
        for player in seats:
            while player.events[-1]["type"] != "match_finished":
                try:
                    await player.receive()
                except ConnectionClosed:
                    await player.connect()
        assert ann.events == bob.events
        actions = tuple(e["action"] for e in ann.events if e["type"] == "move")
        assert actions == state.history()
        assert ann.cuts + bob.cuts >= 5
        for player in (ann, bob, cat):
            await player.client.close()


async def test_events_that_are_no_longer_in_memory_are_replaced_by_a_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.server.shell.rooms.channel.HISTORY", 8)
    async with serving(tmp_path) as server:
        ann = await WireClient.player(server, "Ann")
        bob = await WireClient.player(server, "Bob")
        create = {"type": "create_room", "key": "k", "settings": SETTINGS, "seat": 0}
        room = (await ann.ask(create))["room"]
        await bob.ask({"type": "join_room", "room": room})
        for ply in range(6):
            mover = (ann, bob)[ply % 2]
            await mover.ask({"type": "move", "room": room, "match": 1, "ply": ply, "action": ply})
        first = server.authority.rooms.registry.channels[room].first
        assert first > 1
        cat = await WireClient.player(server, "Cat")
        for seq, has_events in [(first - 2, False), (first - 1, True), (10, True), (11, False)]:
            shown = await cat.ask({"type": "resume", "room": room, "seq": seq})
            assert ("events" in shown) == has_events
            assert ("snapshot" in shown) != has_events
            if has_events:
                assert [e["seq"] for e in shown["events"]] == list(range(seq + 1, 11))
            else:
                assert shown["snapshot"]["moves"] == tuple(range(6))
