"""Check the network thread under failures: own bugs, floods of messages, work that never ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from doublecross.client.core.room import RoomMirror
from doublecross.client.core.updates import Missed
from doublecross.client.feed import Feed
from doublecross.client.tk.models.snapshots import (
    LinkSnapshot,
    OffersSnapshot,
    RoomGone,
    RoomSnapshot,
    room_snapshot,
)
from doublecross.client.tk.network import link as link_module
from doublecross.client.tk.network import loop as network_module
from doublecross.client.tk.network.thread import GUEST, ME
from doublecross.client.tk.refusal import Refusal
from doublecross.protocol.client_messages import Leave, Resume
from doublecross.protocol.common import MatchSettings, TimeControl
from doublecross.protocol.server_messages import Challenged, Done
from tests.client.tk.network.networking import Script, Window, connect, joining, never, scripted
from tests.fakes.rooms import ANN, BOB, SMALL, FakeRoom, room_in_play

LARGE = MatchSettings(
    game="dots-and-boxes", params={"rows": 10, "cols": 10}, time=TimeControl(base_ms=60_000)
)


def test_the_window_is_told_at_which_address_of_the_server_it_goes_on(
    window: Window, script: Script
) -> None:
    with scripted() as other:
        url = f"{script.url},{other.url}"
        window.network.connect(ME, joining(url, "Ann"), lambda _: None, pytest.fail)
        peer = script.welcomed(name="Ann")
        window.until(lambda: window.links()[-1] == "connected")
        assert window.last(LinkSnapshot) == LinkSnapshot(ME, "connected", player=ANN)
        script.cut(peer)
        other.welcomed(name="Ann")
        gone_on = LinkSnapshot(ME, "connected", player=ANN, server=other.url)
        window.until(lambda: window.last(LinkSnapshot) == gone_on)


def test_the_end_of_a_room_comes_before_the_answer_to_leaving_it(
    window: Window, script: Script
) -> None:
    """A caller that disconnects on the answer has already received the end of the room."""
    peer = connect(window, script, GUEST)
    script.do(peer.send(room_in_play().room_state()))
    window.until(lambda: window.rooms(GUEST))
    window.network.ask(
        GUEST, lambda c: c.leave("r1"), lambda _: window.network.disconnect(GUEST), never
    )
    script.do(peer.send(Done(id=script.do(peer.next(Leave)).id)))
    window.until(lambda: window.links(GUEST)[-1] == "closed")
    assert RoomGone(GUEST, "r1") in window.seen


def test_all_missed_events_make_one_snapshot(window: Window, script: Script) -> None:
    room = FakeRoom(settings=LARGE)
    room.sit(ANN, 0)
    room.sit(BOB, 1)
    room.start()
    peer = connect(window, script)
    script.do(peer.send(room.room_state()))
    window.until(lambda: window.rooms())
    window.seen.clear()
    for action in room.state.legal_actions()[:180]:
        room.play(action)
    script.do(peer.send(room.events[-1]))  # An event is missing before this one.
    resume = script.do(peer.next(Resume))
    script.do(peer.send(room.room_state_after(resume.seq, resume.id)))
    window.until(lambda: window.rooms())
    last = room.play(room.state.legal_actions()[0])
    script.do(peer.send(last))
    window.until(lambda: len(window.rooms()["r1"].moves) == 181)
    snapshots = [p for p in window.seen if isinstance(p, RoomSnapshot)]
    assert [len(p.moves) for p in snapshots] == [180, 181]


def test_a_failed_snapshot_is_followed_by_the_next(
    window: Window,
    script: Script,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    peer = connect(window, script)
    room = room_in_play()

    def snapshot(who: str, mirror: RoomMirror, now: float) -> RoomSnapshot:
        if mirror.state.ply == 0:
            raise ZeroDivisionError("so it goes")
        return room_snapshot(who, mirror, now)

    monkeypatch.setattr(link_module, "room_snapshot", snapshot)
    script.do(peer.send(room.room_state()))
    while "so it goes" not in caplog.text:
        window.settle()
    caplog.clear()
    script.do(peer.send(room.play(0)))
    window.until(lambda: window.rooms())
    assert window.rooms()["r1"].moves == (0,)
    assert caplog.records == []


def test_a_connection_without_a_snapshot_is_closed(
    window: Window,
    script: Script,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(*_: object) -> OffersSnapshot:
        raise ZeroDivisionError("so it goes")

    monkeypatch.setattr(link_module, "offers_snapshot", fail)
    refusals: list[Refusal] = []
    window.network.connect(ME, joining(script.url, "Ann"), never, refusals.append)
    peer = script.welcomed()
    window.until(lambda: refusals)
    script.over(peer)
    assert window.links()[-1] == "closed"
    assert "so it goes" in caplog.text
    caplog.clear()


def test_a_lost_connection_is_reported_even_when_its_update_is_dropped(
    window: Window, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The feed may drop the update about the loss; the next attempt is still reported."""
    real = Feed.put
    monkeypatch.setattr(
        Feed, "put", lambda feed, updates: real(feed, [Missed() for _ in list(updates)[:1]])
    )
    peer = connect(window, script)

    async def cut() -> None:
        peer.cut()

    script.do(cut())
    window.until(
        lambda: any(
            p.state == "lost" and p.next_try_at is not None and "was lost" in p.sentence
            for p in window.seen
            if isinstance(p, LinkSnapshot)
        ),
        "the next try",
    )
    script.do(script.accept().welcome())
    window.until(lambda: window.links()[-1] == "connected")


def test_an_accepted_challenge_is_no_longer_open(window: Window, script: Script) -> None:
    peer = connect(window, script)
    script.do(peer.send(Challenged(challenge="c1", player=BOB, settings=SMALL, seat=None)))
    window.until(lambda: (seen := window.last(OffersSnapshot)) and seen.offers)
    script.do(peer.send(room_in_play().room_state(origin="c1")))
    window.until(lambda: window.last(OffersSnapshot) == OffersSnapshot(ME, ()))


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Window]:
    """Yield a function that makes windows with a short time limit for their end."""
    monkeypatch.setattr(network_module, "CLOSE_S", 0.1)
    monkeypatch.setattr(network_module, "LAST_S", 0.1)
    monkeypatch.setattr(network_module, "LEFT_S", 0.1)
    return Window


def test_work_that_never_ends_does_not_block_stopping(hurried: Callable[[], Window]) -> None:
    window, over = hurried(), list[str]()

    async def stubborn() -> None:
        while not over:
            try:
                await asyncio.sleep(0.01)
            except asyncio.CancelledError:
                continue

    async def last() -> None:
        over.append("last")

    window.network.run(stubborn)
    window.settle()
    window.network.stop(last)
    assert over == ["last"]
    assert not window.network._thread.is_alive()


def test_a_closing_task_that_never_ends_is_cancelled(
    hurried: Callable[[], Window], caplog: pytest.LogCaptureFixture
) -> None:
    window = hurried()
    window.network.stop(lambda: asyncio.sleep(3600))  # longer than any test may take
    assert not window.network._thread.is_alive()
    assert "did not end cleanly" in caplog.text
    caplog.clear()
