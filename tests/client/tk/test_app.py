"""Play whole games in the window: a real server, real processes, real mouse and keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from Xlib import X

from doublecross.bots.helping.helpers import LocalHelpers
from doublecross.client.tk.network.thread import ME
from doublecross.games.record import Record, RecordedMove, format_record
from doublecross.games.tic_tac_toe.rules import TicTacToe
from doublecross.protocol.common import MatchSettings, TimeControl
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find, shown_texts
from tests.client.tk.harness.lobbying import Company
from tests.client.tk.harness.playing import Open, Program
from tests.client.tk.harness.serving import RealServer

Serve = Callable[..., RealServer]

pytestmark = pytest.mark.timeout(150)  # Servers and bots are processes that have to start.


def against(ann: Program, bot: str, rows: int, cols: int) -> None:
    """Start a match against a bot that is online."""
    ann.at("lobby")
    ann.press("Play a bot ...")
    ann.size(rows, cols)
    ann.choose_bot(bot)
    ann.press("Play")
    ann.playing()


def test_the_title_calls_a_person_who_looks_at_another_program(
    program: Open, server: RealServer, others: Company, ui: Ui
) -> None:
    ann = program(server.url, "Ann")
    ann.at("lobby")
    others.connect("Bob")
    ui.display.connection.set_input_focus(X.NONE, X.RevertToNone, X.CurrentTime)
    ui.display.connection.sync()
    ui.pump(lambda: not ann.root.tk.call("focus"), what="the focus is elsewhere")
    assert ann.root.title() == "Doublecross"
    settings = MatchSettings(game="tic-tac-toe", params={}, time=TimeControl.parse("300+3"))
    others.ask("Bob", lambda client: client.offers.challenge("Ann", settings, seat=0))
    ui.pump(lambda: ann.root.title() == "(a challenge) Doublecross", what="the challenge")
    ann.root.focus_force()
    ui.pump(lambda: ann.root.title() == "Doublecross", what="the title is back")
    ann.press("Accept")
    ann.playing()
    ui.display.connection.set_input_focus(X.NONE, X.RevertToNone, X.CurrentTime)
    ui.display.connection.sync()
    ui.pump(lambda: not ann.root.tk.call("focus"), what="the focus is elsewhere")
    room = ann.model.snapshot.room
    others.ask("Bob", lambda client: client.move(room, 4))
    ui.pump(lambda: ann.root.title() == "(your turn) Doublecross", what="the turn")
    ann.root.focus_force()
    ui.pump(lambda: ann.root.title() == "Doublecross", what="the title is back")


def test_the_server_is_killed_in_mid_game(program: Open, serve: Serve, ui: Ui) -> None:
    server = serve("easy")
    ann = program(server.url, "Ann")
    ann.at("lobby")
    ui.see("easy")
    against(ann, "easy", 3, 3)
    rng = Random(7)
    ann.play_on(rng, 2)
    ann.my_move()
    before = ann.model.snapshot.moves
    server.kill()
    bar = find(ann.root, name="connection", hidden=True)
    ui.pump(lambda: any("Trying again" in text for text in shown_texts(bar)), what="a banner")
    # Ann clicks an edge twice while the server is down.
    action = ann.model.position.board.state.legal_actions()[0]
    ann.click(action)
    ann.click(action)
    assert action in ann.model.position.pending
    server.start()
    ui.pump(lambda: not shown_texts(bar), 60, what="the banner is gone")
    ui.pump(lambda: not ann.model.position.pending, 60, what="the move is confirmed")
    moves = ann.model.snapshot.moves
    assert moves[: len(before)] == before
    assert moves[len(before)] == action
    assert moves.count(action) == 1
    ann.play_on(rng)
    ui.pump(lambda: ann.model.ending is not None, what="the match is over")
    assert sum(ann.model.position.board.state.scores()) == 9


def test_a_rematch_leads_back_from_the_review(program: Open, server: RealServer, ui: Ui) -> None:
    ann = program(server.url, "Ann", geometry="640x890+0+0")
    ben = program(server.url, "Ben", home="other", geometry="640x890+640+0")
    ann.at("lobby")
    ben.at("lobby")
    ann.press("Create a room ...")
    ann.size(1, 1)
    ann.press("Create the room")
    ann.at("game")
    room = ann.screen.room
    ben.app.context.network.ask(
        ME, lambda client: client.join(room), lambda state: ben.app.navigator.to_game(state.room)
    )
    ben.playing()
    rng = Random(2)

    def moves(who: Program) -> bool:
        return who.model.my_turn and not who.model.position.pending

    def over() -> bool:
        return ann.model.snapshot.status != "playing"

    while not over():
        for who in (ann, ben):
            if moves(who):
                who.click(rng.choice(who.model.position.board.state.legal_actions()))
        ui.pump(lambda: over() or moves(ann) or moves(ben), what="somebody can move")
    ann.press("Rematch")
    ann.press("Review")
    ann.at("review")
    ben.press("Accept rematch")
    ann.at("game")
    assert ann.playing().snapshot.match == 2


def test_a_game_on_this_computer_with_a_hint(
    program: Open, ui: Ui, tmp_path: Path, fork_server: None
) -> None:
    helpers = LocalHelpers(tmp_path / "data", tmp_path / "tokens")
    ann = program(helpers=helpers)
    ann.at("start")
    ann.keyboard.type("Ann")
    ann.keyboard.press("Return")
    ann.at("lobby")
    ui.pump(lambda: "easy" in "\n".join(shown_texts(ann.root)), 60, what="the bots are there")
    against(ann, "easy", 2, 2)
    ann.my_move()
    ann.press("Hint")
    ui.pump(
        lambda: any(re.search(r"[.] (You|It|The) ", text) for text in shown_texts(ann.root)),
        60,
        what="a hint",
    )
    ann.play_on(Random(1))
    ann.quiet()
    ending = ann.model.ending
    assert ending is not None
    ui.see(f"{ending.headline} {ending.score}")
    first = ann.model.snapshot
    ann.press("Rematch")
    ui.pump(lambda: ann.model.snapshot.match == 2, what="the rematch has begun")
    assert ann.model.snapshot.seat == 1 - (first.seat or 0)
    ann.press("Resign")
    ann.press("Resign")
    ui.pump(lambda: ann.model.ending is not None, what="the match is over")
    ui.see("You lost 0 : 0")
    ann.press("Review")
    ann.at("review")


def test_full_screen_stays_from_screen_to_screen(
    program: Open, server: RealServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = program(geometry="800x700+0+0")
    # Without a window manager no window becomes that large; the test records the requested size.
    asked = [False]

    def attributes(name: str, *value: bool) -> bool:
        assert name == "-fullscreen"
        asked.extend(value)
        return asked[-1]

    monkeypatch.setattr(ann.root, "attributes", attributes)
    ann.at("start")
    ann.keyboard.press("F11")
    ann.write("name", "Ann")
    ann.write("server", server.url)
    ann.press("Join")
    ann.at("lobby")
    assert asked == [False, True]
    ann.keyboard.press("Escape")
    ann.keyboard.press("Escape")
    ann.keyboard.press("F11")
    assert asked == [False, True, False, True]
    ann.close()
    assert ann.app.context.home.settings.geometry != "800x700", (
        "the size of a window that fills all"
    )


def test_closing_a_record_leads_to_an_available_screen(
    program: Open, server: RealServer, ui: Ui, tmp_path: Path
) -> None:
    """The connection may end while a record is shown."""
    record = Record(TicTacToe(), ("Ann", "Ben"), (RecordedMove(4),), result="*")
    path = tmp_path / "games.txt"
    path.write_text(format_record(record), encoding="utf-8")
    ann = program(server.url, "Ann")
    ann.at("lobby")
    ann.app.navigator.open_record(path)
    ann.at("review")
    ann.app.context.network.disconnect(ME)
    link = ann.app.context.latest
    ui.pump(lambda: link.link is not None and link.link.state == "closed", what="the end")
    ann.press("‹ Back")
    ann.at("start")


def test_a_switch_shows_what_was_chosen_elsewhere(program: Open) -> None:
    ann = program()
    ann.at("start")
    dark = find(ann.root, name="dark")
    for on in (True, False):
        ann.app.restyle(dark=on, palette="classic")
        assert dark.instate(["selected"]) is on
