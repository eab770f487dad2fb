"""The dialog with which the organiser of a tournament sets a player aside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.dialog import LEAST_PX, Dialog
from doublecross.client.tk.widgets.field import TextField
from doublecross.client.tk.widgets.labels import WrappedLabel
from doublecross.protocol.server_messages import TournamentState

_LONGEST: Final = 64


class AsideDialog(Dialog):
    """Asks why `player` is set aside in a tournament; `on_close` shows the tournament again."""

    def __init__(
        self, screen: Screen, tournament: str, player: str, *, on_close: Callable[[], None]
    ) -> None:
        super().__init__(
            screen,
            name="aside",
            title=tr("Set {name} aside?", name=player),
            action=tr("Set aside"),
        )
        self._tournament, self._player, self._on_close = tournament, player, on_close
        width = scaled(self, LEAST_PX)
        self.body.columnconfigure(0, weight=1, minsize=width)
        about = tr(
            "{name} gets no further games of this tournament. You can take the player back later.",
            name=player,
        )
        WrappedLabel(self.body, about, name="about").grid(sticky="ew")
        caption = tr("Reason, which everybody sees")
        self._reason = TextField(self.body, "reason", caption, "", width=width)
        self._reason.grid(sticky="ew", pady=(12, 0))
        self.appear(self._reason.entry)

    def confirm(self) -> None:
        """Set the player aside."""
        reason = self._reason.text.strip()
        if len(reason) > _LONGEST or not reason.isprintable():
            self._reason.show(tr("Write a reason of at most {most} characters.", most=_LONGEST))
            self._reason.entry.focus_set()
            return
        tournament, player = self._tournament, self._player
        self.begin(tr("Setting {name} aside ...", name=player))
        self.ask(
            ME,
            lambda client: client.tournaments.set_aside(tournament, player, reason),
            self._done,
            lambda _: self.context.network.ask(
                ME, lambda client: client.tournaments.take_back(tournament, player)
            ),
        )

    def cancel(self) -> None:
        """Cancel the attempt; show the tournament again if there is none."""
        if self.working:
            super().cancel()
        else:
            self._on_close()

    def _done(self, state: TournamentState) -> None:
        self.working = False
        self.context.latest.tournaments[state.tournament] = state
        self._on_close()
