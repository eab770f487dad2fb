"""The dialog that shows the server's tournaments, and joins or leaves one."""

from __future__ import annotations

from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.models.lobby.model import Row
from doublecross.client.tk.models.lobby.past import PastTournament
from doublecross.client.tk.models.lobby.tournaments import TournamentsModel
from doublecross.client.tk.models.pages import Page
from doublecross.client.tk.models.snapshots import LobbySnapshot, TournamentNews, WindowUpdate
from doublecross.client.tk.models.words import LONG_GAME, LONG_SIZE
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.network.tournaments import past_tournaments, tournament_records
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.screens.forms.records import RecordsDialog
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.dialog import Dialog
from doublecross.client.tk.widgets.lobby.list import LobbyList
from doublecross.client.tk.widgets.lobby.tournament_panel import TournamentPanel
from doublecross.protocol.server_messages import TournamentState

_WIDTH_PX: Final = 660
_LINES: Final = 4


class TournamentsDialog(Dialog):
    """Lists the tournaments and shows the standings of the chosen one.

    `me` is this player's name, `wanted` the id of the tournament to choose first (empty: none).
    To create and organise tournaments it opens the page in the browser.
    """

    _restyled: tuple[LobbyList | TournamentPanel, ...] = ()

    def __init__(
        self,
        screen: Screen,
        *,
        me: str,
        wanted: str = "",
    ) -> None:
        super().__init__(
            screen, name="tournaments_dialog", title=tr("Tournaments"), action=tr("Join")
        )
        self.model = TournamentsModel(me, wanted)
        self._leave = self.page.button(
            "leave_tournament", tr("tournament|Leave"), self._leave_tournament, side="left"
        )
        self._leave.pack_forget()
        self._games = self.page.button(
            "tournament_games", tr("Games ..."), self._show_games, side="left"
        )
        navigation = self.context.navigation
        self._new = self.page.button(
            "new_tournament",
            tr("New tournament ..."),
            lambda: navigation.to_page(Page.TOURNAMENTS),
            side="left",
        )
        self.body.columnconfigure(0, weight=1, minsize=scaled(self, _WIDTH_PX))
        self._list = self._build_list()
        self._panel = TournamentPanel(self.body, self.model)
        self._panel.grid(row=1, column=0, sticky="ew", pady=(10, 0))
        self._restyled = self._list, self._panel
        latest = self.context.latest
        if wanted in latest.tournaments:
            self.model.take(latest.tournaments[wanted])
        if latest.lobby is not None:
            self.model.take_lines(latest.lobby.tournaments)
        self.restyle()
        self._refresh()
        self._fetch_past()
        # A focused list would choose its first row, so without a chosen row focus the button.
        self.appear(self._list.tree if self._list.tree.selection() else self._cancel)

    # -- called by the screen ----------------------------------------------------------------

    def take(self, update: WindowUpdate) -> None:
        """Handle an update."""
        match update:
            case LobbySnapshot(who=who) if who == ME:
                self.model.take_lines(update.tournaments)
            case TournamentNews(who=who, state=state) if who == ME:
                self.model.take(state)
            case _:
                return
        self._refresh()

    def tick(self, now: float) -> None:
        """Request the state of the chosen tournament if that is due at `now`, in seconds."""
        if self.working:
            return
        wanted = self.model.due(now)
        if wanted:
            self.context.network.ask(
                ME,
                lambda client: client.tournaments.get(wanted),
                self._state_received,
                lambda refusal: self._state_refused(wanted, refusal),
            )

    def restyle(self) -> None:
        """Apply the current theme."""
        super().restyle()
        for each in self._restyled:
            each.restyle(self.context.colours)

    # -- joining and leaving -----------------------------------------------------------------

    def confirm(self) -> None:
        """Join the chosen tournament."""
        if not self.model.may_join:
            return
        chosen = self.model.chosen
        self.begin(tr("Joining {name} ...", name=self.model.name))
        self.ask(
            ME,
            lambda client: client.tournaments.join(chosen),
            self._joined,
            lambda _: self.context.network.ask(ME, lambda client: client.tournaments.leave(chosen)),
        )
        self._refresh()

    def end_attempt(self, sentence: str) -> None:
        """End the attempt without success; show `sentence` as the reason unless it is empty."""
        super().end_attempt(sentence)
        self._refresh()
        if self._action.instate(["disabled"]):
            self._cancel.focus_set()

    def attempt_cancelled(self) -> None:
        """Request the state soon: the server may have joined or left the tournament anyway."""
        self.model.hurry()

    def _joined(self, state: TournamentState) -> None:
        self._keep(state)
        self.end_attempt("")

    def _leave_tournament(self) -> None:
        warning = self.model.warning()
        if warning:
            self.end_attempt(warning)
            self._leave.focus_set()
            return
        chosen = self.model.chosen
        self.begin(tr("Leaving {name} ...", name=self.model.name))
        self.ask(ME, lambda client: client.tournaments.leave(chosen), lambda _: self._left())
        self._refresh()

    def _left(self) -> None:
        self.model.hurry()
        self.end_attempt("")

    # -- tournaments that have ended ---------------------------------------------------------

    def _fetch_past(self) -> None:
        http = self._http
        self.context.network.run(
            lambda: past_tournaments(http), self._past_received, self._past_refused
        )

    def _past_received(self, past: tuple[PastTournament, ...]) -> None:
        if self.winfo_exists():
            self.model.take_past(past)
            self._refresh()

    def _past_refused(self, refusal: Refusal) -> None:
        if self.winfo_exists() and not self.working:
            self.page.error.configure(text=refusal.sentence)

    def _show_games(self) -> None:
        """Show the games of the chosen tournament that are over."""
        http, chosen, name = self._http, self.model.chosen, self.model.name
        navigation = self.context.navigation
        records = RecordsDialog(self.context, back=lambda: navigation.to_tournament(chosen))
        records.load(
            tr("Fetching the games of {name} ...", name=name),
            lambda _: tournament_records(http, chosen, name),
        )

    @property
    def _http(self) -> str | None:
        link = self.context.latest.link
        return None if link is None else link.http

    # -- the state of the tournament ---------------------------------------------------------

    def _keep(self, state: TournamentState) -> None:
        self.context.latest.tournaments[state.tournament] = state
        self.model.take(state)

    def _state_received(self, state: TournamentState) -> None:
        if self.winfo_exists():
            self._keep(state)
            self._refresh()

    def _state_refused(self, tournament: str, refusal: Refusal) -> None:
        if self.winfo_exists():
            self.model.answered(tournament, refusal.sentence)
            self._refresh()

    # -- layout ------------------------------------------------------------------------------

    def _build_list(self) -> LobbyList:
        found = LobbyList(
            self.body,
            name="contests",
            title=tr("Tournaments"),
            columns=(
                (tr("Name"), "Spring of the year"),
                (tr("Format"), tr("round robin")),
                (tr("Game"), LONG_GAME),
                (tr("Time"), "10 min + 5 s"),
                (tr("Players"), "200"),
                (tr("State"), tr("open to bots")),
            ),
            empty=tr("There are no tournaments yet."),
            on_open=lambda _: None,
            on_choose=self._choose,
            narrow={tr("Game"): LONG_SIZE},
        )
        found.show_title(shown=False)
        found.tree.configure(height=_LINES)
        found.grid(row=0, column=0, sticky="ew")
        return found

    def _choose(self, row: Row | None) -> None:
        if row is not None and row.key != self.model.chosen:
            self.page.error.configure(text="")
            self.model.choose(row.key)
            self._refresh()

    def _refresh(self) -> None:
        """Show the current state of the model."""
        model = self.model
        self._list.show(model.rows)
        chosen = self._list.chosen
        if model.chosen and (chosen is None or chosen.key != model.chosen):
            self._select(model.chosen)
        self._show()
        self._panel.refresh()
        self._cancel.configure(text=tr("Cancel") if self.working else tr("Close"))
        self._action.state(["!disabled" if model.may_join and not self.working else "disabled"])
        self._new.state(["disabled" if self.working else "!disabled"])
        self._games.state(["!disabled" if model.has_games and not self.working else "disabled"])
        if model.may_leave and not self.working:
            if not self._leave.winfo_manager():
                self._leave.pack(side="left")
        elif self._leave.winfo_manager():
            self._leave.pack_forget()

    def _select(self, tournament: str) -> None:
        tree = self._list.tree
        if tree.exists(tournament):
            tree.selection_set(tournament)
            tree.focus(tournament)
