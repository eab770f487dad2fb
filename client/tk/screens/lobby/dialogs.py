"""Open the dialogs of the lobby and pass updates on to the open one."""

from __future__ import annotations

from collections.abc import Callable

from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.models.lobby.forms import UNLIMITED, MatchFields
from doublecross.client.tk.models.snapshots import LobbySnapshot, WindowUpdate
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.screens.forms.challenge import ChallengeDialog
from doublecross.client.tk.screens.forms.create import CreateDialog
from doublecross.client.tk.screens.forms.hot_seat import HotSeatDialog
from doublecross.client.tk.screens.forms.join import JoinDialog
from doublecross.client.tk.screens.forms.match import ChallengingDialog
from doublecross.client.tk.screens.forms.play_bot import PlayBotDialog
from doublecross.client.tk.screens.forms.quick import QuickDialog
from doublecross.client.tk.screens.lobby.requests import ShowMessage
from doublecross.client.tk.widgets.dialog import Dialog
from doublecross.protocol.common import MatchSettings, PlayerInfo


class LobbyDialogs:
    """Manages the dialogs over `screen`, of which at most one is open.

    `show_message` shows a message above the lists. `on_quick` is called when the settings of a
    quick match have changed.
    """

    def __init__(
        self, screen: Screen, show_message: ShowMessage, *, on_quick: Callable[[], None]
    ) -> None:
        self._screen = screen
        self._context = screen.context
        self._show_message = show_message
        self._on_quick = on_quick
        self._dialog: Dialog | None = None
        self._again: tuple[MatchSettings, str] | None = None

    @property
    def opened(self) -> Dialog | None:
        """The open dialog; None if there is none."""
        dialog = self._dialog
        return dialog if dialog is not None and dialog.winfo_exists() else None

    def take(self, update: WindowUpdate) -> None:
        """Pass an update on to the open dialog, after opening one that waited for the lobby."""
        if isinstance(update, LobbySnapshot) and update.who == ME:
            self._open_again()
        if self.opened is not None:
            self.opened.take(update)

    def reports(self, offer: str) -> bool:
        """Return whether the open dialog itself shows how this offer ended."""
        return isinstance(self.opened, ChallengingDialog) and self.opened.handles(offer)

    # -- each dialog -------------------------------------------------------------------------

    def play_bot(self, wanted: str = "", fields: MatchFields | None = None) -> None:
        """Open the form to play a bot; select `wanted` (name or spec) if it is available.

        Like the page, it offers no clock at first: a bot waits as long as a newcomer thinks.
        """
        unhurried = {"time": UNLIMITED, **self._context.home.settings.create}
        chosen = fields or MatchFields.from_saved(unhurried)
        self._open(
            lambda screen: PlayBotDialog(
                screen,
                chosen,
                me=self._context.player_name,
                wanted=wanted,
                on_brought=lambda name: self._show_message(
                    tr("{name} has joined.", name=name), good=True
                ),
            )
        )

    def challenge(self, player: PlayerInfo, fields: MatchFields | None = None) -> None:
        """Open the form to challenge a player."""
        chosen = fields or self._last_fields()
        self._open(lambda screen: ChallengeDialog(screen, chosen, player))

    def create_room(self) -> None:
        """Open the form to create a room."""
        self._open(lambda screen: CreateDialog(screen, self._last_fields()))

    def join_by_code(self) -> None:
        """Open the form to join or watch a room by its name and code."""
        self._open(JoinDialog)

    def hot_seat(self, fields: MatchFields | None = None) -> None:
        """Open the form for a match between two people at this window."""
        chosen = fields or self._last_fields()
        self._open(lambda screen: HotSeatDialog(screen, chosen, me=self._context.player_name))

    def quick_match(self) -> None:
        """Open the form that changes the settings of a quick match."""
        fields = MatchFields.from_saved(self._context.home.settings.quick)
        self._open(lambda screen: QuickDialog(screen, fields, on_change=self._on_quick))

    def play_again(self, settings: MatchSettings, opponent: str) -> None:
        """Open the form for a match with these settings against `opponent`.

        This waits for the next update of the lobby, which shows whether `opponent` is online.
        """
        self._again = settings, opponent

    def _open_again(self) -> None:
        """Open the form that `play_again` requested, unless the lobby is still unknown."""
        lobby = self._context.latest.lobby
        if self._again is None or lobby is None or lobby.stale:
            return
        (settings, opponent), self._again = self._again, None
        fields = self._last_fields()
        fields.fill(settings)
        player = next((player for player in lobby.players if player.name == opponent), None)
        if opponent == self._context.home.settings.guest:
            self.hot_seat(fields)
        elif (
            player is not None and player.kind == "human" and opponent != self._context.player_name
        ):
            self.challenge(player, fields)
        elif player is not None and player.kind == "bot":
            self.play_bot(opponent, fields)
        else:
            self.play_bot("", fields)
            self._show_message(
                tr("{name} is no longer online. You can play a bot instead.", name=opponent)
            )

    def _last_fields(self) -> MatchFields:
        return MatchFields.from_saved(self._context.home.settings.create)

    def _open(self, make: Callable[[Screen], Dialog]) -> None:
        """Close the open dialog, which cancels its attempt, and open another one."""
        if self.opened is not None:
            self.opened.close()
        self._show_message("")
        self._again = None
        self._dialog = make(self._screen)
