"""Scenes of trouble: lost connections, restarts, lost and changed messages, refusals; the lobby."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import Any, Final

from doublecross.protocol.client_messages import (
    AcceptSeek,
    CancelChallenge,
    Challenge,
    CreateRoom,
    CreateTournament,
    GetReview,
    JoinRoom,
    JoinTournament,
    QuickMatch,
    Rematch,
    Resign,
    Seek,
    StartTournament,
)
from doublecross.protocol.common import TournamentTerms
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import StoreError
from tests.client.web.sessions.dump import Flat
from tests.client.web.sessions.matches import given, meet, move, play_on
from tests.client.web.sessions.recorder import Other, Recorder
from tests.fakes.reviewers import FakeReviewer
from tests.server.playing import dots
from tests.server.tournaments.world import TournamentWorld
from tests.server.world import World

SETTINGS: Final = given(dots())


def change(when: Callable[[Flat], bool], change: Callable[[Flat], Any]) -> Callable[[Flat], Any]:
    """Return what arrives: `change` of each frame for which `when` holds, and all others as is."""
    return lambda frame: change(frame) if when(frame) else (frame,)


def is_move(ply: int) -> Callable[[Flat], bool]:
    """Return whether a frame is the move at `ply`."""
    return lambda frame: frame["type"] == "move" and frame["ply"] == ply


async def review() -> Recorder:
    """A review waits and is asked for again after a lost connection; others fail."""
    reviewer = FakeReviewer()
    world = await World(reviewer=reviewer).start()
    bob, ann = Other(world, "Bob"), Recorder(world, "Ann")
    games = []
    for number in range(3):
        made = await bob.ask(CreateRoom, key=f"k{number}", settings=dots(), seat=0)
        cat = Other(world, f"Cat{number}")
        await cat.ask(JoinRoom, room=made["room"])
        await bob.move(world.room(made["room"]), 0)
        await bob.ask(Resign, room=made["room"])
        games.append(f"{made['room']}-1")
    await bob.ask(GetReview, game_id=games[0])
    await ann.connect()
    await ann.ask("get_review", game_id=games[1])
    reviewer.finish(games[0])
    await ann.sync()
    reviewer.judged(games[1], 1)
    await ann.sync()
    ann.lose()
    await ann.connect()
    reviewer.finish(games[1])
    async with asyncio.timeout(10):
        while not ann.peer.frames:  # noqa: ASYNC110 - a thread unpacks the report
            await asyncio.sleep(0)
    await ann.sync()
    await ann.ask("get_review", game_id=games[2])
    reviewer.fail(games[2], "This game is odd.")
    await ann.sync()
    await ann.ask("get_review", game_id="none")
    await world.authority.reviews.close()
    return ann


async def lost_connection() -> Recorder:
    """The opponent plays while the connection is lost; the missed events come in a list."""
    ann, bob, room = await meet(dots(2, 2), seat=1)
    await play_on(ann, bob, room, Random(1), plies=3)
    ann.step("ping")
    await ann.sync()
    ann.lose()
    while room.match is not None and room.match.state.current_player() == 0:
        await bob.move(room, room.match.state.legal_actions()[-1])
        ann.world.time += 250
    await ann.connect()
    await play_on(ann, bob, room, Random(2), plies=3)
    ann.lose()
    await bob.ask(Resign, room=room.id)
    await bob.ask(Rematch, room=room.id)
    await ann.connect()
    await ann.ask("rematch", room=room.id)
    return ann


async def move_on_the_way() -> Recorder:
    """A move is lost with the connection, and another one's answer is: each is played once."""
    ann, _, room = await meet(dots(2, 2))
    ann.mute = True
    await move(ann, room, 0)
    ann.lose()
    ann.mute = False
    await ann.connect()
    assert room.match is not None
    assert room.match.state.ply == 1
    ann.lose()
    ann.step("request", request={"type": "get_record", "game_id": "none"})
    await ann.connect()
    return ann


async def answer_on_the_way(request: str) -> Recorder:
    """The server carries out a request, but its answer is lost with the connection."""
    ann, bob, room = await meet(dots(1, 1))
    if request == "rematch":
        await bob.ask(Resign, room=room.id)
        await ann.sync()
    ann.arriving = lambda frame: ()
    await ann.ask(request, room=room.id)
    ann.lose()
    ann.arriving = lambda frame: (frame,)
    await ann.connect()
    if request == "resign":
        ann.arriving = lambda frame: ()
        await ann.ask("leave", room=room.id)
        ann.lose()
        ann.arriving = lambda frame: (frame,)
        await ann.connect()
    return ann


async def gap() -> Recorder:
    """An event is lost; the client asks for all that came after the last one."""
    ann, bob, room = await meet(dots(2, 2), seat=1)
    ann.arriving = change(is_move(0), lambda frame: ())
    await play_on(ann, bob, room, Random(3), plies=1)
    await bob.ask(Resign, room=room.id)
    await ann.sync()
    return ann


async def impossible_move(**fields: Any) -> Recorder:
    """A move contradicts the client's mirror; the client asks for everything."""
    ann, bob, room = await meet(dots(2, 2), seat=1)
    await play_on(ann, bob, room, Random(1), plies=2)
    ply = len(room.match.state.history()) if room.match else 0
    ann.arriving = change(is_move(ply), lambda frame: ({**frame, **fields},))
    await play_on(ann, bob, room, Random(2), plies=3)
    return ann


async def unreadable() -> Recorder:
    """Messages without a field, of a wrong type, no messages at all; the next event repairs it."""
    ann, bob, room = await meet(dots(2, 2), seat=1)
    for frame in ("{", "[]", "5", '{"type":7}', '{"id":3}', '{"type":"pong","id":-1}'):
        ann.step("receive", frame=frame)
    ann.arriving = change(
        is_move(0), lambda frame: ({n: v for n, v in frame.items() if n != "scores"},)
    )
    await play_on(ann, bob, room, Random(1), plies=1)
    ann.arriving = change(is_move(2), lambda frame: ({**frame, "clock_ms": "soon"},))
    await play_on(ann, bob, room, Random(1), plies=4)
    ann.arriving = change(lambda frame: frame["type"] == "error", lambda f: ({**f, "message": 5},))
    await ann.ask("get_record", game_id="none")
    return ann


async def newer_server() -> Recorder:
    """A newer server sends fields, messages and events that nobody knows here."""
    ann, bob, room = await meet(dots(2, 2), seat=1)

    def newer(frame: Flat) -> Any:
        events = frame.get("events")
        if events is not None:
            # The unknown event takes a number; those of the others grow by one.
            applause = {"type": "applause", "room": room.id, "seq": events[0]["seq"], "by": "Zoe"}
            events = [applause, *({**event, "seq": event["seq"] + 1} for event in events)]
            frame = {**frame, "events": events}
        return ({"type": "weather", "sun": True}, {**frame, "more": {"a": [1]}})

    ann.arriving = newer
    await play_on(ann, bob, room, Random(1), plies=4)
    ann.lose()
    await bob.ask(Resign, room=room.id)
    await ann.connect()
    return ann


async def restart() -> Recorder:
    """The server is killed in the middle of a game and started again, with a new epoch."""
    ann, bob, room = await meet(dots(2, 2))
    await play_on(ann, bob, room, Random(1), plies=4)
    await ann.ask("follow_lobby")
    old = ann.world
    old.crash()
    ann.lose()
    ann.world = again = World(old.store, 1)
    again.time = old.time + 2000
    again.ids, again.keys = old.ids, old.keys
    again.authority.config = dataclasses.replace(again.authority.config, epoch="epoch2")
    await again.start()
    bob = Other(again, "Bob")
    await bob.ask(JoinRoom, room=room.id)
    await ann.connect()
    again.time += 4000
    again.authority.tick()
    await ann.sync()
    await play_on(ann, bob, again.room(room.id), Random(2), plies=3)
    return ann


async def storage_fails() -> Recorder:
    """The storage fails for a while, and refuses a move again and again."""
    ann, _, room = await meet(dots(2, 2))
    store = ann.world.store
    store.troubles = [(StoreError("disk full"), False)] * 4
    await move(ann, room, 0)
    for _ in range(8):
        ann.world.time += 1000
        await ann.sync()
    return ann


async def too_fast() -> Recorder:
    """The server refuses messages for now, with and without an id."""
    ann, _, room = await meet(dots(2, 2))
    ann.mute = True
    await move(ann, room, 0)
    await ann.ask("get_record", game_id="none")
    code, message = "rate_limited", "Too many messages."
    for request_id in (2, None, 99):
        error = {"type": "error", "id": request_id, "code": code, "message": message}
        ann.step("receive", frame=error)
    ann.mute = False
    for _ in range(3):
        ann.world.time += 500
        await ann.sync()
    ann.step("receive", frame={"type": "announcement", "text": "Back soon.", "until_ms": 5})
    ann.step("receive", frame={"type": "closing", "grace_ms": 500})
    return ann


async def gone_while_away() -> Recorder:
    """A room is closed while the connection is lost; a request about it is answered by that."""
    world = await World().start()
    ann = Recorder(world, "Ann")
    await ann.connect()
    await ann.ask("create_room", key="k1", settings=SETTINGS, seat=0)
    (room,) = world.authority.lobby.rooms.values()
    ann.mute = True
    await ann.ask("resign", room=room.id)
    ann.lose()
    ann.mute = False
    ann.later(120_000)
    await world.settle()
    ann.later(1)
    await ann.connect()
    return ann


async def offers() -> Recorder:
    """Seeks and challenges: posted, accepted, cancelled, expired, and renewed after a reconnect."""
    world = await World().start()
    ann, bob = Recorder(world, "Ann"), Other(world, "Bob")
    await ann.connect()
    await ann.ask("seek", key="k1", settings=SETTINGS, seat=1)
    await ann.ask("quick_match", key="k2", settings=given(dots(1, 1)))
    await ann.ask("challenge", key="k3", player="Bob", settings=SETTINGS)
    await ann.ask("challenge", key="k4", player="Nobody", settings=SETTINGS)
    await bob.ask(Challenge, key="b1", player="Ann", settings=dots())
    kept = await bob.ask(Challenge, key="b2", player="Ann", settings=dots(3, 3), seat=1)
    third = await bob.ask(Challenge, key="b3", player="Ann", settings=dots(2, 3))
    await ann.sync()
    await ann.ask("decline_challenge", challenge=third["challenge"], reason="Not now.")
    ann.lose()
    gone = next(iter(o for o in world.authority.lobby.offers.challenges_to("Ann")))
    await bob.ask(CancelChallenge, challenge=gone.offer_id)
    await ann.connect()
    seek, quick, sent = (line[0] for line in ann.dumped("offers"))
    await ann.ask("cancel_seek", seek=seek)
    await ann.ask("cancel_seek", seek=seek)
    await ann.ask("cancel_challenge", challenge=sent)
    await bob.ask(AcceptSeek, key="b4", seek=quick)
    await ann.sync()
    await ann.ask("accept_challenge", key="k5", challenge=kept["challenge"])
    await ann.ask("accept_challenge", key="k6", challenge="nothing")
    return ann


async def lobby() -> Recorder:
    """The lobby: players, seeks and rooms that come and go; it is asked for again."""
    world = await World().start()
    ann, bob = Recorder(world, "Ann"), Other(world, "Bob")
    await ann.connect()
    await ann.ask("follow_lobby")
    await bob.ask(Seek, key="b1", settings=dots())
    ann.later(1000)
    await ann.sync()
    cat = Other(world, "Cat")
    await cat.ask(QuickMatch, key="c1", settings=dots())
    await cat.ask(CreateRoom, key="c2", settings=dots(3, 3), seat=1)
    ann.later(1000)
    await ann.sync()
    ann.lose()
    bob.leave()
    ann.later(60_000)
    await ann.connect()
    ann.later(1000)
    await ann.sync()
    await ann.ask("follow_lobby", on=False)
    return ann


async def tournament() -> Recorder:
    """A tournament that the client joins: its start, a game of it, and its end."""
    world = await TournamentWorld().start()
    ann, bob = Recorder(world, "Ann"), Other(world, "Bob")
    await ann.connect()
    await ann.ask("follow_lobby")
    terms = TournamentTerms(
        name="Spring", format="round-robin", settings=dots(1, 1), seed=5, people=True
    )
    made = await bob.ask(CreateTournament, key="b1", terms=terms)
    await bob.ask(JoinTournament, tournament=made["tournament"])
    await ann.ask("join_tournament", tournament=made["tournament"])
    await bob.ask(StartTournament, tournament=made["tournament"])
    for _ in range(12):
        await world.until()
        ann.later(1000)
        await ann.sync()
        for room in list(world.authority.lobby.rooms.values()):
            if room.match is not None and room.status == "playing":
                await one_ply(ann, bob, room)
    await ann.ask("get_tournament", tournament=made["tournament"])
    return ann


async def one_ply(ann: Recorder, bob: Other, room: Room) -> None:
    """Play the first legal action of whoever is to move."""
    await play_on(ann, bob, room, Random(1), plies=1)


Scene = Callable[[], Awaitable[Recorder]]

SCENES: Final[dict[str, Scene]] = {
    "review": review,
    "lost-connection": lost_connection,
    "move-on-the-way": move_on_the_way,
    "resignation-on-the-way": partial(answer_on_the_way, "resign"),
    "rematch-on-the-way": partial(answer_on_the_way, "rematch"),
    "gap": gap,
    "illegal-move": partial(impossible_move, action=99),
    "move-out-of-turn": partial(impossible_move, ply=9),
    "unreadable": unreadable,
    "newer-server": newer_server,
    "restart": restart,
    "storage-fails": storage_fails,
    "too-fast": too_fast,
    "gone-while-away": gone_while_away,
    "offers": offers,
    "lobby": lobby,
    "tournament": tournament,
}
