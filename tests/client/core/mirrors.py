"""Share the set-up of the session tests: a welcome, the wanted requests, a followed room."""

from __future__ import annotations

from doublecross.client.core.room import RoomMirror
from doublecross.client.core.session import Session
from doublecross.client.core.updates import RoomChanged
from doublecross.protocol.client_messages import Request
from doublecross.protocol.server_messages import Welcome
from tests.fakes.rooms import ANN, FakeRoom
from tests.fakes.server import LIMITS, TOKEN


def welcome(*rooms: str, epoch: str = "e1") -> Welcome:
    return Welcome(
        id=1,
        protocol=2,
        server="fake",
        epoch=epoch,
        player=ANN,
        token=TOKEN,
        rooms=rooms,
        http=None,
        limits=LIMITS,
    )


def wanted(session: Session) -> list[Request]:
    return [build(n) for n, build in enumerate(session.take_wanted(), start=100)]


def following(room: FakeRoom, now: float = 0.0) -> tuple[Session, RoomMirror]:
    session = Session()
    assert session.receive(room.room_state(1), now) == [RoomChanged(room.room)]
    return session, session.rooms[room.room]
