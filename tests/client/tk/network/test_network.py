"""Check the network thread: connections of two people, requests, failures, and its end."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest

from doublecross.client.options import Login
from doublecross.client.tk.models.snapshots import (
    LinkSnapshot,
    OffersSnapshot,
    RoomGone,
    RoomSnapshot,
)
from doublecross.client.tk.network.thread import GUEST, ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.transport import Client
from doublecross.protocol.client_messages import FollowLobby, Hello, Leave, Watch
from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.server_messages import Done
from tests.client.tk.network.networking import (
    PATIENCE_S,
    Script,
    Window,
    client,
    connect,
    joining,
    never,
    scripted,
)
from tests.fakes.rooms import SMALL, lobby_of, room_in_play
from tests.fakes.server import Peer

# -- connecting ----------------------------------------------------------------------------------


def test_connecting(window: Window, script: Script) -> None:
    threads: list[threading.Thread] = []
    answers: list[LinkSnapshot] = []

    def done(snapshot: LinkSnapshot) -> None:
        threads.append(threading.current_thread())
        answers.append(snapshot)

    window.network.connect(ME, joining(script.url, "Ann"), done, pytest.fail)
    window.until(lambda: window.links() == ["connecting"])
    script.welcomed()
    window.until(lambda: answers)
    assert threads == [threading.current_thread()]
    ann = PlayerInfo(name="Ann", kind="human")
    assert answers == [LinkSnapshot(ME, "connected", player=ann)]
    assert window.links() == ["connecting", "connected"]
    assert window.last(LinkSnapshot) == answers[0]
    assert window.last(OffersSnapshot) == OffersSnapshot(ME, ())


def test_connecting_without_a_server_fails(window: Window) -> None:
    with scripted() as script:
        url = script.url
    refusal = window.refused(joining(url, "Ann"))
    assert (refusal.sentence, refusal.code) == (f"Nothing listens at {url}.", "")
    assert window.links() == ["connecting", "closed"]
    assert window.denied(lambda c: c.ping()).sentence == "There is no connection to a server."


def test_a_name_is_taken(window: Window, script: Script) -> None:
    refusals: list[Refusal] = []
    window.network.connect(ME, joining(script.url, "Ann"), pytest.fail, refusals.append)
    peer = script.accept()
    script.do(peer.refuse(script.do(peer.next(Hello)), "name_taken", "Ann is taken."))
    window.until(lambda: refusals)
    assert (refusals[0].sentence, refusals[0].code) == ("Ann is taken.", "name_taken")
    script.over(peer)


def test_a_connection_attempt_can_be_cancelled(window: Window, script: Script) -> None:
    window.network.connect(ME, joining(script.url, "Ann"), never, never)
    peer = script.accept()
    script.do(peer.next(Hello))
    window.network.disconnect(ME)
    script.over(peer)
    window.settle()
    assert window.links()[-1] == "closed"
    connect(window, script)
    assert window.links()[-1] == "connected"


def test_a_connection_attempt_can_be_cancelled_before_it_starts(
    opened: Callable[..., Window], script: Script
) -> None:
    window = opened(start=False)
    window.network.connect(ME, joining(script.url, "Ann"), never, never)
    window.network.disconnect(ME)
    window.network.start()
    connect(window, script)  # The server sees this connection first.
    assert window.links() == ["connecting", "connected"]


def test_disconnecting_without_a_connection(window: Window) -> None:
    window.network.disconnect(ME)
    window.network.disconnect(GUEST)
    window.settle()
    assert window.seen == []


def test_a_second_connection_replaces_the_one_being_made(window: Window, script: Script) -> None:
    window.network.connect(ME, joining(script.url, "Ann"), never, never)
    first = script.accept()
    second = connect(window, script, name="Bob")
    script.over(first)
    assert not second.over.is_set()
    link = window.last(LinkSnapshot)
    assert link is not None
    assert link.player is not None
    assert link.player.name == "Bob"


def test_a_second_connection_replaces_the_first(window: Window, script: Script) -> None:
    first = connect(window, script)
    second = connect(window, script, name="Bob")
    script.over(first)
    assert not second.over.is_set()
    assert window.links() == ["connecting", "connected", "connecting", "connected"]
    script.do(second.send(room_in_play().room_state(me="Bob")))
    window.until(lambda: window.last(RoomSnapshot))


def test_nothing_of_an_ended_connection_is_shown(window: Window, script: Script) -> None:
    """Snapshots that already wait in the inbox are discarded too."""
    peer = connect(window, script)
    made: list[LinkSnapshot] = []
    window.network.connect(GUEST, joining(script.url, "Bob"), never, never)
    guest = script.welcomed(name="Bob")
    script.do(peer.send(room_in_play().room_state()))
    puts = window.inbox.puts
    while not (
        any(isinstance(p, RoomSnapshot) for _, p in puts)
        and any(
            p == LinkSnapshot(GUEST, "connected", player=p.player)
            for _, p in puts
            if isinstance(p, LinkSnapshot)
        )
    ):
        window.inbox.rung.wait(0.1)
        window.inbox.rung.clear()
    # The snapshots and the answer wait in the inbox until the visit has ended.
    window.network.disconnect(GUEST)
    window.network.connect(ME, joining(script.url, "Cat"), made.append, pytest.fail)
    script.welcomed(name="Cat")
    window.until(lambda: made)
    script.over(peer)
    script.over(guest)
    window.settle()
    assert window.rooms() == {}
    assert window.links(GUEST) == ["closed"]
    assert window.links()[2:] == ["connecting", "connected"]


class SlowClient(Client):
    """A client whose `close` waits until `gate` is set."""

    gate: asyncio.Event

    async def close(self) -> None:
        await self.gate.wait()
        await super().close()


def slow(script: Script, gates: list[asyncio.Event]) -> Callable[[], Awaitable[Client]]:
    async def make() -> Client:
        made = SlowClient(script.url, Login("human", name="Ann"), rng=Random(1))
        made.gate = asyncio.Event()
        gates.append(made.gate)
        await made.start()
        return made

    return make


def open_gate(window: Window, gate: asyncio.Event) -> None:
    async def work() -> None:
        gate.set()

    window.network.run(work)


def connect_slow(window: Window, script: Script) -> tuple[Peer, asyncio.Event]:
    answers: list[LinkSnapshot] = []
    gates: list[asyncio.Event] = []
    window.network.connect(ME, slow(script, gates), answers.append, pytest.fail)
    peer = script.welcomed()
    window.until(lambda: answers)
    return peer, gates[0]


def test_reconnecting_twice_leaves_no_old_connection_open(window: Window, script: Script) -> None:
    """Cancelling a connection attempt does not cancel the task that closes the connection."""
    peer, gate = connect_slow(window, script)
    window.network.connect(ME, joining(script.url, "Bob"), never, never)
    window.settle()
    window.network.disconnect(ME)
    window.network.connect(ME, joining(script.url, "Cat"), never, never)
    window.settle()
    window.network.disconnect(ME)
    window.settle()
    assert not peer.over.is_set()
    open_gate(window, gate)
    script.over(peer)
    assert connect(window, script)


def test_the_next_connection_waits_for_the_end_of_the_last(window: Window, script: Script) -> None:
    """Both connections use the same token, which only one window may hold."""
    peer, gate = connect_slow(window, script)
    begun: list[str] = []
    answers: list[LinkSnapshot] = []
    make = joining(script.url, "Ann")

    async def noted() -> Client:
        begun.append("begun")
        return await make()

    window.network.disconnect(ME)
    window.network.connect(ME, noted, answers.append, pytest.fail)
    window.settle()
    assert begun == []
    open_gate(window, gate)
    script.over(peer)
    script.welcomed()
    window.until(lambda: answers)


def test_a_connection_made_after_cancelling_is_closed(window: Window, script: Script) -> None:
    """This holds even when the connecting coroutine ignores its cancellation."""
    started: list[Client] = []

    async def stubborn() -> Client:
        made = client(script.url, "Ann")
        starting = asyncio.ensure_future(made.start())
        while not starting.done():
            try:
                await asyncio.shield(starting)
            except asyncio.CancelledError:
                continue
        started.append(made)
        return made

    window.network.connect(ME, stubborn, never, never)
    peer = script.accept()
    window.network.disconnect(ME)
    window.settle()
    script.do(peer.welcome())
    script.over(peer)
    window.settle()
    assert started[0].ended is not None
    assert window.denied(lambda c: c.ping()).sentence == "There is no connection to a server."


def test_a_connection_replaced_by_another_window_ends(window: Window, script: Script) -> None:
    peer = connect(window, script)
    script.do(peer.close(4001))
    window.until(lambda: window.links()[-1] == "ended")
    link = window.last(LinkSnapshot)
    assert link is not None
    assert "newer connection" in link.sentence
    assert window.denied(lambda c: c.ping()).sentence == link.sentence
    connect(window, script)


# -- requests ------------------------------------------------------------------------------------


def test_requests_and_their_answers(window: Window, script: Script) -> None:
    peer = connect(window, script)
    threads: list[threading.Thread] = []
    room = room_in_play()
    window.network.ask(
        ME, lambda c: c.watch("r1"), lambda _: threads.append(threading.current_thread())
    )
    script.do(peer.send(room.room_state(script.do(peer.next(Watch)).id)))
    window.until(lambda: threads)
    assert threads == [threading.current_thread()]
    assert window.rooms()["r1"].match == 1, "the snapshot comes before the answer"

    refusals: list[Refusal] = []
    window.network.ask(ME, lambda c: c.leave("r1"), pytest.fail, refusals.append)
    script.do(peer.refuse(script.do(peer.next(Leave)), "wrong_state", "Not now."))
    window.until(lambda: refusals)
    assert (refusals[0].sentence, refusals[0].code) == ("Not now.", "wrong_state")

    refusal = window.denied(lambda c: c.request(lambda i: Watch(id=i, room="r2"), timeout=0.01))
    assert refusal.sentence == "The server did not answer watch within 0.01 s."
    refusal = window.denied(lambda c: c.watch("r1"), GUEST)
    assert refusal.sentence == "There is no connection to a server."


def test_requests_that_wait_when_the_connection_ends(window: Window, script: Script) -> None:
    peer = connect(window, script)
    refusals: list[Refusal] = []
    window.network.ask(ME, lambda c: c.watch("r1"), pytest.fail, refusals.append)
    script.do(peer.next(Watch))
    window.network.disconnect(ME)
    window.until(lambda: refusals)
    assert refusals[0].sentence == "This client was closed."
    window.settle()
    assert window.seen[-1] == LinkSnapshot(ME, "closed")


def test_a_bug_becomes_a_sentence(window: Window, caplog: pytest.LogCaptureFixture) -> None:
    refusals: list[Refusal] = []

    async def buggy() -> None:
        raise ZeroDivisionError("so it goes")

    window.network.run(buggy, pytest.fail, refusals.append)
    window.until(lambda: refusals)
    assert refusals[0].sentence == "Something went wrong. Details are in the log."
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert "so it goes" in caplog.text
    caplog.clear()
    window.settle()  # The thread is still alive.


def test_work_is_deleted_in_the_thread_that_started_it(window: Window) -> None:
    """The work may refer to a widget, and only Tk's thread may delete widgets."""
    threads: list[threading.Thread] = []
    for error in (None, Refusal("No."), TimeoutError()) * 30:
        window.network.run(*_question(threads, error))
    window.network.ask(GUEST, *_question(threads, None))
    window.network.connect(ME, *_question(threads, Refusal("No.")))
    window.network.connect(GUEST, *_question(threads, TimeoutError()))
    window.network.disconnect(GUEST)
    window.until(lambda: len(threads) == 93 * 3)
    assert set(threads) == {threading.current_thread()}


@pytest.mark.parametrize("begun", [True, False], ids=["under way", "before it begins"])
def test_cancelled_work_is_deleted_in_the_thread_that_started_it(
    window: Window, begun: bool
) -> None:
    threads: list[threading.Thread] = []
    waits = threading.Event()
    work, done, failed = _question(threads, None)

    async def long(work: Any = work) -> None:
        await work()
        waits.set()
        await asyncio.Event().wait()

    del work
    window.network.connect(GUEST, long, done, failed)  # type: ignore[arg-type]
    del long, done, failed
    if begun:
        assert waits.wait(PATIENCE_S)
    window.network.disconnect(GUEST)
    window.settle()
    assert threads == [threading.current_thread()] * 3


def _question(threads: list[threading.Thread], error: BaseException | None) -> tuple[Any, Any, Any]:
    class Widget:
        def __del__(self) -> None:
            threads.append(threading.current_thread())

    def work_of(widget: Widget) -> Callable[..., Awaitable[object]]:
        async def work(*_: object) -> None:
            await asyncio.sleep(0)
            if error is not None and widget:
                raise type(error)(*error.args)

        return work

    def callback_of(widget: Widget) -> Callable[[object], object]:
        return lambda _: widget

    return work_of(Widget()), callback_of(Widget()), callback_of(Widget())


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (TimeoutError(), "There was no answer in time; try again."),
        (asyncio.CancelledError(), "This was cancelled."),
        (Refusal("No.", "no"), "No."),
    ],
)
def test_every_failed_request_reports_a_reason(
    window: Window, error: BaseException, sentence: str
) -> None:
    refusals: list[Refusal] = []

    async def work() -> None:
        raise error

    window.network.run(work, pytest.fail, refusals.append)
    window.until(lambda: refusals)
    assert refusals[0].sentence == sentence


# -- the end -------------------------------------------------------------------------------------


def test_the_end_with_connections_open(opened: Callable[..., Window], script: Script) -> None:
    window = opened()
    peers = [connect(window, script), connect(window, script, GUEST, "Bob")]
    window.network.ask(ME, lambda c: c.watch("r1"), never, never)
    last: list[threading.Thread] = []

    async def at_last() -> None:
        assert window.network._loop.links == {}
        last.append(threading.current_thread())

    window.network.stop(at_last)
    assert not window.network._thread.is_alive()
    assert window.network._loop.loop.is_closed()
    assert last == [window.network._thread]
    for peer in peers:
        script.over(peer)
    window.network.stop(at_last)
    assert len(last) == 1
    # A request after the end has no effect and raises no error.
    window.network.ask(ME, lambda c: c.ping(), never, never)
    window.network.disconnect(ME)
    window.network.request_snapshots()
    taken = len(window.seen)
    window.drain()
    assert len(window.seen) == taken, "nothing of a connection that has ended is taken"


def test_the_end_while_connecting(opened: Callable[..., Window], script: Script) -> None:
    window = opened()
    window.network.connect(ME, joining(script.url, "Ann"), never, never)
    peer = script.accept()
    window.network.connect(GUEST, joining(script.url, "Bob"), never, never)
    window.network.stop()
    assert window.network._loop.loop.is_closed()
    script.over(peer)
    window.drain()


def test_the_end_while_a_connection_is_being_closed(
    opened: Callable[..., Window], script: Script
) -> None:
    window = opened()
    peer, gate = connect_slow(window, script)
    window.network.disconnect(ME)
    window.settle()
    assert not peer.over.is_set()
    window.network.run(lambda: asyncio.sleep(3600))
    threading.Timer(0.05, lambda: window.network._loop.loop.call_soon_threadsafe(gate.set)).start()
    window.network.stop()
    script.over(peer)


def test_stopping_before_starting(opened: Callable[..., Window]) -> None:
    window = opened(start=False)
    window.network.connect(ME, joining("ws://127.0.0.1:9", "Ann"), never, never)
    window.network.stop()
    window.network.stop()
    assert window.network._loop.loop.is_closed()
    with pytest.raises(RuntimeError, match="stopped"):
        window.network.start()


def test_requests_before_the_start_run_after_it(opened: Callable[..., Window]) -> None:
    window = opened(start=False)
    answers: list[str] = []

    async def work() -> str:
        return "done"

    window.network.run(work, answers.append)
    window.network.start()
    window.until(lambda: answers == ["done"])


def test_stopping_cancels_tasks_of_others(opened: Callable[..., Window]) -> None:
    window = opened()
    ended: list[str] = []

    async def sleeper() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            ended.append("ended")

    tasks: list[asyncio.Future[None]] = []

    async def begin() -> None:
        tasks.append(asyncio.ensure_future(sleeper()))

    window.network.run(begin)
    window.settle()
    window.network.stop()
    assert ended == ["ended"]


def test_an_error_in_a_closing_task_is_logged(
    opened: Callable[..., Window], caplog: pytest.LogCaptureFixture
) -> None:
    async def fail() -> None:
        raise OSError("The helpers do not answer.")

    window = opened()
    window.network.stop(fail)
    assert not window.network._thread.is_alive()
    assert "The helpers do not answer." in caplog.text
    caplog.clear()


# -- one's own doings ------------------------------------------------------------------------------


def test_leaving_a_room_and_the_lobby(window: Window, script: Script) -> None:
    peer = connect(window, script)
    script.do(peer.send(room_in_play(settings=SMALL).room_state()))
    window.until(lambda: window.rooms())
    left: list[object] = []
    window.network.ask(ME, lambda c: c.leave("r1"), left.append, pytest.fail)
    script.do(peer.send(Done(id=script.do(peer.next(Leave)).id)))
    window.until(lambda: left)
    assert [p for p in window.seen if isinstance(p, RoomGone)] == [RoomGone(ME, "r1")]
    followed: list[object] = []
    window.network.ask(ME, lambda c: c.follow_lobby(), followed.append, pytest.fail)
    script.do(peer.send(lobby_of(script.do(peer.next(FollowLobby)).id)))
    window.until(lambda: followed and window.lobbies())
    assert not window.lobbies()[-1].stale
