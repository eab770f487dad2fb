"""What the screen of a room shows: the board, what is below it, and the side with the seats, the
moves and the buttons."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Collection, Iterator, Mapping
from tkinter import ttk
from typing import Final

from client.tk.models.board.model import BoardChanges, BoardModel
from client.tk.models.look import Look
from client.tk.models.room.game import GameModel
from client.tk.models.room.hint import HintModel
from client.tk.models.words import game_line, time_line
from client.tk.theme import HEADLINE, STRONG
from client.tk.widgets.board.below import Legend, LookBackBar, Sentence
from client.tk.widgets.board.cards import Card, CardButton, Choices, Confirmation
from client.tk.widgets.board.move_list import TurnList
from client.tk.widgets.board.seat_panel import SeatView
from client.tk.widgets.board.view import BoardView
from client.tk.widgets.buttons import enter_button
from client.tk.widgets.labels import FittedLabel

Command = Callable[[], None]

ROOMY_PX: Final = 600
"""A window that is lower than this is a small one."""
_LEAST_SIDE_PX, _MOST_SIDE_PX = 256, 360
_BELOW_PX: Final = 290
"""How high the side is where it is below the board, because that leaves more to the board."""
_ROUND_PX: Final = 64
"""By how much what is above and below a board is higher than the edges beside it."""
_NARROW_PX: Final = 620
"""In a window that is narrower than this the title has a small font."""
_PAD: Final = 16


class GameView(ttk.Frame):
    """The widgets of a room whose board is `board`. `commands` are what buttons do, by name."""

    def __init__(
        self,
        parent: tk.Misc,
        board: BoardModel,
        look: Look,
        *,
        clock: Callable[[], float],
        on_action: Callable[[int], None],
        on_ply: Callable[[int], None],
        on_step: Callable[[int], None],
        commands: Mapping[str, Command],
    ) -> None:
        # It has keys, so Tk would think that it wants the focus.
        super().__init__(parent, takefocus=False)
        self._sizes: tuple[int, bool, bool, bool] | None = None
        self._commands = commands
        self.columnconfigure(0, weight=1)
        self.rowconfigure(1, weight=1)
        self._build_head()
        main = self._main = ttk.Frame(self)
        main.grid(row=1, column=0, sticky="nsew", padx=(_PAD, 0), pady=(0, 8))
        main.columnconfigure(0, weight=1)
        main.rowconfigure(0, weight=1)
        self.board = BoardView(main, board, look, on_action=on_action, clock=clock)
        # It asks for little and gets what there is. No less than this: Tk (8.6, tkGrid.c) leaves a
        # frame that asks for a width of one pixel as it is when something in it comes or goes.
        self.board.configure(width=2, height=2)
        self.board.grid(row=0, column=0, sticky="nsew")
        self.sentence = Sentence(main, look)
        self.sentence.grid(row=1, column=0, sticky="ew", pady=(6, 0))
        self.look_back = LookBackBar(
            main, look, on_step=on_step, on_latest=self._commands["latest"]
        )
        self.look_back.grid(row=1, column=0, sticky="nsew", pady=(6, 0))
        self.look_back.grid_remove()
        # The board stays as it is whichever of the two is there.
        highest = max(part.winfo_reqheight() for part in (self.sentence, self.look_back))
        main.rowconfigure(1, minsize=highest + 6)
        self.legend = Legend(main, look)
        self.legend.grid(row=2, column=0, pady=(4, 0))
        self.legend.grid_remove()
        self._build_side(look, on_ply)
        self.bind("<Configure>", self._resized)
        for widget in _descendants(self):
            widget.bindtags((str(self), *widget.bindtags()))

    def _build_head(self) -> None:
        head = self._head = ttk.Frame(self)
        head.grid(row=0, column=0, columnspan=2, sticky="ew", padx=_PAD, pady=(12, 6))
        head.columnconfigure(1, weight=1)
        self.back = self._button(head, "back", "‹ Lobby")
        self.back.grid(row=0, column=0, rowspan=2, padx=(0, _PAD))
        self.title = FittedLabel(head, "", style="Heading.TLabel", name="title")
        self.title.grid(row=0, column=1, sticky="ew")
        self.about = FittedLabel(head, "", style="Dim.TLabel", name="about")
        self.about.grid(row=1, column=1, sticky="ew")
        self.sound = self._switch(head, "sound", "Sound")
        self.sound.grid(row=0, column=2, rowspan=2, padx=(_PAD, 0))
        self.full_screen = self._button(head, "full_screen", "Full screen")
        self.full_screen.grid(row=0, column=3, rowspan=2, padx=(12, 0))

    def _build_side(self, look: Look, on_ply: Callable[[int], None]) -> None:
        side = self._side = ttk.Frame(self, name="side", width=_LEAST_SIDE_PX)
        side.grid(row=1, column=1, sticky="nsew", padx=_PAD, pady=(0, 12))
        side.grid_propagate(False)
        self.seats = SeatView(side, 0, look), SeatView(side, 1, look)
        self.waiting = Card(side, "waiting", self._some("copy", "close"))
        self.ending = Card(
            side,
            "ending",
            self._some("rematch", "play_again", "tournament", "review", "lobby", "quit"),
        )
        self.moves = TurnList(side, look, on_ply=on_ply)
        self.overlay = self._switch(side, "overlay", "Chains and loops")
        self.actions = Choices(side, self._some("hint", "claim", "abort", "resign"))
        self.question = Confirmation(side, self._some("confirm", "leave_running", "stay"))
        self._arrange_side(below=False)
        for hidden in (self.waiting, self.ending, self.question):
            hidden.grid_remove()

    def _arrange_side(self, *, below: bool) -> None:
        """Put everything into one column, or, where the side is below the board, into two."""
        side = self._side
        some = (self.waiting, self.ending, self.overlay, self.actions, self.question)
        hidden = [part for part in some if self._sizes is not None and not part.winfo_manager()]
        last = 1 if below else 0
        for column in (0, 1):
            weight = int(column <= last)
            side.columnconfigure(column, weight=weight, uniform="half" if below else "")
        side.rowconfigure(2, weight=int(below))
        side.rowconfigure(3, weight=int(not below))
        first, second = self.seats
        gap = (8 if below else 0, 0)
        first.grid(row=0, column=0, sticky="ew")
        second.grid(row=0 if below else 1, column=last, sticky="ew", padx=gap)
        for card in (self.waiting, self.ending):
            row, rows = (1, 4) if below else (2, 1)
            card.grid(row=row, column=last, rowspan=rows, sticky="new", padx=gap, pady=(0, 8))
        rows = 3 if below else 1
        self.moves.grid(row=1 if below else 3, column=0, rowspan=rows, sticky="nsew")
        self.overlay.grid(row=4, column=0, sticky="w", pady=(8, 0))
        for widget in (self.actions, self.question):
            widget.grid(row=4 if below else 5, column=last, sticky="ew", padx=gap, pady=(8, 0))
        for part in hidden:
            part.grid_remove()

    def _some(self, *names: str) -> dict[str, Command]:
        return {name: self._commands[name] for name in names}

    def _button(self, parent: tk.Misc, name: str, text: str) -> ttk.Button:
        return enter_button(parent, name, text, self._commands[name])

    def _switch(self, parent: tk.Misc, name: str, text: str) -> ttk.Checkbutton:
        switch = ttk.Checkbutton(
            parent,
            name=name,
            text=text,
            style="Switch.TCheckbutton",
            command=self._commands[name],
        )
        # Without a variable of its own it is in doubt at first: "alternate".
        switch.state(["!alternate"])
        return switch

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        """Give the board as much as a small window has."""
        if event.widget is not self:
            return
        side = min(max(_LEAST_SIDE_PX, round(event.width * 0.29)), _MOST_SIDE_PX)
        compact = event.height < ROOMY_PX
        below = event.height - _ROUND_PX - _BELOW_PX > event.width - side
        narrow = event.width < _NARROW_PX
        if (side, compact, below, narrow) == self._sizes:
            return
        was_below = self._sizes is not None and self._sizes[2]
        self._sizes = side, compact, below, narrow
        if below != was_below:
            self._arrange_side(below=below)
            self._side.grid_configure(row=2 if below else 1, column=0 if below else 1)
            self._main.grid_configure(padx=(_PAD, _PAD if below else 0))
        self.title.set_font(STRONG if narrow else HEADLINE)
        self._head.grid_configure(pady=(6, 4) if compact else (12, 6))
        self._side.grid_configure(pady=(0, 8 if compact else 12))
        self._side.configure(width=side, height=_BELOW_PX if below else 1)
        for panel in self.seats:
            panel.compact(compact)
            panel.grid_configure(pady=(0, 4 if compact else 8))
        for card in (self.ending, self.waiting, self.question, self.actions):
            card.compact(compact or below)

    def hear(self, key: str, act: Command) -> None:
        """Let a key do something wherever the focus is in here.

        This frame is a bindtag of the widgets in it, before their own classes.
        """

        def pressed(_: object) -> str:
            act()
            return "break"

        self.bind(key, pressed)

    def restyle(self, look: Look) -> None:
        """Other colours."""
        self.board.restyle(look)
        for part in (self.sentence, self.look_back, self.legend, self.moves, *self.seats):
            part.restyle(look)

    # -- what is so now ----------------------------------------------------------------------

    def show(
        self,
        model: GameModel,
        changes: BoardChanges,
        hint: HintModel,
        *,
        asked: Collection[str],
        now: float,
        quiet: bool,
    ) -> None:
        """Show the room, whose board has changed by `changes`. `asked` are the names of buttons
        whose requests wait for an answer, `now` is in seconds."""
        earlier = model.viewing is not None
        board, initials = self.board, model.initials
        board.refresh(changes, initials=initials, pending=model.pending, quiet=quiet)
        board.mover = model.to_move
        board.playable = model.my_turn and not earlier
        board.show_hint(() if hint.best is None or earlier else (hint.best,))
        self.show_overlay(model)
        for seat, panel in enumerate(self.seats):
            panel.show(model.panel(seat), initials[seat])
        picture = model.picture
        self.title.say(game_line(picture.settings))
        about = [time_line(picture.time), model.worth]
        if picture.opening:
            about.append("from an opening")
        self.about.say(" · ".join((*about, *filter(None, (model.watching_line,)))))
        self.moves.show("After the opening" if picture.opening else "Start", model.turns)
        self.moves.mark(model.ply if model.total else None)
        _set_shown(self.sentence, not earlier)
        _set_shown(self.look_back, earlier)
        self.look_back.show(model.ply, model.total)
        self._show_waiting(model)
        self._show_ending(model, asked)
        self._show_actions(model, hint, asked=asked, now=now)
        self._keep_focus()

    def say(self, model: GameModel, hint: HintModel, notice: str, now: float) -> None:
        """Say how things are, or `notice` if that is not empty, or a hint. `now` is in seconds."""
        if notice:
            self.sentence.say(notice, "wrong")
        elif line := hint.line(now):
            self.sentence.say(line, "wrong" if hint.problem else "hint")
        elif line := model.absence_line(now):
            self.sentence.say(line, "strong")
        else:
            self.sentence.say(model.status_line, "strong" if model.my_turn else "plain")

    def show_overlay(self, model: GameModel) -> None:
        """Point out what there is to point out, if that is wanted."""
        on = model.has_features and self.overlay.instate(["selected"])
        features = model.features if on else ()
        _set_shown(self.overlay, model.has_features)
        _set_shown(self.legend, on)
        self.board.show_features(features)
        self.legend.show(tuple(feature.kind for feature in features))

    def _show_actions(
        self, model: GameModel, hint: HintModel, *, asked: Collection[str], now: float
    ) -> None:
        choices = []
        if model.playing:
            if model.may_claim(now):
                claim = "claim" not in asked
                choices.append(CardButton("claim", "Claim the win", enabled=claim, main=True))
            if model.hints:
                may = model.may_hint and not hint.thinking
                choices.append(CardButton("hint", "Thinking ..." if hint.thinking else "Hint", may))
            if model.may_abort:
                choices.append(CardButton("abort", "Call off", "abort" not in asked))
            choices.append(CardButton("resign", "Resign", "resign" not in asked))
        self.actions.show(choices)
        asking = bool(self.question.winfo_manager())
        _set_shown(self.actions, bool(choices) and not asking)

    def _keep_focus(self) -> None:
        """Where the focus is must be seen: what has gone away gives it to the board."""
        focus = self.focus_displayof()
        if focus is not None and str(focus).startswith(f"{self}."):
            part: tk.Misc = focus
            while part is not self:
                if not part.winfo_manager():
                    self.board.focus_set()
                    return
                part = part.master  # type: ignore[assignment]

    def ask(self, sentence: str, choices: Mapping[str, str]) -> None:
        """Ask `sentence`, with `choices` by name, the last of which changes nothing; without any
        the question goes away."""
        _set_shown(self.question, bool(choices))
        _set_shown(self.actions, not choices)
        if choices:
            self.question.ask(sentence, [CardButton(name, text) for name, text in choices.items()])

    def _show_waiting(self, model: GameModel) -> None:
        picture = model.picture
        waits = picture.status == "waiting"
        _set_shown(self.waiting, waits)
        if not waits:
            return
        text = f"Room {picture.room}"
        if picture.code:
            text = f"Tell your opponent:\n{text}\nCode {picture.code}"
        self.waiting.say("Waiting for an opponent", text)
        self.waiting.choices.show((CardButton("copy", "Copy"), CardButton("close", "Close room")))

    def _show_ending(self, model: GameModel, asked: Collection[str]) -> None:
        picture, ending = model.picture, model.ending
        over = picture.status in ("finished", "closed")
        _set_shown(self.ending, over)
        if not over:
            return
        here = picture.status == "finished"
        if ending is None:
            self.ending.say("The room is closed", picture.sentence)
        else:
            gone = model.rematches and not model.opponent_here and here
            note = "Your opponent is not here any more." if gone else model.tournament_note
            self.ending.say_ending(ending, note)
        choices = []
        if picture.tournament is not None:
            choices = [CardButton("tournament", "Tournament ...", main=True, wide=True)]
        elif model.hands:
            waits = here and not model.rematch_hands
            may = model.may_rematch and model.opponent_here and "rematch" not in asked
            text = "Accept rematch" if model.rematch_offered else "Rematch"
            text = "Rematch offered" if waits else text
            choices = [
                CardButton("rematch", text, may, main=may, wide=True),
                CardButton("play_again", "Play again ...", main=not may and not waits),
            ]
        if ending is not None:
            choices.append(CardButton("review", "Review", "review" not in asked))
        choices += [CardButton("lobby", "Back to lobby"), CardButton("quit", "Quit")]
        self.ending.choices.show(choices)


def _set_shown(widget: ttk.Frame | ttk.Checkbutton | tk.Frame, there: bool) -> None:
    """Let a widget that has been gridded be there or not."""
    if not there:
        widget.grid_remove()
    elif not widget.winfo_manager():
        widget.grid()


def _descendants(widget: tk.Misc) -> Iterator[tk.Misc]:
    for child in widget.winfo_children():
        yield child
        yield from _descendants(child)
