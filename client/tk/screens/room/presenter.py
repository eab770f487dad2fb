"""Connect the models of a room with its widgets: handle clicks, keys and updates.

Theory of operation
-------------------
The models of `RoomParts` hold the state and interpret clicks; `RoomView` has the widgets. After
every input and every update, the presenter shows the models in the widgets (`_refresh`).
`RoomRequests` sends the person's requests to the server; `RoomExits` opens other screens;
`RoomKeys` handles the keys.
"""

from __future__ import annotations

from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Context, Screen
from doublecross.client.tk.models.board.model import BoardChanges
from doublecross.client.tk.models.room.parts import RoomParts
from doublecross.client.tk.models.room.sound_cues import Cue, SoundCues
from doublecross.client.tk.models.snapshots import RoomSnapshot, SaidPhrase
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.screens.room.commands import ButtonName, ExitQuestion, RoomCommands
from doublecross.client.tk.screens.room.exits import RoomExits
from doublecross.client.tk.screens.room.keys import KeyActions, RoomKeys
from doublecross.client.tk.screens.room.rating import RatingFinder
from doublecross.client.tk.screens.room.requests import RoomRequests
from doublecross.client.tk.screens.room.view import RoomView
from doublecross.client.tk.widgets.buttons import is_on

NOTICE_S: Final = 5.0
"""How long a notice about a refused action is shown, in seconds."""
ANIMATED: Final = 12
"""An update of more moves than this is not animated, because it would take too long."""

_NOTHING: Final = BoardChanges()


class RoomPresenter:
    """Shows a room on `screen` and reacts to input and updates. `snapshot` is its first state."""

    def __init__(self, screen: Screen, snapshot: RoomSnapshot) -> None:
        self.context: Context = screen.context
        self.parts = RoomParts.begin(snapshot, self.context.latest)
        self.parts.premove.on = self.context.home.settings.premoves
        self.parts.phrases.muted = self.context.mutes_phrases(snapshot.room)
        self.model = self.parts.model
        self._cues = SoundCues(self.model)
        self._requests = RoomRequests(
            self.context,
            self.parts,
            changed=self._refresh,
            move_refused=lambda: self._refresh(self.model.position.changes, quiet=True),
            report_problem=self._notify,
        )
        self._rating = RatingFinder(self.context, self.parts.rating, changed=self._refresh)
        self._exits = RoomExits(self.context, self.parts, self._requests, ask=self._ask)
        self._notice = ""
        self._notice_until = 0.0
        self._claimable = False
        self._withdraws = False
        self._stage = snapshot.match, snapshot.status, self.model.over
        self.view = RoomView(
            screen,
            self.parts,
            self.context,
            on_action=self._play,
            on_ply=self._go_to,
            on_step=self._step,
            commands=self._commands(),
        )
        kept = self.context.home.settings
        self.view.set_switches(sound=kept.sound, overlay=kept.overlay)
        self._keys = RoomKeys(
            self.context,
            self.view,
            self.model,
            self._exits,
            KeyActions(
                go_to=self._go_to,
                step=self._step,
                take_back=self._take_back,
                drop_premove=self._drop_premove,
            ),
        )
        self._refresh(BoardChanges(rebuilt=True), quiet=True)
        if snapshot.tournament is not None:
            self._requests.tournament(snapshot.tournament)

    def _commands(self) -> RoomCommands:
        requests, exits = self._requests, self._exits
        return RoomCommands(
            back=exits.back,
            latest=lambda: self._go_to(None),
            sound=lambda: self.context.switch_sound(on=is_on(self.view.head.sound)),
            full_screen=self.context.switch_full_screen,
            overlay=self._switch_overlay,
            say=requests.say,
            mute=self._mute,
            buttons={
                ButtonName.COPY: lambda: self.view.copy_invitation(),
                ButtonName.CLOSE: exits.back,
                ButtonName.REMATCH: requests.rematch,
                ButtonName.NO_REMATCH: requests.decline_rematch,
                ButtonName.PLAY_AGAIN: exits.play_again,
                ButtonName.TOURNAMENT: exits.tournament,
                ButtonName.REVIEW: exits.review,
                ButtonName.LOBBY: exits.back,
                ButtonName.QUIT: exits.quit,
                ButtonName.HINT: self._request_hint,
                ButtonName.CLAIM: requests.claim,
                ButtonName.ABORT: requests.abort,
                ButtonName.RESIGN: exits.resign,
                ButtonName.TAKE_BACK: self._take_back,
                ButtonName.ACCEPT: lambda: requests.answer_takeback(accept=True),
                ButtonName.DECLINE: lambda: requests.answer_takeback(accept=False),
                ButtonName.CONFIRM: exits.confirm,
                ButtonName.LEAVE_RUNNING: exits.leave_running,
                ButtonName.STAY: exits.stay,
            },
        )

    # -- called by the screen ----------------------------------------------------------------

    def take(self, snapshot: RoomSnapshot) -> None:
        """Apply a new state of the room from either connection of this window."""
        before = self.model.snapshot
        self._follow(self.model.take(snapshot))
        self._note_refusal(before)

    def room_gone(self, who: str, sentence: str) -> None:
        """Handle that the connection `who` no longer follows the room; `sentence` is the reason.

        Without a reason the person has left the room, so show the lobby.
        """
        if who != ME:
            self.model.forget(who)
            self._refresh()
        elif sentence:
            self._follow(self.model.gone(sentence))
        else:
            self._exits.leave_running()

    def tournament_changed(self, tournament: str) -> None:
        """Show the new state of `tournament` if the match belongs to it."""
        if tournament == self.model.snapshot.tournament:
            self._refresh()

    def hear(self, snapshot: SaidPhrase) -> None:
        """Show what a player said, beside that player's name."""
        own = snapshot.seat in self.model.seats
        self.parts.phrases.take(snapshot.seat, snapshot.phrase, self.context.clock(), own=own)

    def tick(self, now: float) -> None:
        """Advance clocks, notices and animations to `now`, in seconds."""
        self.view.tick(now)
        self._show_sentence(now)
        if self.parts.may.claim(now) != self._claimable:
            self._refresh()
        self._play_sound(self._cues.at(now))

    def leave(self) -> None:
        """Stop updating the widgets before another screen replaces this one."""
        self._exits.left = True

    # -- showing -----------------------------------------------------------------------------

    def _follow(self, changes: BoardChanges) -> None:
        """Show an update of the server that has changed the board by `changes`."""
        self._exits.drop_question()
        self._play_sound(self._cues.after_update(changes))
        snapshot = self.model.snapshot
        stage = snapshot.match, snapshot.status, self.model.over
        if changes.actions or changes.rebuilt or stage != self._stage:
            self._notice = ""  # it was about an earlier position or match
        if stage != self._stage:
            if snapshot.match != self._stage[0]:
                self.parts.phrases.clear()
            self._stage = stage
            self._keys.ignore_enter()
        self._requests.send_move()
        early = self.parts.premove.due()
        self._refresh(changes, quiet=len(changes.actions) > ANIMATED)
        if early is not None:
            if self.model.position.viewing is not None:
                self._go_to(None)
            self._play(early)

    def _refresh(self, changes: BoardChanges = _NOTHING, *, quiet: bool = False) -> None:
        """Show the current state of all models."""
        if self._exits.left:
            return
        now = self.context.clock()
        self.parts.hint.update()
        self._rating.update()
        self._claimable = self.parts.may.claim(now)
        self.view.show(changes, waiting=self._requests.waiting, now=now, quiet=quiet)
        self._show_sentence(now)

    def _show_sentence(self, now: float) -> None:
        if not self._exits.left:
            if now >= self._notice_until:
                self._notice = ""
            self.view.show_sentence(self._notice, now)

    def _notify(self, sentence: str) -> None:
        """Show for `NOTICE_S` seconds why an action was not possible."""
        now = self.context.clock()
        self._notice, self._notice_until = sentence, now + NOTICE_S
        self._show_sentence(now)

    def _play_sound(self, cue: Cue | None) -> None:
        if cue is not None:
            self.context.sound.play(cue)

    # -- input -------------------------------------------------------------------------------

    def _play(self, action: int) -> None:
        if self.parts.premove.choose(action):
            self._notice = ""
            self._refresh()
            return
        order = self.model.play(action)
        if isinstance(order, str):
            self._notify(order)
            return
        self._notice = ""
        changes = self.model.position.changes
        self._play_sound(self._cues.after_move(changes))
        self._requests.send_move()
        self._refresh(changes)

    def _drop_premove(self) -> bool:
        dropped = self.parts.premove.drop()
        if dropped:
            self._refresh()
        return dropped

    def _go_to(self, ply: int | None) -> None:
        self._refresh(self.model.position.go_to(ply), quiet=True)

    def _step(self, by: int) -> None:
        self._refresh(self.model.position.step(by), quiet=by < 0)

    def _request_hint(self) -> None:
        self._notice = ""
        self._requests.advice()

    def _take_back(self) -> None:
        self._notice = ""
        self._withdraws = self.parts.may.takeback_waits is not None
        self._requests.take_back()

    def _note_refusal(self, before: RoomSnapshot) -> None:
        """Say that the opponent did not agree to a takeback."""
        now, request = self.model.snapshot, before.takeback
        same = (now.match, now.takebacks, len(now.moves)) == (
            before.match,
            before.takebacks,
            len(before.moves),
        )
        if request is None or now.takeback is not None or not same or not self.model.playing:
            return
        if request.seat in self.model.seats and not self._withdraws:
            self._notify(
                tr("{name} did not agree to the takeback.", name=self.model.name(1 - request.seat))
            )
        self._withdraws = False

    def _ask(self, question: ExitQuestion | None) -> None:
        self.view.side.ask(question)
        self._refresh()

    def _mute(self, on: bool) -> None:
        self.context.muted_rooms[self.model.snapshot.room] = on
        self.parts.phrases.muted = on

    def _switch_overlay(self) -> None:
        self.context.home.settings.overlay = is_on(self.view.side.overlay)
        self.context.home.save()
        self.view.show_overlay()
