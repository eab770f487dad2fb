"""The base classes of the dialogs about a match: stored choices, entering rooms, challenges."""

from __future__ import annotations

from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.models.lobby.forms import MatchFields
from doublecross.client.tk.models.lobby.offers import OfferWatch, over_line
from doublecross.client.tk.models.snapshots import (
    OfferOver,
    OffersSnapshot,
    OpenOffer,
    SeatTaken,
    WindowUpdate,
)
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.widgets.dialog import Dialog
from doublecross.protocol.common import MatchSettings
from doublecross.protocol.server_messages import ChallengeSent, RoomState

_READY_S: Final = 120.0
"""How long a dialog waits for a bot that joins without being asked, in seconds."""
_ANSWER_S: Final = 30.0
"""How long a dialog waits for a bot to answer a challenge, in seconds."""
_LATE: Final = tr("{name} has not come yet. Try again, or choose another bot.")
_SILENT: Final = tr("{name} has not answered. Try again, or choose another bot.")


class MatchDialog(Dialog):
    """A dialog about a match. `fields` are the initial values of its form."""

    def __init__(
        self, screen: Screen, fields: MatchFields, *, name: str, title: str, action: str
    ) -> None:
        super().__init__(screen, name=name, title=title, action=action)
        self.fields = fields

    def remember(self, **more: str) -> None:
        """Store the fields and the values of `more` for the next dialog about a match."""
        kept = self.context.home.settings
        kept.create = {**kept.create, **self.fields.to_saved(), **more}
        self.context.home.save()

    def enter_room(self, state: RoomState) -> None:
        """Show the room that the attempt has opened or joined."""
        self.working = False
        self.context.navigation.to_game(state.room)

    def leave_room(self, state: RoomState) -> None:
        """Leave the room of an attempt that was cancelled meanwhile."""
        self.context.network.ask(ME, lambda client: client.leave(state.room))


class ChallengingDialog(MatchDialog):
    """A dialog that challenges a player and can stay open until that player has answered.

    It stays open for bots only, and no longer than these need.
    """

    def __init__(
        self, screen: Screen, fields: MatchFields, *, name: str, title: str, action: str
    ) -> None:
        super().__init__(screen, fields, name=name, title=title, action=action)
        self._watch = OfferWatch()
        self._challenged = ""
        self._settings: MatchSettings | None = None
        self._late = ""
        self._patience_s = 0.0
        self._late_at: float | None = None

    def await_bot(self, title: str) -> None:
        """Let the current attempt fail if the bot called `title` has not joined in time."""
        self._limit(_READY_S, _LATE.format(name=title))

    def tick(self, now: float) -> None:
        """End an attempt that has waited too long for a bot."""
        if not self._late or not self.working:
            return
        if self._late_at is None:
            self._late_at = now + self._patience_s
        elif now >= self._late_at:
            sentence = self._late
            self.attempt += 1
            self.attempt_cancelled()
            self.end_attempt(sentence)

    def challenge(self, player: str, settings: MatchSettings, *, wait: bool) -> None:
        """Challenge `player` as part of the current attempt.

        If `wait`, keep the dialog open until the player, a bot, has answered or is late.
        """
        self._late = ""
        if wait:
            self._limit(_ANSWER_S, _SILENT.format(name=player))
        self._challenged, self._settings = player, settings
        seat = self.fields.seat
        self.ask(
            ME,
            lambda client: client.offers.challenge(player, settings, seat=seat),
            lambda answer: self._sent(answer, wait=wait),
            self._withdraw,
        )

    def attempt_cancelled(self) -> None:
        """Cancel the challenge if it has been sent."""
        self._late = ""
        offer = self._watch.offer
        self._watch.stop()
        if offer:
            self.context.network.ask(ME, lambda client: client.offers.cancel_challenge(offer))

    def take(self, update: WindowUpdate) -> None:
        """Handle an update."""
        match update:
            case OfferOver() if self._watch.over(update):
                self._show_over(update)
            case SeatTaken(offer=offer) if self.handles(offer):
                self._watch.stop()  # the navigator opens the room
                self.working = False
            case OffersSnapshot(who=who) if who == ME:
                self._watch.offers(update)

    def handles(self, offer: str) -> bool:
        """Return whether this dialog itself shows how `offer` ended."""
        return bool(offer) and offer == self._watch.offer

    def _limit(self, seconds: float, sentence: str) -> None:
        """Let the current attempt end with `sentence` after some time, from the next tick on."""
        self._late, self._patience_s, self._late_at = sentence, seconds, None

    def _sent(self, answer: ChallengeSent | RoomState, *, wait: bool) -> None:
        if isinstance(answer, RoomState):
            self.enter_room(answer)
            return
        if not wait:
            self.working = False
            self.close()
            return
        over = self._watch.begin(answer.challenge, self._challenged)
        if over is not None:
            self._show_over(over)
        else:
            self.page.doing.configure(
                text=tr("Waiting for {name} to answer ...", name=self._challenged)
            )

    def _withdraw(self, answer: ChallengeSent | RoomState) -> None:
        if isinstance(answer, ChallengeSent):
            challenge = answer.challenge
            self.context.network.ask(ME, lambda client: client.offers.cancel_challenge(challenge))
        else:
            self.leave_room(answer)

    def _show_over(self, over: OfferOver) -> None:
        self._watch.stop()
        assert self._settings is not None
        offer = OpenOffer(over.offer, True, self._challenged, self._settings)
        self.end_attempt(over_line(offer, over) or tr("The challenge was cancelled."))
