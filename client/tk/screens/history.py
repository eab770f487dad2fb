"""The screen *My games*: this player's finished games on the server, with search.

Theory of operation
-------------------
The pages of the server's list are fetched one after another, and shown as they arrive. The model
keeps them, so a review that is opened from here leads back to the same list without fetching it
again.
"""

from __future__ import annotations

from tkinter import ttk
from typing import Final

from doublecross.client.language import longest_day, tr
from doublecross.client.tk.context import Context, Screen
from doublecross.client.tk.models.history import LONG_RESULT, History
from doublecross.client.tk.models.lobby.levels import Levels
from doublecross.client.tk.models.pages import game_page
from doublecross.client.tk.models.rows import Row
from doublecross.client.tk.models.words import LONG_GAME, LONG_SIZE
from doublecross.client.tk.network.records import fetch_record
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.labels import FittedLabel, WrappedLabel
from doublecross.client.tk.widgets.lobby.list import LobbyList
from doublecross.client.tk.widgets.note import Note
from doublecross.games.record import Record
from doublecross.protocol.history_messages import MOST_GAMES
from doublecross.protocol.server_messages import GamesFound

_PAD: Final = 16


class HistoryScreen(Screen):
    """Lists the games in `history`, and fetches those that are missing (None: all).

    `chosen` is the id of the game to select.
    """

    name = "history"

    def __init__(
        self, context: Context, history: History | None = None, *, chosen: str = ""
    ) -> None:
        super().__init__(context)
        self.history = history or History(Levels(context.helpers.levels))
        self._chosen = chosen
        self._fetching = False
        self.columnconfigure(0, weight=1)
        self.rowconfigure(2, weight=1)
        self._build_head()
        self._build_search()
        self._games = self._build_games()
        self._build_foot()
        self.bind("<Escape>", lambda _: self.context.navigation.to_lobby())
        for widget in (self._games.tree, self._search, self._review):
            widget.bindtags((str(self), *widget.bindtags()))
        self._show()
        if not self.history.complete:
            self.fetch()

    def focus_first(self) -> None:
        """Focus the search."""
        self._search.focus_set()

    # -- layout ------------------------------------------------------------------------------

    def _build_head(self) -> None:
        head = ttk.Frame(self)
        head.grid(row=0, column=0, sticky="ew", padx=_PAD, pady=(4, 10))
        head.columnconfigure(2, weight=1)
        to_lobby = self.context.navigation.to_lobby
        back = enter_button(head, "leave", tr("‹ Lobby"), lambda: to_lobby())
        back.grid(row=0, column=0, padx=(0, 16))
        ttk.Label(head, text=tr("My games"), style="Title.TLabel").grid(row=0, column=1)
        latest = self.context.latest
        place = tr("on this computer") if latest.here else tr("at {server}", server=latest.address)
        who = f"{self.context.player_name} {place}"
        identity = FittedLabel(head, who, name="who", style="Dim.TLabel")
        identity.grid(row=0, column=2, sticky="sew", padx=16, pady=(0, 5))
        self._note = Note(head, instead=identity)
        self._note.grid(row=0, column=2, sticky="ew", padx=16)
        self._note.grid_remove()
        head.rowconfigure(0, minsize=self._note.winfo_reqheight())

    def _build_search(self) -> None:
        line = ttk.Frame(self)
        line.grid(row=1, column=0, sticky="ew", padx=_PAD, pady=(0, 10))
        line.columnconfigure(1, weight=1)
        ttk.Label(line, text=tr("Search")).grid(row=0, column=0, padx=(0, 8))
        self._search = ttk.Entry(line, name="search", width=12)
        self._search.insert(0, self.history.search)
        self._search.grid(row=0, column=1, sticky="ew")
        # On release: while the key is pressed, the field still has its old text.
        self._search.bind("<KeyRelease>", lambda _: self._searched())
        self._search.bind("<Down>", lambda _: self._games.tree.focus_set())
        about = tr(
            "Names, games, sizes such as 5x5, levels, dates, won, lost, draw, rated, private"
        )
        hint = WrappedLabel(line, about, name="about", style="Caption.TLabel")
        hint.grid(row=1, column=0, columnspan=2, sticky="ew", pady=(4, 0))

    def _build_games(self) -> LobbyList:
        games = LobbyList(
            self,
            name="own_games",
            columns=(
                (tr("Opponent"), "Maximilian · medium"),
                (tr("Game"), LONG_GAME),
                (tr("Result"), LONG_RESULT),
                (tr("Date"), longest_day()),
            ),
            empty="",
            on_open=self._open,
            on_choose=self._choose,
            narrow={tr("Game"): LONG_SIZE},
        )
        games.grid(row=2, column=0, sticky="nsew", padx=_PAD)
        return games

    def _build_foot(self) -> None:
        foot = ttk.Frame(self)
        foot.grid(row=3, column=0, sticky="ew", padx=_PAD, pady=12)
        foot.columnconfigure(0, weight=1)
        self._line = FittedLabel(foot, "", name="line")
        self._line.grid(row=0, column=0, sticky="ew")
        self._review = enter_button(foot, "review", tr("Review"), self._open_chosen)
        self._review.configure(style="Accent.TButton")
        self._review.state(["disabled"])
        self._review.grid(row=0, column=2, padx=(8, 0))
        self._again = enter_button(foot, "again", tr("Try again"), self.fetch)
        self._again.grid(row=0, column=1, padx=(8, 0))
        self._again.grid_remove()

    # -- contents ----------------------------------------------------------------------------

    def fetch(self) -> None:
        """Fetch the next page of the server's list, and then the one after it."""
        last = self.history.last
        self._fetching = True
        self._again.grid_remove()
        self.context.network.ask(
            ME,
            lambda client: client.get_games(
                MOST_GAMES,
                before_ms=None if last is None else last.finished_ms,
                before_id=None if last is None else last.game_id,
            ),
            self._arrived,
            self._missed,
        )

    def _arrived(self, page: GamesFound) -> None:
        if not self.winfo_exists():
            return
        self._fetching = False
        self.history.add(page.games, more=page.more)
        self._show()
        if not self.history.complete:
            self.fetch()

    def _missed(self, refusal: Refusal) -> None:
        if not self.winfo_exists():
            return
        self._fetching = False
        self._note.show(tr("The list is not complete. {sentence}", sentence=refusal.sentence))
        self._again.grid()
        self._show()

    def _show(self) -> None:
        history = self.history
        line = (
            history.line if history.complete or self._fetching else tr("The list is not complete.")
        )
        total = history.total
        self._line.set_text(*((f"{line} · {total}", total) if total else (line,)))
        self._games.set_empty_text(line)
        self._games.show([past.row for past in history.matching()])
        if self._chosen and self._games.tree.exists(self._chosen):
            self._games.tree.selection_set(self._chosen)
            self._games.tree.see(self._chosen)
            self._chosen = ""

    def _searched(self) -> None:
        text = self._search.get()
        if text != self.history.search:
            self.history.search = text
            self._show()

    def _choose(self, row: Row | None) -> None:
        self._review.state(["disabled" if row is None else "!disabled"])

    # -- opening -----------------------------------------------------------------------------

    def _open_chosen(self) -> None:
        if self._games.chosen is not None:
            self._open(self._games.chosen)

    def _open(self, row: Row) -> None:
        """Fetch the record of a game and show its review, which leads back here."""
        self._review.state(["disabled"])
        self.context.network.ask(
            ME,
            lambda client: fetch_record(client, row.key),
            lambda record: self._show_review(row, record),
            self._refused,
        )

    def _show_review(self, row: Row, record: Record) -> None:
        if not self.winfo_exists():
            return
        navigation, history = self.context.navigation, self.history
        title = f"{row.cells[0]} · {row.cells[-1]}"
        navigation.to_review(
            record,
            title=title,
            back=lambda: navigation.to_history(history, row.key),
            page=game_page(row.key),
        )

    def _refused(self, refusal: Refusal) -> None:
        if self.winfo_exists():
            self._note.show(refusal.sentence)
            self._choose(self._games.chosen)
