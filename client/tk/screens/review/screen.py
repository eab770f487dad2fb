"""The screen of a review: step through a finished game with board, moves and score plot."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterator
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Context, Screen
from doublecross.client.tk.models.board.model import BoardChanges
from doublecross.client.tk.models.pages import Page
from doublecross.client.tk.models.review import ReviewModel
from doublecross.client.tk.screens.review.analysis import AnalysisRunner
from doublecross.client.tk.screens.review.card import CardCommands
from doublecross.client.tk.screens.review.controls import StepCommands, StepControls
from doublecross.client.tk.screens.review.side import ReviewSide
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.board.below import NoticeBar
from doublecross.client.tk.widgets.board.view import BoardView
from doublecross.client.tk.widgets.buttons import enter_button, is_on
from doublecross.client.tk.widgets.labels import FittedLabel
from doublecross.client.tk.widgets.plot.plot import ScorePlot
from doublecross.client.tk.widgets.visible import set_visible
from doublecross.games.record import Record

ANIMATED: Final = 12
"""A step of more moves than this is not animated, because it would take too long."""

_ROOMY_PX: Final = 600
_NARROW_PX: Final = 760
_LEAST_SIDE_PX, _MOST_SIDE_PX = 236, 360
_LEAST_PLOT_PX, _MOST_PLOT_PX = 92, 190


class ReviewScreen(Screen):
    """Shows the game of `record` under `title`; `back` opens the former screen.

    `page` is the path of the page in the browser that reviews the game or can open its record.
    """

    name = "review"

    def __init__(
        self,
        context: Context,
        record: Record,
        *,
        title: str,
        back: Callable[[], None],
        page: str = Page.RECORDS,
    ) -> None:
        super().__init__(context)
        self.model = ReviewModel(record)
        self._back = back
        self._analysed = False
        self._sizes: tuple[int, int, bool, bool] | None = None
        self.columnconfigure(0, weight=1)
        self.rowconfigure(1, weight=1)
        self.analysis = AnalysisRunner(context, self.model, changed=self._show_analysis)
        self._build_head(title, back)
        self._build_board()
        self.side = ReviewSide(
            self,
            context,
            self.model,
            on_ply=self._go_to,
            on_overlay=self._show_overlay,
            on_hint=self._hint,
            on_page=lambda: context.navigation.to_page(page),
            card=CardCommands(
                analyse=self.analysis.begin,
                stop=self.analysis.cancel,
                always=self._switch_always,
                mistake=self._go_to_mistake,
                better=self._better_variation,
            ),
        )
        self.side.configure(width=scaled(self, _LEAST_SIDE_PX))
        self.side.grid(row=1, column=1, sticky="nsew", padx=16, pady=(0, 12))
        self._bind_keys(page)
        self.restyle()
        self._show(BoardChanges(rebuilt=True), quiet=True)
        self.bind("<Configure>", self._resized)
        self._controls.focus_set()
        self._show_analysis()
        if context.home.settings.analyse:
            self.analysis.begin()

    # -- called by the window ----------------------------------------------------------------

    def tick(self, now: float) -> None:
        """Advance the animations, and the game if it plays automatically, to `now` in seconds."""
        changes = self.model.tick(now)
        if changes is not None:
            self._show(changes)
            self._sound()
        self.board.tick(now)
        self.side.actions.tick(now)
        self.analysis.tick(now)

    def restyle(self) -> None:
        """Apply the current theme."""
        colours = self.context.colours
        self.board.restyle(colours)
        self.plot.restyle(colours)
        self.side.restyle(colours)
        self._banner.restyle(colours)

    def leave(self) -> None:
        """Stop playing and analysing before another screen replaces this one."""
        self.model.stop()
        self.analysis.stop()

    # -- layout ------------------------------------------------------------------------------

    def _build_head(self, title: str, back: Callable[[], None]) -> None:
        head = ttk.Frame(self)
        head.grid(row=0, column=0, columnspan=2, sticky="ew", padx=16, pady=(4, 4))
        head.columnconfigure(1, weight=1)
        leave = enter_button(head, "leave", tr("‹ Back"), back)
        leave.grid(row=0, column=0, rowspan=2, padx=(0, 16))
        line = FittedLabel(head, title, style="Heading.TLabel", name="title")
        line.grid(row=0, column=1, sticky="ew")
        summary = self.model.summary
        about = [part for part in (summary.title, summary.time, summary.when) if part]
        line = FittedLabel(head, " · ".join(about), style="Dim.TLabel", name="about")
        line.grid(row=1, column=1, sticky="ew")

    def _build_board(self) -> None:
        main = ttk.Frame(self)
        main.grid(row=1, column=0, sticky="nsew", padx=(16, 0), pady=(0, 8))
        main.columnconfigure(0, weight=1)
        main.rowconfigure(0, weight=1)
        context = self.context
        self.board = BoardView(
            main,
            self.model.board,
            context.colours,
            on_action=None,
            clock=context.clock,
            rim=context.home.settings.rim,
        )
        self.board.configure(width=1, height=1)
        self.board.playable = False
        self.board.grid(row=0, column=0, sticky="nsew")
        for wheel, by in (("<Button-4>", -1), ("<Button-5>", 1)):
            self.board.bind(wheel, lambda _, by=by: self._step(by))  # type: ignore[misc]
        self.board.bind("<MouseWheel>", lambda event: self._step(-1 if event.delta > 0 else 1))
        self._position = FittedLabel(main, "", name="position", anchor="center")
        self._position.grid(row=1, column=0, sticky="ew", pady=(4, 4))
        self._banner = NoticeBar(
            main,
            context.colours,
            name="variation_banner",
            after=((tr("Back to the game"), self._leave_variation),),
        )
        self._banner.grid(row=1, column=0, sticky="nsew", pady=(2, 2))
        # The banner and the position share a place, so the board keeps its size.
        self._banner_px = self._banner.winfo_reqheight() + 4
        main.rowconfigure(1, minsize=self._banner_px)
        self._banner.grid_remove()
        self._main = main
        commands = StepCommands(
            self._go_to, self._step, self._step_turn, self._play_or_stop, self._hint
        )
        self._controls = StepControls(main, self.model.total, commands)
        self._controls.grid(row=2, column=0, sticky="ew")
        self.plot = ScorePlot(main, context.colours, on_ply=self._go_to)
        self.plot.grid(row=3, column=0, sticky="ew", pady=(4, 0))
        self.plot.show(self.model.replay.nets, self.model.replay.movers, self.model.summary.names)

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        """Rearrange the widgets to give the board as much of the window as possible."""
        if event.widget is not self:
            return
        least, most = scaled(self, _LEAST_SIDE_PX), scaled(self, _MOST_SIDE_PX)
        side = min(max(least, round(event.width * 0.29)), most)
        plot = min(max(_LEAST_PLOT_PX, round(event.height * 0.18)), _MOST_PLOT_PX)
        narrow, low = event.width < scaled(self, _NARROW_PX), event.height < _ROOMY_PX
        self.side.fit(side, event.height)
        if (side, plot, narrow, low) == self._sizes:
            return
        self._sizes = side, plot, narrow, low
        self.side.configure(width=side)
        self.plot.configure(height=plot)
        self._controls.fit(narrow=narrow)
        self._main.rowconfigure(1, minsize=0 if low else self._banner_px)
        self._show_position()

    # -- stepping through the game -----------------------------------------------------------

    def _bind_keys(self, page: str) -> None:
        """Bind keys that work wherever the focus is.

        The frame is the first bindtag of its widgets, so this comes before their own bindings.
        Only the tabs of the notebook keep the arrows, and a click on a tab does not leave the focus
        there.
        """
        last = self.model.total
        keys: dict[str, Callable[[], object]] = {
            "<Left>": lambda: self._step(-1),
            "<Right>": lambda: self._step(1),
            "<Up>": lambda: self._step_turn(-1),
            "<Down>": lambda: self._step_turn(1),
            "<Home>": lambda: self._go_to(0),
            "<End>": lambda: self._go_to(last),
        }
        for key, act in keys.items():
            self.bind(key, lambda _, act=act: self._key(act))  # type: ignore[misc]
        self.bind("<space>", self._space)
        for letter, command in {
            "a": self.analysis.begin,
            "m": lambda: self._go_to_mistake(1),
            "l": self._better_variation,
            "v": lambda: self.context.navigation.to_page(page),
        }.items():
            self.bind(letter, lambda _, act=command: self._key(act))  # type: ignore[misc]
        self.bind("<Shift-M>", lambda _: self._key(lambda: self._go_to_mistake(-1)))
        self.bind("<Escape>", lambda _: self._key(self._escape))
        for widget in _descendants(self):
            if isinstance(widget, ttk.Notebook):
                widget.bind("<Escape>", lambda _: self._key(self._escape))
                widget.bind("<ButtonRelease-1>", lambda _: self._controls.focus_set())
            else:
                widget.bindtags((str(self), *widget.bindtags()))

    def _key(self, act: Callable[[], object]) -> str:
        act()
        return "break"

    def _space(self, event: tk.Event[tk.Misc]) -> str | None:
        if isinstance(event.widget, ttk.Button | ttk.Checkbutton | ttk.Menubutton):
            return None  # the space bar presses the focused button, as in every window
        return self._key(self._play_or_stop)

    def _escape(self) -> None:
        """Return to the game from a variation, or else leave the screen."""
        if self.model.variation is not None:
            self._leave_variation()
        else:
            self._back()

    def _go_to(self, ply: int) -> None:
        self.model.stop()
        near = 0 < ply - self.model.ply <= 1
        self._show(self.model.go(ply), quiet=not near)

    def _step(self, by: int) -> None:
        self.model.stop()
        before = len(self.model.moves)
        self._show(self.model.step(by), quiet=by < 0)
        if len(self.model.moves) > before:
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

    def _hint(self, text: str) -> None:
        self._position.set_text(text or self.model.position_line, text or self.model.position_short)

    def _show(self, changes: BoardChanges, *, quiet: bool = False) -> None:
        """Show the current position."""
        model = self.model
        self.board.refresh(changes, initials=model.initials, quiet=quiet)
        self._show_overlay()
        self.side.show()
        self.plot.mark(model.ply)
        self._controls.show(model.ply, playing=model.playing)
        self._show_position()

    def _show_position(self) -> None:
        """Show the place in the game, or the banner of a variation, which a low window has too."""
        model, low = self.model, self._sizes is not None and self._sizes[3]
        self._position.set_text(model.position_line, model.position_short)
        in_variation = model.variation is not None
        if model.variation is not None:
            line, place = model.position_line, model.variation.place
            short = tr("Line, {place}", place=place)
            self._banner.show(tr("Not played. {sentence}", sentence=line), line, short, place)
        set_visible(self._banner, in_variation)
        set_visible(self._position, not in_variation and not low)

    def _sound(self) -> None:
        self.context.sound.play("capture" if self.model.scored else "draw")

    def _show_overlay(self) -> None:
        if self.model.has_features:
            self.board.show_features(self.model.features if self.side.overlay else ())
        self._show_note()

    # -- the analysis ------------------------------------------------------------------------

    def _show_analysis(self) -> None:
        """Show how far the analysis is, and its result once there is one."""
        game, kept = self.analysis.game, self.context.home.settings
        self.side.card.show_task(self.analysis.task, always=kept.analyse)
        if game is not None and not self._analysed:
            self._analysed = True
            self.side.show_analysis(game)
            self.plot.show_expected(game.curve)
            self._show(BoardChanges())

    def _show_note(self) -> None:
        """Show what the analysis says about the move shown, and mark a better one."""
        game, model = self.analysis.game, self.model
        if game is None:
            return
        in_variation = model.variation is not None
        note = game.note(model.ply)
        self.side.card.show_note(note)
        self.side.card.show_buttons(
            last=game.mistake(model.ply, -1) is not None,
            next_=game.mistake(model.ply, 1) is not None,
            better=bool(game.better_variation(model.ply)),
            in_variation=in_variation,
        )
        legal = model.board.state.is_legal
        best = tuple(action for action in note.best[:1] if legal(action))
        self.board.show_hint(() if in_variation else best)

    def _switch_always(self) -> None:
        kept = self.context.home.settings
        kept.analyse = is_on(self.side.card.always)
        self.context.home.save()
        if kept.analyse:
            self.analysis.begin()

    def _go_to_mistake(self, by: int) -> None:
        found = (
            None if self.analysis.game is None else self.analysis.game.mistake(self.model.ply, by)
        )
        if found is not None:
            self._go_to(found)

    def _better_variation(self) -> None:
        """Play out the better variation, or return from it."""
        if self.model.variation is not None:
            self._leave_variation()
            return
        better = (
            ()
            if self.analysis.game is None
            else self.analysis.game.better_variation(self.model.ply)
        )
        if better:
            self._show(self.model.show_variation(self.model.ply - 1, better))
            self._sound()

    def _leave_variation(self) -> None:
        if self.model.variation is not None:
            self._show(self.model.leave_variation(), quiet=True)


def _descendants(widget: tk.Misc) -> Iterator[tk.Misc]:
    for child in widget.winfo_children():
        yield child
        yield from _descendants(child)
