"""Check the model of a room without a window: pending moves, seats, permissions and texts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.client.tk.models.board.model import BoardChanges
from doublecross.client.tk.models.latest import LatestSnapshots
from doublecross.client.tk.models.room.model import RoomModel
from doublecross.client.tk.models.room.pending import Order
from doublecross.client.tk.models.room.permissions import RoomPermissions
from doublecross.client.tk.models.room.text import RoomText
from doublecross.games.api import Feature
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.protocol.common import PlayerInfo
from tests.client.tk.models.contests import tournament_state
from tests.client.tk.models.rooms import ROBO, ZOE, SeenRoom, settings
from tests.fakes.rooms import ANN, BOB

NOW = 100.0


def playing(room: SeenRoom) -> RoomModel:
    return RoomModel(room.seen())


def hot_seat(room: SeenRoom) -> RoomModel:
    model = RoomModel(room.seen())
    model.take(room.seen("guest", me="Bob"))
    return model


def may(model: RoomModel) -> RoomPermissions:
    return RoomPermissions(model)


def text(model: RoomModel) -> RoomText:
    return RoomText(model, LatestSnapshots())


def order(model: RoomModel, name: str) -> Order:
    """Play a move that must be accepted, and return its order."""
    found = model.play(model.snapshot.game.parse_action(name))
    assert isinstance(found, Order), found
    return found


def refused(model: RoomModel, name: str) -> str:
    """Try a move that must be refused without a change, and return the reason."""
    before = model.position.moves, model.position.pending, model.position.board.moves
    found = model.play(model.snapshot.game.parse_action(name))
    assert isinstance(found, str), found
    assert (model.position.moves, model.position.pending, model.position.board.moves) == before
    assert model.position.changes == BoardChanges()
    return found


@given(
    steps=st.lists(st.integers(-3, 20), max_size=40), seat=st.integers(0, 1), strict=st.booleans()
)
def test_whatever_is_clicked_no_illegal_move_is_sent(
    steps: list[int], seat: int, strict: bool
) -> None:
    """An illegal move would lose a tournament game. Every third step is the server's: it plays the
    move that was sent, or a reply to it.
    """
    room = SeenRoom(me="Ann" if seat == 0 else "Bob")
    more = {"tournament": "t1"} if strict else {}
    model = RoomModel(room.seen(**more))
    for number, step in enumerate(steps):
        if number % 3 < 2:
            model.play(step)
        else:
            sent = model.position.due()
            if sent is not None:
                assert sent.ply == room.state.ply
                assert room.state.current_player() == seat
                assert room.state.is_legal(sent.action)
                room.play(sent.action)
            elif room.state.current_player() not in (seat, -1):
                room.play(room.state.legal_actions()[step % len(room.state.legal_actions())])
            if room.state.is_terminal():
                room.finish()
                return
            model.take(room.seen(**more))


class TestTournament:
    def test_a_tournament_game_allows_no_hint_abort_or_rematch(self) -> None:
        room = SeenRoom(players=(ANN, ROBO))
        model = RoomModel(room.seen(tournament="t1"))
        assert (may(model).hints_given, may(model).abort, may(model).overlay) == (
            False,
            False,
            False,
        )
        assert (may(model).resign, text(model).worth) == (True, "tournament")
        latest = LatestSnapshots(tournaments={"t1": tournament_state()})
        assert RoomText(model, latest).worth == "tournament Spring"
        casual = RoomModel(room.seen())
        assert (may(casual).hints_given, may(casual).abort, may(casual).overlay) == (
            True,
            True,
            True,
        )
        assert text(casual).worth == "casual"
        watched = RoomModel(replace(room.seen(), evaluation=True))
        assert text(watched).worth == "casual · spectators see who is ahead"
        room.end()
        model.take(room.seen(tournament="t1"))
        assert model.ending is not None
        assert (may(model).rematch, may(model).rematches_here, may(model).overlay) == (
            False,
            False,
            True,
        )
        casual.take(room.seen())
        assert may(casual).rematch


class TestPending:
    def test_a_move_shows_at_once_and_is_confirmed(self) -> None:
        room = SeenRoom()
        model = playing(room)
        made = order(model, "b1")
        assert made == Order("me", "r1", 1, 0, made.action)
        assert model.position.board.last == made.action
        assert model.position.changes.actions == (made.action,)
        assert model.position.pending == (made.action,)
        room.moves("b1")
        changes = model.take(room.seen())
        assert changes == BoardChanges()
        assert model.position.pending == ()
        assert model.position.board.last == made.action

    def test_a_move_that_is_settled_is_refused_without_effect(self) -> None:
        room = SeenRoom()
        model = playing(room)
        made = order(model, "b1")
        assert model.position.due() is made
        room.moves("b1 b3")  # as the snapshot after a lost connection has them
        model.take(room.seen())
        assert (model.position.pending, model.position.due()) == ((), None)
        assert model.position.board.moves == room.state.history()
        later = order(model, "a2")
        assert not model.position.refuse(made)
        assert model.position.pending == (later.action,)
        assert model.position.changes == BoardChanges()

    def test_repeating_a_move_makes_a_new_order(self) -> None:
        model = playing(SeenRoom())
        first = order(model, "b1")
        assert model.position.due() is first
        assert model.position.refuse(first)
        assert (model.position.pending, model.position.board.moves) == ((), ())
        assert model.position.changes.rebuilt
        assert model.my_turn
        second = order(model, "b1")
        assert model.position.due() is second
        assert not model.position.refuse(first)
        assert model.position.pending == (second.action,)

    def test_another_move_at_the_same_ply_removes_the_pending_moves_from_there(self) -> None:
        room = SeenRoom(settings("1x2"))
        room.moves("b1 d1 b3 d3 a2")  # Bob can capture both boxes now.
        model = RoomModel(room.seen(me="Bob"))
        order(model, "c2")
        assert model.my_turn
        order(model, "e2")
        room.moves("e2")
        changes = model.take(room.seen(me="Bob"))
        assert changes.rebuilt
        assert model.position.pending == ()
        assert model.position.board.moves == room.state.history()

    def test_a_chain_can_be_clicked_through_and_is_sent_one_by_one(self) -> None:
        room = SeenRoom(settings("1x3"))
        room.moves("b1 b3 d1 d3 f1 f3 a2")  # Ann has opened a chain of three boxes.
        model = RoomModel(room.seen(me="Bob"))
        orders = [order(model, name) for name in ("c2", "e2", "g2")]
        assert [made.ply for made in orders] == [7, 8, 9]
        assert model.position.due() is orders[0]
        assert model.position.due() is None
        room.moves("c2")
        model.take(room.seen(me="Bob"))
        assert model.position.pending == tuple(made.action for made in orders[1:])
        assert model.position.due() is orders[1]
        room.moves("e2 g2")
        assert model.take(room.seen(me="Bob")) == BoardChanges()
        assert model.position.pending == ()
        assert model.position.due() is None

    def test_a_refusal_removes_the_pending_moves_after_it(self) -> None:
        room = SeenRoom(settings("1x3"))
        room.moves("b1 b3 d1 d3 f1 f3 a2")
        model = RoomModel(room.seen(me="Bob"))
        orders = [order(model, name) for name in ("c2", "e2", "g2")]
        room.moves("c2")
        model.take(room.seen(me="Bob"))
        assert model.position.refuse(orders[1])
        assert model.position.pending == ()
        assert model.position.board.moves == room.state.history()

    def test_nothing_is_pending_after_the_end_or_in_the_next_match(self) -> None:
        room = SeenRoom()
        model = playing(room)
        order(model, "b1")
        room.finish("timeout", winner=1)
        model.take(room.seen())
        assert model.position.pending == ()
        assert model.position.board.moves == ()
        room.start()
        model.take(room.seen())
        assert model.seats.connections == {1: "me"}
        assert model.position.due() is None


class TestIllegal:
    def test_what_is_there_already(self) -> None:
        model = playing(SeenRoom())
        order(model, "b1")
        assert refused(model, "b1") == "Edge b1 is drawn already."
        room = SeenRoom(settings("3x3", game="tic-tac-toe"))
        room.moves("b2 a1")
        assert refused(playing(room), "b2") == "Cell b2 is marked already."

    def test_out_of_turn(self) -> None:
        model = playing(SeenRoom())
        order(model, "b1")
        assert refused(model, "b3") == "It is Bob's turn."

    def test_a_spectator(self) -> None:
        room = SeenRoom(me="Zoe")
        assert refused(playing(room), "b1") == "You are watching; only the players move."

    def test_an_earlier_position(self) -> None:
        room = SeenRoom()
        room.moves("b1 b3")
        model = playing(room)
        model.position.go_to(1)
        assert "earlier position" in refused(model, "a2")

    def test_before_and_after_the_match(self) -> None:
        waiting = RoomModel(SeenRoom(players=(ANN,)).seen())
        assert refused(waiting, "b1") == "The match begins when somebody takes the other seat."
        room = SeenRoom()
        room.finish("resigned", winner=0)
        assert refused(playing(room), "b1") == "The match is over."
        model = playing(SeenRoom())
        model.gone("The server has no such room.")
        assert refused(model, "b1") == "This room is closed."

    def test_after_the_last_move_that_is_not_confirmed(self) -> None:
        room = SeenRoom(settings("1x1"))
        room.moves("b1 a2 b3")
        model = RoomModel(room.seen(me="Bob"))
        order(model, "c2")
        assert text(model).status_line == "Waiting for the server to confirm the last move."
        assert model.to_move is None
        assert refused(model, "c2") == "Waiting for the server to confirm the last move."


class TestLookingBack:
    @pytest.fixture
    def model(self) -> RoomModel:
        room = SeenRoom()
        room.moves("b1 b3 a2")
        return playing(room)

    def test_steps_stop_at_both_ends(self, model: RoomModel) -> None:
        model.position.step(1)
        assert model.position.viewing is None
        model.position.step(-9)
        assert model.position.viewing == 0
        changes = model.position.step(1)
        assert changes.actions == (model.position.moves[0],)
        assert model.position.viewing == 1
        model.position.step(9)
        assert model.position.viewing is None

    def test_new_moves_are_stored_while_an_earlier_position_is_shown(
        self, model: RoomModel
    ) -> None:
        room = SeenRoom()
        room.moves("b1 b3 a2")
        model.position.go_to(2)
        room.moves("d1")
        changes = model.take(room.seen())
        assert changes == BoardChanges()
        assert len(model.position.board.moves) == 2
        assert model.position.total == 4
        assert model.my_turn  # In the position on the screen Bob is to move.
        assert [turn.number for turn in model.position.turns] == [1, 2, 3, 4]

    def test_the_next_match_is_shown_at_its_latest_position(self) -> None:
        room = SeenRoom()
        room.moves("b1 b3 a2")
        model = playing(room)
        model.position.go_to(1)
        room.finish("resigned", winner=0)
        model.take(room.seen())
        # The end of a match does not leave the position that the player looks at.
        assert model.position.viewing == 1
        room.start()
        model.take(room.seen())
        assert model.position.viewing is None
        assert model.position.turns == ()

    def test_scores_are_those_of_the_position_that_is_shown(self) -> None:
        room = SeenRoom(settings("1x1"))
        room.moves("b1 a2 b3 c2")
        room.finish("completed", winner=1)
        model = playing(room)
        assert text(model).panel(1).score == 1
        model.position.step(-1)
        assert text(model).panel(1).score == 0
        assert model.ending is not None
        assert model.ending.score == "0 : 1"

    def test_whether_both_have_moved_does_not_depend_on_what_is_shown(
        self, model: RoomModel
    ) -> None:
        assert not may(model).abort
        model.position.go_to(0)
        assert not may(model).abort


class TestTurns:
    def test_moves_by_turn(self) -> None:
        room = SeenRoom(settings("1x2"))
        room.moves("b1 d1 b3 a2 c2 e2")
        turns = playing(room).position.turns
        assert [(turn.number, turn.seat, [n for _, n in turn.moves]) for turn in turns] == [
            (1, 0, ["b1"]),
            (2, 1, ["d1"]),
            (3, 0, ["b3"]),
            (4, 1, ["a2"]),
            (5, 0, ["c2", "e2"]),
        ]
        assert [ply for turn in turns for ply, _ in turn.moves] == [1, 2, 3, 4, 5, 6]

    def test_turns_are_correct_after_removed_moves(self) -> None:
        room = SeenRoom(settings("3x3", opening=(0, 1)))
        room.some(8, safe=True)
        model = playing(room)
        if not model.my_turn:
            room.some(1, safe=True)
            model.take(room.seen())
        made = model.play(model.position.board.state.legal_actions()[0])
        assert isinstance(made, Order)
        assert model.position.turns[-1].moves[-1][0] == room.state.ply + 1
        model.position.refuse(made)
        fresh = playing(room)
        assert model.position.turns == fresh.position.turns
        assert model.to_move == fresh.to_move


class TestHotSeat:
    def test_both_seats_play(self) -> None:
        room = SeenRoom()
        model = hot_seat(room)
        assert model.seats.connections == {0: "me", 1: "guest"}
        assert model.seats.shared
        assert text(model).status_line == "Ann, it is your turn."
        first = order(model, "b1")
        assert text(model).status_line == "Bob, it is your turn."
        second = order(model, "b3")
        assert (first.who, second.who) == ("me", "guest")
        # The other connection sends the second move only after the first is stored.
        assert model.position.due() is first
        assert model.position.due() is None
        room.moves("b1")
        model.take(room.seen("guest", me="Bob"))
        assert model.position.due() is None
        model.take(room.seen())
        assert model.position.due() is second

    def test_a_capture_keeps_the_turn_of_the_same_person(self) -> None:
        room = SeenRoom(settings("1x2"))
        room.moves("b1 d1 b3 a2 c2")
        assert text(hot_seat(room)).status_line == "Ann, it is your turn again."

    def test_the_one_to_move_resigns(self) -> None:
        room = SeenRoom()
        model = hot_seat(room)
        assert may(model).resigner == "me"
        order(model, "b1")
        assert may(model).resigner == "guest"

    def test_both_are_asked_for_a_rematch(self) -> None:
        room = SeenRoom()
        room.finish("resigned", winner=1)
        model = hot_seat(room)
        assert may(model).rematch_connections == ("me", "guest")
        assert may(model).rematch
        assert not may(model).rematch_offered
        room.offer(0)
        model.take(room.seen())
        assert may(model).rematch_connections == ("guest",)
        assert text(model).status_line == "The match is over."

    def test_they_change_seats(self) -> None:
        room = SeenRoom()
        room.finish("resigned", winner=1)
        model = hot_seat(room)
        room.start()
        model.take(room.seen())
        # The model only knows the last match of the other connection.
        assert model.seats.connections == {1: "me"}
        model.take(room.seen("guest", me="Bob"))
        assert model.seats.connections == {0: "guest", 1: "me"}
        assert model.seats.opponent == 0
        assert text(model).status_line == "Bob, it is your turn."

    def test_a_second_person_can_leave(self) -> None:
        model = hot_seat(SeenRoom())
        model.forget("guest")
        assert model.seats.connections == {0: "me"}

    def test_neither_seat_is_called_you(self) -> None:
        model = hot_seat(SeenRoom())
        assert [text(model).panel(seat).you for seat in (0, 1)] == [False, False]
        assert [text(model).panel(seat).mine for seat in (0, 1)] == [True, True]


class TestPanels:
    def test_panels_of_two_players(self) -> None:
        room = SeenRoom(players=(ANN, ROBO))
        panel, other = (text(playing(room)).panel(seat) for seat in (0, 1))
        assert (panel.name, panel.engine, panel.mine, panel.you) == ("Ann", "", True, True)
        assert (other.name, other.engine, other.mine) == ("Robo", "bot · minimax 2", False)
        assert (panel.score, panel.to_move, other.to_move) == (0, True, False)

    def test_a_bot_thinks_while_it_is_there_and_to_move(self) -> None:
        room = SeenRoom(players=(ANN, ROBO))
        model = playing(room)
        assert not text(model).panel(1).thinking
        order(model, "b1")
        assert text(model).panel(1).thinking
        assert text(model).status_line == "Robo is thinking."
        model.take(room.seen(present=(True, False)))
        room.moves("b1")
        model.take(room.seen(present=(True, False)))
        assert not text(model).panel(1).thinking
        assert text(model).panel(1).note == "away"
        assert text(model).status_line == "Robo is to move."

    def test_a_free_seat(self) -> None:
        panel = text(RoomModel(SeenRoom(players=(ANN,)).seen())).panel(1)
        assert (panel.name, panel.note, panel.score) == ("", "free", None)

    def test_a_panel_shows_a_rematch_offer(self) -> None:
        room = SeenRoom()
        room.finish("resigned", winner=0)
        room.offer(1)
        model = playing(room)
        assert text(model).panel(1).note == "wants a rematch"
        assert may(model).rematch_offered
        assert text(model).status_line == "Bob would like a rematch."
        mine = RoomModel(room.seen(me="Bob"))
        assert text(mine).panel(1).note == ""
        assert not may(mine).rematch
        assert text(mine).status_line == "Waiting for Ann to accept a rematch."
        alone = RoomModel(room.seen(me="Bob", present=(False, True)))
        assert text(alone).status_line == "The match is over."

    def test_initials(self) -> None:
        assert text(playing(SeenRoom())).initials == ("A", "B")
        abe = PlayerInfo(name="Abe", kind="human")
        assert text(playing(SeenRoom(players=(ANN, abe)))).initials == ("An", "Ab")
        assert text(playing(SeenRoom(settings("3x3", game="tic-tac-toe")))).initials == ("X", "O")
        assert text(RoomModel(SeenRoom(players=(ZOE,)).seen())).initials == ("Z", "B")


class TestClocks:
    def test_only_the_movers_clock_runs(self) -> None:
        room = SeenRoom()
        model = playing(room)
        mine, theirs = (model.clock(seat, NOW + 2.5) for seat in (0, 1))
        assert mine is not None
        assert theirs is not None
        assert (mine.text, mine.runs) == ("0:58", True)
        assert (theirs.text, theirs.runs) == ("1:00", False)
        low = model.clock(0, NOW + 55.02)
        assert low is not None
        assert (low.text, low.low) == ("5.0", True)

    def test_it_stands_still_at_the_end(self) -> None:
        room = SeenRoom()
        room.finish("resigned", winner=0)
        faces = [playing(room).clock(seat, NOW + 30) for seat in (0, 1)]
        assert [face and (face.text, face.runs) for face in faces] == [("1:00", False)] * 2

    def test_there_may_be_none(self) -> None:
        model = playing(SeenRoom(settings(time="unlimited")))
        assert model.clock(0, NOW) is None

    def test_a_limit_for_each_move_alone(self) -> None:
        model = playing(SeenRoom(settings(time="0/15")))
        mine, theirs = (model.clock(seat, NOW + 4) for seat in (0, 1))
        assert mine is not None
        assert theirs is not None
        assert (mine.text, mine.runs, theirs.text, theirs.runs) == ("0:11", True, "0:15", False)

    def test_the_clock_shows_the_shorter_of_clock_and_move_limit(self) -> None:
        room = SeenRoom(settings(time="60+1/15"))
        model = playing(room)
        mine, theirs = (model.clock(seat, NOW) for seat in (0, 1))
        assert mine is not None
        assert theirs is not None
        assert (mine.text, theirs.text) == ("0:15", "1:00")
        model.take(room.seen(clock_ms=(12_000, 60_000)))
        shorter = model.clock(0, NOW)
        assert shorter is not None
        assert shorter.text == "0:12"


class TestEnding:
    def ended(self, termination: str, winner: int | None, me: str = "Ann", reason: str = "") -> str:
        room = SeenRoom(me=me)
        room.moves("b1 b3")
        room.finish(termination, winner)  # type: ignore[arg-type]
        assert room.result is not None
        room.result = room.result.model_copy(update={"reason": reason})
        ending = playing(room).ending
        assert ending is not None
        assert ending.winner == winner
        assert ending.game_id == "r1-1"
        return f"{ending.headline}: {ending.why}"

    @pytest.mark.parametrize(
        ("termination", "winner", "me", "words"),
        [
            ("resigned", 0, "Ann", "You won: Bob resigned"),
            ("resigned", 0, "Bob", "You lost: You resigned"),
            ("resigned", 0, "Zoe", "Ann won: Bob resigned"),
            ("timeout", 1, "Ann", "You lost: You ran out of time"),
            ("disconnect", 0, "Ann", "You won: Bob stayed away"),
            ("aborted", None, "Ann", "No result: The match was called off"),
        ],
    )
    def test_endings_in_words(
        self, termination: str, winner: int | None, me: str, words: str
    ) -> None:
        assert self.ended(termination, winner, me) == words

    def test_the_ending_names_the_player_who_aborted(self) -> None:
        assert self.ended("aborted", None, reason="Called off by Bob.") == (
            "No result: Called off by Bob"
        )

    def test_a_game_without_a_score_shows_none(self) -> None:
        room = SeenRoom(settings("3x3", game="tic-tac-toe"))
        room.moves("a1 b1 a2 b2 a3")
        room.finish("completed", winner=0)
        model = playing(room)
        assert model.ending is not None
        assert (model.ending.headline, model.ending.score) == ("You won", "")
        assert text(model).panel(0).score is None

    def test_the_ending_speaks_to_the_player(self) -> None:
        room = SeenRoom(settings("1x2"))
        room.moves("b1 d1 b3 a2 d3 e2 c2")
        room.finish("completed", winner=0)
        ending = playing(room).ending
        assert ending is not None
        assert (ending.headline, ending.score) == ("You won", "2 : 0")
        assert ending.won is True
        lost = RoomModel(room.seen(me="Bob")).ending
        assert lost is not None
        assert (lost.headline, lost.score, lost.won) == ("You lost", "0 : 2", False)
        for model in (hot_seat(room), RoomModel(room.seen(me="Zoe"))):
            assert model.ending is not None
            ending = model.ending
            assert (ending.headline, ending.score, ending.won) == ("Ann won", "2 : 0", None)

    def test_a_draw(self) -> None:
        room = SeenRoom(settings("1x2"))
        room.moves("b1 d1 b3 a2 c2 d3 e2")
        assert room.state.scores() == (1, 1)
        room.finish("completed", winner=None)
        ending = playing(room).ending
        assert ending is not None
        assert (ending.headline, ending.score, ending.won) == ("Draw", "1 : 1", None)


class TestWords:
    def test_status_lines(self) -> None:
        assert text(RoomModel(SeenRoom(players=(ANN,)).seen())).status_line == (
            "Waiting for an opponent."
        )
        room = SeenRoom()
        model = playing(room)
        assert text(model).status_line == "Your turn."
        order(model, "b1")
        assert text(model).status_line == "Bob is to move."
        room.finish("resigned", winner=0)
        model.take(room.seen())
        assert text(model).status_line == "The match is over."
        model.gone("The server has closed it.")
        assert text(model).status_line == "The server has closed it."
        model.gone("")
        assert text(model).status_line == "The server has closed it."

    def test_your_turn_again(self) -> None:
        room = SeenRoom(settings("1x2"))
        room.moves("b1 d1 b3 a2 c2")
        assert text(playing(room)).status_line == "Your turn again."

    def test_who_watches(self) -> None:
        room = SeenRoom()
        assert text(playing(room)).watching_line == ""
        assert text(RoomModel(room.seen(spectators=1))).watching_line == "1 person watching"
        assert text(RoomModel(room.seen(spectators=3))).watching_line == "3 people watching"
        watching = room.seen(me="Zoe")
        lines = [
            text(RoomModel(replace(watching, spectators=n))).watching_line for n in (0, 1, 2, 3)
        ]
        assert lines == [
            "you are watching",
            "you are watching",
            "you and 1 other are watching",
            "you and 2 others are watching",
        ]

    def test_the_time_for_a_first_move_is_said_to_both_players(self) -> None:
        room = SeenRoom()
        seen = room.seen(first_until=NOW + 27.5)
        begin = "Begin within 28 s, or the match is called off."
        assert text(RoomModel(seen)).first_move_line(NOW) == begin
        lost = "Begin within 28 s, or the game is lost."
        assert text(RoomModel(replace(seen, tournament="t1"))).first_move_line(NOW) == lost
        room.moves("b1")
        model = RoomModel(room.seen(first_until=NOW + 27.5))
        assert text(model).first_move_line(NOW) == "The first move must come within 28 s."
        assert text(RoomModel(room.seen())).first_move_line(NOW) == ""

    def test_an_opponent_who_is_away(self) -> None:
        room = SeenRoom()
        away = room.seen(present=(True, False), claim_at=NOW + 12.3)
        model = RoomModel(away)
        assert text(model).absence_line(NOW) == "Bob is away. You may claim the win in 13 s."
        assert text(model).absence_line(NOW + 12.2) == "Bob is away. You may claim the win in 1 s."
        assert not may(model).claim(NOW + 12.2)
        assert text(model).absence_line(NOW + 12.3) == "Bob stays away: you may claim the win."
        assert may(model).claim(NOW + 12.3)
        assert text(playing(room)).absence_line(NOW) == ""
        model.gone("It is closed.")
        assert not may(model).claim(NOW + 99)
        assert text(model).absence_line(NOW + 99) == ""


class TestRights:
    def test_a_match_can_be_aborted_only_at_its_beginning(self) -> None:
        room = SeenRoom()
        model = playing(room)
        assert may(model).abort
        order(model, "b1")
        assert not may(model).abort
        room.moves("b1 b3")
        model.take(room.seen())
        assert not may(model).abort
        assert not may(RoomModel(SeenRoom(me="Zoe").seen())).abort

    def test_spectators_have_no_permissions(self) -> None:
        room = SeenRoom(me="Zoe", players=(ANN, ROBO))
        model = playing(room)
        rights = may(model).resign, may(model).hints_given, model.playing, may(model).claim(NOW)
        assert rights == (False,) * 4
        room.finish("resigned", winner=0)
        model.take(room.seen())
        assert not may(model).rematch
        assert model.seats.opponent is None

    def test_an_opponent_who_has_left_cannot_answer(self) -> None:
        room = SeenRoom()
        room.finish("resigned", winner=0)
        assert may(playing(room)).opponent_here
        assert not may(RoomModel(room.seen(present=(True, False)))).opponent_here

    @pytest.mark.parametrize(
        ("other", "rated", "hints"), [(ROBO, False, True), (ROBO, True, False), (BOB, False, False)]
    )
    def test_hints_are_for_casual_matches_against_bots(
        self, other: PlayerInfo, rated: bool, hints: bool
    ) -> None:
        model = playing(SeenRoom(settings(rated=rated), players=(ANN, other)))
        assert (may(model).hints_given, may(model).hint) == (hints, hints)

    @pytest.mark.parametrize("rated", [False, True])
    def test_two_people_at_one_window_get_hints_where_nothing_is_at_stake(
        self, rated: bool
    ) -> None:
        model = hot_seat(SeenRoom(settings(rated=rated)))
        assert (may(model).hints_given, may(model).hint) == (not rated, not rated)

    def test_a_hint_is_allowed_only_in_the_latest_position_at_the_own_turn(self) -> None:
        room = SeenRoom(players=(ANN, ROBO))
        model = playing(room)
        order(model, "b1")
        assert may(model).hints_given
        assert not may(model).hint
        room.moves("b1 b3")
        model.take(room.seen())
        assert may(model).hint
        model.position.go_to(0)
        assert not may(model).hint

    def test_a_hint_waits_until_own_moves_are_confirmed(self) -> None:
        """A completed box keeps the turn, and the server does not have the box yet."""
        room = SeenRoom(settings("1x2"), players=(ROBO, ANN))
        room.moves("b1 d1 b3 d3 a2")
        model = playing(room)
        assert may(model).hint
        order(model, "c2")
        assert model.my_turn
        assert model.position.pending
        assert not may(model).hint
        room.moves("c2")
        model.take(room.seen())
        assert may(model).hint

    def test_the_overlay_is_not_for_those_who_play_a_rated_match(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        found = (Feature("chain", "Chain of 3", (0, 1, 2), (1, 2)),)
        monkeypatch.setattr(DotsAndBoxesState, "features", lambda _: found, raising=False)
        casual, rated = SeenRoom(), SeenRoom(settings(rated=True))
        assert may(playing(casual)).overlay
        assert playing(casual).position.board.state.features() == found
        assert not may(playing(rated)).overlay
        assert may(RoomModel(rated.seen(me="Zoe"))).overlay
        rated.finish("resigned", winner=0)
        assert may(playing(rated)).overlay
        assert not may(playing(SeenRoom(settings("3x3", game="tic-tac-toe")))).overlay


# -- takebacks -----------------------------------------------------------------------------------


def test_the_last_own_move_can_be_taken_back_in_casual_matches() -> None:
    room = SeenRoom(players=(ANN, ROBO))
    assert may(playing(room)).takebacks_here
    assert may(playing(room)).takeback is None  # no move yet
    room.moves("b1 b3 a2 d1")
    assert may(playing(room)).takeback == (2, "me")
    room.moves("c2")  # Ann takes a box and is to move again: only her last stroke goes back
    model = playing(room)
    assert model.to_move == 0
    assert may(model).takeback == (4, "me")
    order(model, "d5")
    assert may(model).takeback is None  # a move of hers is still on its way
    strict = SeenRoom(settings(rated=True), players=(ANN, ROBO))
    strict.moves("b1 b3")
    assert not may(playing(strict)).takebacks_here
    assert may(playing(strict)).takeback is None
    begun = {"start": (4, 2, 9, 5, 10)}  # Ann has made no move of her own since.
    for other in ({"present": (True, False)}, {"knows_takebacks": (True, False)}, begun):
        assert may(RoomModel(room.seen(**other))).takeback is None


def test_a_request_for_a_takeback_is_answered_by_the_other_one() -> None:
    room = SeenRoom()
    room.moves("b1 b3 d1")
    room.ask_back(0, 2)
    mine = playing(room)
    assert (may(mine).takeback_waits, may(mine).takeback_answerer) == ("me", None)
    assert may(mine).takeback is None
    assert text(mine).status_line == "Waiting for Bob to agree to the takeback."
    room.me = "Bob"
    bobs = playing(room)
    assert (may(bobs).takeback_waits, may(bobs).takeback_answerer) == (None, "me")
    assert text(bobs).status_line == "Ann asks to take back the last move."
    room.me = "Zoe"
    watching = playing(room)
    assert (may(watching).takeback_waits, may(watching).takeback_answerer) == (None, None)
    room.me = "Ann"
    room.decline_back(1)
    room.ask_back(1, 1)
    assert text(playing(room)).status_line == "Bob asks to take back the last 2 moves."
    both = hot_seat(room)
    assert (may(both).takeback_waits, may(both).takeback_answerer) == (None, "me")


def test_pending_moves_and_the_position_follow_a_takeback() -> None:
    room = SeenRoom()
    room.moves("b1 b3 d1 d3")
    model = playing(room)
    model.position.go_to(3)
    sent = order_at_latest(model, "d5")
    room.take_back(2)
    model.take(room.seen())
    assert model.position.viewing is None
    assert (model.position.moves, model.position.pending) == (room.state.history(), ())
    assert not model.position.refuse(sent)
    assert order(model, "d5").takebacks == 1
    # The other line has come to the same ply, with the same action there.
    room.moves("a2 d5")
    room.take_back(2)
    model.take(room.seen())
    assert model.position.pending == ()


def order_at_latest(model: RoomModel, name: str) -> Order:
    """Play a move in the latest position, and look at the earlier one again."""
    viewing = model.position.viewing
    model.position.go_to(None)
    found = order(model, name)
    model.position.go_to(viewing)
    return found
