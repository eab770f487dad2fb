"""Show a match of one game as a live board."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from doublecross.bots.runner.config import STORAGE_SENTENCES
from doublecross.cli.shared.board import board_text, seats_text
from doublecross.cli.shared.console import is_terminal, live_area, out
from doublecross.games.sentences import result_sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from doublecross.games.api import Game, State


class BoardDisplay:
    """Shows a match of one game as a live board; without a terminal, its last position."""

    def __init__(self, game: Game, names: tuple[str, str]) -> None:
        self._game = game
        self._names = names
        self._state = game.initial_state()
        self._expected: list[float | None] = [None, None]
        self._draw: Callable[[RenderableType], None] | None = None
        self._last_line = "The players get ready ..."

    @contextlib.contextmanager
    def showing(self) -> Iterator[None]:
        """Redraw the board inside this context; print its last position at the end."""
        if is_terminal():
            with live_area() as self._draw:
                self._redraw()
                yield
            self._draw = None
        else:
            yield
        out().print(self._frame(over=True))

    def error_line(self, line: str) -> None:
        """Ignore a line of a child's log; a problem that matters ends the match with a sentence."""

    def news(self, message: dict[str, Any]) -> None:
        """Apply what has happened to the board, and redraw it."""
        what = message["what"]
        if what == "began":
            self._state = self._game.initial_state(message["opening"])
            self._last_line = "The game begins."
        elif what == "move":
            self._move_made(message)
        elif what == "game":
            self._last_line = game_sentence(message, self._names)
        elif what == "storage":
            self._last_line = STORAGE_SENTENCES[message["works"]]
        self._redraw()

    def _move_made(self, message: dict[str, Any]) -> None:
        state: State = self._state
        if message["ply"] != state.ply:
            return  # the move was reported already, before a reconnect
        before = state.clone()
        state.apply(message["action"])
        self._played(before, message["action"])
        self._expected[message["seat"]] = message["expected"]
        name = self._game.action_name(message["action"])
        self._last_line = f"Move {state.ply}: {self._names[message['seat']]} {name}"

    def _played(self, before: State, action: int) -> None:
        """Take note of a move; for displays that comment on the game."""

    def _notes(self) -> list[str]:
        """Return the lines to show below the board."""
        return [self._last_line]

    def _redraw(self) -> None:
        if self._draw is not None:
            self._draw(self._frame())

    def _frame(self, *, over: bool = False) -> RenderableType:
        from rich.console import Group
        from rich.text import Text

        expected = (None, None) if over else self._expected
        return Group(
            seats_text(self._state, self._names, (None, None), expected, over=over),
            Text(),
            board_text(self._state),
            Text(),
            *(Text(line, "bold") for line in self._notes()),
        )


def game_sentence(message: dict[str, Any], names: tuple[str, ...]) -> str:
    """Say how a game ended; `names` are the players in the order of the match."""
    seated = names if message["seat"] == 0 else names[::-1]
    return result_sentence(seated, message["winner"], message["termination"], message["scores"])
