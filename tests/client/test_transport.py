"""The client against a scripted server: hello, requests across cuts, resume, retries, endings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from random import Random
from typing import Any, TypeVar

import pytest

from client.errors import ConnectionEnded, RequestRefused, Unreachable
from client.transport import Client
from client.updates import (
    ConnectionLost,
    Ended,
    LobbyUpdated,
    Missed,
    OfferRenewed,
    Reconnected,
    RoomChanged,
    RoomLost,
    SeatedByOffer,
    Update,
)
from protocol.client_messages import (
    CancelSeek,
    CreateRoom,
    FollowLobby,
    Hello,
    JoinRoom,
    Leave,
    Move,
    Ping,
    Rematch,
    Request,
    Resign,
    Resume,
    Seek,
    Watch,
)
from protocol.common import Engine
from protocol.errors import ErrorCode
from protocol.server_messages import (
    Done,
    Failed,
    Limits,
    MatchFinished,
    MatchStarted,
    MoveMade,
    Pong,
    RematchOffered,
    RoomState,
    SeekPosted,
)
from protocol.version import JSON, MSGPACK, CloseCode
from tests.fakes.clock import FakeTime
from tests.fakes.rooms import ANN, BOB, SMALL, FakeRoom, lobby_of, room_in_play
from tests.fakes.server import LIMITS, TOKEN, FakeServer, Peer

T = TypeVar("T")


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as fake:
        yield fake


@pytest.fixture
def time() -> FakeTime:
    """Delays pass at once, the ten seconds between pings only when told."""
    return FakeTime(instant=6.0)


@pytest.fixture
async def connect(
    server: FakeServer, time: FakeTime
) -> AsyncIterator[Callable[..., Awaitable[tuple[Client, Peer]]]]:
    """Makes a welcomed client and the server's end of its connection."""
    clients = []

    async def make(*rooms: str, limits: Limits = LIMITS, **kw: Any) -> tuple[Client, Peer]:
        kw = {"kind": "human", "name": "Ann", "rng": Random(1)} | kw
        client = Client(server.url, clock=time.clock, sleep=time.sleep, **kw)
        clients.append(client)
        starting = asyncio.create_task(client.start())
        peer = await server.accept()
        await peer.welcome(*rooms, limits=limits)
        await starting
        return client, peer

    yield make
    for client in clients:
        await client.close()


Connect = Callable[..., Awaitable[tuple[Client, Peer]]]


async def returned(server: FakeServer, *rooms: str, epoch: str = "e1") -> Peer:
    """The server's end of the next connection, welcomed."""
    peer = await server.accept()
    hello = await peer.welcome(*rooms, epoch=epoch)
    assert hello.token == TOKEN
    return peer


async def until(ready: Callable[[], object]) -> None:
    async with asyncio.timeout(5):
        while not ready():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.001)


def soon(coroutine: Any) -> asyncio.Task[Any]:
    return asyncio.get_running_loop().create_task(coroutine)


async def follow(client: Client, peer: Peer, room: FakeRoom) -> None:
    """The client watches `room`, or is told of its own seat there."""
    watching = soon(client.watch(room.room))
    request = await peer.next(Watch)
    await peer.say(room.whole(request.id))
    await watching


async def seen(updates: AsyncIterator[Update], kind: type[T]) -> T:
    """The next update of `kind`."""
    async with asyncio.timeout(5):
        async for update in updates:
            if isinstance(update, kind):
                return update
    raise AssertionError("The updates ended.")


# -- hello ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("codec", [MSGPACK, JSON])
async def test_hello_and_a_request(server: FakeServer, codec: str) -> None:
    tokens: list[str] = []
    client = Client(
        server.url,
        kind="bot",
        name="Ann",
        engine=Engine(name="greedy", version="2"),
        client="test",
        codec=codec,
        rng=Random(1),
        on_token=tokens.append,
    )
    starting = soon(client.start())
    peer = await server.accept()
    hello = await peer.welcome()
    await starting
    assert peer.codec.name == codec
    assert (hello.name, hello.kind, hello.client, hello.token) == ("Ann", "bot", "test", None)
    assert hello.engine == Engine(name="greedy", version="2")
    assert tokens == [TOKEN]
    assert client.connected
    assert client.session.player is not None
    assert client.session.player.name == "Ann"
    pinging = soon(client.ping())
    await until(lambda: peer.pings)
    assert isinstance(await pinging, Pong)
    await client.close()
    assert not client.connected
    with pytest.raises(ConnectionEnded, match="closed"):
        await client.ping()


async def test_refused_hello(server: FakeServer) -> None:
    client = Client(server.url, kind="human", name="Ann", rng=Random(1))
    starting = soon(client.start())
    peer = await server.accept()
    await peer.refuse(await peer.next(Hello), "name_taken", "Another player is called Ann.")
    with pytest.raises(RequestRefused, match="Another player") as caught:
        await starting
    assert caught.value.code == "name_taken"


async def test_malformed_name_and_address() -> None:
    with pytest.raises(ValueError, match="name"):
        Client("host", kind="human", name="\n", rng=Random(1))
    with pytest.raises(ValueError, match="web address"):
        Client("http://host", kind="human", name="Ann", rng=Random(1))


async def test_nobody_listens(unused_tcp_port: int) -> None:
    client = Client(f"127.0.0.1:{unused_tcp_port}", kind="human", name="Ann", rng=Random(1))
    with pytest.raises(Unreachable, match="Nothing listens"):
        await client.start()


async def test_start_with_patience(unused_tcp_port: int) -> None:
    time = FakeTime(instant=60)
    client = Client(
        f"127.0.0.1:{unused_tcp_port}",
        kind="human",
        name="Ann",
        rng=Random(1),
        clock=time.clock,
        sleep=time.sleep,
    )
    with pytest.raises(Unreachable):
        await client.start(patience_s=30)
    assert time.now >= 1030
    assert len(time.slept) >= 4


async def test_other_versions() -> None:
    async with FakeServer(subprotocols=None) as plain:
        client = Client(plain.url, kind="human", name="Ann", rng=Random(1))
        with pytest.raises(Unreachable, match="does not speak this version"):
            await client.start()
    async with FakeServer(subprotocols=("doublecross.v9.msgpack",)) as newer:
        client = Client(newer.url, kind="human", name="Ann", rng=Random(1))
        with pytest.raises(Unreachable, match="version"):
            await client.start()


async def test_no_websocket_server() -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"220 mail.example ready\r\n")
        writer.close()

    other = await asyncio.start_server(handle, "127.0.0.1", 0)
    port = other.sockets[0].getsockname()[1]
    client = Client(f"127.0.0.1:{port}", kind="human", name="Ann", rng=Random(1))
    with pytest.raises(Unreachable, match="no websocket server"):
        await client.start()
    other.close()
    await other.wait_closed()


# -- requests across cuts ------------------------------------------------------------------------


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
    with pytest.raises(RequestRefused, match="No match"):
        await client.move("r1", 0)
    assert peer.requests.empty()


async def test_no_answer_in_time(connect: Connect) -> None:
    client, peer = await connect()
    with pytest.raises(TimeoutError, match=r"watch within 0\.01 s"):
        await client.watch("r1", timeout=0.01)
    # The answer comes late and finds nobody waiting, but the room is followed.
    request = await peer.next(Watch)
    await peer.say(room_in_play().whole(request.id))
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
    assert second == first  # id and key included
    room = FakeRoom()
    room.sit(ANN, 0)
    await peer.say(room.whole(second.id), room.whole(second.id))
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
    await asyncio.sleep(0.01)
    assert peer.requests.empty()  # the move waits for the room
    await peer.say(room.since(4, resume.id))
    second = await peer.next(Move)
    assert second == first
    await peer.say(played.model_copy(update={"id": second.id}))
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
        await peer.say(room.whole(resume.id) if resume.room == "r1" else room.since(0, resume.id))
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
    await peer.say(room.since(resume.seq, resume.id))
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
    await peer.say(room.since(resume.seq, resume.id))
    again = await peer.next(Resign)
    await peer.say(room.finish("resigned", 1).model_copy(update={"id": again.id}))
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
    await peer.say(room.whole(resume.id))
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
    await peer.say(room.since(resume.seq, resume.id))
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
    await peer.say(room.whole(resume.id))
    again = await peer.next(Resume)
    assert again.seq == 4
    await peer.say(room.since(4, again.id))
    assert (await joining).seat == 1


async def test_cancelling_twice_is_done(server: FakeServer, connect: Connect) -> None:
    client, peer = await connect()
    seeking = soon(client.seek(SMALL))
    await peer.say(SeekPosted(id=(await peer.next(Seek)).id, seek="s1"))
    await seeking
    cancelling = soon(client.cancel_seek("s1"))
    await peer.next(CancelSeek)
    peer.cut()
    peer = await returned(server)
    await peer.refuse(await peer.next(CancelSeek), "unknown_seek")
    assert isinstance(await cancelling, Done)
    assert client.session.offers == {}


async def test_offers_and_lobby_come_back(server: FakeServer, connect: Connect) -> None:
    client, peer = await connect()
    seeking = soon(client.seek(SMALL, seat=1))
    first = await peer.next(Seek)
    await peer.say(SeekPosted(id=first.id, seek="s1"))
    await seeking
    following = soon(client.follow_lobby())
    lobby = await peer.next(FollowLobby)
    await peer.say(lobby_of(lobby.id, ANN))
    await following
    updates = client.updates()
    peer.cut()
    peer = await returned(server, epoch="e2")
    lobby = await peer.next(FollowLobby)
    assert client.session.lobby is not None
    assert client.session.lobby.stale
    await peer.say(lobby_of(lobby.id, ANN, BOB))
    again = await peer.next(Seek)
    assert again.key == first.key
    await peer.say(SeekPosted(id=again.id, seek="s2"))
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
    await peer.say(room.whole(resume.id, origin="s2"), room.whole(again.id, origin="s2"))
    assert await seen(updates, SeatedByOffer) == SeatedByOffer("r1", "s2")
    assert client.session.offers == {}


# -- retries, pace, keeping alive ----------------------------------------------------------------


@pytest.mark.parametrize("code", ["storage_failed", "rate_limited", "closing"])
@pytest.mark.parametrize("named", [True, False])
async def test_not_now_is_tried_again(
    connect: Connect, time: FakeTime, code: str, named: bool
) -> None:
    client, peer = await connect()
    await follow(client, peer, room := room_in_play())
    time.slept.clear()
    moving = soon(client.move("r1", 0))
    for _ in range(3):
        request = await peer.next(Move)
        await peer.say(Failed(id=request.id if named else None, code=code, message="Later."))
    request = await peer.next(Move)
    await peer.say(room.play(0).model_copy(update={"id": request.id}))
    await moving
    delays = [s for s in time.slept if s < 6]
    assert len(delays) == 3
    assert all(0.05 <= delay < 1 for delay in delays)


async def test_the_servers_rate_is_kept(connect: Connect, time: FakeTime) -> None:
    client, peer = await connect(limits=LIMITS.model_copy(update={"messages_per_s": 10.0}))
    began = time.now
    asking = [soon(client.get_record(f"g{n}")) for n in range(30)]
    for _ in asking:
        await peer.refuse(await peer.next(Request), "unknown_record")
    await asyncio.gather(*asking, return_exceptions=True)
    assert time.now - began == pytest.approx((30 - 9) / 9, rel=0.01)


async def test_pings_keep_the_connection(connect: Connect, time: FakeTime) -> None:
    client, peer = await connect(limits=LIMITS.model_copy(update={"silence_ms": 24_000}))
    for count in range(1, 4):
        await until(lambda n=count: time.slept.count(8.0) == n)
        time.advance(8)
        await until(lambda n=count: peer.pings == n)
    assert client.connected


async def test_a_silent_server_is_given_up(
    server: FakeServer, connect: Connect, time: FakeTime
) -> None:
    client, peer = await connect()
    peer.answers_pings = False
    updates = client.updates()
    for count in range(1, 5):
        await until(lambda n=count: time.slept.count(10.0) == n)
        time.advance(10)
    await seen(updates, ConnectionLost)
    assert peer.pings == 1
    await returned(server)
    await seen(updates, Reconnected)


async def test_delays_grow_with_jitter_and_start_again_after_success(
    server: FakeServer, connect: Connect, time: FakeTime
) -> None:
    time.instant = 9.99
    client, peer = await connect()
    time.slept.clear()
    time.advance(5)
    peer.cut()
    for _ in range(9):
        await (await server.accept()).close(1013, "busy")
    peer = await returned(server)
    delays = [s for s in time.slept if s != 10.0]
    bounds = [min(10.0, 0.2 * 2**n) for n in range(10)]
    assert len(delays) == len(set(delays)) == 10
    assert all(0 <= delay <= bound for delay, bound in zip(delays, bounds, strict=True))
    assert max(delays) > 1
    await until(lambda: client.connected)
    time.advance(5)
    time.slept.clear()
    peer.cut()
    await returned(server)
    assert time.slept[0] <= 0.2


async def test_the_next_try_is_announced(
    server: FakeServer, connect: Connect, time: FakeTime
) -> None:
    client, peer = await connect()
    assert client.next_try_in is None
    time.instant = 0
    peer.cut()
    await until(lambda: client.next_try_in is not None)
    assert not client.connected
    assert 0 < client.next_try_in <= 0.2
    time.advance(0.2)
    assert client.next_try_in == 0
    await returned(server)
    await until(lambda: client.connected)
    assert client.next_try_in is None


@pytest.mark.parametrize("code", [CloseCode.REPLACED, CloseCode.REFUSED, CloseCode.ABUSE])
async def test_some_endings_are_for_good(connect: Connect, code: int) -> None:
    client, peer = await connect()
    updates = client.updates()
    joining = soon(client.join("r1"))
    await peer.next(JoinRoom)
    await peer.close(code)
    with pytest.raises(ConnectionEnded, match=r"\.$") as caught:
        await joining
    assert caught.value.close_code == code
    assert isinstance([update async for update in updates][-1], Ended)
    assert client.ended is not None
    with pytest.raises(ConnectionEnded):
        await client.ping()
    assert [type(update) async for update in client.updates()] == [Ended]


async def test_other_endings_are_not(server: FakeServer, connect: Connect) -> None:
    client, peer = await connect()
    for code in (CloseCode.RESTART, CloseCode.SILENT, 1000, 1001, 1011):
        await peer.close(code)
        peer = await returned(server)
    assert client.ended is None


async def test_a_token_refused_on_return_ends_it(server: FakeServer, connect: Connect) -> None:
    client, peer = await connect()
    updates = client.updates()
    peer.cut()
    peer = await server.accept()
    await peer.refuse(await peer.next(Hello), "bad_token", "Nobody has this token.")
    assert (await seen(updates, Ended)).sentence == "Nobody has this token."


async def test_without_reconnect(connect: Connect) -> None:
    client, peer = await connect(reconnect=False)
    asking = soon(client.get_record("g"))
    await peer.next(Request)
    peer.cut()
    with pytest.raises(ConnectionEnded, match="lost"):
        await asking


# -- gaps, nonsense, slow consumers --------------------------------------------------------------


async def test_a_gap_is_filled(connect: Connect) -> None:
    client, peer = await connect()
    room = room_in_play()
    await follow(client, peer, room)
    updates = client.updates()
    room.play(0)
    await peer.say(room.play(1), room.play(2))  # the first one is missing
    resume = await peer.next(Resume)
    assert resume.seq == 4
    await peer.say(room.since(4, resume.id))
    events = [await seen(updates, RoomChanged) for _ in range(3)]
    assert [update.event for update in events] == room.events[4:]
    assert peer.requests.empty()


async def test_unknown_types_do_no_harm(connect: Connect) -> None:
    client, peer = await connect()
    room = room_in_play()
    await follow(client, peer, room)
    later = {**room.play(0).model_dump(), "seq": 6, "mood": "bright"}
    new = {"type": "applause", "room": "r1", "seq": 5, "volume": 11}
    await peer.say({"type": "weather", "rain": True}, new, later)
    resume = await peer.next(Resume)
    assert resume.seq == 4
    answer = room.since(5, resume.id).model_dump()
    await peer.say({**answer, "events": (new, later)})
    await until(lambda: client.session.rooms["r1"].seq == 6)
    assert client.session.rooms["r1"].state.history() == (0,)


async def test_what_contradicts_itself_is_asked_for_as_a_whole_and_then_lost(
    connect: Connect,
) -> None:
    client, peer = await connect()
    room = room_in_play()
    await follow(client, peer, room)
    updates = client.updates()
    nonsense = room.play(0).model_copy(update={"action": 77})
    await peer.say(nonsense)
    resume = await peer.next(Resume)
    assert resume.seq == 0
    await peer.say(room.whole(resume.id))
    await seen(updates, RoomChanged)
    assert client.session.rooms["r1"].state.history() == (0,)
    await peer.say(room.play(1).model_copy(update={"scores": (9, 9)}))
    resume = await peer.next(Resume)
    whole = room.whole(resume.id)
    assert whole.snapshot is not None
    bad = whole.snapshot.model_copy(update={"scores": (9, 9)})
    await peer.say(whole.model_copy(update={"snapshot": bad}))
    assert "scores" in (await seen(updates, RoomLost)).sentence


async def test_unreadable_messages(connect: Connect) -> None:
    client, peer = await connect()
    asking = soon(client.get_record("g"))
    request = await peer.next(Request)
    await peer.say_bytes(b"\xc1")
    await peer.say({"type": "pong"})
    await peer.say({"type": "record", "id": request.id, "game_id": 5, "text": "x"})
    with pytest.raises(RequestRefused, match="game_id") as caught:
        await asking
    assert caught.value.code == "unreadable_answer"
    assert client.connected
    asking = soon(client.get_record("g"))
    request = await peer.next(Request)
    await peer.say(Pong(id=request.id))
    with pytest.raises(RequestRefused, match="does not fit"):
        await asking


async def test_a_private_room_is_watched_again_by_its_code(
    server: FakeServer, connect: Connect
) -> None:
    client, peer = await connect()
    room = room_in_play()
    watching = soon(client.watch("r1", code="sesame"))
    await peer.say(room.whole((await peer.next(Watch)).id, me="Zoe"))
    await watching
    peer.cut()
    peer = await returned(server)
    await peer.refuse(await peer.next(Resume), "wrong_code")
    request = await peer.next(Watch)
    assert request.code == "sesame"
    room.play(4)
    await peer.say(room.whole(request.id, me="Zoe"))
    await until(lambda: client.session.rooms["r1"].seq == 5)


async def test_a_slow_consumer_misses_updates_and_is_told(connect: Connect) -> None:
    client, peer = await connect()
    room = room_in_play()
    await follow(client, peer, room)
    slow, quick = client.updates(bound=3), client.updates()
    for action in range(5):
        await peer.say(room.play(action))
    for _ in range(5):
        await seen(quick, RoomChanged)
    assert isinstance(await anext(aiter(slow)), Missed)
    await client.close()
    assert all(isinstance(update, RoomChanged | Ended) for update in [u async for u in slow])


async def test_closing_while_the_server_is_away(server: FakeServer, connect: Connect) -> None:
    client, peer = await connect()
    peer.cut()
    await until(lambda: not client.connected)
    asking = soon(client.ping())
    await asyncio.sleep(0)
    await client.close()
    with pytest.raises(ConnectionEnded, match="closed"):
        await asking
    await client.close()


async def test_a_ping_is_not_sent_twice(connect: Connect, time: FakeTime) -> None:
    _, peer = await connect()
    peer.answers_pings = False
    await until(lambda: 10.0 in time.slept)
    time.advance(10)
    await peer.next(Ping)
    await until(lambda: time.slept.count(10.0) == 2)
    time.advance(10)
    await until(lambda: time.slept.count(10.0) == 3)
    assert peer.requests.empty()


async def test_closing_at_once(server: FakeServer, connect: Connect) -> None:
    client = Client(server.url, kind="human", name="Ann", rng=Random(1))

    async def come_and_go() -> None:
        async with client:
            pass

    going = soon(come_and_go())
    peer = await server.accept()
    await peer.welcome()
    await going
    assert not client.connected
    async with asyncio.timeout(5):
        await peer.over.wait()
