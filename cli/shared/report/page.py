"""Build the report of a tournament as one HTML page that needs no other file and runs no script.

Its address alone decides nothing and it has no date of its own: the same summary gives the same
bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from doublecross.cli.shared.report import formatting, notes, plots
from doublecross.cli.shared.report.packages import need_plots
from doublecross.cli.shared.report.templates import render
from doublecross.protocol.text import printable

if TYPE_CHECKING:
    from doublecross.stats.results import PlayedGame
    from doublecross.stats.summary import Summary

_MOST_CROSS: Final = 16
"""The most players in a crosstable; more get a heat map."""
_PLACES: Final = {
    "round-robin": "By points{then}.",
    "gauntlet": "By points for each game, then by net score: one plays more than the others.",
    "swiss": "By points, including those for byes and absent opponents{then}.",
    "knockout": "By the round reached; losers of the same round share theirs.",
}
"""The order by which each format decides the places; ``{then}`` stands for the tie-breaks."""
_TIE_BREAKS: Final = {
    "net": "net score",
    "buchholz": "the points of all opponents (Buchholz)",
    "sonneborn-berger": "points times those of the opponent (Sonneborn-Berger)",
}
_SCHEME: Final = re.compile(r"(?!https?:)[^/?#]*:", re.IGNORECASE)


Plot = tuple[str, str, str, str]
"""The title of a plot, the picture, its text for screen readers, and the caption."""


def page(
    summary: Summary,
    *,
    link: str = "",
    records: Mapping[str, str] | None = None,
    first: Sequence[Plot] = (),
) -> str:
    """Return the page.

    `link` leads to the record of a game: a URL, absolute or relative to the page, in which
    ``{name}`` stands for the game's name. Without it the games found in `records`, by their names,
    have their records in the page, and others have no link. The plots in `first` come before all
    others.

    Raises:
        ValueError: `link` is neither relative nor a web address.
        Problem: matplotlib is not installed.
    """
    if _SCHEME.match(link.strip()):
        raise ValueError(f"{link!r} is no address of records.")
    need_plots()
    texts = records if records and not link else {}
    results = summary.results
    times = [game.finished_ms for game in results.games if game.finished_ms]
    days = [_day(min(times)), _day(max(times))] if times else []
    about = (results.game, results.settings, " to ".join(dict.fromkeys(days)))
    played = [n for n in summary.order if summary.standings[n].games]

    def href(game: PlayedGame) -> str:
        if link:
            return link.replace("{name}", quote(game.name, safe=""))
        return f"#{_record_id(game)}" if game.name in texts else ""

    return render(
        "tournament.html",
        formatting=formatting,
        notes=notes,
        summary=summary,
        results=results,
        names=formatting.names(summary),
        title=printable(results.title),
        unit=printable(results.unit),
        about=[printable(part) for part in about if part],
        played=played,
        bonus=any(summary.bonus(player) for player in summary.order),
        plots=[*first, *_plots(summary)],
        timed=[n for n in summary.order if summary.standings[n].mean_s is not None],
        met=played if 1 < len(played) <= _MOST_CROSS else [],
        unusual={kind: n for kind, n in summary.terminations.items() if kind != "completed"},
        ends=_ends(summary),
        games=_games(summary, href),
        records=[
            {
                "id": _record_id(game),
                "title": f"Game {printable(game.name)}: "
                + " – ".join(formatting.names(summary)[player] for player in game.players),
                "text": "\n".join(map(printable, texts[game.name].split("\n"))),
            }
            for game in sorted(results.games, key=lambda g: (g.pair, g.finished_ms, g.game))
            if game.name in texts
        ],
        places=_PLACES.get(results.format, "").format(
            then="".join(f", then by {_TIE_BREAKS[key]}" for key in results.tie_breaks)
        ),
    )


def _day(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).date().isoformat()


def _record_id(game: PlayedGame) -> str:
    return f"record-{quote(game.name, safe='')}"


def _plots(summary: Summary) -> Iterator[Plot]:
    """Yield the plots of a summary."""
    there = plots.rated(summary)
    if not there:
        return
    names, first = formatting.names(summary), there[:10]
    rest = "." if len(there) <= len(first) else "; the others come after them."

    def best(most: int) -> str:
        return f"The first {most} of {len(there):,}." if len(there) > most else ""

    ratings = (f"{names[n]} {formatting.rating_text(summary, n)}" for n in first)
    yield (
        "Ratings",
        plots.ratings_svg(summary),
        f"Ratings with their 95 % intervals: {'; '.join(ratings)}{rest}",
        best(plots.MOST_RATINGS),
    )
    counts = (f"{names[n]} {', '.join(map(str, summary.standings[n].pairs.counts))}" for n in first)
    yield (
        "Points in a pair",
        plots.pairs_svg(summary),
        "Each player’s pairs with 0, ½, 1, 1½ and 2 points, as shares of all. Their numbers: "
        f"{'; '.join(counts)}{rest}",
        best(plots.MOST_RATINGS),
    )
    drawn = plots.coursed(summary)
    if drawn:
        without = [names[n] for n in there if n not in drawn]
        missing = f" Without a line: {', '.join(without[:8])}{'…' * (len(without) > 8)}."
        more = len(drawn) > plots.MOST_COURSES
        yield (
            "Ratings over time",
            plots.course_svg(summary),
            "Ratings after each tenth of the pairs. Between the last two moments they moved"
            f" by {_moved(summary)} Elo at most.",
            f"{notes.fixed_note(summary)}A line begins where results decide the distance to it."
            + (missing if without else "")
            + (f" The first {plots.MOST_COURSES} of {len(drawn):,}." if more else ""),
        )
    if len(there) > _MOST_CROSS:
        yield (
            "Crosstable",
            plots.heat_svg(summary),
            "Heat map of the score of each player against each other, by rank; the numbers are in"
            " the JSON form of this report.",
            best(plots.MOST_HEAT),
        )


def _moved(summary: Summary) -> str:
    steps = [
        abs(standing.course[-1] - standing.course[-2])
        for standing in summary.standings
        if standing.course[-1] is not None and standing.course[-2] is not None
    ]
    return f"{max(steps, default=0.0):.0f}"


def _ends(summary: Summary) -> list[tuple[str, list[int]]]:
    """Return each way to win or lose that occurred, with its number for each player."""
    found = [
        (f"{word}: {printable(kind)}", [counts.get(kind, 0) for counts in by_player])
        for word, by_player in (
            ("won", [standing.wins for standing in summary.standings]),
            ("lost", [standing.losses for standing in summary.standings]),
        )
        for kind in summary.terminations
    ]
    return [(name, numbers) for name, numbers in found if any(numbers)]


def _games(summary: Summary, href: Callable[[PlayedGame], str]) -> list[dict[str, Any]]:
    """Return a row for each pair, in the order of the pairs; byes come before games."""
    rounds = notes.round_of(summary)
    none = formatting.NONE

    def row(games: tuple[PlayedGame, ...], remark: str = "") -> dict[str, Any]:
        number = games[0].pair
        first, second = games[0].players if games[0].game == 0 else games[0].players[::-1]
        shown: list[dict[str, str] | None] = [None, None]
        for game in games:
            result = none if game.void else formatting.halves(game.points(first))
            if summary.results.unit:
                seat = game.seat(first)
                result += f" ({game.scores[seat]}:{game.scores[1 - seat]})"
            name = printable(game.name)
            shown[game.game] = {"result": result, "href": href(game), "name": name}
        ends = [printable(g.termination) for g in games if g.termination != "completed"]
        points = sum(game.points(first) for game in games)
        return {
            "pair": number,
            "round": rounds[number].round if number in rounds else none,
            "players": (first, second),
            "games": shown,
            "score": none if remark else formatting.score_of_pair(points),
            "remarks": ", ".join(filter(None, [remark, *ends])),
        }

    rows = [
        {
            "pair": number,
            "round": each.round,
            "players": (each.first, None),
            "games": (None, None),
            "score": none,
            "remarks": "bye",
        }
        for each in summary.results.encounters
        if each.second is None
        for number in each.pairs
    ]
    rows += [row(pair) for pair in summary.pairs]
    rows += [row((game,), "not counted: unfinished pair") for game in summary.unfinished]
    rows += [row((game,), "not counted: void") for game in summary.void]
    return sorted(rows, key=lambda each: each["pair"])
