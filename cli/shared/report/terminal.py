"""Print the summary of a tournament as tables; with eight players they fit into 80 columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.report import formatting, notes
from doublecross.protocol.text import printable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from doublecross.stats.summary import Summary

CROSSTABLE: Final = 10
"""With more players there is no room for a crosstable; the page and JSON have it."""
ENCOUNTERS: Final = 40
"""The most encounters of a tournament with rounds that get a line each."""
EACH_TWO: Final = 4
"""The most players for whom each two get a line."""
_NAME: Final = 20
_NARROW: Final = 12


def print_summary(console: Console, summary: Summary) -> None:
    """Print the tables of `summary`. Markup must be off in the console: names are not escaped."""
    from rich.text import Text

    def line(text: str, style: str = "") -> None:
        console.print(Text(text, style), soft_wrap=False)

    results = summary.results
    line(printable(results.title), "bold")
    about = (
        results.game,
        results.settings,
        notes.pairs_text(summary),
    )
    line(", ".join(printable(part) for part in about if part), "dim")
    if won := notes.winner(summary):
        line(won, "bold")
    line("")
    nothing = notes.nothing_yet(summary)
    if nothing:
        line(nothing)
    if results.players:
        console.print(_standings(summary))
    for told in notes.bonuses(summary):
        line(told, "dim")
    blocks = [
        _rounds(summary),
        _crosstable(summary),
        _each_two(summary),
        _losses(summary),
        _times(summary),
    ]
    for block in filter(None, blocks):
        line("")
        console.print(block)
    line("")
    if summary.first_mover is not None:
        bare = "" if summary.first_mover.bounded else ", no interval"
        line(f"First mover: {formatting.percent_text(summary.first_mover)}{bare}")
    for sentence in notes.notes(summary):
        line(sentence, "yellow")
    if summary.pairs:
        line(f"Elo: {notes.reference(summary)}; intervals of 95 %", "dim")


def _table(first: str, *columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column(first, no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _name(summary: Summary, player: int, most: int = _NAME) -> str:
    return formatting.shorts(formatting.names(summary), most)[player]


def _standings(summary: Summary) -> RenderableType:
    unit = printable(summary.results.unit)
    table = _table(
        "#", "Player", "points", "games", "score", "Elo", "95 %", *([unit] if unit else [])
    )
    table.columns[1].justify = "left"
    for player in summary.order:
        standing = summary.standings[player]
        net = formatting.NONE if standing.net is None else formatting.net(standing.net.mean)
        table.add_row(
            notes.place(summary, player),
            _name(summary, player),
            formatting.halves(summary.total(player)),
            str(standing.games),
            formatting.percent(standing.score),
            formatting.elo(summary, player),
            formatting.rating_bounds(summary, player),
            *([net] if unit else []),
        )
    return table


def _rounds(summary: Summary) -> RenderableType | None:
    """Print who met whom in which round, if there are rounds.

    For a large tournament the page and JSON have this.
    """
    encounters = summary.results.encounters
    if not 0 < len(encounters) <= ENCOUNTERS:
        return None
    knockout = any(each.onward is not None for each in encounters)
    table = _table("Round", "", "points", *(["goes on"] if knockout else []))
    table.columns[1].justify = "left"
    if knockout:
        table.columns[3].justify = "left"
    for each in encounters:
        first = _name(summary, each.first)
        both = f"{first} - {_name(summary, each.second)}" if each.second is not None else first
        table.add_row(
            str(each.round),
            both,
            formatting.points_of(notes.score_of(summary, each), bye=each.second is None),
            *([formatting.NONE if each.onward is None else _name(summary, each.onward)] * knockout),
        )
    return table


def _crosstable(summary: Summary) -> RenderableType | None:
    players = summary.order
    if not 2 < len(players) < CROSSTABLE:
        return None
    table = _table("Points", *(str(at) for at in range(1, len(players) + 1)))
    for rank, player in enumerate(players, 1):
        cells = [
            "·"
            if player == other
            else formatting.halves(cell.pairs.points)
            if cell
            else formatting.NONE
            for other in players
            for cell in (summary.cells.get((player, other)),)
        ]
        table.add_row(f"{rank} {_name(summary, player, _NARROW)}", *cells)
    return table


def _each_two(summary: Summary) -> RenderableType | None:
    if not 1 < len(summary.order) <= EACH_TWO or not summary.pairs:
        return None
    unit = printable(summary.results.unit)
    table = _table("Each two", "points", "pairs 0 ½ 1 1½ 2", *([unit] if unit else []), "LOS")
    for at, player in enumerate(summary.order):
        for other in summary.order[at + 1 :]:
            cell = summary.cells.get((player, other))
            if cell is None:
                continue
            one, two = (_name(summary, number, _NARROW) for number in (player, other))
            table.add_row(
                f"{one} - {two}",
                f"{formatting.halves(cell.pairs.points)}/{cell.games}",
                "  ".join(map(str, cell.pairs.counts)),
                *([formatting.net(cell.net)] if unit else []),
                formatting.likelihood(cell.los),
            )
    return table


def _losses(summary: Summary) -> RenderableType | None:
    """Print losses that did not happen on the board, if there are any."""
    kinds = sorted(
        {kind for standing in summary.standings for kind in standing.losses} - {"completed"}
    )
    if not kinds:
        return None
    table = _table("Lost by", *map(printable, kinds))
    for player in summary.order:
        losses = summary.standings[player].losses
        if any(kind in losses for kind in kinds):
            numbers = (str(losses[kind]) if kind in losses else formatting.NONE for kind in kinds)
            table.add_row(_name(summary, player), *numbers)
    return table


def _times(summary: Summary) -> RenderableType | None:
    if not summary.pairs:
        return None
    table = _table("A move", "mean", "longest")
    for player in summary.order:
        standing = summary.standings[player]
        if standing.games:
            table.add_row(
                _name(summary, player),
                formatting.seconds(standing.mean_s),
                formatting.seconds(standing.longest_s),
            )
    return table
