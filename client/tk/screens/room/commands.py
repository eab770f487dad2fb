"""The names of the buttons on a room's screen, and the commands that they run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum

from doublecross.protocol.client_messages import Phrase

Command = Callable[[], None]


class ButtonName(StrEnum):
    """The Tk widget names of the buttons on the cards and below the moves."""

    COPY = "copy"
    CLOSE = "close"
    REMATCH = "rematch"
    NO_REMATCH = "no_rematch"
    PLAY_AGAIN = "play_again"
    TOURNAMENT = "tournament"
    REVIEW = "review"
    LOBBY = "lobby"
    QUIT = "quit"
    HINT = "hint"
    CLAIM = "claim"
    ABORT = "abort"
    RESIGN = "resign"
    TAKE_BACK = "take_back"
    ACCEPT = "accept"
    DECLINE = "decline"
    CONFIRM = "confirm"
    LEAVE_RUNNING = "leave_running"
    STAY = "stay"


class ExitQuestion(Enum):
    """An action that a person must confirm first."""

    RESIGN = "resign"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class RoomCommands:
    """The command of each control; `buttons` has those of the buttons on cards and below the moves.

    `back` opens the lobby but asks first during a match; `latest` shows the latest position. `say`
    says a phrase to the opponent, and `mute` turns those of others off or on in this room.
    """

    back: Command
    latest: Command
    sound: Command
    full_screen: Command
    overlay: Command
    say: Callable[[Phrase], None]
    mute: Callable[[bool], None]
    buttons: Mapping[str, Command]

    def of(self, *names: ButtonName) -> dict[str, Command]:
        """Return the commands of these buttons."""
        return {name: self.buttons[name] for name in names}
