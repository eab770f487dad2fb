"""Asks which two bots are to play what, brings them from this machine and goes to watch."""

from __future__ import annotations

from tkinter import ttk
from typing import Final

from client.tk.context import Screen
from client.tk.models.helpers import BotChoice
from client.tk.models.lobby.forms import BadFields, MatchFields, spec_problem
from client.tk.network.thread import ME
from client.tk.screens.forms.match import MatchDialog
from client.tk.widgets.lobby.match_form import WIDTH, MatchForm

_SIDES: Final = ("first", "second")
_TITLES: Final = ("First, with the first move", "Second")


class WatchBotsDialog(MatchDialog):
    """Any two bots, by their specs."""

    def __init__(self, screen: Screen, fields: MatchFields) -> None:
        super().__init__(
            screen, fields, name="watch_bots", title="Watch two bots", action="Let them play"
        )
        body = self.body
        body.columnconfigure(0, weight=1, minsize=WIDTH)
        self._choices: tuple[BotChoice, ...] = ()
        self._boxes: dict[str, ttk.Combobox] = {}
        self._abouts: dict[str, ttk.Label] = {}
        self._errors: dict[str, ttk.Label] = {}
        for side, title in zip(_SIDES, _TITLES, strict=True):
            self._bot_field(side, title)
        self.form = MatchForm(body, fields, on_game=self._game_changed)
        self.form.grid(sticky="ew", pady=(14, 0))
        self._game_changed()
        kept = self.context.home.kept.create
        for side, spec in zip(_SIDES, self._usual(), strict=True):
            self._boxes[side].set(kept.get(side, "") or spec)
            self._show_about(side)
        self.appear(self._boxes["first"])

    def confirm(self) -> None:
        """Bring the two."""
        specs = {side: box.get().strip() for side, box in self._boxes.items()}
        problems = {
            side: problem for side, spec in specs.items() if (problem := spec_problem(spec))
        }
        for side in _SIDES:
            self._say(side, problems.get(side, ""))
        settings = self.form.settings()
        for side in problems:
            self._boxes[side].focus_set()
            self._boxes[side].selection_range(0, "end")
            break
        if problems or settings is None:
            return
        self.remember(**specs)
        self.begin("Letting the two join. The first time this may take a minute ...")
        url, pair = self.context.latest.server, (specs["first"], specs["second"])
        self.run(lambda: self.context.helpers.bring_pair(url, pair, settings), self._brought)

    def _brought(self, room: str) -> None:
        self.page.doing.configure(text="Taking a seat among the spectators ...")
        self.ask(
            ME,
            lambda client: client.watch(room),
            self.go,
            self.leave_room,
        )

    def _usual(self) -> list[str]:
        """The two strongest levels."""
        levels = [choice.spec for choice in self._choices if choice.level is not None]
        return [*levels[-2:], "", ""][:2]

    def _bot_field(self, side: str, title: str) -> None:
        body = self.body
        top = 12 if self._boxes else 0
        ttk.Label(body, text=title).grid(column=0, sticky="w", pady=(top, 6))
        box = ttk.Combobox(body, name=side)
        box.grid(column=0, sticky="ew")
        box.bind("<<ComboboxSelected>>", lambda _: self._edited(side, box.get()))
        # Variables of Tk would do as well, but their end may come in the network's thread.
        edited = box.register(lambda text: self._edited(side, text))
        box.configure(validate="key", validatecommand=(edited, "%P"))
        self._boxes[side] = box
        about = ttk.Label(
            body, name=f"{side}_about", style="Caption.TLabel", justify="left", wraplength=WIDTH
        )
        about.grid(column=0, sticky="ew", pady=(4, 0))
        self._abouts[side] = about
        error = ttk.Label(
            body, name=f"{side}_error", style="Error.TLabel", justify="left", wraplength=WIDTH
        )
        error.grid(row=about.grid_info()["row"], column=0, sticky="w", pady=(4, 0))
        error.grid_remove()
        self._errors[side] = error

    def _game_changed(self) -> None:
        try:
            game = self.form.read().made_game()
        except BadFields:
            return
        self._choices = self.context.helpers.bots(game)
        for side in _SIDES:
            self._boxes[side].configure(values=[choice.spec for choice in self._choices])
            self._show_about(side)

    def _edited(self, side: str, text: str) -> bool:
        """`text` stands there now, or will at once."""
        self._say(side, "")
        self._show_about(side, text)
        return True

    def _show_about(self, side: str, text: str | None = None) -> None:
        """What the bot is; with options, what it is without."""
        spec = (self._boxes[side].get() if text is None else text).strip()
        abouts = {choice.spec: choice.about for choice in self._choices}
        about = abouts.get(spec) or abouts.get(spec.partition(":")[0], "")
        hint = "Options follow after a colon: mcts:simulations=500"
        self._abouts[side].configure(text=about or hint)

    def _say(self, side: str, sentence: str) -> None:
        self._boxes[side].state(["invalid" if sentence else "!invalid"])
        self._errors[side].configure(text=sentence)
        if sentence:
            self._abouts[side].grid_remove()
            self._errors[side].grid()
        else:
            self._errors[side].grid_remove()
            self._abouts[side].grid()
