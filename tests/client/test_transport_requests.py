"""Check the client's requests: answered, refused, and done once across lost connections."""

from __future__ import annotations

import pytest

from doublecross.client.core.errors import RequestRefused
from doublecross.client.core.updates import (
    ConnectionLost,
    Reconnected,
)
from doublecross.protocol.client_messages import (
    CreateRoom,
    FollowLobby,
    JoinRoom,
    Move,
    Rematch,
    Resume,
    Watch,
)
from doublecross.protocol.common import TournamentTerms
from doublecross.protocol.server_messages import (
    MatchStarted,
    MoveMade,
    RematchOffered,
    RoomState,
)
from tests.client.talking import Connect, follow, returned, seen, soon, until
from tests.fakes.rooms import ANN, SMALL, FakeRoom, lobby_of, room_in_play
from tests.fakes.server import FakeServer


async def test_a_refusal_is_raised(connect: Connect) -> None:
    client, peer = await connect()
    joining = soon(client.join("r9"))
    await peer.refuse(await peer.next(JoinRoom), "unknown_room", "There is no room r9.")
    with pytest.raises(RequestRefused, match="no room r9"):
        await joining


async def test_malformed_requests_never_leave(connect: Connect) -> None:
    client, peer = await connect()
    with pytest.raises(RequestRefused, match="room") as caught:
        await client.join("not a room id")
    assert caught.value.code == "bad_message"
    with pytest.raises(RequestRefused, match="follows no match"):
        await client.move("r1", 0)
    # The server would end the connection over a longer frame, again and again.
    terms = TournamentTerms(name="cup", format="round-robin", settings=SMALL)
    with pytest.raises(RequestRefused, match=r"has 10.* bytes, but the server takes up to 8192"):
        await client.tournaments.create(terms, openings=[[1] * 100] * 100)
    assert peer.requests.empty()


async def test_no_answer_in_time(connect: Connect) -> None:
    client, peer = await connect()
    with pytest.raises(TimeoutError, match=r"watch within 0\.01 s"):
        await client.watch("r1", timeout=0.01)
    # The answer comes late and finds nobody waiting, but the room is followed.
    request = await peer.next(Watch)
    await peer.send(room_in_play().room_state(request.id))
    await until(lambda: "r1" in client.session.rooms)


async def test_a_request_survives_a_cut(server: FakeServer, connect: Connect) -> None:
    client, peer = await connect()
    updates = client.updates()
    creating = soon(client.create_room(SMALL))
    first = await peer.next(CreateRoom)
    peer.cut()
    assert "lost" in (await seen(updates, ConnectionLost)).sentence
    peer = await returned(server)
    assert await seen(updates, Reconnected) == Reconnected(epoch_changed=False)
    second = await peer.next(CreateRoom)
    assert second == first  # The repeated request is identical, with the same id and key.
    room = FakeRoom()
    room.sit(ANN, 0)
    await peer.send(room.room_state(second.id), room.room_state(second.id))
    state = await creating
    assert isinstance(state, RoomState)
    assert client.session.rooms["r1"].seat == 0


async def test_a_move_in_flight_is_sent_again_after_an_exact_resume(
    server: FakeServer, connect: Connect
) -> None:
    client, peer = await connect()
    room = room_in_play()
    await follow(client, peer, room)
    moving = soon(client.move("r1", 3))
    first = await peer.next(Move)
    assert (first.match, first.ply, first.action) == (1, 0, 3)
    played = room.play(3)  # it was done, the answer is lost
    peer.cut()
    peer = await returned(server, "r1")
    resume = await peer.next(Resume)
    assert (resume.room, resume.seq) == ("r1", 4)
    # The move waits for the room, so a later request overtakes it.
    following = soon(client.follow_lobby())
    lobby = await peer.next(FollowLobby)
    await peer.send(lobby_of(lobby.id))
    await following
    await peer.send(room.room_state_after(4, resume.id))
    second = await peer.next(Move)
    assert second == first
    await peer.send(played.model_copy(update={"id": second.id}))
    answer = await moving
    assert isinstance(answer, MoveMade)
    assert answer.seq == 5
    assert client.session.rooms["r1"].state.history() == (3,)


@pytest.mark.parametrize("started", [False, True])
async def test_a_rematch_that_was_offered_is_not_offered_twice(
    server: FakeServer, connect: Connect, started: bool
) -> None:
    client, peer = await connect()
    room = room_in_play()
    room.finish("resigned", 0)
    await follow(client, peer, room)
    offering = soon(client.rematch("r1"))
    await peer.next(Rematch)
    room.offer(0)
    if started:
        room.start()
    peer.cut()
    peer = await returned(server)
    resume = await peer.next(Resume)
    await peer.send(room.room_state_after(resume.seq, resume.id))
    answer = await offering
    assert isinstance(answer, MatchStarted if started else RematchOffered)
    assert client.session.rooms["r1"].seat == (1 if started else 0)
    assert peer.requests.empty()
