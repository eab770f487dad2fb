"""Leads away from a room: to the lobby, another match, a tournament, the review, out of the
program."""

from __future__ import annotations

from collections.abc import Callable

from client.tk.context import Context
from client.tk.models.room.parts import RoomParts
from client.tk.network.thread import GUEST, ME
from client.tk.screens.room.commands import Command, ExitQuestion
from client.tk.screens.room.requests import RoomRequests
from games.record import Record


class RoomExits:
    """Asks before a match is given up, leaves the room at the server, and shows another screen.

    `ask` shows the question of an `ExitQuestion`, or takes it away. `left` is true once the screen
    of the room is gone; nothing leads anywhere then.
    """

    def __init__(
        self,
        context: Context,
        parts: RoomParts,
        requests: RoomRequests,
        *,
        ask: Callable[[ExitQuestion | None], None],
    ) -> None:
        self.left = False
        self.asking: ExitQuestion | None = None
        self._context = context
        self._model = parts.model
        self._room = parts.model.picture.room
        self._requests = requests
        self._ask = ask

    # -- what has to be confirmed ------------------------------------------------------------

    def resign(self) -> None:
        """Ask whether the person means to resign."""
        self._set_question(ExitQuestion.RESIGN)

    def back(self) -> None:
        """Go to the lobby; ask first while a match is being played."""
        if self._model.playing:
            self._set_question(ExitQuestion.LEAVE)
        else:
            self._leave_for_lobby()

    def confirm(self) -> None:
        """Resign, as the question says, and leave if that was asked."""
        leave = self.asking is ExitQuestion.LEAVE
        self._set_question(None)
        self._requests.resign(self._leave_for_lobby if leave else lambda: None)

    def stay(self) -> None:
        """Take the question away; nothing is done."""
        self._set_question(None)

    def drop_question(self) -> None:
        """Take the question away if there is no match any more that it is about."""
        if self.asking is not None and not self._model.playing:
            self._set_question(None)

    # -- other screens -----------------------------------------------------------------------

    def leave_running(self) -> None:
        """Go to the lobby and keep the seat."""
        self._go(self._context.navigation.to_lobby)

    def play_again(self) -> None:
        """Leave for the form of another match like this one, against the same opponent."""
        model, navigation = self._model, self._context.navigation
        opponent = model.seats.opponent
        if opponent is not None:
            settings, name = model.picture.settings, model.name(opponent)
            self._leave_room()
            self._go(lambda: navigation.play_again(settings, name))

    def tournament(self) -> None:
        """Leave for the table of the tournament that the game belongs to."""
        tournament, navigation = self._model.picture.tournament, self._context.navigation
        if tournament is not None:
            self._leave_room()
            self._go(lambda: navigation.to_tournament(tournament))

    def review(self) -> None:
        """Fetch the record of the last match and show its review."""
        self._requests.record(self._to_review)

    def quit(self) -> None:
        """End the program."""
        # The button that was pressed goes too, and must have done what it does before.
        self._context.root.after_idle(self._context.program.quit)

    def _to_review(self, record: Record) -> None:
        context, room = self._context, self._room

        def back() -> None:
            if (ME, room) in context.latest.rooms:
                context.navigation.to_game(room)
            else:
                context.navigation.to_lobby()

        title = " – ".join(record.players)
        self._go(lambda: context.navigation.to_review(record, title=title, back=back))

    def _go(self, lead: Command) -> None:
        if not self.left:
            lead()

    def _leave_for_lobby(self) -> None:
        self._leave_room()
        self._go(self._context.navigation.to_lobby)

    def _leave_room(self) -> None:
        """Stop following the room; a second person at this window disconnects."""
        network, room = self._context.network, self._room
        if self._model.picture.status != "closed":
            network.ask(ME, lambda client: client.leave(room))
        if (GUEST, room) in self._context.latest.rooms:
            network.ask(
                GUEST,
                lambda client: client.leave(room),
                lambda _: network.disconnect(GUEST),
                lambda _: network.disconnect(GUEST),
            )

    def _set_question(self, question: ExitQuestion | None) -> None:
        self.asking = question
        self._ask(question)
