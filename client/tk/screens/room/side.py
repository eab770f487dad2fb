"""The side panel of a room's screen: seats, moves, cards and buttons."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Collection
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.models.room.parts import RoomParts
from doublecross.client.tk.models.snapshots import RoomSnapshot
from doublecross.client.tk.screens.room.commands import ButtonName, ExitQuestion, RoomCommands
from doublecross.client.tk.screens.room.phrases import PhraseButton
from doublecross.client.tk.screens.room.requests import RequestKind
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.board.cards import Card, CardButton, Choices, Confirmation
from doublecross.client.tk.widgets.board.move_list import TurnList
from doublecross.client.tk.widgets.board.seat_panel import SeatView
from doublecross.client.tk.widgets.buttons import switch_button
from doublecross.client.tk.widgets.visible import set_visible

LEAST_PX: Final = 256
_MOST_PX: Final = 360
BELOW_PX: Final = 290
"""Height of the panel in pixels where it is below the board, because the window is high."""


def side_width(view: tk.Misc, window: int) -> int:
    """Return the width of the panel beside the board for the width of a window, in pixels."""
    return min(max(scaled(view, LEAST_PX), round(window * 0.29)), scaled(view, _MOST_PX))


class RoomSide(ttk.Frame):
    """Shows seats, moves and results of the room of `parts`; its buttons run `commands`."""

    def __init__(
        self,
        parent: tk.Misc,
        parts: RoomParts,
        colours: Colours,
        *,
        on_ply: Callable[[int], None],
        commands: RoomCommands,
        ladder_line: Callable[[RoomSnapshot], str],
    ) -> None:
        super().__init__(parent, name="side", width=LEAST_PX)
        self._parts = parts
        self._ladder_line = ladder_line
        self._colours = colours
        self._below: bool | None = None
        self.grid_propagate(False)
        self.seats = SeatView(self, 0, colours), SeatView(self, 1, colours)
        name, of = ButtonName, commands.of
        self.waiting = Card(self, "waiting", of(name.COPY, name.CLOSE))
        rematch = of(name.REMATCH, name.NO_REMATCH, name.PLAY_AGAIN)
        others = of(name.TOURNAMENT, name.REVIEW, name.LOBBY, name.QUIT)
        self.ending = Card(self, "ending", rematch | others)
        self.moves = TurnList(self, colours, on_ply=on_ply)
        self.switches = ttk.Frame(self)
        self.overlay = switch_button(
            self.switches, "overlay", tr("Chains and loops"), commands.overlay
        )
        self.overlay.grid(row=0, column=0, sticky="w")
        self.phrases = PhraseButton(self.switches, commands.say, commands.mute)
        self.phrases.grid(row=2, column=0, sticky="w", pady=(4, 0))
        reserved = parts.may.features_here  # the switch may appear at any time
        self._overlay_px = self.overlay.winfo_reqheight() + 8 if reserved else 0
        self._foot = ttk.Frame(self)
        self._foot.columnconfigure(0, weight=1)
        playing = of(name.HINT, name.CLAIM, name.ABORT, name.TAKE_BACK, name.RESIGN)
        self.actions = Choices(self._foot, playing | of(name.ACCEPT, name.DECLINE))
        self.question = Confirmation(
            self, "question", of(name.CONFIRM, name.LEAVE_RUNNING, name.STAY)
        )
        self.actions.grid(row=0, column=0, sticky="ew")
        self.arrange(below=False)
        for hidden in (self.waiting, self.ending):
            hidden.grid_remove()

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self._colours = colours
        for part in (self.moves, *self.seats):
            part.restyle(colours)

    # -- layout ------------------------------------------------------------------------------

    def arrange(self, *, below: bool) -> None:
        """Arrange all parts in one column, or in two if the panel is `below` the board."""
        if below == self._below:
            return
        some = (self.waiting, self.ending, self.switches)
        hidden = [part for part in some if self._below is not None and not part.winfo_manager()]
        self._below = below
        last = 1 if below else 0
        for column in (0, 1):
            weight = int(column <= last)
            self.columnconfigure(column, weight=weight, uniform="half" if below else "")
        self.rowconfigure(2, weight=int(below), minsize=0 if below else self._overlay_px)
        self.rowconfigure(4, weight=int(not below))
        first, second = self.seats
        gap = (8 if below else 0, 0)
        first.grid(row=0, column=0, sticky="ew")
        second.grid(row=0 if below else 1, column=last, sticky="ew", padx=gap)
        for card in (self.waiting, self.ending):
            row, rows = (1, 4) if below else (3, 1)
            card.grid(row=row, column=last, rowspan=rows, sticky="new", padx=gap, pady=(0, 8))
        rows = 3 if below else 1
        self.moves.grid(row=1 if below else 4, column=0, rowspan=rows, sticky="nsew")
        # Beside the board the switch is above all that grows and shrinks.
        pady = (8, 0) if below else (0, 8)
        self.switches.grid(row=4 if below else 2, column=0, sticky="w", pady=pady)
        self._foot.grid(row=4 if below else 5, column=last, sticky="ew", padx=gap, pady=(8, 0))
        for card in (self.waiting, self.ending):
            card.lift()  # below the board a card shares the place of the buttons
        self._place_question(shown=self.asking)
        for part in hidden:
            part.grid_remove()

    def fit(self, *, width: int, compact: bool, below: bool) -> None:
        """Fit the panel into `width` pixels, `below` or beside the board, in a `compact` style."""
        self.arrange(below=below)
        self.grid_configure(pady=(0, 8 if compact else 12))
        self.configure(width=width, height=scaled(self, BELOW_PX) if below else 1)
        for panel in self.seats:
            panel.compact(compact)
            panel.grid_configure(pady=(0, 4 if compact else 8))
        for card in (self.ending, self.waiting, self.question, self.actions):
            card.compact(compact or below)
        self._reserve_actions()

    # -- contents ----------------------------------------------------------------------------

    def show(self, *, waiting: Collection[RequestKind], now: float) -> None:
        """Show the room at `now`, in seconds; disable the buttons of the requests in `waiting`."""
        parts, snapshot = self._parts, self._parts.model.snapshot
        initials = parts.text.initials
        for seat, panel in enumerate(self.seats):
            panel.show(parts.text.panel(seat), initials[seat])
        position = parts.model.position
        self.moves.show(
            tr("After the opening") if snapshot.opening else tr("Start"), position.turns
        )
        self.moves.mark(position.ply if position.total else None)
        self._show_waiting()
        self._show_ending(waiting)
        self._show_actions(waiting, now)

    def tick(self, now: float) -> None:
        """Update the clocks at `now`, in seconds."""
        for seat, panel in enumerate(self.seats):
            said = self._parts.phrases.line(seat, now)
            panel.tick(self._parts.model.clock(seat, now), now, said)

    def ask(self, question: ExitQuestion | None) -> None:
        """Ask for a confirmation over the buttons; None shows the buttons again."""
        self._place_question(shown=question is not None)
        set_visible(self.actions, question is None)
        resign = self._parts.text.resign_line
        if question is ExitQuestion.RESIGN:
            self.question.ask(
                tr("Resign this match?"),
                [
                    CardButton(ButtonName.CONFIRM, resign),
                    CardButton(ButtonName.STAY, tr("Play on")),
                ],
            )
        elif question is ExitQuestion.LEAVE:
            alone = not self._parts.model.seats.shared
            self.question.ask(
                tr("The match is not over."),
                [
                    CardButton(ButtonName.CONFIRM, tr("Resign and leave") if alone else resign),
                    CardButton(ButtonName.LEAVE_RUNNING, tr("Leave it running")),
                    CardButton(ButtonName.STAY, tr("Stay")),
                ],
            )

    @property
    def asking(self) -> bool:
        """Return whether the person is asked for a confirmation."""
        return bool(self.question.winfo_manager())

    def _place_question(self, *, shown: bool) -> None:
        """Show the question over the buttons and the list of moves, so that nothing moves."""
        if shown:
            # Its lower edge is that of the buttons.
            self.question.place(in_=self._foot, relx=0, rely=1, relwidth=1, anchor="sw")
            self.question.lift()
        else:
            self.question.place_forget()

    def press_main(self) -> None:
        """Press the highlighted button of the card about the end, if there is one."""
        if self.ending.winfo_manager() and (name := self.ending.choices.main) is not None:
            self.ending.choices.buttons[name].invoke()

    def _show_actions(self, waiting: Collection[RequestKind], now: float) -> None:
        """Show the buttons of this match; those that are of no use now are disabled.

        So they keep their places during the whole match, and no click goes astray.
        """
        may = self._parts.may
        back = RequestKind.TAKEBACK in waiting
        if may.takeback_answerer is not None and not back:
            choices = [
                CardButton(ButtonName.ACCEPT, tr("Accept"), main=True),
                CardButton(ButtonName.DECLINE, tr("Decline")),
            ]
        else:
            choices = self._choices(waiting, now)
        self.actions.show(choices)
        set_visible(self.actions, bool(choices) and not self.asking)
        self._reserve_actions()

    def _choices(self, waiting: Collection[RequestKind], now: float) -> list[CardButton]:
        """Return the buttons of a match in play."""
        may, hint = self._parts.may, self._parts.hint
        choices: list[CardButton] = []
        claim = may.claim(now) and RequestKind.CLAIM not in waiting
        claims = CardButton(ButtonName.CLAIM, tr("Claim the win"), enabled=claim, main=claim)
        # A bot rarely stays away; then the claim is more useful than a hint.
        away = may.hints_given and self._parts.model.snapshot.claim_at is not None
        if may.hints_given and not away:
            text = tr("Thinking ...") if hint.thinking else tr("Hint")
            choices.append(CardButton(ButtonName.HINT, text, may.hint and not hint.thinking))
        elif may.claims_here and may.takebacks_here:
            choices.append(claims)
        if may.takebacks_here:
            idle = RequestKind.TAKEBACK not in waiting
            waits = may.takeback_waits is not None
            enabled = idle and (waits or may.takeback is not None)
            text = tr("Withdraw") if waits else tr("Take back")
            choices.append(CardButton(ButtonName.TAKE_BACK, text, enabled))
        if may.aborts_here:
            abort = may.abort and RequestKind.ABORT not in waiting
            choices.append(CardButton(ButtonName.ABORT, tr("Call off the game"), abort))
        if may.resign:
            resign = RequestKind.RESIGN not in waiting
            choices.append(CardButton(ButtonName.RESIGN, tr("Resign"), resign))
        if may.claims_here and not may.takebacks_here:
            choices.append(claims)
        return choices

    def _reserve_actions(self) -> None:
        """Keep the place of the buttons when a question or the end of the match hides them."""
        if height := self.actions.height:
            self._foot.rowconfigure(0, minsize=height)

    def _show_waiting(self) -> None:
        snapshot = self._parts.model.snapshot
        waits = snapshot.status == "waiting"
        set_visible(self.waiting, waits)
        if not waits:
            return
        text = tr("Room {name}", name=snapshot.room)
        if snapshot.code:
            text = tr("Tell your opponent:\n{room}\nCode {code}", room=text, code=snapshot.code)
        self.waiting.show(tr("Waiting for an opponent"), text)
        self.waiting.choices.show(
            (
                CardButton(ButtonName.COPY, tr("Copy")),
                CardButton(ButtonName.CLOSE, tr("Close room")),
            )
        )

    def _show_ending(self, waiting: Collection[RequestKind]) -> None:
        model, may = self._parts.model, self._parts.may
        snapshot, ending = model.snapshot, model.ending
        set_visible(self.ending, model.over)
        if not model.over:
            return
        here = snapshot.status == "finished"
        if ending is None:
            self.ending.show(tr("The room is closed"), snapshot.sentence)
        else:
            gone = may.rematches_here and not may.opponent_here and here
            note = (
                self._parts.text.tournament_note
                or self._parts.rating.line
                or self._ladder_line(snapshot)
            )
            self.ending.show_ending(
                ending, tr("Your opponent has left.") if gone else note, self._colours
            )
        choices = []
        if snapshot.tournament is not None:
            choices = [
                CardButton(ButtonName.TOURNAMENT, tr("Tournament ..."), main=True, wide=True)
            ]
        elif not model.seats.watching:
            choices = self._rematch_choices(waiting)
        if ending is not None:
            choices.append(
                CardButton(ButtonName.REVIEW, tr("Review"), RequestKind.RECORD not in waiting)
            )
        choices += [
            CardButton(ButtonName.LOBBY, tr("Back to lobby")),
            CardButton(ButtonName.QUIT, tr("Quit")),
        ]
        self.ending.choices.show(choices)

    def _rematch_choices(self, waiting: Collection[RequestKind]) -> list[CardButton]:
        may, idle = self._parts.may, RequestKind.REMATCH not in waiting
        offered, accepts = may.rematch_withdrawn, may.rematch_offered and may.opponent_here
        enabled = may.rematch and may.opponent_here and idle
        text = tr("Accept rematch") if accepts else tr("Rematch")
        choices = [
            CardButton(ButtonName.REMATCH, text, enabled, main=enabled, wide=True),
            CardButton(ButtonName.PLAY_AGAIN, tr("Play again ..."), main=not enabled),
        ]
        # Each takes the place of another button, so that no other one moves.
        if offered:
            choices[0] = CardButton(ButtonName.NO_REMATCH, tr("Withdraw"), idle, wide=True)
        elif accepts:
            choices[1] = CardButton(ButtonName.NO_REMATCH, tr("Decline"), idle)
        return choices
