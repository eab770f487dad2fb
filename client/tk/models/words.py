"""Describe matches, players and endings in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from doublecross.client.language import number, plural, tr
from doublecross.games.api import Game, GameError
from doublecross.games.registry import GAMES, game_class
from doublecross.protocol.common import DAY_MS, HOUR_MS, MatchSettings, PlayerInfo, TimeControl

_ENDINGS: Final = {
    # The second text speaks to the loser.
    "completed": (tr("played to the end"),),
    "adjudicated": (tr("decided by best play from there on"),),
    "resigned": (tr("{name} resigned"), tr("You resigned")),
    "timeout": (tr("{name} ran out of time"), tr("You ran out of time")),
    "disconnect": (tr("{name} stayed away"), tr("You stayed away")),
    "illegal": (tr("{name} made an illegal move"), tr("You made an illegal move")),
    "crash": (tr("{name}'s program failed"), tr("Your program failed")),
    "aborted": (tr("The match was called off"),),
    "void": (tr("The server could not keep the match"),),
}
_MINUTE_MS: Final = 60_000


EVALUATION: Final = tr("spectators see who is ahead")
"""What both players must know of a match with an evaluation."""


def match_line(settings: MatchSettings) -> str:
    """Return the settings of a match: ``Dots and Boxes 5 × 5 · 5 min + 3 s · rated``."""
    parts = [
        game_line(settings),
        time_line(settings.time),
        tr("rated") if settings.rated else tr("casual"),
    ]
    if settings.evaluation:
        parts.append(EVALUATION)
    if settings.opening:
        parts.insert(1, tr("from an opening"))
    if settings.start:
        parts.insert(1, from_move(settings.start))
    return " · ".join(parts)


def from_move(start: Sequence[int]) -> str:
    """Return with which move a match with this start begins: ``from move 12``."""
    return tr("from move {number}", number=len(start) + 1)


def game_line(settings: MatchSettings) -> str:
    """Return the game and its size, or the key of a game that this program does not know."""
    try:
        return game_title(game_class(settings.game)(settings.params))
    except GameError:
        return settings.game


def size_line(settings: MatchSettings) -> str:
    """Return the size of the board, or the key of a game that this program does not know."""
    try:
        return size_text(game_class(settings.game)(settings.params).size)
    except GameError:
        return settings.game


def game_title(game: Game) -> str:
    """Return the title and size of a game: ``Dots and Boxes 5 × 5``."""
    return known_title(game.full_title)


def known_title(title: str) -> str:
    """Translate a title of the server with the size of a game: ``Dots and Boxes 5 × 5``."""
    for game in GAMES.values():
        if title.startswith(game.title):
            title = title.replace(game.title, tr(game.title), 1)
    return size_text(title)


def size_text(text: str) -> str:
    """Return a text with sizes as people read them: ``5 × 5`` for ``5x5``."""
    return re.sub(r"(?<=\d)x(?=\d)", " × ", text)


def score_line(first: int, second: int, seat: int | None) -> str:
    """Return a score as the player in `seat` says it; without one, in the order of the seats."""
    return f"{second} : {first}" if seat == 1 else f"{first} : {second}"


def time_line(time: TimeControl) -> str:
    """Return a time control: ``5 min + 3 s``, ``3 days a move``, ``no clock``."""
    parts = []
    if time.base_ms is not None:
        base = _span(time.base_ms)
        parts.append(f"{base} + {_span(time.increment_ms)}" if time.increment_ms else base)
    if time.move_ms is not None:
        parts.append(tr("{time} a move", time=_span(time.move_ms)))
    return ", ".join(parts) or tr("no clock")


def long_span(ms: int) -> str:
    """Return a long time with its two largest units: ``2 days 4 h``; empty below an hour."""
    if ms < HOUR_MS:
        return ""
    whole, part = (DAY_MS, HOUR_MS) if ms >= DAY_MS else (HOUR_MS, _MINUTE_MS)
    rest = ms % whole // part * part
    return f"{_span(ms - ms % whole)} {_span(rest) if rest else ''}".strip()


def of_player(player: PlayerInfo) -> str:
    """Return a description of a bot and its engine; empty for a person."""
    if player.kind != "bot":
        return ""
    if player.engine is None:
        return tr("bot")
    name, version = player.engine.name, player.engine.version
    return (
        tr("bot · {name} {version}", name=name, version=version)
        if name.casefold() != player.name.casefold()
        else tr("bot")
    )


def ended_why(termination: str, loser: str | None, reason: str, *, own: bool = False) -> str:
    """Return why a match ended; `reason` is the server's text, which some endings include.

    `own` speaks to the loser, instead of naming it.
    """
    # An unknown termination is shown unchanged; it may contain braces, so it is not formatted.
    texts = _ENDINGS.get(termination)
    if texts is None:
        text = termination
    else:
        text = texts[-1 if own else 0].format(name=loser or tr("A player"))
    return f"{text}: {reason}" if reason and termination in ("crash", "illegal", "void") else text


def watching(count: int, *, myself: bool) -> str:
    """Describe the number of spectators; `myself` says that this person is one. Empty for none."""
    if myself:
        others = max(0, count - 1)
        if not others:
            return tr("you are watching")
        return plural("you and 1 other are watching", "you and {n} others are watching", others)
    return plural("1 person watching", "{n} people watching", count) if count else ""


LONG_SIZE: Final = "10 × 10"
"""The size of a large board, as a sample."""
LONG_GAME: Final = tr("Dots and Boxes") + f" {LONG_SIZE}"
"""A game with a long title, as a sample."""


def signed(net: float) -> str:
    """Return a net score: ``+3``, ``-2.5``, ``0``."""
    rounded = round(net, 1)
    return "0" if rounded == 0 else number(rounded, "+g")


def advice_line(
    name: str, reason: str, net: float, *, exact: bool, unit: str, mover: str | None = None
) -> str:
    """Describe the best move, called `name`, and the result to expect.

    `reason` is a sentence about the move, or empty. `net` is the mover's expected net score. `unit`
    names what the scores count; it is empty for games that are only won or lost. `mover` is the
    name of the player to move; None speaks to that player.
    """
    best = reason or tr("Best: {edge}.", edge=name)
    return f"{best} {_result(net, exact, unit, mover)}"


def _result(net: float, exact: bool, unit: str, mover: str | None) -> str:
    by = int(abs(net) + 0.5)
    if by == 0:
        return tr("It ends in a draw.") if exact else tr("The game is about even.")
    texts = _SURE if exact else _LIKELY
    return texts[mover is not None, net > 0, bool(unit)].format(name=mover, boxes=by)


_SURE: Final = {
    # Whether it names the mover, whether the mover wins, and whether the score counts something.
    (False, True, True): tr("You win by {boxes}."),
    (False, True, False): tr("You win."),
    (False, False, True): tr("You lose by {boxes}."),
    (False, False, False): tr("You lose."),
    (True, True, True): tr("{name} wins by {boxes}."),
    (True, True, False): tr("{name} wins."),
    (True, False, True): tr("{name} loses by {boxes}."),
    (True, False, False): tr("{name} loses."),
}
"""The sentences for a certain result."""
_LIKELY: Final = {
    (False, True, True): tr("You should win by about {boxes}."),
    (False, True, False): tr("You should win."),
    (False, False, True): tr("You should lose by about {boxes}."),
    (False, False, False): tr("You should lose."),
    (True, True, True): tr("{name} should win by about {boxes}."),
    (True, True, False): tr("{name} should win."),
    (True, False, True): tr("{name} should lose by about {boxes}."),
    (True, False, False): tr("{name} should lose."),
}
"""The sentences for an expected result, by the same keys."""


def _span(ms: int) -> str:
    """Return a time span such as ``3 days``, ``4 h``, ``90 min`` or ``2.5 s``."""
    if ms >= DAY_MS and ms % DAY_MS == 0:
        return plural("1 day", "{n} days", ms // DAY_MS)
    if ms >= HOUR_MS and ms % HOUR_MS == 0:
        return tr("{n} h", n=ms // HOUR_MS)
    if ms >= _MINUTE_MS and ms % _MINUTE_MS == 0:
        return tr("{n} min", n=ms // _MINUTE_MS)
    return tr("{n} s", n=number(ms / 1000, ".10g"))
