"""Format names, numbers and intervals for people."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from doublecross.protocol.text import printable
from doublecross.stats.bootstrap import Interval

if TYPE_CHECKING:
    from doublecross.stats.means import Estimate
    from doublecross.stats.summary import Summary

NONE: Final = "–"
"""Stands for a missing value."""
_WORD: Final = re.compile(r"[^\W_]+|[\W_]")
_ENDINGS: Final = {
    "completed": "on the board",
    "resigned": "by resignation",
    "adjudicated": "by adjudication",
}
_HALVES: Final = ("", "½")


def short(text: str, most: int, *, whole: bool = True) -> str:
    """Return `text` in at most `most` characters.

    It leaves out the middle, because names that begin alike tend to differ at the end. `whole` cuts
    between words, if that leaves enough.
    """
    if len(text) <= most:
        return text
    size = (most - 1) // 2
    head, tail = text[: most - 1 - size], text[len(text) - size :]
    if whole:
        found = _WORD.findall(text)
        head = _fitting(found, len(head)) or head
        tail = _fitting([word[::-1] for word in found[::-1]], most - 1 - len(head))[::-1] or tail
    return f"{head.strip()}…{tail.strip()}"


def _begun(text: str, most: int) -> str:
    """Return the beginning of `text` in at most `most` characters."""
    if len(text) <= most:
        return text
    return f"{(_fitting(_WORD.findall(text), most - 1) or text[: most - 1]).strip()}…"


def _fitting(words: Sequence[str], room: int) -> str:
    """Return as many of the first words, with the separators after them, as there is room for."""
    text = ""
    for word in words:
        if len(text) + len(word) > room:
            break
        text += word
    return text


def _around(text: str, most: int, same: int) -> str:
    """Return the beginning of `text` and what follows its first `same` characters.

    Other names begin with the same characters. The result has at most `most` characters.
    """
    if len(text) <= most:
        return text
    head = text[: min(most // 3, same)]
    part = text[same : same + most - len(head) - 2]
    return f"{head}…{part}{'' if text.endswith(part) else '…'}"


@lru_cache(maxsize=8)  # tables call it for every cell
def shorts(names: tuple[str, ...], most: int) -> tuple[str, ...]:
    """Shorten each of `names` to at most `most` characters so that they stay different.

    If no way of cutting does that, a number tells them apart: their position, from 1.
    """
    same = 0
    for characters in zip(*(name for name in names if len(name) > most), strict=False):
        if len(set(characters)) > 1:
            break
        same += 1
    ways = (short, _begun, lambda name, most: _around(name, most, same))
    for way in ways:
        cut = [way(name, most) for name in names]
        if len(set(cut)) == len(set(names)):
            return tuple(cut)
    cut = [short(name, most, whole=False) for name in names]
    return tuple(
        name if cut.count(name) == 1 else f"{short(full, most - len(f' #{at}'), whole=False)} #{at}"
        for at, (full, name) in enumerate(zip(names, cut, strict=True), 1)
    )


def names(summary: Summary) -> tuple[str, ...]:
    """Return the names of the players, by number."""
    return tuple(printable(player.name) for player in summary.results.players)


def halves(points: float) -> str:
    """Return points, such as ``12½``."""
    whole = int(points)
    half = _HALVES[points != whole]
    return half if half and not whole else f"{whole}{half}"


def points_of(score: tuple[float, float] | None, *, bye: bool) -> str:
    """Return the score of an encounter, such as ``7½–½``; ``bye`` without an opponent."""
    if bye:
        return "bye"
    return NONE if score is None else "–".join(map(halves, score))


def score_of_pair(points: float) -> str:
    """Return a pair's score from the first player's point of view, such as ``1½–½``."""
    return f"{halves(points)}–{halves(2 - points)}"


def percent(share: float | None) -> str:
    """Return a share from 0 to 1 as per cent, such as ``61.5 %``."""
    return NONE if share is None else f"{100 * share:.1f} %"


def percent_text(estimate: Estimate | None) -> str:
    """Return a share with its interval, such as ``61.5 % (55.0 to 68.1)``."""
    if estimate is None:
        return NONE
    if not estimate.bounded:
        return percent(estimate.mean)
    low, high = estimate.interval.low, estimate.interval.high
    return f"{percent(estimate.mean)} ({100 * low:.1f} to {100 * high:.1f})"


def likelihood(los: float) -> str:
    """Return a likelihood of superiority; it is never rounded to certainty."""
    if los < 0.001:
        return "<0.1 %"
    return ">99.9 %" if los > 0.999 else percent(los)


def is_estimated(summary: Summary, player: int) -> bool:
    """Return whether the results determine the player's rating, and not only a bound."""
    return player in summary.home


def fixed_player(summary: Summary) -> int | None:
    """Return the player at 0: the anchor, or the only player of a group; None if a mean is at 0."""
    if summary.anchor is not None:
        return summary.anchor
    return summary.home[0] if len(summary.home) == 1 else None


def rating_text(summary: Summary, player: int) -> str:
    """Return a rating and interval: ``+12 (-5 to +30)``, ``below -150`` or ``fixed at 0``."""
    rating = summary.standings[player].rating
    if rating is None:
        return NONE
    if player == fixed_player(summary):
        return "fixed at 0"
    if not is_estimated(summary, player):
        return bounds(rating.interval)
    return elo_text(_whole(rating.elo), _wholes(rating.interval))


def elo(summary: Summary, player: int) -> str:
    """Return a rating without its interval; none if the results set only a bound."""
    rating = summary.standings[player].rating
    if rating is None or not is_estimated(summary, player):
        return NONE
    return f"{_whole(rating.elo):+.0f}"


def rating_bounds(summary: Summary, player: int) -> str:
    """Return the interval of a player's rating."""
    rating = summary.standings[player].rating
    if rating is None:
        return NONE
    return "fixed" if player == fixed_player(summary) else bounds(rating.interval)


def bounds(interval: Interval) -> str:
    """Return an interval: ``-5 to +30``, ``above +150``, ``below -150`` or ``no bounds``."""
    low, high = _whole(interval.low), _whole(interval.high)
    if math.isinf(low) and math.isinf(high):
        return "no bounds"
    if math.isinf(high):
        return f"above {low:+.0f}"
    return f"below {high:+.0f}" if math.isinf(low) else f"{low:+.0f} to {high:+.0f}"


def elo_text(elo: float, interval: Interval) -> str:
    """Return an Elo difference with its interval; words stand for missing bounds."""
    low, high = interval.low, interval.high
    if math.isinf(elo):
        bound = low if elo > 0 else high
        if math.isinf(bound):
            return "unknown"
        return f"{'above' if elo > 0 else 'below'} {bound:+.0f}"
    if math.isinf(low) and math.isinf(high):
        return f"{elo:+.0f} (no bounds)"
    if math.isinf(high):
        return f"{elo:+.0f} (above {low:+.0f})"
    if math.isinf(low):
        return f"{elo:+.0f} (below {high:+.0f})"
    return f"{elo:+.0f} ({low:+.0f} to {high:+.0f})"


def net(value: float) -> str:
    """Return a net score per game, such as ``+2.50``."""
    return f"{value + 0.0 if round(value, 2) else 0.0:+.2f}"


def net_text(estimate: Estimate | None) -> str:
    """Return a net score with its interval, such as ``+2.50 (+1.20 to +3.80)``."""
    if estimate is None:
        return NONE
    low, high = estimate.interval.low, estimate.interval.high
    if math.isinf(low):
        return f"{net(estimate.mean)} (no bounds)"
    return f"{net(estimate.mean)} ({net(low)} to {net(high)})"


def seconds(value: float | None) -> str:
    """Return the time for a move: ``3.2 ms``, ``0.25 s``, ``12 s``."""
    if value is None:
        return NONE
    if value < 0.0995:
        return f"{1000 * value:.2g} ms" if value < 0.00995 else f"{1000 * value:.0f} ms"
    return f"{value:.2g} s" if value < 9.95 else f"{value:.0f} s"


def count(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: ``1 game``, ``12,000 games``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def kinds(counts: Mapping[str, int]) -> str:
    """Return counted terminations: ``3 by crash, 1 by timeout``."""
    return ", ".join(
        f"{number:,} {_ENDINGS.get(kind) or f'by {printable(kind)}'}"
        for kind, number in counts.items()
    )


def _whole(value: float) -> float:
    """Round, without a minus sign before zero."""
    return value if math.isinf(value) else float(round(value)) + 0.0


def _wholes(interval: Interval) -> Interval:
    return Interval(_whole(interval.low), _whole(interval.high))
