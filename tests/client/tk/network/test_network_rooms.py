"""Check the snapshots of rooms, lobby and offers, on real servers that stop and restart."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from doublecross.client.core.address import shown_address
from doublecross.client.core.errors import RequestRefused
from doublecross.client.tk.models.snapshots import (
    LinkSnapshot,
    LobbySnapshot,
    OffersSnapshot,
    Overflow,
    RoomGone,
    RoomSnapshot,
    SaidPhrase,
    TournamentNews,
    offers_snapshot,
    room_snapshot,
)
from doublecross.client.tk.network.inbox import Inbox, Visit
from doublecross.client.tk.network.link import LOBBY_S, Link
from doublecross.client.tk.network.thread import GUEST, ME
from doublecross.protocol.client_messages import FollowLobby, Move, Resume, Watch
from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.server_messages import Challenged, LobbyChanged, MoveMade
from tests.bots.serving import ServerProcess
from tests.client.talking import soon
from tests.client.tk.models.contests import terms
from tests.client.tk.network.networking import (
    PATIENCE_S,
    SMALL,
    Script,
    Window,
    client,
    joining,
)
from tests.fakes.rooms import BOB, FakeRoom, lobby_of, room_in_play
from tests.fakes.server import FakeServer, Peer

pytestmark = pytest.mark.processes


def start(server: ServerProcess) -> None:
    asyncio.run(server.start())


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the URL of a server that several tests share, each with its own player names."""
    server = ServerProcess(tmp_path_factory.mktemp("server"))
    try:
        start(server)
        yield server.url
    finally:
        server.kill()


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path)
    try:
        start(server)
        yield server
    finally:
        server.kill()


def table(window: Window, url: str, me: str, guest: str) -> str:
    """Connect two people in one window and seat them: `ME` in seat 0, `GUEST` in seat 1."""
    window.connected(joining(url, me))
    window.connected(joining(url, guest), GUEST)
    state = window.asked(lambda c: c.create_room(SMALL, seat=0, private=True))
    window.asked(lambda c: c.join(state.room, code=state.code), GUEST)
    window.until(
        lambda: all(
            state.room in window.rooms(who) and window.rooms(who)[state.room].status == "playing"
            for who in (ME, GUEST)
        ),
        "a match",
    )
    return state.room


def both_have(window: Window, room: str, moves: tuple[int, ...]) -> bool:
    return all(window.rooms(who)[room].moves == moves for who in (ME, GUEST))


# -- real servers --------------------------------------------------------------------------------


def test_two_people_at_one_window(opened: Callable[..., Window], url: str) -> None:
    window = opened()
    room = table(window, url, "Two Ann", "Two Bob")
    window.asked(lambda c: c.say(room, 1, "good_luck"), GUEST)
    said = [SaidPhrase(who, room, 1, "good_luck") for who in (ME, GUEST)]
    window.until(lambda: all(snapshot in window.seen for snapshot in said), "the phrase")
    rng, moves = Random(3), ()
    while (now := window.rooms()[room]).status == "playing":
        who = (ME, GUEST)[now.to_move or 0]
        state = now.game.replay(now.opening, now.moves)
        action = rng.choice(state.legal_actions())
        made = window.asked(lambda c, action=action: c.move(room, action), who)  # type: ignore[misc]
        assert isinstance(made, MoveMade)
        moves += (action,)
        window.until(
            lambda moves=moves, state=state: (  # type: ignore[misc]
                both_have(window, room, moves)
                and (len(moves) < 12 or window.rooms()[room].status == "finished")
            ),
            "both snapshots",
        )
        # The snapshot contains the own move before the answer arrives.
    mine, theirs = window.rooms(ME)[room], window.rooms(GUEST)[room]
    assert (mine.seat, theirs.seat) == (0, 1)
    assert [player.name for player in mine.players if player] == ["Two Ann", "Two Bob"]
    assert mine.settings == SMALL
    assert mine.result is not None
    assert mine.result.termination == "completed"
    assert mine.private
    refusal = window.denied(lambda c: c.move(room, 0), GUEST)
    assert refusal.code == "wrong_state"
    window.asked(lambda c: c.leave(room), GUEST)
    window.until(lambda: RoomGone(GUEST, room) in window.seen)
    window.network.disconnect(GUEST)
    window.until(lambda: window.links(GUEST)[-1] == "closed")
    window.until(lambda: not window.rooms()[room].present[1], "an empty seat")


def test_tournament_news_is_shown_and_an_answer_is_not(
    opened: Callable[..., Window], url: str
) -> None:
    window, other = opened(), opened()
    window.connected(joining(url, "Contest Ann"))
    other.connected(joining(url, "Contest Bob"))
    made = window.asked(lambda c: c.tournaments.create(terms()))
    spring = made.tournament
    other.asked(lambda c: c.tournaments.join(spring))
    window.asked(lambda c: c.tournaments.join(spring))
    window.asked(lambda c: c.tournaments.get(spring))
    assert not [snapshot for snapshot in window.seen if isinstance(snapshot, TournamentNews)]
    window.asked(lambda c: c.tournaments.start(spring))

    def told(who: Window) -> TournamentNews | None:
        return next((p for p in who.seen if isinstance(p, TournamentNews)), None)

    for who in (window, other):
        who.until(lambda who=who: told(who), "news")
        news = told(who)
        assert news is not None
        assert (news.who, news.state.tournament, news.state.status) == (ME, spring, "running")
        # The tournament's game arrives too, as a room that names the tournament.
        who.until(lambda who=who: who.last(RoomSnapshot), "the game")
        game = who.last(RoomSnapshot)
        assert game is not None
        assert (game.tournament, game.strict, game.rated) == (spring, True, False)


def test_an_overflow_ends_with_the_final_state(opened: Callable[..., Window], url: str) -> None:
    """While Tk's thread is busy, a whole match is played; later it receives the final state."""
    window = opened()
    room = table(window, url, "Flood Ann", "Flood Bob")
    window.inbox._bound = 3
    answers: list[object] = []
    finished = threading.Event()

    async def play() -> str:
        links = window.network._loop.links
        pair = (links[ME].client, links[GUEST].client)
        rng = Random(5)
        while (mirror := pair[0].session.rooms[room]).status == "playing":
            mover = mirror.to_move
            if mover is None or pair[mover].session.rooms[room].seq < mirror.seq:
                await asyncio.sleep(0.001)
                continue
            # The other connection has received more events.
            with contextlib.suppress(RequestRefused):
                await pair[mover].move(room, rng.choice(mirror.state.legal_actions()))
        finished.set()
        return "played"

    for _ in range(20):
        window.network.run(lambda: asyncio.sleep(0, "asked"), answers.append)
    window.network.run(play, answers.append)
    assert finished.wait(PATIENCE_S)
    window.until(lambda: len(answers) == 21, "all answers")
    assert answers == ["asked"] * 20 + ["played"]
    assert Overflow() in window.seen
    window.seen.clear()

    # After an overflow the program asks for everything; a larger inbox then holds it all.
    window.inbox._bound = 100
    window.network.request_snapshots()
    window.until(
        lambda: (
            {(p.who, p.room) for p in window.seen if isinstance(p, RoomSnapshot)}
            == {(ME, room), (GUEST, room)}
            and len(window.links(GUEST)) == 1
        )
    )
    window.settle()
    truth: dict[str, tuple[object, ...]] = {}

    async def ask_session() -> None:
        for who, link in window.network._loop.links.items():
            session = link.client.session
            now = window.rooms(who)[room].at
            truth[who] = (
                room_snapshot(who, session.rooms[room], now),
                offers_snapshot(who, session),
            )

    window.network.run(ask_session)
    window.until(lambda: len(truth) == 2)
    for who in (ME, GUEST):
        assert (window.rooms(who)[room], window.last(OffersSnapshot, who)) == truth[who]
        assert window.rooms(who)[room].status == "finished"
        assert window.links(who) == ["connected"]


# -- servers that go and come back -----------------------------------------------------------------


def test_the_server_goes_and_comes_back(
    opened: Callable[..., Window], mortal: ServerProcess
) -> None:
    window = opened()
    room = table(window, mortal.url, "Ann", "Bob")
    window.asked(lambda c: c.follow_lobby())
    window.asked(lambda c: c.move(room, 0))
    window.until(lambda: both_have(window, room, (0,)) and window.lobbies())
    mortal.kill()
    window.until(lambda: window.links()[-1] == window.links(GUEST)[-1] == "lost", "the loss")
    lost = window.last(LinkSnapshot)
    assert lost is not None
    assert lost.sentence == f"The connection to {shown_address(mortal.url)} was lost."
    assert lost.next_try_at is not None
    assert lost.player == PlayerInfo(name="Ann", kind="human")
    window.until(lambda: window.lobbies()[-1].stale, "a lobby that is stale")
    tries = {p.next_try_at for p in window.seen if isinstance(p, LinkSnapshot) and p.who == ME}
    window.until(
        lambda: (now := window.last(LinkSnapshot)) and now.next_try_at not in tries, "a later try"
    )
    assert window.links()[-1] == "lost"
    start(mortal)
    window.until(lambda: window.links()[-1] == window.links(GUEST)[-1] == "connected", "the return")
    back = window.last(LinkSnapshot)
    assert back is not None
    assert (back.sentence, back.next_try_at, back.rooms) == ("", None, (room,))
    window.until(lambda: not window.lobbies()[-1].stale, "the lobby again")
    window.asked(lambda c: c.move(room, 1), GUEST)
    window.until(lambda: both_have(window, room, (0, 1)), "the rooms go on")
    assert "ended" not in window.links() + window.links(GUEST)


def test_a_move_whose_answer_is_lost_is_sent_again(
    opened: Callable[..., Window], script: Script
) -> None:
    """A resent move has the same match and ply, so the server recognises it."""
    window = opened()
    peer, room = follow(window, script)
    answers: list[object] = []
    window.network.ask(ME, lambda c: c.move("r1", 0), answers.append, pytest.fail)
    first = script.do(peer.next(Move))
    played = room.play(0)
    script.cut(peer)
    again = script.welcomed("r1")
    resume = script.do(again.next(Resume))
    script.do(again.send(room.room_state_after(resume.seq, resume.id)))
    second = script.do(again.next(Move))
    assert (second.match, second.ply, second.action) == (first.match, first.ply, first.action)
    script.do(again.send(played.model_copy(update={"id": second.id})))
    window.until(lambda: answers)
    assert window.rooms()["r1"].moves == (0,)
    histories = [p.moves for p in window.seen if isinstance(p, RoomSnapshot)]
    assert all(len(moves) <= 1 for moves in histories)


# -- scripted servers ------------------------------------------------------------------------------


def follow(window: Window, script: Script) -> tuple[Peer, FakeRoom]:
    """Return Ann's connection, after it has received her room."""
    answers: list[LinkSnapshot] = []
    window.network.connect(ME, joining(script.url, "Ann"), answers.append, pytest.fail)
    peer = script.welcomed()
    room = room_in_play()
    script.do(peer.send(room.room_state()))
    window.until(lambda: answers and window.rooms())
    return peer, room


def test_a_room_with_an_impossible_event_is_lost(
    opened: Callable[..., Window], script: Script
) -> None:
    window = opened()
    refusals: list[Any] = []
    peer, room = follow(window, script)
    script.do(peer.send(room.play(0).model_copy(update={"action": 99})))
    script.do(peer.refuse(script.do(peer.next(Resume)), "unknown_room", "It is gone."))
    window.until(lambda: window.last(RoomGone))
    assert window.last(RoomGone) == RoomGone(ME, "r1", "It is gone.")
    window.network.ask(ME, lambda c: c.watch("r2"), pytest.fail, refusals.append)
    script.do(peer.refuse(script.do(peer.next(Watch)), "unknown_room", "There is none."))
    window.until(lambda: refusals)


def test_lobby_snapshots_have_a_shortest_interval(
    opened: Callable[..., Window], script: Script
) -> None:
    window = opened()
    peer, _ = follow(window, script)
    answers: list[object] = []
    window.network.ask(ME, lambda c: c.follow_lobby(), answers.append, pytest.fail)
    script.do(peer.send(lobby_of(script.do(peer.next(FollowLobby)).id)))
    window.until(lambda: answers and window.lobbies())
    names = [f"P{n:03}" for n in range(300)]
    for name in names:
        came = LobbyChanged(players=(PlayerInfo(name=name, kind="human"),))
        script.do(peer.send(came))
    window.until(lambda: len(window.lobbies()[-1].players) == len(names), "everybody")
    times = [at for at, p in window.inbox.puts if isinstance(p, LobbySnapshot)]
    assert len(times) >= 2
    # The timer of the event loop may fire early by the resolution of its clock.
    assert min(b - a for a, b in itertools.pairwise(times)) >= LOBBY_S - 0.02


async def test_nothing_comes_between_the_first_snapshots_and_the_updates() -> None:
    """The server may send a message right after its welcome."""
    async with FakeServer() as server:
        for n in range(20):
            inbox = Inbox()

            async def make(inbox: Inbox = inbox) -> Link:
                made = client(server.url, "Ann")
                await made.start()
                return Link(ME, made, inbox, Visit(), time.monotonic)

            making = soon(make())
            peer = await server.accept()
            notice = Challenged(challenge=f"c{n}", player=BOB, settings=SMALL, seat=None)
            await peer.welcome()
            await peer.send(notice)
            link = await making
            seen = None
            async with asyncio.timeout(5):
                while seen is None or not seen.offers:
                    await asyncio.sleep(0)
                    snapshot = inbox.take()
                    seen = snapshot if isinstance(snapshot, OffersSnapshot) else seen
            assert [offer.offer for offer in seen.offers] == [f"c{n}"]
            link.leave()
            await link.close()


async def test_a_disconnected_link_shows_nothing_more() -> None:
    async with FakeServer() as server:
        inbox, made = Inbox(), client(server.url, "Ann")
        starting = soon(made.start())
        peer = await server.accept()
        await peer.welcome()
        await starting
        link = Link(ME, made, inbox, Visit(), time.monotonic)
        while inbox.take() is not None:
            pass
        link.leave()
        link.show_all()
        await link.close()
        await peer.over.wait()
        assert inbox.take() is None
