"""The bars above all screens: lost connections, challenges, and tournament games that wait."""

from __future__ import annotations

import math
import tkinter as tk
from collections.abc import Callable
from typing import Final

from client.tk.context import Context
from client.tk.models.pictures import LinkPicture, OfferPicture, OffersPicture, RoomPicture
from client.tk.models.words import match_line
from client.tk.network.thread import ME, Refusal
from client.tk.widgets.buttons import BarButton

SHOWN_S: Final = 8.0
"""How long the message of `ConnectionBar.complain` is shown, in seconds."""


class _Bar(tk.Frame):
    """A strip across the window, as high as its contents and invisible without any."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.root)
        self.context = context

    def clear(self) -> None:
        """Remove the contents and hide the bar."""
        for child in self.winfo_children():
            child.destroy()
        # A frame without children keeps its last size, and one pixel is the minimum.
        self.configure(height=1, background=self.context.look.window)

    def colour(self) -> None:
        """Apply the colour of a bar and follow the height of the contents."""
        # A frame with an explicit height requests it again whenever any font changes its size
        # (Tk 8.6, FrameWorldChanged). The letters on a board change their size with the board, so
        # an explicit height would start a loop of layouts.
        self.configure(height=0, background=self.context.look.banner)


class ConnectionBar(_Bar):
    """Shows that a connection is lost and when the next attempt follows, or a program error.

    `on_give_up` is called when the person stops waiting for the connection.
    """

    def __init__(self, context: Context, *, on_give_up: Callable[[], None]) -> None:
        super().__init__(context)
        self._on_give_up = on_give_up
        self._lost: dict[str, LinkPicture] = {}
        self._complaint = ""
        self._until = -math.inf
        self._label: tk.Label | None = None
        self.clear()

    def take(self, link: LinkPicture) -> None:
        """Show the state of one connection of this window."""
        if link.state == "lost" or (link.state == "ended" and link.who != ME):
            self._lost[link.who] = link
        else:
            self._lost.pop(link.who, None)
        self.tick(self.context.clock())

    def complain(self, sentence: str) -> None:
        """Show `sentence` about an error in this program for `SHOWN_S` seconds."""
        self._complaint, self._until = sentence, self.context.clock() + SHOWN_S

    def tick(self, now: float) -> None:
        """Update the time until the next attempt, at `now` in seconds."""
        text = self._text(now)
        if not text:
            if self._label is not None:
                self.clear()
            return
        if self._label is None:
            self._build()
        assert self._label is not None
        if self._label.cget("text") != text:
            self._label.configure(text=text)

    def clear(self) -> None:
        """Remove the contents and hide the bar."""
        super().clear()
        self._label = None

    def forget(self) -> None:
        """Hide all messages about lost connections, after they have ended for good."""
        self._lost.clear()
        self.clear()

    def restyle(self) -> None:
        """Apply the current theme."""
        self.clear()
        self.tick(self.context.clock())

    def _text(self, now: float) -> str:
        link = self._lost.get(ME) or next(iter(self._lost.values()), None)
        if link is None:
            return self._complaint if now < self._until else ""
        if link.state == "ended":
            name = "The second player" if link.player is None else link.player.name
            return f"{name} is not connected any more: {link.sentence}"
        if link.next_try_at is None:
            return link.sentence
        left = math.ceil(link.next_try_at - now)
        when = "now ..." if left <= 0 else f"in {left} s."
        return f"{link.sentence} Your games are kept. Trying again {when}"

    def _build(self) -> None:
        look = self.context.look
        self.colour()
        self._label = tk.Label(
            self, background=look.banner, foreground=look.banner_text, anchor="w", padx=16, pady=8
        )
        self._label.pack(side="left", fill="x", expand=True)
        if ME in self._lost:
            BarButton(self, look, "Leave", self._on_give_up).pack(side="right", padx=12, pady=4)


class ChallengeBar(_Bar):
    """Shows the challenges to this player, one at a time, the oldest first."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._offers: tuple[OfferPicture, ...] = ()
        self._shown: OfferPicture | None = None
        self._answered: set[str] = set()
        self._error = ""
        self.clear()

    def take(self, picture: OffersPicture) -> None:
        """Show the first challenge by another player that is not answered yet."""
        theirs = tuple(offer for offer in picture.offers if not offer.mine)
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

    def restyle(self) -> None:
        """Apply the current theme."""
        self._shown = None
        self.clear()
        self._refresh()

    def _refresh(self) -> None:
        waiting = [offer for offer in self._offers if offer.offer not in self._answered]
        first = waiting[0] if waiting else None
        if first == self._shown and not self._error:
            return
        self.clear()
        self._shown = first
        if first is not None:
            self._build(first)

    def _build(self, offer: OfferPicture) -> None:
        look = self.context.look
        self.colour()
        text = f"{offer.other} challenges you: {match_line(offer.settings)}"
        tk.Label(
            self,
            text=f"{text}   {self._error}".rstrip(),
            background=look.banner,
            foreground=look.banner_text,
            anchor="w",
            padx=16,
            pady=8,
        ).pack(side="left", fill="x", expand=True)
        self._error = ""
        BarButton(self, look, "Decline", lambda: self._decline(offer)).pack(
            side="right", padx=(4, 12), pady=4
        )
        BarButton(self, look, "Accept", lambda: self._accept(offer)).pack(
            side="right", padx=4, pady=4
        )

    def _accept(self, offer: OfferPicture) -> None:
        self._answer(offer)
        navigation = self.context.navigation
        self.context.network.ask(
            ME,
            lambda client: client.offers.accept_challenge(offer.offer),
            lambda state: navigation.to_game(state.room),
            lambda refusal: self._refused(offer, refusal),
        )

    def _decline(self, offer: OfferPicture) -> None:
        self._answer(offer)
        self.context.network.ask(
            ME,
            lambda client: client.offers.decline_challenge(offer.offer),
            failed=lambda refusal: self._refused(offer, refusal),
        )

    def _answer(self, offer: OfferPicture) -> None:
        self._answered.add(offer.offer)
        self._refresh()

    def _refused(self, offer: OfferPicture, refusal: Refusal) -> None:
        self._answered.discard(offer.offer)
        self._error = refusal.sentence
        self._refresh()


class WaitingGameBar(_Bar):
    """Shows that a tournament game has begun while another match is being played.

    `on_go` is called with its room when the person wants to go there.
    """

    def __init__(self, context: Context, *, on_go: Callable[[str], None]) -> None:
        super().__init__(context)
        self._on_go = on_go
        self._shown = ""
        self.clear()

    def show(self, picture: RoomPicture | None) -> None:
        """Show that this game waits; None hides the bar."""
        room = "" if picture is None else picture.room
        if room != self._shown:
            self.clear()
            self._shown = room
            if picture is not None:
                self._build(picture)

    def restyle(self) -> None:
        """Apply the current theme."""
        self._shown = ""
        self.clear()  # the next `show` builds it again in the new colours

    def _build(self, picture: RoomPicture) -> None:
        look, room = self.context.look, picture.room
        self.colour()
        name = self.context.latest.tournament_name(picture.tournament or "")
        which = f"the tournament {name}" if name else "a tournament"
        other = None if picture.seat is None else picture.players[1 - picture.seat]
        against = f" against {other.name}" if other is not None else ""
        tk.Label(
            self,
            text=f"Your game{against} in {which} has begun.",
            background=look.banner,
            foreground=look.banner_text,
            anchor="w",
            padx=16,
            pady=8,
        ).pack(side="left", fill="x", expand=True)
        BarButton(self, look, "Go there", lambda: self._on_go(room)).pack(
            side="right", padx=12, pady=4
        )


class Bars:
    """All bars, in the first three rows of the window."""

    def __init__(self, context: Context) -> None:
        navigation = context.navigation
        self.connection = ConnectionBar(context, on_give_up=navigation.to_start)
        self.challenges = ChallengeBar(context)
        self.waiting_game = WaitingGameBar(context, on_go=navigation.to_game)
        for row, bar in enumerate((self.connection, self.challenges, self.waiting_game)):
            bar.grid(row=row, column=0, sticky="ew")

    def restyle(self) -> None:
        """Apply the current theme."""
        for bar in (self.connection, self.challenges, self.waiting_game):
            bar.restyle()

    def forget(self) -> None:
        """Hide everything about connections that have ended for good."""
        self.connection.forget()
        self.challenges.forget()
