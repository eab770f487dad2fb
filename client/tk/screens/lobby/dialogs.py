"""Opens the dialogs of the lobby, and keeps the one that is open up to date."""

from __future__ import annotations

from collections.abc import Callable

from client.tk.context import Screen
from client.tk.models.lobby.forms import MatchFields
from client.tk.models.pictures import LobbyPicture, Picture
from client.tk.network.thread import ME
from client.tk.screens.forms.challenge import ChallengeDialog
from client.tk.screens.forms.create import CreateDialog
from client.tk.screens.forms.hot_seat import HotSeatDialog
from client.tk.screens.forms.join import JoinDialog
from client.tk.screens.forms.match import ChallengingDialog
from client.tk.screens.forms.play_bot import PlayBotDialog
from client.tk.screens.forms.quick import QuickDialog
from client.tk.screens.forms.tournaments import TournamentsDialog
from client.tk.screens.forms.watch_bots import WatchBotsDialog
from client.tk.screens.lobby.requests import Say
from client.tk.widgets.dialog import Dialog
from protocol.common import MatchSettings, PlayerInfo


class LobbyDialogs:
    """The dialogs over `screen`, of which at most one is open.

    `say` shows what has happened, above the lists. `on_quick` is called when the settings of a
    quick match have changed.
    """

    def __init__(self, screen: Screen, say: Say, *, on_quick: Callable[[], None]) -> None:
        self._screen = screen
        self._context = screen.context
        self._say = say
        self._on_quick = on_quick
        self._dialog: Dialog | None = None
        self._again: tuple[MatchSettings, str] | None = None

    @property
    def opened(self) -> Dialog | None:
        """The dialog that is open; None: none is."""
        dialog = self._dialog
        return dialog if dialog is not None and dialog.winfo_exists() else None

    def take(self, picture: Picture) -> None:
        """Pass an update on to the dialog that is open; open one that has waited for the lobby."""
        if isinstance(picture, LobbyPicture) and picture.who == ME:
            self._open_again()
        if self.opened is not None:
            self.opened.take(picture)

    def reports(self, offer: str) -> bool:
        """Return whether the dialog that is open itself says how this offer ended."""
        return isinstance(self.opened, ChallengingDialog) and self.opened.handles(offer)

    # -- each dialog -------------------------------------------------------------------------

    def play_bot(self, wanted: str = "", fields: MatchFields | None = None) -> None:
        """Open the form to play a bot; it begins with `wanted` if that bot is available."""
        chosen = fields or self._last_fields()
        self._open(
            lambda screen: PlayBotDialog(
                screen,
                chosen,
                me=self._context.player_name,
                wanted=wanted,
                on_brought=lambda name: self._say(f"{name} has joined.", good=True),
            )
        )

    def challenge(self, player: PlayerInfo, fields: MatchFields | None = None) -> None:
        """Open the form to challenge a player."""
        chosen = fields or self._last_fields()
        self._open(lambda screen: ChallengeDialog(screen, chosen, player))

    def create_room(self) -> None:
        """Open the form for a room of one's own."""
        self._open(lambda screen: CreateDialog(screen, self._last_fields()))

    def join_by_code(self) -> None:
        """Open the form to join or watch a room by its name and code."""
        self._open(JoinDialog)

    def hot_seat(self, fields: MatchFields | None = None) -> None:
        """Open the form for a match between two people at this window."""
        chosen = fields or self._last_fields()
        self._open(lambda screen: HotSeatDialog(screen, chosen, me=self._context.player_name))

    def watch_bots(self) -> None:
        """Open the form to let two bots play."""
        self._open(lambda screen: WatchBotsDialog(screen, self._last_fields()))

    def quick_match(self) -> None:
        """Open the form that changes what a quick match is."""
        fields = MatchFields.from_kept(self._context.home.kept.quick)
        self._open(lambda screen: QuickDialog(screen, fields, on_change=self._on_quick))

    def tournaments(self, wanted: str = "") -> None:
        """Show the tournaments, and how `wanted` stands, or the first one."""
        self._open(
            lambda screen: TournamentsDialog(screen, me=self._context.player_name, wanted=wanted)
        )

    def play_again(self, settings: MatchSettings, opponent: str) -> None:
        """Open the form for another match like this one against `opponent`, as soon as the lobby
        says who is there."""
        self._again = settings, opponent

    def _open_again(self) -> None:
        """Open the form that `play_again` has asked for."""
        lobby = self._context.latest.lobby
        if self._again is None or lobby is None or lobby.stale:
            return
        (settings, opponent), self._again = self._again, None
        fields = self._last_fields()
        fields.fill(settings)
        player = next((player for player in lobby.players if player.name == opponent), None)
        if opponent == self._context.home.kept.guest:
            self.hot_seat(fields)
        elif (
            player is not None and player.kind == "human" and opponent != self._context.player_name
        ):
            self.challenge(player, fields)
        elif player is not None and player.kind == "bot":
            self.play_bot(opponent, fields)
        else:
            self.play_bot("", fields)
            self._say(f"{opponent} is not here any more.")

    def _last_fields(self) -> MatchFields:
        return MatchFields.from_kept(self._context.home.kept.create)

    def _open(self, make: Callable[[Screen], Dialog]) -> None:
        """Open a dialog instead of the one that is open; what is being done in that is given
        up."""
        if self.opened is not None:
            self.opened.close()
        self._say("")
        self._again = None
        self._dialog = make(self._screen)
