"""The dialog that plays on from a position of a review, against a level, as a casual match.

Theory of operation
-------------------
The match runs on the server to which the window is connected; without a connection, on this
computer's own server, which is started and joined first. The level may have to join that server:
levels of the own server come by themselves, elsewhere the window brings them.
"""

from __future__ import annotations

from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.joining import join_here
from doublecross.client.tk.models.analysis.from_here import StartPosition
from doublecross.client.tk.models.helpers import BotChoice
from doublecross.client.tk.models.lobby.alone import LEVEL_KEY
from doublecross.client.tk.models.lobby.forms import MatchFields
from doublecross.client.tk.models.lobby.levels import Levels, level_title
from doublecross.client.tk.models.snapshots import LobbySnapshot, WindowUpdate
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.screens.forms.match import ChallengingDialog
from doublecross.client.tk.widgets.choice import SegmentedChoice
from doublecross.client.tk.widgets.labels import WrappedLabel

_WIDE: Final = 380
_PAD: Final = 12


class PlayFromHere(ChallengingDialog):
    """Asks for a level and a side, and begins a match at `start`."""

    def __init__(self, screen: Screen, start: StartPosition) -> None:
        fields = MatchFields()
        super().__init__(
            screen, fields, name="from_here", title=tr("Play from here"), action=tr("Play")
        )
        self._start = start
        self._awaited = ""
        self._own_lobby = False
        context, body = self.context, self.body
        levels: tuple[BotChoice, ...] = tuple(
            bot for bot in context.helpers.bots(start.game) if bot.level is not None
        )
        names = [context.helpers.levels[(bot.level or 1) - 1] for bot in levels]
        usual = context.home.settings.create.get("bot", "").removeprefix(LEVEL_KEY)
        chosen = usual if usual in names else names[0] if names else ""
        body.columnconfigure(0, weight=1, minsize=_WIDE)
        about = ttk.Label(body, name="about", text=start.about, wraplength=_WIDE, justify="left")
        about.grid(row=0, column=0, sticky="w")
        ttk.Label(body, text=tr("Opponent"), style="Dim.TLabel").grid(
            row=1, column=0, sticky="w", pady=(_PAD, 2)
        )
        self.level = SegmentedChoice(
            body, {name: level_title(name) for name in names}, chosen, name="level"
        )
        self.level.grid(row=2, column=0, sticky="w")
        ttk.Label(body, text=tr("Your side"), style="Dim.TLabel").grid(
            row=3, column=0, sticky="w", pady=(_PAD, 2)
        )
        self.side = SegmentedChoice(body, {"0": "", "1": ""}, str(start.mover), name="side")
        for seat in (0, 1):
            button = self.side.buttons[str(seat)]
            button.configure(text=start.side(seat))
            # One below the other: two long names do not fit beside each other.
            button.grid(row=seat, column=0, sticky="w", padx=0)
        self.side.grid(row=4, column=0, sticky="w")
        self._name = ttk.Entry(body, name="player_name")
        if not context.latest.connected:
            ttk.Label(body, text=tr("Your name"), style="Dim.TLabel").grid(
                row=5, column=0, sticky="w", pady=(_PAD, 2)
            )
            self._name.insert(0, context.home.settings.name)
            self._name.grid(row=6, column=0, sticky="ew")
        where = context.latest.server if context.latest.connected else ""
        place = tr("this computer") if not where or context.latest.here else where
        note = tr(
            "A casual game without a clock, on {place}. What is taken already counts.", place=place
        )
        WrappedLabel(body, note, name="where", style="Caption.TLabel").grid(
            row=7, column=0, sticky="ew", pady=(_PAD, 0)
        )
        if not names:
            self.end_attempt(tr("No bot of this computer plays this game in this size."))
        self.appear(self.level.buttons[chosen] if chosen else self.side.buttons["0"])

    def confirm(self) -> None:
        """Connect if necessary, then challenge the level that was chosen."""
        if not self.level.value:
            return
        # The side is a seat; the form of a match says who begins.
        self.fields.start = "me" if self.side.value == "0" else "other"
        kept = self.context.home.settings
        kept.create = {**kept.create, "bot": f"{LEVEL_KEY}{self.level.value}"}
        self.context.home.save()
        if self.context.latest.connected:
            self.begin(tr("Looking for {name} ...", name=level_title(self.level.value)))
            self._find_level()
            return
        self.begin(tr("Starting the server on this computer ..."))
        name, attempt = self._name.get().strip(), self.attempt
        found: list[str] = []
        self.context.network.connect(
            ME,
            join_here(self.context, ME, name, found.append),
            lambda _: self._joined(attempt, name, found[-1]),
            lambda refusal: self._not_joined(attempt, refusal),
        )

    def take(self, update: WindowUpdate) -> None:
        """Handle an update: the level for which the attempt waits may have come."""
        super().take(update)
        if isinstance(update, LobbySnapshot) and self.working and self._awaited:
            self._challenge_level()

    def attempt_cancelled(self) -> None:
        """Stop waiting for the level, or cancel the challenge or the way to the server."""
        self._awaited = ""
        if not self.context.latest.connected:
            self.context.network.disconnect(ME)
        super().attempt_cancelled()

    def destroy(self) -> None:
        """Destroy the window, and follow the lobby no longer."""
        if self._own_lobby:
            self._own_lobby = False
            self.context.network.ask(ME, lambda client: client.follow_lobby(on=False))
        super().destroy()

    # -- the way to the server ---------------------------------------------------------------

    def _joined(self, attempt: int, name: str, url: str) -> None:
        context = self.context
        context.latest.server, context.latest.here = url, True
        if not self.winfo_exists() or not self.working or attempt != self.attempt:
            context.network.disconnect(ME)
            return
        context.home.settings.name = name
        context.home.save()
        self.page.doing.configure(
            text=tr("Looking for {name} ...", name=level_title(self.level.value))
        )
        self._find_level()

    def _not_joined(self, attempt: int, refusal: Refusal) -> None:
        if self.winfo_exists() and self.working and attempt == self.attempt:
            self.end_attempt(refusal.sentence)
            self._name.focus_set()

    # -- the level ---------------------------------------------------------------------------

    def _find_level(self) -> None:
        """Ask who is online, and then challenge the level or wait for it."""
        self._own_lobby = True
        self.ask(ME, lambda client: client.follow_lobby(), lambda _: self._look_for_level())

    def _look_for_level(self) -> None:
        self._awaited = self.level.value
        if self._challenge_level():
            return
        context, level = self.context, self.level.value
        url = context.latest.server
        if level in context.helpers.residents(url):
            self.page.doing.configure(
                text=tr(
                    "{name} is getting ready. The first time this may take a minute ...",
                    name=level_title(level),
                )
            )
            self.await_bot(level_title(level))
            return
        self.page.doing.configure(
            text=tr(
                "Starting {name}. The first start may take a minute ...", name=level_title(level)
            )
        )
        self._awaited = ""
        self.run(
            lambda: context.helpers.bring_bot(url, level),
            lambda name: self.challenge(name, self._start.settings, wait=True),
        )

    def _challenge_level(self) -> bool:
        """Challenge the level if it is online; return whether it is."""
        lobby, levels = self.context.latest.lobby, Levels(self.context.helpers.levels)
        wanted = levels.names.index(self._awaited) + 1
        for player in () if lobby is None else lobby.players:
            if levels.of(player) == wanted and player.name != self.context.player_name:
                self._awaited = ""
                self.page.doing.configure(text=tr("Challenging {name} ...", name=player.name))
                self.challenge(player.name, self._start.settings, wait=True)
                return True
        return False
