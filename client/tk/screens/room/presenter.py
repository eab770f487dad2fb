"""A room on the screen: what clicks, keys and updates do there.

Theory of operation
-------------------
The models of `RoomParts` know how things are and what a click means; `RoomView` has the widgets.
The presenter shows the ones by the other (`_refresh`), after every input and every update. What
the person wants of the server goes there through `RoomRequests`, and `RoomExits` leads away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from client.tk.context import Context, Screen
from client.tk.models.board.model import BoardChanges
from client.tk.models.pictures import RoomPicture
from client.tk.models.room.parts import RoomParts
from client.tk.models.room.sound_cues import Cue, SoundCues
from client.tk.network.thread import ME
from client.tk.screens.room.commands import ExitQuestion, RoomCommands
from client.tk.screens.room.exits import RoomExits
from client.tk.screens.room.requests import RoomRequests
from client.tk.screens.room.view import RoomView
from client.tk.widgets.buttons import is_on

SAID_S: Final = 5.0
"""How long it is said why something was not done, in seconds."""
ANIMATED: Final = 12
"""More moves than this at once are not animated: one would wait for them."""

_NOTHING: Final = BoardChanges()


class RoomPresenter:
    """Shows the room of `picture`, its first one, on `screen`, and reacts to input and updates."""

    def __init__(self, screen: Screen, picture: RoomPicture) -> None:
        self.context: Context = screen.context
        self.parts = RoomParts.begin(picture, self.context.latest)
        self.model = self.parts.model
        self._cues = SoundCues(self.model)
        self._requests = RoomRequests(
            self.context,
            self.parts,
            changed=self._refresh,
            taken_back=lambda: self._refresh(self.model.position.changes, quiet=True),
            complain=self._notify,
        )
        self._exits = RoomExits(self.context, self.parts, self._requests, ask=self._ask)
        self._notice = ""
        self._notice_until = 0.0
        self._claimable = False
        self.view = RoomView(
            screen,
            self.parts,
            self.context.look,
            clock=self.context.clock,
            on_action=self._play,
            on_ply=self._look_at,
            on_step=self._step,
            commands=self._commands(),
        )
        kept = self.context.home.kept
        self.view.set_switches(sound=kept.sound, overlay=kept.overlay)
        self._bind_keys()
        self._refresh(BoardChanges(rebuilt=True), quiet=True)
        if picture.tournament is not None:
            self._requests.tournament(picture.tournament)

    def _commands(self) -> RoomCommands:
        requests, exits = self._requests, self._exits
        return RoomCommands(
            back=exits.back,
            latest=lambda: self._look_at(None),
            sound=lambda: self.context.switch_sound(on=is_on(self.view.head.sound)),
            full_screen=self.context.switch_full_screen,
            overlay=self._switch_overlay,
            copy=lambda: self.view.copy_invitation(),
            hint=self._advise,
            claim=requests.claim,
            abort=requests.abort,
            resign=exits.resign,
            confirm=exits.confirm,
            leave_running=exits.leave_running,
            stay=exits.stay,
            rematch=requests.rematch,
            play_again=exits.play_again,
            tournament=exits.tournament,
            review=exits.review,
            quit=exits.quit,
        )

    def _bind_keys(self) -> None:
        """Bind the keys that work wherever the focus is."""
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
            self.view.bind_key(key, act)

    # -- what the screen calls ---------------------------------------------------------------

    def take(self, picture: RoomPicture) -> None:
        """Apply a picture of the room, of either connection of this window."""
        self._follow(self.model.take(picture))

    def gone(self, who: str, sentence: str) -> None:
        """React to the end of following the room, for the connection of `who`."""
        if who != ME:
            self.model.forget(who)
            self._refresh()
        elif sentence:
            self._follow(self.model.gone(sentence))
        else:
            self._exits.leave_running()

    def tournament_changed(self, tournament: str) -> None:
        """Show the new state of a tournament, which `LatestPictures` has."""
        if tournament == self.model.picture.tournament:
            self._refresh()

    def tick(self, now: float) -> None:
        """Move clocks and animations on to `now`, in seconds."""
        self.view.tick(now)
        self._say(now)
        if self.parts.may.claim(now) != self._claimable:
            self._refresh()
        self._play_sound(self._cues.at(now))

    def leave(self) -> None:
        """Stop showing anything: another screen comes."""
        self._exits.left = True

    # -- showing -----------------------------------------------------------------------------

    def _follow(self, changes: BoardChanges) -> None:
        """Show an update of the server that has made `changes` on the board."""
        self._exits.drop_question()
        self._play_sound(self._cues.after_update(changes))
        if changes.actions or changes.rebuilt:
            self._notice = ""  # it was about what is over now
        self._requests.send_move()
        self._refresh(changes, quiet=len(changes.actions) > ANIMATED)

    def _refresh(self, changes: BoardChanges = _NOTHING, *, quiet: bool = False) -> None:
        """Show how things are now."""
        if self._exits.left:
            return
        now = self.context.clock()
        self.parts.hint.update()
        self._claimable = self.parts.may.claim(now)
        self.view.show(changes, waiting=self._requests.waiting, now=now, quiet=quiet)
        self._say(now)

    def _say(self, now: float) -> None:
        if not self._exits.left:
            if now >= self._notice_until:
                self._notice = ""
            self.view.say(self._notice, now)

    def _notify(self, sentence: str) -> None:
        """Say for a moment why something was not done."""
        now = self.context.clock()
        self._notice, self._notice_until = sentence, now + SAID_S
        self._say(now)

    def _play_sound(self, cue: Cue | None) -> None:
        if cue is not None:
            self.context.sound.play(cue)

    # -- input -------------------------------------------------------------------------------

    def _play(self, action: int) -> None:
        order = self.model.play(action)
        if isinstance(order, str):
            self._notify(order)
            return
        self._notice = ""
        changes = self.model.position.changes
        self._play_sound(self._cues.after_move(changes))
        self._requests.send_move()
        self._refresh(changes)

    def _look_at(self, ply: int | None) -> None:
        self._refresh(self.model.position.look_at(ply), quiet=True)

    def _step(self, by: int) -> None:
        self._refresh(self.model.position.step(by), quiet=by < 0)

    def _advise(self) -> None:
        self._notice = ""
        self._requests.advice()

    def _ask(self, question: ExitQuestion | None) -> None:
        self.view.side.ask(question)
        self._refresh()

    def _escape(self) -> None:
        if self._exits.asking is not None:
            self._exits.stay()
        elif self.context.full_screen:
            self.context.full_screen = False
        elif self.model.position.viewing is not None:
            self._look_at(None)

    def _switch_overlay(self) -> None:
        self.context.home.kept.overlay = is_on(self.view.side.overlay)
        self.context.home.save()
        self.view.show_overlay()
