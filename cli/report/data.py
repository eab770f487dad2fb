"""A tournament's summary for programs: JSON and CSV.

The JSON object
---------------
Numbers of players are places in `players`. Infinite bounds, and what there is none of, are null;
intervals are ``[low, high]`` and of the level `level`.

===============  ==============================================================================
`title`          what the tournament is called; `game`, `settings`: what was played and how;
                 `unit`: what scores count (``boxes``), or empty; `notes`: sentences
`level`          of all intervals, 0 to 1
`anchor`         the player at rating 0, null: the mean is
`order`          numbers of players, the strongest first, those without a rating last
`groups`         numbers of players, group by group: only within one do results decide distances
`pairs`          pairs that count; `games`: games in them
`decided`        pairs that ended ``1-1``, ``1½-½`` and ``2-0``, as a list of three
`first_mover`    null, or `score` (0 to 1, of seat 0) and `interval`
`terminations`   counted games by how they ended
`unfinished`     names of games that do not count because the other one of the pair is missing
`void`           names of games without a result that counts
`moments`        numbers of pairs after which ratings were taken over time
`players`        `name`, `engine`, `games`, `pairs`, `points`, `score` (0 to 1), `won`, `drawn`,
                 `lost`, `elo`, `elo_interval`, `net` (a game), `net_interval`, `pentanomial` (pairs
                 with 0, ½, 1, 1½, 2 points), `wins` and `losses` by how they ended, `mean_s` and
                 `longest_s` (seconds a move), `course` (its Elo at each of the moments)
`crosstable`     for each two that met, both ways: `player`, `opponent`, `pairs`, `points`,
                 `pentanomial`, `net`, `los` (0 to 1, from the games between the two)
`los`            likelihoods of superiority, from all games: a row for each player with a value for
                 each opponent; null for itself and for those without a pair. Null altogether where
                 there are more players than `stats.summary.MOST_LOS`
===============  ==============================================================================
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from stats.bootstrap import LEVEL, Interval

if TYPE_CHECKING:
    from stats.results import PlayedGame
    from stats.summary import Line, Summary

GAME_COLUMNS: Final = (
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
)
"""Columns of the games' CSV. `first` and `second` are the names of seats 0 and 1, `winner` is
``first``, ``second``, ``draw``, or empty for a void game; `game` is 1 or 2; `counted` is yes or
no."""
PLAYER_COLUMNS: Final = (
    "rank",
    "name",
    "engine",
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
"""Columns of the players' CSV, the strongest first; what there is none of, and infinite bounds,
are empty."""


def as_json(summary: Summary) -> dict[str, Any]:
    """The summary as what JSON can hold; see the top of the file."""
    results, first = summary.results, summary.first_mover
    numbers = range(len(results.players))
    return {
        "title": results.title,
        "game": results.game,
        "settings": results.settings,
        "unit": results.unit,
        "notes": list(results.notes),
        "level": LEVEL,
        "anchor": summary.anchor,
        "order": list(summary.order),
        "groups": [list(group) for group in summary.groups],
        "pairs": len(summary.pairs),
        "games": 2 * len(summary.pairs),
        "decided": list(summary.decided),
        "first_mover": None
        if first is None
        else {"score": first.mean, "interval": _ends(first.interval)},
        "terminations": dict(summary.terminations),
        "unfinished": [game.name for game in summary.unfinished],
        "void": [game.name for game in summary.void],
        "moments": list(summary.moments),
        "players": [
            {"name": player.name, "engine": player.engine} | _line(line)
            for player, line in zip(results.players, summary.lines, strict=True)
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
    """A line for each game, those that do not count too, by pair; with a header."""
    names = [player.name for player in summary.results.players]
    counted = {id(game) for pair in summary.pairs for game in pair}

    def row(game: PlayedGame) -> Sequence[object]:
        winner = "draw" if game.winner is None else ("first", "second")[game.winner]
        return (
            game.pair,
            game.game + 1,
            *(names[player] for player in game.players),
            "" if game.void else winner,
            *game.scores,
            game.termination,
            "yes" if id(game) in counted else "no",
            *(f"{seconds:.6f}" for seconds in (*game.mean_s, *game.longest_s)),
            game.finished_ms,
            game.name,
        )

    games = sorted(summary.results.games, key=lambda g: (g.pair, g.finished_ms, g.game))
    return _csv(GAME_COLUMNS, map(row, games))


def players_csv(summary: Summary) -> str:
    """A line for each player, the strongest first; with a header."""

    def row(rank: int, player: int) -> Sequence[object]:
        line, called = summary.lines[player], summary.results.players[player]
        rating, net = line.rating, line.net
        irregular = sum(n for kind, n in line.losses.items() if kind != "completed")
        values: tuple[float | None, ...] = (
            *((rating.elo, *_ends(rating.interval)) if rating else (None,) * 3),
            line.games,
            line.points,
            line.score,
            line.won,
            line.drawn,
            line.lost,
            *((net.mean, *_ends(net.interval)) if net else (None,) * 3),
            *line.pairs.counts,
            irregular,
            line.mean_s,
            line.longest_s,
        )
        return (
            rank,
            called.name,
            called.engine,
            *("" if v is None else f"{v:.6g}" if isinstance(v, float) else v for v in values),
        )

    return _csv(PLAYER_COLUMNS, (row(rank, n) for rank, n in enumerate(summary.order, 1)))


def _line(line: Line) -> dict[str, Any]:
    rating, net = line.rating, line.net
    return {
        "games": line.games,
        "pairs": line.pairs.pairs,
        "points": line.points,
        "score": line.score,
        "won": line.won,
        "drawn": line.drawn,
        "lost": line.lost,
        "elo": rating.elo if rating else None,
        "elo_interval": _ends(rating.interval) if rating else None,
        "net": net.mean if net else None,
        "net_interval": _ends(net.interval) if net else None,
        "pentanomial": list(line.pairs.counts),
        "wins": dict(line.wins),
        "losses": dict(line.losses),
        "mean_s": line.mean_s,
        "longest_s": line.longest_s,
        "course": list(line.course),
    }


def _ends(interval: Interval) -> list[float | None]:
    return [end if math.isfinite(end) else None for end in (interval.low, interval.high)]


def _csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()
