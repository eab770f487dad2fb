"""Check the client's requests: answered, refused, and done once across lost connections."""

from __future__ import annotations

import asyncio

import pytest

from doublecross.client.core.errors import RequestRefused
from doublecross.client.core.updates import (
    ConnectionLost,
    LobbyUpdated,
    OfferRenewed,
    Reconnected,
    RoomLost,
    SeatedByOffer,
)
from doublecross.protocol.client_messages import (
    CancelSeek,
    CreateRoom,
    FollowLobby,
    JoinRoom,
    Leave,
    Move,
    Rematch,
    Request,
    Resign,
    Resume,
    Seek,
    Watch,
)
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import (
    Done,
    MatchFinished,
    MatchStarted,
    MoveMade,
    RematchOffered,
    RoomState,
    SeekPosted,
)
from tests.client.talking import Connect, follow, returned, seen, soon, until
from tests.fakes.rooms import ANN, BOB, SMALL, FakeRoom, lobby_of, room_in_play
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


async def test_requests_made_while_away_are_sent_in_order(
    server: FakeServer, connect: Connect
) -> None:
    client, peer = await connect()
    peer.cut()
    await until(lambda: not client.connected)
    asking = [soon(client.get_record(f"g{n}")) for n in range(5)]
    peer = await returned(server)
    for n in range(5):
        request = await peer.next(Request)
        assert getattr(request, "game_id", None) == f"g{n}"
        await peer.refuse(request, "unknown_record")
    results = await asyncio.gather(*asking, return_exceptions=True)
    assert all(isinstance(result, RequestRefused) for result in results)


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


async def test_rooms_of_an_earlier_life_are_resumed(server: FakeServer, connect: Connect) -> None:
    client, peer = await connect("r1", "r2")
    rooms = {name: room_in_play(name) for name in ("r1", "r2")}
    for _ in rooms:
        resume = await peer.next(Resume)
        assert resume.seq == 0
        room = rooms[resume.room]
        await peer.send(
            room.room_state(resume.id)
            if resume.room == "r1"
            else room.room_state_after(0, resume.id)
        )
    await until(lambda: len(client.session.rooms) == 2)
    assert all(mirror.my_turn for mirror in client.session.rooms.values())


async def test_a_lost_room_fails_its_requests(server: FakeServer, connect: Connect) -> None:
    client, peer = await connect()
    await follow(client, peer, room_in_play())
    updates = client.updates()
    moving = soon(client.move("r1", 3))
    leaving = soon(client.leave("r1"))
    await peer.next(Move)
    await peer.next(Leave)
    peer.cut()
    peer = await returned(server, epoch="e2")
    await peer.refuse(await peer.next(Resume), "unknown_room", "There is no such room.")
    assert (await seen(updates, Reconnected)).epoch_changed
    assert (await seen(updates, RoomLost)) == RoomLost("r1", "There is no such room.")
    with pytest.raises(RequestRefused, match="no such room") as caught:
        await moving
    assert caught.value.code == ErrorCode.UNKNOWN_ROOM
    assert isinstance(await leaving, Done)
    assert client.session.rooms["r1"].status == "closed"


async def test_a_resignation_that_was_done_is_answered_by_the_mirror(
    server: FakeServer, connect: Connect
) -> None:
    client, peer = await connect()
    room = room_in_play()
    await follow(client, peer, room)
    resigning = soon(client.resign("r1"))
    await peer.next(Resign)
    room.finish("resigned", 1)
    peer.cut()
    peer = await returned(server)
    resume = await peer.next(Resume)
    await peer.send(room.room_state_after(resume.seq, resume.id))
    answer = await resigning
    assert isinstance(answer, MatchFinished)
    assert answer.termination == "resigned"
    assert peer.requests.empty()


async def test_a_resignation_that_was_not_done_is_sent_again(
    server: FakeServer, connect: Connect
) -> None:
    client, peer = await connect()
    room = room_in_play()
    await follow(client, peer, room)
    resigning = soon(client.resign("r1"))
    await peer.next(Resign)
    peer.cut()
    peer = await returned(server)
    resume = await peer.next(Resume)
    await peer.send(room.room_state_after(resume.seq, resume.id))
    again = await peer.next(Resign)
    await peer.send(room.finish("resigned", 1).model_copy(update={"id": again.id}))
    assert (await resigning).termination == "resigned"


async def test_a_resignation_never_ends_the_next_match(
    server: FakeServer, connect: Connect
) -> None:
    client, peer = await connect()
    room = room_in_play()
    await follow(client, peer, room)
    resigning = soon(client.resign("r1"))
    await peer.next(Resign)
    room.finish("timeout", 1)
    room.start()
    peer.cut()
    peer = await returned(server)
    resume = await peer.next(Resume)
    await peer.send(room.room_state(resume.id))
    with pytest.raises(RequestRefused, match="Match 1 was over"):
        await resigning
    assert peer.requests.empty()


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


async def test_a_join_that_was_done_becomes_a_resume(server: FakeServer, connect: Connect) -> None:
    client, peer = await connect()
    room = FakeRoom()
    room.sit(BOB, 0)
    joining = soon(client.join("r1"))
    await peer.next(JoinRoom)
    room.sit(ANN, 1)
    room.start()
    peer.cut()
    peer = await returned(server, "r1")
    resume = await peer.next(Resume)
    await peer.send(room.room_state(resume.id))
    again = await peer.next(Resume)
    assert again.seq == 4
    await peer.send(room.room_state_after(4, again.id))
    assert (await joining).seat == 1


async def test_cancelling_twice_is_done(server: FakeServer, connect: Connect) -> None:
    client, peer = await connect()
    seeking = soon(client.offers.seek(SMALL))
    await peer.send(SeekPosted(id=(await peer.next(Seek)).id, seek="s1"))
    await seeking
    cancelling = soon(client.offers.cancel_seek("s1"))
    await peer.next(CancelSeek)
    peer.cut()
    peer = await returned(server)
    await peer.refuse(await peer.next(CancelSeek), "unknown_seek")
    assert isinstance(await cancelling, Done)
    assert client.session.offers == {}


async def test_offers_and_lobby_come_back(server: FakeServer, connect: Connect) -> None:
    client, peer = await connect()
    seeking = soon(client.offers.seek(SMALL, seat=1))
    first = await peer.next(Seek)
    await peer.send(SeekPosted(id=first.id, seek="s1"))
    await seeking
    following = soon(client.follow_lobby())
    lobby = await peer.next(FollowLobby)
    await peer.send(lobby_of(lobby.id, ANN))
    await following
    updates = client.updates()
    peer.cut()
    peer = await returned(server, epoch="e2")
    lobby = await peer.next(FollowLobby)
    assert client.session.lobby is not None
    assert client.session.lobby.stale
    await peer.send(lobby_of(lobby.id, ANN, BOB))
    again = await peer.next(Seek)
    assert again.key == first.key
    await peer.send(SeekPosted(id=again.id, seek="s2"))
    assert await seen(updates, LobbyUpdated) == LobbyUpdated()
    assert set(client.session.lobby.players) == {"Ann", "Bob"}
    assert await seen(updates, OfferRenewed) == OfferRenewed("s1", "s2")
    # This time somebody accepts it while the client is away.
    room = FakeRoom()
    room.sit(BOB, 0)
    room.sit(ANN, 1)
    room.start()
    peer.cut()
    peer = await returned(server, "r1", epoch="e2")
    resume = await peer.next(Resume)
    await peer.next(FollowLobby)
    again = await peer.next(Seek)
    await peer.send(room.room_state(resume.id, origin="s2"), room.room_state(again.id, origin="s2"))
    assert await seen(updates, SeatedByOffer) == SeatedByOffer("r1", "s2")
    assert client.session.offers == {}
