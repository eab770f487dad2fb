"""Build the games in the page: a row for each pair, links to the records, and the records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

from doublecross.cli.shared.report import formatting, notes
from doublecross.cli.shared.report.markup import Html, Node, cell, clean, note, row_head, table, tag
from doublecross.cli.shared.tables import printable

if TYPE_CHECKING:
    from doublecross.stats.results import PlayedGame
    from doublecross.stats.summary import Summary


def record_id(game: PlayedGame) -> str:
    """Return the id of the element with the record of a game."""
    return f"record-{quote(game.name, safe='')}"


def game_sections(
    summary: Summary, link: Callable[[PlayedGame], str | None], records: Mapping[str, str]
) -> Iterator[Html]:
    """Return the table of all games and the `records`, by the games' names.

    Each game links to its record as `link` says.
    """
    if not summary.results.games:
        return
    yield tag(
        "section",
        tag(
            "details",
            tag("summary", "All games, by pair"),
            _pairs(summary, link),
            [note(sentence) for sentence in notes.gaps(summary)],
        ),
    )
    games = [game for game in _by_pair(summary) if game.name in records]
    if games:
        yield tag(
            "section",
            tag(
                "details",
                tag("summary", "Records of the games"),
                [_record(summary, game, records[game.name]) for game in games],
            ),
        )


def _by_pair(summary: Summary) -> list[PlayedGame]:
    return sorted(summary.results.games, key=lambda g: (g.pair, g.finished_ms, g.game))


def _pairs(summary: Summary, link: Callable[[PlayedGame], str | None]) -> Html:
    names = formatting.names(summary)
    rounds = notes.round_of(summary)
    head: list[Node] = [
        "Pair",
        *(["Round"] if rounds else []),
        tag("th", "Player", scope="col", class_="name"),
        tag("th", "Against", scope="col", class_="name"),
        *("moves first", "moves second", "Points"),
        tag("th", "Remarks", scope="col", class_="left"),
    ]

    def round_cell(number: int) -> list[Html]:
        if not rounds:
            return []
        return [cell(str(rounds[number].round) if number in rounds else formatting.NONE)]

    def bye(number: int, player: int) -> list[Html]:
        rest = [cell(formatting.NONE) for _ in range(3)]
        return [
            row_head(str(number + 1)),
            *round_cell(number),
            cell(names[player], class_="name"),
            cell(formatting.NONE, class_="name"),
            *rest,
            cell("bye", class_="left weak"),
        ]

    def row(games: tuple[PlayedGame, ...], remark: str) -> list[Html]:
        first, second = games[0].players if games[0].game == 0 else games[0].players[::-1]
        shown = {game.game: _game(summary, game, first, link(game)) for game in games}
        ends = [g.termination for g in games if g.termination != "completed"]
        remarks = [remark, *map(printable, ends)]
        score = (
            formatting.NONE
            if remark
            else formatting.score_of_pair(sum(g.points(first) for g in games))
        )
        return [
            row_head(str(games[0].pair + 1)),
            *round_cell(games[0].pair),
            cell(names[first], class_="name"),
            cell(names[second], class_="name"),
            *(cell(shown.get(number, formatting.NONE)) for number in (0, 1)),
            cell(score),
            cell(", ".join(filter(None, remarks)), class_="left weak"),
        ]

    rows = [(pair[0].pair, 0, row(pair, "")) for pair in summary.pairs]
    rows += [(g.pair, 1, row((g,), "not counted: unfinished pair")) for g in summary.unfinished]
    rows += [(g.pair, 2, row((g,), "not counted: void")) for g in summary.void]
    byes = [each for each in summary.results.encounters if each.second is None]
    rows += [(number, 0, bye(number, each.first)) for each in byes for number in each.pairs]
    rows.sort(key=lambda entry: entry[:2])
    return table("All games, by pair", head, [cells for _, _, cells in rows], "wide")


def _game(summary: Summary, game: PlayedGame, player: int, href: str | None) -> Node:
    """Return a game's result from `player`'s point of view, linked to its record at `href`."""
    result = formatting.NONE if game.void else formatting.halves(game.points(player))
    seat = game.seat(player)
    if summary.results.unit:
        result += f" ({game.scores[seat]}:{game.scores[1 - seat]})"
    if href is None:
        return result
    label = f"{result}, record of game {printable(game.name)}"
    return tag("a", result, href=href, aria_label=label)


def _record(summary: Summary, game: PlayedGame, text: str) -> Html:
    names = formatting.names(summary)
    first, second = (names[player] for player in game.players)
    title = f"Game {printable(game.name)}: {first} – {second}"
    return tag(
        "div", tag("h3", title), tag("pre", clean(text)), class_="record", id=record_id(game)
    )
