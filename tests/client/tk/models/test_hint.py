"""Check hints for a room: request, answer, and when a hint is dropped."""

from __future__ import annotations

import pytest

from doublecross.analysis.advice import Advice
from doublecross.client.tk.models.latest import LatestSnapshots
from doublecross.client.tk.models.room.hint import HintModel
from doublecross.client.tk.models.room.model import RoomModel
from doublecross.client.tk.models.room.parts import RoomParts
from doublecross.games.api.sentence import Sentence
from tests.client.tk.models.rooms import ROBO, SeenRoom
from tests.fakes.rooms import ANN


def with_hint(room: SeenRoom) -> tuple[RoomModel, HintModel]:
    parts = RoomParts.begin(room.seen(), LatestSnapshots())
    return parts.model, parts.hint


class TestHint:
    ADVICE = Advice((3, 1), 2.0, True, Sentence("It is {what}.", Sentence("safe")))

    @pytest.fixture
    def room(self) -> SeenRoom:
        room = SeenRoom(players=(ANN, ROBO))
        room.moves("b1 b3")
        return room

    def test_a_requested_hint_is_shown_when_it_arrives(self, room: SeenRoom) -> None:
        _, hint = with_hint(room)
        request = hint.ask(5.0)
        assert request is not None
        assert (request.game, request.moves) == (room.game, room.state.history())
        assert hint.thinking
        assert hint.line(5.5) == "Looking for the best move ..."
        assert hint.line(8.2) == "Looking for the best move ... 3 s"
        assert hint.ask(6.0) is None  # The hint is still being computed.
        assert hint.take(request, self.ADVICE)
        assert hint.best == 3
        assert hint.line(9.0) == "It is safe. You win by 2."
        assert not hint.update()
        assert hint.best == 3

    def test_a_hint_disappears_with_its_position(self, room: SeenRoom) -> None:
        model, hint = with_hint(room)
        request = hint.ask(5.0)
        assert request is not None
        hint.take(request, self.ADVICE)
        model.play(room.state.legal_actions()[0])
        assert hint.update()
        assert hint.best is None
        assert hint.line(9.0) == ""

    def test_a_late_answer_is_dropped(self, room: SeenRoom) -> None:
        model, hint = with_hint(room)
        request = hint.ask(5.0)
        assert request is not None
        room.moves("a2 d1")
        model.take(room.seen())
        hint.update()
        again = hint.ask(6.0)
        assert again is not None
        assert not hint.take(request, self.ADVICE)
        assert not hint.fail(request, "It broke.")
        assert hint.thinking
        assert hint.best is None
        assert hint.take(again, self.ADVICE)

    def test_the_same_moves_in_the_next_match_are_another_position(self, room: SeenRoom) -> None:
        model, hint = with_hint(room)
        request = hint.ask(5.0)
        assert request is not None
        room.finish("resigned", winner=0)
        room.start()
        room.moves("b1 b3")
        model.take(room.seen())
        assert hint.update()
        assert not hint.take(request, self.ADVICE)

    def test_an_empty_answer_shows_no_hint(self, room: SeenRoom) -> None:
        _, hint = with_hint(room)
        request = hint.ask(5.0)
        assert request is not None
        assert hint.fail(request, "No engine is installed.")
        assert (hint.line(6.0), hint.problem) == ("No engine is installed.",) * 2
        again = hint.ask(7.0)
        assert again is not None
        assert hint.problem == ""
        assert hint.take(again, Advice((), 0.0, False))
        assert hint.problem == "There is no advice for this position."

    def test_a_hint_ends_with_the_match(self, room: SeenRoom) -> None:
        model, hint = with_hint(room)
        request = hint.ask(5.0)
        assert request is not None
        hint.take(request, self.ADVICE)
        room.finish("resigned", winner=0)
        model.take(room.seen())
        assert hint.update()
        assert hint.ask(6.0) is None
