"""The dialog that creates a tournament, which this player then organises."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.models.lobby.contest_form import (
    FORMATS,
    ContestField,
    ContestFields,
    has_field,
    may_join_late,
)
from doublecross.client.tk.models.lobby.forms import BadFields
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.buttons import is_on, set_switch, switch_button
from doublecross.client.tk.widgets.dialog import Dialog
from doublecross.client.tk.widgets.field import TextField
from doublecross.client.tk.widgets.lobby.match_form import WIDTH, MatchForm
from doublecross.client.tk.widgets.visible import set_visible
from doublecross.protocol.common import FormatKey
from doublecross.protocol.server_messages import TournamentState

_LEFT_PX: Final = 330
_GAP_PX: Final = 20
_CAPTIONS: Final = {
    ContestField.NAME: tr("Name"),
    ContestField.PAIRS: tr("Game pairs when two meet"),
    ContestField.ROUNDS: tr("Rounds"),
    ContestField.HERO: tr("Who plays all others"),
    ContestField.INVITED: tr("Invited players"),
    ContestField.PATIENCE: tr("Failed games that exclude a player"),
    ContestField.AT_ONCE: tr("Games at the same time"),
    ContestField.SEED: tr("Seed of the openings"),
}
_HINTS: Final = {
    ContestField.NAME: tr("What people see, such as Spring cup."),
    ContestField.PAIRS: tr("Two games each, with the seats swapped."),
    ContestField.HERO: tr("Empty: who joins first."),
    ContestField.INVITED: tr("Names with commas between them. Empty: everybody."),
    ContestField.PATIENCE: tr("Games in a row lost by time, absence or a crash."),
    ContestField.AT_ONCE: tr("Empty: no limit."),
    ContestField.SEED: tr("Empty: the server chooses one."),
}
_MORE: Final = (
    ContestField.INVITED,
    ContestField.AT_ONCE,
    ContestField.PATIENCE,
    ContestField.SEED,
)
"""The fields that few people need; they are hidden at first."""


class NewTournamentDialog(Dialog):
    """Asks for the terms of a tournament and creates it.

    `on_made` is called with its first state, `on_cancel` when the person wants no tournament.
    """

    def __init__(
        self,
        screen: Screen,
        *,
        on_made: Callable[[TournamentState], None],
        on_cancel: Callable[[], None],
    ) -> None:
        super().__init__(
            screen, name="new_tournament", title=tr("New tournament"), action=tr("Create")
        )
        self.fields = ContestFields()
        self._on_made, self._on_cancel = on_made, on_cancel
        self._inputs: dict[ContestField, TextField] = {}
        self._titles: dict[str, FormatKey] = {title: key for key, (title, _) in FORMATS.items()}
        left, right = ttk.Frame(self.body), ttk.Frame(self.body)
        left.grid(row=0, column=0, sticky="new")
        right.grid(row=0, column=1, sticky="new", padx=(scaled(self, _GAP_PX), 0))
        left.columnconfigure(0, weight=1, minsize=scaled(self, _LEFT_PX))
        self._add(left, ContestField.NAME).grid(row=0, column=0, sticky="ew")
        self._build_format(left)
        for row, name in enumerate((ContestField.PAIRS, ContestField.ROUNDS, ContestField.HERO), 4):
            self._add(left, name).grid(row=row, column=0, sticky="ew", pady=(10, 0))
        self.form = MatchForm(right, self.fields.match, rates=True)
        self.form.grid(row=0, column=0, sticky="ew")
        self._people = switch_button(right, "people", tr("People may join, not only bots"))
        self._people.grid(row=1, column=0, sticky="w", pady=(8, 0))
        self._late = switch_button(right, "late", tr("Players may join after the start"))
        self._late.grid(row=2, column=0, sticky="w", pady=(8, 0))
        self._phrases = switch_button(right, "phrases", tr("Players may say quick phrases"))
        self._phrases.grid(row=3, column=0, sticky="w", pady=(8, 0))
        self._more_switch = switch_button(right, "more", tr("More choices"), self._show_more)
        self._more_switch.grid(row=4, column=0, sticky="w", pady=(8, 0))
        self._more = self._build_more()
        set_switch(self._people, on=self.fields.people)
        set_switch(self._late, on=self.fields.late)
        set_switch(self._phrases, on=self.fields.phrases)
        self._show_more()
        self._format_chosen()
        self.appear(self._inputs[ContestField.NAME].entry)

    def confirm(self) -> None:
        """Create the tournament."""
        problems: Mapping[str, str] = {}
        terms = None
        try:
            terms = self._read().terms()
        except BadFields as bad:
            problems = bad.problems
        self._show_problems(problems)
        if terms is None:
            return
        self.begin(tr("Creating {name} ...", name=terms.name))
        self.ask(
            ME,
            lambda client: client.tournaments.create(terms),
            self._made,
            lambda state: self.context.network.ask(
                ME, lambda client: client.tournaments.end(state.tournament)
            ),
        )

    def cancel(self) -> None:
        """Cancel the attempt; leave the form if there is none."""
        if self.working:
            super().cancel()
        else:
            self._on_cancel()

    def end_attempt(self, sentence: str) -> None:
        """End the attempt without success; show `sentence` as the reason unless it is empty."""
        super().end_attempt(sentence)
        self._format_chosen()

    def _made(self, state: TournamentState) -> None:
        self.working = False
        self._on_made(state)

    # -- layout ------------------------------------------------------------------------------

    def _add(self, parent: ttk.Frame, name: ContestField, width: int = _LEFT_PX) -> TextField:
        found = TextField(
            parent,
            name,
            _CAPTIONS[name],
            self.fields.texts[name],
            hint=_HINTS.get(name, ""),
            width=scaled(self, width),
        )
        self._inputs[name] = found
        return found

    def _build_format(self, left: ttk.Frame) -> None:
        ttk.Label(left, text=tr("Format")).grid(row=1, column=0, sticky="w", pady=(10, 4))
        box = self._format = ttk.Combobox(
            left, name="format", values=list(self._titles), state="readonly"
        )
        box.set(FORMATS[self.fields.format][0])
        box.grid(row=2, column=0, sticky="ew")
        box.bind("<<ComboboxSelected>>", lambda _: self._format_chosen())
        # Tk selects the text of a read-only combobox on focus, which only looks confusing.
        box.bind("<FocusIn>", lambda _: box.selection_clear(), add=True)
        self._about = ttk.Label(
            left,
            name="format_about",
            style="Caption.TLabel",
            justify="left",
            wraplength=scaled(self, _LEFT_PX),
        )
        self._about.grid(row=3, column=0, sticky="w", pady=(4, 0))

    def _build_more(self) -> ttk.Frame:
        more = ttk.Frame(self.body, name="more_fields")
        more.grid(row=1, column=0, columnspan=2, sticky="ew", pady=(12, 0))
        for number, name in enumerate(_MORE):
            row, column = divmod(number, 2)
            width = WIDTH if column else _LEFT_PX
            more.columnconfigure(column, minsize=scaled(self, width), weight=column)
            left = scaled(self, _GAP_PX) if column else 0
            field = self._add(more, name, width)
            field.grid(row=row, column=column, sticky="new", padx=(left, 0), pady=(0, 10))
        return more

    # -- what is shown -----------------------------------------------------------------------

    def _show_more(self) -> None:
        set_visible(self._more, is_on(self._more_switch))
        self._stay_on_screen()

    def _stay_on_screen(self) -> None:
        """Move the dialog up if its buttons would be below the edge of the screen."""
        self.update_idletasks()
        lowest = self.winfo_screenheight() - self.winfo_reqheight()
        if self.winfo_viewable() and self.winfo_rooty() > lowest:
            self.geometry(f"+{self.winfo_rootx()}+{max(0, lowest)}")

    def _format_chosen(self) -> None:
        """Show the fields of the chosen format; the others keep their texts."""
        form = self.fields.format = self._titles[self._format.get()]
        self._format.selection_clear()
        self._about.configure(text=FORMATS[form][1])
        for name, field in self._inputs.items():
            set_visible(field, has_field(form, name))
        ladder = form == "ladder"
        rounds = self._inputs[ContestField.ROUNDS]
        rounds.caption(tr("Game pairs in all") if ladder else _CAPTIONS[ContestField.ROUNDS])
        rounds.hint(tr("Empty: until you end it.") if ladder else "")
        self._stay_on_screen()
        self._late.state(["!disabled" if may_join_late(form) else "disabled"])

    def _read(self) -> ContestFields:
        fields = self.fields
        fields.match = self.form.read()
        fields.texts = {name: each.text for name, each in self._inputs.items()}
        fields.people, fields.late = is_on(self._people), is_on(self._late)
        fields.phrases = is_on(self._phrases)
        return fields

    def _show_problems(self, problems: Mapping[str, str]) -> None:
        """Show the problems beside their fields, and focus the first of these."""
        if any(name in problems for name in _MORE):
            set_switch(self._more_switch, on=True)
            self._show_more()
        self.form.show(problems)
        self.form.focus_problem(problems)
        for name in reversed(ContestField):
            field, problem = self._inputs[name], problems.get(name, "")
            field.show(problem)
            if problem:
                field.entry.focus_set()
                field.entry.selection_range(0, "end")
        self._stay_on_screen()
