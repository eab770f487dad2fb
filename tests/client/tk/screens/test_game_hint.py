"""Hints and tones of a room; no window here."""

from __future__ import annotations

import pytest

from client.tk.models.helpers import Advice
from client.tk.models.room.model import RoomModel, Order
from client.tk.models.room.hint import HintModel
from client.tk.models.room.sound_cues import SoundCues
from tests.client.tk.models.rooms import ROBO, PicturedRoom, settings
from tests.fakes.rooms import ANN

NOW = 100.0


def playing(room: PicturedRoom) -> RoomModel:
    return RoomModel(room.picture())


def order(model: RoomModel, name: str) -> Order:
    """The order of a move that can be made."""
    found = model.play(model.picture.game.parse_action(name))
    assert isinstance(found, Order), found
    return found


class TestHint:
    ADVICE = Advice((3, 1), 2.0, True)

    @pytest.fixture
    def room(self) -> PicturedRoom:
        room = PicturedRoom(players=(ANN, ROBO))
        room.moves("b1 b3")
        return room

    def test_asked_and_answered(self, room: PicturedRoom) -> None:
        model, hint = playing(room), HintModel()
        question = hint.ask(model, 5.0)
        assert question is not None
        assert (question.game, question.moves) == (room.game, room.state.history())
        assert hint.thinking
        assert hint.line(5.5) == "Looking for the best move ..."
        assert hint.line(8.2) == "Looking for the best move ... 3 s"
        assert hint.ask(model, 6.0) is None  # it is being looked for
        assert hint.take(question, self.ADVICE)
        name = room.game.action_name(3)
        assert hint.best == 3
        assert hint.line(9.0) == f"Best: {name}. Expected result: +2 for you (certain)."
        assert not hint.see(model)
        assert hint.best == 3

    def test_it_goes_with_the_position(self, room: PicturedRoom) -> None:
        model, hint = playing(room), HintModel()
        question = hint.ask(model, 5.0)
        assert question is not None
        hint.take(question, self.ADVICE)
        model.play(room.state.legal_actions()[0])
        assert hint.see(model)
        assert hint.best is None
        assert hint.line(9.0) == ""

    def test_a_late_answer_is_dropped(self, room: PicturedRoom) -> None:
        model, hint = playing(room), HintModel()
        question = hint.ask(model, 5.0)
        assert question is not None
        room.moves("a2 d1")
        model.take(room.picture())
        hint.see(model)
        again = hint.ask(model, 6.0)
        assert again is not None
        assert not hint.take(question, self.ADVICE)
        assert not hint.fail(question, "It broke.")
        assert hint.thinking
        assert hint.best is None
        assert hint.take(again, self.ADVICE)

    def test_the_same_moves_in_the_next_match_are_another_position(
        self, room: PicturedRoom
    ) -> None:
        model, hint = playing(room), HintModel()
        question = hint.ask(model, 5.0)
        assert question is not None
        room.finish("resigned", winner=0)
        room.start()
        room.moves("b1 b3")
        model.take(room.picture())
        assert hint.see(model)
        assert not hint.take(question, self.ADVICE)

    def test_there_may_be_none(self, room: PicturedRoom) -> None:
        model, hint = playing(room), HintModel()
        question = hint.ask(model, 5.0)
        assert question is not None
        assert hint.fail(question, "No engine is installed.")
        assert (hint.line(6.0), hint.problem) == ("No engine is installed.",) * 2
        again = hint.ask(model, 7.0)
        assert again is not None
        assert hint.problem == ""
        assert hint.take(again, Advice((), 0.0, False))
        assert hint.problem == "There is no advice for this position."

    def test_it_is_over_with_the_match(self, room: PicturedRoom) -> None:
        model, hint = playing(room), HintModel()
        question = hint.ask(model, 5.0)
        assert question is not None
        hint.take(question, self.ADVICE)
        room.finish("resigned", winner=0)
        model.take(room.picture())
        assert hint.see(model)
        assert hint.ask(model, 6.0) is None


class TestTones:
    def told(self, model: RoomModel, ears: SoundCues, room: PicturedRoom) -> str | None:
        return ears.told(model.take(room.picture()))

    def test_moves(self) -> None:
        room = PicturedRoom(settings("1x2"))
        model = playing(room)
        ears = SoundCues(model)
        order(model, "b1")
        assert ears.played(model.changes) == "draw"
        room.moves("b1")
        assert self.told(model, ears, room) is None  # it was heard when it was clicked
        room.moves("d1")
        assert self.told(model, ears, room) == "turn"
        order(model, "b3")
        ears.played(model.changes)
        room.moves("b3 a2")
        assert self.told(model, ears, room) == "turn"
        order(model, "c2")
        assert ears.played(model.changes) == "capture"

    def test_the_opponents_capture(self) -> None:
        room = PicturedRoom(settings("1x2"))
        room.moves("b1 d1 b3")
        model = playing(room)
        ears = SoundCues(model)
        room.moves("a2")
        assert self.told(model, ears, room) == "turn"
        room.moves("d3")
        assert self.told(model, ears, room) == "draw"
        room.moves("c2")
        assert self.told(model, ears, room) == "capture"

    @pytest.mark.parametrize(
        ("winner", "me", "tone"),
        [(0, "Ann", "won"), (1, "Ann", "lost"), (1, "Zoe", "won"), (None, "Ann", "turn")],
    )
    def test_the_end_and_the_next_match(self, winner: int | None, me: str, tone: str) -> None:
        room = PicturedRoom(me=me)
        model = playing(room)
        ears = SoundCues(model)
        room.finish("resigned" if winner is not None else "aborted", winner)
        assert self.told(model, ears, room) == tone
        assert self.told(model, ears, room) is None
        room.start()
        assert self.told(model, ears, room) == "draw"

    def test_an_end_that_was_there_before_is_not_heard(self) -> None:
        room = PicturedRoom()
        room.finish("resigned", winner=1)
        model = playing(room)
        ears = SoundCues(model)
        assert self.told(model, ears, room) is None

    def test_ones_clock_is_heard_once_when_it_runs_low(self) -> None:
        room = PicturedRoom()
        model = playing(room)
        ears = SoundCues(model)
        heard = [ears.ticked(NOW + at) for at in (0, 49.9, 50.2, 50.3, 59)]
        assert heard == [None, None, "low", None, None]

    def test_a_low_clock_that_begins_to_run_is_not_heard(self) -> None:
        room = PicturedRoom()
        room.moves("b1")
        model = RoomModel(room.picture(clock_ms=(5_000, 60_000)))
        ears = SoundCues(model)
        assert ears.ticked(NOW) is None
        room.moves("b3")
        model.take(room.picture(clock_ms=(5_000, 60_000)))
        assert ears.ticked(NOW) is None
        assert ears.ticked(NOW + 1) is None

    def test_the_opponents_clock_is_not_heard(self) -> None:
        room = PicturedRoom()
        room.moves("b1")
        ears = SoundCues(playing(room))
        assert [ears.ticked(NOW + at) for at in (0, 49, 51, 59)] == [None] * 4
