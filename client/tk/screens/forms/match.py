"""What the dialogs about a match share: the form, and what was chosen the last time."""

from __future__ import annotations

from client.tk.context import Screen
from client.tk.models.lobby.forms import MatchFields
from client.tk.models.lobby.model import OfferWatch, over_line
from client.tk.models.pictures import OfferOver, OfferPicture, OffersPicture, Picture, SeatTaken
from client.tk.network.thread import ME
from client.tk.widgets.dialog import Dialog
from protocol.common import MatchSettings
from protocol.server_messages import ChallengeSent, RoomState


class MatchDialog(Dialog):
    """A dialog about a match. `fields` are what its form begins with."""

    def __init__(
        self, screen: Screen, fields: MatchFields, *, name: str, title: str, action: str
    ) -> None:
        super().__init__(screen, name=name, title=title, action=action)
        self.fields = fields

    def remember(self, **more: str) -> None:
        """Keep what was chosen, for the next form of whichever kind."""
        kept = self.context.home.kept
        kept.create = {**kept.create, **self.fields.to_kept(), **more}
        self.context.home.save()

    def go(self, state: RoomState) -> None:
        """Go to the room that the attempt has led to."""
        self.working = False
        self.context.navigation.to_game(state.room)

    def leave_room(self, state: RoomState) -> None:
        """Leave a room that an attempt has led to after it was given up."""
        self.context.network.ask(ME, lambda client: client.leave(state.room))


class ChallengingDialog(MatchDialog):
    """A dialog that challenges a player and, if `patient`, stays until that one has answered."""

    def __init__(
        self, screen: Screen, fields: MatchFields, *, name: str, title: str, action: str
    ) -> None:
        super().__init__(screen, fields, name=name, title=title, action=action)
        self._watch = OfferWatch()
        self._challenged = ""
        self._settings: MatchSettings | None = None

    def challenge(self, player: str, settings: MatchSettings, *, patient: bool) -> None:
        """Challenge `player`, within the attempt that has begun."""
        self._challenged, self._settings = player, settings
        seat = self.fields.seat
        self.ask(
            ME,
            lambda client: client.offers.challenge(player, settings, seat=seat),
            lambda answer: self._sent(answer, patient=patient),
            self._unsend,
        )

    def given_up(self) -> None:
        """Take the challenge back if it has been made."""
        offer = self._watch.offer
        self._watch.stop()
        if offer:
            self.context.network.ask(ME, lambda client: client.offers.cancel_challenge(offer))

    def take(self, picture: Picture) -> None:
        """Show an update."""
        match picture:
            case OfferOver() if self._watch.over(picture):
                self._over(picture)
            case SeatTaken(offer=offer) if self.handles(offer):
                self._watch.stop()  # the window goes there
                self.working = False
            case OffersPicture(who=who) if who == ME:
                self._watch.offers(picture)

    def handles(self, offer: str) -> bool:
        """Return whether this dialog itself says how `offer` ended."""
        return bool(offer) and offer == self._watch.offer

    def _sent(self, answer: ChallengeSent | RoomState, *, patient: bool) -> None:
        if isinstance(answer, RoomState):
            self.go(answer)
            return
        if not patient:
            self.working = False
            self.close()
            return
        over = self._watch.begin(answer.challenge, self._challenged)
        if over is not None:
            self._over(over)
        else:
            self.page.doing.configure(text=f"{self._challenged} has been asked ...")

    def _unsend(self, answer: ChallengeSent | RoomState) -> None:
        if isinstance(answer, ChallengeSent):
            challenge = answer.challenge
            self.context.network.ask(ME, lambda client: client.offers.cancel_challenge(challenge))
        else:
            self.leave_room(answer)

    def _over(self, over: OfferOver) -> None:
        self._watch.stop()
        assert self._settings is not None
        offer = OfferPicture(over.offer, True, self._challenged, self._settings)
        self.complain(over_line(offer, over) or "The challenge was taken back.")
