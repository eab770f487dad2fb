"""The dialog that starts two bots on this computer and shows their match."""

from __future__ import annotations

from enum import StrEnum
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.models.helpers import BotChoice
from doublecross.client.tk.models.lobby.forms import BadFields, MatchFields, spec_problem
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.screens.forms.match import MatchDialog
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.lobby.match_form import WIDTH, MatchForm


class BotField(StrEnum):
    """The fields for the two bots; the values are Tk widget names and keys of stored settings."""

    FIRST = "first"
    SECOND = "second"


_TITLES: Final = {
    BotField.FIRST: tr("First bot (makes the first move)"),
    BotField.SECOND: tr("Second bot"),
}


class WatchBotsDialog(MatchDialog):
    """Asks for the specs of two bots and the settings of their match."""

    def __init__(self, screen: Screen, fields: MatchFields) -> None:
        super().__init__(
            screen,
            fields,
            name="watch_bots",
            title=tr("Watch two bots"),
            action=tr("Let them play"),
        )
        body = self.body
        body.columnconfigure(0, weight=1, minsize=scaled(body, WIDTH))
        self._choices: tuple[BotChoice, ...] = ()
        self._boxes: dict[BotField, ttk.Combobox] = {}
        self._abouts: dict[BotField, ttk.Label] = {}
        self._errors: dict[BotField, ttk.Label] = {}
        for field, title in _TITLES.items():
            self._add_field(field, title)
        self.form = MatchForm(body, fields, on_game=self._game_changed)
        self.form.grid(sticky="ew", pady=(14, 0))
        self._game_changed()
        kept = self.context.home.settings.create
        for field, spec in zip(BotField, self._default_specs(), strict=True):
            self._boxes[field].set(kept.get(field, "") or spec)
            self._show_about(field)
        self.appear(self._boxes[BotField.FIRST])

    def confirm(self) -> None:
        """Start the two bots and watch their match."""
        specs = {field: box.get().strip() for field, box in self._boxes.items()}
        problems = {
            field: problem for field, spec in specs.items() if (problem := spec_problem(spec))
        }
        for field in BotField:
            self._show_problem(field, problems.get(field, ""))
        settings = self.form.settings()
        for field in problems:
            self._boxes[field].focus_set()
            self._boxes[field].selection_range(0, "end")
            break
        if problems or settings is None:
            return
        self.remember(**{field.value: spec for field, spec in specs.items()})
        self.begin(tr("Starting both bots. The first start may take a minute ..."))
        url, pair = self.context.latest.server, (specs[BotField.FIRST], specs[BotField.SECOND])
        self.run(lambda: self.context.helpers.bring_pair(url, pair, settings), self._brought)

    def _brought(self, room: str) -> None:
        self.page.doing.configure(text=tr("Joining as a spectator ..."))
        self.ask(
            ME,
            lambda client: client.watch(room),
            self.enter_room,
            self.leave_room,
        )

    def _default_specs(self) -> list[str]:
        """Return the specs of the two strongest levels, empty where there are fewer."""
        levels = [choice.spec for choice in self._choices if choice.level is not None]
        return [*levels[-2:], "", ""][:2]

    def _add_field(self, field: BotField, title: str) -> None:
        body = self.body
        top = 12 if self._boxes else 0
        ttk.Label(body, text=title).grid(column=0, sticky="w", pady=(top, 6))
        box = ttk.Combobox(body, name=field)
        box.grid(column=0, sticky="ew")
        box.bind("<<ComboboxSelected>>", lambda _: self._edited(field, box.get()))
        # No Tk variable: the garbage collector may delete one in the network's thread, where
        # calling Tk is not allowed.
        edited = box.register(lambda text: self._edited(field, text))
        box.configure(validate="key", validatecommand=(edited, "%P"))
        self._boxes[field] = box
        about = ttk.Label(
            body,
            name=f"{field}_about",
            style="Caption.TLabel",
            justify="left",
            wraplength=scaled(body, WIDTH),
        )
        about.grid(column=0, sticky="ew", pady=(4, 0))
        self._abouts[field] = about
        error = ttk.Label(
            body,
            name=f"{field}_error",
            style="Error.TLabel",
            justify="left",
            wraplength=scaled(body, WIDTH),
        )
        error.grid(row=about.grid_info()["row"], column=0, sticky="w", pady=(4, 0))
        error.grid_remove()
        self._errors[field] = error

    def _game_changed(self) -> None:
        try:
            game = self.form.read().made_game()
        except BadFields:
            return
        self._choices = self.context.helpers.bots(game)
        for field in BotField:
            self._boxes[field].configure(values=[choice.spec for choice in self._choices])
            self._show_about(field)

    def _edited(self, field: BotField, text: str) -> bool:
        """Remove the error of a field and describe the bot of its new `text`; allow the change."""
        self._show_problem(field, "")
        self._show_about(field, text)
        return True

    def _show_about(self, field: BotField, text: str | None = None) -> None:
        """Describe the bot with the spec `text` (None: the one in the field), ignoring options."""
        spec = (self._boxes[field].get() if text is None else text).strip()
        abouts = {choice.spec: choice.about for choice in self._choices}
        about = abouts.get(spec) or abouts.get(spec.partition(":")[0], "")
        hint = tr("Write options after a colon, for example mcts:simulations=500")
        self._abouts[field].configure(text=about or hint)

    def _show_problem(self, field: BotField, sentence: str) -> None:
        self._boxes[field].state(["invalid" if sentence else "!invalid"])
        self._errors[field].configure(text=sentence)
        if sentence:
            self._abouts[field].grid_remove()
            self._errors[field].grid()
        else:
            self._errors[field].grid_remove()
            self._abouts[field].grid()
