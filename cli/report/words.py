"""How reports write names, numbers and intervals for people."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from cli.arena_show import elo_text
from stats.bootstrap import Interval

if TYPE_CHECKING:
    from stats.elo import Rating
    from stats.results import PlayedGame
    from stats.summary import Estimate, Line, Summary

NONE: Final = "–"
"""Stands where there is nothing to say."""
_ENDINGS: Final = {"completed": "on the board", "resigned": "by resignation"}
_HALVES: Final = ("", "½")


def printable(text: str) -> str:
    """`text` in one line, with a replacement for every character that does not print (controls,
    changes of direction, lone surrogates), so that a name can neither break nor disguise a report.
    """
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def short(text: str, most: int) -> str:
    """`text` in at most so many characters."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def names(summary: Summary) -> tuple[str, ...]:
    """What the players are called, by number."""
    return tuple(printable(player.name) for player in summary.results.players)


def halves(points: float) -> str:
    """Points, such as ``12½``."""
    whole = int(points)
    half = _HALVES[points != whole]
    return half if half and not whole else f"{whole}{half}"


def score_of_pair(points: float) -> str:
    """A pair's score from the first player's side, such as ``1½–½``."""
    return f"{halves(points)}–{halves(2 - points)}"


def percent(share: float | None) -> str:
    """A share of 0 to 1, such as ``61.5 %``."""
    return NONE if share is None else f"{100 * share:.1f} %"


def percent_text(estimate: Estimate | None) -> str:
    """A share with its interval, such as ``61.5 % (55.0 to 68.1)``."""
    if estimate is None:
        return NONE
    low, high = estimate.interval.low, estimate.interval.high
    return f"{percent(estimate.mean)} ({100 * low:.1f} to {100 * high:.1f})"


def likelihood(los: float) -> str:
    """A likelihood of superiority; what is all but sure is not rounded to certainty."""
    if 0.0 < los < 0.001:
        return "<0.1 %"
    return ">99.9 %" if 0.999 < los < 1.0 else percent(los)


def rating_text(rating: Rating | None) -> str:
    """A rating with its interval, such as ``+12 (-5 to +30)``."""
    return NONE if rating is None else elo_text(_whole(rating.elo), _wholes(rating.interval))


def elo(rating: Rating | None) -> str:
    """A rating without its interval."""
    return NONE if rating is None else f"{_whole(rating.elo):+.0f}"


def rating_bounds(summary: Summary, player: int) -> str:
    """The interval of a player's rating."""
    rating = summary.lines[player].rating
    if rating is None:
        return NONE
    return "fixed" if player == summary.anchor else bounds(rating.interval)


def bounds(interval: Interval) -> str:
    """An interval of ratings: ``-5 to +30``, ``above +150``, ``below -150`` or ``no bounds``."""
    low, high = _whole(interval.low), _whole(interval.high)
    if math.isinf(low) and math.isinf(high):
        return "no bounds"
    if math.isinf(high):
        return f"above {low:+.0f}"
    return f"below {high:+.0f}" if math.isinf(low) else f"{low:+.0f} to {high:+.0f}"


def net(value: float) -> str:
    """A net score a game, such as ``+2.50``."""
    return f"{value + 0.0 if round(value, 2) else 0.0:+.2f}"


def net_text(estimate: Estimate | None) -> str:
    """A net score with its interval, such as ``+2.50 (+1.20 to +3.80)``."""
    if estimate is None:
        return NONE
    low, high = estimate.interval.low, estimate.interval.high
    if math.isinf(low):
        return f"{net(estimate.mean)} (no bounds)"
    return f"{net(estimate.mean)} ({net(low)} to {net(high)})"


def seconds(value: float | None) -> str:
    """A time for a move: ``3.2 ms``, ``0.25 s``, ``12 s``."""
    if value is None:
        return NONE
    if value < 0.0995:
        return f"{1000 * value:.2g} ms" if value < 0.00995 else f"{1000 * value:.0f} ms"
    return f"{value:.2g} s" if value < 9.95 else f"{value:.0f} s"


def count(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: ``1 game``, ``12,000 games``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def kinds(counts: Mapping[str, int]) -> str:
    """Counted terminations: ``3 by crash, 1 by timeout``."""
    return ", ".join(
        f"{number:,} {_ENDINGS.get(kind) or f'by {printable(kind)}'}"
        for kind, number in counts.items()
    )


def record_text(line: Line) -> str:
    """Games won, drawn and lost: ``+3 =1 -2``."""
    return f"+{line.won} ={line.drawn} -{line.lost}"


def reference(summary: Summary) -> str:
    """What rating 0 is."""
    if summary.anchor is None:
        return "their mean is 0" if len(summary.groups) < 2 else "mean of the largest group is 0"
    return f"{names(summary)[summary.anchor]} is at 0"


def left_out(summary: Summary, most: int = 5) -> list[str]:
    """Sentences on the games that are not counted, naming the first `most` of each kind."""
    sentences = []
    if unfinished := summary.unfinished:
        of = "an unfinished pair" if len(unfinished) == 1 else "unfinished pairs"
        sentences.append(
            f"Not counted: {count(len(unfinished), 'game')} of {of} ({_named(unfinished, most)})."
        )
    if void := summary.void:
        sentences.append(
            f"Not counted: {count(len(void), 'game')} of pairs that were voided"
            f" ({_named(void, most)})."
        )
    return sentences


def _named(games: tuple[PlayedGame, ...], most: int) -> str:
    named = [printable(game.name) for game in games[:most]]
    return ", ".join([*named, "…"] if len(games) > most else named)


def _whole(value: float) -> float:
    """Rounded, and no minus before a zero."""
    return value if math.isinf(value) else float(round(value)) + 0.0


def _wholes(interval: Interval) -> Interval:
    return Interval(_whole(interval.low), _whole(interval.high))
