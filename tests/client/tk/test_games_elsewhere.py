"""Matches that go on or end while the window shows something else, or is closed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from doublecross.client.tk.network.thread import GUEST, ME
from doublecross.protocol.common import MatchSettings, TimeControl
from tests.client.tk.harness.driver import Ui, Windows
from tests.client.tk.harness.inspecting import find, shown_texts
from tests.client.tk.harness.lobbying import Company
from tests.client.tk.harness.playing import Open, Program
from tests.client.tk.harness.serving import RealServer

Serve = Callable[..., RealServer]

SMALL = MatchSettings(
    game="dots-and-boxes", params={"rows": 3, "cols": 3}, time=TimeControl(base_ms=60_000)
)

pytestmark = pytest.mark.timeout(150)  # Servers are processes that have to start.


def challenged(ann: Program, others: Company, name: str, windows: Windows) -> None:
    """Let another player challenge Ann; return when the strip shows it."""
    if not others.has(name):
        others.connect(name)
    others.ask(name, lambda client: client.offers.challenge("Ann", SMALL, seat=0))
    windows.see(f"{name} challenges you")


def accept(ann: Program) -> None:
    """Press the button of the challenge, not the one of the list of offers."""
    ann.mouse.click(find(find(ann.root, name="strip"), name="accept"))


def test_a_match_that_ended_while_the_window_was_closed_is_reported_and_reviewed(
    program: Open, server: RealServer, others: Company, ui: Ui
) -> None:
    ann = program(server.url, "Ann")
    ann.at("lobby")
    challenged(ann, others, "Bob", ui)
    accept(ann)
    room = ann.playing().snapshot.room
    others.ask("Bob", lambda client: client.move(room, 0))
    ui.pump(lambda: ann.model.snapshot.moves, what="Bob has moved")
    ann.close()
    others.ask("Bob", lambda client: client.resign(room))
    others.ask("Bob", lambda client: client.leave(room))
    again = program(server.url)
    again.at("lobby")
    ui.see("Your match against Bob")
    ui.see("You won")
    again.press("Review")
    again.at("review")
    again.press("‹ Back")
    again.at("lobby")
    assert not any("Your match" in text for text in shown_texts(again.root))
    again.close()
    third = program(server.url)
    third.at("lobby")
    ui.pump(lambda: third.app.context.latest.lobby, what="the lobby is there")
    assert third.app.context.home.settings.unfinished == {}


def test_two_matches_at_once(program: Open, server: RealServer, others: Company, ui: Ui) -> None:
    ann = program(server.url, "Ann")
    ann.at("lobby")
    challenged(ann, others, "Bob", ui)
    accept(ann)
    first = ann.playing().snapshot.room
    board = ann.view.board
    ui.settle()
    place = board.winfo_rooty(), board.winfo_height()
    challenged(ann, others, "Cid", ui)
    assert (board.winfo_rooty(), board.winfo_height()) == place
    accept(ann)
    ui.see("Your match against Bob and its clock go on. Play Cid, too?")
    assert ann.screen.room == first
    ann.press("Play both")
    ui.pump(lambda: ann.screen.room != first, what="the second match")
    second = ann.playing().snapshot.room
    ui.see("Your match against Bob goes on")
    # The first match ends out of sight, and its end is reported at once.
    others.ask("Bob", lambda client: client.resign(first))
    ui.see("Your match against Bob is over: You won.")
    assert ann.screen.room == second
    ann.press("Review")
    ann.at("review")
    ui.see("Your match against Cid goes on")
    ann.press("‹ Back")
    assert ann.playing().snapshot.room == second


def test_the_second_person_of_each_hot_seat_comes_back(
    program: Open, server: RealServer, ui: Ui
) -> None:
    ann = program(server.url, "Ann")
    rooms = {}
    for guest in ("Zoe", "Yan"):
        ann.at("lobby")
        ann.press("One screen ...")
        ann.write("guest", guest.lower())
        ann.size(2, 2)
        ann.press("Play")
        rooms[guest] = ann.playing().snapshot.room
        ui.pump(lambda: len(ann.model.seats.connections) == 2, what="both sit here")
        ann.play_on(Random(1), 1)
        ann.press("‹ Lobby")
        ann.press("Leave it running")
    # The second guest has taken the only connection for guests; going back gives it back.
    ann.at("lobby")
    ann.app.navigator.to_game(rooms["Zoe"])
    ann.playing()
    ui.pump(lambda: len(ann.model.seats.connections) == 2, what="both sit here again")
    ann.close()
    again = program(server.url)
    model = again.playing()
    ui.pump(lambda: len(model.seats.connections) == 2, what="both are back")
    latest = again.app.context.latest
    here = again.screen.room
    assert {(ME, here), (GUEST, here)} <= set(latest.rooms)
    again.play_on(Random(2))
    ui.pump(lambda: model.ending is not None, what="the match is over")
