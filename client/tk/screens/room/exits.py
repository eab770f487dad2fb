"""Leave a room: for the lobby, another match or the review, or quit the program."""

from __future__ import annotations

from collections.abc import Callable

from doublecross.client.tk.context import Context
from doublecross.client.tk.models.pages import Page, game_page, tournament_page
from doublecross.client.tk.models.room.parts import RoomParts
from doublecross.client.tk.network.thread import GUEST, ME
from doublecross.client.tk.screens.room.commands import Command, ExitQuestion
from doublecross.client.tk.screens.room.requests import RoomRequests
from doublecross.games.record import Record


class RoomExits:
    """Asks before a match is resigned, leaves the room on the server and shows another screen.

    `ask` shows an `ExitQuestion`; None hides it. `left` is set once another screen has replaced
    the room's; late answers then no longer change the screen.
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
        self._room = parts.model.snapshot.room
        self._requests = requests
        self._ask = ask

    # -- actions that need a confirmation ----------------------------------------------------

    def resign(self) -> None:
        """Ask the person to confirm the resignation."""
        self._set_question(ExitQuestion.RESIGN)

    def back(self) -> None:
        """Open the lobby; ask first while a match is being played."""
        if self._model.playing:
            self._set_question(ExitQuestion.LEAVE)
        else:
            self._leave_for_lobby()

    def confirm(self) -> None:
        """Resign; then open the lobby if the question was about leaving."""
        leave = self.asking is ExitQuestion.LEAVE
        self._set_question(None)
        self._requests.resign(self._leave_for_lobby if leave else lambda: None)

    def stay(self) -> None:
        """Hide the question without doing anything."""
        self._set_question(None)

    def drop_question(self) -> None:
        """Hide the question if its match has ended."""
        if self.asking is not None and not self._model.playing:
            self._set_question(None)

    # -- other screens -----------------------------------------------------------------------

    def leave_running(self) -> None:
        """Open the lobby but keep the seat."""
        self._leave_to(self._context.navigation.to_lobby)

    def play_again(self) -> None:
        """Leave the room and open the form for a match with the same settings and opponent."""
        model, navigation = self._model, self._context.navigation
        opponent = model.seats.opponent
        if opponent is not None:
            settings, name = model.snapshot.settings, model.name(opponent)
            self._leave_room()
            self._leave_to(lambda: navigation.play_again(settings, name))

    def tournament(self) -> None:
        """Open the page of the tournament that the match belongs to."""
        tournament = self._model.snapshot.tournament
        if tournament is not None:
            self._context.navigation.to_page(tournament_page(tournament))

    def review(self) -> None:
        """Fetch the record of the last match and show its review."""
        self._requests.record(self._to_review)

    def quit(self) -> None:
        """Quit the program."""
        # Quitting destroys the pressed button, so let Tk finish handling its click first.
        self._context.root.after_idle(self._context.program.quit)

    def _to_review(self, record: Record) -> None:
        context, room = self._context, self._room

        def back() -> None:
            # The server may have closed the room while its record was reviewed.
            if (ME, room) in context.latest.rooms:
                context.navigation.to_game(room)
            else:
                context.navigation.to_lobby()

        title, ending = " – ".join(record.players), self._model.ending
        page = Page.RECORDS if ending is None else game_page(ending.game_id)
        to_review = context.navigation.to_review
        self._leave_to(lambda: to_review(record, title=title, back=back, page=page))

    def _leave_to(self, show_screen: Command) -> None:
        if not self.left:
            show_screen()

    def _leave_for_lobby(self) -> None:
        self._leave_room()
        self._leave_to(self._context.navigation.to_lobby)

    def _leave_room(self) -> None:
        """Stop following the room and disconnect the second person at this window, if any."""
        network, room = self._context.network, self._room
        if self._model.snapshot.status != "closed":
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
