"""Write the summary of a tournament for programs, as JSON and CSV.

The JSON object
---------------
Numbers of players are places in `players`. Infinite bounds, and what there is none of, are null;
intervals are ``[low, high]`` and of the level `level`.

===============  ==============================================================================
`title`          what the tournament is called; `game`, `settings`: what was played and how;
                 `unit`: what scores count (``boxes``), or empty; `notes`: sentences; `format`: the
                 key of its format, or empty
`level`          of all intervals, 0 to 1
`winners`        numbers of the players who have won, none before the end and where there are no
                 places
`anchor`         the player at rating 0, null: the mean of `home` is
`order`          numbers of players: by `place`, within a place and without places by rating, those
                 without a rating last
`groups`         numbers of players, group by group: only within one do results decide distances
`home`           that of the groups in which the zero is: only its players have an `elo`
`pairs`          pairs that count; `games`: games in them; `openings`: different openings of these,
                 null where they are not known
`decided`        pairs that ended ``1-1``, ``1½-½`` and ``2-0``, as a list of three
`first_mover`    null, or `score` (0 to 1, of seat 0) and `interval`, from the openings as a sample
`rounds`         of a Swiss tournament or a knockout, for each two who met in a round: `round` (from
                 1), `players` (the second null: a bye), `pairs` (their numbers, from 1), `points`
                 (of the two, by the pairs that count), `onward` (who went on to the next round or
                 won the last one of a knockout, else null)
`terminations`   counted games by how they ended
`unfinished`     names of games that do not count because the other one of the pair is missing
`void`           names of games without a result that counts
`moments`        numbers of pairs after which ratings were taken over time, relative to the mean
                 of the players `steady`
`players`        `name`, `engine`, `place` (null where ratings make the order), `total` (points as
                 the tournament counts them) with `bonus` (those for byes and for opponents who did
                 not come), `games`, `pairs`, `points` (of these games alone), `score` (`points` of
                 `games`, 0 to 1), `won`, `drawn`, `lost`, `elo` (null where results only set a
                 bound), `elo_interval`, `net` (a game), `net_interval`, `pentanomial` (pairs with
                 0, ½, 1, 1½, 2 points), `wins` and `losses` by how they ended, `mean_s` and
                 `longest_s` (seconds a move), `course` (its Elo at each of the moments, null where
                 the results do not decide it yet)
`crosstable`     for each two that met, both ways: `player`, `opponent`, `pairs`, `points`,
                 `pentanomial`, `net`, `los` (0 to 1, from the games between the two)
`los`            likelihoods of superiority, from all games: a row for each player with a value for
                 each opponent; null for itself and for those without a pair. Null altogether where
                 there are more players than `doublecross.stats.rated.MOST_LOS`
===============  ==============================================================================
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from doublecross.cli.shared.report import formatting, notes
from doublecross.protocol.spreadsheet import csv_text, number
from doublecross.stats.bootstrap import LEVEL, Interval

if TYPE_CHECKING:
    from doublecross.stats.results import Encounter, PlayedGame
    from doublecross.stats.summary import Summary

GAME_COLUMNS: Final = (
    "round",
    "pair",
    "game",
    "first",
    "second",
    "winner",
    "score_first",
    "score_second",
    "termination",
    "counted",
    "mean_s_first",
    "mean_s_second",
    "longest_s_first",
    "longest_s_second",
    "finished_ms",
    "record",
    "opening",
)
"""Columns of the games' CSV. `round` counts from 1, empty where there are no rounds; `pair` counts
from 1, as in records: numbers that are missing were byes or not played. `game` is 1 or 2. `first`
and `second` are the names of seats 0 and 1, `winner` is ``first``, ``second``, ``draw``, or empty
for a void game; `counted` is yes or no. `opening` are the actions before the first move, with
spaces between them."""
PLAYER_COLUMNS: Final = (
    "rank",
    "place",
    "name",
    "engine",
    "total",
    "bonus",
    "elo",
    "elo_low",
    "elo_high",
    "games",
    "points",
    "score",
    "won",
    "drawn",
    "lost",
    "net",
    "net_low",
    "net_high",
    "pairs_0",
    "pairs_0.5",
    "pairs_1",
    "pairs_1.5",
    "pairs_2",
    "irregular_losses",
    "mean_s",
    "longest_s",
)
"""Columns of the players' CSV, in the order of the JSON object, whose words they have. `rank` is
the place in that order. What there is none of, and infinite bounds, are empty."""


def as_json(summary: Summary) -> dict[str, Any]:
    """Return the summary as values that JSON can hold; see the top of the file."""
    results, first = summary.results, summary.first_mover
    numbers = range(len(results.players))
    return {
        "title": results.title,
        "game": results.game,
        "settings": results.settings,
        "unit": results.unit,
        "notes": notes.notes(summary),
        "format": results.format,
        "level": LEVEL,
        "winners": list(results.winners),
        "anchor": summary.anchor,
        "order": list(summary.order),
        "groups": [list(group) for group in summary.groups],
        "home": list(summary.home),
        "pairs": len(summary.pairs),
        "games": 2 * len(summary.pairs),
        "openings": None if summary.openings is None else summary.openings.different,
        "decided": list(summary.decided),
        "first_mover": None
        if first is None
        else {"score": first.mean, "interval": _ends(first.interval)},
        "rounds": [_encounter(summary, each) for each in results.encounters],
        "terminations": dict(summary.terminations),
        "unfinished": [game.name for game in summary.unfinished],
        "void": [game.name for game in summary.void],
        "moments": list(summary.moments),
        "steady": list(summary.steady),
        "players": [
            {"name": player.name, "engine": player.engine} | _line(summary, number)
            for number, player in enumerate(results.players)
        ],
        "crosstable": [
            {
                "player": player,
                "opponent": opponent,
                "pairs": cell.pairs.pairs,
                "points": cell.pairs.points,
                "pentanomial": list(cell.pairs.counts),
                "net": cell.net,
                "los": cell.los,
            }
            for (player, opponent), cell in sorted(summary.cells.items())
        ],
        "los": [[summary.los.get((a, b)) for b in numbers] for a in numbers]
        if summary.los
        else None,
    }


def games_csv(summary: Summary) -> str:
    """Return a header and a line for each game, even those that do not count, by pair."""
    names = [player.name for player in summary.results.players]
    counted = {id(game) for pair in summary.pairs for game in pair}
    rounds = notes.round_of(summary)

    def row(game: PlayedGame) -> Sequence[object]:
        winner = "draw" if game.winner is None else ("first", "second")[game.winner]
        return (
            rounds[game.pair].round if game.pair in rounds else "",
            game.pair + 1,
            game.game + 1,
            *(names[player] for player in game.players),
            "" if game.void else winner,
            *game.scores,
            game.termination,
            "yes" if id(game) in counted else "no",
            *(number(seconds, ".6f") for seconds in (*game.mean_s, *game.longest_s)),
            game.finished_ms,
            game.name,
            " ".join(map(str, game.opening or ())),
        )

    games = sorted(summary.results.games, key=lambda g: (g.pair, g.finished_ms, g.game))
    return csv_text(GAME_COLUMNS, map(row, games))


def players_csv(summary: Summary) -> str:
    """Return a header and a line for each player, by rank."""

    def row(rank: int, player: int) -> Sequence[object]:
        standing, called = summary.standings[player], summary.results.players[player]
        rating, net = standing.rating, standing.net
        irregular = sum(n for kind, n in standing.losses.items() if kind != "completed")
        values: tuple[float | None, ...] = (
            summary.total(player),
            summary.bonus(player),
            *((_elo(summary, player), *_ends(rating.interval)) if rating else (None,) * 3),
            standing.games,
            standing.points,
            standing.score,
            standing.won,
            standing.drawn,
            standing.lost,
            *((net.mean, *_ends(net.interval)) if net else (None,) * 3),
            *standing.pairs.counts,
            irregular,
            standing.mean_s,
            standing.longest_s,
        )
        return (
            rank,
            _place(summary, player) or "",
            called.name,
            called.engine,
            *("" if v is None else number(v, ".6g") if isinstance(v, float) else v for v in values),
        )

    return csv_text(PLAYER_COLUMNS, (row(rank, n) for rank, n in enumerate(summary.order, 1)))


def _place(summary: Summary, player: int) -> int | None:
    places = summary.results.places
    return places[player].place if places else None


def _elo(summary: Summary, player: int) -> float | None:
    rating = summary.standings[player].rating
    return rating.elo if rating and formatting.is_estimated(summary, player) else None


def _encounter(summary: Summary, each: Encounter) -> dict[str, Any]:
    score = notes.score_of(summary, each)
    return {
        "round": each.round,
        "players": [each.first, each.second],
        "pairs": [number + 1 for number in each.pairs],
        "points": None if score is None else list(score),
        "onward": each.onward,
    }


def _line(summary: Summary, player: int) -> dict[str, Any]:
    standing = summary.standings[player]
    rating, net = standing.rating, standing.net
    return {
        "place": _place(summary, player),
        "total": summary.total(player),
        "bonus": summary.bonus(player),
        "games": standing.games,
        "pairs": standing.pairs.pairs,
        "points": standing.points,
        "score": standing.score,
        "won": standing.won,
        "drawn": standing.drawn,
        "lost": standing.lost,
        "elo": _elo(summary, player),
        "elo_interval": _ends(rating.interval) if rating else None,
        "net": net.mean if net else None,
        "net_interval": _ends(net.interval) if net else None,
        "pentanomial": list(standing.pairs.counts),
        "wins": dict(standing.wins),
        "losses": dict(standing.losses),
        "mean_s": standing.mean_s,
        "longest_s": standing.longest_s,
        "course": list(standing.course),
    }


def _ends(interval: Interval) -> list[float | None]:
    return [end if math.isfinite(end) else None for end in (interval.low, interval.high)]
