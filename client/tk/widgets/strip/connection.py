"""The bar about lost connections, errors of the program, and pages that open in the browser."""

from __future__ import annotations

import math
import tkinter as tk
from collections.abc import Callable
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.snapshots import LinkSnapshot
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.widgets.strip.bar import Bar
from doublecross.client.tk.widgets.visible import set_visible

SHOWN_S: Final = 8.0
"""How long the message of `ConnectionBar.report` is shown, in seconds."""


class ConnectionBar(Bar):
    """Shows that a connection is lost and when the next attempt follows, or else a short report.

    `on_give_up` is called when the person stops waiting for the connection.
    """

    def __init__(
        self,
        parent: tk.Misc,
        context: Context,
        *,
        on_change: Callable[[], None],
        on_give_up: Callable[[], None],
    ) -> None:
        super().__init__(parent, context, "connection", on_change)
        self._lost: dict[str, LinkSnapshot] = {}
        self._reported = ""
        self._until = -math.inf
        self._leave = self.add_button("give_up", tr("Leave"), on_give_up)
        self._leave.grid_remove()

    def take(self, link: LinkSnapshot) -> None:
        """Show the state of one connection of this window."""
        if link.state == "lost" or (link.state == "ended" and link.who != ME):
            self._lost[link.who] = link
        else:
            self._lost.pop(link.who, None)
        set_visible(self._leave, ME in self._lost)
        self.tick(self.context.clock())

    def report(self, sentence: str) -> None:
        """Show `sentence`, such as one about an error in this program, for `SHOWN_S` seconds."""
        self._reported, self._until = sentence, self.context.clock() + SHOWN_S

    def tick(self, now: float) -> None:
        """Update the time until the next attempt, at `now` in seconds."""
        self.say(*self._forms_at(now))

    def forget(self) -> None:
        """Hide all messages about lost connections, after they have ended for good."""
        self._lost.clear()
        self.say("")

    def _forms_at(self, now: float) -> tuple[str, ...]:
        """Return the message at `now`, in seconds, and its shorter forms."""
        link = self._lost.get(ME) or next(iter(self._lost.values()), None)
        if link is None:
            return (self._reported if now < self._until else "",)
        if link.state == "ended":
            name = tr("The second player") if link.player is None else link.player.name
            return (
                tr(
                    "{name} is not connected any more: {sentence}",
                    name=name,
                    sentence=link.sentence,
                ),
            )
        if link.next_try_at is None:
            return (link.sentence,)
        left = math.ceil(link.next_try_at - now)
        when = (
            tr("Trying again now ...")
            if left <= 0
            else tr("Trying again in {seconds} s.", seconds=left)
        )
        kept, lost = tr("Your games are kept."), tr("The connection was lost.")
        return f"{link.sentence} {kept} {when}", f"{link.sentence} {when}", f"{lost} {when}"
