"""Check which sound belongs to each event of a room."""

from __future__ import annotations

import pytest

from doublecross.client.tk.models.room.model import RoomModel
from doublecross.client.tk.models.room.pending import Order
from doublecross.client.tk.models.room.sound_cues import SoundCues
from tests.client.tk.models.rooms import SeenRoom, settings

NOW = 100.0


def playing(room: SeenRoom) -> RoomModel:
    return RoomModel(room.seen())


def order(model: RoomModel, name: str) -> None:
    """Play a move that must be accepted."""
    assert isinstance(model.play(model.snapshot.game.parse_action(name)), Order)


def told(model: RoomModel, cues: SoundCues, room: SeenRoom) -> str | None:
    return cues.after_update(model.take(room.seen()))


def test_moves() -> None:
    room = SeenRoom(settings("1x2"))
    model = playing(room)
    cues = SoundCues(model)
    order(model, "b1")
    assert cues.after_move(model.position.changes) == "draw"
    room.moves("b1")
    assert told(model, cues, room) is None  # The sound was played at the click.
    room.moves("d1")
    assert told(model, cues, room) == "turn"
    order(model, "b3")
    cues.after_move(model.position.changes)
    room.moves("b3 a2")
    assert told(model, cues, room) == "turn"
    order(model, "c2")
    assert cues.after_move(model.position.changes) == "capture"


def test_the_opponents_capture() -> None:
    room = SeenRoom(settings("1x2"))
    room.moves("b1 d1 b3")
    model = playing(room)
    cues = SoundCues(model)
    room.moves("a2")
    assert told(model, cues, room) == "turn"
    room.moves("d3")
    assert told(model, cues, room) == "draw"
    room.moves("c2")
    assert told(model, cues, room) == "capture"


@pytest.mark.parametrize(
    ("winner", "me", "tone"),
    [(0, "Ann", "won"), (1, "Ann", "lost"), (1, "Zoe", "won"), (None, "Ann", "turn")],
)
def test_the_end_and_the_next_match(winner: int | None, me: str, tone: str) -> None:
    room = SeenRoom(me=me)
    model = playing(room)
    cues = SoundCues(model)
    room.finish("resigned" if winner is not None else "aborted", winner)
    assert told(model, cues, room) == tone
    assert told(model, cues, room) is None
    room.start()
    assert told(model, cues, room) == "draw"


def test_an_earlier_end_makes_no_sound() -> None:
    room = SeenRoom()
    room.finish("resigned", winner=1)
    model = playing(room)
    cues = SoundCues(model)
    assert told(model, cues, room) is None


def test_the_own_low_clock_sounds_once() -> None:
    room = SeenRoom()
    model = playing(room)
    cues = SoundCues(model)
    heard = [cues.at(NOW + at) for at in (0, 49.9, 50.2, 50.3, 59)]
    assert heard == [None, None, "low", None, None]


def test_a_clock_that_starts_low_makes_no_sound() -> None:
    room = SeenRoom()
    room.moves("b1")
    model = RoomModel(room.seen(clock_ms=(5_000, 60_000)))
    cues = SoundCues(model)
    assert cues.at(NOW) is None
    room.moves("b3")
    model.take(room.seen(clock_ms=(5_000, 60_000)))
    assert cues.at(NOW) is None
    assert cues.at(NOW + 1) is None


def test_the_opponents_clock_makes_no_sound() -> None:
    room = SeenRoom()
    room.moves("b1")
    cues = SoundCues(playing(room))
    assert [cues.at(NOW + at) for at in (0, 49, 51, 59)] == [None] * 4
