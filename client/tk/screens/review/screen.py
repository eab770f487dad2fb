"""The review of a finished game: step through it, and see how it went."""

from __future__ import annotations

import asyncio
import tkinter as tk
from collections.abc import Callable, Iterator
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final

from client.tk.context import Context, Screen
from client.tk.files import RECORD_FILES, write_record
from client.tk.models.board.model import BoardChanges
from client.tk.models.review import ReviewModel
from client.tk.screens.review.side import FactList, OutcomePanel, PlayerPanel
from client.tk.widgets.board.move_list import TurnList
from client.tk.widgets.board.plot import ScorePlot
from client.tk.widgets.board.view import BoardView
from client.tk.widgets.buttons import enter_button
from client.tk.widgets.labels import FittedLabel, WrappedLabel
from games.api import GameError
from games.record import Record, format_record

ANIMATED: Final = 12
"""A step of more moves than this is not animated: one would wait for it."""

_ROOMY_PX: Final = 600
_NARROW_PX: Final = 760
_LEAST_SIDE_PX, _MOST_SIDE_PX = 236, 360
_LEAST_PLOT_PX, _MOST_PLOT_PX = 92, 190
_SAID_S: Final = 5.0
_PLAY: Final = "Play"
_PAUSE: Final = "Pause"


class ReviewScreen(Screen):
    """The game of `record`, called `title`; `back` leads to where one came from."""

    name = "review"

    def __init__(
        self, context: Context, record: Record, *, title: str, back: Callable[[], None]
    ) -> None:
        super().__init__(context)
        self.model = ReviewModel(record)
        self._back = back
        self._sizes: tuple[int, int, bool, bool] | None = None
        self._message_until: float | None = None
        self.columnconfigure(0, weight=1)
        self.rowconfigure(1, weight=1)
        self._build_head(title, back)
        self._build_board()
        self._build_side()
        self._bind_keys()
        self.restyle()
        self._show(BoardChanges(rebuilt=True), quiet=True)
        self.bind("<Configure>", self._resized)
        self._play.focus_set()

    # -- what the window calls ---------------------------------------------------------------

    def tick(self, now: float) -> None:
        """Let the animations run, and the game if it plays by itself."""
        changes = self.model.tick(now)
        if changes is not None:
            self._show(changes)
            self._sound()
        self.board.tick(now)
        if self._message_until is not None and now >= self._message_until:
            self._say("")

    def restyle(self) -> None:
        """Other colours."""
        look = self.context.look
        self.board.restyle(look)
        self.plot.restyle(look)
        self.moves.restyle(look)
        self._facts.restyle(look)
        for panel in self._players:
            panel.restyle(look)

    def leave(self) -> None:
        """Another screen comes."""
        self.model.stop()

    # -- how it looks ------------------------------------------------------------------------

    def _build_head(self, title: str, back: Callable[[], None]) -> None:
        head = ttk.Frame(self)
        head.grid(row=0, column=0, columnspan=2, sticky="ew", padx=16, pady=(12, 4))
        head.columnconfigure(1, weight=1)
        leave = enter_button(head, "leave", "‹ Back", back)
        leave.grid(row=0, column=0, rowspan=2, padx=(0, 16))
        line = FittedLabel(head, title, style="Heading.TLabel", name="title")
        line.grid(row=0, column=1, sticky="ew")
        model = self.model
        about = [part for part in (model.title, model.time, model.when) if part]
        line = FittedLabel(head, " · ".join(about), style="Dim.TLabel", name="about")
        line.grid(row=1, column=1, sticky="ew")

    def _build_board(self) -> None:
        main = ttk.Frame(self)
        main.grid(row=1, column=0, sticky="nsew", padx=(16, 0), pady=(0, 8))
        main.columnconfigure(0, weight=1)
        main.rowconfigure(0, weight=1)
        context = self.context
        self.board = BoardView(
            main, self.model.board, context.look, on_action=None, clock=context.clock
        )
        self.board.configure(width=1, height=1)
        self.board.playable = False
        self.board.grid(row=0, column=0, sticky="nsew")
        for wheel, by in (("<Button-4>", -1), ("<Button-5>", 1)):
            self.board.bind(wheel, lambda _, by=by: self._step(by))  # type: ignore[misc]
        self.board.bind("<MouseWheel>", lambda event: self._step(-1 if event.delta > 0 else 1))
        self._position = FittedLabel(main, "", name="position", anchor="center")
        self._position.grid(row=1, column=0, sticky="ew", pady=(4, 4))
        self._controls = self._build_controls(main)
        self._controls.grid(row=2, column=0)
        self._build_slider(main).grid(row=3, column=0, sticky="ew", pady=(4, 0))
        self.plot = ScorePlot(main, context.look, on_ply=self._go)
        self.plot.grid(row=4, column=0, sticky="ew", pady=(4, 0))
        self.plot.show(self.model.nets, self.model.movers, self.model.names)

    def _build_controls(self, parent: ttk.Frame) -> ttk.Frame:
        row = ttk.Frame(parent)
        model = self.model
        buttons: tuple[tuple[str, str, str, Callable[[], object]], ...] = (
            ("first", "|◂", "To the start (Home)", lambda: self._go(0)),
            ("turn_back", "◂◂", "Back a turn (Up)", lambda: self._step_turn(-1)),
            ("step_back", "◂", "Back a move (Left)", lambda: self._step(-1)),
            ("play", _PLAY, "Play on by itself, or stop (Space)", self._play_or_stop),
            ("step_on", "▸", "On a move (Right)", lambda: self._step(1)),
            ("turn_on", "▸▸", "On a turn (Down)", lambda: self._step_turn(1)),
            ("last", "▸|", "To the end (End)", lambda: self._go(model.total)),
        )
        self._steps: dict[str, ttk.Button] = {}
        for column, (name, text, hint, command) in enumerate(buttons):
            button = enter_button(row, name, text, command)
            button.configure(width=6 if name == "play" else 3)
            button.grid(row=0, column=column, padx=2, sticky="ew")
            row.columnconfigure(column, weight=2 if name == "play" else 1)
            button.bind("<Enter>", lambda _, hint=hint: self._position.say(hint))  # type: ignore[misc]
            button.bind("<Leave>", lambda _: self._position.say(model.position_line))
            self._steps[name] = button
        self._play = self._steps["play"]
        return row

    def _build_slider(self, parent: ttk.Frame) -> ttk.Frame:
        row = ttk.Frame(parent)
        row.columnconfigure(0, weight=1)
        total = self.model.total
        self._slider = ttk.Scale(row, name="slider", from_=0, to=max(1, total), takefocus=True)
        if not total:
            self._slider.state(["disabled"])
        # The pointer leads and the slider follows; the theme's own way jumps by fixed steps.
        for event in ("<Button-1>", "<B1-Motion>"):
            self._slider.bind(event, self._slide)
        self._slider.grid(row=0, column=0, sticky="ew")
        self._count = ttk.Label(row, name="count", width=len(f"{total} / {total}"), anchor="e")
        self._count.grid(row=0, column=1, padx=(8, 0))
        return row

    def _build_side(self) -> None:
        side = self._side = ttk.Frame(self, width=_LEAST_SIDE_PX)
        side.grid(row=1, column=1, sticky="nsew", padx=16, pady=(0, 12))
        side.grid_propagate(False)
        side.columnconfigure(0, weight=1)
        side.rowconfigure(3, weight=1)
        look, model = self.context.look, self.model
        OutcomePanel(side, model.outcome).grid(row=0, column=0, sticky="ew", pady=(0, 8))
        self._players = tuple(PlayerPanel(side, model.player(seat), look) for seat in (0, 1))
        for row, panel in enumerate(self._players, 1):
            panel.grid(row=row, column=0, sticky="ew", pady=(0, 8))
        book = ttk.Notebook(side, name="book")
        book.grid(row=3, column=0, sticky="nsew")
        self.moves = TurnList(book, look, on_ply=self._go, framed=False)
        self.moves.show(model.start, model.turns)
        self._facts = FactList(book, model.facts, look)
        book.add(self.moves, text="Moves")
        book.add(self._facts, text="Details")
        self._overlay = ttk.Checkbutton(
            side,
            name="overlay",
            text="Chains and loops",
            style="Switch.TCheckbutton",
            command=self._toggle_overlay,
        )
        on = "selected" if self.context.home.kept.overlay else "!selected"
        self._overlay.state(["!alternate", on])
        if model.has_features:
            self._overlay.grid(row=4, column=0, sticky="w", pady=(8, 0))
        buttons = ttk.Frame(side)
        buttons.grid(row=5, column=0, sticky="ew", pady=(8, 0))
        buttons.columnconfigure((0, 1), weight=1)
        copy = enter_button(buttons, "copy_record", "Copy record", self._copy)
        copy.grid(row=0, column=0, sticky="ew", padx=(0, 4))
        save = enter_button(buttons, "save_record", "Save as ...", self._save)
        save.grid(row=0, column=1, sticky="ew", padx=(4, 0))
        self._message = WrappedLabel(side, "", name="message")

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        """Give the board as much as a small window has."""
        if event.widget is not self:
            return
        side = min(max(_LEAST_SIDE_PX, round(event.width * 0.29)), _MOST_SIDE_PX)
        plot = min(max(_LEAST_PLOT_PX, round(event.height * 0.18)), _MOST_PLOT_PX)
        narrow, low = event.width < _NARROW_PX, event.height < _ROOMY_PX
        if (side, plot, narrow, low) == self._sizes:
            return
        self._sizes = side, plot, narrow, low
        self._side.configure(width=side)
        self.plot.configure(height=plot)
        # In a narrow window the buttons share the room that there is.
        self._controls.grid_configure(sticky="ew" if narrow else "")
        for button in self._steps.values():
            button.configure(padding=(0, 2, 0, 3) if narrow else "")
        if low:
            self._position.grid_remove()
        else:
            self._position.grid()

    # -- going through the game --------------------------------------------------------------

    def _bind_keys(self) -> None:
        """The keys work wherever the focus is, but in what is read or switched by arrows itself.

        This frame is a bindtag of the widgets in it, before their own classes.
        """
        last = self.model.total
        keys: dict[str, Callable[[], object]] = {
            "<Left>": lambda: self._step(-1),
            "<Right>": lambda: self._step(1),
            "<Up>": lambda: self._step_turn(-1),
            "<Down>": lambda: self._step_turn(1),
            "<Home>": lambda: self._go(0),
            "<End>": lambda: self._go(last),
        }
        for key, act in keys.items():
            self.bind(key, lambda _, act=act: self._key(act))  # type: ignore[misc]
        self.bind("<space>", self._space)
        self.bind("<Escape>", lambda _: self._key(self._back))
        for widget in _descendants(self):
            if isinstance(widget, ttk.Notebook | tk.Text):
                widget.bind("<Escape>", lambda _: self._key(self._back))
            else:
                widget.bindtags((str(self), *widget.bindtags()))

    def _key(self, act: Callable[[], object]) -> str:
        act()
        return "break"

    def _space(self, event: tk.Event[tk.Misc]) -> str | None:
        if isinstance(event.widget, ttk.Button | ttk.Checkbutton):
            return None  # it is pressed, as everywhere
        return self._key(self._play_or_stop)

    def _go(self, ply: int) -> None:
        self.model.stop()
        near = 0 < ply - self.model.ply <= 1
        self._show(self.model.go(ply), quiet=not near)

    def _step(self, by: int) -> None:
        self.model.stop()
        before = self.model.ply
        self._show(self.model.step(by), quiet=by < 0)
        if self.model.ply > before:
            self._sound()

    def _step_turn(self, by: int) -> None:
        self.model.stop()
        changes = self.model.step_turn(by)
        self._show(changes, quiet=by < 0 or len(changes.actions) > ANIMATED)

    def _play_or_stop(self) -> None:
        if self.model.playing:
            self.model.stop()
            self._show(BoardChanges())
        else:
            self._show(self.model.play(self.context.clock()), quiet=True)

    def _slide(self, event: tk.Event[tk.Misc]) -> str:
        if not self._slider.instate(["disabled"]):
            self._slider.focus_set()
            self._go(round(float(self._slider.get(event.x, event.y))))
        return "break"

    def _show(self, changes: BoardChanges, *, quiet: bool = False) -> None:
        """Show where one stands now."""
        model = self.model
        self.board.refresh(changes, initials=model.initials, quiet=quiet)
        self._show_overlay()
        for seat, panel in enumerate(self._players):
            panel.show(model.player(seat))
        self.moves.mark(model.ply)
        self.plot.mark(model.ply)
        self._slider.set(model.ply)
        self._count.configure(text=f"{model.ply} / {model.total}")
        self._play.configure(text=_PAUSE if model.playing else _PLAY)
        at_start, at_end = model.ply == 0, model.ply == model.total
        for name, button in self._steps.items():
            there = at_start if name in ("first", "turn_back", "step_back") else at_end
            off = there if name != "play" else not model.total
            button.state(["disabled" if off else "!disabled"])
            if off and self.focus_get() is button:
                self._play.focus_set()  # where the focus is must be seen
        self._position.say(model.position_line)

    def _sound(self) -> None:
        self.context.sound.play("capture" if self.model.scored else "draw")

    # -- the overlay and the record ----------------------------------------------------------

    def _toggle_overlay(self) -> None:
        self.context.home.kept.overlay = self._overlay.instate(["selected"])
        self.context.home.save()
        self._show_overlay()

    def _show_overlay(self) -> None:
        if self.model.has_features:
            on = self._overlay.instate(["selected"])
            self.board.show_features(self.model.features if on else ())

    def _text(self) -> str | None:
        """The record as text; None, and a sentence is shown, if it cannot be written."""
        try:
            return format_record(self.model.record)
        except GameError as error:
            self._say(str(error), wrong=True)
            return None

    def _copy(self) -> None:
        text = self._text()
        if text is not None:
            self.clipboard_clear()
            self.clipboard_append(text)
            self._say("The record is on the clipboard.")

    def _save(self) -> None:
        text = self._text()
        if text is None:
            return
        chosen = filedialog.asksaveasfilename(
            parent=self,
            title="Save the record",
            initialfile=self.model.file_name,
            defaultextension=".txt",
            filetypes=RECORD_FILES,
        )
        if not chosen or not self.winfo_exists():
            return
        path = Path(chosen)
        self.context.network.run(
            lambda: asyncio.to_thread(write_record, path, text),
            lambda _: self._say(f"Saved as {path.name}."),
            lambda refusal: self._say(refusal.sentence, wrong=True),
        )

    def _say(self, sentence: str, *, wrong: bool = False) -> None:
        """Show a sentence below the buttons; what is not wrong for some seconds only."""
        if not self.winfo_exists():
            return
        self._message.configure(text=sentence, style="Error.TLabel" if wrong else "Good.TLabel")
        self._message_until = None if wrong else self.context.clock() + _SAID_S
        if sentence:
            self._message.grid(row=6, column=0, sticky="ew", pady=(8, 0))
        else:
            self._message.grid_remove()


def _descendants(widget: tk.Misc) -> Iterator[tk.Misc]:
    for child in widget.winfo_children():
        yield child
        yield from _descendants(child)
