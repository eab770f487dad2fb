"""The dialog that starts a match against a bot; it starts the bot on this computer if necessary."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.models.helpers import BotChoice
from doublecross.client.tk.models.lobby.alone import LEVEL_KEY
from doublecross.client.tk.models.lobby.forms import BadFields, MatchFields
from doublecross.client.tk.models.lobby.ladder import level_advice
from doublecross.client.tk.models.lobby.levels import Levels
from doublecross.client.tk.models.lobby.model import BotOption, bot_options, shown_first
from doublecross.client.tk.models.snapshots import LobbySnapshot, WindowUpdate
from doublecross.client.tk.screens.forms.match import ChallengingDialog
from doublecross.client.tk.theme import BODY, scaled
from doublecross.client.tk.widgets.buttons import is_on, set_switch, switch_button
from doublecross.client.tk.widgets.lobby.match_form import MatchForm
from doublecross.client.tk.widgets.text import auto_hide
from doublecross.games.api import Game
from doublecross.protocol.common import MatchSettings

LIST_PX: Final = 320
_COLUMNS: Final = (
    (tr("Bot"), "Maximilian"),
    (tr("Strength"), tr("level {level} of {count}", level=5, count=5)),
    (tr("Now"), tr("can join")),
)
_CELL_PX: Final = 18
_LINES: Final = 8
_ALL: Final = tr("All bots")
_COMING: Final = tr("{name} is getting ready. The first time this may take a minute ...")
_STARTING: Final = tr("Starting {name}. The first start may take a minute ...")


class PlayBotDialog(ChallengingDialog):
    """Lists the strength levels and the other bots that are online.

    A switch adds all other bots of this computer.

    `wanted` is the name or spec of the bot to select first. `on_brought` is called with the name
    of a bot that was started without a challenge.
    """

    def __init__(
        self,
        screen: Screen,
        fields: MatchFields,
        *,
        me: str,
        wanted: str = "",
        on_brought: Callable[[str], None],
    ) -> None:
        super().__init__(screen, fields, name="play_bot", title=tr("Play a bot"), action=tr("Play"))
        self._me = me
        self._on_brought = on_brought
        self._bots: dict[str, BotOption] = {}
        self._choices: dict[Game, tuple[BotChoice, ...]] = {}
        self._game: Game | None = None
        self._awaited: tuple[str, MatchSettings] | None = None
        self._only = self.page.button(
            "bring", tr("Add to the lobby"), self._bring_only, side="left"
        )
        self.form = MatchForm(
            self.body,
            fields,
            starts=(tr("Me"), tr("The bot"), tr("Chance")),
            on_game=self._game_changed,
        )
        self.form.grid(row=0, column=1, sticky="n", padx=(20, 0))
        wide = scaled(self, LIST_PX)
        side = ttk.Frame(self.body, width=wide)
        side.grid(row=0, column=0, sticky="nsew")
        side.columnconfigure(0, weight=1, minsize=wide)
        side.rowconfigure(0, weight=1)
        self._tree = self._build_tree(side)
        self._about = ttk.Label(
            side, name="about", style="Dim.TLabel", justify="left", wraplength=wide
        )
        self._about.grid(row=1, column=0, columnspan=2, sticky="w", pady=(8, 0))
        self._show_all = switch_button(side, "all_bots", _ALL, self._refresh)
        self._show_all.grid(row=2, column=0, sticky="w", pady=(8, 0))
        self._game_changed()
        self._choose_first(wanted)
        self.appear(self._tree)

    def confirm(self) -> None:
        """Challenge the chosen bot, after starting it if it is not online."""
        settings = self.form.settings()
        option = self._option
        if settings is None:
            return
        if option is None:
            self.end_attempt(tr("Choose a bot."))
            return
        self.remember(bot=option.key)
        if option.player is not None:
            self.begin(tr("Challenging {name} ...", name=option.player))
            self.challenge(option.player, settings, wait=True)
        elif option.coming:
            # Starting it here, too, would make a second one with another name.
            self._awaited = option.key, settings
            self.begin(_COMING.format(name=option.title))
            self.await_bot(option.title)
        else:
            self._bring(option, lambda name: self.challenge(name, settings, wait=True))

    def take(self, update: WindowUpdate) -> None:
        """Handle an update."""
        super().take(update)
        if isinstance(update, LobbySnapshot):
            self._refresh()
            self._challenge_awaited()

    def attempt_cancelled(self) -> None:
        """Stop waiting for a bot, or cancel the challenge if it has been sent."""
        self._awaited = None
        super().attempt_cancelled()

    def end_attempt(self, sentence: str) -> None:
        """End the attempt without success and enable the buttons for the chosen bot again."""
        self._awaited = None
        super().end_attempt(sentence)
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
        for number, (heading, usual) in enumerate(_COLUMNS):
            width = _CELL_PX + int(self.tk.call("font", "measure", BODY, usual))
            tree.heading(heading, text=f" {heading}", anchor="w")
            tree.column(heading, width=width, minwidth=width, stretch=number == 0)
        bar = ttk.Scrollbar(box, command=tree.yview, takefocus=False)
        tree.configure(yscrollcommand=auto_hide(bar))
        tree.grid(row=0, column=0, sticky="nsew")
        tree.bind("<<TreeviewSelect>>", lambda _: self._show_option())
        tree.bind("<Double-Button-1>", self._double_click)
        return tree

    def _choose_first(self, wanted: str) -> None:
        kept = self.context.home.settings.create.get("bot", "")
        found = self._found()
        hidden = [each for each in found if each not in shown_first(found)]
        if any(each.key == kept or (wanted and wanted == each.spec) for each in hidden):
            set_switch(self._show_all, on=True)
            self._refresh()
        for key, option in self._bots.items():
            if wanted and wanted in (option.player, option.spec):
                self._choose(key)
                return
        self._choose(kept if kept in self._bots else next(iter(self._bots), ""))

    def _choose(self, key: str) -> None:
        if key:
            self._tree.selection_set(key)
            self._tree.focus(key)
            # `see` does nothing before the tree has its final height, so compute the position.
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

    def _found(self) -> tuple[BotOption, ...]:
        """Return all bots that play the chosen game."""
        lobby = self.context.latest.lobby
        players = () if lobby is None else lobby.players
        choices = () if self._game is None else self._choices[self._game]
        levels = Levels(self.context.helpers.levels)
        coming = self.context.helpers.residents(self.context.latest.server)
        return bot_options(choices, players, self._me, levels, coming)

    def _refresh(self) -> None:
        found = self._found()
        first = shown_first(found)
        self._show_all.state(["disabled" if len(first) == len(found) else "!disabled"])
        options = {option.key: option for option in (found if is_on(self._show_all) else first)}
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
            text = tr("No bot plays this game in this size. Choose another size or game.")
        elif option is None:
            text = tr("Choose a bot.")
        else:
            text = option.about or tr("This bot has no description.")
            if advice := self._level_advice(option):
                text += f"\n{advice}"
        self._about.configure(text=text)
        elsewhere = option is not None and option.player is None and not option.coming
        self._only.state(["!disabled" if elsewhere and not self.working else "disabled"])

    def _level_advice(self, option: BotOption) -> str:
        levels = Levels(self.context.helpers.levels)
        level = option.key.removeprefix(LEVEL_KEY)
        if self._game is None or level not in levels.names:
            return ""
        return level_advice(self.context.home.settings.ladder, self._game, level, levels)

    def _double_click(self, event: tk.Event[tk.Misc]) -> None:
        if self._tree.identify_row(event.y) and not self.working:
            self.confirm()

    def _challenge_awaited(self) -> None:
        """Challenge the bot for which the attempt waits, if it has joined."""
        if self._awaited is None:
            return
        key, settings = self._awaited
        option = self._bots.get(key)
        if option is not None and option.player is not None:
            self._awaited = None
            self.page.doing.configure(text=tr("Challenging {name} ...", name=option.player))
            self.challenge(option.player, settings, wait=True)

    # -- starting a bot ----------------------------------------------------------------------

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
        self.begin(_STARTING.format(name=option.title))

        def brought(name: str) -> None:
            self.page.doing.configure(text=tr("Challenging {name} ...", name=name))
            then(name)

        self.run(lambda: self.context.helpers.bring_bot(url, spec), brought)


def _cells(option: BotOption) -> tuple[str, str, str]:
    return option.title, option.strength, option.state
