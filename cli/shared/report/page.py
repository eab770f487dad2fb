"""Build the report of a tournament as one HTML page that needs no other file and runs no script.

Its address alone decides nothing and it has no date of its own: the same summary gives the same
bytes. `doublecross.cli.shared.report.markup` escapes every text, and a policy in the page forbids
scripts besides.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from doublecross.cli.shared.report import formatting, notes, plots
from doublecross.cli.shared.report.crosstable import MOST_CROSS, crosstable, rounds
from doublecross.cli.shared.report.games import game_sections, record_id
from doublecross.cli.shared.report.markup import (
    Html,
    Node,
    cell,
    note,
    row_head,
    section,
    table,
    tag,
)
from doublecross.cli.shared.report.packages import need_plots
from doublecross.cli.shared.report.style import sheet
from doublecross.cli.shared.tables import printable

if TYPE_CHECKING:
    from doublecross.stats.results import PlayedGame
    from doublecross.stats.summary import PlayerStanding, Summary

_POLICY: Final = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_PLACES: Final = {
    "round-robin": "By points, then by net score.",
    "gauntlet": "By points for each game, then by net score: one plays more than the others.",
    "swiss": "By points, including those for byes and absent opponents, then by net score.",
    "knockout": "By the round reached; losers of the same round share theirs.",
}
"""The order by which each format decides the places."""
_SCHEME: Final = re.compile(r"(?!https?:)[^/?#]*:", re.IGNORECASE)


def page(summary: Summary, *, link: str = "", records: Mapping[str, str] | None = None) -> str:
    """Return the page.

    `link` leads to the record of a game: a URL, absolute or relative to the page, in which
    ``{name}`` stands for the game's name. Without it the games found in `records`, by their names,
    have their records in the page, and others have no link.

    Raises:
        ValueError: `link` is neither relative nor a web address.
        Problem: matplotlib is not installed.
    """
    if _SCHEME.match(link.strip()):
        raise ValueError(f"{link!r} is no address of records.")
    need_plots()
    texts = records if records and not link else {}

    def to(game: PlayedGame) -> str | None:
        if link:
            return link.replace("{name}", quote(game.name, safe=""))
        return f"#{record_id(game)}" if game.name in texts else None

    parts = [
        _heading(summary),
        _tiles(summary),
        _standings(summary),
        tag("div", *_pictures(summary), *_times(summary), class_="plots"),
        *rounds(summary),
        *crosstable(summary),
        *_terminations(summary),
        *game_sections(summary, to, texts),
        _terms(summary),
        tag("footer", "Made by Doublecross"),
    ]
    title = printable(summary.results.title)
    head = (
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("style", Html(sheet())),
    )
    body = tag("main", ("\n", [(part, "\n") for part in parts]))
    return f"<!DOCTYPE html>\n{tag('html', tag('head', head), tag('body', body), lang='en')}\n"


def _heading(summary: Summary) -> Html:
    results = summary.results
    times = [game.finished_ms for game in results.games if game.finished_ms]
    about = [printable(part) for part in (results.game, results.settings) if part]
    about += [_days(min(times), max(times))] if times else []
    return tag(
        "header",
        tag("h1", printable(results.title)),
        tag("p", " · ".join(about), class_="about"),
        [note(sentence, kind="warning") for sentence in notes.warnings(summary)],
    )


def _days(first_ms: int, last_ms: int) -> str:
    """Return the day or days on which games were finished, in UTC."""
    days = [datetime.fromtimestamp(ms / 1000, UTC).date().isoformat() for ms in (first_ms, last_ms)]
    return days[0] if days[0] == days[1] else f"{days[0]} to {days[1]}"


def _tiles(summary: Summary) -> Html:
    players = sum(1 for standing in summary.standings if standing.games)
    even, half, whole = summary.decided
    pairs = len(summary.pairs)

    def tile(name: str, value: str, more: str = "") -> Html:
        return tag("div", tag("dt", name), tag("dd", value, tag("small", more) if more else ""))

    about = ", ".join(
        filter(None, (formatting.count(2 * pairs, "game"), notes.openings_text(summary)))
    )
    title, _, name = notes.winner(summary).partition(": ")
    tiles = [tile(title.partition(",")[0], name)] if name else []
    tiles += [tile("Players", f"{players:,}"), tile("Game pairs", f"{pairs:,}", about)]
    if summary.first_mover is not None:
        share, _, bounds = formatting.percent_text(summary.first_mover).partition(" (")
        more = f"95 %: {bounds[:-1]}" if bounds else "no interval"
        tiles.append(tile("First mover’s score", share, more))
        tiles.append(
            tile(
                "Pairs 2–0", formatting.percent(whole / pairs), f"{half:,} were 1½–½, {even:,} 1–1"
            )
        )
        rare = {kind: n for kind, n in summary.terminations.items() if kind != "completed"}
        tiles.append(tile("Not completed", f"{sum(rare.values()):,}", formatting.kinds(rare)))
    return tag("dl", tiles, class_="tiles")


def _name(summary: Summary, player: int, *, engine: bool = False) -> Node:
    name = formatting.names(summary)[player]
    about = printable(summary.results.players[player].engine)
    return (name, tag("small", about)) if engine and about and about != name else name


def _standings(summary: Summary) -> Html:
    unit = printable(summary.results.unit)
    head = [
        tag("th", "Player", scope="col", class_="name"),
        *("Points", "Games", "Score", "Elo", "95 %", "Won", "Drawn", "Lost"),
        *([f"Net {unit}", "95 %"] if unit else []),
    ]

    def row(player: int) -> Iterator[Html]:
        standing = summary.standings[player]
        rank_text = tag("span", f"{notes.place(summary, player)} ", class_="rank")
        name = _name(summary, player, engine=True)
        yield row_head(rank_text, name, class_="name", title=formatting.names(summary)[player])
        more = notes.bonus(summary, player)
        points = formatting.halves(summary.total(player))
        yield cell(tag("strong", points), tag("small", more) if more else "", class_="points")
        yield cell(f"{standing.games:,}")
        yield cell(formatting.percent(standing.score))
        yield cell(tag("strong", formatting.elo(summary, player)))
        yield cell(formatting.rating_bounds(summary, player), class_="weak")
        for number in (standing.won, standing.drawn, standing.lost):
            yield cell(f"{number:,}")
        if unit:
            net, _, bounds = formatting.net_text(standing.net).partition(" (")
            yield cell(net)
            yield cell(bounds.rstrip(")") or formatting.NONE, class_="weak")

    nothing = notes.nothing_yet(summary)
    if not summary.order:
        return section("Standings", note(nothing))
    about = [nothing] if nothing else [f"Elo: {notes.reference(summary)}."]
    if unit and not nothing:
        about.append(f"Net {unit}: the mean of a game.")
    about += notes.tie_break(summary)
    if any(summary.bonus(player) for player in summary.order):
        about.append("Games and score do not include points without a game.")
    return section(
        "Standings",
        table("Standings", head, map(row, summary.order), "wide"),
        note(" ".join(about)),
        [note(sentence) for sentence in notes.islands(summary)],
    )


def _picture(svg: str, alt: str, caption: str) -> Html:
    data = base64.b64encode(svg.encode("utf-8")).decode("ascii")
    image = tag("img", src=f"data:image/svg+xml;base64,{data}", alt=alt)
    return tag("figure", image, tag("figcaption", caption) if caption else "")


def _pictures(summary: Summary) -> Iterator[Html]:
    there = plots.rated(summary)
    if not there:
        return
    names, first = formatting.names(summary), there[:10]
    rest = "." if len(there) <= len(first) else "; the others come after them."

    def best(most: int) -> str:
        return f"The first {most} of {len(there):,}." if len(there) > most else ""

    ratings = (f"{names[n]} {formatting.rating_text(summary, n)}" for n in first)
    yield section(
        "Ratings",
        _picture(
            plots.ratings_svg(summary),
            f"Ratings with their 95 % intervals: {'; '.join(ratings)}{rest}",
            best(plots.MOST_RATINGS),
        ),
    )
    counts = (f"{names[n]} {', '.join(map(str, summary.standings[n].pairs.counts))}" for n in first)
    yield section(
        "Points in a pair",
        _picture(
            plots.pairs_svg(summary),
            "Each player’s pairs with 0, ½, 1, 1½ and 2 points, as shares of all. Their numbers: "
            f"{'; '.join(counts)}{rest}",
            best(plots.MOST_RATINGS),
        ),
    )
    drawn = plots.coursed(summary)
    if drawn:
        without = [names[n] for n in there if n not in drawn]
        missing = f" Without a line: {', '.join(without[:8])}{'…' * (len(without) > 8)}."
        more = len(drawn) > plots.MOST_COURSES
        yield section(
            "Ratings over time",
            _picture(
                plots.course_svg(summary),
                "Ratings after each tenth of the pairs. Between the last two moments they moved"
                f" by {_moved(summary)} Elo at most.",
                f"{notes.fixed_note(summary)}A line begins where results decide the distance to it."
                + (missing if without else "")
                + (f" The first {plots.MOST_COURSES} of {len(drawn):,}." if more else ""),
            ),
        )
    if len(there) > MOST_CROSS:
        yield section(
            "Crosstable",
            _picture(
                plots.heat_svg(summary),
                "Heat map of the score of each player against each other, by rank; the numbers"
                " are in the JSON form of this report.",
                best(plots.MOST_HEAT),
            ),
        )


def _moved(summary: Summary) -> str:
    steps = [
        abs(standing.course[-1] - standing.course[-2])
        for standing in summary.standings
        if standing.course[-1] is not None and standing.course[-2] is not None
    ]
    return f"{max(steps, default=0.0):.0f}"


def _terminations(summary: Summary) -> Iterator[Html]:
    kinds = list(summary.terminations)
    if not set(kinds) - {"completed"}:
        return  # the number at the top says it
    columns = [
        (word, kind)
        for word in ("won", "lost")
        for kind in kinds
        if any(_ended(standing, word, kind) for standing in summary.standings)
    ]
    head: list[Node] = [tag("th", "Player", scope="col", class_="name")]
    head += [f"{word}: {printable(kind)}" for word, kind in columns]
    names = formatting.names(summary)
    rows = []
    for player in summary.order:
        standing = summary.standings[player]
        if standing.games:
            numbers = [_ended(standing, word, kind) for word, kind in columns]
            cells = [
                cell(f"{n:,}" if n else formatting.NONE, class_=None if n else "weak")
                for n in numbers
            ]
            rows.append([row_head(names[player], class_="name"), *cells])
    yield section(
        "How games ended",
        table("Games won and lost by each player, by how they ended", head, rows, "wide"),
        note(f"All games: {formatting.kinds(summary.terminations)}."),
    )


def _ended(standing: PlayerStanding, word: str, kind: str) -> int:
    return (standing.wins if word == "won" else standing.losses).get(kind, 0)


def _times(summary: Summary) -> Iterator[Html]:
    there = [n for n in summary.order if summary.standings[n].mean_s is not None]
    if not there:
        return
    head = [tag("th", "Player", scope="col", class_="name"), "Mean", "Longest"]
    rows = [
        [
            row_head(formatting.names(summary)[n], class_="name"),
            cell(formatting.seconds(summary.standings[n].mean_s)),
            cell(formatting.seconds(summary.standings[n].longest_s)),
        ]
        for n in there
    ]
    yield section("Time for a move", table("Time for a move", head, rows, "wide"))


def _rating_terms(summary: Summary) -> dict[str, str]:
    """Return the explanations of ratings, which differ for two players."""
    terms = {}
    if rule := _PLACES.get(summary.results.format):
        terms["Place"] = rule
    if sum(1 for standing in summary.standings if standing.games) == 2:
        terms["Elo"] = "The difference at which the score of the two is expected."
        terms["95 %"] = (
            "Intervals that contain the truth in 95 of 100 such matches, by a bootstrap over game"
            " pairs; those of net scores are Student’s."
        )
        return terms
    terms["Elo"] = (
        "Most likely ratings of all players at once (Bradley and Terry), each with half a drawn"
        " game against its opponents besides. Where results only set a bound there is none."
    )
    terms["95 %"] = (
        "Intervals that contain the truth in 95 of 100 such tournaments. Those of ratings"
        " come from a bootstrap over game pairs, those of net scores are Student’s."
    )
    return terms


def _terms(summary: Summary) -> Html:
    unit = printable(summary.results.unit)
    terms = {
        "Game pair": "One opening played twice with the seats changed. Only complete pairs count.",
        **_rating_terms(summary),
        "LOS": "Likelihood of superiority: how probable it is that the first of two players is the"
        " stronger one. Beside their points it is from the games between the two; the table of who"
        " is stronger has it from all games.",
    }
    if summary.first_mover is not None:
        terms["First mover’s score"] = (
            "The points of the players who moved first, of all games. Its interval takes the"
            " openings as the sample, not the games: all players share them."
        )
    if unit:
        terms[f"Net {unit}"] = f"The player’s {unit} minus the opponent’s at the end of a game."
    items = [(tag("dt", name), tag("dd", text)) for name, text in terms.items()]
    return section("What the words mean", tag("dl", items, class_="terms"))
