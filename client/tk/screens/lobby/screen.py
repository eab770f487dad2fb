"""The lobby: who is there, what is offered and played, and all ways into a match.

Theory of operation
-------------------
The lobby is followed as long as this screen is shown, and shown from whole pictures. Everything
that needs more than one choice has a dialog (see `client.tk.screens.forms`), of which one at a
time is open; it is told the same pictures. A seat in a match that an offer has led to is no
business of this screen: the program goes there by itself.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from tkinter import ttk
from typing import Final

from client.tk.context import Context, Screen
from client.tk.models.lobby.forms import BadFields, MatchFields
from client.tk.models.lobby.levels import Levels
from client.tk.models.lobby.model import OwnLine, over_line, own_lines
from client.tk.models.lobby.tournaments import is_aside, news_line
from client.tk.models.pictures import (
    LinkPicture,
    LobbyPicture,
    OfferOver,
    OfferPicture,
    OffersPicture,
    Picture,
    RoomGone,
    RoomPicture,
    TournamentNews,
)
from client.tk.models.words import game_line, time_line
from client.tk.network.thread import ME, Refusal
from client.tk.screens.forms.challenge import ChallengeDialog
from client.tk.screens.forms.create import CreateDialog
from client.tk.screens.forms.hot_seat import HotSeatDialog
from client.tk.screens.forms.join import JoinDialog
from client.tk.screens.forms.match import ChallengingDialog
from client.tk.screens.forms.play_bot import PlayBotDialog
from client.tk.screens.forms.quick import QuickDialog
from client.tk.screens.forms.tournaments import TournamentsDialog
from client.tk.screens.forms.watch_bots import WatchBotsDialog
from client.tk.screens.lobby.lists import Doings, LobbyLists
from client.tk.widgets.buttons import enter_button
from client.tk.widgets.dialog import Dialog
from client.tk.widgets.labels import FittedLabel
from client.tk.widgets.lobby.own_offers import OwnOffers
from client.tk.widgets.lobby.tournament_line import TournamentLine
from client.tk.widgets.note import Note
from client.tk.widgets.settings import SettingsRow
from client.transport import Client
from games.api import GameError
from games.registry import GAMES, make_game
from protocol.common import MatchSettings, PlayerInfo
from protocol.server_messages import LobbyRoom, LobbySeek, RoomState

_PAD: Final = 16
_SIDE_PX: Final = 190
_LOW_PX: Final = 560
"""In a window that is lower than this, in pixels, little is said of one's own offers."""
_AGAIN_S: Final = 5.0
"""When following the lobby is asked for again after it was refused, in seconds."""


class LobbyScreen(Screen):
    """What this player can do on the server."""

    name = "lobby"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._following = False
        self._asking = False
        self._ask_at = -math.inf
        self._dialog: Dialog | None = None
        self._again: tuple[MatchSettings, str] | None = None
        self._offers: dict[str, OfferPicture] = {}
        self._abouts: dict[str, str] | None = None
        self.columnconfigure(1, weight=1)
        self.rowconfigure(4, weight=1)
        self._build_head()
        self._build_side()
        self._build_notes()
        doings = Doings(self._challenge, self._accept, self._enter, self.play_bot)
        self._lists = LobbyLists(
            self, doings, about=self._known_bots, levels=Levels(context.helpers.levels)
        )
        self._lists.grid(row=4, column=1, sticky="nsew", padx=_PAD)
        self._build_foot()
        self.bind("<Configure>", lambda event: self._fit(event.height))
        self.restyle()
        self._show_who()
        self._show_quick()
        self._show_lobby()
        self._show_own()
        self._bot.focus_set()

    # -- what the window calls ---------------------------------------------------------------

    def take(self, picture: Picture) -> None:
        """Something is new."""
        match picture:
            case LobbyPicture(who=who) if who == ME:
                self._show_lobby()
                self._begin_again()
            case OffersPicture(who=who) if who == ME:
                self._show_own()
            case RoomPicture(who=who) | RoomGone(who=who) if who == ME:
                self._show_own()
            case OfferOver(who=who) if who == ME:
                self._tell_over(picture)
            case TournamentNews(who=who, state=state) if who == ME:
                if line := news_line(state, self._me):
                    self._say(line, good=not is_aside(state, self._me))
            case LinkPicture(who=who) if who == ME:
                self._show_who()
        if self._open_dialog is not None:
            self._open_dialog.take(picture)

    def tick(self, now: float) -> None:
        """Follow the lobby, as soon as that can be asked for."""
        if self._open_dialog is not None:
            self._open_dialog.tick(now)
        link = self.context.known.link
        if self._following or self._asking or link is None or link.state != "connected":
            return
        if now < self._ask_at:
            return
        self._asking, self._ask_at = True, now + _AGAIN_S

        def done(_: object) -> None:
            self._asking, self._following = False, True

        def failed(refusal: Refusal) -> None:
            self._asking = False
            self._say(refusal.sentence)

        self.context.network.ask(ME, lambda client: client.follow_lobby(), done, failed)

    def restyle(self) -> None:
        """Other colours."""
        look = self.context.look
        self._settings.refresh()
        self._lists.restyle(look)
        self._own.restyle(look)
        if self._open_dialog is not None:
            self._open_dialog.restyle()

    def leave(self) -> None:
        """Another screen comes."""
        if self._open_dialog is not None:
            self._open_dialog.close()
        if self._following or self._asking:
            self.context.network.ask(ME, lambda client: client.follow_lobby(on=False))

    def play_again(self, settings: MatchSettings, opponent: str) -> None:
        """Open the form for another match like this one against `opponent`, as soon as one knows
        who is there."""
        self._again = settings, opponent

    # -- how it looks ------------------------------------------------------------------------

    def _build_head(self) -> None:
        head = ttk.Frame(self)
        head.grid(row=0, column=0, columnspan=2, sticky="ew", padx=_PAD, pady=(12, 10))
        head.columnconfigure(1, weight=1)
        ttk.Label(head, text="Lobby", style="Title.TLabel").grid(row=0, column=0)
        self._who = FittedLabel(head, "", name="who", style="Dim.TLabel")
        self._who.grid(row=0, column=1, sticky="sew", padx=16, pady=(0, 5))
        leave = self._button(head, "leave", "Leave", lambda: self.context.ways.to_start())
        leave.grid(row=0, column=2, pady=0)

    def _build_side(self) -> None:
        side = ttk.Frame(self, name="side")
        side.grid(row=1, column=0, rowspan=4, sticky="ns", padx=(_PAD, 0))
        side.columnconfigure(0, minsize=_SIDE_PX)
        self._quick = self._button(side, "quick", "Quick match", self._quick_match)
        self._quick.configure(style="Accent.TButton")
        row = ttk.Frame(side)
        row.grid(sticky="ew", pady=(0, 14))
        row.columnconfigure(0, weight=1)
        self._quick_about = ttk.Label(row, name="quick_about", style="Caption.TLabel")
        self._quick_about.grid(row=0, column=0, sticky="w")
        change = self._button(row, "quick_change", "Change", self._change_quick)
        change.configure(style="Toolbutton")
        change.grid(row=0, column=1, pady=0)
        self._bot = self._button(side, "bot", "Play a bot ...", self.play_bot)
        self._button(side, "create", "Create a room ...", self._create)
        self._button(side, "join", "Join by code ...", lambda: self._open(JoinDialog))
        self._button(side, "hot_seat", "Hot seat ...", self._hot_seat)
        self._button(side, "watch_bots", "Watch two bots ...", self._watch_bots)

    def _build_notes(self) -> None:
        """Above the lists: what one has open, and what has happened."""
        look = self.context.look
        self._own = OwnOffers(self, look, on_return=self._return, on_cancel=self._cancel)
        self._own.grid(row=1, column=1, sticky="ew", padx=_PAD, pady=(0, 10))
        self._own.grid_remove()
        self._note = Note(self)
        self._note.grid(row=2, column=1, sticky="ew", padx=_PAD, pady=(0, 10))
        self._note.grid_remove()
        self._on = TournamentLine(self, on_open=self.show_tournaments)
        self._on.grid(row=3, column=1, sticky="ew", padx=_PAD, pady=(0, 10))
        self._on.grid_remove()

    def _build_foot(self) -> None:
        foot = ttk.Frame(self)
        foot.grid(row=5, column=0, columnspan=2, sticky="ew", padx=_PAD, pady=12)
        foot.columnconfigure(1, weight=1)
        self._settings = SettingsRow(foot, self.context)
        self._settings.grid(row=0, column=0, sticky="w")
        ways = self.context.ways
        record = self._button(foot, "open_record", "Open a record ...", lambda: ways.open_record())
        record.grid(row=0, column=2, padx=(8, 0), pady=0)

    def _button(
        self, parent: ttk.Frame, name: str, text: str, command: Callable[[], None]
    ) -> ttk.Button:
        button = enter_button(parent, name, text, command)
        button.grid(sticky="ew", pady=(0, 8))
        return button

    def _fit(self, height: int) -> None:
        self._own.limit(low=height < _LOW_PX)

    # -- what it shows -----------------------------------------------------------------------

    @property
    def _me(self) -> str:
        link = self.context.known.link
        if link is not None and link.player is not None:
            return link.player.name
        return self.context.home.kept.name

    @property
    def _open_dialog(self) -> Dialog | None:
        dialog = self._dialog
        return dialog if dialog is not None and dialog.winfo_exists() else None

    def _show_who(self) -> None:
        known = self.context.known
        place = f"{known.server}, on this computer" if known.here else known.server
        self._who.say(f"{self._me} at {place}")

    def _show_quick(self) -> None:
        settings = self._quick_settings()
        self._quick_about.configure(text=f"{game_line(settings)}\n{time_line(settings.time)}")

    def _show_lobby(self) -> None:
        lobby = self.context.known.lobby
        if lobby is None:
            return
        self._lists.show(lobby, self._me)
        self._on.show(lobby.tournaments)

    def _show_own(self) -> None:
        known = self.context.known
        if known.offers is not None:
            self._offers |= {offer.offer: offer for offer in known.offers.offers}
        rooms = [room for (who, _), room in known.rooms.items() if who == ME]
        self._own.show(own_lines(known.offers, rooms))

    def _say(self, sentence: str, *, good: bool = False) -> None:
        """What has happened, above the lists; nothing: what was said is read."""
        if self.winfo_exists():
            self._note.say(sentence, good=good)

    def _tell_over(self, over: OfferOver) -> None:
        offer = self._offers.pop(over.offer, None)
        dialog = self._open_dialog
        if isinstance(dialog, ChallengingDialog) and dialog.handles(over.offer):
            return
        if offer is not None and (line := over_line(offer, over)):
            self._say(line)

    def _known_bots(self) -> dict[str, str]:
        """What the bots of this machine are, by spec."""
        if self._abouts is None:
            game = make_game(next(iter(GAMES)))
            self._abouts = {each.spec: each.about for each in self.context.helpers.bots(game)}
        return self._abouts

    # -- a quick match -----------------------------------------------------------------------

    def _quick_settings(self) -> MatchSettings:
        try:
            return MatchFields.from_kept(self.context.home.kept.quick).settings()
        except BadFields:
            return MatchFields().settings()

    def _quick_match(self) -> None:
        settings = self._quick_settings()
        offers = self.context.known.offers
        for offer in () if offers is None else offers.offers:
            if offer.mine and offer.other is None and offer.settings == settings:
                self._say("You are waiting for an opponent for this already.")
                return
        self._ask(lambda client: client.quick_match(settings), self._quick)

    def _change_quick(self) -> None:
        fields = MatchFields.from_kept(self.context.home.kept.quick)
        self._open(lambda screen: QuickDialog(screen, fields, on_change=self._show_quick))

    # -- with a dialog -----------------------------------------------------------------------

    def play_bot(self, wanted: str = "", fields: MatchFields | None = None) -> None:
        """Open the form to play a bot, `wanted` if it can be had."""
        chosen = fields or self._fields()
        self._open(
            lambda screen: PlayBotDialog(
                screen,
                chosen,
                me=self._me,
                wanted=wanted,
                on_brought=lambda name: self._say(f"{name} has joined.", good=True),
            )
        )

    def _create(self) -> None:
        self._open(lambda screen: CreateDialog(screen, self._fields()))

    def show_tournaments(self, wanted: str = "") -> None:
        """Show the tournaments, and how `wanted` stands, or the first one."""
        self._open(lambda screen: TournamentsDialog(screen, me=self._me, wanted=wanted))

    def _hot_seat(self, fields: MatchFields | None = None) -> None:
        chosen = fields or self._fields()
        self._open(lambda screen: HotSeatDialog(screen, chosen, me=self._me))

    def _watch_bots(self) -> None:
        self._open(lambda screen: WatchBotsDialog(screen, self._fields()))

    def _challenge(self, player: PlayerInfo, fields: MatchFields | None = None) -> None:
        chosen = fields or self._fields()
        self._open(lambda screen: ChallengeDialog(screen, chosen, player))

    def _begin_again(self) -> None:
        """Open the form that `play_again` has asked for."""
        lobby = self.context.known.lobby
        if self._again is None or lobby is None or lobby.stale:
            return
        (settings, opponent), self._again = self._again, None
        fields = self._fields()
        fields.fill(settings)
        player = next((player for player in lobby.players if player.name == opponent), None)
        if opponent == self.context.home.kept.guest:
            self._hot_seat(fields)
        elif player is not None and player.kind == "human" and opponent != self._me:
            self._challenge(player, fields)
        elif player is not None and player.kind == "bot":
            self.play_bot(opponent, fields)
        else:
            self.play_bot("", fields)
            self._say(f"{opponent} is not here any more.")

    def _fields(self) -> MatchFields:
        return MatchFields.from_kept(self.context.home.kept.create)

    def _open(self, make: Callable[[Screen], Dialog]) -> None:
        """Open a dialog instead of the one that is open; what is being done in that is given
        up."""
        if self._open_dialog is not None:
            self._open_dialog.close()
        self._say("")
        self._again = None
        self._dialog = make(self)

    # -- without one -------------------------------------------------------------------------

    def _accept(self, seek: LobbySeek) -> None:
        if self._knows(seek.settings):
            self._ask(lambda client: client.accept_seek(seek.seek))

    def _enter(self, room: LobbyRoom) -> None:
        if (ME, room.room) in self.context.known.rooms:
            self.context.ways.to_game(room.room)
        elif not self._knows(room.settings):
            return
        elif room.status == "waiting":
            self._ask(lambda client: client.join(room.room))
        else:
            self._ask(lambda client: client.watch(room.room))

    def _return(self, line: OwnLine) -> None:
        self.context.ways.to_game(line.key)

    def _cancel(self, line: OwnLine) -> None:
        if line.kind == "waiting":
            self._ask(lambda client: client.leave(line.key))
        elif line.kind == "seek":
            self._ask(lambda client: client.cancel_seek(line.key))
        else:
            self._ask(lambda client: client.cancel_challenge(line.key))

    def _knows(self, settings: MatchSettings) -> bool:
        try:
            make_game(settings.game, settings.params)
        except GameError as error:
            self._say(f"This program cannot show that match. {error}")
            return False
        return True

    def _ask(
        self,
        request: Callable[[Client], Awaitable[object]],
        button: ttk.Button | None = None,
    ) -> None:
        """Ask for something that may lead to a room; `button` is not to be pressed meanwhile."""
        self._say("")
        if button is not None:
            button.state(["disabled"])

        def over() -> None:
            if button is not None and button.winfo_exists():
                button.state(["!disabled"])

        def done(answer: object) -> None:
            over()
            if isinstance(answer, RoomState) and self.winfo_exists():
                self.context.ways.to_game(answer.room)

        def failed(refusal: Refusal) -> None:
            over()
            self._say(refusal.sentence)

        self.context.network.ask(ME, request, done, failed)
