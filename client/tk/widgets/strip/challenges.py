"""The bar about challenges by other players."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from doublecross.client.language import tr
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.games_elsewhere import opponent_name, running_games
from doublecross.client.tk.models.snapshots import OffersSnapshot, OpenOffer
from doublecross.client.tk.models.words import game_line, match_line
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.widgets.strip.bar import Bar


class ChallengeBar(Bar):
    """Shows the challenges to this player, one at a time, the oldest first.

    During a match it asks before it accepts, because the clock of that match keeps running. The
    answer that changes nothing then lies where *Accept* was, so a double click does no harm.
    """

    def __init__(self, parent: tk.Misc, context: Context, *, on_change: Callable[[], None]) -> None:
        super().__init__(parent, context, "challenge", on_change)
        self._offers: tuple[OpenOffer, ...] = ()
        self._shown: OpenOffer | None = None
        self._answered: set[str] = set()
        self._asking = False
        self._error = ""
        self._first = self.add_button("accept", tr("Accept"), self._press_first)
        self._second = self.add_button("decline", tr("Decline"), self._press_second)
        # Equal widths keep both buttons in place when their texts change.
        for button in (self._first, self._second):
            button.configure(width=len(tr("Play both")))

    def take(self, snapshot: OffersSnapshot) -> None:
        """Show the first challenge by another player that is not answered yet."""
        theirs = tuple(offer for offer in snapshot.offers if not offer.mine)
        if theirs and theirs != self._offers:
            self.context.sound.play("turn")
        self._offers = theirs
        self._answered &= {offer.offer for offer in theirs}
        self._refresh()

    def forget(self) -> None:
        """Remove all challenges, after the connection has ended for good."""
        self._offers = ()
        self._answered.clear()
        self._refresh()

    def _refresh(self) -> None:
        waiting = [offer for offer in self._offers if offer.offer not in self._answered]
        first = waiting[0] if waiting else None
        if first != self._shown:
            self._shown, self._asking = first, False
        running = running_games(self.context.latest)
        self._asking = self._asking and bool(running)
        self._first.configure(text=tr("Not now") if self._asking else tr("Accept"))
        self._second.configure(text=tr("Play both") if self._asking else tr("Decline"))
        forms: tuple[str, ...] = ("",)
        if first is not None and self._asking:
            other = opponent_name(running[0])
            forms = (
                tr(
                    "Your match against {name} and its clock go on. Play {other}, too?",
                    name=other,
                    other=first.other,
                ),
                tr("Your match and its clock go on. Play {other}, too?", other=first.other),
                tr("Your match and its clock go on. Play both?"),
            )
        elif first is not None:
            challenge = tr("{name} challenges you", name=first.other)
            what = game_line(first.settings)
            forms = (
                f"{challenge}: {match_line(first.settings)}",
                f"{challenge}: {what}",
                challenge,
            )
            if self._error:
                forms = (f"{forms[0]}   {self._error}", self._error)
        self._error = ""
        self.say(*forms)

    def _press_first(self) -> None:
        offer = self._shown
        if offer is None:
            return
        if self._asking or running_games(self.context.latest):
            self._asking = not self._asking
            self._refresh()
        else:
            self._accept(offer)

    def _press_second(self) -> None:
        offer = self._shown
        if offer is not None:
            (self._accept if self._asking else self._decline)(offer)

    def _accept(self, offer: OpenOffer) -> None:
        self._answer(offer)
        navigation = self.context.navigation
        self.context.network.ask(
            ME,
            lambda client: client.offers.accept_challenge(offer.offer),
            lambda state: navigation.to_game(state.room),
            lambda refusal: self._refused(offer, refusal),
        )

    def _decline(self, offer: OpenOffer) -> None:
        self._answer(offer)
        self.context.network.ask(
            ME,
            lambda client: client.offers.decline_challenge(offer.offer),
            failed=lambda refusal: self._refused(offer, refusal),
        )

    def _answer(self, offer: OpenOffer) -> None:
        self._answered.add(offer.offer)
        self._refresh()

    def _refused(self, offer: OpenOffer, refusal: Refusal) -> None:
        self._answered.discard(offer.offer)
        self._error = refusal.sentence
        self._refresh()
