"""A room on the screen: what clicks, keys and buttons do there.

Theory of operation
-------------------
`GameModel` knows what is so and what a click means, `GameView` has the widgets; here one is shown
by the other (`_refresh`), and what the person wants goes to the server, moves by `_send`, anything
else by `GameAsks`. What the server refuses because the match had gone on meanwhile, as after a lost
connection, is not worth a word: the next picture shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from client.tk.context import Context, Screen
from client.tk.models.board.model import BoardChanges
from client.tk.models.lobby.tournaments import game_note
from client.tk.models.pictures import RoomPicture
from client.tk.models.room.game import GameModel, Order
from client.tk.models.room.tones import Ears
from client.tk.network.thread import GUEST, ME, Refusal
from client.tk.screens.game.asks import GameAsks
from client.tk.screens.game.view import GameView
from games.record import Record
from protocol.errors import ErrorCode

SAID_S: Final = 5.0
"""How long it is said why something was not done, in seconds."""
PATIENCE_S: Final = 3600.0
"""How long a move waits for its answer, across lost connections, in seconds."""
ANIMATED: Final = 12
"""More moves than this at once are not animated: one would wait for them."""

_NOTHING: Final = BoardChanges()
_QUIET: Final = frozenset({ErrorCode.STALE_PLY.value, ErrorCode.WRONG_STATE.value})


class GameRoom:
    """The room of `picture`, its first one, on `screen`."""

    def __init__(self, screen: Screen, picture: RoomPicture) -> None:
        self.context: Context = screen.context
        self.model = GameModel(picture)
        self._room = picture.room
        self._ears = Ears(self.model)
        self._asks = GameAsks(
            self.context, self.model, changed=self._refresh, complain=self._notify
        )
        self._question = ""
        self._notice = ""
        self._notice_until = 0.0
        self._claimable = False
        self._left = False
        ways = self.context.ways
        self.view = GameView(
            screen,
            self.model.board,
            self.context.look,
            clock=self.context.clock,
            on_action=self._play,
            on_ply=self._look_at,
            on_step=self._step,
            commands={
                "back": self._back,
                "latest": lambda: self._look_at(None),
                "sound": self._switch_sound,
                "full_screen": self._switch_full_screen,
                "overlay": self._switch_overlay,
                "hint": self._advise,
                "claim": self._asks.claim,
                "abort": self._asks.abort,
                "resign": lambda: self._ask_first("resign"),
                "confirm": self._confirm,
                "leave_running": lambda: self._go(ways.to_lobby),
                "stay": lambda: self._ask_first(""),
                "copy": self._copy,
                "close": self._back,
                "rematch": self._asks.rematch,
                "play_again": self._play_again,
                "tournament": self._to_tournament,
                "review": lambda: self._asks.record(self._review),
                "lobby": self._back,
                "quit": self._quit,
            },
        )
        kept = self.context.home.kept
        self.view.sound.state(["selected" if kept.sound else "!selected"])
        self.view.overlay.state(["selected" if kept.overlay else "!selected"])
        self._bind_keys()
        self._refresh(BoardChanges(rebuilt=True), quiet=True)
        if picture.tournament is not None:
            self._asks.tournament(picture.tournament)

    def _bind_keys(self) -> None:
        """The keys work wherever the focus is."""
        keys: dict[str, Callable[[], None]] = {
            "<Home>": lambda: self._look_at(0),
            "<End>": lambda: self._look_at(None),
            "<Prior>": lambda: self._step(-1),
            "<comma>": lambda: self._step(-1),
            "<Next>": lambda: self._step(1),
            "<period>": lambda: self._step(1),
            "<Escape>": self._escape,
        }
        for key, act in keys.items():
            self.view.hear(key, act)

    # -- what the screen calls ---------------------------------------------------------------

    def take(self, picture: RoomPicture) -> None:
        """The room is otherwise, for one of the connections of this window."""
        self._follow(self.model.take(picture))

    def gone(self, who: str, sentence: str) -> None:
        """The connection of `who` follows the room no more."""
        if who != ME:
            self.model.forget(who)
            self._refresh()
        elif sentence:
            self._follow(self.model.gone(sentence))
        else:
            self._go(self.context.ways.to_lobby)

    def news(self, tournament: str) -> None:
        """A tournament stands otherwise; `Known` has it."""
        if tournament == self.model.picture.tournament:
            self._refresh()

    def tick(self, now: float) -> None:
        """Let clocks and animations run."""
        for seat, panel in enumerate(self.view.seats):
            panel.tick(self.model.clock(seat, now), now)
        self.view.board.tick(now)
        self._say(now)
        if self.model.may_claim(now) != self._claimable:
            self._refresh()
        if (tone := self._ears.ticked(now)) is not None:
            self.context.sound.play(tone)

    def restyle(self) -> None:
        """Other colours."""
        self.view.restyle(self.context.look)

    def leave(self) -> None:
        """Another screen comes."""
        self._left = True

    # -- showing -----------------------------------------------------------------------------

    def _follow(self, changes: BoardChanges) -> None:
        """The server has told something."""
        if self._question and not self.model.playing:
            self._ask_first("")
        if (tone := self._ears.told(changes)) is not None:
            self.context.sound.play(tone)
        if changes.actions or changes.rebuilt:
            self._notice = ""  # it was about what is over now
        self._send()
        self._refresh(changes, quiet=len(changes.actions) > ANIMATED)

    def _refresh(self, changes: BoardChanges = _NOTHING, *, quiet: bool = False) -> None:
        """Show what is so now."""
        if self._left:
            return
        hint, now = self._asks.hint, self.context.clock()
        hint.see(self.model)
        self._see_tournament()
        self._claimable = self.model.may_claim(now)
        self.view.show(self.model, changes, hint, asked=self._asks.asked, now=now, quiet=quiet)
        self._say(now)

    def _see_tournament(self) -> None:
        """Let the model know what is known of the tournament that the game belongs to."""
        model, known, link = self.model, self.context.known, self.context.known.link
        tournament = model.picture.tournament
        if tournament is not None:
            me = "" if link is None or link.player is None else link.player.name
            model.tournament_name = name = known.tournament_name(tournament)
            model.tournament_note = game_note(name, known.tournaments.get(tournament), me)

    def _say(self, now: float) -> None:
        if not self._left:
            if now >= self._notice_until:
                self._notice = ""
            self.view.say(self.model, self._asks.hint, self._notice, now)

    def _notify(self, sentence: str) -> None:
        """Say for a moment why something was not done."""
        now = self.context.clock()
        self._notice, self._notice_until = sentence, now + SAID_S
        self._say(now)

    # -- playing -----------------------------------------------------------------------------

    def _play(self, action: int) -> None:
        order = self.model.play(action)
        if isinstance(order, str):
            self._notify(order)
            return
        self._notice = ""
        changes = self.model.changes
        self.context.sound.play(self._ears.played(changes))
        self._send()
        self._refresh(changes)

    def _send(self) -> None:
        order = self.model.due()
        if order is None:
            return
        self.context.network.ask(
            order.who,
            lambda client: client.move(
                order.room,
                order.action,
                match=order.match,
                ply=order.ply,
                timeout=PATIENCE_S,
            ),
            failed=lambda refusal: self._move_refused(order, refusal),
        )

    def _move_refused(self, order: Order, refusal: Refusal) -> None:
        if self.model.refuse(order):
            if refusal.code not in _QUIET:
                self._notify(refusal.sentence)
            self._refresh(self.model.changes, quiet=True)

    def _look_at(self, ply: int | None) -> None:
        self._refresh(self.model.look_at(ply), quiet=True)

    def _step(self, by: int) -> None:
        self._refresh(self.model.step(by), quiet=by < 0)

    def _advise(self) -> None:
        self._notice = ""
        self._asks.advice()

    # -- what is asked once more -------------------------------------------------------------

    def _ask_first(self, what: str) -> None:
        """Ask whether the person means it: ``resign`` or ``leave``; nothing: ask no more."""
        self._question, model = what, self.model
        resigns = "Resign"
        if model.hot_seat and model.to_move is not None:
            resigns = f"{model.name(model.to_move)} resigns"
        if what == "resign":
            self.view.ask("Give the match up?", {"confirm": resigns, "stay": "Play on"})
        elif what == "leave":
            self.view.ask(
                "The match is not over.",
                {
                    "confirm": "Resign and leave" if resigns == "Resign" else resigns,
                    "leave_running": "Leave it running",
                    "stay": "Stay",
                },
            )
        else:
            self.view.ask("", {})
        self._refresh()

    def _confirm(self) -> None:
        what = self._question
        self._ask_first("")
        self._asks.resign(self._leave_for_lobby if what == "leave" else lambda: None)

    def _escape(self) -> None:
        if self._question:
            self._ask_first("")
        elif self.context.full_screen:
            self.context.full_screen = False
        elif self.model.viewing is not None:
            self._look_at(None)

    # -- ways away ---------------------------------------------------------------------------

    def _go(self, way: Callable[[], None]) -> None:
        """Lead to another screen, once."""
        if not self._left:
            way()

    def _back(self) -> None:
        if self.model.playing:
            self._ask_first("leave")
        else:
            self._leave_for_lobby()

    def _leave_for_lobby(self) -> None:
        self._leave_room()
        self._go(self.context.ways.to_lobby)

    def _leave_room(self) -> None:
        """Follow the room no more; a second person at this window goes."""
        network, room = self.context.network, self._room
        if self.model.picture.status != "closed":
            network.ask(ME, lambda client: client.leave(room))
        if (GUEST, room) in self.context.known.rooms:
            network.ask(
                GUEST,
                lambda client: client.leave(room),
                lambda _: network.disconnect(GUEST),
                lambda _: network.disconnect(GUEST),
            )

    def _play_again(self) -> None:
        model, ways = self.model, self.context.ways
        if model.opponent is not None:
            settings, name = model.picture.settings, model.name(model.opponent)
            self._leave_room()
            self._go(lambda: ways.play_again(settings, name))

    def _to_tournament(self) -> None:
        tournament, ways = self.model.picture.tournament, self.context.ways
        if tournament is not None:
            self._leave_room()
            self._go(lambda: ways.to_tournament(tournament))

    def _review(self, record: Record) -> None:
        context, room = self.context, self._room

        def back() -> None:
            if (ME, room) in context.known.rooms:
                context.ways.to_game(room)
            else:
                context.ways.to_lobby()

        title = " – ".join(record.players)
        self._go(lambda: context.ways.to_review(record, title=title, back=back))

    def _quit(self) -> None:
        # The button that was pressed goes too, and must have done what it does before.
        self.context.root.after_idle(self.context.ways.quit)

    # -- the window --------------------------------------------------------------------------

    def _copy(self) -> None:
        """What the other player has to know, as the lobby's form takes it."""
        picture = self.model.picture
        self.view.clipboard_clear()
        self.view.clipboard_append(" ".join(filter(None, (picture.room, picture.code))))

    def _switch_overlay(self) -> None:
        self.context.home.kept.overlay = self.view.overlay.instate(["selected"])
        self.context.home.save()
        self.view.show_overlay(self.model)

    def _switch_sound(self) -> None:
        on = self.view.sound.instate(["selected"])
        self.context.sound.on = self.context.home.kept.sound = on
        self.context.home.save()

    def _switch_full_screen(self) -> None:
        self.context.full_screen = not self.context.full_screen
