"""The screen of the lobby: what one can do on a server, and who is there.

Theory of operation
-------------------
The screen follows the lobby while it is shown; each update contains the whole lobby. It shows the
areas (see `doublecross.client.tk.screens.lobby.areas`) with the players, offers and games that one
can choose. Actions that need more than one choice have a dialog (see
`doublecross.client.tk.screens.forms`). At most one dialog is open and receives the same updates.
When an offer leads to a match, the navigator opens its room, not this screen.
"""

from __future__ import annotations

from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Context, Screen
from doublecross.client.tk.models.lobby.offers import OwnEntry, over_line, own_entries
from doublecross.client.tk.models.lobby.shortlists import counts_line
from doublecross.client.tk.models.lobby.tournaments import is_aside, news_line
from doublecross.client.tk.models.snapshots import (
    LinkSnapshot,
    LobbySnapshot,
    OfferOver,
    OffersSnapshot,
    OpenOffer,
    RoomGone,
    RoomSnapshot,
    TournamentNews,
    WindowUpdate,
)
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.screens.lobby.account import AccountButton
from doublecross.client.tk.screens.lobby.areas import OtherAreas, PlayAreas, Spacing
from doublecross.client.tk.screens.lobby.dialogs import LobbyDialogs
from doublecross.client.tk.screens.lobby.follower import LobbyFollower
from doublecross.client.tk.screens.lobby.requests import LobbyRequests
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.labels import FittedLabel, WrappedLabel
from doublecross.client.tk.widgets.lobby.short_list import ShortList
from doublecross.client.tk.widgets.note import Note
from doublecross.client.tk.widgets.settings import SettingsRow
from doublecross.client.tk.widgets.visible import set_visible

_PAD: Final = 16
_NARROW_PX: Final = 820
"""Below this width, in pixels, the buttons of a card stand below each other, and the lobby has no
title."""
_WIDEST_PX: Final = 1160
"""The width of the areas in a wide window, in pixels."""
_LOW_PX: Final = 560
"""Below this height, in pixels, the cards have no titles."""
_TALL_PX: Final = 680
"""From this height on, in pixels, two of this player's own offers are listed, otherwise one."""
_AREAS_PX: Final = {False: 440, True: 510}
"""The height of a wide and a narrow window without entries on the cards, in pixels."""
_MOST_ENTRIES: Final = 4


class LobbyScreen(Screen):
    """Shows the lobby. `dialogs` opens its dialogs; `follower` requests its updates."""

    name = "lobby"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.follower = LobbyFollower(context, self._show_message)
        self.dialogs = LobbyDialogs(
            self, self._show_message, on_quick=lambda: self._play.show_quick()
        )
        self._requests = LobbyRequests(self, self._show_message)
        self._offers: dict[str, OpenOffer] = {}
        self._spacing: Spacing | None = None
        self.columnconfigure((0, 2), weight=1)
        self.rowconfigure(5, weight=1)
        self._build_head()
        self._play = PlayAreas(self, self.dialogs, self._requests)
        self._play.grid(row=1, column=1, sticky="ew")
        self._build_own()
        self._other = OtherAreas(self, self._requests)
        self._other.grid(row=3, column=1, sticky="ew")
        self._build_counts()
        self._build_foot()
        self.bind("<Configure>", lambda event: self._fit(event.width, event.height))
        self.restyle()
        self._show_identity()
        self._show_lobby()
        self._show_own()
        self._play.quick.focus_set()

    # -- called by the window ----------------------------------------------------------------

    def take(self, update: WindowUpdate) -> None:
        """Handle an update."""
        match update:
            case LobbySnapshot(who=who) if who == ME:
                self._show_lobby()
            case OffersSnapshot(who=who) if who == ME:
                self._show_own()
            case RoomSnapshot(who=who) | RoomGone(who=who) if who == ME:
                self._show_own()
            case OfferOver(who=who) if who == ME:
                self._report_offer_over(update)
            case TournamentNews(who=who, state=state) if who == ME:
                me = self.context.player_name
                if line := news_line(state, me):
                    self._show_message(line, good=not is_aside(state, me))
            case LinkSnapshot(who=who) if who == ME:
                self._show_identity()
                self._account.take(update)
        self.dialogs.take(update)

    def tick(self, now: float) -> None:
        """Run the timers of the open dialog and of the follower at `now`, in seconds."""
        if self.dialogs.opened is not None:
            self.dialogs.opened.tick(now)
        self.follower.tick(now)

    def restyle(self) -> None:
        """Apply the current theme."""
        self._settings.refresh()
        if self.dialogs.opened is not None:
            self.dialogs.opened.restyle()

    def leave(self) -> None:
        """Close the open dialog before another screen replaces this one."""
        if self.dialogs.opened is not None:
            self.dialogs.opened.close()
        self.follower.stop()

    # -- layout ------------------------------------------------------------------------------

    def _build_head(self) -> None:
        head = ttk.Frame(self)
        head.grid(row=0, column=0, columnspan=3, sticky="ew", padx=_PAD, pady=(4, 10))
        head.columnconfigure(1, weight=1)
        self._title = ttk.Label(head, text=tr("Lobby"), style="Title.TLabel")
        self._title.grid(row=0, column=0)
        self._identity = FittedLabel(head, "", name="who", style="Dim.TLabel")
        self._identity.grid(row=0, column=1, sticky="sew", padx=16, pady=(0, 5))
        self._note = Note(head, instead=self._identity)
        self._note.grid(row=0, column=1, sticky="ew", padx=16)
        self._note.grid_remove()
        head.rowconfigure(0, minsize=self._note.winfo_reqheight())
        navigation = self.context.navigation
        self._account = AccountButton(head, self.context, self._show_message)
        self._account.grid(row=0, column=2, sticky="ew", padx=(0, 8))
        leave = enter_button(head, "leave", tr("Leave"), lambda: navigation.to_start())
        leave.grid(row=0, column=3, sticky="ew")

    def _build_own(self) -> None:
        """Build the row of own offers, between what begins matches and the other areas."""
        navigation = self.context.navigation
        self._own_offers: ShortList[OwnEntry] = ShortList(
            self,
            name="own",
            on_open=lambda entry: navigation.to_game(entry.key),
            on_more=self._requests.cancel,
        )
        self._own_offers.grid(row=2, column=1, sticky="ew", pady=8)

    def _build_counts(self) -> None:
        """Build the row below the areas: how much there is, and the own games."""
        row = ttk.Frame(self)
        row.grid(row=4, column=1, sticky="ew", pady=10)
        row.columnconfigure(0, weight=1)
        self._counts = WrappedLabel(row, "", name="counts", style="Dim.TLabel")
        self._counts.grid(row=0, column=0, sticky="ew", padx=(0, 12))
        navigation = self.context.navigation
        mine = enter_button(row, "history", tr("My games"), lambda: navigation.to_history())
        mine.grid(row=0, column=1)

    def _build_foot(self) -> None:
        foot = ttk.Frame(self)
        foot.grid(row=6, column=0, columnspan=3, sticky="ew", padx=_PAD, pady=12)
        foot.columnconfigure(1, weight=1)
        self._settings = SettingsRow(foot, self.context)
        self._settings.grid(row=0, column=0, sticky="w")
        navigation = self.context.navigation
        text = tr("Open a file ...")
        record = enter_button(foot, "open_record", text, lambda: navigation.open_record())
        record.grid(row=0, column=2, sticky="ew", padx=(8, 0))

    def _fit(self, width: int, height: int) -> None:
        """Arrange the areas in a window of this size."""
        wide = min(width - 2 * _PAD, scaled(self, _WIDEST_PX))
        self.columnconfigure(1, minsize=wide)
        # Messages need the space of the title.
        set_visible(self._title, width >= scaled(self, _NARROW_PX))
        narrow = width < scaled(self, _NARROW_PX) or self._play.row_px > wide
        low = height < scaled(self, _LOW_PX)
        spare = height - scaled(self, _AREAS_PX[narrow])
        entries = max(0, min(spare // (2 * self._play.entry_px), _MOST_ENTRIES))
        spacing = Spacing(narrow, low, entries)
        if spacing != self._spacing:
            self._spacing = spacing
            self._play.arrange(spacing)
            self._other.arrange(spacing)
            self._show_areas()
        self._own_offers.limit(1 if height < scaled(self, _TALL_PX) else 2)
        self._show_own()

    # -- contents ----------------------------------------------------------------------------

    def _show_identity(self) -> None:
        latest = self.context.latest
        place = tr("on this computer") if latest.here else tr("at {server}", server=latest.address)
        self._identity.set_text(f"{self.context.player_name} {place}")

    def _show_lobby(self) -> None:
        lobby = self.context.latest.lobby
        if lobby is not None:
            self._show_areas()
            self._counts.configure(text=counts_line(lobby, self.context.player_name))
            if self.dialogs.opened is not None:
                self._requests.stop_waiting()
            self._requests.lobby_changed(self._play.quick)

    def _show_areas(self) -> None:
        lobby = self.context.latest.lobby
        if lobby is not None:
            self._play.show(lobby, self.context.player_name)
            self._other.show(lobby, self.context.player_name)

    def _show_own(self) -> None:
        latest = self.context.latest
        if latest.offers is not None:
            self._offers |= {offer.offer: offer for offer in latest.offers.offers}
        rooms = [room for (who, _), room in latest.rooms.items() if who == ME]
        entries = own_entries(latest.offers, rooms)
        self._own_offers.show(entries, tr("You have no open offers."))

    def _show_message(self, sentence: str, *, good: bool = False) -> None:
        """Show a message in place of the identity; an empty sentence hides the last one."""
        if self.winfo_exists():
            self._note.show(sentence, good=good)

    def _report_offer_over(self, over: OfferOver) -> None:
        offer = self._offers.pop(over.offer, None)
        if self.dialogs.reports(over.offer):
            return
        if offer is not None and (line := over_line(offer, over)):
            self._show_message(line)
