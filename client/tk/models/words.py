"""Describe matches, players and endings in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.api import Game, GameError
from games.registry import game_class
from protocol.common import HOUR_MS, MatchSettings, PlayerInfo, TimeControl

_ENDINGS: Final = {
    "completed": "played to the end",
    "resigned": "{} resigned",
    "timeout": "{} ran out of time",
    "disconnect": "{} stayed away",
    "illegal": "{} made an illegal move",
    "crash": "{}'s program failed",
    "aborted": "The match was called off",
    "void": "The server could not keep the match",
}
_MINUTE_MS: Final = 60_000


def match_line(settings: MatchSettings) -> str:
    """Return the settings of a match: ``Dots and Boxes 5x5 · 5 min + 3 s · rated``."""
    parts = [game_line(settings), time_line(settings.time), "rated" if settings.rated else "casual"]
    if settings.opening:
        parts.insert(1, "from an opening")
    if settings.start:
        parts.insert(1, from_move(settings.start))
    return " · ".join(parts)


def from_move(start: Sequence[int]) -> str:
    """Return with which move a match with this start begins: ``from move 12``."""
    return f"from move {len(start) + 1}"


def game_line(settings: MatchSettings) -> str:
    """Return the game and its size, or the key of a game that this program does not know."""
    try:
        return game_title(game_class(settings.game)(settings.params))
    except GameError:
        return settings.game


def size_line(settings: MatchSettings) -> str:
    """Return the size of the board, or the key of a game that this program does not know."""
    try:
        return game_class(settings.game)(settings.params).size
    except GameError:
        return settings.game


def game_title(game: Game) -> str:
    """Return the title and size of a game: ``Dots and Boxes 5x5``."""
    return game.full_title


def time_line(time: TimeControl) -> str:
    """Return a time control: ``5 min + 3 s``, ``10 s a move``, ``no clock``."""
    parts = []
    if time.base_ms is not None:
        base = _span(time.base_ms)
        parts.append(f"{base} + {_span(time.increment_ms)}" if time.increment_ms else base)
    if time.move_ms is not None:
        parts.append(f"{_span(time.move_ms)} a move")
    return ", ".join(parts) or "no clock"


def of_player(player: PlayerInfo) -> str:
    """Return a description of a bot and its engine; empty for a person."""
    if player.kind != "bot":
        return ""
    if player.engine is None:
        return "bot"
    name, version = player.engine.name, player.engine.version
    return f"bot · {name} {version}" if name.casefold() != player.name.casefold() else "bot"


def ended_why(termination: str, loser: str | None, reason: str) -> str:
    """Return why a match ended; `reason` is the server's text, which some endings include."""
    # An unknown termination is shown unchanged; it may contain braces, so it is not formatted.
    text = _ENDINGS.get(termination, "").format(loser or "A player") or termination
    return f"{text}: {reason}" if reason and termination in ("crash", "illegal", "void") else text


def watching(count: int, *, myself: bool) -> str:
    """Describe the number of spectators; `myself` says that this person is one. Empty for none."""
    if myself:
        others = max(0, count - 1)
        if not others:
            return "you are watching"
        return f"you and {others} other{'s' if others > 1 else ''} are watching"
    people = "person" if count == 1 else "people"
    return f"{count} {people} watching" if count else ""


def signed(number: float) -> str:
    """Return a net score: ``+3``, ``-2.5``, ``0``."""
    rounded = round(number, 1)
    return "0" if rounded == 0 else f"{rounded:+g}"


def advice_line(
    name: str, reason: str, net: float, *, exact: bool, unit: str, mover: str | None = None
) -> str:
    """Describe the best move, called `name`, and the result to expect.

    `reason` is a sentence about the move, or empty. `net` is the mover's expected net score. `unit`
    names what the scores count; it is empty for games that are only won or lost. `mover` is the
    name of the player to move; None speaks to that player.
    """
    return f"{reason or f'Best: {name}.'} {_result(net, exact, unit, mover)}"


def _result(net: float, exact: bool, unit: str, mover: str | None) -> str:
    by, who = int(abs(net) + 0.5), mover or "You"
    if exact:
        if by == 0:
            return "It ends in a draw."
        word = "win" if net > 0 else "lose"
        score = f" by {by}" if unit else ""
        return f"{who} {word}{'' if mover is None else 's'}{score}."
    if by == 0:
        return "The game is about even."
    return f"{who} should {'win' if net > 0 else 'lose'}{f' by about {by}' if unit else ''}."


def _span(ms: int) -> str:
    """Return a time span such as ``4 h``, ``90 min`` or ``2.5 s``."""
    if ms >= 2 * HOUR_MS and ms % HOUR_MS == 0:
        return f"{ms // HOUR_MS} h"
    if ms >= _MINUTE_MS and ms % _MINUTE_MS == 0:
        return f"{ms // _MINUTE_MS} min"
    return f"{ms / 1000:.3f}".rstrip("0").rstrip(".") + " s"
