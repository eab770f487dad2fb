"""What the buttons of a room's screen are called, and what they do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum

Command = Callable[[], None]


class ButtonName(StrEnum):
    """The names of the buttons on the cards and below the moves, as Tk has them."""

    COPY = "copy"
    CLOSE = "close"
    REMATCH = "rematch"
    PLAY_AGAIN = "play_again"
    TOURNAMENT = "tournament"
    REVIEW = "review"
    LOBBY = "lobby"
    QUIT = "quit"
    HINT = "hint"
    CLAIM = "claim"
    ABORT = "abort"
    RESIGN = "resign"
    CONFIRM = "confirm"
    LEAVE_RUNNING = "leave_running"
    STAY = "stay"


class ExitQuestion(Enum):
    """What a person has to confirm before it is done."""

    RESIGN = "resign"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class RoomCommands:
    """What each control does. `back` leads to the lobby and asks first where a match goes on;
    `latest` shows the latest position again. `confirm`, `leave_running` and `stay` answer the
    question of an `ExitQuestion`."""

    back: Command
    latest: Command
    sound: Command
    full_screen: Command
    overlay: Command
    copy: Command
    hint: Command
    claim: Command
    abort: Command
    resign: Command
    confirm: Command
    leave_running: Command
    stay: Command
    rematch: Command
    play_again: Command
    tournament: Command
    review: Command
    quit: Command
