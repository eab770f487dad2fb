"""Draw positions for a terminal: the board in colours, the players, scores and clocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.text import Text

    from doublecross.games.api import State
    from doublecross.protocol.common import MatchSettings

STYLES: Final = ("bold cyan", "bold yellow")
"""The styles of the two seats."""


def board_text(state: State) -> Text:
    """Return the board as text, with the last action marked and the seats in their colours."""
    from rich.text import Text

    text = Text(state.to_ascii(mark_last=True))
    for name, style in zip(state.game.seat_names, STYLES, strict=True):
        # The marks of seats stand alone or in brackets; coordinates are lower case.
        text.highlight_regex(rf"(?<![^\s|#\[\]]){name}(?![^\s|#\[\]])", style)
    text.highlight_regex("#+", "bold red")
    return text


def clock_text(ms: int) -> str:
    """Return milliseconds as a clock: ``1:05``, or ``0:09.3`` below ten seconds."""
    if ms < 10_000:
        return f"0:{ms // 1000:02}.{ms % 1000 // 100}"
    seconds = ms // 1000
    hours, minutes = seconds // 3600, seconds // 60 % 60
    if hours:
        return f"{hours}:{minutes:02}:{seconds % 60:02}"
    return f"{minutes}:{seconds % 60:02}"


def seats_text(
    state: State,
    players: Sequence[str],
    clocks_ms: Sequence[int | None],
    expected: Sequence[float | None] = (None, None),
    *,
    over: bool = False,
) -> Text:
    """Return two lines: player, score and clock of each seat, and a mark for whose turn it is."""
    from rich.text import Text

    lines = Text()
    width = max(len(name) for name in players)
    for seat in (0, 1):
        mark = state.game.seat_names[seat]
        to_move = not over and not state.is_terminal() and state.current_player() == seat
        clock = clocks_ms[seat]
        lines.append("> " if to_move else "  ", "bold")
        lines.append(f"{mark} {players[seat]:<{width}}", STYLES[seat])
        lines.append(f"  {state.scores()[seat]:3}")
        lines.append("" if clock is None else f"  {clock_text(clock):>7}")
        value = expected[seat]
        lines.append("" if value is None else f"  expects {value:+.3g}", "dim")
        lines.append("\n" if seat == 0 else "")
    return lines


def game_name(settings: MatchSettings) -> str:
    """Return title and size, such as ``Dots and Boxes 5x5``."""
    from doublecross.games.api import GameError
    from doublecross.games.registry import make_game

    try:
        game = make_game(settings.game, settings.params)
    except GameError:
        return settings.game
    return f"{game.title} {game.size}"
