"""Play tournaments in the whole program, with a real server, a bot process and real clicks."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tkinter import ttk

import pytest

from doublecross.games.record import Record, RecordedMove
from doublecross.games.tic_tac_toe.rules import TicTacToe
from tests.cli.commands import running
from tests.client.tk.harness.driver import Ui, Windows
from tests.client.tk.harness.inspecting import find, find_all, shown_texts
from tests.client.tk.harness.lobbying import Company
from tests.client.tk.harness.organising import look, organise, start
from tests.client.tk.harness.playing import Open, Program
from tests.client.tk.harness.serving import RealServer

pytestmark = pytest.mark.timeout(150)  # Servers and bots are processes that have to start.


def buttons(ann: Program) -> set[str]:
    return {str(button.cget("text")) for button in find_all(ann.root, kind=ttk.Button)}


def enter(others: Company, name: str, tournament: str) -> None:
    """Connect another person who joins a tournament."""
    others.connect(name)
    others.ask(name, lambda client: client.tournaments.join(tournament))


def join(ann: Program, windows: Windows) -> None:
    """Join the only tournament, by a click."""
    ann.press("Join")
    windows.pump(lambda: find(ann.root, "Withdraw"), what="joined")


def test_a_person_joins_with_a_click_and_plays_to_the_end(
    program: Open, server: RealServer, others: Company, ui: Ui, tmp_path: Path
) -> None:
    spring = organise(others)
    ann = program(server.url, "Ann")
    ann.at("lobby")
    with running(*f"bot random --tournament {spring} --server {server.url}".split(), cwd=tmp_path):
        ui.see("1 player · open")
        join(ann, ui)
        ui.see("2 players · open")
        start(others, spring)
        # The window shows the game without a click.
        model = ann.playing()
        first = model.snapshot
        ui.see("tournament Spring")
        assert not buttons(ann) & {"Hint", "Call off the game"}
        rng = Random(3)
        ann.play_on(rng)
        assert model.ending is not None
        ui.see("A game of the tournament Spring. If you have another game, it opens")
        assert not buttons(ann) & {"Rematch", "Play again ..."}
        ui.pump(lambda: ann.screen.room != first.room, what="the second game has come")
        second = ann.playing().snapshot
        assert second.seat == 1 - (first.seat or 0)
        assert second.opening == first.opening
        ann.play_on(rng)
        ui.see("It is over: you are in place")
        ann.quiet()
        assert not buttons(ann) & {"Rematch", "Play again ..."}
    result = look(others, spring)
    assert (result.status, result.games_played) == ("finished", 2)
    ann.press("Tournament ...")
    ui.pump(lambda: ann.pages, what="its page is open")
    assert ann.pages[0].endswith(f"/tournament/{spring}")
    ann.press("Back to lobby")
    ui.see("No tournament is open or running.")


def test_nobody_is_pulled_out_of_a_match(
    program: Open, server: RealServer, others: Company, ui: Ui
) -> None:
    spring = organise(others)
    enter(others, "Ben", spring)
    ann = program(server.url, "Ann")
    ann.at("lobby")
    join(ann, ui)
    ann.press("One screen ...")
    ann.write("guest", "Zoe")
    ann.size(1, 2)
    ann.press("Play")
    model = ann.playing()
    ui.pump(lambda: len(model.seats.connections) == 2, what="both sit here")
    mine = model.snapshot.room
    start(others, spring)
    # The server lets the tournament wait for this match, which has a clock.
    rng = Random(4)
    assert ann.play_on(rng, 3) == 3
    assert ann.screen.room == mine
    ann.play_on(rng)
    assert ann.screen.room == mine, "the end of a match is shown"
    ui.pump(lambda: ann.screen.room != mine, what="the game of the tournament")
    assert ann.playing().snapshot.tournament == spring
    assert not any("has begun" in text for text in shown_texts(ann.root))
    # After leaving it running, the window stays in the lobby and shows a button to return.
    ann.press("‹ Lobby")
    ann.press("Leave it running")
    ann.at("lobby")
    ui.see("Your match against Ben goes on")
    until = ann.app.context.clock() + 0.2  # a dozen ticks of the window
    ui.pump(lambda: ann.app.context.clock() > until)
    assert ann.app.navigator.screen is not None
    assert ann.app.navigator.screen.name == "lobby"
    ann.press("Go there")
    assert ann.playing().snapshot.tournament == spring


def test_a_game_comes_during_a_review_and_after_a_restart_of_the_window(
    program: Open, server: RealServer, others: Company, ui: Ui
) -> None:
    spring = organise(others)
    enter(others, "Ben", spring)
    record = Record(TicTacToe(), ("Ann", "Ben"), (RecordedMove(4),), result="*")
    ann = program(server.url, "Ann")
    ann.at("lobby")
    join(ann, ui)
    ann.app.navigator.to_review(record, title="Ann – Ben", back=ann.app.navigator.to_lobby)
    ann.at("review")
    start(others, spring)
    before = ann.playing().snapshot
    assert before.tournament == spring
    ann.close()
    again = program(server.url)
    model = again.playing()
    assert model.snapshot.room == before.room
    ui.see("tournament Spring")  # requested, because this window has not shown the lobby
    again.press("Resign")
    again.press("Resign")
    ui.see("You lost 0 : 0")
    ui.pump(lambda: again.screen.room != before.room, what="the second game of the pair")
    assert again.playing().snapshot.tournament == spring
