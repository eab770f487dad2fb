"""Asks which bot one would play and what, brings it from this machine if need be, and begins."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Final

from client.tk.context import Screen
from client.tk.models.helpers import BotChoice
from client.tk.models.lobby.forms import BadFields, MatchFields
from client.tk.models.lobby.levels import Levels
from client.tk.models.lobby.model import BotOption, bot_options
from client.tk.models.pictures import LobbyPicture, Picture
from client.tk.screens.forms.match import ChallengingDialog
from client.tk.widgets.lobby.match_form import MatchForm
from client.tk.widgets.text import hiding
from games.api import Game

LIST_PX: Final = 320
_COLUMNS: Final = (("Bot", 120), ("Strength", 110), ("Now", 80))
_LINES: Final = 8
_BRINGING: Final = "Letting {} join. The first time this may take a minute ..."


class PlayBotDialog(ChallengingDialog):
    """The levels for people, other bots that are online, and those that this machine has.
    `wanted` is the name of a bot, or a spec, to begin with; `on_brought` gets the name of one
    that was only to join."""

    def __init__(
        self,
        screen: Screen,
        fields: MatchFields,
        *,
        me: str,
        wanted: str = "",
        on_brought: Callable[[str], None],
    ) -> None:
        super().__init__(screen, fields, name="play_bot", title="Play a bot", action="Play")
        self._me = me
        self._on_brought = on_brought
        self._bots: dict[str, BotOption] = {}
        self._choices: dict[Game, tuple[BotChoice, ...]] = {}
        self._game: Game | None = None
        self._only = self.page.button("bring", "Only let it join", self._bring_only, side="left")
        self.form = MatchForm(
            self.body,
            fields,
            starts=("Me", "The bot", "Chance"),
            on_game=self._game_changed,
        )
        self.form.grid(row=0, column=1, sticky="n", padx=(20, 0))
        side = ttk.Frame(self.body, width=LIST_PX)
        side.grid(row=0, column=0, sticky="nsew")
        side.columnconfigure(0, weight=1, minsize=LIST_PX)
        side.rowconfigure(0, weight=1)
        self._tree = self._build_tree(side)
        self._about = ttk.Label(
            side, name="about", style="Dim.TLabel", justify="left", wraplength=LIST_PX
        )
        self._about.grid(row=1, column=0, columnspan=2, sticky="w", pady=(8, 0))
        self._game_changed()
        self._choose_first(wanted)
        self.appear(self._tree)

    def confirm(self) -> None:
        """Challenge the bot that is chosen, once it is there."""
        settings = self.form.settings()
        option = self._option
        if settings is None:
            return
        if option is None:
            self.complain("Choose a bot.")
            return
        self.remember(bot=option.key)
        if option.player is not None:
            self.begin(f"Asking {option.player} ...")
            self.challenge(option.player, settings, patient=True)
        else:
            self._bring(option, lambda name: self.challenge(name, settings, patient=True))

    def take(self, picture: Picture) -> None:
        """Show an update."""
        super().take(picture)
        if isinstance(picture, LobbyPicture):
            self._refresh()

    def complain(self, sentence: str) -> None:
        """Nothing came of it."""
        super().complain(sentence)
        self._show_option()

    # -- which bot ---------------------------------------------------------------------------

    @property
    def _option(self) -> BotOption | None:
        selection = self._tree.selection()
        return self._bots.get(selection[0]) if selection else None

    def _build_tree(self, side: ttk.Frame) -> ttk.Treeview:
        box = ttk.Frame(side)
        box.grid(row=0, column=0, sticky="nsew")
        box.columnconfigure(0, weight=1)
        box.rowconfigure(0, weight=1)
        tree = ttk.Treeview(
            box,
            name="bots",
            columns=[heading for heading, _ in _COLUMNS],
            show="headings",
            selectmode="browse",
            height=_LINES,
        )
        for number, (heading, width) in enumerate(_COLUMNS):
            tree.heading(heading, text=f" {heading}", anchor="w")
            tree.column(heading, width=width, minwidth=width, stretch=number == 0)
        bar = ttk.Scrollbar(box, command=tree.yview, takefocus=False)
        tree.configure(yscrollcommand=hiding(bar))
        tree.grid(row=0, column=0, sticky="nsew")
        tree.bind("<<TreeviewSelect>>", lambda _: self._show_option())
        tree.bind("<Double-Button-1>", self._double_click)
        return tree

    def _choose_first(self, wanted: str) -> None:
        kept = self.context.home.kept.create.get("bot", "")
        for key, option in self._bots.items():
            if wanted and wanted in (option.player, option.spec):
                self._choose(key)
                return
        self._choose(kept if kept in self._bots else next(iter(self._bots), ""))

    def _choose(self, key: str) -> None:
        if key:
            self._tree.selection_set(key)
            self._tree.focus(key)
            # Not `see`: before the tree has its height nothing is in sight.
            above = max(0, self._tree.index(key) + 1 - _LINES)
            self._tree.yview_moveto(above / len(self._bots))
        self._show_option()

    def _game_changed(self) -> None:
        try:
            game = self.form.read().made_game()
        except BadFields:
            return
        if game not in self._choices:
            self._choices[game] = self.context.helpers.bots(game)
        self._game = game
        self._refresh()

    def _refresh(self) -> None:
        lobby = self.context.latest.lobby
        players = () if lobby is None else lobby.players
        choices = () if self._game is None else self._choices[self._game]
        levels = Levels(self.context.helpers.levels)
        found = bot_options(choices, players, self._me, levels)
        options = {option.key: option for option in found}
        if options == self._bots:
            return
        chosen = self._tree.selection()
        self._tree.delete(*self._tree.get_children())
        for key, option in options.items():
            self._tree.insert("", "end", iid=key, values=_cells(option))
        self._bots = options
        if chosen and chosen[0] in options:
            self._choose(chosen[0])
        else:
            self._show_option()

    def _show_option(self) -> None:
        option = self._option
        if not self._bots:
            text = "No bot that is here or on this computer plays this game in this size."
        elif option is None:
            text = "Choose one."
        else:
            text = option.about or "What it is, its author has not said."
        self._about.configure(text=text)
        elsewhere = option is not None and option.player is None
        self._only.state(["!disabled" if elsewhere and not self.working else "disabled"])

    def _double_click(self, event: tk.Event[tk.Misc]) -> None:
        if self._tree.identify_row(event.y) and not self.working:
            self.confirm()

    # -- bringing one ------------------------------------------------------------------------

    def _bring_only(self) -> None:
        option = self._option
        if option is not None:
            self._bring(option, self._joined)

    def _joined(self, name: str) -> None:
        self.working = False
        self.close()
        self._on_brought(name)

    def _bring(self, option: BotOption, then: Callable[[str], None]) -> None:
        spec, url = option.spec, self.context.latest.server
        assert spec is not None
        self.begin(_BRINGING.format(option.title))

        def brought(name: str) -> None:
            self.page.doing.configure(text=f"Asking {name} ...")
            then(name)

        self.run(lambda: self.context.helpers.bring_bot(url, spec), brought)


def _cells(option: BotOption) -> tuple[str, str, str]:
    return option.title, option.strength, option.state
