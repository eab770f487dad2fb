"""The buttons of a room with a scripted server: hints, the overlay, ending a match, rematches,
tournaments and two people at one window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from doublecross.analysis.advice import Advice
from doublecross.client.tk.models.lobby.ladder import ladder_key
from doublecross.client.tk.models.snapshots import LinkSnapshot, TournamentNews
from doublecross.client.tk.network.thread import GUEST, ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.screens.room.presenter import RoomPresenter
from doublecross.games.api import Feature
from doublecross.games.api.sentence import Sentence
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.games.record import Record, RecordedMove
from doublecross.protocol.common import EngineInfo, PlayerInfo
from doublecross.protocol.errors import ErrorCode
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find
from tests.client.tk.harness.staging import Stage
from tests.client.tk.harness.tables import Table
from tests.client.tk.models.contests import entrant, tournament_state
from tests.client.tk.models.rooms import ROBO, SeenRoom
from tests.fakes.rooms import ANN

Sit = Callable[..., Table]

ROBO_ENTRY = entrant("Robo", engine="minimax 2", place=2)


def hot_seat(sit: Sit, room: SeenRoom | None = None) -> Table:
    table = sit(room)
    table.put(GUEST, me="Bob")
    return table


class TestHint:
    ADVICE = Advice((7, 3), 1.0, True)

    @pytest.fixture
    def table(self, sit: Sit) -> Table:
        room = SeenRoom(players=(ANN, ROBO))
        room.moves("b1 b3")
        return sit(room)

    def test_the_best_edge_is_marked_and_named(self, table: Table) -> None:
        table.press("hint")
        asked = table.last("advise")
        assert not table.enabled("hint")
        assert table.status == "Looking for the best move ..."
        table.tick(3.2)
        assert table.status == "Looking for the best move ... 3 s"
        asked.done(self.ADVICE)
        table.settle()
        name = table.room.game.action_name(7)
        assert table.status == f"Best: {name}. You win by 1."
        assert table.view.board.find_withtag("hint")
        table.click(name)
        assert not table.view.board.find_withtag("hint")
        assert table.status == "Robo is thinking."

    def test_a_helper_that_fails_says_why(self, table: Table) -> None:
        table.press("hint")
        table.last("advise").failed(Refusal("No engine is installed."))
        table.settle()
        assert table.status == "No engine is installed."
        assert table.enabled("hint")


class TestOverlay:
    FOUND = (
        Feature("chain", "long chain of 3", (0, 1, 3), (2, 7)),
        Feature("chain", "chain of 1", (1,), (3,)),
        Feature("capturable", "1 box", (2,), (4,)),
    )

    @pytest.fixture(autouse=True)
    def features(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def found(state: DotsAndBoxesState) -> tuple[Feature, ...]:
            return self.FOUND if state.ply else ()

        monkeypatch.setattr(DotsAndBoxesState, "features", found, raising=False)

    def test_it_is_switched_on_and_kept(self, sit: Sit) -> None:
        table = sit()
        table.press("overlay")
        assert table.stage.context.home.settings.overlay
        table.click("b1")
        board = table.view.board
        drawn = board.find_withtag("feature")
        # The dashes tell short chains from long ones.
        assert {bool(board.itemcget(item, "dash")) for item in drawn} == {False, True}
        table.press("overlay")
        assert not table.view.board.find_withtag("feature")
        assert not table.stage.context.home.settings.overlay


class TestEndingTheMatch:
    def test_resign_asks_once(self, sit: Sit, ui: Ui) -> None:
        table = sit()
        table.press("resign")
        assert table.asked == []
        assert not table.there("resign")
        assert table.stage.root.focus_get() is find(table.screen, name="stay")
        table.press("stay")
        assert table.there("resign")
        assert table.stage.root.focus_get() is table.view.board
        table.press("resign")
        ui.keyboard.press("Escape")
        assert not table.there("confirm")
        table.press("resign")
        table.press("confirm")
        assert table.asked == ["resign"]
        assert not table.enabled("resign")
        table.last("resign").failed(Refusal("The server is going down.", "closing"))
        table.settle()
        assert table.status == "The server is going down."
        assert table.enabled("resign")

    def test_a_refusal_is_not_shown_if_the_match_has_ended(self, sit: Sit) -> None:
        table = sit()
        table.press("resign")
        table.room.finish("resigned", winner=0)
        table.put()
        assert not table.there("confirm")  # the question is hidden
        table.room.start()
        table.put()
        table.press("abort")
        asked = table.last("abort")
        table.room.finish("aborted")
        table.put()
        asked.failed(Refusal("No match is in play.", ErrorCode.WRONG_STATE.value))
        table.settle()
        assert table.status == "The match is over."

    def test_leaving_a_match_asks_first(self, sit: Sit) -> None:
        table = sit()
        table.press("back")
        assert table.stage.went == []
        table.press("stay")
        table.press("back")
        table.press("leave_running")
        assert table.asked == []
        assert table.stage.went == [("lobby",)]

    def test_resign_and_leave(self, sit: Sit) -> None:
        table = sit()
        table.press("back")
        table.press("confirm")
        assert table.asked == ["resign"]
        assert table.stage.went == []
        table.last("resign").done(None)
        assert table.asked == ["resign", "leave"]
        assert table.stage.went == [("lobby",)]

    def test_a_room_that_waits_is_closed(self, sit: Sit, stage: Stage) -> None:
        table = sit(SeenRoom(players=(ANN,)))
        table.put(private=True, code="plum-42")
        assert table.says("headline", "waiting") == "Waiting for an opponent"
        assert table.says("why", "waiting") == "Tell your opponent:\nRoom r1\nCode plum-42"
        table.press("copy")
        assert table.stage.root.clipboard_get() == "r1 plum-42"
        table.press("close")
        assert table.asked == ["leave"]
        assert table.stage.went == [("lobby",)]


class TestAfterTheMatch:
    def ended(self, sit: Sit, winner: int = 0, **room: Any) -> Table:
        scripted = SeenRoom(**room)
        scripted.moves("b1 b3")
        table = sit(scripted)
        scripted.finish("resigned", winner)
        table.put()
        return table

    def test_how_it_ended(self, sit: Sit) -> None:
        table = self.ended(sit)
        assert table.says("headline", "ending") == "You won 0 : 0"
        assert table.says("why", "ending") == "Bob resigned"
        assert table.tones == ["won"]
        assert str(find(table.screen, name="headline").cget("style")) == "Seat0.TLabel"

    def test_enter_presses_the_highlighted_button(self, sit: Sit, ui: Ui) -> None:
        table = self.ended(sit)
        assert table.stage.root.focus_get() is table.view.board
        ui.keyboard.press("Return")
        assert table.asked == []  # it may have been meant for a move
        table.tick(1.0)
        ui.keyboard.press("Return")
        assert table.asked == ["rematch"]
        table.network.asked.clear()
        table.put(present=(True, False))
        assert not table.enabled("rematch")
        assert table.says("note", "ending") == "Your opponent has left."
        ui.keyboard.press("Return")
        assert table.asked == ["leave"]
        assert table.stage.went == [("play_again", table.room.settings, "Bob")]

    def test_a_rematch_is_offered_once_and_begins(self, sit: Sit) -> None:
        table = self.ended(sit)
        table.press("rematch")
        assert table.asked == ["rematch"]
        assert not table.enabled("rematch")
        asked = table.last("rematch")
        table.room.offer(0)
        table.put()
        asked.done(None)
        table.settle()
        assert not table.there("rematch")
        assert table.says("no_rematch") == "Withdraw"
        assert table.status == "Waiting for Bob to accept a rematch."
        table.room.start()
        table.put()
        assert not table.there("ending")
        assert table.model.position.board.moves == ()
        assert table.view.side.moves.text.get("1.0", "end").strip() == "Start"
        assert [table.says("player", f"seat{seat}") for seat in (0, 1)] == ["Bob", "Ann"]
        assert table.status == "Bob is to move."

    @pytest.mark.parametrize(("seat", "text"), [(0, "Withdraw"), (1, "Decline")])
    def test_a_rematch_is_withdrawn_or_declined(self, sit: Sit, seat: int, text: str) -> None:
        table = self.ended(sit)
        assert not table.there("no_rematch")
        table.room.offer(seat)
        table.put()
        assert table.says("no_rematch") == text
        table.press("no_rematch")
        assert table.asked == ["decline_rematch"]

    def test_an_offered_rematch_is_accepted(self, sit: Sit) -> None:
        table = self.ended(sit)
        table.room.offer(1)
        table.put()
        assert table.says("rematch") == "Accept rematch"
        assert table.says("about", "seat1") == "wants a rematch"
        table.press("rematch")
        assert table.asked == ["rematch"]
        table.last("rematch").failed(Refusal("Your opponent has left the room.", "wrong_state"))
        table.settle()
        assert table.status == "Your opponent has left the room."
        assert table.enabled("rematch")

    def test_a_match_against_a_level_says_what_to_try_next(self, sit: Sit) -> None:
        easy = PlayerInfo(name="easy", kind="bot", engine=EngineInfo(name="easy", version="1"))
        scripted = SeenRoom(players=(ANN, easy))
        table = sit(scripted)
        kept = table.stage.context.home.settings.ladder
        kept[ladder_key(scripted.seen().game, "easy")] = "2 0 1 LWW"
        scripted.finish("resigned", 0)
        table.put()
        assert (
            table.says("note", "ending")
            == "Your score against easy: 2 won, 1 lost. Try medium next."
        )

    def test_review(self, sit: Sit) -> None:
        table = self.ended(sit)
        table.press("review")
        assert not table.enabled("review")
        record = Record(DotsAndBoxes(), ("Ann", "Bob"), (RecordedMove(0),), result="1-0")
        assert table.asked == ["fetch"]
        table.network.asked[-1].done(record)
        assert table.stage.went == [("review", record, "Ann – Bob")]

    def test_the_exits_open_other_screens(self, sit: Sit, ui: Ui) -> None:
        table = self.ended(sit)
        table.press("lobby")
        assert table.asked == ["leave"]
        table.press("quit")
        ui.pump(lambda: table.stage.went == [("lobby",), ("quit",)])

    def test_a_room_that_is_closed_after_the_end(self, sit: Sit) -> None:
        table = self.ended(sit)
        table.gone(sentence="The match is over.")
        assert table.says("headline", "ending") == "You won 0 : 0"
        assert not table.enabled("rematch")
        table.press("lobby")
        assert table.asked == []
        assert table.stage.went == [("lobby",)]

    def test_a_room_that_is_closed_in_mid_match(self, sit: Sit) -> None:
        table = sit()
        table.click("b1")
        table.gone(sentence="The server does not have this room any more.")
        assert table.says("headline", "ending") == "The room is closed"
        assert table.says("why", "ending") == "The server does not have this room any more."
        assert not any(map(table.there, ("resign", "abort")))
        assert not table.screen.playing
        table.click("b3")
        assert table.status == "This room is closed."

    def test_only_one_screen_replaces_the_room(self, sit: Sit) -> None:
        table = self.ended(sit)
        table.press("review")
        asked = table.network.asked[-1]
        table.gone()  # it was left
        assert table.stage.went == [("lobby",)]
        table.screen.leave()
        asked.done(Record(DotsAndBoxes(), ("Ann", "Bob"), ()))
        table.gone()
        assert table.stage.went == [("lobby",)]


class TestTournament:
    @pytest.fixture
    def table(self, sit: Sit) -> Table:
        table = sit(SeenRoom(players=(ANN, ROBO)))
        table.put(tournament="t1")
        return table

    def test_its_name_is_asked_for_and_shown(self, sit: Sit) -> None:
        table = sit(SeenRoom(players=(ANN, ROBO)))
        table.put(tournament="t1")
        shown = RoomPresenter(table.screen, table.model.snapshot)
        asked = table.last("tournaments.get")
        assert asked.args == ("t1",)
        asked.done(tournament_state(entrant("Ann"), status="running"))
        assert shown.parts.text.worth == "tournament Spring"
        shown.leave()
        shown.view.destroy()
        table.put(tournament="t1")
        assert str(table.view.head.about.cget("text")) == "1 min + 1 s · tournament Spring"

    def test_what_is_not_offered_and_its_page(self, table: Table) -> None:
        assert not any(table.there(name) for name in ("hint", "abort", "overlay"))
        assert table.there("resign")
        latest = table.stage.context.latest
        latest.link = LinkSnapshot(ME, "connected", player=ANN)
        table.room.end()
        table.put(tournament="t1")
        assert not any(table.there(name) for name in ("rematch", "play_again"))
        assert table.says("note", "ending").endswith("A game of a tournament.")
        latest.tournaments["t1"] = tournament_state(
            entrant("Ann"), ROBO_ENTRY, status="finished", games_played=2
        )
        table.screen.take(TournamentNews(ME, latest.tournaments["t1"]))
        table.settle()
        assert table.says("note", "ending").endswith("It is over: you are in place 1 of 2.")
        table.press("tournament")
        assert table.stage.went == [("page", "/tournament/t1")]


class TestHotSeat:
    def test_the_hint_speaks_of_the_one_to_move(self, sit: Sit) -> None:
        table = hot_seat(sit)
        table.moves("b1")
        table.press("hint")
        name = table.room.game.action_name(7)
        table.last("advise").done(Advice((7, 3), 1.0, False, Sentence("{move} is safe.", name)))
        table.settle()
        assert table.status == f"{name} is safe. Bob should win by about 1."
        table.click(name)
        assert table.status == "Ann, it is your turn."

    def test_a_rematch_is_agreed_by_both_at_once(self, sit: Sit) -> None:
        table = hot_seat(sit)
        table.room.finish("resigned", winner=0)
        table.put()
        table.put(GUEST, me="Bob")
        table.press("rematch")
        assert [(a.who, a.name) for a in table.network.asked] == [(ME, "rematch")]
        table.room.offer(0)
        table.put()
        table.network.asked[0].done(None)
        assert [(a.who, a.name) for a in table.network.asked[1:]] == [(GUEST, "rematch")]
        table.room.start()
        table.put()
        table.put(GUEST, me="Bob")
        table.network.asked[1].done(None)
        table.settle()
        assert table.status == "Bob, it is your turn."
        assert len(table.network.asked) == 2

    def test_leaving_the_room_disconnects_the_second_person(self, sit: Sit) -> None:
        table = hot_seat(sit)
        table.room.finish("resigned", winner=0)
        table.put()
        table.put(GUEST, me="Bob")
        table.press("lobby")
        assert [(a.who, a.name) for a in table.network.asked] == [(ME, "leave"), (GUEST, "leave")]
        assert table.network.disconnected == []
        table.network.asked[1].done(None)
        assert table.network.disconnected == [GUEST]
