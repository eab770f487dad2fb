"""The board on a real canvas: colours and animations, mouse and keyboard."""

from __future__ import annotations

import math
import tkinter as tk
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

import pytest

from doublecross.client.tk.models.board.model import BoardChanges, BoardModel
from doublecross.client.tk.models.board.motion import FILL_S, GAP_S, LAG_S
from doublecross.client.tk.models.colours import Colours, make_colours
from doublecross.client.tk.widgets.board.brush import PENDING
from doublecross.client.tk.widgets.board.overlay import HOVER
from doublecross.client.tk.widgets.board.view import BoardView
from doublecross.games.api import Feature, Game
from doublecross.games.colours import mix
from doublecross.games.registry import game_class
from tests.client.tk.harness.driver import Ui

if TYPE_CHECKING:
    from tests.client.tk.harness.driver import Windows

LIGHT, DARK = make_colours("classic", dark=False), make_colours("classic", dark=True)


def dots(rows: int, cols: int) -> Game:
    return game_class("dots-and-boxes")({"rows": rows, "cols": cols})


def tic_tac_toe(rows: int = 3, cols: int = 3, line: int = 3) -> Game:
    return game_class("tic-tac-toe")({"rows": rows, "cols": cols, "line": line})


def connect_four() -> Game:
    return game_class("connect-four")({"rows": 4, "cols": 5, "line": 4})


def nim() -> Game:
    return game_class("nim")({"a": 1, "b": 3, "c": 4, "d": 0, "misere": 1})


class Stage:
    """A board that fills a window, with functions that change it and read its pixels."""

    def __init__(self, root: tk.Tk, windows: Windows) -> None:
        self.root = root
        self.windows = windows
        self.now = 100.0
        self.chosen: list[int] = []
        self.initials = ("A", "B")

    def show(
        self, game: Game, *moves: int, opening: tuple[int, ...] = (), colours: Colours = LIGHT
    ) -> BoardView:
        self.board = BoardModel(game)
        self.view = BoardView(
            self.root, self.board, colours, on_action=self.chosen.append, clock=lambda: self.now
        )
        self.view.pack(fill="both", expand=True)
        self.windows.settle()
        self.play(*moves, opening=opening, quiet=True)
        return self.view

    def play(
        self,
        *moves: int,
        opening: tuple[int, ...] = (),
        pending: tuple[int, ...] = (),
        quiet: bool = False,
    ) -> BoardChanges:
        """Play moves on the board and show it."""
        changes = self.board.show(opening, moves)
        self.view.refresh(changes, initials=self.initials, pending=pending, quiet=quiet)
        self.windows.settle()
        return changes

    def pass_time(self, seconds: float) -> None:
        """Advance the clock in the steps of the window's timer."""
        for _ in range(round(seconds / 0.01)):
            self.now += 0.01
            self.view.tick(self.now)
        self.windows.settle()

    def seen(self, x: float, y: float, dx: int = 0, dy: int = 0) -> tuple[int, ...]:
        """Return the colour at an offset in pixels from a point in board units."""
        self.windows.settle()
        across, down = self.view.pixel(x, y)
        return self.windows.display.pixel(
            self.view.winfo_rootx() + across + dx, self.view.winfo_rooty() + down + dy
        )

    def seen_of(self, action: int, dx: int = 0, dy: int = 0) -> tuple[int, ...]:
        """Return the colour at an offset in pixels from the middle of an edge or cell."""
        return self.seen(*self.board.places.middle(action), dx, dy)

    def shows(self, colour: str, *, near: tuple[float, float], reach: float) -> bool:
        """Return whether a colour occurs around a point, `reach` units to each side."""
        left, top = self.view.pixel(near[0] - reach, near[1] - reach)
        right, bottom = self.view.pixel(near[0] + reach, near[1] + reach)
        x0, y0 = self.view.winfo_rootx(), self.view.winfo_rooty()
        self.windows.settle()
        return any(
            self.windows.display.pixel(x0 + x, y0 + y) == rgb(colour)
            for x in range(left, right, 2)
            for y in range(top, bottom, 2)
        )

    def texts(self) -> list[str]:
        """Return all visible texts of the board."""
        shown = [item for item in self.view.find_all() if self.view.type(item) == "text"]
        return sorted(
            self.view.itemcget(item, "text")
            for item in shown
            if self.view.itemcget(item, "state") != "hidden"
        )


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


@pytest.fixture
def stage(root: tk.Tk, ui: Ui) -> Stage:
    return Stage(root, ui)


# -- what is seen --------------------------------------------------------------------------------


@pytest.mark.parametrize(("palette", "dark"), [("classic", False), ("colour-blind", True)])
def test_edges_have_the_colour_of_who_drew_them(stage: Stage, palette: str, dark: bool) -> None:
    colours = make_colours(palette, dark=dark)
    stage.show(dots(3, 3), 0, 4, colours=colours)
    assert stage.seen_of(0) == rgb(colours.strokes[0])
    assert stage.seen_of(4) == rgb(colours.strokes[1])
    assert stage.seen_of(8) == rgb(colours.free)
    assert stage.seen(0.5, 0.5) == rgb(colours.board)
    assert stage.seen(1, 1) == rgb(colours.dot)


def test_edges_of_the_opening_are_nobodys(stage: Stage) -> None:
    stage.show(dots(2, 2), 5, opening=(0, 3))
    assert stage.seen_of(0) == stage.seen_of(3) == rgb(LIGHT.neutral)
    assert stage.seen_of(5) == rgb(LIGHT.strokes[0])


def test_a_move_that_is_not_confirmed_is_paler(stage: Stage) -> None:
    stage.show(dots(2, 2))
    stage.play(4, pending=(4,))
    assert stage.seen_of(4) == rgb(mix(LIGHT.strokes[0], LIGHT.board, PENDING))
    stage.play(4)
    assert stage.seen_of(4) == rgb(LIGHT.strokes[0])


def test_the_last_edge_is_marked_and_only_it(stage: Stage) -> None:
    view = stage.show(dots(3, 3), 0, 4)
    layout = view._items.brush.layout
    beside = layout.glow // 2
    assert stage.seen_of(4, dy=beside) == rgb(LIGHT.last)
    assert stage.seen_of(4, dy=-beside) == rgb(LIGHT.last)
    # A gap separates edge and glow, so the glow is visible beside any colour.
    assert stage.seen_of(4, dy=layout.gap // 2) == rgb(LIGHT.board)
    assert stage.seen_of(0, dy=beside) == rgb(LIGHT.board)
    stage.play(0, 4, 7)
    assert stage.seen_of(4, dy=beside) == rgb(LIGHT.board)
    assert stage.seen_of(7, dy=beside) == rgb(LIGHT.last)
    stage.play()
    assert stage.seen_of(7, dy=beside) == rgb(LIGHT.board)


def test_a_captured_box_fills_with_its_owners_colour_and_initial(stage: Stage) -> None:
    view = stage.show(dots(1, 2), 0, 2, 4)
    assert stage.play(0, 2, 4, 5).captures == ((0,),)
    corner = (0.2, 0.2)
    assert view.moving
    assert stage.seen_of(5) == rgb(LIGHT.strokes[1])  # the edge is coloured at once
    assert stage.seen(*corner) == rgb(LIGHT.board)
    assert stage.texts() == []
    stage.pass_time(FILL_S / 2)
    middle = stage.seen(0.5, 0.2)
    assert middle not in (rgb(LIGHT.board), rgb(LIGHT.fills[1]))
    stage.pass_time(FILL_S)
    assert stage.seen(*corner) == rgb(LIGHT.fills[1])
    assert stage.texts() == ["B"]
    assert stage.shows(LIGHT.strokes[1], near=(0.5, 0.5), reach=0.25)
    assert not view.moving


@pytest.mark.parametrize("at_once", [True, False])
def test_captures_run_along_the_chain(stage: Stage, at_once: bool) -> None:
    game = dots(1, 6)
    # First all edges above and below, then from right to left; the last edge captures two boxes.
    flat, run = tuple(range(12)), (18, 17, 16, 15, 14, 12, 13)
    stage.show(game, *flat)
    for number in [len(run)] if at_once else range(1, len(run) + 1):
        stage.play(*flat, *run[:number])
    begun: list[int] = []
    for _ in range(200):
        stage.now += 0.01
        stage.view.tick(stage.now)
        for cell, item in enumerate(stage.view._items.cells.backgrounds):
            if stage.view.itemcget(item, "state") == "normal" and cell not in begun:
                begun.append(cell)
    assert begun == [5, 4, 3, 2, 1, 0]
    assert not stage.view.moving


def test_the_fill_is_never_far_behind(stage: Stage) -> None:
    rows = 10
    game = dots(rows, 10)
    moves, rng = list(range(game.num_actions)), Random(4)
    rng.shuffle(moves)
    stage.show(game)
    for number in range(len(moves)):
        # A fast bot: a move in each frame.
        changes = stage.board.show((), moves[: number + 1])
        stage.view.refresh(changes, initials=("A", "B"))
        stage.now += 0.016
        stage.view.tick(stage.now)
    assert stage.board.state.is_terminal()
    stage.pass_time(LAG_S + FILL_S + GAP_S)
    assert not stage.view.moving
    assert len(stage.texts()) == 100


def test_a_quiet_or_rebuilt_board_does_not_move(stage: Stage) -> None:
    view = stage.show(dots(1, 2), 0, 2, 4)
    stage.play(0, 2, 4, 5, quiet=True)
    assert not view.moving
    assert stage.seen(0.2, 0.2) == rgb(LIGHT.fills[1])
    assert stage.play(2, 0, 4, 5).rebuilt
    assert not view.moving
    assert stage.texts() == ["B"]


def test_what_is_taken_back_is_gone(stage: Stage) -> None:
    view = stage.show(dots(1, 2), 0, 2, 4)
    stage.play(0, 2, 4, 5, pending=(5,))
    stage.pass_time(FILL_S / 2)
    stage.play(0, 2, 4)
    assert not view.moving
    stage.pass_time(1)
    assert stage.seen_of(5) == rgb(LIGHT.free)
    assert stage.seen(0.2, 0.2) == rgb(LIGHT.board)
    assert stage.texts() == []


def test_changes_missing_from_the_update_are_shown(stage: Stage) -> None:
    view = stage.show(dots(1, 2), 0, 2, 4)
    # These changes are never passed on, as when a click is shown before its update.
    stage.board.show((), (0, 2, 4, 5))
    view.refresh(BoardChanges(), initials=("A", "B"))
    stage.pass_time(FILL_S * 2)
    assert stage.seen_of(5) == rgb(LIGHT.strokes[1])
    assert stage.texts() == ["B"]
    assert stage.seen(0.2, 0.2) == rgb(LIGHT.fills[1])


def test_other_names_have_other_initials(stage: Stage) -> None:
    stage.show(dots(1, 1), 0, 1, 2, 3)
    assert stage.texts() == ["B"]
    stage.initials = ("Al", "An")
    stage.play(0, 1, 2, 3)
    assert stage.texts() == ["An"]


def test_marks_are_drawn_in_their_seats_colour(stage: Stage) -> None:
    stage.initials = ("X", "O")
    stage.show(tic_tac_toe(), 0, 4)
    assert stage.seen_of(0) == rgb(LIGHT.strokes[0])
    assert stage.seen(0.5, 0.2) == rgb(LIGHT.board)
    # The middle of an O shows only the tint of the last move.
    assert stage.seen_of(4) == rgb(mix(LIGHT.last, LIGHT.board, 0.22))
    reach, width = stage.view._items.brush.layout.mark
    assert stage.seen_of(4, dx=round(reach - width / 2)) == rgb(LIGHT.strokes[1])
    assert stage.seen(1, 0.5) == rgb(LIGHT.neutral)
    assert stage.texts() == []


def test_a_winning_line_is_highlighted(stage: Stage) -> None:
    stage.initials = ("X", "O")
    stage.show(tic_tac_toe(), 0, 1, 4, 2)
    stage.play(0, 1, 4, 2, 8)
    assert stage.view.moving
    stage.pass_time(FILL_S + 3 * GAP_S)
    for cell in (0, 4, 8):
        assert stage.seen(cell % 3 + 0.5, cell // 3 + 0.12) == rgb(LIGHT.strokes[0])
    assert stage.seen(1.5, 1.5) == rgb(LIGHT.board)  # the sign has the colour of the board
    assert stage.seen(1.5, 0.12) == rgb(LIGHT.board)
    stage.play(0, 1, 4, 2)
    assert stage.seen(0.5, 0.12) == rgb(LIGHT.board)


@pytest.mark.parametrize("game", [dots(10, 10), tic_tac_toe(10, 10, 10)])
def test_a_move_costs_no_more_late_than_early(
    stage: Stage, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = stage.show(game)
    stage.initials = ("X", "O")
    items = len(view.find_all())
    calls = 0

    def counted(method: Callable[..., object]) -> Callable[..., object]:
        def count(*args: object, **options: object) -> object:
            nonlocal calls
            calls += 1
            return method(*args, **options)

        return count

    for name in ("itemconfigure", "coords", "delete", "create_line", "create_polygon"):
        monkeypatch.setattr(view, name, counted(getattr(view, name)))
    rng, costs = Random(1), []
    while not stage.board.state.is_terminal():
        calls = 0
        stage.play(*stage.board.moves, rng.choice(stage.board.state.legal_actions()), quiet=True)
        costs.append(calls)
    assert len(costs) == game.num_actions
    # A stroke takes two boxes at most; a mark may end the game with a line, or several.
    assert max(costs[:-1]) <= 20
    assert len(view.find_all()) == items


# -- size and colours ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", [dots(1, 1), dots(1, 10), dots(10, 1), dots(10, 10), tic_tac_toe(3, 5)]
)
def test_a_board_fills_the_window_and_scales_with_it(stage: Stage, ui: Ui, game: Game) -> None:
    view = stage.show(game)
    geometry = game.geometry()
    items = view.find_all()
    for size in ("1024x720", "400x600", "200x150"):
        stage.root.geometry(size)
        stage.windows.settle()
        left, top = view.pixel(0, 0)
        right, bottom = view.pixel(geometry.width, geometry.height)
        assert (right - left) * geometry.height == (bottom - top) * geometry.width
        width, height = view.winfo_width(), view.winfo_height()
        assert 0 < left < right < width
        assert 0 < top < bottom < height
        assert max((right - left) / width, (bottom - top) / height) > 0.6
        assert view.find_all() == items
        ui.mouse.click_action(view, game.num_actions - 1)
        assert stage.chosen.pop() == game.num_actions - 1
        stage.play(0)
        if geometry.segments:
            assert stage.seen_of(0) == rgb(LIGHT.strokes[0])
        stage.play()


def test_a_board_that_was_resized_shows_what_it_showed(stage: Stage) -> None:
    view = stage.show(dots(2, 2), 0, 2, 6, 7, 3)
    view.show_hint((4,))
    view.show_features([Feature("chain", "c", (1,), (7, 8))])
    stage.root.geometry("500x400")
    stage.windows.settle()
    assert stage.seen_of(0) == rgb(LIGHT.strokes[0])
    assert stage.seen(0.2, 0.2) == rgb(LIGHT.fills[1])
    assert stage.seen_of(3, dy=view._items.brush.layout.glow // 2) == rgb(LIGHT.last)
    assert stage.seen_of(4) == rgb(LIGHT.hint)
    assert stage.texts() == ["B", "chain of 1"]


def test_another_theme_changes_every_colour(stage: Stage) -> None:
    view = stage.show(dots(2, 2), 0, 2, 6, 7, 3)
    view.restyle(DARK)
    assert stage.seen_of(0) == rgb(DARK.strokes[0])
    assert stage.seen(0.2, 0.2) == rgb(DARK.fills[1])
    assert stage.seen(1.5, 0.5) == rgb(DARK.board)
    assert stage.seen_of(4) == rgb(DARK.free)
    assert stage.seen(1, 1) == rgb(DARK.dot)
    assert stage.windows.display.pixel(view.winfo_rootx(), view.winfo_rooty()) == rgb(DARK.ground)
    stage.play(0, 2, 6, 7, 3, 4)
    assert stage.seen_of(4) == rgb(DARK.strokes[0])


def test_nothing_is_left_in_tk_when_a_board_is_gone(stage: Stage) -> None:
    def kept() -> tuple[set[str], set[str]]:
        call = stage.root.tk.call
        split = stage.root.tk.splitlist
        return set(split(call("image", "names"))), set(split(call("font", "names")))

    before = kept()
    view = stage.show(tic_tac_toe(), 0, 1)
    for size in ("600x600", "300x300"):
        stage.root.geometry(size)
        stage.windows.settle()
    assert len(kept()[0]) <= len(before[0]) + 3  # the pictures of other sizes are deleted
    view.destroy()
    assert kept() == before


# -- the mouse -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "every"),
    [(dots(1, 1), 1), (dots(2, 3), 1), (dots(10, 10), 17), (dots(1, 10), 3), (tic_tac_toe(), 1)],
)
def test_a_click_on_anything_chooses_it_also_when_it_is_taken(
    stage: Stage, ui: Ui, game: Game, every: int
) -> None:
    view = stage.show(game)
    wanted = list(range(0, game.num_actions, every))
    for action in wanted:
        ui.mouse.click_action(view, action)
    stage.play(wanted[0])
    ui.mouse.click_action(view, wanted[0])
    assert stage.chosen == [*wanted, wanted[0]]


def test_a_click_beside_everything_does_nothing(stage: Stage, ui: Ui) -> None:
    view = stage.show(dots(3, 3))
    for place in (view.pixel(0.5, 0.5), view.pixel(1, 1), (3, 3), (1000, 400)):
        ui.mouse.click(view, *place)
    ui.mouse.press(3)
    ui.mouse.release(3)
    assert stage.chosen == []


def test_hovering_shows_what_a_click_would_draw(stage: Stage, ui: Ui) -> None:
    view = stage.show(dots(3, 3), 0)
    view.playable, view.mover = True, 1
    tinted = rgb(mix(LIGHT.strokes[1], LIGHT.board, HOVER))
    ui.mouse.move_to_action(view, 4)
    assert stage.seen_of(4) == tinted
    assert view.cget("cursor") == "hand2"
    ui.mouse.move_to_action(view, 7)
    assert stage.seen_of(4) == rgb(LIGHT.free)
    assert stage.seen_of(7) == tinted
    # Neither a drawn edge nor the middle of a box has a preview.
    for x, y in (view.pixel_of(0), view.pixel(1.5, 1.5)):
        ui.mouse.move(view, x, y)
        assert view.cget("cursor") == ""
    assert stage.seen_of(7) == rgb(LIGHT.free)
    assert stage.seen_of(0) == rgb(LIGHT.strokes[0])
    ui.mouse.move_to_action(view, 7)
    ui.mouse.move_to(1279, 899)
    assert stage.seen_of(7) == rgb(LIGHT.free)


def test_what_is_under_a_resting_pointer_follows_the_game(stage: Stage, ui: Ui) -> None:
    view = stage.show(dots(3, 3))
    ui.mouse.move_to_action(view, 4)
    assert stage.seen_of(4) == rgb(LIGHT.free)
    view.playable, view.mover = True, 0
    assert stage.seen_of(4) == rgb(mix(LIGHT.strokes[0], LIGHT.board, HOVER))
    view.mover = 1
    assert stage.seen_of(4) == rgb(mix(LIGHT.strokes[1], LIGHT.board, HOVER))
    stage.play(4)
    assert stage.seen_of(4) == rgb(LIGHT.strokes[0])
    assert view.cget("cursor") == ""
    stage.play()
    assert stage.seen_of(4) == rgb(mix(LIGHT.strokes[1], LIGHT.board, HOVER))
    view.playable = False
    assert stage.seen_of(4) == rgb(LIGHT.free)


def test_hovering_over_a_cell_shows_the_movers_mark(stage: Stage, ui: Ui) -> None:
    view = stage.show(tic_tac_toe())
    stage.initials = ("X", "O")
    stage.play(4)
    view.playable, view.mover = True, 0
    ui.mouse.move_to_action(view, 0)
    assert stage.seen_of(0) == rgb(mix(LIGHT.strokes[0], LIGHT.board, HOVER))
    view.mover = 1
    assert stage.seen_of(0) == rgb(LIGHT.board)
    assert stage.shows(mix(LIGHT.strokes[1], LIGHT.board, HOVER), near=(0.5, 0.5), reach=0.4)


def test_a_board_that_is_only_shown_takes_no_clicks(stage: Stage, ui: Ui) -> None:
    keys: list[str] = []
    stage.root.bind("<Right>", lambda event: keys.append(event.keysym))
    view = BoardView(stage.root, BoardModel(dots(2, 2)), LIGHT, on_action=None, clock=lambda: 0.0)
    view.pack(fill="both", expand=True)
    ui.mouse.click_action(view, 3)
    # The arrows are left to the screen.
    ui.keyboard.press("Tab", "Right")
    assert keys == ["Right"]
    assert not view.tk.getboolean(view.cget("takefocus"))


# -- the keyboard --------------------------------------------------------------------------------


def test_the_mark_around_an_edge_of_a_single_box_is_narrow(stage: Stage, ui: Ui) -> None:
    view = stage.show(dots(1, 1))
    view.playable = True
    view.focus_force()
    ui.keyboard.press("Up")
    left, top, right, bottom = view.bbox("focus")
    assert min(right - left, bottom - top) < 60


def focus_is_seen(stage: Stage) -> bool:
    return bool(stage.view.find_withtag("focus"))


def test_the_keyboard_plays_alone(stage: Stage, ui: Ui) -> None:
    view = stage.show(dots(3, 3), 12)
    view.playable, view.mover = True, 1
    assert not focus_is_seen(stage)
    ui.keyboard.press("Tab")
    assert stage.root.focus_get() is view
    assert focus_is_seen(stage)
    start = stage.board.step(None, 0, 0)
    ui.keyboard.press("Return")
    assert start is not None
    assert stage.chosen == [start]
    expected = start
    for key, (dx, dy) in (("Right", (1, 0)), ("Up", (0, -1)), ("Left", (-1, 0)), ("Down", (0, 1))):
        step = stage.board.step(expected, dx, dy)
        assert step is not None
        expected = step
        ui.keyboard.press(key)
        box = view.bbox("focus")
        x, y = view.pixel_of(expected)
        assert math.dist(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), (x, y)) <= 2
    ui.keyboard.press("space")
    assert stage.chosen == [start, expected]
    assert stage.shows(LIGHT.focus, near=stage.board.places.middle(expected), reach=0.6)
    # The frame shows the focus, too.
    left, top, _, _ = view._items.brush.layout.plate
    frame = stage.windows.display.pixel(view.winfo_rootx() + left, view.winfo_rooty() + top + 40)
    assert frame == rgb(LIGHT.focus)


def test_the_marker_stays_where_somebody_has_drawn(stage: Stage, ui: Ui) -> None:
    stage.show(dots(2, 2))
    ui.keyboard.press("Tab", "Return")
    (chosen,) = stage.chosen
    stage.play(chosen)
    assert focus_is_seen(stage)
    ui.keyboard.press("Return")
    assert stage.chosen == [chosen, chosen]  # the screen explains the refusal
    ui.keyboard.press("Down", "Return")
    assert stage.board.drawer(stage.chosen[-1]) is None


def test_the_marker_is_seen_only_while_the_keyboard_is_used(stage: Stage, ui: Ui) -> None:
    other = tk.Button(stage.root, text="other")
    other.pack()
    view = stage.show(dots(2, 2))
    ui.mouse.click_action(view, 0)
    assert stage.root.focus_get() is view
    assert not focus_is_seen(stage)
    # The first key only shows the marker.
    ui.keyboard.press("Right")
    assert focus_is_seen(stage)
    assert stage.chosen == [0]
    ui.mouse.click_action(view, 3)
    assert not focus_is_seen(stage)
    ui.keyboard.press("Return")
    assert stage.chosen == [0, 3]
    assert focus_is_seen(stage)
    ui.keyboard.press("shift+Tab")
    assert stage.root.focus_get() is other
    assert not focus_is_seen(stage)


def test_when_nothing_is_free_the_keys_do_nothing(stage: Stage, ui: Ui) -> None:
    stage.show(dots(1, 1), 0, 1, 2, 3)
    ui.keyboard.press("Tab", "Right", "Return", "space")
    assert stage.chosen == []


# -- advice and features -------------------------------------------------------------------------


def test_advice_is_marked_until_the_next_move(stage: Stage) -> None:
    view = stage.show(dots(3, 3), 0)
    view.show_hint((4, 7))
    assert stage.seen_of(4) == stage.seen_of(7) == rgb(LIGHT.hint)
    view.show_hint((7,))
    assert stage.seen_of(4) == rgb(LIGHT.free)
    # The confirmation of a move removes no marks.
    stage.play(0)
    assert stage.seen_of(7) == rgb(LIGHT.hint)
    stage.play(0, 2)
    assert stage.seen_of(7) == rgb(LIGHT.free)
    view.show_hint((7,))
    view.show_hint(())
    assert stage.seen_of(7) == rgb(LIGHT.free)


def test_features_lie_over_their_cells_with_a_label(stage: Stage, ui: Ui) -> None:
    view = stage.show(dots(2, 4), 1)
    chain = Feature("chain", "long chain of 3", (0, 1, 2), (12, 13, 14, 15))
    short = Feature("capturable", "1 to take, the last 1 can be declined", (7,), (21,), 1)
    view.show_features([chain, short])
    # A little beside the line in the middle of the path.
    assert stage.seen(0.8, 0.5, dy=8) == rgb(mix(LIGHT.chain, LIGHT.board, 0.26))
    assert stage.seen(3.8, 1.5, dy=8) == rgb(mix(LIGHT.capturable, LIGHT.board, 0.26))
    assert stage.seen(0.5, 1.5) == rgb(LIGHT.board)
    # One label fits; the other shows only the number of boxes until the pointer is over it.
    assert stage.texts() == ["1", "long chain of 3"]
    ui.mouse.move(view, *view.pixel(3.5, 1.4))
    assert stage.texts() == ["1 to take, the last 1 can be declined", "long chain of 3"]
    box = view.bbox("label")
    assert box[0] >= 0
    assert box[2] <= view.winfo_width()
    ui.mouse.move(view, *view.pixel(0.5, 1.5))
    assert stage.texts() == ["1", "long chain of 3"]
    # Edges that are drawn lie over it.
    assert stage.seen_of(1) == rgb(LIGHT.strokes[0])
    view.show_features(())
    assert stage.seen(0.8, 0.5, dy=8) == rgb(LIGHT.board)
    assert stage.texts() == []


# -- discs and objects ---------------------------------------------------------------------------


def test_discs_lie_in_their_holes_the_last_one_is_marked(stage: Stage) -> None:
    stage.show(connect_four(), 2, 2)
    assert stage.seen(2.5, 3.5) == rgb(LIGHT.strokes[0])
    assert stage.seen(2.5, 2.5) == rgb(LIGHT.strokes[1])
    assert stage.seen(2.5, 1.5) == rgb(LIGHT.board)
    assert stage.seen(2.05, 1.05) == stage.seen(2.05, 3.05) == rgb(LIGHT.tray)
    assert stage.seen(2.05, 2.05) == rgb(mix(LIGHT.last, LIGHT.tray, 0.22))


def test_a_disc_falls_into_its_hole(stage: Stage) -> None:
    stage.show(connect_four())
    stage.play(1)
    assert stage.view.moving
    assert stage.seen(1.5, 3.5) == rgb(LIGHT.board)
    stage.pass_time(0.15)
    colour = rgb(LIGHT.strokes[0])
    assert stage.seen(1.5, 3.5) != colour
    assert any(stage.seen(1.5, y / 4) == colour for y in range(1, 12))
    stage.pass_time(0.2)
    assert not stage.view.moving
    assert stage.seen(1.5, 3.5) == colour
    assert stage.seen(1.5, 2.5) == rgb(LIGHT.board)


def test_a_fall_that_is_cut_short_leaves_the_disc_in_its_hole(stage: Stage) -> None:
    stage.show(connect_four())
    stage.play(1)
    stage.pass_time(0.1)
    stage.play(quiet=True)
    assert stage.seen(1.5, 3.5) == rgb(LIGHT.board)
    stage.play(1, quiet=True)
    assert stage.seen(1.5, 3.5) == rgb(LIGHT.strokes[0])


def test_a_line_of_discs_stands_out(stage: Stage) -> None:
    stage.show(connect_four(), 0, 1, 0, 1, 0, 1, 0)
    assert stage.seen(0.04, 0.04) == rgb(mix(LIGHT.text, LIGHT.tray, 0.9))
    assert stage.seen(0.5, 0.5) == rgb(LIGHT.strokes[0])
    assert stage.seen(1.04, 3.04) == rgb(LIGHT.tray)


def test_hovering_shows_where_a_disc_would_lie_also_after_a_reply(stage: Stage, ui: Ui) -> None:
    view = stage.show(connect_four(), 3)
    view.playable, view.mover = True, 1
    ui.mouse.move(view, *view.pixel(3.5, 0.5))
    pale = rgb(mix(LIGHT.strokes[1], LIGHT.tray, 0.45))
    assert stage.seen(3.5, 2.5) == pale
    stage.play(3, 3, quiet=True)
    assert stage.seen(3.5, 1.5) == pale
    assert stage.seen(3.5, 2.5) == rgb(LIGHT.strokes[1])
    ui.mouse.click(view, *view.pixel(3.5, 3.5))
    assert stage.chosen == [3]


def test_discs_that_wait_are_pale_and_only_they(stage: Stage) -> None:
    stage.show(connect_four())
    stage.play(3, 3, 3, pending=(3,), quiet=True)
    assert stage.seen(3.5, 3.5) == rgb(LIGHT.strokes[0])
    assert stage.seen(3.5, 1.5) == rgb(mix(LIGHT.strokes[0], LIGHT.board, 0.5))


def test_objects_lie_there_until_they_are_taken(stage: Stage) -> None:
    stage.show(nim(), 5, 2)
    assert stage.seen_of(0) == stage.seen_of(1) == stage.seen_of(4) == rgb(LIGHT.object)
    ring = round(0.39 * stage.view.pixel(1, 0)[0] - 0.39 * stage.view.pixel(0, 0)[0])
    for action, seat in ((5, 0), (7, 0), (2, 1)):
        assert stage.seen_of(action) != rgb(LIGHT.object)
        assert stage.seen_of(action, ring - 2) != stage.seen_of(action), seat
    last = mix(LIGHT.last, LIGHT.board, 0.22)
    assert stage.seen_of(2) == stage.seen_of(3) == rgb(last)
    assert stage.seen_of(5) == rgb(LIGHT.board)


def test_hovering_shows_all_that_would_be_taken(stage: Stage, ui: Ui) -> None:
    view = stage.show(nim())
    view.playable, view.mover = True, 0
    ui.mouse.move_to_action(view, 6)
    pale = rgb(mix(LIGHT.strokes[0], LIGHT.board, 0.45))
    assert [stage.seen_of(action) == pale for action in range(8)] == [False] * 6 + [True] * 2


def test_advice_marks_all_that_should_be_taken(stage: Stage) -> None:
    view = stage.show(nim())
    view.show_hint((6,))
    hinted = rgb(mix(LIGHT.hint, LIGHT.board, 0.2))
    side = round(0.4 * (view.pixel(1, 0)[0] - view.pixel(0, 0)[0]))
    seen = [stage.seen_of(action, side, side) == hinted for action in range(8)]
    assert seen == [False] * 6 + [True] * 2
    stage.play(7)
    assert stage.seen_of(6, side, side) != hinted


def test_the_keyboards_marker_is_around_the_column(stage: Stage, ui: Ui) -> None:
    view = stage.show(connect_four())
    view.focus_force()
    ui.keyboard.press("Right", "Right")
    assert stage.shows(LIGHT.focus, near=(3.07, 2), reach=0.06)
    assert stage.shows(LIGHT.focus, near=(3.93, 0.5), reach=0.06)
    ui.keyboard.press("Return")
    assert stage.chosen == [3]
