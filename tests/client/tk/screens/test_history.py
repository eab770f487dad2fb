"""My games in the whole program: two at one screen, the search, a review and back."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.client.tk.screens.history import HistoryScreen
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find, shown_texts
from tests.client.tk.harness.playing import Open, Program
from tests.client.tk.harness.serving import RealServer


def history(program: Program) -> HistoryScreen:
    program.at("history")
    screen = program.app.navigator.screen
    assert isinstance(screen, HistoryScreen)
    return screen


def listed(program: Program, name: str) -> list[tuple[str, ...]]:
    """Return the cells of a list, which must be shown."""
    tree = find(find(program.root, name=name), name="rows")
    return [tuple(map(str, tree.item(row, "values"))) for row in tree.get_children()]


@pytest.mark.timeout(120)
def test_own_games_are_found_counted_and_reviewed(
    program: Open, server: RealServer, ui: Ui
) -> None:
    ann = program(server.url, "Ann")
    ann.at("lobby")
    ann.press("My games")
    ui.see("You have no finished games here yet.")
    ann.press("‹ Lobby")
    ann.at("lobby")
    ann.press("One screen ...")
    ann.write("guest", "Zoe")
    ann.size(1, 1)
    ann.press("Play")
    ann.playing()
    ui.pump(lambda: len(ann.model.seats.connections) == 2, what="both sit here")
    ann.play_on(Random(5))
    ui.pump(lambda: ann.model.ending is not None, what="the match is over")
    result = ann.model.snapshot.result
    assert result is not None
    seat = ann.model.snapshot.seat
    word = "won" if result.winner == seat else "lost"  # one box is never a draw
    ann.press("Back to lobby")
    ann.at("lobby")

    # The game of two at one screen is private, and listed nevertheless.
    ann.press("My games")
    ui.pump(lambda: history(ann).history.complete, what="all games have arrived")
    assert listed(ann, "own_games")[0][:3] == (
        *("Zoe", "Dots and Boxes 1 × 1"),
        f"{word} {'1 : 0' if word == 'won' else '0 : 1'}",
    )
    share = {"won": 100, "lost": 0}[word]
    assert any(text.startswith("One game · ") for text in shown_texts(ann.root))
    ann.write("search", "zoe 5x5")
    ui.pump(lambda: not listed(ann, "own_games"), what="the list is empty")
    ui.see("No game has all of these words.")
    ann.write("search", "ZOE 1x1")
    ui.pump(lambda: len(listed(ann, "own_games")) == 1, what="the game is found")
    ui.see(f"lost: {share} %")
    ann.mouse.click_row(find(find(ann.root, name="own_games"), name="rows"), row_of(ann))
    ann.press("Review")
    ann.at("review")
    ann.keyboard.press("Escape")
    screen = history(ann)
    assert screen.history.search == "ZOE 1x1"  # and nothing was fetched again
    assert find(find(ann.root, name="own_games"), name="rows").selection() == (row_of(ann),)
    ann.press("‹ Lobby")
    ann.at("lobby")

    # The start screen joins the last server, and shows the games there.
    ann.press("Leave")
    ann.at("start")
    ann.press("My games")
    ui.pump(lambda: history(ann).history.complete, what="all games have arrived")
    assert len(listed(ann, "own_games")) == 1


def row_of(program: Program) -> str:
    """Return the key of the first game of the list."""
    return str(find(find(program.root, name="own_games"), name="rows").get_children()[0])
