"""Build the sections of the page on who met whom: rounds, the crosstable, and each two players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.report import formatting, notes
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
from doublecross.cli.shared.report.style import heat
from doublecross.cli.shared.tables import printable

if TYPE_CHECKING:
    from doublecross.stats.results import Encounter
    from doublecross.stats.summary import Summary

MOST_CROSS: Final = 16
"""The most players in a crosstable; more get a heat map."""
_KNOCKOUT: Final = (
    "Who went on from the last round has won. Those who are level play up to three pairs more; then"
    " the net score decides, then the better seed."
)
MOST_ROUNDS: Final = 24
"""The most encounters that are shown at once; more are folded up."""


def rounds(summary: Summary) -> Iterator[Html]:
    """Return the section on who met whom in which round, for formats with rounds."""
    encounters = summary.results.encounters
    if not encounters:
        return
    names = formatting.names(summary)
    knockout = any(each.onward is not None for each in encounters)
    head: list[Node] = [
        tag("th", "Round", scope="col", class_="left"),
        tag("th", "Player", scope="col", class_="name"),
        tag("th", "Against", scope="col", class_="name"),
        "Points",
        *([tag("th", "Went on", scope="col", class_="left")] if knockout else []),
    ]
    rows = [
        [
            row_head(str(each.round), class_="left"),
            cell(names[each.first], class_="name"),
            cell(formatting.NONE if each.second is None else names[each.second], class_="name"),
            cell(formatting.points_of(notes.score_of(summary, each), bye=each.second is None)),
            *([cell(_onward(summary, each), class_="left")] if knockout else []),
        ]
        for each in encounters
    ]
    inside = table("Who met whom in which round", head, rows, "wide")
    last = [] if not knockout else [note(_KNOCKOUT)]
    if len(rows) <= MOST_ROUNDS:
        yield section("Rounds", inside, last)
    else:
        yield tag("section", tag("details", tag("summary", "Rounds"), inside, last))


def _onward(summary: Summary, each: Encounter) -> str:
    return formatting.NONE if each.onward is None else formatting.names(summary)[each.onward]


def crosstable(summary: Summary) -> Iterator[Html]:
    """Return the section on who scored what against whom, unless there are too many players."""
    order = [n for n in summary.order if summary.standings[n].games]
    if not 1 < len(order) <= MOST_CROSS:
        return
    if len(order) == 2:
        yield section("Head to head", _each_two(summary, order))
        return
    names = formatting.names(summary)

    def row(rank: int, player: int) -> Iterator[Html]:
        rank_text = tag("span", f"{rank} ", class_="rank")
        yield row_head(rank_text, names[player], class_="name", title=names[player])
        for other in order:
            met = summary.cells.get((player, other))
            if met is None:
                yield cell("·" if player == other else formatting.NONE, class_="self")
                continue
            share, games = met.pairs.score, formatting.count(met.games, "game")
            yield cell(
                formatting.halves(met.pairs.points),
                tag("small", f"{100 * share:.0f} %"),
                class_=heat(share),
                title=f"{names[player]} against {names[other]}: {games}",
            )

    head: list[Node] = [tag("th", "Points of … against", scope="col", class_="name")]
    head += [
        tag("th", str(rank), scope="col", title=names[n], aria_label=names[n])
        for rank, n in enumerate(order, 1)
    ]
    rows = [row(rank, player) for rank, player in enumerate(order, 1)]
    yield section(
        "Crosstable",
        table("Points of each player against each other", head, rows, "cross"),
        note("Points of the player in the row, and their share. Blue is above one half."),
        tag("details", tag("summary", "Each two players in detail"), _each_two(summary, order)),
        tag("details", tag("summary", "Who is stronger"), _superiority(summary, order)),
    )


def _superiority(summary: Summary, order: list[int]) -> Html:
    names = formatting.names(summary)
    head: list[Node] = [tag("th", "Row above column", scope="col", class_="name")]
    head += [
        tag("th", str(rank), scope="col", title=names[n], aria_label=names[n])
        for rank, n in enumerate(order, 1)
    ]

    def row(rank: int, player: int) -> Iterator[Html]:
        rank_text = tag("span", f"{rank} ", class_="rank")
        yield row_head(rank_text, names[player], class_="name", title=names[player])
        for other in order:
            los = summary.los.get((player, other))
            if los is None:
                yield cell("·", class_="self")
            else:
                yield cell(formatting.likelihood(los), class_=heat(los))

    rows = [row(rank, player) for rank, player in enumerate(order, 1)]
    return table("Likelihood of superiority of the row over the column", head, rows, "cross")


def _each_two(summary: Summary, order: list[int]) -> Html:
    unit = printable(summary.results.unit)
    names = formatting.names(summary)
    head: list[Node] = [
        tag("th", "Player", scope="col", class_="name"),
        tag("th", "Against", scope="col", class_="name"),
        *("Points", "Games", "Score", "Pairs: 0", "½", "1", "1½", "2"),
        *([f"Net {unit}"] if unit else []),
        "LOS",
    ]
    rows = [
        [
            row_head(names[player], class_="name"),
            cell(names[other], class_="name"),
            cell(formatting.halves(met.pairs.points)),
            cell(f"{met.games:,}"),
            cell(formatting.percent(met.pairs.score)),
            *(cell(str(number)) for number in met.pairs.counts),
            *([cell(formatting.net(met.net))] if unit else []),
            cell(formatting.likelihood(met.los)),
        ]
        for at, player in enumerate(order)
        for other in order[at + 1 :]
        if (met := summary.cells.get((player, other)))
    ]
    return table("Each two players, with their pairs by points", head, rows, "wide")
